-- Tips: what patrons give goes into the tip box, an amount at a table in an open session, and never touches the float. The
-- tips of a gaming day are counted once, when no session of it is open any more, by two people: what they counted the
-- same, or of two counts that differed twice one. What that is more or less than what was recorded is its variance, and
-- moves with it, so that the account of the tips holds what was counted. No tip comes to a day that was counted.

-- Who counts the tips holds their account, so that none comes between what is asked and what is written. The app's role
-- may lock no account: the owner does.
CREATE OR REPLACE FUNCTION hold_tips() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    tips bigint;
BEGIN
    SELECT id INTO tips FROM payouts_account WHERE kind = 'tips' FOR UPDATE;
    RETURN account_balance(tips);
END $$;
COMMENT ON FUNCTION hold_tips() IS
    'What the books have as tips, to which nobody else adds until the transaction ends.';

CREATE OR REPLACE FUNCTION tips_ref(date) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$ SELECT 'tips:' || to_char($1, 'YYYY-MM-DD') $$;
COMMENT ON FUNCTION tips_ref(date) IS 'The tips of a gaming day, as the log names them.';

CREATE OR REPLACE FUNCTION tips_recorded(date) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce(sum(t.units), 0)::bigint FROM tables_session s
    JOIN payouts_movement m ON m.subject = 'session:' || s.id AND m.kind = 'tip'
    JOIN payouts_transfer t ON t.movement_id = m.id
    WHERE s.business_date = $1
$$;
COMMENT ON FUNCTION tips_recorded(date) IS 'What the tips of a gaming day come to, as the tables entered them, in units.';

CREATE OR REPLACE FUNCTION tips_are_counted() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ref text := tips_ref(NEW.date);
    varied bigint;
    fault text;
BEGIN
    PERFORM hold_tips();
    varied := (SELECT coalesce(sum(CASE a.kind WHEN 'tips' THEN t.units ELSE -t.units END), 0)
               FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id
               JOIN payouts_account a ON a.id = t.debit_id WHERE m.subject = ref AND m.kind = 'variance');
    fault := CASE
        WHEN EXISTS (SELECT FROM tables_session WHERE business_date = NEW.date AND status <> 'CLOSED')
            THEN 'a session of the day is not closed'
        WHEN count_stands(ref, 'tips', 1, NEW.denominations) IS NOT TRUE THEN 'it is not what two people counted'
        WHEN NEW.counted_units IS DISTINCT FROM coalesce(chips_worth(NEW.denominations, house_chips()), 0)
            THEN 'its chips do not come to its units'
        WHEN NEW.recorded_units IS DISTINCT FROM tips_recorded(NEW.date) THEN 'what is recorded is not the sum of its tips'
        WHEN varied IS DISTINCT FROM NEW.counted_units - NEW.recorded_units THEN 'its variance has not moved'
    END;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION '% are not counted: %', ref, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER is_counted BEFORE INSERT ON tables_tipcount FOR EACH ROW EXECUTE FUNCTION tips_are_counted();
ALTER TABLE tables_tipcount ENABLE ALWAYS TRIGGER is_counted;
COMMENT ON TRIGGER is_counted ON tables_tipcount IS
    'The tips of a gaming day are counted when each session of it is CLOSED, with what two people counted, or of two counts'
    ' that differed twice with one; what is recorded is the sum of its tips, and its variance has moved: what was counted'
    ' less that.';

CREATE OR REPLACE FUNCTION transfer_of_tips() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
BEGIN
    SELECT kind, subject, number, denominations INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF starts_with(moved.subject, 'tips:') IS NOT TRUE THEN
        RETURN NEW;
    END IF;
    IF moved.number <> 1 OR moved.subject <> tips_ref(NEW.business_date)
       OR moved.denominations IS DISTINCT FROM jsonb_build_object('1', NEW.units)
       OR NOT EXISTS (SELECT FROM payouts_account WHERE id IN (NEW.debit_id, NEW.credit_id) AND kind = 'tips')
       OR EXISTS (SELECT FROM tables_tipcount WHERE date = NEW.business_date) THEN
        RAISE EXCEPTION 'transfer %: its movement is not the variance of the tips of its day, a sum', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_tips BEFORE INSERT ON payouts_transfer
    FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL) EXECUTE FUNCTION transfer_of_tips();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_tips;
COMMENT ON TRIGGER joins_tips ON payouts_transfer IS
    'The tips of a day have one variance, a sum, to or from their account, on their day and before they are counted.';

-- Whoever adds to the tips waits for who counts them (see `hold_tips`), and is asked when both are through.
CREATE OR REPLACE FUNCTION movement_of_tips() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    counted boolean := EXISTS (SELECT FROM tables_tipcount WHERE date = NEW.business_date);
BEGIN
    IF counted IS DISTINCT FROM (NEW.kind <> 'tip') THEN
        RAISE EXCEPTION 'movement %: %', NEW.key, CASE WHEN counted THEN 'the tips of its day are counted'
            ELSE 'the tips of its day are not counted' END USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS counts_tips ON payouts_movement;
CREATE CONSTRAINT TRIGGER counts_tips AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'tip' OR starts_with(NEW.subject, 'tips:')) EXECUTE FUNCTION movement_of_tips();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER counts_tips;
COMMENT ON TRIGGER counts_tips ON payouts_movement IS
    'When the transaction ends, the tips of the day of a tip are not counted, and those of the day whose variance has'
    ' moved are.';

COMMENT ON CONSTRAINT tables_tipcount_date_key ON tables_tipcount IS 'The tips of a gaming day are counted once.';
COMMENT ON CONSTRAINT tipcount_units_positive ON tables_tipcount IS
    'Tips are counted of a day that has some; what is counted is no less than nothing.';
COMMENT ON CONSTRAINT tipcount_four_eyes ON tables_tipcount IS 'Two different people count the tips of a day.';
COMMENT ON CONSTRAINT tipcount_reason_salted ON tables_tipcount IS
    'A reason has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT tipcount_denominations_readable ON tables_tipcount IS
    'The chips are JSON that the product can read: not too long, not too deep, no endless numbers.';

-- What an inspection asks of reasons: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION tip_count_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.id, CASE WHEN c.reason <> '' THEN encode(sha256(convert_to(c.salt || c.reason, 'UTF8')), 'hex') END
    FROM tables_tipcount c WHERE c.id = ANY (asked)
$$;
COMMENT ON FUNCTION tip_count_digests(bigint[]) IS
    'The SHA-256 of the reasons of counts of tips behind their salts, as the log has them; NULL where there is none.';
