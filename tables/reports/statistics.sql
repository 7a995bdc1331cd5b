-- What each table dropped, won and was staked at, game by game, on the last day of the period that has come, in its month
-- and in its year until then. A session is of the games of its rounds; its figures are those of the master game report.
WITH upto AS (
    -- Where a day is closed early, the next one has begun by the clock of the house.
    SELECT least(%(last)s::date,
        greatest(gaming_day(now(), %(zone)s, %(starts)s), (SELECT max(date) FROM tables_gamingday))) AS date
), known AS (
    SELECT table_id, business_date, games, nullif(array_to_string(games, ', '), '') AS game, rounds, stakes, "drop", win,
        business_date = upto.date AS of_day,
        business_date >= date_trunc('month', upto.date)::date AS of_month
    FROM upto CROSS JOIN LATERAL figures_between(date_trunc('year', upto.date)::date, upto.date)
), seen AS (
    -- While chips are to be counted blind nobody reads what the rounds won, nor by how much they deviate.
    SELECT table_id, business_date, waits, CASE WHEN NOT waits THEN win_units END AS won,
        CASE WHEN NOT waits THEN expected END AS expected, CASE WHEN NOT waits THEN variance END AS spread,
        CASE WHEN NOT waits THEN highest END AS highest
    FROM upto JOIN tables_luckday luck_day ON business_date BETWEEN date_trunc('year', upto.date)::date AND upto.date
    CROSS JOIN LATERAL (
        SELECT EXISTS (
            SELECT FROM tables_session s WHERE s.table_id = luck_day.table_id
            AND s.business_date = luck_day.business_date AND s.status IN ('OPENING', 'CLOSING')) AS waits
    ) blind
    WHERE rounds > 0 AND table_id IS NOT NULL
), luck AS (
    SELECT table_id, game, bool_or(waits) AS year_waits,
        sum(won) FILTER (WHERE of_day)::bigint AS day_won, sum(expected) FILTER (WHERE of_day) AS day_expected,
        sum(spread) FILTER (WHERE of_day) AS day_spread, max(highest) FILTER (WHERE of_day) AS day_highest,
        sum(won) FILTER (WHERE of_month)::bigint AS month_won, sum(expected) FILTER (WHERE of_month) AS month_expected,
        sum(spread) FILTER (WHERE of_month) AS month_spread, max(highest) FILTER (WHERE of_month) AS month_highest,
        sum(won)::bigint AS year_won, sum(expected) AS year_expected,
        sum(spread) AS year_spread, max(highest) AS year_highest
    FROM (
        -- A table's luck is of its gaming day: of several sessions, it stands with the one that had Split Poker alone.
        SELECT table_id, business_date, max(game COLLATE "C") AS game,
            bool_or(of_day) AS of_day, bool_or(of_month) AS of_month
        FROM known WHERE 'split' = ANY (games) GROUP BY table_id, business_date
    ) of_split JOIN seen USING (table_id, business_date)
    GROUP BY table_id, game
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
    luck.day_won, luck.day_expected, luck.day_spread, luck.day_highest, luck.month_won, luck.month_expected,
    luck.month_spread, luck.month_highest, luck.year_won, luck.year_expected, luck.year_spread, luck.year_highest,
    luck.year_waits,
    known.table_id
FROM known
JOIN tables_table place ON place.id = known.table_id
LEFT JOIN luck ON luck.table_id = known.table_id AND luck.game = known.game
GROUP BY known.table_id, place.code, known.game,
    luck.day_won, luck.day_expected, luck.day_spread, luck.day_highest, luck.month_won, luck.month_expected,
    luck.month_spread, luck.month_highest, luck.year_won, luck.year_expected, luck.year_spread, luck.year_highest,
    luck.year_waits
