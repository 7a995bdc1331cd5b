-- Each box of each round, as it was settled on a gaming day, by what needs no line and no result to be read. A round that
-- is settled anew has its rows on the day of that, too; of a void one there is one row.
WITH rows AS (
    -- Of the same types as the others, so that one round is looked for in each of the two.
    SELECT settlement.business_date, settlement.round_key::text, substring(settlement.round_key FROM 7)::bigint AS round_id,
        settlement.generation, settlement.begun_at AS settled_at, settlement.sheet_digest, settlement.line_ordinal,
        settlement.result, payment.box, payment.outcome, payment.staked_units AS staked,
        payment.returned_units AS returned, payment.paid_units AS paid, payment.net_units AS net,
        array_to_string(payment.clauses, ', ') AS clauses, settlement.id AS settlement_id
    -- Table by table, as settlements are indexed.
    FROM tables_table place
    JOIN payouts_settlement settlement
        ON settlement.table_key = 'table:' || place.id AND settlement.business_date BETWEEN %(first)s AND %(last)s
    JOIN payouts_payment payment ON payment.settlement_id = settlement.id
    UNION ALL
    SELECT session.business_date, 'round:' || round.id, round.id, NULL, NULL, sheet.digest, NULL, NULL, NULL, 'void',
        NULL, NULL, NULL, NULL, (
            SELECT intervention.clause::text FROM tables_intervention intervention
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
    rows.box::bigint AS box, rows.outcome, rows.clauses, rows.staked, rows.returned, rows.paid, rows.net,
    rows.settlement_id, rows.line_ordinal, rows.result, rows.round_key, round.number, round.id AS round_id, round.table_id
FROM rows
JOIN tables_round round ON round.id = rows.round_id
JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
JOIN tables_table place ON place.id = round.table_id
