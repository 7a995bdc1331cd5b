-- Each drop box of a gaming day: who mounted it, took it off and counted it, and what was in it.
SELECT box.business_date AS date, place.code AS "table", box.number AS box, box.status, box.seal, box.removed_seal,
    box.mounted_at, box.mounted_by_id AS mounted_by, box.mounted_with_id AS mounted_with,
    box.removed_at, box.removed_by_id AS removed_by, box.removed_with_id AS removed_with,
    box.counted_at, box.counted_by_id AS counted_by, box.counted_with_id AS counted_with,
    box.recorded_units AS recorded, box.cash_units AS counted, box.cash_units - box.recorded_units AS variance,
    'session:' || box.session_id AS session, box.id AS drop_box_id, box.table_id
FROM tables_dropbox box
JOIN tables_table place ON place.id = box.table_id
WHERE box.business_date BETWEEN %(first)s AND %(last)s
