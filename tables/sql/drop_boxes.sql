-- A drop box: MOUNTED -> REMOVED -> COUNTED. Two people mount it in the open session of its table, whose business date it
-- has; a table has one at a time. Two take it off while the session runs, and a session closes without one. A buy-in is
-- the one way in which chips go out of a float for cash: its movement has its row, with the box, in the drop box that is
-- mounted. It is counted once, with the cash that two people counted the same, or of two counts that differed twice with
-- one: that goes to the count room, and what it is more or less than the buy-ins is its variance.

CREATE OR REPLACE FUNCTION house_cash() RETURNS bigint[] LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT cash_denominations FROM casino_casino
$$;
COMMENT ON FUNCTION house_cash() IS 'The values of the notes and coins that are counted, in the smallest unit.';

CREATE OR REPLACE FUNCTION drop_box_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    taken text[] := ARRAY['removed_by_id', 'removed_with_id', 'removed_at', 'removed_seal'];
    counted text[] := ARRAY['counted_by_id', 'counted_with_id', 'counted_at', 'cash_units', 'recorded_units', 'reason',
        'salt'];
    fault text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM FROM tables_session s WHERE s.id = NEW.session_id AND s.table_id = NEW.table_id AND s.status = 'OPEN'
            AND s.business_date = NEW.business_date FOR SHARE;
        fault := CASE
            WHEN NOT FOUND THEN 'it is mounted in an open session of its table, on its day'
            WHEN NEW.status <> 'MOUNTED' THEN 'it begins mounted'
        END;
    ELSE
        PERFORM FROM tables_session s WHERE s.id = NEW.session_id AND s.status IN ('OPEN', 'CLOSING') FOR SHARE;
        fault := CASE
            WHEN to_jsonb(NEW) - 'status' - taken - counted IS DISTINCT FROM to_jsonb(OLD) - 'status' - taken - counted
                THEN 'what was mounted stays'
            WHEN (OLD.status::text, NEW.status::text) NOT IN (('MOUNTED', 'REMOVED'), ('REMOVED', 'COUNTED'))
                THEN format('%s does not become %s', OLD.status, NEW.status)
            WHEN NEW.status = 'COUNTED' AND (NEW.removed_by_id, NEW.removed_with_id, NEW.removed_at, NEW.removed_seal)
                IS DISTINCT FROM (OLD.removed_by_id, OLD.removed_with_id, OLD.removed_at, OLD.removed_seal)
                THEN 'who took it off stays'
            WHEN NEW.status = 'REMOVED' AND NOT FOUND THEN 'it is taken off while its session runs'
        END;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'drop box %: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_dropbox
    FOR EACH ROW EXECUTE FUNCTION drop_box_moves();
ALTER TABLE tables_dropbox ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_dropbox IS
    'A drop box begins MOUNTED in an open session of its table, on its day; what was mounted stays. It is taken off while'
    ' its session runs. Moves: MOUNTED to REMOVED, REMOVED to COUNTED.';

CREATE OR REPLACE FUNCTION drop_box_is_counted() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ref text := 'drop_box:' || NEW.id;
    cash jsonb := coalesce((SELECT denominations FROM payouts_movement WHERE subject = ref AND kind = 'drop'), '{}');
    varied bigint := (SELECT coalesce(sum(CASE a.kind WHEN 'drop_box' THEN t.units ELSE -t.units END), 0)
                      FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id
                      JOIN payouts_account a ON a.id = t.debit_id WHERE m.subject = ref AND m.kind = 'variance');
    fault text := CASE
        WHEN count_stands(ref, 'drop', 1, cash) IS NOT TRUE THEN 'its cash is not what two people counted'
        WHEN NEW.cash_units IS DISTINCT FROM coalesce(chips_worth(cash, house_cash()), 0)
            THEN 'its cash does not come to its units'
        WHEN NEW.recorded_units IS DISTINCT FROM
            (SELECT coalesce(sum(units), 0) FROM tables_buyin WHERE drop_box_id = NEW.id)
            THEN 'what is recorded is not the sum of its buy-ins'
        WHEN varied IS DISTINCT FROM NEW.cash_units - NEW.recorded_units THEN 'its variance has not moved'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'drop box % is not counted: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER is_counted BEFORE UPDATE OF status ON tables_dropbox FOR EACH ROW
    WHEN (OLD.status = 'REMOVED' AND NEW.status = 'COUNTED') EXECUTE FUNCTION drop_box_is_counted();
ALTER TABLE tables_dropbox ENABLE ALWAYS TRIGGER is_counted;
COMMENT ON TRIGGER is_counted ON tables_dropbox IS
    'A drop box is counted with the cash that two people counted, or of two counts that differed twice with one; that has'
    ' moved to the count room, and its variance has moved: that less its buy-ins.';

