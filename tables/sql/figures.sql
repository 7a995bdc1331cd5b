-- What sessions came to. It is worked out of the rows until their gaming day is closed, since a drop is counted, a paper
-- entered and a round corrected after the table is closed; as the day is closed it is written once, and nothing enters
-- the day from then on. So what a report reads of closed days does not grow with what was played in them.

CREATE OR REPLACE FUNCTION session_figures(asked bigint[]) RETURNS TABLE (
    session_id bigint, games text[], rounds bigint, stakes bigint, opener bigint, fills bigint, credits bigint,
    closer bigint, "drop" bigint, buy_ins bigint, win bigint, rake bigint, tips bigint, variance bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH sat AS (
        SELECT id, business_date, status, closed_at FROM tables_session WHERE id = ANY (asked)
    ), owned AS (
        SELECT id AS session, 'session:' || id AS subject FROM sat
        UNION ALL SELECT sat.id, 'slip:' || slip.id FROM sat JOIN tables_slip slip ON slip.session_id = sat.id
        UNION ALL SELECT sat.id, 'drop_box:' || box.id FROM sat JOIN tables_dropbox box ON box.session_id = sat.id
        -- What a round that was entered from paper later explains of a variance.
        UNION ALL SELECT sat.id, 'round:' || late.id FROM sat JOIN tables_round late ON late.session_id = sat.id
        WHERE late.opened_at > sat.closed_at
    ), moved AS (
        SELECT owned.session, transfer.reason, transfer.units, debit.kind AS debit, credit.kind AS credit,
            debit.kind <> 'variance' AND credit.kind <> 'variance' AS plain
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
        FROM moved GROUP BY session
    ), waits AS (
        SELECT sat.id AS session, bool_or(box.status <> 'COUNTED') AS drop
        FROM sat JOIN tables_dropbox box ON box.session_id = sat.id GROUP BY sat.id
    ), played AS (
        SELECT by_sheet.session, sum(by_sheet.rounds) AS rounds,
            array_agg(DISTINCT sheet.game::text COLLATE "C" ORDER BY sheet.game::text COLLATE "C") AS games
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
        SELECT sat.id, coalesce(played.games, '{}') AS games, coalesce(played.rounds, 0) AS rounds,
            coalesce(staked.stakes, 0) AS stakes,
            CASE WHEN sat.status <> 'OPENING' THEN coalesce(sums.opener, 0) END AS opener,
            coalesce(sums.fills, 0) AS fills,
            coalesce(sums.credits, 0) AS credits,
            CASE WHEN sat.status = 'CLOSED' THEN coalesce(sums.closer, 0) END AS closer,
            CASE WHEN waits.drop IS NOT TRUE THEN coalesce(sums.dropped, 0) END AS dropped,
            coalesce(sums.buy_ins, 0) AS buy_ins,
            CASE WHEN sat.status = 'CLOSED' THEN coalesce(sums.rake, 0) END AS rake,
            coalesce(sums.tips, 0) AS tips,
            CASE WHEN sat.status = 'CLOSED' AND waits.drop IS NOT TRUE THEN coalesce(sums.variance, 0) END AS variance
        FROM sat
        LEFT JOIN sums ON sums.session = sat.id
        LEFT JOIN waits ON waits.session = sat.id
        LEFT JOIN played ON played.session = sat.id
        LEFT JOIN staked ON staked.session = sat.id
    )
    SELECT id, games, rounds::bigint, stakes::bigint, opener::bigint, fills::bigint, credits::bigint, closer::bigint,
        dropped::bigint, buy_ins::bigint, (closer + dropped + credits - opener - fills)::bigint, rake::bigint,
        tips::bigint, variance::bigint
    FROM known
$$;
COMMENT ON FUNCTION session_figures(bigint[]) IS
    'What sessions came to, worked out of the rows. A figure in which something is not counted yet is null, never 0.';

CREATE OR REPLACE FUNCTION figures_between(first date, last date) RETURNS TABLE (
    session_id bigint, table_id bigint, business_date date, games text[], rounds bigint, stakes bigint, opener bigint,
    fills bigint, credits bigint, closer bigint, "drop" bigint, buy_ins bigint, win bigint, rake bigint, tips bigint,
    variance bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    -- Each of the two is cut down to its days by itself, so that no other session is read.
    SELECT session.id, session.table_id, session.business_date, written.games, written.rounds, written.stakes,
        written.opener, written.fills, written.credits, written.closer, written.drop, written.buy_ins, written.win,
        written.rake, written.tips, written.variance
    FROM tables_session session JOIN tables_sessionfigures written ON written.session_id = session.id
    WHERE session.business_date BETWEEN first AND last
    UNION ALL
    SELECT session.id, session.table_id, session.business_date, known.games, known.rounds, known.stakes, known.opener,
        known.fills, known.credits, known.closer, known.drop, known.buy_ins, known.win, known.rake, known.tips,
        known.variance
    FROM session_figures(ARRAY(
        SELECT id FROM tables_session
        WHERE business_date BETWEEN first AND last
            AND business_date NOT IN (SELECT date FROM tables_gamingday WHERE status = 'CLOSED')
    )) known
    JOIN tables_session session ON session.id = known.session_id
$$;
COMMENT ON FUNCTION figures_between(date, date) IS
    'What the sessions of a span of gaming days came to: as it was written when a day was closed, else out of the rows.';

-- The app's role writes no figures: the owner does, as the day is closed.
CREATE OR REPLACE FUNCTION write_figures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_sessionfigures
    SELECT * FROM session_figures(ARRAY(SELECT id FROM tables_session WHERE business_date = NEW.date));
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER figures AFTER UPDATE OF status ON tables_gamingday FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION write_figures();
ALTER TABLE tables_gamingday ENABLE ALWAYS TRIGGER figures;
COMMENT ON TRIGGER figures ON tables_gamingday IS
    'As a gaming day is closed, what each of its sessions came to is written, whoever closes it.';
