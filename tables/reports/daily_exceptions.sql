-- What was outside its limits on a gaming day, or not as it should be: a row each, with the limit that the house had then.
-- Voids, corrections and slips that brought no chips are numbers here, a row for each table: who did each of them with
-- whose approval, and why it was none of a rule, other reports say. Nothing counts that came when the day was closed.
WITH days AS (
    SELECT date, coalesce(closed_at, 'infinity') AS closed_at FROM tables_gamingday
    WHERE date BETWEEN %(first)s AND %(last)s
), sat AS (
    SELECT session.*, days.closed_at AS until
    FROM tables_session session JOIN days ON days.date = session.business_date
), boxes AS (
    SELECT box.*, days.closed_at AS until FROM tables_dropbox box JOIN days ON days.date = box.business_date
), rounds AS (
    SELECT round.id, round.status, sat.table_id, sat.business_date, sat.until
    FROM sat JOIN tables_round round ON round.session_id = sat.id
), slips AS (
    SELECT slip.*, sat.business_date, coalesce(slip.received_at, slip.voided_at, now()) AS came_at
    FROM sat JOIN tables_slip slip ON slip.session_id = sat.id
), raised AS (
    -- What is about a session is raised when that has begun.
    SELECT * FROM tables_alarm
    WHERE raised_at >= (SELECT min(coalesce(begun_at, opened_at)) FROM sat)
        AND kind IN ('opener_variance', 'closer_variance', 'drop_variance', 'drop_box_seal', 'drop_box_swapped',
            'void_rate', 'correction_rate')
), said AS (
    SELECT entry.id, entry.event, entry.subject, entry.at::timestamptz AS at,
        CASE WHEN entry.body IS JSON OBJECT THEN entry.body::jsonb -> 'facts' END AS facts
    FROM audit_entry entry
    WHERE entry.event IN ('staff.locked', 'login.failed') AND entry.at >= %(begins)s::text AND entry.at < %(ends)s::text
), found AS (
    SELECT sat.business_date AS date, sat.table_id, raised.kind, raised.subject, raised.raised_at AS found_at,
        CASE WHEN raised.kind IN ('opener_variance', 'closer_variance') THEN raised.value END AS units,
        CASE WHEN raised.kind IN ('opener_variance', 'closer_variance') THEN raised.bound END AS bound_units,
        CASE WHEN raised.kind IN ('void_rate', 'correction_rate') THEN raised.value END AS number,
        CASE WHEN raised.kind IN ('void_rate', 'correction_rate') THEN raised.bound END AS bound,
        CASE WHEN raised.kind IN ('void_rate', 'correction_rate') THEN 'percent' END AS measure,
        CASE raised.kind WHEN 'opener_variance' THEN sat.opened_by_id WHEN 'closer_variance' THEN sat.closed_by_id END AS one,
        CASE raised.kind WHEN 'opener_variance' THEN sat.opened_with_id
            WHEN 'closer_variance' THEN sat.closed_with_id END AS other,
        sat.until, raised.id AS source
    FROM raised JOIN sat ON raised.subject = 'session:' || sat.id WHERE raised.raised_at <= sat.until
    UNION ALL
    SELECT boxes.business_date, boxes.table_id, raised.kind, raised.subject, raised.raised_at, raised.value, raised.bound,
        NULL, NULL, NULL,
        CASE raised.kind WHEN 'drop_variance' THEN boxes.counted_by_id WHEN 'drop_box_seal' THEN boxes.removed_by_id
            ELSE boxes.mounted_by_id END,
        CASE raised.kind WHEN 'drop_variance' THEN boxes.counted_with_id WHEN 'drop_box_seal' THEN boxes.removed_with_id
            ELSE boxes.mounted_with_id END,
        boxes.until, raised.id
    FROM raised JOIN boxes ON raised.subject = 'drop_box:' || boxes.id WHERE raised.raised_at <= boxes.until
    UNION ALL
    SELECT shift.business_date, NULL, 'cage_variance', 'cage_shift:' || shift.id, shift.closed_at, shift.variance_units,
        passes.units, NULL, NULL, NULL, shift.closed_by_id, shift.closed_with_id, NULL, shift.id
    FROM tables_cageshift shift CROSS JOIN LATERAL (
        SELECT coalesce((SELECT value #>> '{}' FROM casino_setting
            WHERE name = 'cage_variance_units' AND withdrawn_at IS NULL AND from_at <= shift.closed_at
            ORDER BY from_at DESC LIMIT 1)::bigint, %(cage_variance_units)s) AS units
    ) passes
    WHERE shift.business_date BETWEEN %(first)s AND %(last)s AND abs(shift.variance_units) > passes.units
    UNION ALL
    SELECT tips.date, NULL, 'tips_variance', 'tips:' || to_char(tips.date, 'YYYY-MM-DD'), tips.counted_at,
        tips.counted_units - tips.recorded_units, passes.units, NULL, NULL, NULL, tips.counted_by_id, tips.counted_with_id,
        NULL, tips.id
    FROM tables_tipcount tips CROSS JOIN LATERAL (
        SELECT coalesce((SELECT value #>> '{}' FROM casino_setting
            WHERE name = 'tips_variance_units' AND withdrawn_at IS NULL AND from_at <= tips.counted_at
            ORDER BY from_at DESC LIMIT 1)::bigint, %(tips_variance_units)s) AS units
    ) passes
    WHERE tips.date BETWEEN %(first)s AND %(last)s AND abs(tips.counted_units - tips.recorded_units) > passes.units
    UNION ALL
    SELECT slips.business_date, slips.table_id, 'slip_late', 'slip:' || slips.id, slips.came_at, NULL, NULL,
        floor(extract(epoch FROM slips.came_at - slips.issued_at) / 60)::bigint, passes.minutes, 'minutes',
        slips.issued_by_id, coalesce(slips.received_by_id, slips.voided_by_id), NULL, slips.id
    FROM slips CROSS JOIN LATERAL (
        SELECT coalesce((SELECT value #>> '{}' FROM casino_setting
            WHERE name = 'slip_minutes' AND withdrawn_at IS NULL AND from_at <= slips.came_at
            ORDER BY from_at DESC LIMIT 1)::int, %(slip_minutes)s) AS minutes
    ) passes
    WHERE slips.came_at >= slips.issued_at + make_interval(mins => passes.minutes)
    UNION ALL
    SELECT boxes.business_date, boxes.table_id, 'drop_box_overdue', 'drop_box:' || boxes.id, boxes.counted_at, NULL, NULL,
        floor(extract(epoch FROM coalesce(boxes.counted_at, now()) - boxes.removed_at) / 3600)::bigint, passes.hours,
        'hours', boxes.removed_by_id, boxes.removed_with_id, NULL, boxes.id
    FROM boxes CROSS JOIN LATERAL (
        SELECT coalesce((SELECT value #>> '{}' FROM casino_setting
            WHERE name = 'drop_box_hours' AND withdrawn_at IS NULL AND from_at <= coalesce(boxes.counted_at, now())
            ORDER BY from_at DESC LIMIT 1)::int, %(drop_box_hours)s) AS hours
    ) passes
    WHERE coalesce(boxes.counted_at, now()) >= boxes.removed_at + make_interval(hours => passes.hours)
    UNION ALL
    SELECT rounds.business_date, rounds.table_id, 'round_held', 'round:' || rounds.id, held.at, NULL, NULL, NULL, NULL, NULL,
        held.by_id, held.approved_by_id, NULL, held.id
    FROM rounds JOIN tables_intervention held ON held.round_id = rounds.id
    WHERE held.kind = 'held' AND held.at <= rounds.until
    UNION ALL
    SELECT business_date, table_id, 'voids', 'table:' || table_id, NULL, NULL, NULL, count(*), NULL, 'rounds', NULL, NULL, NULL,
        table_id
    FROM rounds WHERE status = 'VOIDED' GROUP BY business_date, table_id
    UNION ALL
    SELECT rounds.business_date, rounds.table_id, 'corrections', 'table:' || rounds.table_id, NULL, NULL, NULL,
        count(DISTINCT rounds.id), NULL, 'rounds', NULL, NULL, NULL, rounds.table_id
    FROM rounds JOIN tables_intervention corrected ON corrected.round_id = rounds.id
    WHERE corrected.kind = 'corrected' AND corrected.at <= rounds.until
    GROUP BY rounds.business_date, rounds.table_id
    UNION ALL
    SELECT business_date, table_id, 'slips_undone', 'table:' || table_id, NULL, NULL, NULL, count(*), NULL, 'slips', NULL, NULL,
        NULL, table_id
    FROM slips WHERE status IN ('VOIDED', 'RETURNED') GROUP BY business_date, table_id
    UNION ALL
    SELECT ((at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date, NULL, 'lock_out', subject, at, NULL, NULL, NULL,
        NULL, NULL, substring(subject FROM '^staff:([0-9]{1,18})$')::bigint, NULL, NULL, id
    FROM said WHERE event = 'staff.locked'
    UNION ALL
    -- An entry tells of each minute: many of them are one matter.
    SELECT ((at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date AS date, NULL, 'logins_failed', 'logins', max(at),
        NULL, NULL, sum(CASE WHEN facts ->> 'number' ~ '^[0-9]{1,18}$' THEN (facts ->> 'number')::bigint END)::bigint, NULL,
        'logins', NULL, NULL, NULL, 0
    FROM said WHERE event = 'login.failed' GROUP BY 1
    UNION ALL
    SELECT ((named_at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date, NULL, 'finding', subject, named_at, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, id
    FROM audit_finding
    WHERE named_at >= %(begins)s::text::timestamptz AND named_at < %(ends)s::text::timestamptz
)
SELECT found.date, place.code AS "table", found.kind, found.subject, found.found_at, found.units, found.bound_units,
    found.number, found.bound, found.measure, found.one, found.other,
    CASE opened.kind WHEN 'variance' THEN 'V' WHEN 'drop_variance' THEN 'DV' END || '-' || opened.year || '-'
        || lpad(opened.number::text, greatest(6, length(opened.number::text)), '0') AS "case",
    opened.id AS case_id, found.table_id, found.source, day.id AS day_id
FROM found
LEFT JOIN tables_table place ON place.id = found.table_id
LEFT JOIN tables_gamingday day ON day.date = found.date
LEFT JOIN tables_case opened ON opened.subject = found.subject AND opened.opened_at <= found.until
    AND opened.kind = CASE found.kind WHEN 'closer_variance' THEN 'variance' WHEN 'drop_variance' THEN 'drop_variance' END
