-- The boxes whose buy-ins of a gaming day come to what the house reports, or more: an amount and a place, never who. The
-- limit is the one that counted at the last of them. The default stands here too: that of a later version counts for
-- none of the days before it.
WITH boxes AS (
    SELECT session.business_date, session.table_id, buyin.box, count(*) AS buy_ins, sum(buyin.units)::bigint AS units,
        max(buyin.units) AS largest, min(movement.begun_at) AS first_at, max(movement.begun_at) AS last_at,
        count(buyin.approved_by_id) AS signed,
        string_agg(DISTINCT box.number::text COLLATE "C", ', ' ORDER BY box.number::text COLLATE "C") AS drop_boxes
    FROM tables_session session
    JOIN tables_buyin buyin ON buyin.session_id = session.id
    JOIN payouts_movement movement ON movement.id = buyin.movement_id
    JOIN tables_dropbox box ON box.id = buyin.drop_box_id
    WHERE session.business_date BETWEEN %(first)s AND %(last)s
    GROUP BY session.business_date, session.table_id, buyin.box
), bounded AS (
    SELECT boxes.*, coalesce((
        SELECT (setting.value #>> '{}')::bigint FROM casino_setting setting
        WHERE setting.name = 'large_cash_units' AND setting.withdrawn_at IS NULL AND setting.from_at <= boxes.last_at
        ORDER BY setting.from_at DESC LIMIT 1
    ), 1000000) AS bound
    FROM boxes
)
SELECT business_date AS date, place.code AS "table", bounded.box::bigint AS box, bounded.units, bounded.bound,
    bounded.buy_ins, bounded.largest, bounded.signed, bounded.drop_boxes, bounded.first_at, bounded.last_at,
    bounded.table_id, day.id AS day_id
FROM bounded
JOIN tables_table place ON place.id = bounded.table_id
JOIN tables_gamingday day ON day.date = bounded.business_date
WHERE bounded.units >= bounded.bound
