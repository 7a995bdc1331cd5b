-- An alarm. What was raised stays; it is taken once, by a person, and over once. A call is about its table and says what
-- for, as its entry in the log does; those from before calls had a reason have none. A late slip
-- is one that is on its way, a variance is of a session as it opens or closes, and another seal, a count that is
-- overdue and a variance of the drop are of a drop box that was taken off, another box hangs where one is mounted; a late
-- case is open. Rounds and sessions are of its table, and what is of the house - the seal, the log, a person locked out -
-- has no table. A break is due of who deals at its table.

CREATE OR REPLACE FUNCTION alarm_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.taken_at IS NOT NULL OR NEW.over_at IS NOT NULL THEN
            RAISE EXCEPTION 'an alarm begins with nobody who took it' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'call' AND NEW.subject IS DISTINCT FROM 'table:' || NEW.table_id THEN
            RAISE EXCEPTION 'a call is about its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'call' AND NEW.reason IS NULL THEN
            RAISE EXCEPTION 'a call has its reason' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'slip_late' AND NOT EXISTS (
            SELECT FROM tables_slip
            WHERE NEW.subject = 'slip:' || id AND table_id = NEW.table_id AND status = 'ISSUED') THEN
            RAISE EXCEPTION 'a late slip is on its way from or to its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind IN ('opener_variance', 'closer_variance') AND NOT EXISTS (
            SELECT FROM tables_session s JOIN payouts_movement m ON m.subject = NEW.subject AND m.kind = 'variance'
            WHERE NEW.subject = 'session:' || s.id AND s.table_id = NEW.table_id
                AND s.status = CASE NEW.kind WHEN 'closer_variance' THEN 'CLOSED' ELSE 'OPEN' END) THEN
            RAISE EXCEPTION 'a variance is of a session of its table, as it opens or closes' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'case_late' AND NOT EXISTS (
            SELECT FROM tables_case
            WHERE NEW.subject = 'case:' || id AND table_id = NEW.table_id AND status = 'OPEN') THEN
            RAISE EXCEPTION 'a late case of its table is open' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'drop_box_seal' AND NOT EXISTS (
            SELECT FROM tables_dropbox
            WHERE NEW.subject = 'drop_box:' || id AND table_id = NEW.table_id AND removed_seal <> seal) THEN
            RAISE EXCEPTION 'another seal is of a drop box of its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'drop_box_swapped' AND NOT EXISTS (
            SELECT FROM tables_dropbox
            WHERE NEW.subject = 'drop_box:' || id AND table_id = NEW.table_id AND status = 'MOUNTED') THEN
            RAISE EXCEPTION 'another drop box hangs where one of its table is mounted' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'large_cash' AND NOT EXISTS (
            SELECT FROM tables_buyin b JOIN tables_session s ON s.id = b.session_id
            WHERE NEW.subject = 'movement:' || b.movement_id AND s.table_id = NEW.table_id AND b.box = NEW.box) THEN
            RAISE EXCEPTION 'large cash is of a buy-in at a box of its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind IN ('drop_box_overdue', 'drop_variance') AND NOT EXISTS (
            SELECT FROM tables_dropbox
            WHERE NEW.subject = 'drop_box:' || id AND table_id = NEW.table_id
                AND CASE NEW.kind WHEN 'drop_variance' THEN cash_units <> recorded_units ELSE status = 'REMOVED' END) THEN
            RAISE EXCEPTION 'a drop box that waits, or its variance, is of its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind IN ('round_held', 'round_long', 'settlement_retried') AND NOT EXISTS (
            SELECT FROM tables_round
            WHERE NEW.subject = 'round:' || id AND table_id = NEW.table_id
                AND CASE NEW.kind WHEN 'round_held' THEN held_at IS NOT NULL WHEN 'round_long' THEN status = 'OPEN'
                    ELSE status = 'CLOSED' AND failures > 0 END) THEN
            RAISE EXCEPTION 'a round of its table is held, open or was tried again' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'settlement_late' AND (NEW.subject IS DISTINCT FROM 'table:' || NEW.table_id OR NOT EXISTS (
            SELECT FROM tables_round
            WHERE table_id = NEW.table_id AND status = 'CLOSED' AND held_at IS NULL)) THEN
            RAISE EXCEPTION 'settlement is late at a table of which a round waits' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind IN ('pace', 'float_low', 'void_rate', 'correction_rate') AND NOT EXISTS (
            SELECT FROM tables_session
            WHERE NEW.subject = 'session:' || id AND table_id = NEW.table_id AND status = 'OPEN') THEN
            RAISE EXCEPTION 'pace, float and rates are of an open session of its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'break_due' AND NOT EXISTS (
            SELECT FROM tables_signon
            WHERE NEW.subject = 'staff:' || staff_id AND table_id = NEW.table_id AND signed_off_at IS NULL) THEN
            RAISE EXCEPTION 'a break is due of who deals at its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind = 'luck' AND NOT EXISTS (
            SELECT FROM tables_luckday
            WHERE NEW.subject = 'luck_day:' || id AND table_id = NEW.table_id AND rounds > 0) THEN
            RAISE EXCEPTION 'what luck does not explain is of a year of its table' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.kind IN ('seal_late', 'log_damaged', 'lock_out') AND NOT (NEW.table_id IS NULL AND CASE NEW.kind
            WHEN 'seal_late' THEN NEW.subject = 'house'
                AND (SELECT sum(seq) FROM audit_chain) > (SELECT sealed FROM audit_sealing)
            WHEN 'log_damaged' THEN EXISTS (
                SELECT FROM audit_finding WHERE NEW.subject = 'inspection:' || inspection_id AND accepted_at IS NULL)
            ELSE EXISTS (SELECT FROM casino_staff WHERE NEW.subject = 'staff:' || id)
                AND EXISTS (SELECT FROM axes_accessattempt WHERE username = NEW.subject) END) THEN
            RAISE EXCEPTION 'what is of the house stands at no table, and has its reason' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.over_at IS NOT NULL THEN
        RAISE EXCEPTION 'alarm % is over', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.id, NEW.kind, NEW.subject, NEW.table_id, NEW.reason, NEW.box, NEW.value, NEW.bound, NEW.raised_at,
        NEW.raised_by_id)
       IS DISTINCT FROM (OLD.id, OLD.kind, OLD.subject, OLD.table_id, OLD.reason, OLD.box, OLD.value, OLD.bound,
        OLD.raised_at, OLD.raised_by_id) THEN
        RAISE EXCEPTION 'alarm %: what was raised stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.taken_at IS NOT NULL AND (NEW.taken_by_id, NEW.taken_at, NEW.word, NEW.salt)
       IS DISTINCT FROM (OLD.taken_by_id, OLD.taken_at, OLD.word, OLD.salt) THEN
        RAISE EXCEPTION 'alarm %: who took it stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.taken_at IS NOT DISTINCT FROM OLD.taken_at) = (NEW.over_at IS NULL) THEN
        RAISE EXCEPTION 'alarm %: it is taken, or it is over, one at a time', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_alarm FOR EACH ROW EXECUTE FUNCTION alarm_moves();
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_alarm IS
    'An alarm begins with nobody who took it, a call is about its table and has its reason, a late slip is on its way, a variance is of a'
    ' session of its table, another seal, a count overdue or a variance of the drop of a'
    ' drop box of it that was taken off, another box of one that is mounted, large cash of a buy-in at it, a late case is open;'
    ' a round of its table is held, open or waits for its settlement, pace, float and rates are of an open session of it,'
    ' what luck does not explain of a year of it;'
    ' what is of the house has no table, and something is not sealed, waits to be accepted, or a person mistyped a password;'
    ' what was raised stays, and so does who took it and their word. A row changes when it is'
    ' taken, and when it is over: one at a time, each once.';

