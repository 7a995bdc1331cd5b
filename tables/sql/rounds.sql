-- A round. Which states follow which, and what of a round never changes: a settled round takes a later settlement and
-- nothing else. It opens by the sheet of its series or by the one in force, in a session that nobody closes meanwhile,
-- with the next number of its table. One that was played on paper opens by the sheet that was in force when it happened,
-- after its session was opened, and no earlier than what two people entered from paper before it; its session may be
-- closed, while its gaming day is open. Its series is one of its own session that runs, of its game and with its boxes. A closed round has its first line when the transaction ends, and nothing is put
-- off by more than a day. It is held, released and voided only by an intervention that says so.

CREATE OR REPLACE FUNCTION round_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'OPEN' THEN
            RAISE EXCEPTION 'a round begins open, not %', NEW.status USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.number <= (SELECT coalesce(max(number), 0) FROM tables_round WHERE table_id = NEW.table_id) THEN
            -- The unique key says this better.
            RETURN NEW;
        END IF;
        IF NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM tables_round WHERE table_id = NEW.table_id) THEN
            RAISE EXCEPTION 'round number % leaves a gap at its table', NEW.number USING ERRCODE = 'restrict_violation';
        END IF;
        IF NOT EXISTS (SELECT FROM tables_session WHERE id = NEW.session_id AND table_id = NEW.table_id
                       AND (status = 'OPEN' OR status = 'CLOSED' AND NEW.paper IS NOT NULL))
           OR NOT EXISTS (SELECT FROM tables_rulesheet WHERE id = NEW.sheet_id AND status = 'PUBLISHED')
           OR NEW.series_id IS NOT NULL
              AND NOT EXISTS (SELECT FROM tables_series WHERE id = NEW.series_id AND table_id = NEW.table_id
                              AND session_id = NEW.session_id AND status = 'OPEN'
                              AND seats = ARRAY(SELECT unnest(NEW.seats) ORDER BY 1) AND game = (
                                  SELECT game FROM tables_rulesheet WHERE id = NEW.sheet_id)) THEN
            RAISE EXCEPTION 'a round needs its table''s open session, its series with the same boxes, and a published sheet'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('OPEN', 'OPEN'), ('OPEN', 'CLOSED'), ('OPEN', 'VOIDED'), ('CLOSED', 'CLOSED'),
                                        ('CLOSED', 'SETTLED'), ('SETTLED', 'SETTLED')) THEN
        RAISE EXCEPTION 'round %: % does not become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.table_id, NEW.session_id, NEW.series_id, NEW.sheet_id, NEW.number, NEW.seats, NEW.carry, NEW.opened_at,
        NEW.opened_by_id, NEW.happened_at, NEW.paper, NEW.opened_with_id)
       IS DISTINCT FROM (OLD.table_id, OLD.session_id, OLD.series_id, OLD.sheet_id, OLD.number, OLD.seats, OLD.carry,
        OLD.opened_at, OLD.opened_by_id, OLD.happened_at, OLD.paper, OLD.opened_with_id) THEN
        RAISE EXCEPTION 'round %: what it was opened with stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at
       OR OLD.settled_at IS NOT NULL AND NEW.settled_at IS DISTINCT FROM OLD.settled_at THEN
        RAISE EXCEPTION 'round %: when it was closed and settled stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_round FOR EACH ROW EXECUTE FUNCTION round_moves();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_round IS
    'A round begins OPEN, with the next number of its table, in its table''s open session, or from paper in a closed one, '
    'in a series of that session, of its game and with its boxes that runs or in none, and by a published sheet; what it was opened with stays, as does when it was closed and settled. Moves: OPEN to CLOSED, OPEN to'
    ' VOIDED, CLOSED to SETTLED.';

CREATE OR REPLACE FUNCTION round_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    played record;
BEGIN
    SELECT status, business_date, opened_at, stopped_at, closed_at INTO played FROM tables_session
    WHERE id = NEW.session_id AND (status = 'OPEN' OR status = 'CLOSED' AND NEW.paper IS NOT NULL) FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a round needs its table''s open session' USING ERRCODE = 'restrict_violation';
    END IF;
    IF played.status = 'CLOSED' AND (NEW.happened_at <= played.stopped_at
            AND played.closed_at < statement_timestamp() AND hold_day(played.business_date) = 'OPEN') IS NOT TRUE THEN
        RAISE EXCEPTION 'a round from paper of a closed session was played before its last round was called, on a gaming'
            ' day that is open' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.sheet_id IS DISTINCT FROM coalesce(
        (SELECT sheet_id FROM tables_round WHERE series_id = NEW.series_id ORDER BY number LIMIT 1),
        (SELECT sheet_id FROM tables_inforce
         WHERE table_id = NEW.table_id AND from_at <= coalesce(NEW.happened_at, statement_timestamp())
             AND withdrawn_at IS NULL
         ORDER BY from_at DESC LIMIT 1 FOR SHARE)) THEN
        RAISE EXCEPTION 'a round is played by the sheet in force or that of its series'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.happened_at < played.opened_at THEN
        RAISE EXCEPTION 'a round from paper was played after its session was opened'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.happened_at IS NOT NULL AND (
        EXISTS (SELECT FROM tables_round WHERE session_id = NEW.session_id AND status <> 'VOIDED'
                AND happened_at > NEW.happened_at)
        OR EXISTS (SELECT FROM tables_round WHERE series_id = NEW.series_id AND status <> 'VOIDED'
                   AND coalesce(happened_at, opened_at) > NEW.happened_at)) THEN
        RAISE EXCEPTION 'rounds from paper are entered in the order in which they were played'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opens BEFORE INSERT ON tables_round FOR EACH ROW EXECUTE FUNCTION round_begins();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER opens;
