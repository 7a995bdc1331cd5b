-- A session: OPENING -> OPEN -> CLOSING -> CLOSED, and from CLOSING back to OPEN. It begins on the gaming day of now, and
-- that stays, as does what it was opened and closed with. It opens with an opener, and closes with a closer, that two
-- people counted the same; where they did not, twice, two sign for one of the counts. An opener is written off or up
-- against the closer before it, between cage and variance. Its last round is called when nothing of it is under way, and
-- it closes when its float and its rake slot are empty and no drop box is mounted, with a snapshot of each account of its
-- table; and no snapshot stands without it. One that is carried on opens in the same transaction with the closer of the one before, uncounted. The rake slot is counted with the closer where rake moved since the table last closed.
-- Chips move in an open session only, and series begin in one, or in a closed one of an open day, of rounds from paper;
-- they end between rounds.

-- A session that is carried on opens with these, in the transaction that closes the one before.
CREATE OR REPLACE FUNCTION closer_just_made(session bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT denominations FROM payouts_movement
    WHERE subject = 'session:' || session AND kind = 'closer' AND made_in = pg_current_xact_id()
$$;
COMMENT ON FUNCTION closer_just_made(bigint) IS
    'The chips with which a session is closed in this transaction; NULL where it is not.';

CREATE OR REPLACE FUNCTION session_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.status <> 'OPENING' OR NEW.begun_by_id IS NULL OR NEW.counts_from <> 1 OR NEW.business_date IS DISTINCT FROM business_date() THEN
        RAISE EXCEPTION 'a session begins with its opener to be counted, on the gaming day of now'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.carried_from_id IS NOT NULL AND (NEW.carried_from_id IS DISTINCT FROM (
            SELECT max(id) FROM tables_session WHERE table_id = NEW.table_id AND status = 'CLOSED')
            OR closer_just_made(NEW.carried_from_id) IS NULL) THEN
        RAISE EXCEPTION 'a session is carried from the one of its table that closes with chips at the same moment'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opens BEFORE INSERT ON tables_session FOR EACH ROW EXECUTE FUNCTION session_begins();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER opens;
COMMENT ON TRIGGER opens ON tables_session IS
    'A session begins OPENING, by a person, on the gaming day of now; one that is carried on in the transaction that closes'
    ' the session before it.';

CREATE OR REPLACE FUNCTION session_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    opened text[] := ARRAY['opened_at', 'opened_by_id', 'opened_with_id', 'opener_reason', 'opener_salt'];
    stopped text[] := ARRAY['stopped_at', 'stopped_by_id', 'counts_from'];
    closed text[] := ARRAY['closed_at', 'closed_by_id', 'closed_with_id', 'closer_reason', 'closer_salt', 'unfinished'];
    fault text;
BEGIN
    fault := CASE
        WHEN OLD.status = 'CLOSED'
            OR to_jsonb(NEW) - 'status' - opened - stopped - closed
                IS DISTINCT FROM to_jsonb(OLD) - 'status' - opened - stopped - closed
            OR OLD.status <> 'OPENING' AND (NEW.opened_at, NEW.opened_by_id, NEW.opened_with_id, NEW.opener_reason,
                NEW.opener_salt) IS DISTINCT FROM (OLD.opened_at, OLD.opened_by_id, OLD.opened_with_id,
                OLD.opener_reason, OLD.opener_salt)
            THEN 'what it was opened and closed with stays'
        WHEN NEW.status = OLD.status AND NEW IS DISTINCT FROM OLD THEN 'it changes with a step of its own'
        WHEN (OLD.status::text, NEW.status::text) NOT IN (('OPENING', 'OPENING'), ('OPEN', 'OPEN'),
            ('CLOSING', 'CLOSING'), ('OPENING', 'OPEN'), ('OPEN', 'CLOSING'), ('CLOSING', 'OPEN'), ('CLOSING', 'CLOSED'))
            THEN format('%s does not become %s', OLD.status, NEW.status)
        WHEN NEW.counts_from IS DISTINCT FROM CASE OLD.status || NEW.status
            WHEN 'OPENCLOSING' THEN 1 + (SELECT coalesce(max(attempt), 0) FROM tables_count
                                         WHERE of = 'session:' || NEW.id AND part = 'closer')
            ELSE OLD.counts_from END
            THEN 'each closing counts anew'
        WHEN OLD.status = 'CLOSING' AND NEW.status = 'CLOSED'
            AND (NEW.stopped_at, NEW.stopped_by_id) IS DISTINCT FROM (OLD.stopped_at, OLD.stopped_by_id)
            THEN 'who called its last round stays'
    END;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'session %: %', OLD.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE UPDATE ON tables_session FOR EACH ROW EXECUTE FUNCTION session_moves();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_session IS
    'What a session was opened with stays; once CLOSED all of it stays, and each closing counts anew. Moves: OPENING to'
    ' OPEN, OPEN to CLOSING, CLOSING to OPEN, CLOSING to CLOSED.';

-- Whether these chips are what stands of a count: both counted them, or they differed twice and one of the two did.
CREATE OR REPLACE FUNCTION count_stands(asked text, asked_part text, since int, chips jsonb) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT count(*) = 2 AND bool_or(c.denominations = chips)
        AND (bool_and(c.denominations = chips) OR min(c.attempt) > since)
    FROM tables_count c
    WHERE c.of = asked AND c.part = asked_part AND c.attempt >= since
        AND c.attempt = (SELECT max(attempt) FROM tables_count WHERE of = asked AND part = asked_part)
$$;
COMMENT ON FUNCTION count_stands(text, text, int, jsonb) IS
    'Whether these chips are what two people counted, or what one of two counted where they differed twice.';

CREATE OR REPLACE FUNCTION session_starts() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ref text := 'session:' || NEW.id;
    chips jsonb := (SELECT denominations FROM payouts_movement WHERE subject = ref AND kind = 'opener');
    opener bigint := (SELECT units FROM payouts_transfer WHERE key = ref || ':opener:1:1');
    before bigint := (SELECT max(id) FROM tables_session WHERE table_id = NEW.table_id AND status = 'CLOSED');
    closer bigint := coalesce((SELECT units FROM payouts_transfer WHERE key = 'session:' || before || ':closer:1:1'), 0);
    written bigint := (SELECT coalesce(sum(CASE a.kind WHEN 'cage' THEN t.units WHEN 'variance' THEN -t.units END), 0)
                       FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id
                       JOIN payouts_account a ON a.id = t.debit_id WHERE m.subject = ref AND m.kind = 'variance');
    fault text := CASE
        WHEN chips IS NULL THEN 'it has no opener'
        WHEN chips IS DISTINCT FROM closer_just_made(NEW.carried_from_id)
            AND count_stands(ref, 'opener', 1, chips) IS NOT TRUE THEN 'its opener is not what two people counted'
        WHEN written IS DISTINCT FROM CASE WHEN before IS NULL THEN 0 ELSE opener - closer END
            THEN 'what its opener differs by from the closer before it is not its variance'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'session % does not open: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER starts BEFORE UPDATE OF status ON tables_session FOR EACH ROW
    WHEN (OLD.status = 'OPENING' AND NEW.status = 'OPEN') EXECUTE FUNCTION session_starts();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER starts;
COMMENT ON TRIGGER starts ON tables_session IS
    'A session opens when its opener is what two people counted, or of two counts that differed twice one, or the closer'
    ' from which it is carried on; what it differs by from the closer before it is a variance of the cage.';

-- Its own closing takes a snapshot before it ends.
CREATE OR REPLACE FUNCTION rake_moved(session bigint, account bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH last AS (SELECT coalesce(max(upto_id), 0) AS upto FROM payouts_snapshot
                  WHERE account_id = account AND subject <> 'session:' || session)
    SELECT EXISTS (SELECT FROM payouts_transfer, last WHERE debit_id = account AND id > upto)
        OR EXISTS (SELECT FROM payouts_transfer, last WHERE credit_id = account AND id > upto)
$$;
COMMENT ON FUNCTION rake_moved(bigint, bigint) IS
    'Whether chips came into a table''s rake slot or went out of it since its session before this one was closed.';

CREATE OR REPLACE FUNCTION session_under_way(session bigint, at_table bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT CASE
        WHEN EXISTS (SELECT FROM tables_round WHERE session_id = session AND status IN ('OPEN', 'CLOSED'))
            THEN 'a round of it is not settled'
        WHEN EXISTS (SELECT FROM tables_series WHERE session_id = session AND status = 'OPEN') THEN 'a series runs'
        WHEN EXISTS (SELECT FROM tables_slip WHERE session_id = session
                     AND (status = 'REQUESTED' OR status = 'ISSUED' AND kind <> 'credit'))
            THEN 'a slip of it is under way'
        -- Of a box that gets nothing nobody is asked for a tick in every game, and of one that had its share in the round
        -- (house.7) in none.
        WHEN EXISTS (SELECT FROM tables_round r JOIN payouts_settlement s ON s.id = r.settlement_id AND s.generation = 1
                     JOIN payouts_payment p ON p.settlement_id = s.id AND p.returned_units + p.paid_units > 0
                     WHERE r.session_id = session
                         AND NOT EXISTS (SELECT FROM payouts_paymenttick WHERE payment_id = p.id)
                         AND p.net_units IS DISTINCT FROM (
                             SELECT (had.value ->> 'units')::bigint FROM tables_line l, jsonb_array_elements(l.handed) had
                             WHERE l.round_id = r.id AND l.ordinal = 1 AND (had.value ->> 'box')::int = p.box))
            THEN 'a payment of it is not ticked'
    END
$$;
COMMENT ON FUNCTION session_under_way(bigint, bigint) IS
    'What keeps a session at its table from being closed: rounds, a series, slips, payments that a box did not get; NULL'
    ' where nothing does.';

CREATE OR REPLACE FUNCTION session_stops() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text := session_under_way(NEW.id, NEW.table_id);
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'session % has not had its last round: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER stops BEFORE UPDATE OF status ON tables_session FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSING') EXECUTE FUNCTION session_stops();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER stops;
COMMENT ON TRIGGER stops ON tables_session IS
    'A session is CLOSING when its rounds are settled or void, their payments ticked, no series runs and no slip but a'
    ' credit is under way.';

-- Nothing of the row says who let it go on: the log does.
CREATE OR REPLACE FUNCTION session_goes_on() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'session:' || NEW.id AND chain_id = 'table:' || NEW.table_id AND event = 'session.resumed'
            AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
            AND body::jsonb #>> '{facts,requester}' = by
            AND body::jsonb #>> '{facts,approver}' ~ '^staff:[1-9][0-9]*$' AND body::jsonb #>> '{facts,approver}' <> by
    ) THEN
        RAISE EXCEPTION 'session %: the log has no entry by two people that it goes on', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS goes_on ON tables_session;
CREATE CONSTRAINT TRIGGER goes_on AFTER UPDATE ON tables_session DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.status = 'CLOSING' AND NEW.status = 'OPEN') EXECUTE FUNCTION session_goes_on();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER goes_on;
COMMENT ON TRIGGER goes_on ON tables_session IS
    'When the transaction ends, the log has the entry of a session that goes on, by two people.';

