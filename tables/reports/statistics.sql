-- What each table dropped, won and was staked at, game by game, on the last day of the period that has come, in its month
-- and in its year until then. A session is of the games of its rounds; its figures are those of the master game report.
WITH upto AS (
    -- Where a day is closed early, the next one has begun by the clock of the house.
    SELECT least(%(last)s::date,
        greatest(gaming_day(now(), %(zone)s, %(starts)s), (SELECT max(date) FROM tables_gamingday))) AS date
), known AS (
    SELECT table_id, nullif(array_to_string(games, ', '), '') AS game, rounds, stakes, "drop", win,
        business_date = upto.date AS of_day,
        business_date >= date_trunc('month', upto.date)::date AS of_month
    FROM upto CROSS JOIN LATERAL figures_between(date_trunc('year', upto.date)::date, upto.date)
)
SELECT (SELECT date FROM upto) AS date, place.code AS "table", known.game,
    -- Where a figure of one session is missing, that of the table is.
    CASE WHEN count(drop) FILTER (WHERE of_day) = count(*) FILTER (WHERE of_day)
        THEN coalesce(sum(drop) FILTER (WHERE of_day), 0)::bigint END AS day_drop,
    CASE WHEN count(win) FILTER (WHERE of_day) = count(*) FILTER (WHERE of_day)
        THEN coalesce(sum(win) FILTER (WHERE of_day), 0)::bigint END AS day_win,
    coalesce(sum(rounds) FILTER (WHERE of_day), 0)::bigint AS day_rounds,
    coalesce(sum(stakes) FILTER (WHERE of_day), 0)::bigint AS day_stakes,
    CASE WHEN count(drop) FILTER (WHERE of_month) = count(*) FILTER (WHERE of_month)
        THEN coalesce(sum(drop) FILTER (WHERE of_month), 0)::bigint END AS month_drop,
    CASE WHEN count(win) FILTER (WHERE of_month) = count(*) FILTER (WHERE of_month)
        THEN coalesce(sum(win) FILTER (WHERE of_month), 0)::bigint END AS month_win,
    coalesce(sum(rounds) FILTER (WHERE of_month), 0)::bigint AS month_rounds,
    coalesce(sum(stakes) FILTER (WHERE of_month), 0)::bigint AS month_stakes,
    CASE WHEN count(drop) = count(*) THEN sum(drop)::bigint END AS year_drop,
    CASE WHEN count(win) = count(*) THEN sum(win)::bigint END AS year_win,
    sum(rounds)::bigint AS year_rounds,
    sum(stakes)::bigint AS year_stakes,
    known.table_id
FROM known
JOIN tables_table place ON place.id = known.table_id
GROUP BY known.table_id, place.code, known.game
