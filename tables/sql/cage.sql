-- A shift of the cage: OPEN -> CLOSED, one at a time. It is opened on the gaming day of now, and that stays. Chips are
-- issued, taken out of use, sold and cashed in an open shift alone, on its day. It closes with what two people counted
-- the same, or of two counts that differed twice with one; what that is more or less than the books had in the cage when
-- they began to count is its variance, and moves with it.

CREATE OR REPLACE FUNCTION house_chips() RETURNS bigint[] LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT array_agg(DISTINCT chip) FROM casino_chipset, unnest(denominations) chip
$$;
COMMENT ON FUNCTION house_chips() IS 'The values of all chips of the house, in the smallest unit.';

-- Who counts the cage holds its account, so that no chip of it moves between what is asked and what is written. The app's
-- role may lock no account: the owner does.
CREATE OR REPLACE FUNCTION hold_cage() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    cage bigint;
BEGIN
    SELECT id INTO cage FROM payouts_account WHERE kind = 'cage' FOR UPDATE;
    RETURN account_balance(cage);
END $$;
COMMENT ON FUNCTION hold_cage() IS
    'What the books have in the cage, whose chips nobody else moves until the transaction ends.';

CREATE OR REPLACE FUNCTION cage_shift_opens() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.status <> 'OPEN' OR NEW.counts_from <> 0 OR NEW.business_date IS DISTINCT FROM business_date() THEN
        RAISE EXCEPTION 'a shift of the cage begins open, on the gaming day of now' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opens BEFORE INSERT ON tables_cageshift FOR EACH ROW EXECUTE FUNCTION cage_shift_opens();
ALTER TABLE tables_cageshift ENABLE ALWAYS TRIGGER opens;
COMMENT ON TRIGGER opens ON tables_cageshift IS 'A shift begins OPEN, on the gaming day of now; nothing is counted yet.';

CREATE OR REPLACE FUNCTION cage_shift_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    counting text[] := ARRAY['counts_from', 'expected_units'];
    closing text[] := ARRAY['status', 'closed_at', 'closed_by_id', 'closed_with_id', 'denominations', 'variance_units',
        'reason', 'salt'];
    fault text := CASE
        WHEN OLD.status = 'CLOSED' THEN 'what it was closed with stays'
        WHEN to_jsonb(NEW) - counting - closing IS DISTINCT FROM to_jsonb(OLD) - counting - closing
            THEN 'what it was opened with stays'
        WHEN NEW.status = 'CLOSED' AND (NEW.counts_from, NEW.expected_units)
            IS DISTINCT FROM (OLD.counts_from, OLD.expected_units)
            THEN 'it closes with the count that was begun'
        WHEN NEW.status = 'OPEN' AND (NEW.counts_from, NEW.expected_units)
            IS DISTINCT FROM (OLD.counts_from, OLD.expected_units)
            AND (NEW.counts_from <> 1 + (SELECT coalesce(max(attempt), 0) FROM tables_count
                                         WHERE of = 'cage_shift:' || NEW.id AND part = 'cage')
                OR NEW.expected_units IS DISTINCT FROM (SELECT account_balance(id) FROM payouts_account
                                                        WHERE kind = 'cage'))
            THEN 'each count begins anew, with what the books have in the cage'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'shift % of the cage: %', OLD.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE UPDATE ON tables_cageshift FOR EACH ROW EXECUTE FUNCTION cage_shift_moves();
ALTER TABLE tables_cageshift ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_cageshift IS
    'What a shift was opened with stays; once CLOSED all of it stays. Each count begins anew, with what the books have in'
    ' the cage then. Moves: OPEN to CLOSED.';

CREATE OR REPLACE FUNCTION cage_shift_ends() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ref text := 'cage_shift:' || NEW.id;
    varied bigint := (SELECT coalesce(sum(CASE a.kind WHEN 'cage' THEN t.units ELSE -t.units END), 0)
                      FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id
                      JOIN payouts_account a ON a.id = t.debit_id WHERE m.subject = ref AND m.kind = 'variance');
    fault text := CASE
        WHEN count_stands(ref, 'cage', NEW.counts_from, NEW.denominations) IS NOT TRUE
            THEN 'it is not what two people counted'
        WHEN NEW.variance_units IS DISTINCT FROM
            coalesce(chips_worth(NEW.denominations, house_chips()), 0) - NEW.expected_units
            THEN 'its variance is not what was counted less what was expected'
        WHEN NEW.variance_units IS DISTINCT FROM varied THEN 'its variance has not moved'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'shift % of the cage does not close: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ends BEFORE UPDATE OF status ON tables_cageshift FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION cage_shift_ends();
