-- The calls and alarms that were raised, taken or over in a period, as they stood when it was over: what came later is
-- empty, and stands in the file of its own day. What whoever came said stays in the casino.
WITH bounds AS (
    SELECT %(begins)s::timestamptz AS begins, %(ends)s::timestamptz AS ends
), listed AS (
    SELECT alarm.*, alarm.taken_at < bounds.ends AS taken, alarm.over_at < bounds.ends AS over,
        alarm.kind IN ('opener_variance', 'closer_variance', 'drop_variance', 'large_cash') AS of_money
    FROM bounds JOIN tables_alarm alarm
        ON alarm.raised_at >= bounds.begins AND alarm.raised_at < bounds.ends
        OR alarm.taken_at >= bounds.begins AND alarm.taken_at < bounds.ends
        OR alarm.over_at >= bounds.begins AND alarm.over_at < bounds.ends
)
SELECT ((listed.raised_at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date AS date,
    'alarm:' || listed.id AS alarm, listed.kind, listed.reason, place.code AS "table", listed.box::bigint AS box,
    listed.subject,
    CASE WHEN NOT listed.of_money THEN listed.value END AS value,
    CASE WHEN listed.of_money THEN listed.value END AS units,
    CASE WHEN NOT listed.of_money THEN listed.bound END AS bound,
    CASE WHEN listed.of_money THEN listed.bound END AS bound_units,
    listed.raised_at, listed.raised_by_id AS raised_by,
    CASE WHEN listed.taken THEN listed.taken_at END AS taken_at,
    CASE WHEN listed.taken THEN listed.taken_by_id END AS taken_by,
    CASE WHEN listed.taken THEN round(extract(epoch FROM listed.taken_at - listed.raised_at))::bigint END AS until_taken,
    CASE WHEN listed.over THEN listed.over_at END AS over_at,
    CASE WHEN listed.over THEN round(extract(epoch FROM listed.over_at - listed.raised_at))::bigint END AS until_over,
    listed.id AS alarm_id, listed.table_id
FROM listed
LEFT JOIN tables_table place ON place.id = listed.table_id
