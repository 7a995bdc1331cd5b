-- Each box of each round, as it was settled on a gaming day: what lay there, what it came to, and by which clauses. A
-- round that is settled anew has its rows on the day of that, too; of a void one there is one row. What is read out of
-- a line and a result stands behind the rows, so that it is worked out where somebody asks for it alone.
WITH rows AS (
    SELECT settlement.business_date, substring(settlement.round_key FROM 7)::bigint AS round_id, settlement.generation,
        settlement.begun_at AS settled_at, settlement.sheet_digest, settlement.line_ordinal, payment.box,
        payment.outcome, payment.staked_units AS staked, payment.returned_units AS returned,
        payment.paid_units AS paid, payment.net_units AS net, array_to_string(payment.clauses, ', ') AS clauses,
        settlement.id AS settlement_id
    -- Table by table, as settlements are indexed.
    FROM tables_table place
    JOIN payouts_settlement settlement
        ON settlement.table_key = 'table:' || place.id AND settlement.business_date BETWEEN %(first)s AND %(last)s
    JOIN payouts_payment payment ON payment.settlement_id = settlement.id
    UNION ALL
    SELECT session.business_date, round.id, NULL, NULL, sheet.digest, NULL, NULL, 'void', NULL, NULL, NULL, NULL, (
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
    rows.box::bigint AS box,
    (SELECT string_agg((each ->> 'kind') || ' ' || ((each ->> 'units')::numeric * %(unit)s)::text, ', ' ORDER BY n)
        FROM jsonb_array_elements(line.wagers::jsonb) WITH ORDINALITY AS of_line(each, n)
        WHERE (each ->> 'box')::int = rows.box) AS wagers,
    nullif(concat_ws(' + ',
        (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
            FROM jsonb_path_query(entered.hand, '$.cards[*]') WITH ORDINALITY AS five(card, n)),
        (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
            FROM jsonb_path_query(entered.hand, '$.extra[*]') WITH ORDINALITY AS two(card, n))), '') AS cards,
    (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
        FROM jsonb_path_query(said.line, '$.dealer.cards[*]') WITH ORDINALITY AS of_dealer(card, n)) AS dealer,
    said.line #>> '{dealer,replacement}' AS replacement,
    coalesce(
        jsonb_path_query_first(said.result, '$.boxes[*] ? (@.box == $box)',
            jsonb_build_object('box', rows.box)) ->> 'category',
        said.result -> 'hands' -> rows.box::text ->> 'class') AS category,
    rows.outcome, rows.clauses, rows.staked, rows.returned, rows.paid, rows.net, NULL::text AS explanation,
    rows.settlement_id, round.number, round.id AS round_id, round.table_id
FROM rows
JOIN tables_round round ON round.id = rows.round_id
JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
JOIN tables_table place ON place.id = round.table_id
LEFT JOIN payouts_settlement settled ON settled.id = rows.settlement_id
LEFT JOIN tables_line line ON line.round_id = rows.round_id AND line.ordinal = rows.line_ordinal
-- Read once a row, and where nothing of them is asked for not at all.
CROSS JOIN LATERAL (SELECT line.text::jsonb AS line, settled.result::jsonb AS result OFFSET 0) said
CROSS JOIN LATERAL (
    -- A box of a dealer's game, a hand of a pot game, or the hand that was dealt to a player of a game of plays.
    SELECT coalesce(
        jsonb_path_query_first(said.line, '$.boxes[*] ? (@.box == $box)', jsonb_build_object('box', rows.box)),
        jsonb_path_query_first(said.line, '$.hands[*] ? (@.player == $player)',
            jsonb_build_object('player', rows.box::text)),
        jsonb_build_object('cards', coalesce(said.line -> 'deal' -> rows.box::text,
            said.line -> 'left' -> rows.box::text))
    ) AS hand
) entered
