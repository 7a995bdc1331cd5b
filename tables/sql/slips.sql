-- A slip. It begins requested, in an open session of its table, with the next number of its kind and year and whole chips
-- of the table's set; what it says stays. REQUESTED -> ISSUED -> RECEIVED or RETURNED, REQUESTED -> VOIDED. A received
-- one was counted by the two who receive it, and both counted what it says. Chips of a slip move in its own movements
-- alone, out and back, all of them at once; and into and out of a float in its open session.

CREATE OR REPLACE FUNCTION chips_worth(chips jsonb, denominations bigint[]) RETURNS numeric
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
    SELECT CASE WHEN bool_and(worth IS NOT NULL) THEN sum(worth) END
    FROM (SELECT CASE WHEN key = ANY (denominations::text[]) AND jsonb_typeof(value) = 'number'
                           AND value #>> '{}' ~ '^[1-9][0-9]{0,5}$'
                      THEN key::numeric * (value #>> '{}')::numeric END AS worth
          FROM jsonb_each(CASE jsonb_typeof(chips) WHEN 'object' THEN chips ELSE '{}' END)) chip
$$;
COMMENT ON FUNCTION chips_worth(jsonb, bigint[]) IS
    'What chips come to, value to number; NULL where they are none, or not whole chips of these denominations.';

CREATE OR REPLACE FUNCTION slip_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ground record;
    fault text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT s.business_date, c.denominations INTO ground
        FROM tables_session s JOIN tables_table t ON t.id = s.table_id JOIN casino_chipset c ON c.id = t.chip_set_id
        WHERE s.id = NEW.session_id AND s.table_id = NEW.table_id AND s.status = 'OPEN' FOR SHARE OF s;
        fault := CASE
            WHEN NOT FOUND THEN 'its table has no such open session'
            WHEN NEW.status <> 'REQUESTED' OR NEW.prints <> 0 THEN 'it begins requested'
            WHEN NEW.year IS DISTINCT FROM extract(year FROM ground.business_date) THEN 'its year is its session''s'
            WHEN NEW.number IS DISTINCT FROM
                (SELECT last FROM tables_slipnumber WHERE (kind, year) = (NEW.kind, NEW.year))
                THEN 'its number is not the one that was taken'
            WHEN chips_worth(NEW.denominations, ground.denominations) IS DISTINCT FROM NEW.units
                THEN 'its chips are not whole chips of the table''s set, or do not come to its units'
            WHEN NEW.exchanged IS NOT NULL
                AND chips_worth(NEW.exchanged, ground.denominations) IS DISTINCT FROM NEW.units
                THEN 'what is given for its chips is not of equal worth'
        END;
    ELSE
        fault := CASE
            WHEN (NEW.id, NEW.kind, NEW.year, NEW.number, NEW.table_id, NEW.session_id, NEW.denominations, NEW.exchanged,
                  NEW.units, NEW.requested_by_id, NEW.requested_at)
                IS DISTINCT FROM (OLD.id, OLD.kind, OLD.year, OLD.number, OLD.table_id, OLD.session_id,
                  OLD.denominations, OLD.exchanged, OLD.units, OLD.requested_by_id, OLD.requested_at)
                THEN 'what was requested stays'
            WHEN NEW.status = OLD.status AND to_jsonb(NEW) - 'prints' IS DISTINCT FROM to_jsonb(OLD) - 'prints'
                OR NEW.prints <> OLD.prints + (NEW.status = OLD.status)::int
                THEN 'it is printed, or takes one step'
            WHEN NEW.status <> OLD.status
                AND (OLD.status::text, NEW.status::text) NOT IN (('REQUESTED', 'ISSUED'), ('REQUESTED', 'VOIDED'),
                    ('ISSUED', 'RECEIVED'), ('ISSUED', 'RETURNED'))
                THEN format('%s does not become %s', OLD.status, NEW.status)
            WHEN OLD.status <> 'REQUESTED'
                AND (NEW.issued_by_id, NEW.issued_at, NEW.carried_by_id, NEW.out_id)
                IS DISTINCT FROM (OLD.issued_by_id, OLD.issued_at, OLD.carried_by_id, OLD.out_id)
                THEN 'who issued it stays'
            WHEN NEW.status = 'RECEIVED' AND OLD.status = 'ISSUED' AND 2 <> (
                SELECT count(*) FROM tables_count c
                WHERE c.of = 'slip:' || NEW.id AND c.denominations = NEW.denominations
                    AND (c.place, c.by_id) IN ((1, NEW.received_by_id), (2, NEW.received_with_id))
                    AND c.attempt = (SELECT max(attempt) FROM tables_count WHERE of = 'slip:' || NEW.id))
                THEN 'the two who receive it have not counted what it says'
        END;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'slip %: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_slip FOR EACH ROW EXECUTE FUNCTION slip_moves();
ALTER TABLE tables_slip ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_slip IS
    'A slip begins REQUESTED in an open session of its table, with the next number of its kind and year and whole chips of'
    ' the table''s set; what it says stays. It is received when the two who receive it have counted what it says, and a'
    ' print is a change of its own. Moves: REQUESTED to ISSUED, REQUESTED to VOIDED, ISSUED to RECEIVED, ISSUED to'
    ' RETURNED.';

CREATE OR REPLACE FUNCTION slip_has_moved() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (VALUES
            (NEW.out_id, CASE NEW.kind WHEN 'fill' THEN 'fill_issued' ELSE 'credit' END),
            (NEW.back_id, CASE NEW.kind || ' ' || NEW.status WHEN 'fill RECEIVED' THEN 'fill'
                WHEN 'fill RETURNED' THEN 'fill_returned' WHEN 'credit RECEIVED' THEN 'credit_received'
                ELSE 'credit_returned' END)) AS step (movement, kind)
        WHERE step.movement IS NOT NULL AND NOT EXISTS (
            SELECT FROM payouts_movement m
            WHERE (m.id, m.subject, m.kind) = (step.movement, 'slip:' || NEW.id, step.kind))) THEN
        RAISE EXCEPTION 'slip %: a movement that it names is not its own', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER names_its_movements BEFORE INSERT OR UPDATE ON tables_slip
    FOR EACH ROW EXECUTE FUNCTION slip_has_moved();
