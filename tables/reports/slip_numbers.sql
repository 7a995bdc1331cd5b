-- The numbers of slips by which no chips came where they were asked for. A number is taken when the slip is asked for, so
-- one that nobody used is one that was voided; one that is missing is named with the next number that there is.
WITH numbered AS (
    SELECT slip.*, session.business_date, place.code,
        upper(CASE slip.kind WHEN 'change' THEN 'x' ELSE left(slip.kind, 1) END) || '-' || slip.year || '-' AS letters
    FROM tables_session session
    JOIN tables_slip slip ON slip.session_id = session.id
    JOIN tables_table place ON place.id = slip.table_id
    WHERE session.business_date BETWEEN %(first)s AND %(last)s
), listed AS (
    SELECT business_date, letters, number, kind, code, status, units, voided_at, voided_by_id, approved_by_id, id, table_id
    FROM numbered WHERE status IN ('VOIDED', 'RETURNED')
    UNION ALL
    SELECT business_date, letters, missing, kind, NULL, 'MISSING', NULL, NULL, NULL, NULL, NULL, NULL
    FROM numbered, LATERAL (
        SELECT coalesce(max(earlier.number), 0) AS number FROM tables_slip earlier
        WHERE earlier.kind = numbered.kind AND earlier.year = numbered.year AND earlier.number < numbered.number
    ) before, generate_series(before.number + 1, numbered.number - 1) missing
)
SELECT business_date AS date, letters || lpad(number::text, greatest(6, length(number::text)), '0') AS slip, kind,
    code AS "table", status, units, voided_at, voided_by_id AS voided_by, approved_by_id AS approved_by,
    id AS slip_id, table_id
FROM listed