CREATE OR REPLACE FUNCTION session_ends() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ref text := 'session:' || NEW.id;
    slot bigint := (SELECT rake_account_id FROM tables_table WHERE id = NEW.table_id);
    closer jsonb := coalesce((SELECT denominations FROM payouts_movement WHERE subject = ref AND kind = 'closer'), '{}');
    rake jsonb := coalesce((SELECT denominations FROM payouts_movement WHERE subject = ref AND kind = 'rake'), '{}');
    fault text := coalesce(session_under_way(NEW.id, NEW.table_id), CASE
        WHEN EXISTS (SELECT FROM tables_dropbox WHERE session_id = NEW.id AND status = 'MOUNTED')
            THEN 'its drop box is mounted'
        WHEN (SELECT account_balance(float_account_id) FROM tables_table WHERE id = NEW.table_id) IS DISTINCT FROM 0
            THEN 'its float is not empty'
        WHEN account_balance(slot) IS DISTINCT FROM 0 THEN 'its rake slot is not empty'
        WHEN 4 <> (SELECT count(*) FROM payouts_snapshot s
                   JOIN tables_table t ON s.account_id IN (t.float_account_id, t.patrons_account_id, t.pot_account_id, slot)
                   WHERE t.id = NEW.table_id AND s.subject = ref)
            THEN 'its accounts have no snapshot'
        WHEN count_stands(ref, 'closer', NEW.counts_from, closer) IS NOT TRUE
            THEN 'its closer is not what two people counted'
        -- Of two counts that differ one stands: that person's closer and that person's rake.
        WHEN rake_moved(NEW.id, slot) AND (count_stands(ref, 'rake', NEW.counts_from, rake) AND EXISTS (
                SELECT FROM tables_count c JOIN tables_count r ON (r.of, r.attempt, r.place) = (c.of, c.attempt, c.place)
                WHERE c.of = ref AND (c.part, r.part, c.denominations, r.denominations) = ('closer', 'rake', closer, rake)
                    AND c.attempt = (SELECT max(attempt) FROM tables_count WHERE of = ref AND part = 'closer'))) IS NOT TRUE
            THEN 'its rake is not what two people counted'
    END);
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'session % does not close: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ends BEFORE UPDATE OF status ON tables_session FOR EACH ROW
    WHEN (OLD.status = 'CLOSING' AND NEW.status = 'CLOSED') EXECUTE FUNCTION session_ends();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER ends;
