-- What each table came to on each gaming day, from the chips that moved in its sessions: what `figures.of_day` says. A
-- figure in which something is not counted yet is null, never 0.
WITH sat AS (
    SELECT id, table_id, business_date, status, closed_at
    FROM tables_session WHERE business_date BETWEEN %(first)s AND %(last)s
), owned AS (
    SELECT id AS session, 'session:' || id AS subject FROM sat
    UNION ALL SELECT sat.id, 'slip:' || slip.id FROM sat JOIN tables_slip slip ON slip.session_id = sat.id
    UNION ALL SELECT sat.id, 'drop_box:' || box.id FROM sat JOIN tables_dropbox box ON box.session_id = sat.id
    -- What a round that was entered from paper later explains of a variance.
    UNION ALL SELECT sat.id, 'round:' || late.id FROM sat JOIN tables_round late ON late.session_id = sat.id
    WHERE late.opened_at > sat.closed_at
), moved AS (
    SELECT owned.session, transfer.reason, transfer.units, debit.kind AS debit, credit.kind AS credit
    FROM owned
    JOIN payouts_movement movement ON movement.subject = owned.subject
    JOIN payouts_transfer transfer ON transfer.movement_id = movement.id
    JOIN payouts_account debit ON debit.id = transfer.debit_id
    JOIN payouts_account credit ON credit.id = transfer.credit_id
), sums AS (
    SELECT session,
        sum(units) FILTER (WHERE reason = 'opener' AND plain) AS opener,
        sum(units) FILTER (WHERE reason = 'fill' AND plain) AS fills,
        sum(CASE reason WHEN 'credit' THEN units ELSE -units END)
            FILTER (WHERE reason IN ('credit', 'credit_returned') AND plain) AS credits,
        sum(units) FILTER (WHERE reason = 'closer' AND plain) AS closer,
        sum(units) FILTER (WHERE reason = 'drop' AND plain) AS dropped,
        sum(units) FILTER (WHERE reason = 'buy_in' AND plain) AS buy_ins,
        sum(units) FILTER (WHERE reason = 'rake' AND plain) AS rake,
        sum(units) FILTER (WHERE reason = 'tip' AND plain) AS tips,
        sum(CASE WHEN credit = 'variance' THEN units ELSE -units END)
            FILTER (WHERE credit = 'variance' AND debit IN ('float', 'drop_box')
                OR debit = 'variance' AND credit IN ('float', 'drop_box')) AS variance
    FROM (SELECT *, debit <> 'variance' AND credit <> 'variance' AS plain FROM moved) each
    GROUP BY session
), waits AS (
    SELECT sat.id AS session, bool_or(box.status <> 'COUNTED') AS drop
    FROM sat JOIN tables_dropbox box ON box.session_id = sat.id GROUP BY sat.id
), known AS (
    SELECT sat.*,
        CASE WHEN sat.status <> 'OPENING' THEN coalesce(sums.opener, 0) END AS opener,
        coalesce(sums.fills, 0) AS fills,
        coalesce(sums.credits, 0) AS credits,
        CASE WHEN sat.status = 'CLOSED' THEN coalesce(sums.closer, 0) END AS closer,
        CASE WHEN waits.drop IS NOT TRUE THEN coalesce(sums.dropped, 0) END AS dropped,
        coalesce(sums.buy_ins, 0) AS buy_ins,
        CASE WHEN sat.status = 'CLOSED' THEN coalesce(sums.rake, 0) END AS rake,
        coalesce(sums.tips, 0) AS tips,
        CASE WHEN sat.status = 'CLOSED' AND waits.drop IS NOT TRUE THEN coalesce(sums.variance, 0) END AS variance
    FROM sat LEFT JOIN sums ON sums.session = sat.id LEFT JOIN waits ON waits.session = sat.id
), played AS (
    SELECT sat.table_id, sat.business_date,
        string_agg(DISTINCT sheet.game::text COLLATE "C", ', ' ORDER BY sheet.game::text COLLATE "C") AS game
    FROM sat JOIN tables_round round ON round.session_id = sat.id JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
    GROUP BY sat.table_id, sat.business_date
), since AS (
    SELECT sat.table_id, sat.business_date,
        sum(CASE WHEN transfer.debit_id IN (place.float_account_id, place.rake_account_id) THEN transfer.units ELSE 0 END
            - CASE WHEN transfer.credit_id IN (place.float_account_id, place.rake_account_id) THEN transfer.units
                ELSE 0 END) AS units
    FROM sat
    JOIN tables_round round ON round.session_id = sat.id
    JOIN payouts_settlement newest ON newest.id = round.settlement_id AND newest.generation > 1
    JOIN payouts_settlement later ON later.round_key = newest.round_key AND later.generation > 1
    JOIN tables_table place ON place.id = sat.table_id
    JOIN payouts_transfer transfer ON transfer.settlement_id = later.id
    WHERE later.business_date > sat.business_date
    GROUP BY sat.table_id, sat.business_date
)
SELECT known.business_date AS date, place.code AS "table", played.game, count(*) AS sessions,
    -- Where a figure of one session is missing, that of the table is.
    CASE WHEN count(opener) = count(*) THEN sum(opener)::bigint END AS opener,
    sum(fills)::bigint AS fills,
    sum(credits)::bigint AS credits,
    CASE WHEN count(closer) = count(*) THEN sum(closer)::bigint END AS closer,
    CASE WHEN count(dropped) = count(*) THEN sum(dropped)::bigint END AS drop,
    sum(buy_ins)::bigint AS buy_ins,
    CASE WHEN count(opener + closer + dropped) = count(*)
        THEN sum(closer + dropped + credits - opener - fills)::bigint END AS win,
    CASE WHEN count(rake) = count(*) THEN sum(rake)::bigint END AS rake,
    sum(tips)::bigint AS tips,
    CASE WHEN count(variance) = count(*) THEN sum(variance)::bigint END AS variance,
    since.units::bigint AS corrected, known.table_id, day.id AS day_id
FROM known
JOIN tables_table place ON place.id = known.table_id
JOIN tables_gamingday day ON day.date = known.business_date
LEFT JOIN played ON played.table_id = known.table_id AND played.business_date = known.business_date
LEFT JOIN since ON since.table_id = known.table_id AND since.business_date = known.business_date
GROUP BY known.business_date, known.table_id, place.code, played.game, since.units, day.id