CREATE OR REPLACE FUNCTION transfer_of_drop_box() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
BEGIN
    SELECT kind, subject, number, denominations INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF starts_with(moved.subject, 'drop_box:') IS NOT TRUE THEN
        RETURN NEW;
    END IF;
    PERFORM FROM tables_dropbox d
    WHERE moved.subject = 'drop_box:' || d.id AND d.status = 'REMOVED' AND d.business_date = NEW.business_date
        AND moved.number = 1
        AND EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id) AND a.kind = 'drop_box'
                    AND a.owner = 'table:' || d.table_id)
    FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'transfer %: its movement is not the first of a drop box that was taken off, on its day', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF moved.kind = 'drop' AND chips_worth(moved.denominations, house_cash()) IS NULL
       OR moved.kind <> 'drop' AND moved.denominations IS DISTINCT FROM jsonb_build_object('1', NEW.units) THEN
        RAISE EXCEPTION 'transfer %: a drop is of notes and coins, and its variance a sum', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_drop_box BEFORE INSERT ON payouts_transfer
    FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL) EXECUTE FUNCTION transfer_of_drop_box();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_drop_box;
COMMENT ON TRIGGER joins_drop_box ON payouts_transfer IS
    'Cash of a drop box moves once it is taken off, on its day, out of the account of its table; a drop is of notes and'
    ' coins of the house and a variance a sum, one of each.';

CREATE OR REPLACE FUNCTION drop_counts_box() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_dropbox WHERE NEW.subject = 'drop_box:' || id AND status = 'COUNTED') THEN
        RAISE EXCEPTION 'movement %: its drop box is not counted', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS counts_box ON payouts_movement;
CREATE CONSTRAINT TRIGGER counts_box AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (starts_with(NEW.subject, 'drop_box:')) EXECUTE FUNCTION drop_counts_box();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER counts_box;
COMMENT ON TRIGGER counts_box ON payouts_movement IS
    'When the transaction ends, the drop box whose cash has moved is COUNTED.';

CREATE OR REPLACE FUNCTION buy_in_goes_in() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
BEGIN
    SELECT m.kind, m.subject, m.requested_by_id, m.approved_by_id, t.units, m.made_in INTO moved
    FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id WHERE m.id = NEW.movement_id;
    IF moved.kind IS DISTINCT FROM 'buy_in' OR moved.made_in IS DISTINCT FROM pg_current_xact_id()
       OR (moved.subject, moved.units, moved.requested_by_id, moved.approved_by_id)
       IS DISTINCT FROM ('session:' || NEW.session_id, NEW.units, NEW.by_id, NEW.approved_by_id) THEN
        RAISE EXCEPTION 'buy-in %: it is not what its movement moves, by its people', NEW.movement_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM FROM tables_dropbox WHERE id = NEW.drop_box_id AND session_id = NEW.session_id AND status = 'MOUNTED'
    FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'buy-in %: its drop box is not mounted in its session', NEW.movement_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER goes_in BEFORE INSERT ON tables_buyin FOR EACH ROW EXECUTE FUNCTION buy_in_goes_in();
ALTER TABLE tables_buyin ENABLE ALWAYS TRIGGER goes_in;
COMMENT ON TRIGGER goes_in ON tables_buyin IS
    'A buy-in is what its movement of the same transaction moves, by its people, into the drop box that is MOUNTED in its'
    ' session.';

CREATE OR REPLACE FUNCTION movement_of_buy_in() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_buyin WHERE movement_id = NEW.id) THEN
        RAISE EXCEPTION 'movement %: no buy-in says into which drop box', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS is_bought ON payouts_movement;
CREATE CONSTRAINT TRIGGER is_bought AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'buy_in') EXECUTE FUNCTION movement_of_buy_in();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER is_bought;
COMMENT ON TRIGGER is_bought ON payouts_movement IS
    'When the transaction ends, a movement of a buy-in has the buy-in that says into which drop box its cash went.';

COMMENT ON INDEX dropbox_one_mounted IS 'A table has one drop box mounted at a time.';
COMMENT ON INDEX dropbox_number_once IS
    'A drop box of a number is at one place at a time: mounted again only when it was counted.';
COMMENT ON CONSTRAINT dropbox_printed ON tables_dropbox IS
    'Numbers and seals are as they are printed: capital letters, digits and hyphens, 20 at most.';
COMMENT ON CONSTRAINT dropbox_removed_whole ON tables_dropbox IS
    'A drop box that was taken off says when, by which two people, and with which seal; a MOUNTED one does not.';
COMMENT ON CONSTRAINT dropbox_counted_whole ON tables_dropbox IS
    'A COUNTED drop box says when and by which two people, what was in it and what was recorded; another one does not.';
COMMENT ON CONSTRAINT dropbox_four_eyes ON tables_dropbox IS
    'Two different people mount a drop box, two take it off, and two count it.';
COMMENT ON CONSTRAINT dropbox_reason_salted ON tables_dropbox IS
    'A reason has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT buyin_numbers_positive ON tables_buyin IS
    'A buy-in is of more than nothing and of a box, at most 1,000,000,000,000 units.';
COMMENT ON CONSTRAINT buyin_four_eyes ON tables_buyin IS 'Whoever signs for a buy-in is another than who enters it.';

-- What an inspection asks of reasons: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION drop_box_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT d.id, CASE WHEN d.reason <> '' THEN encode(sha256(convert_to(d.salt || d.reason, 'UTF8')), 'hex') END
    FROM tables_dropbox d WHERE d.id = ANY (asked)
$$;
COMMENT ON FUNCTION drop_box_digests(bigint[]) IS
    'The SHA-256 of the reasons of drop boxes behind their salts, as the log has them; NULL where there is none.';