COMMENT ON TRIGGER ends ON tables_session IS
    'A session closes when nothing of it is under way but a credit, no drop box is mounted, its closer is what two people counted, or of two'
    ' counts that differed twice one, and so is its rake where rake moved; its float and its rake slot are empty and its'
    ' accounts have their snapshots.';

CREATE OR REPLACE FUNCTION snapshot_of_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_session s JOIN payouts_account a ON a.owner = 'table:' || s.table_id
    WHERE a.id = NEW.account_id AND NEW.subject = 'session:' || s.id AND s.status = 'CLOSING' FOR SHARE OF s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'snapshot of account %: no session of its table closes', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER of_closing BEFORE INSERT ON payouts_snapshot
    FOR EACH ROW EXECUTE FUNCTION snapshot_of_closing();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER of_closing;
COMMENT ON TRIGGER of_closing ON payouts_snapshot IS
    'A snapshot is of an account of the table whose CLOSING session it names.';

CREATE OR REPLACE FUNCTION snapshot_is_taken() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_session WHERE NEW.subject = 'session:' || id AND status = 'CLOSED') THEN
        RAISE EXCEPTION 'snapshot of account %: its session does not close', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS taken ON payouts_snapshot;
CREATE CONSTRAINT TRIGGER taken AFTER INSERT ON payouts_snapshot DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION snapshot_is_taken();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER taken;
COMMENT ON TRIGGER taken ON payouts_snapshot IS 'When the transaction ends, the session of the snapshot is CLOSED.';

