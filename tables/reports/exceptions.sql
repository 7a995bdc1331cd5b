-- What was voided, corrected, ruled on or overridden, and what rules and settings became, as the log has it: by the
-- casino's clock, since a day's log ends with the day. The reasons are not in the log, only their hashes.
WITH said AS (
    SELECT entry.id, entry.chain_id, entry.seq, entry.event, entry.subject, entry.at::timestamptz AS at, entry.by,
        CASE WHEN entry.body IS JSON OBJECT THEN entry.body::jsonb -> 'facts' END AS facts,
        CASE WHEN entry.body IS JSON OBJECT THEN entry.body::jsonb ->> 'terminal' END AS terminal
    FROM audit_entry entry
    WHERE entry.at >= %(begins)s AND entry.at < %(ends)s AND (
        entry.event IN (
            'round.released', 'round.voided', 'round.corrected', 'payment.left', 'dispute.ruled', 'series.closed',
            'slip.voided', 'slip.returned', 'session.resumed', 'sheet.published', 'table.sheet_set',
            'table.sheet_withdrawn', 'setting.changed', 'count.agreed'
        )
        -- An action that was taken back or amended, signed by a second person.
        OR entry.event = 'round.acted' AND strpos(entry.body, '"approver":"staff:') > 0
    )
), people AS (
    SELECT said.*,
        coalesce(facts ->> 'requester', facts #>> '{signers,0}', facts ->> 'author', by) AS asked,
        coalesce(facts ->> 'approver', facts #>> '{signers,1}', facts ->> 'signer') AS approved
    FROM said
    -- A series ends by its rounds, and two counts agree: those are no exceptions.
    WHERE (event <> 'series.closed' OR facts ? 'approver') AND (event <> 'count.agreed' OR facts ? 'reason')
)
SELECT ((people.at AT TIME ZONE %(zone)s) - %(starts)s::time::interval)::date AS date, people.at AS made_at,
    people.event AS what, place.code AS "table", people.subject,
    coalesce(facts ->> 'what', facts ->> 'ruling', facts ->> 'part',
        CASE people.event WHEN 'round.acted' THEN facts ->> 'kind' END, left(facts ->> 'sheet', 8)) AS detail,
    facts ->> 'clause' AS clause,
    substring(people.asked FROM '^staff:([0-9]{1,18})$')::bigint AS asked_by,
    substring(people.approved FROM '^staff:([0-9]{1,18})$')::bigint AS approved_by,
    people.terminal, facts ->> 'before' AS before, facts ->> 'after' AS after,
    CASE WHEN facts ->> 'from' ~ '^[0-9]{4}-[0-9-]{5}T[0-9:.]+Z$' THEN (facts ->> 'from')::timestamptz END AS from_at,
    people.chain_id || '/' || people.seq AS entry,
    people.chain_id AS chain, people.seq, people.id AS entry_id, place.id AS table_id
FROM people
LEFT JOIN tables_table place ON 'table:' || place.id = people.chain_id