CREATE OR REPLACE FUNCTION call_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'alarm:' || NEW.id AND chain_id = NEW.subject AND event = 'alarm.raised'
            AND by = 'staff:' || NEW.raised_by_id
            AND body::jsonb #>> '{facts,kind}' = NEW.kind AND body::jsonb #>> '{facts,reason}' = NEW.reason
    ) THEN
        RAISE EXCEPTION 'call %: the log has no entry that gives its reason', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_alarm;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT ON tables_alarm DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'call') EXECUTE FUNCTION call_is_logged();
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_alarm IS
    'When the transaction ends, the log has the entry of a call: at which table, by whom, and for which reason.';

COMMENT ON INDEX alarm_one_stands IS 'Of one kind at most one alarm that is not over stands for each subject.';
COMMENT ON CONSTRAINT alarm_about_something ON tables_alarm IS 'An alarm is of a kind and about something.';
COMMENT ON CONSTRAINT alarm_kind_known ON tables_alarm IS
    'An alarm is a call, a slip or a case that is late, the variance of an opener, of a closer or of a drop, of a drop box'
    ' that has another seal, is another one or waits for too long, or large cash at a box; a round that is held or open for'
    ' long, a settlement that is late or tried again, pace, float, voids or corrections out of range, a seal that is late, a'
    ' log that is damaged, a person locked out, the break of a croupier that is due, or more lost than luck explains.';
COMMENT ON CONSTRAINT alarm_call_by_person ON tables_alarm IS
    'A person raises a call, at a table and by no measure; no person raises an alarm of another kind.';
COMMENT ON CONSTRAINT alarm_reason_known ON tables_alarm IS
    'A call has a reason of the list, or none, if it is from before calls had reasons; no other alarm has one.';
COMMENT ON CONSTRAINT alarm_taken_whole ON tables_alarm IS
    'An alarm that is taken has its person and its time, and a word has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT alarm_call_answered ON tables_alarm IS 'A call is over only when somebody has taken it.';

-- What an inspection asks of words: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION alarm_digests(asked bigint[]) RETURNS TABLE (id bigint, word text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT a.id, CASE WHEN a.word <> '' THEN encode(sha256(convert_to(a.salt || a.word, 'UTF8')), 'hex') END
    FROM tables_alarm a WHERE a.id = ANY (asked)
$$;
COMMENT ON FUNCTION alarm_digests(bigint[]) IS
    'The SHA-256 of the words of those who took alarms behind their salts, as the log has them; NULL where there is'
    ' none.';