CREATE OR REPLACE FUNCTION transfer_in_session() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
    of_table bigint;
    ends text[] := ARRAY(SELECT kind::text FROM payouts_account WHERE id IN (NEW.debit_id, NEW.credit_id));
BEGIN
    SELECT kind, subject, number, denominations, made_in INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF starts_with(moved.subject, 'slip:') OR starts_with(moved.subject, 'cage_shift:')
       OR starts_with(moved.subject, 'drop_box:') OR starts_with(moved.subject, 'tips:')
       OR starts_with(moved.subject, 'round:') OR moved.made_in <> pg_current_xact_id() THEN
        RETURN NEW;  -- see slips.sql, cage.sql, drop_boxes.sql, tips.sql, settlements.sql, transfers.sql
    END IF;
    SELECT s.table_id INTO of_table FROM tables_session s
    WHERE moved.subject = 'session:' || s.id AND s.business_date = NEW.business_date
        AND s.status = CASE
            WHEN moved.kind IN ('closer', 'rake') OR moved.kind = 'variance' AND ends && '{float,rake}' THEN 'CLOSING'
            WHEN moved.kind = 'opener' OR moved.kind = 'variance' AND 'cage' = ANY (ends) THEN 'OPENING'
            ELSE 'OPEN' END
        AND (moved.kind = 'buy_in') = ('drop_box' = ANY (ends)) AND (moved.kind = 'tip') = ('tips' = ANY (ends))
        AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id)
                        AND (a.owner NOT IN ('house', 'table:' || s.table_id) OR a.kind || a.owner = 'rakehouse')) FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'transfer %: its movement is not of a session that takes it now, at its table on its day', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF moved.kind IN ('opener', 'closer', 'rake') AND moved.number <> 1
       OR moved.kind = 'variance' AND EXISTS (
           SELECT FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id
           JOIN payouts_account a ON a.id IN (t.debit_id, t.credit_id) AND a.kind <> 'variance'
           WHERE m.subject = moved.subject AND m.kind = 'variance' AND m.id <> NEW.movement_id
               AND a.id IN (NEW.debit_id, NEW.credit_id)) THEN
        RAISE EXCEPTION 'transfer %: a session has one %', NEW.key, moved.kind USING ERRCODE = 'restrict_violation';
    END IF;
    IF moved.kind IN ('buy_in', 'tip') AND moved.denominations IS DISTINCT FROM jsonb_build_object('1', NEW.units) THEN
        RAISE EXCEPTION 'transfer %: a buy-in and a tip is a sum', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    -- Nobody knows which chips a variance is of, nor a buy-in, nor a tip.
    IF moved.kind NOT IN ('variance', 'buy_in', 'tip') AND EXISTS (
        SELECT FROM jsonb_each(moved.denominations) chip
        WHERE chip.key NOT IN (SELECT unnest(c.denominations)::text FROM tables_table t
                               JOIN casino_chipset c ON c.id = t.chip_set_id WHERE t.id = of_table)
            OR jsonb_typeof(chip.value) <> 'number' OR (chip.value #>> '{}') !~ '^[1-9][0-9]{0,5}$') THEN
        RAISE EXCEPTION 'transfer %: its chips are not whole chips of the table''s set', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_session BEFORE INSERT ON payouts_transfer
    FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL)
    EXECUTE FUNCTION transfer_in_session();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_session;
COMMENT ON TRIGGER joins_session ON payouts_transfer IS
    'Chips of no slip, drop box, shift of the cage and correction and no variance of tips move in a session alone, to and'
    ' from its own table, on its day, and they are of the table''s set, or of a variance, of a buy-in and of a tip a sum: an'
    ' opener and a variance of the cage while it is OPENING, a closer, a rake and a'
    ' variance of either while it is CLOSING, others while it is OPEN; it has one of each.';

CREATE OR REPLACE FUNCTION closer_closes() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    wants text := CASE
        WHEN NEW.kind = 'opener' THEN 'OPEN'
        WHEN NEW.kind IN ('closer', 'rake') THEN 'CLOSED'
        WHEN NEW.kind = 'variance' THEN (
            SELECT CASE WHEN bool_or(a.kind IN ('float', 'rake')) THEN 'CLOSED' ELSE 'OPEN' END
            FROM payouts_transfer t JOIN payouts_account a ON a.id IN (t.debit_id, t.credit_id)
            WHERE t.movement_id = NEW.id)
    END;
BEGIN
    IF NOT EXISTS (SELECT FROM tables_session WHERE NEW.subject = 'session:' || id
                   AND (status = wants OR wants = 'OPEN' AND status <> 'OPENING')) AND wants IS NOT NULL
       AND NOT starts_with(NEW.subject, 'cage_shift:') AND NOT starts_with(NEW.subject, 'drop_box:')
       AND NOT starts_with(NEW.subject, 'tips:') THEN
        RAISE EXCEPTION 'movement %: its session does not %', NEW.key, CASE wants WHEN 'OPEN' THEN 'open' ELSE 'close' END
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS closes ON payouts_movement;
CREATE CONSTRAINT TRIGGER closes AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION closer_closes();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER closes;
COMMENT ON TRIGGER closes ON payouts_movement IS
    'When the transaction ends, the session of an opener is open, and that of a closer, of a rake and of a variance of its'
    ' float or its rake slot is CLOSED.';

CREATE OR REPLACE FUNCTION series_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    sitting record;
BEGIN
    SELECT status, business_date, closed_at INTO sitting FROM tables_session
    WHERE id = NEW.session_id AND table_id = NEW.table_id AND status IN ('OPEN', 'CLOSED') FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a series needs its table''s open session' USING ERRCODE = 'restrict_violation';
    END IF;
    IF sitting.status = 'CLOSED' AND (sitting.closed_at < statement_timestamp()
            AND hold_day(sitting.business_date) = 'OPEN') IS NOT TRUE THEN
        RAISE EXCEPTION 'a series of rounds from paper begins in its table''s open session, or in a closed one of a gaming'
            ' day that is open' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opens BEFORE INSERT ON tables_series FOR EACH ROW EXECUTE FUNCTION series_begins();
ALTER TABLE tables_series ENABLE ALWAYS TRIGGER opens;
COMMENT ON TRIGGER opens ON tables_series IS 
    'A series begins in its table''s OPEN session, or in a CLOSED one of a gaming day that is open: one of rounds from paper.';

CREATE OR REPLACE FUNCTION series_from_paper() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_session WHERE id = NEW.session_id AND closed_at < NEW.opened_at)
       AND NOT EXISTS (SELECT FROM tables_round WHERE series_id = NEW.id) THEN
        RAISE EXCEPTION 'series %: its session is closed, and no round from paper begins it', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS from_paper ON tables_series;
