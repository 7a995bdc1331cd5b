-- Each box of each round, as it was settled on a gaming day: what lay there, what it came to, and by which clauses. A
-- round that is settled anew has its rows on the day of that, too; of a void one there is one row.
WITH settled AS (
    SELECT settlement.id, settlement.business_date, settlement.generation, settlement.begun_at, settlement.sheet_digest,
        settlement.result::jsonb AS result, line.text::jsonb AS line, line.wagers::jsonb AS wagers, round.id AS round_id
    -- Table by table, as settlements are indexed.
    FROM tables_table place
    JOIN payouts_settlement settlement
        ON settlement.table_key = 'table:' || place.id AND settlement.business_date BETWEEN %(first)s AND %(last)s
    JOIN tables_round round ON round.id = substring(settlement.round_key FROM 7)::bigint
    JOIN tables_line line ON line.round_id = round.id AND line.ordinal = settlement.line_ordinal
), rows AS (
    SELECT settled.business_date, settled.round_id, settled.generation, settled.begun_at AS settled_at, payment.box,
        payment.outcome, settled.sheet_digest,
        coalesce(hand.of_box ->> 'category', settled.result -> 'hands' -> payment.box::text ->> 'class') AS category,
        (SELECT string_agg((each ->> 'kind') || ' ' || ((each ->> 'units')::numeric * %(unit)s)::text, ', ' ORDER BY n)
            FROM jsonb_array_elements(settled.wagers) WITH ORDINALITY AS of_line(each, n)
            WHERE (each ->> 'box')::int = payment.box) AS wagers,
        concat_ws(' + ', entered.cards, entered.extra) AS cards,
        (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
            FROM jsonb_path_query(settled.line, '$.dealer.cards[*]') WITH ORDINALITY AS of_dealer(card, n)) AS dealer,
        settled.line #>> '{dealer,replacement}' AS replacement,
        payment.staked_units AS staked, payment.returned_units AS returned, payment.paid_units AS paid,
        payment.net_units AS net, array_to_string(payment.clauses, ', ') AS clauses, settled.id AS settlement_id
    FROM settled
    JOIN payouts_payment payment ON payment.settlement_id = settled.id
    CROSS JOIN LATERAL (
        SELECT jsonb_path_query_first(settled.result, '$.boxes[*] ? (@.box == $box)',
            jsonb_build_object('box', payment.box)) AS of_box
    ) hand
    CROSS JOIN LATERAL (
        -- A box of a dealer's game, a hand of a pot game, or the hand that was dealt to a player of a game of plays.
        SELECT coalesce(
            jsonb_path_query_first(settled.line, '$.boxes[*] ? (@.box == $box)', jsonb_build_object('box', payment.box)),
            jsonb_path_query_first(settled.line, '$.hands[*] ? (@.player == $player)',
                jsonb_build_object('player', payment.box::text)),
            jsonb_build_object('cards', coalesce(settled.line -> 'deal' -> payment.box::text,
                settled.line -> 'left' -> payment.box::text))
        ) AS hand
    ) place
    CROSS JOIN LATERAL (
        SELECT
            (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
                FROM jsonb_path_query(place.hand, '$.cards[*]') WITH ORDINALITY AS five(card, n)) AS cards,
            (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
                FROM jsonb_path_query(place.hand, '$.extra[*]') WITH ORDINALITY AS two(card, n)) AS extra
    ) entered
    UNION ALL
    SELECT session.business_date, round.id, NULL, NULL, NULL, 'void', sheet.digest, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, (
            SELECT intervention.clause FROM tables_intervention intervention
            WHERE intervention.round_id = round.id AND intervention.kind = 'voided'
            ORDER BY intervention.ordinal DESC LIMIT 1
        ), NULL
    FROM tables_session session
    JOIN tables_round round ON round.session_id = session.id AND round.status = 'VOIDED'
    JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
    WHERE session.business_date BETWEEN %(first)s AND %(last)s
)
SELECT rows.business_date AS date,
    place.code || '-' || lpad(round.number::text, greatest(5, length(round.number::text)), '0') AS round,
    place.code AS "table", sheet.game, left(rows.sheet_digest, 8) AS sheet, rows.generation::bigint AS generation,
    coalesce(round.happened_at, round.opened_at) AS played_at, rows.settled_at, round.opened_by_id AS croupier,
    rows.box::bigint AS box, rows.wagers, nullif(rows.cards, '') AS cards, rows.dealer, rows.replacement, rows.category,
    rows.outcome, rows.clauses, rows.staked, rows.returned, rows.paid, rows.net, NULL::text AS explanation,
    rows.settlement_id, round.number, round.id AS round_id, round.table_id
FROM rows
JOIN tables_round round ON round.id = rows.round_id
JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
JOIN tables_table place ON place.id = round.table_id