ALTER TABLE tables_slip ENABLE ALWAYS TRIGGER names_its_movements;
COMMENT ON TRIGGER names_its_movements ON tables_slip IS
    'The movements that a slip names are its own: out by its kind, back by how it ended.';

CREATE OR REPLACE FUNCTION transfer_of_slip() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
BEGIN
    SELECT kind, subject, number, denominations INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF NOT starts_with(moved.subject, 'slip:') THEN
        RETURN NEW;
    END IF;
    PERFORM FROM tables_slip p JOIN tables_session s ON s.id = p.session_id
    WHERE moved.subject = 'slip:' || p.id AND s.business_date = NEW.business_date
        AND moved.denominations = p.denominations AND moved.number = 1
        AND starts_with(moved.kind, p.kind)
        AND p.status = CASE WHEN moved.kind IN ('fill_issued', 'credit') THEN 'REQUESTED' ELSE 'ISSUED' END
        AND (s.status = 'OPEN' OR moved.kind = 'credit_received')
        AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id)
                        AND a.owner NOT IN ('house', 'table:' || p.table_id)) FOR SHARE OF s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'transfer %: its movement is not the next of a slip, with its chips, at its table on its day',
            NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_slip BEFORE INSERT ON payouts_transfer
    FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL) EXECUTE FUNCTION transfer_of_slip();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_slip;
COMMENT ON TRIGGER joins_slip ON payouts_transfer IS
    'Chips of a slip move by its next step alone, all of them, at its table and on its day; but for a credit that the cage'
    ' receives, in its open session.';

CREATE OR REPLACE FUNCTION movement_of_slip() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF starts_with(NEW.subject, 'slip:')
       AND NOT EXISTS (SELECT FROM tables_slip WHERE NEW.subject = 'slip:' || id AND NEW.id IN (out_id, back_id)) THEN
        RAISE EXCEPTION 'movement %: its slip does not name it', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS is_named ON payouts_movement;
CREATE CONSTRAINT TRIGGER is_named AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION movement_of_slip();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER is_named;
COMMENT ON TRIGGER is_named ON payouts_movement IS
    'When the transaction ends, the slip of a movement names it as its way out or back.';

-- Numbers grow by one, each with its slip.
CREATE OR REPLACE FUNCTION slip_number_grows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' AND NEW.last <> 1
       OR TG_OP = 'UPDATE' AND (NEW.id, NEW.kind, NEW.year, NEW.last) IS DISTINCT FROM
           (OLD.id, OLD.kind, OLD.year, OLD.last + 1) THEN
        RAISE EXCEPTION 'numbers of slips begin at 1 and grow by one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER grows BEFORE INSERT OR UPDATE ON tables_slipnumber
    FOR EACH ROW EXECUTE FUNCTION slip_number_grows();
ALTER TABLE tables_slipnumber ENABLE ALWAYS TRIGGER grows;
COMMENT ON TRIGGER grows ON tables_slipnumber IS 'The numbers of a kind of slip in a year begin at 1 and grow by one.';