CREATE CONSTRAINT TRIGGER from_paper AFTER INSERT ON tables_series DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION series_from_paper();
ALTER TABLE tables_series ENABLE ALWAYS TRIGGER from_paper;
COMMENT ON TRIGGER from_paper ON tables_series IS
    'When the transaction ends, a series of a closed session has its first round, which is from paper.';

CREATE OR REPLACE FUNCTION series_ends() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_round WHERE series_id = NEW.id AND status = 'OPEN') THEN
        RAISE EXCEPTION 'series %: a round of it is open', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ends BEFORE UPDATE OF status ON tables_series FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION series_ends();
ALTER TABLE tables_series ENABLE ALWAYS TRIGGER ends;
COMMENT ON TRIGGER ends ON tables_series IS 'A series is CLOSED while no round of it is open.';

COMMENT ON CONSTRAINT session_opened_whole ON tables_session IS
    'A session that was opened says when and by which two people; an OPENING one says neither.';
COMMENT ON CONSTRAINT session_stopped_whole ON tables_session IS
    'A CLOSING session says when and by whom its last round was called; one that is not yet says neither.';
COMMENT ON CONSTRAINT session_closed_whole ON tables_session IS
    'A CLOSED session says when and by which two people; another says neither.';
COMMENT ON CONSTRAINT session_four_eyes ON tables_session IS 'Two different people open a session, and two close it.';
COMMENT ON CONSTRAINT session_reasons_salted ON tables_session IS
    'A reason is given at the opening or the closing and has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT session_leaves_at_end ON tables_session IS
    'Only a CLOSED session names what it leaves to the next one.';
COMMENT ON INDEX session_one_open IS 'A table has one session that is not CLOSED.';
COMMENT ON CONSTRAINT series_closed_whole ON tables_series IS
    'A CLOSED series says when; an OPEN one does not. Moves, with ends_once: OPEN to CLOSED.';
COMMENT ON CONSTRAINT series_goal_positive ON tables_series IS 'Rounds and points that are agreed are 1 or more.';
COMMENT ON INDEX series_one_open IS 'A session has one OPEN series.';

-- What an inspection asks of reasons: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION session_digests(asked bigint[]) RETURNS TABLE (id bigint, opener text, closer text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.id,
        CASE WHEN s.opener_reason <> '' THEN encode(sha256(convert_to(s.opener_salt || s.opener_reason, 'UTF8')), 'hex') END,
        CASE WHEN s.closer_reason <> '' THEN encode(sha256(convert_to(s.closer_salt || s.closer_reason, 'UTF8')), 'hex') END
    FROM tables_session s WHERE s.id = ANY (asked)
$$;
COMMENT ON FUNCTION session_digests(bigint[]) IS
    'The SHA-256 of the reasons of openings and closings behind their salts, as the log has them; NULL where there is'
    ' none.';
