-- Who might do what in the period: a row for each posting that stood in it, and one for whoever worked here without any.
-- Whether somebody has left since, the log says; what stands in rows with their moments is as of the period's end.
WITH told AS (
    SELECT staff.id,
        (SELECT entry.event FROM audit_entry entry
            WHERE entry.subject = 'staff:' || staff.id AND entry.event IN ('staff.left', 'staff.returned')
                AND entry.at < %(ends)s::text ORDER BY entry.at DESC, entry.id DESC LIMIT 1) AS went,
        (SELECT string_agg(DISTINCT entry.event::text COLLATE "C", ', ' ORDER BY entry.event::text COLLATE "C")
            FROM audit_entry entry
            WHERE (entry.subject = 'staff:' || staff.id AND (
                    entry.event IN ('staff.added', 'staff.posted', 'staff.posting_ended', 'staff.left', 'staff.returned',
                        'staff.code_given', 'staff.password_changed', 'staff.unlocked', 'recovery_codes.made',
                        'recovery_codes.ended', 'recovery_code.used'))
                OR entry.subject IN (SELECT 'credential:' || id FROM tables_credential WHERE staff_id = staff.id)
                    AND entry.event IN ('credential.added', 'credential.removed'))
                AND entry.at >= %(begins)s::text AND entry.at < %(ends)s::text) AS changes,
        (SELECT count(*) FROM audit_entry entry
            WHERE entry.subject = 'staff:' || staff.id AND entry.event = 'staff.locked'
                AND entry.at >= %(begins)s::text AND entry.at < %(ends)s::text) AS lock_outs,
        (SELECT count(*) FILTER (WHERE kind = 'passkey') FROM tables_credential
            WHERE staff_id = staff.id AND added_at < %(ends)s::text::timestamptz
                AND (ended_at IS NULL OR ended_at >= %(ends)s::text::timestamptz)) AS passkeys,
        (SELECT count(*) FILTER (WHERE kind = 'app') FROM tables_credential
            WHERE staff_id = staff.id AND added_at < %(ends)s::text::timestamptz
                AND (ended_at IS NULL OR ended_at >= %(ends)s::text::timestamptz)) AS apps,
        staff.last_login AS logged_in_at
    FROM casino_staff staff
    WHERE staff.added_at < %(ends)s::text::timestamptz
), stood AS (
    SELECT posting.*, posting.ended_at < %(ends)s::text::timestamptz AS over
    FROM tables_posting posting
    WHERE posting.posted_at < %(ends)s::text::timestamptz
        AND (posting.ended_at IS NULL OR posting.ended_at >= %(begins)s::text::timestamptz)
)
SELECT told.id AS person, CASE told.went WHEN 'staff.left' THEN 'left' ELSE 'working' END AS state,
    stood.role, pit.code AS pit, stood.posted_at, stood.posted_by_id AS posted_by, stood.posted_with_id AS posted_with,
    CASE WHEN stood.over THEN stood.ended_at END AS ended_at,
    CASE WHEN stood.over THEN stood.ended_by_id END AS ended_by,
    CASE WHEN stood.over THEN stood.ended_with_id END AS ended_with,
    told.passkeys, told.apps, told.lock_outs, told.changes, told.logged_in_at,
    told.id AS staff_id, stood.id AS posting_id
FROM told
LEFT JOIN stood ON stood.staff_id = told.id
LEFT JOIN tables_pit pit ON pit.id = stood.pit_id
WHERE told.went IS DISTINCT FROM 'staff.left' OR stood.id IS NOT NULL OR told.changes IS NOT NULL