ALTER TABLE tables_cageshift ENABLE ALWAYS TRIGGER ends;
COMMENT ON TRIGGER ends ON tables_cageshift IS
    'A shift closes with what two people counted, or of two counts that differed twice with one, and its variance has'
    ' moved: that less what the books had in the cage.';

CREATE OR REPLACE FUNCTION transfer_of_cage_shift() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
    worth numeric;
BEGIN
    SELECT kind, subject, number, denominations INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF starts_with(moved.subject, 'cage_shift:') IS NOT TRUE THEN
        RETURN NEW;
    END IF;
    PERFORM FROM tables_cageshift s
    WHERE moved.subject = 'cage_shift:' || s.id AND s.status = 'OPEN' AND s.business_date = NEW.business_date
        AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id) AND a.owner <> 'house')
    FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'transfer %: its movement is not of the open shift of the cage, on its day', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF moved.kind = 'variance' AND moved.number <> 1 THEN
        RAISE EXCEPTION 'transfer %: a shift has one variance', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    -- Nobody knows which chips a variance is of, and nobody need know which were sold and cashed.
    worth := chips_worth(moved.denominations, house_chips());
    IF worth IS NULL AND NOT (moved.kind IN ('variance', 'sold', 'cashed')
        AND moved.denominations = jsonb_build_object('1', NEW.units)) THEN
        RAISE EXCEPTION 'transfer %: its chips are not whole chips of the house', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_cage_shift BEFORE INSERT ON payouts_transfer
    FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL) EXECUTE FUNCTION transfer_of_cage_shift();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_cage_shift;
COMMENT ON TRIGGER joins_cage_shift ON payouts_transfer IS
    'Chips of a shift of the cage move while it is OPEN, on its day, between accounts of the house; they are whole chips'
    ' of the house, or of a variance, of chips sold and cashed a sum. A shift has one variance.';

CREATE OR REPLACE FUNCTION variance_closes_shift() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_cageshift WHERE NEW.subject = 'cage_shift:' || id AND status = 'CLOSED') THEN
        RAISE EXCEPTION 'movement %: its shift of the cage does not close', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS closes_shift ON payouts_movement;
CREATE CONSTRAINT TRIGGER closes_shift AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'variance' AND starts_with(NEW.subject, 'cage_shift:'))
    EXECUTE FUNCTION variance_closes_shift();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER closes_shift;
COMMENT ON TRIGGER closes_shift ON payouts_movement IS
    'When the transaction ends, the shift of the cage whose variance has moved is CLOSED.';

COMMENT ON INDEX cageshift_one_open IS 'One shift of the cage is OPEN at a time.';
COMMENT ON CONSTRAINT cageshift_count_whole ON tables_cageshift IS
    'A shift that is counted says from which attempt on, and what the books had in the cage when it began.';
COMMENT ON CONSTRAINT cageshift_closed_whole ON tables_cageshift IS
    'A CLOSED shift says when and by which two people, with which chips and what variance; an OPEN one says nothing of it.';
COMMENT ON CONSTRAINT cageshift_four_eyes ON tables_cageshift IS 'Two different people close a shift of the cage.';
COMMENT ON CONSTRAINT cageshift_reason_salted ON tables_cageshift IS
    'A reason has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT cageshift_denominations_readable ON tables_cageshift IS
    'The chips are JSON that the product can read: not too long, not too deep, no endless numbers.';

-- What an inspection asks of reasons: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION cage_shift_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.id, CASE WHEN s.reason <> '' THEN encode(sha256(convert_to(s.salt || s.reason, 'UTF8')), 'hex') END
    FROM tables_cageshift s WHERE s.id = ANY (asked)
$$;
COMMENT ON FUNCTION cage_shift_digests(bigint[]) IS
    'The SHA-256 of the reasons of shifts behind their salts, as the log has them; NULL where there is none.';
