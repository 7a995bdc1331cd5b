-- What the days of the period changed in rounds of days before: each later settlement of a round with what it brought the
-- house, what the cage took or gave for it where the table was closed, and the two who answer for it.
WITH later AS (
    SELECT settlement.id, settlement.round_key, settlement.generation, settlement.line_ordinal, settlement.business_date,
        settlement.made_in, settlement.begun_at, session.business_date AS of_date, round.id AS round_id, round.number,
        place.id AS table_id, place.code, place.float_account_id, place.rake_account_id
    FROM tables_table place
    JOIN payouts_settlement settlement ON settlement.table_key = 'table:' || place.id AND settlement.generation > 1
        AND settlement.business_date BETWEEN %(first)s AND %(last)s
    JOIN tables_round round ON round.id = substring(settlement.round_key FROM 7)::bigint
    JOIN tables_session session ON session.id = round.session_id
    WHERE session.business_date < settlement.business_date
)
SELECT later.business_date AS date, later.of_date, later.code AS "table", later.round_key AS subject, later.generation,
    CASE WHEN dispute.id IS NOT NULL THEN 'ruling' WHEN line.text::jsonb #>> '{void,clause}' IS NOT NULL THEN 'void'
        ELSE 'correction' END AS kind,
    moved.units, evened.units AS cage, correction.clause, line.at AS made_at, line.by_id AS asked_by,
    line.approved_by_id AS approved_by, later.number, later.table_id, day.id AS day_id
FROM later
JOIN tables_line line ON line.round_id = later.round_id AND line.ordinal = later.line_ordinal
LEFT JOIN tables_intervention correction ON correction.line_id = line.id
LEFT JOIN tables_dispute dispute ON dispute.line_id = line.id
LEFT JOIN tables_gamingday day ON day.date = later.of_date
CROSS JOIN LATERAL (
    SELECT coalesce(sum(
        CASE WHEN debit_id IN (later.float_account_id, later.rake_account_id) THEN units ELSE 0 END
        - CASE WHEN credit_id IN (later.float_account_id, later.rake_account_id) THEN units ELSE 0 END), 0)::bigint AS units
    FROM payouts_transfer WHERE settlement_id = later.id
) moved
CROSS JOIN LATERAL (
    SELECT sum(CASE cage.id WHEN transfer.debit_id THEN transfer.units ELSE -transfer.units END)::bigint AS units
    FROM payouts_movement movement
    JOIN payouts_transfer transfer ON transfer.movement_id = movement.id
    JOIN payouts_account cage ON cage.kind = 'cage' AND cage.id IN (transfer.debit_id, transfer.credit_id)
    WHERE movement.subject = later.round_key AND movement.kind = 'correction'
        -- Made in the same step.
        AND movement.made_in = later.made_in AND movement.begun_at = later.begun_at
) evened
