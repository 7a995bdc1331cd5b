-- What each of two people counted, chip by chip, of what was opened, closed, brought or taken off on a gaming day. Until
-- the second has counted, the first count is nobody's to read.
WITH counted AS (
    SELECT session.business_date AS date, 'session:' || session.id AS of, session.table_id
    FROM tables_session session WHERE session.business_date BETWEEN %(first)s AND %(last)s
    UNION ALL
    SELECT session.business_date, 'slip:' || slip.id, session.table_id
    FROM tables_session session JOIN tables_slip slip ON slip.session_id = session.id
    WHERE session.business_date BETWEEN %(first)s AND %(last)s
    UNION ALL
    SELECT business_date, 'drop_box:' || id, table_id FROM tables_dropbox
    WHERE business_date BETWEEN %(first)s AND %(last)s
    UNION ALL
    SELECT business_date, 'cage_shift:' || id, NULL FROM tables_cageshift
    WHERE business_date BETWEEN %(first)s AND %(last)s
    UNION ALL
    SELECT date, 'tips:' || to_char(date, 'YYYY-MM-DD'), NULL FROM tables_gamingday
    WHERE date BETWEEN %(first)s AND %(last)s
)
SELECT counted.date, count.of, place.code AS "table", count.part, count.attempt, count.place,
    count.at AS counted_at, count.by_id AS counted_by,
    chip.value::bigint AS value, chip.number::bigint AS number,
    coalesce(chip.value::bigint * chip.number::bigint, 0) AS units, count.units AS sheet,
    counted.table_id
FROM counted
JOIN tables_count count ON count.of = counted.of
LEFT JOIN LATERAL jsonb_each_text(count.denominations) chip(value, number) ON true
LEFT JOIN tables_table place ON place.id = counted.table_id
WHERE EXISTS (
    SELECT 1 FROM tables_count other
    WHERE other.of = count.of AND other.part = count.part AND other.attempt = count.attempt AND other.place = 2
)
