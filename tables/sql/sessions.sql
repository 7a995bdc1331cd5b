-- A session begins open, on the gaming day of now. What it was opened with, its business date above all, stays; once
-- closed all of it stays. It closes when nothing of it is under way and its float is empty, with a snapshot of each
-- account of its table; and no snapshot stands without it. Chips move, and series begin, in an open session only.

CREATE OR REPLACE FUNCTION session_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.status <> 'OPEN' OR NEW.business_date IS DISTINCT FROM
       (SELECT gaming_day(now(), time_zone, day_starts_at) FROM casino_casino) THEN
        RAISE EXCEPTION 'a session begins open, on the gaming day of now' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opens BEFORE INSERT ON tables_session FOR EACH ROW EXECUTE FUNCTION session_begins();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER opens;
COMMENT ON TRIGGER opens ON tables_session IS 'A session begins OPEN, on the gaming day of now.';

CREATE OR REPLACE FUNCTION session_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.status = 'CLOSED'
       OR (NEW.table_id, NEW.business_date, NEW.opened_at, NEW.opened_by_id, NEW.opened_with_id)
       IS DISTINCT FROM (OLD.table_id, OLD.business_date, OLD.opened_at, OLD.opened_by_id, OLD.opened_with_id) THEN
        RAISE EXCEPTION 'session %: what it was opened and closed with stays', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE UPDATE ON tables_session FOR EACH ROW EXECUTE FUNCTION session_moves();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_session IS
    'What a session was opened with stays; once CLOSED all of it stays. Moves: OPEN to CLOSED.';

CREATE OR REPLACE FUNCTION session_ends() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text := CASE
        WHEN EXISTS (SELECT FROM tables_round WHERE session_id = NEW.id AND status IN ('OPEN', 'CLOSED'))
            THEN 'a round of it is not settled'
        WHEN EXISTS (SELECT FROM tables_series WHERE table_id = NEW.table_id AND status = 'OPEN') THEN 'a series runs'
        WHEN EXISTS (SELECT FROM tables_slip WHERE session_id = NEW.id
                     AND (status = 'REQUESTED' OR status = 'ISSUED' AND kind <> 'credit'))
            THEN 'a slip of it is under way'
        WHEN (SELECT account_balance(float_account_id) FROM tables_table WHERE id = NEW.table_id) IS DISTINCT FROM 0
            THEN 'its float is not empty'
        WHEN 3 <> (SELECT count(*) FROM payouts_snapshot s
                   JOIN tables_table t ON s.account_id IN (t.float_account_id, t.patrons_account_id, t.pot_account_id)
                   WHERE t.id = NEW.table_id AND s.subject = 'session:' || NEW.id)
            THEN 'its accounts have no snapshot'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'session % does not close: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ends BEFORE UPDATE OF status ON tables_session FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION session_ends();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER ends;
COMMENT ON TRIGGER ends ON tables_session IS
    'A session closes when its rounds are settled or void, no series runs, no slip but a credit is under way, its float '
    'is empty and its accounts have their snapshots.';

CREATE OR REPLACE FUNCTION snapshot_of_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_session s JOIN payouts_account a ON a.owner = 'table:' || s.table_id
    WHERE a.id = NEW.account_id AND NEW.subject = 'session:' || s.id AND s.status = 'OPEN' FOR SHARE OF s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'snapshot of account %: no open session of its table', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER of_closing BEFORE INSERT ON payouts_snapshot
    FOR EACH ROW EXECUTE FUNCTION snapshot_of_closing();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER of_closing;
COMMENT ON TRIGGER of_closing ON payouts_snapshot IS
    'A snapshot is of an account of the table whose OPEN session it names.';

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
BEGIN
    SELECT kind, subject, number, denominations INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF starts_with(moved.subject, 'slip:') THEN
        RETURN NEW;  -- see slips.sql
    END IF;
    SELECT s.table_id INTO of_table FROM tables_session s
    WHERE moved.subject = 'session:' || s.id AND s.status = 'OPEN' AND s.business_date = NEW.business_date
        AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id)
                        AND a.owner NOT IN ('house', 'table:' || s.table_id)) FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'transfer %: its movement is not of a session that is open at its table on its day', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF moved.kind IN ('opener', 'variance', 'closer') AND moved.number <> 1 THEN
        RAISE EXCEPTION 'transfer %: a session has one %', NEW.key, moved.kind USING ERRCODE = 'restrict_violation';
    END IF;
    -- Nobody knows which chips a variance is of.
    IF moved.kind <> 'variance' AND EXISTS (
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
    'Chips of no slip move in an open session alone, to and from its own table, on its day, and they are of the table''s '
    'set; a session has one opener, one variance and one closer.';

CREATE OR REPLACE FUNCTION closer_closes() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.kind IN ('variance', 'closer') AND NOT EXISTS (
        SELECT FROM tables_session WHERE NEW.subject = 'session:' || id AND status = 'CLOSED') THEN
        RAISE EXCEPTION 'movement %: its session does not close', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS closes ON payouts_movement;
CREATE CONSTRAINT TRIGGER closes AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION closer_closes();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER closes;
COMMENT ON TRIGGER closes ON payouts_movement IS 
    'When the transaction ends, the session of a variance or a closer is CLOSED.';

CREATE OR REPLACE FUNCTION series_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_session WHERE id = NEW.session_id AND table_id = NEW.table_id AND status = 'OPEN' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a series needs its table''s open session' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opens BEFORE INSERT ON tables_series FOR EACH ROW EXECUTE FUNCTION series_begins();
ALTER TABLE tables_series ENABLE ALWAYS TRIGGER opens;
COMMENT ON TRIGGER opens ON tables_series IS 'A series begins in its table''s OPEN session.';

COMMENT ON CONSTRAINT session_closed_whole ON tables_session IS
    'A CLOSED session says when and by which two people; an OPEN one says neither.';
COMMENT ON CONSTRAINT session_four_eyes ON tables_session IS 'Two different people open a session, and two close it.';
COMMENT ON INDEX session_one_open IS 'A table has one OPEN session.';
COMMENT ON CONSTRAINT series_closed_whole ON tables_series IS
    'A CLOSED series says when; an OPEN one does not. Moves, with ends_once: OPEN to CLOSED.';
COMMENT ON CONSTRAINT series_goal_positive ON tables_series IS 'Rounds and points that are agreed are 1 or more.';
COMMENT ON INDEX series_one_open IS 'A table has one OPEN series.';
