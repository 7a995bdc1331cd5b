-- Where the house's chips were in the books at the end of each gaming day that is closed, and so how many were in patrons'
-- hands (payouts/circulation.py). Of an open day nothing is told, since the cage is counted blind.
WITH days AS (
    SELECT id, date, status = 'CLOSED' AS closed FROM tables_gamingday WHERE date BETWEEN %(first)s AND %(last)s
), places AS (
    -- No settlement touches these, but for rakes from before tables had rake slots.
    SELECT id, kind FROM payouts_account WHERE owner = 'house' AND kind IN ('cage', 'transit', 'rake', 'issued', 'cash')
), moved AS (
    -- Account by account, so that the others are not read.
    SELECT places.kind, each.date, each.units AS came, 0 AS went
    FROM places CROSS JOIN LATERAL (
        SELECT greatest(business_date, %(first)s::date - 1) AS date, sum(units) AS units FROM payouts_transfer
        WHERE debit_id = places.id AND business_date <= %(last)s GROUP BY 1 OFFSET 0
    ) each
    UNION ALL
    SELECT places.kind, each.date, 0, each.units
    FROM places CROSS JOIN LATERAL (
        SELECT greatest(business_date, %(first)s::date - 1) AS date, sum(units) AS units FROM payouts_transfer
        WHERE credit_id = places.id AND business_date <= %(last)s GROUP BY 1 OFFSET 0
    ) each
), sat AS (
    SELECT id, table_id, business_date FROM tables_session WHERE business_date BETWEEN %(first)s AND %(last)s
    UNION ALL
    SELECT before.* FROM tables_table place CROSS JOIN LATERAL (
        SELECT id, table_id, business_date FROM tables_session
        WHERE table_id = place.id AND business_date < %(first)s ORDER BY business_date DESC, id DESC LIMIT 1
    ) before
), held AS (
    -- What a table holds is what its last session was closed with: no rounds are played in between, and what a correction
    -- brings then the cage takes.
    SELECT CASE snapshot.account_id WHEN place.float_account_id THEN 'float' ELSE 'rake' END AS kind,
        greatest(sat.business_date, %(first)s::date - 1) AS date,
        snapshot.units - coalesce(lag(snapshot.units) OVER (
            PARTITION BY snapshot.account_id ORDER BY sat.business_date, sat.id), 0) AS came, 0 AS went
    FROM sat
    JOIN tables_table place ON place.id = sat.table_id
    JOIN payouts_snapshot snapshot ON snapshot.account_id IN (place.float_account_id, place.rake_account_id)
        AND snapshot.subject = 'session:' || sat.id
), sums AS (
    SELECT days.id AS day_id, days.date, days.closed,
        sum(each.went - each.came) FILTER (WHERE each.kind = 'issued') AS issued,
        coalesce(sum(each.came - each.went) FILTER (WHERE each.kind = 'cage'), 0) AS cage,
        coalesce(sum(each.came - each.went) FILTER (WHERE each.kind = 'float'), 0) AS floats,
        coalesce(sum(each.came - each.went) FILTER (WHERE each.kind = 'transit'), 0) AS transit,
        coalesce(sum(each.came - each.went) FILTER (WHERE each.kind = 'rake'), 0) AS rake,
        coalesce(sum(each.went) FILTER (WHERE each.kind = 'issued' AND each.date = days.date), 0) AS brought,
        coalesce(sum(each.came) FILTER (WHERE each.kind = 'issued' AND each.date = days.date), 0) AS withdrawn,
        coalesce(sum(each.came) FILTER (WHERE each.kind = 'cash' AND each.date = days.date), 0) AS sold,
        coalesce(sum(each.went) FILTER (WHERE each.kind = 'cash' AND each.date = days.date), 0) AS cashed
    FROM days LEFT JOIN (SELECT * FROM moved UNION ALL SELECT * FROM held) each ON each.date <= days.date
    GROUP BY days.id, days.date, days.closed
)
SELECT date,
    CASE WHEN closed THEN issued::bigint END AS issued,
    CASE WHEN closed THEN cage::bigint END AS cage,
    CASE WHEN closed THEN floats::bigint END AS floats,
    CASE WHEN closed THEN transit::bigint END AS transit,
    CASE WHEN closed THEN rake::bigint END AS rake,
    CASE WHEN closed THEN (issued - cage - floats - transit - rake)::bigint END AS circulation,
    CASE WHEN closed THEN brought::bigint END AS brought,
    CASE WHEN closed THEN withdrawn::bigint END AS withdrawn,
    CASE WHEN closed THEN sold::bigint END AS sold,
    CASE WHEN closed THEN cashed::bigint END AS cashed,
    day_id
FROM sums
