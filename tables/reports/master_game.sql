-- What each table came to on each gaming day, from the chips that moved in its sessions: what `figures.of_day` says. A
-- figure in which something is not counted yet is null, never 0.
WITH sat AS (
    SELECT * FROM figures_between(%(first)s::date, %(last)s::date)
), played AS (
    SELECT table_id, business_date, string_agg(DISTINCT game COLLATE "C", ', ' ORDER BY game COLLATE "C") AS game
    FROM sat, unnest(games) AS game GROUP BY table_id, business_date
), since AS (
    SELECT sat.table_id, sat.business_date,
        sum(CASE WHEN transfer.debit_id IN (place.float_account_id, place.rake_account_id) THEN transfer.units ELSE 0 END
            - CASE WHEN transfer.credit_id IN (place.float_account_id, place.rake_account_id) THEN transfer.units
                ELSE 0 END) AS units
    FROM sat
    JOIN tables_round round ON round.session_id = sat.session_id
    JOIN payouts_settlement newest ON newest.id = round.settlement_id AND newest.generation > 1
    JOIN payouts_settlement later ON later.round_key = newest.round_key AND later.generation > 1
    JOIN tables_table place ON place.id = sat.table_id
    JOIN payouts_transfer transfer ON transfer.settlement_id = later.id
    WHERE later.business_date > sat.business_date
    GROUP BY sat.table_id, sat.business_date
), luck AS (
    -- While chips are to be counted blind nobody reads what the rounds won, nor by how much they deviate.
    SELECT table_id, business_date, waits, CASE WHEN NOT waits THEN win_units END AS won,
        CASE WHEN NOT waits THEN expected END AS expected, CASE WHEN NOT waits THEN variance END AS spread,
        CASE WHEN NOT waits THEN highest END AS highest
    FROM tables_luckday luck_day CROSS JOIN LATERAL (
        SELECT EXISTS (
            SELECT FROM tables_session s WHERE s.table_id = luck_day.table_id
            AND s.business_date = luck_day.business_date AND s.status IN ('OPENING', 'CLOSING')) AS waits
    ) blind
    WHERE rounds > 0 AND table_id IS NOT NULL AND business_date BETWEEN %(first)s::date AND %(last)s::date
)
SELECT sat.business_date AS date, place.code AS "table", played.game, count(*) AS sessions,
    -- Where a figure of one session is missing, that of the table is.
    CASE WHEN count(opener) = count(*) THEN sum(opener)::bigint END AS opener,
    sum(fills)::bigint AS fills,
    sum(credits)::bigint AS credits,
    CASE WHEN count(closer) = count(*) THEN sum(closer)::bigint END AS closer,
    CASE WHEN count("drop") = count(*) THEN sum("drop")::bigint END AS "drop",
    sum(buy_ins)::bigint AS buy_ins,
    CASE WHEN count(win) = count(*) THEN sum(win)::bigint END AS win,
    CASE WHEN count(rake) = count(*) THEN sum(rake)::bigint END AS rake,
    sum(tips)::bigint AS tips,
    CASE WHEN count(variance) = count(*) THEN sum(variance)::bigint END AS variance,
    since.units::bigint AS corrected, luck.won, luck.expected, luck.spread, luck.highest, luck.waits,
    sat.table_id, day.id AS day_id
FROM sat
JOIN tables_table place ON place.id = sat.table_id
JOIN tables_gamingday day ON day.date = sat.business_date
LEFT JOIN played ON played.table_id = sat.table_id AND played.business_date = sat.business_date
LEFT JOIN since ON since.table_id = sat.table_id AND since.business_date = sat.business_date
LEFT JOIN luck ON luck.table_id = sat.table_id AND luck.business_date = sat.business_date
GROUP BY sat.business_date, sat.table_id, place.code, played.game, since.units, luck.won, luck.expected, luck.spread,
    luck.highest, luck.waits, day.id
