-- Cases that were open in the period, as they stood at its end: whose a case was then, and until when, the log says.
WITH known AS (
    SELECT each.*, each.decided_at < %(ends)s::text::timestamptz AS decided
    FROM tables_case each
    WHERE each.kind IN ('investigation', 'variance', 'drop_variance', 'void')
        AND each.opened_at < %(ends)s::text::timestamptz
        AND (each.decided_at IS NULL OR each.decided_at >= %(begins)s::text::timestamptz)
), said AS (
    SELECT known.id, (array_agg(facts ->> 'owner' ORDER BY entry.at DESC, entry.id DESC)
            FILTER (WHERE facts ? 'owner'))[1] AS owner,
        (array_agg(facts ->> 'due' ORDER BY entry.at DESC, entry.id DESC) FILTER (WHERE facts ? 'due'))[1] AS due
    FROM known
    JOIN audit_entry entry ON entry.subject = 'case:' || known.id
        AND (entry.event = 'case.opened' OR entry.event = 'case.moved' AND entry.at < %(ends)s::text)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN entry.body IS JSON OBJECT THEN entry.body::jsonb -> 'facts' END AS facts
    ) body
    GROUP BY known.id
), dated AS (
    SELECT known.*, substring(said.owner FROM '^staff:([0-9]{1,18})$')::bigint AS owned_by,
        CASE WHEN said.due ~ '^[0-9]{4}-[0-9-]{5}T[0-9:.]+Z$' THEN said.due::timestamptz END AS due
    FROM known LEFT JOIN said ON said.id = known.id
)
SELECT ((dated.opened_at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date AS date,
    CASE dated.kind WHEN 'variance' THEN 'V' WHEN 'drop_variance' THEN 'DV' WHEN 'void' THEN 'VO' ELSE 'I' END
        || '-' || dated.year || '-' || lpad(dated.number::text, greatest(6, length(dated.number::text)), '0') AS "case",
    dated.kind, place.code AS "table", dated.subject, dated.units, dated.owned_by, dated.opened_at, dated.due AS due_at,
    CASE WHEN dated.decided THEN 'DECIDED' ELSE 'OPEN' END AS status,
    CASE WHEN CASE WHEN dated.decided THEN dated.decided_at ELSE least(%(ends)s::text::timestamptz, now()) END > dated.due
        THEN 'late' END AS late,
    CASE WHEN dated.decided THEN dated.outcome END AS outcome,
    CASE WHEN dated.decided THEN dated.decided_at END AS decided_at,
    CASE WHEN dated.decided THEN dated.decided_by_id END AS decided_by,
    CASE WHEN dated.decided THEN dated.approved_by_id END AS approved_by,
    dated.id AS case_id, dated.table_id
FROM dated
JOIN tables_table place ON place.id = dated.table_id