CREATE OR REPLACE FUNCTION slip_number_is_used() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_slip WHERE (kind, year, number) = (NEW.kind, NEW.year, NEW.last)) THEN
        RAISE EXCEPTION 'the number % of % % has no slip', NEW.last, NEW.kind, NEW.year
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS is_used ON tables_slipnumber;
CREATE CONSTRAINT TRIGGER is_used AFTER INSERT OR UPDATE ON tables_slipnumber DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION slip_number_is_used();
ALTER TABLE tables_slipnumber ENABLE ALWAYS TRIGGER is_used;
COMMENT ON TRIGGER is_used ON tables_slipnumber IS 'When the transaction ends, the number that was taken has its slip.';

-- Two people count: the first, and the second blind to the first. Another attempt begins when both have counted; what
-- opens and closes a table is counted twice at most, then a pit boss says which count stands (see sessions.sql).
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    last record;
    ground record;
    slot_by bigint;
    slot_first boolean;
BEGIN
    IF starts_with(NEW.of, 'session:') THEN
        SELECT c.denominations, s.counts_from::int, s.counts_from + 1 AS counts_to, s.id AS session,
            t.rake_account_id AS slot INTO ground
        FROM tables_session s JOIN tables_table t ON t.id = s.table_id JOIN casino_chipset c ON c.id = t.chip_set_id
        WHERE NEW.of = 'session:' || s.id AND (s.status, NEW.part) IN (('OPENING', 'opener'), ('CLOSING', 'closer'),
            ('CLOSING', 'rake'))
        FOR SHARE OF s;
    ELSIF starts_with(NEW.of, 'cage_shift:') THEN
        SELECT house_chips() AS denominations, s.counts_from::int, s.counts_from + 1 AS counts_to INTO ground
        FROM tables_cageshift s JOIN payouts_account a ON a.kind = 'cage'
        WHERE NEW.of = 'cage_shift:' || s.id AND s.status = 'OPEN' AND NEW.part = 'cage' AND s.counts_from > 0
            AND account_balance(a.id) = s.expected_units
        FOR SHARE OF s;
    ELSIF starts_with(NEW.of, 'drop_box:') THEN
        SELECT house_cash() AS denominations, 1 AS counts_from, 2 AS counts_to INTO ground
        FROM tables_dropbox d
        WHERE NEW.of = 'drop_box:' || d.id AND d.status = 'REMOVED' AND NEW.part = 'drop'
        FOR SHARE OF d;
    ELSIF starts_with(NEW.of, 'tips:') THEN
        SELECT house_chips() AS denominations, 1 AS counts_from, 2 AS counts_to INTO ground
        FROM (SELECT s.business_date FROM tables_session s WHERE NEW.of = tips_ref(s.business_date) LIMIT 1) day
        WHERE NEW.part = 'tips' AND tips_recorded(business_date) > 0
            AND NOT EXISTS (SELECT FROM tables_session s WHERE s.business_date = day.business_date AND status <> 'CLOSED')
            AND NOT EXISTS (SELECT FROM tables_tipcount WHERE date = day.business_date);
    ELSE
        SELECT c.denominations, 1 AS counts_from, NULL::int AS counts_to INTO ground
        FROM tables_slip p JOIN tables_table t ON t.id = p.table_id JOIN casino_chipset c ON c.id = t.chip_set_id
        WHERE NEW.of = 'slip:' || p.id AND p.status = 'ISSUED' AND p.kind = NEW.part;
    END IF;
    IF NOT FOUND OR coalesce(chips_worth(NEW.denominations, ground.denominations), 0) <> NEW.units
       OR (NEW.units = 0) <> (NEW.denominations = '{}') THEN
        RAISE EXCEPTION 'count of %: no chips of what is counted now', NEW.of USING ERRCODE = 'restrict_violation';
    END IF;
    SELECT attempt, place, by_id INTO last FROM tables_count
    WHERE of = NEW.of AND part = CASE NEW.part WHEN 'rake' THEN 'closer' ELSE NEW.part END AND attempt >= ground.counts_from ORDER BY attempt DESC, place DESC LIMIT 1;
    IF (NEW.attempt, NEW.place) IS DISTINCT FROM
       (CASE last.place WHEN 1 THEN last.attempt ELSE coalesce(last.attempt + 1, ground.counts_from) END,
        CASE last.place WHEN 1 THEN 2 ELSE 1 END) THEN
        RAISE EXCEPTION 'count of %: the next is another', NEW.of USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.attempt > ground.counts_to THEN
        RAISE EXCEPTION 'count of %: it was counted twice', NEW.of USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.place = 2 AND last.by_id = NEW.by_id THEN
        RAISE EXCEPTION 'count of %: one person counts twice', NEW.of USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.part = 'closer' THEN
        SELECT max(by_id) FILTER (WHERE place = NEW.place), bool_or(place = 1) INTO slot_by, slot_first FROM tables_count
        WHERE of = NEW.of AND part = 'rake' AND attempt = NEW.attempt;
        IF NEW.place = 1 THEN
            slot_first := rake_moved(ground.session, ground.slot);
        END IF;
        IF slot_by IS DISTINCT FROM (CASE WHEN slot_first THEN NEW.by_id END) THEN
            RAISE EXCEPTION 'count of %: who counts a closer counts the rake slot before it, if rake moved', NEW.of
                USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON tables_count FOR EACH ROW EXECUTE FUNCTION count_follows();
