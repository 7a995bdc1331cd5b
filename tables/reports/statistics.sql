-- What each table dropped, won and was staked at, game by game, on the last day of the period, in its month and in its
-- year until then. A session is of the games of its rounds; its figures are those of the master game report.
WITH sat AS (
    SELECT session.id, session.table_id, session.business_date, session.status,
        session.business_date = %(last)s AS of_day,
        session.business_date >= date_trunc('month', %(last)s::date)::date AS of_month
    FROM tables_session session
    WHERE session.business_date BETWEEN date_trunc('year', %(last)s::date)::date AND %(last)s
), owned AS (
    SELECT id AS session, 'session:' || id AS subject FROM sat
    UNION ALL SELECT sat.id, 'slip:' || slip.id FROM sat JOIN tables_slip slip ON slip.session_id = sat.id
    UNION ALL SELECT sat.id, 'drop_box:' || box.id FROM sat JOIN tables_dropbox box ON box.session_id = sat.id
), moved AS (
    SELECT owned.session,
        coalesce(sum(transfer.units) FILTER (WHERE transfer.reason = 'drop'), 0) AS dropped,
        coalesce(sum(CASE
            WHEN transfer.reason IN ('closer', 'drop', 'credit') THEN transfer.units
            WHEN transfer.reason IN ('opener', 'fill', 'credit_returned') THEN -transfer.units
        END), 0) AS win
    FROM owned
    JOIN payouts_movement movement ON movement.subject = owned.subject
    JOIN payouts_transfer transfer ON transfer.movement_id = movement.id
    WHERE transfer.reason IN ('opener', 'fill', 'credit', 'credit_returned', 'closer', 'drop')
    GROUP BY owned.session
), waits AS (
    SELECT sat.id AS session, bool_or(box.status <> 'COUNTED') AS drop
    FROM sat JOIN tables_dropbox box ON box.session_id = sat.id GROUP BY sat.id
), played AS (
    SELECT by_sheet.session, sum(by_sheet.rounds) AS rounds,
        string_agg(DISTINCT sheet.game::text COLLATE "C", ', ' ORDER BY sheet.game::text COLLATE "C") AS game
    FROM (
        SELECT sat.id AS session, round.sheet_id, count(*) FILTER (WHERE round.status <> 'VOIDED') AS rounds
        FROM sat JOIN tables_round round ON round.session_id = sat.id GROUP BY sat.id, round.sheet_id
    ) by_sheet
    JOIN tables_rulesheet sheet ON sheet.id = by_sheet.sheet_id
    GROUP BY by_sheet.session
), staked AS (
    SELECT sat.id AS session, sum(payment.staked_units) AS stakes
    FROM sat
    JOIN tables_round round ON round.session_id = sat.id
    JOIN payouts_settlement newest ON newest.id = round.settlement_id
    -- What a later day corrected is that day's.
    LEFT JOIN LATERAL (
        SELECT settlement.id FROM payouts_settlement settlement
        WHERE newest.generation > 1 AND newest.business_date > sat.business_date
            AND settlement.round_key = newest.round_key AND settlement.business_date = sat.business_date
        ORDER BY settlement.generation DESC LIMIT 1
    ) own ON true
    JOIN payouts_payment payment ON payment.settlement_id = coalesce(own.id, newest.id)
    GROUP BY sat.id
), known AS (
    SELECT sat.table_id, sat.of_day, sat.of_month, played.game, coalesce(played.rounds, 0) AS rounds,
        coalesce(staked.stakes, 0) AS stakes,
        CASE WHEN waits.drop IS NOT TRUE THEN coalesce(moved.dropped, 0) END AS drop,
        CASE WHEN waits.drop IS NOT TRUE AND sat.status = 'CLOSED' THEN coalesce(moved.win, 0) END AS win
    FROM sat
    LEFT JOIN moved ON moved.session = sat.id
    LEFT JOIN waits ON waits.session = sat.id
    LEFT JOIN played ON played.session = sat.id
    LEFT JOIN staked ON staked.session = sat.id
)
SELECT %(last)s::date AS date, place.code AS "table", known.game,
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
