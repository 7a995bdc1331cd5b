-- How fast each table was played in each hour of the casino's clock, and how many boxes: a session from its opening to
-- the last count, a round in the hour in which it was played.
WITH sat AS (
    SELECT id, table_id, business_date, opened_at, coalesce(closed_at, now()) AS closed_at
    FROM tables_session
    WHERE business_date BETWEEN %(first)s AND %(last)s AND opened_at IS NOT NULL
), hours AS (
    SELECT sat.table_id, sat.business_date, hour,
        extract(epoch FROM least(sat.closed_at, hour + interval '1 hour') - greatest(sat.opened_at, hour)) AS seconds
    FROM sat, generate_series(date_trunc('hour', sat.opened_at, %(zone)s), sat.closed_at, interval '1 hour') hour
    WHERE hour < sat.closed_at
), open AS (
    SELECT table_id, business_date, hour, sum(seconds) AS seconds FROM hours GROUP BY table_id, business_date, hour
), played AS (
    SELECT session.table_id, session.business_date,
        date_trunc('hour', coalesce(round.happened_at, round.opened_at), %(zone)s) AS hour,
        string_agg(DISTINCT sheet.game::text COLLATE "C", ', ' ORDER BY sheet.game::text COLLATE "C") AS game,
        count(*) FILTER (WHERE round.status IN ('CLOSED', 'SETTLED')) AS rounds,
        count(*) FILTER (WHERE round.status = 'VOIDED') AS voids,
        count(*) FILTER (WHERE round.status = 'SETTLED') AS settled, sum(boxes.number)::bigint AS boxes
    FROM tables_session session
    JOIN tables_round round ON round.session_id = session.id
    JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
    LEFT JOIN payouts_settlement settlement ON settlement.key = 'round:' || round.id || ':1'
    LEFT JOIN LATERAL (
        SELECT count(*) AS number FROM payouts_payment payment WHERE payment.settlement_id = settlement.id
    ) boxes ON settlement.id IS NOT NULL
    WHERE session.business_date BETWEEN %(first)s AND %(last)s
    GROUP BY session.table_id, session.business_date, hour
)
SELECT business_date AS date, place.code AS "table", hour, played.game,
    round(coalesce(open.seconds, 0) / 60)::bigint AS minutes,
    coalesce(played.rounds, 0) AS rounds, coalesce(played.voids, 0) AS voids,
    CASE WHEN open.seconds > 0 THEN round(coalesce(played.rounds, 0) * 36000 / open.seconds)::bigint END AS pace,
    played.boxes,
    CASE WHEN played.settled > 0 THEN round(played.boxes * 10 / played.settled::numeric)::bigint END AS boxes_a_round,
    table_id, day.id AS day_id
FROM open
FULL JOIN played USING (table_id, business_date, hour)
JOIN tables_table place ON place.id = table_id
JOIN tables_gamingday day ON day.date = business_date