ALTER TABLE tables_count ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON tables_count IS
    'Two people count what is on its way, what opens or closes a table, a drop box that was taken off, the tips of a day'
    ' that has some and whose sessions are CLOSED, or the cage while no chip of it moves, one after the other, and anew'
    ' only when both have: all but slips twice at most; a count has whole chips of the table''s set, of cage and tips any of'
    ' the house, of a drop box its cash, and what they come to. Who counts a closer counts the rake slot too where rake'
    ' moved, and the second where the first did.';

CREATE OR REPLACE FUNCTION rake_goes_with_closer() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_count
                   WHERE (of, part, attempt, place, by_id) = (NEW.of, 'closer', NEW.attempt, NEW.place, NEW.by_id)) THEN
        RAISE EXCEPTION 'count of %: its rake slot is counted with its closer', NEW.of USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS with_closer ON tables_count;
CREATE CONSTRAINT TRIGGER with_closer AFTER INSERT ON tables_count DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.part = 'rake') EXECUTE FUNCTION rake_goes_with_closer();
ALTER TABLE tables_count ENABLE ALWAYS TRIGGER with_closer;
COMMENT ON TRIGGER with_closer ON tables_count IS
    'When the transaction ends, the count of a rake slot goes with that of the closer by the same person.';

COMMENT ON CONSTRAINT slip_number_once ON tables_slip IS 'A number of a kind and a year is given once.';
COMMENT ON CONSTRAINT slip_kind_whole ON tables_slip IS 'A slip is a fill, a credit or a change, and a change alone says what is given for its chips.';
COMMENT ON CONSTRAINT slip_numbers_positive ON tables_slip IS 'A slip is of chips, numbered from 1.';
COMMENT ON CONSTRAINT slip_issued_whole ON tables_slip IS 'A slip that set out says who issued it and when; another does not.';
COMMENT ON CONSTRAINT slip_received_whole ON tables_slip IS 'A RECEIVED slip says when and by which two people; another does not.';
COMMENT ON CONSTRAINT slip_voided_whole ON tables_slip IS
    'A slip that was sent back or voided says why, when and by which two people; its reason has a salt, so its hash tells nothing.';
COMMENT ON CONSTRAINT slip_moves_its_chips ON tables_slip IS
    'A fill and a credit name the movement by which they set out, and once they ended the one back; a change moves nothing.';
COMMENT ON CONSTRAINT slip_four_eyes ON tables_slip IS
    'Who asks does not issue, who issues neither receives nor is the witness, and two different people receive, send back and void.';
COMMENT ON CONSTRAINT slip_denominations_readable ON tables_slip IS
    'The chips are JSON that the product can read: not too long, not too deep, no endless numbers.';
COMMENT ON CONSTRAINT slip_exchanged_readable ON tables_slip IS
    'The chips that are given are JSON that the product can read: not too long, not too deep, no endless numbers.';
COMMENT ON CONSTRAINT count_denominations_readable ON tables_count IS
    'The chips are JSON that the product can read: not too long, not too deep, no endless numbers.';
COMMENT ON CONSTRAINT slipnumber_once ON tables_slipnumber IS 'A kind and a year have one row.';
COMMENT ON CONSTRAINT count_once ON tables_count IS 'Each of the two counts once an attempt.';
COMMENT ON CONSTRAINT count_places ON tables_count IS 'Two people count, at each attempt.';

-- What an inspection asks of reasons: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION slip_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT p.id, CASE WHEN p.reason <> '' THEN encode(sha256(convert_to(p.salt || p.reason, 'UTF8')), 'hex') END
    FROM tables_slip p WHERE p.id = ANY (asked)
$$;
COMMENT ON FUNCTION slip_digests(bigint[]) IS
    'The SHA-256 of the reasons of slips behind their salts, as the log has them; NULL where there is none.';
