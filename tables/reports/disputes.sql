-- The disputes that were raised, ruled on or closed in a period, as they stood when it was over: what came later is
-- empty. So a file of days that are over does not change, and a ruling stands in the file of its own day.
WITH bounds AS (
    SELECT %(begins)s::timestamptz AS begins, %(ends)s::timestamptz AS ends
), listed AS (
    SELECT dispute.*, bounds.ends, dispute.ruled_at < bounds.ends AS ruled, dispute.closed_at < bounds.ends AS closed
    FROM bounds JOIN tables_dispute dispute
        ON dispute.raised_at >= bounds.begins AND dispute.raised_at < bounds.ends
        OR dispute.ruled_at >= bounds.begins AND dispute.ruled_at < bounds.ends
        OR dispute.closed_at >= bounds.begins AND dispute.closed_at < bounds.ends
), dated AS (
    SELECT listed.*, "case".id AS case_id,
        'D-' || "case".year || '-' || lpad("case".number::text, greatest(6, length("case".number::text)), '0') AS number,
        -- More time is given by a step of its own, which the log has: the case itself has its newest time alone.
        (SELECT (entry.body::jsonb #>> '{facts,due}')::timestamptz FROM audit_entry entry
            WHERE entry.subject = 'case:' || "case".id AND entry.event IN ('case.opened', 'case.moved')
                AND (entry.event = 'case.opened' OR entry.at::timestamptz < listed.ends)
                AND entry.body IS JSON OBJECT
                AND entry.body::jsonb #>> '{facts,due}' ~ '^[0-9]{4}-[0-9-]{5}T[0-9:.]+Z$'
            ORDER BY entry.at DESC, entry.id DESC LIMIT 1) AS due_at
    FROM listed LEFT JOIN tables_case "case" ON "case".kind = 'dispute' AND "case".subject = 'dispute:' || listed.id
), changed AS (
    -- What the line of a ruling gave each box beyond the settlement before it.
    SELECT dated.id, sum(greatest(payment.net_units - coalesce(before.net_units, 0), 0))::bigint AS paid,
        sum(greatest(coalesce(before.net_units, 0) - payment.net_units, 0))::bigint AS collected
    FROM dated
    JOIN tables_line line ON line.id = dated.line_id
    JOIN payouts_settlement settlement
        ON settlement.round_key = 'round:' || dated.round_id AND settlement.line_ordinal = line.ordinal
    JOIN payouts_payment payment ON payment.settlement_id = settlement.id
    LEFT JOIN payouts_settlement earlier
        ON earlier.round_key = settlement.round_key AND earlier.generation = settlement.generation - 1
    LEFT JOIN payouts_payment before ON before.settlement_id = earlier.id AND before.box = payment.box
    WHERE settlement.generation > 1
    GROUP BY dated.id
)
SELECT ((dated.raised_at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date AS date,
    'dispute:' || dated.id AS dispute, dated.number, place.code AS "table",
    place.code || '-' || lpad(round.number::text, greatest(5, length(round.number::text)), '0') AS round,
    array_to_string(dated.boxes, ', ') AS boxes, dated.about,
    CASE WHEN dated.closed THEN 'CLOSED' WHEN dated.ruled THEN 'RULED' ELSE 'OPEN' END AS status,
    dated.raised_at, dated.raised_by_id AS raised_by, dated.due_at,
    CASE WHEN dated.due_at IS NOT NULL THEN
        CASE WHEN dated.due_at < CASE WHEN dated.ruled THEN dated.ruled_at ELSE least(dated.ends, now()) END THEN 'late'
            ELSE 'in time' END
    END AS late,
    CASE WHEN dated.ruled THEN dated.ruling END AS ruling,
    CASE WHEN dated.ruled THEN dated.clause END AS clause,
    CASE WHEN dated.ruled THEN dated.ruled_at END AS ruled_at,
    CASE WHEN dated.ruled THEN dated.ruled_by_id END AS ruled_by,
    CASE WHEN dated.ruled THEN dated.approved_by_id END AS approved_by,
    CASE WHEN dated.ruled THEN changed.paid END AS paid,
    CASE WHEN dated.ruled THEN changed.collected END AS collected,
    CASE WHEN dated.closed THEN dated.closed_at END AS closed_at,
    dated.status AS now, dated.id AS dispute_id, dated.round_id, round.table_id
FROM dated
JOIN tables_round round ON round.id = dated.round_id
JOIN tables_table place ON place.id = round.table_id
LEFT JOIN changed ON changed.id = dated.id