COMMENT ON TRIGGER opens ON tables_round IS
    'A round is played by the sheet in force or that of its series, in a session that nobody closes meanwhile. One from '
    'paper goes by the sheet that was in force when it happened, in its own session; it comes after those from paper '
    'before it, and after the rounds of its series. Where that session is closed its gaming day is open, and the round'
    ' was played before the last one was called.';

CREATE OR REPLACE FUNCTION round_comes_due() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.next_at NOT BETWEEN '2000-01-01Z' AND now() + interval '1 day' THEN
        RAISE EXCEPTION 'round %: nothing is put off by more than a day, or due before the year 2000', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER comes_due BEFORE UPDATE OF next_at ON tables_round
    FOR EACH ROW EXECUTE FUNCTION round_comes_due();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER comes_due;
COMMENT ON TRIGGER comes_due ON tables_round IS 'Settling is put off by a day at most, and due in no year before 2000.';

-- One call settles table by table, each in a transaction of its own (settling.sql), and `timed` knows when the call began.
-- It fires after `timed`, whose name comes before its own.
CREATE OR REPLACE FUNCTION round_settled_here() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.settled_at := greatest(NEW.settled_at, now());
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER timed_here BEFORE UPDATE OF settled_at ON tables_round FOR EACH ROW
    WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL) EXECUTE FUNCTION round_settled_here();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER timed_here;
COMMENT ON TRIGGER timed_here ON tables_round IS
    'A round is settled no earlier than the transaction that settles it began.';

CREATE OR REPLACE FUNCTION round_has_line() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_line WHERE round_id = NEW.id) THEN
        RAISE EXCEPTION 'round %: closed without a line', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS has_line ON tables_round;
CREATE CONSTRAINT TRIGGER has_line AFTER UPDATE OF status ON tables_round DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION round_has_line();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER has_line;
COMMENT ON TRIGGER has_line ON tables_round IS 'When the transaction ends, a round that was closed has its line.';

CREATE OR REPLACE FUNCTION round_interrupted() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    newest text := (SELECT kind FROM tables_intervention WHERE round_id = NEW.id
                    AND kind IN ('held', 'released', 'voided') ORDER BY ordinal DESC LIMIT 1);
BEGIN
    IF NEW.status = 'VOIDED' AND newest IS DISTINCT FROM 'voided'
       OR NEW.status <> 'VOIDED' AND NEW.held_at IS NOT NULL AND newest IS DISTINCT FROM 'held'
       OR NEW.status <> 'VOIDED' AND NEW.held_at IS NULL AND newest IS DISTINCT FROM 'released' THEN
        RAISE EXCEPTION 'round %: no intervention says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER says_why BEFORE UPDATE ON tables_round FOR EACH ROW
    WHEN ((OLD.held_at IS NULL) <> (NEW.held_at IS NULL) OR OLD.status <> 'VOIDED' AND NEW.status = 'VOIDED')
    EXECUTE FUNCTION round_interrupted();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER says_why;
COMMENT ON TRIGGER says_why ON tables_round IS
    'A round is held, released or voided only if its newest such intervention says so.';

COMMENT ON CONSTRAINT round_status_whole ON tables_round IS
    'Each state has its times and its settlement, all of them and no other.';
COMMENT ON CONSTRAINT round_held_unsettled ON tables_round IS 'Only an OPEN or CLOSED round is held.';
COMMENT ON CONSTRAINT round_number_from_one ON tables_round IS 'The rounds of a table are counted from 1.';
COMMENT ON CONSTRAINT round_number_once ON tables_round IS 'A number stands for one round of a table.';
COMMENT ON CONSTRAINT round_happened_before ON tables_round IS
    'A round that is entered late happened before it was opened, and not before the year 2000.';
COMMENT ON CONSTRAINT round_paper_whole ON tables_round IS
    'A round from paper has the time at which it happened, the paper''s number and a second person; another has none.';
COMMENT ON CONSTRAINT round_paper_printed ON tables_round IS
    'The number of a paper is printed in capital letters, digits and hyphens.';
COMMENT ON CONSTRAINT round_four_eyes ON tables_round IS
    'The second person who enters a round from paper is another than the first.';
COMMENT ON INDEX round_paper_once IS 'A paper is entered once; a round that is VOIDED leaves it free.';
COMMENT ON CONSTRAINT round_lease_counts ON tables_round IS 'Leases and failures are counted from 0.';
COMMENT ON CONSTRAINT tables_round_settlement_id_key ON tables_round IS 'A settlement belongs to one round.';
COMMENT ON INDEX round_one_open IS 'A session has one OPEN round.';
COMMENT ON CONSTRAINT box_once ON tables_box IS 'A round has a box once.';
COMMENT ON CONSTRAINT hand_once ON tables_hand IS 'A box, or the dealer, has one hand of a kind in a round.';
COMMENT ON CONSTRAINT wager_ordinal_once ON tables_wager IS 'A place in a round''s wagers has one wager.';
COMMENT ON CONSTRAINT wager_units_positive ON tables_wager IS 'A wager is of more than nothing.';
COMMENT ON CONSTRAINT round_carry_readable ON tables_round IS 'What a round begins with can be read.';
