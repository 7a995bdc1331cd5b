-- Each fill, credit and change that was asked for on a gaming day, with its people. How often it was printed changes
-- later, and is left out.
SELECT session.business_date AS date, slip.kind, place.code AS "table", slip.status, slip.units,
    upper(CASE slip.kind WHEN 'change' THEN 'x' ELSE left(slip.kind, 1) END) || '-' || slip.year || '-'
        || lpad(slip.number::text, greatest(6, length(slip.number::text)), '0') AS slip,
    CASE WHEN slip.kind = 'fill' AND slip.status = 'RECEIVED' THEN slip.units END AS fill,
    CASE WHEN slip.kind = 'credit' AND slip.status = 'RECEIVED' THEN slip.units END AS credit,
    slip.requested_at, slip.requested_by_id AS requested_by,
    slip.issued_at, slip.issued_by_id AS issued_by, slip.carried_by_id AS carried_by,
    slip.received_at, slip.received_by_id AS received_by, slip.received_with_id AS received_with,
    slip.voided_at, slip.voided_by_id AS voided_by, slip.approved_by_id AS approved_by,
    slip.id AS slip_id, slip.table_id
FROM tables_session session
JOIN tables_slip slip ON slip.session_id = session.id
JOIN tables_table place ON place.id = slip.table_id
WHERE session.business_date BETWEEN %(first)s AND %(last)s
