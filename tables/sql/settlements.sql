-- A round and its settlement. A round takes a settlement that is whole, its own and a later one: of its table, its sheet,
-- its newest line and the right day. Every settlement is taken by its round in the transaction that makes it, and nothing joins it
-- after that.

CREATE OR REPLACE FUNCTION round_takes_settlement() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    taken record;
    fault text;
BEGIN
    SELECT s.key, s.round_key, s.table_key, s.generation, s.line_ordinal, s.sheet_digest, s.business_date,
        (SELECT generation FROM payouts_settlement WHERE id = OLD.settlement_id) AS before,
        (SELECT digest FROM tables_rulesheet WHERE id = NEW.sheet_id) AS digest,
        (SELECT max(ordinal) FROM tables_line WHERE round_id = NEW.id) AS newest,
        (SELECT business_date FROM tables_session WHERE id = NEW.session_id) AS day
    INTO taken FROM payouts_settlement s WHERE s.id = NEW.settlement_id;
    IF (taken.round_key = 'round:' || NEW.id AND taken.generation > coalesce(taken.before, 0)) IS NOT TRUE THEN
        RAISE EXCEPTION 'round %: only a later settlement of its own', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF taken.generation > 1 THEN
        taken.day := coalesce((SELECT business_date FROM tables_session WHERE table_id = NEW.table_id AND status <> 'CLOSED'),
                              business_date());
    END IF;
    fault := settlement_fault(NEW.settlement_id);
    IF fault IS NOT NULL THEN
        NULL;  -- that says most
    ELSIF taken.table_key <> 'table:' || NEW.table_id THEN
        fault := 'it is of another table';
    ELSIF taken.sheet_digest IS DISTINCT FROM taken.digest THEN
        fault := 'it is by another sheet';
    ELSIF taken.line_ordinal IS DISTINCT FROM taken.newest THEN
        fault := 'it is not of the newest line';
    ELSIF taken.business_date IS DISTINCT FROM taken.day THEN
        fault := 'its business date is not ' || coalesce(taken.day::text, 'known');
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'settlement %: %', taken.key, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER takes_settlement BEFORE UPDATE OF settlement_id ON tables_round FOR EACH ROW
    WHEN (NEW.settlement_id IS DISTINCT FROM OLD.settlement_id) EXECUTE FUNCTION round_takes_settlement();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER takes_settlement;
COMMENT ON TRIGGER takes_settlement ON tables_round IS
    'A round takes a settlement of its own that is whole and later than the one before it, of its table, its sheet,'
    ' its newest line and the right day.';

CREATE OR REPLACE FUNCTION settlement_is_taken() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_round WHERE id = substring(NEW.round_key FROM 7)::bigint
                   AND settlement_id = NEW.id) THEN
        RAISE EXCEPTION 'settlement %: its round does not take it', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS taken ON payouts_settlement;
CREATE CONSTRAINT TRIGGER taken AFTER INSERT ON payouts_settlement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION settlement_is_taken();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER taken;
COMMENT ON TRIGGER taken ON payouts_settlement IS 'When the transaction ends, the round has taken this very settlement.';

-- A later generation that the round had taken instead would be of another transaction.
CREATE OR REPLACE FUNCTION joins_before_taken() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM added WHERE EXISTS (
            SELECT FROM tables_round WHERE settlement_id = added.settlement_id OFFSET 0)) THEN
        RAISE EXCEPTION '%: the round has taken its settlement already', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER before_taken AFTER INSERT ON payouts_payment REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION joins_before_taken();
ALTER TABLE payouts_payment ENABLE ALWAYS TRIGGER before_taken;
COMMENT ON TRIGGER before_taken ON payouts_payment IS 'No payment joins a settlement that its round has taken.';

CREATE OR REPLACE TRIGGER before_taken AFTER INSERT ON payouts_transfer REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION joins_before_taken();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER before_taken;
COMMENT ON TRIGGER before_taken ON payouts_transfer IS 'No transfer joins a settlement that its round has taken.';

-- A closed table has no chips, and a correction leaves it none: what its later settlement moves into the float or the rake
-- slot, or out of it, the cage takes or gives in the same transaction. The chips of a round that was entered from paper
-- when its session was closed were counted with that session's closer: what its first settlement moves, the variance
-- takes or gives, whether the table is closed or not.
CREATE OR REPLACE FUNCTION correction_unevened(asked text, of_table text) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH made AS (
        SELECT t.debit_id, t.credit_id, t.units FROM payouts_settlement s JOIN payouts_transfer t ON t.settlement_id = s.id
        WHERE s.round_key = asked AND s.made_in = pg_current_xact_id() AND s.begun_at = now()
        UNION ALL
        SELECT t.debit_id, t.credit_id, t.units FROM payouts_movement m JOIN payouts_transfer t ON t.movement_id = m.id
        WHERE m.subject = asked AND m.kind = 'correction' AND m.made_in = pg_current_xact_id() AND m.begun_at = now())
    SELECT min(kind) FROM payouts_account a
    WHERE owner = of_table AND kind IN ('float', 'rake')
        AND coalesce((SELECT sum(CASE WHEN debit_id = a.id THEN units ELSE -units END) FROM made
                      WHERE a.id IN (debit_id, credit_id)), 0) <> 0
        AND (NOT EXISTS (SELECT FROM tables_session WHERE 'table:' || table_id = of_table AND status <> 'CLOSED')
            OR EXISTS (SELECT FROM payouts_settlement WHERE round_key = asked AND generation = 1
                       AND made_in = pg_current_xact_id() AND begun_at = now()))
$$;
COMMENT ON FUNCTION correction_unevened(text, text) IS
    'The account of a closed table that a correction of this transaction leaves with more or less than before, or of any'
    ' table that a round from paper of a closed session does; NULL for none.';

CREATE OR REPLACE FUNCTION correction_evens() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    asked text := CASE TG_TABLE_NAME WHEN 'payouts_settlement' THEN to_jsonb(NEW) ->> 'round_key'
                  ELSE to_jsonb(NEW) ->> 'subject' END;
    of_table text := (SELECT 'table:' || table_id FROM tables_round WHERE 'round:' || id = asked);
    uneven text := correction_unevened(asked, of_table);
BEGIN
    IF uneven IS NOT NULL THEN
        RAISE EXCEPTION '%: the table is closed, and its correction changes its %', NEW.key, uneven
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS evens ON payouts_settlement;
CREATE CONSTRAINT TRIGGER evens AFTER INSERT ON payouts_settlement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.generation > 1) EXECUTE FUNCTION correction_evens();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER evens;
COMMENT ON TRIGGER evens ON payouts_settlement IS
    'When the transaction ends, a later settlement of a round at a closed table has left its float and its rake slot as'
    ' they were: the cage has given or taken what it moved.';
DROP TRIGGER IF EXISTS evens ON payouts_movement;
CREATE CONSTRAINT TRIGGER evens AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'correction') EXECUTE FUNCTION correction_evens();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER evens;
COMMENT ON TRIGGER evens ON payouts_movement IS
    'When the transaction ends, the cage has given or taken what a later settlement of the round at its closed table moved,'
    ' and no more.';

CREATE OR REPLACE FUNCTION paper_evens() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    uneven text := CASE WHEN EXISTS (SELECT FROM tables_session WHERE id = NEW.session_id AND closed_at < NEW.opened_at)
        THEN correction_unevened('round:' || NEW.id, 'table:' || NEW.table_id) END;
BEGIN
    IF uneven IS NOT NULL THEN
        RAISE EXCEPTION 'round %: its session is closed, and it changes the table''s %', NEW.id, uneven
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS evens ON tables_round;
CREATE CONSTRAINT TRIGGER evens AFTER UPDATE OF status ON tables_round DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.paper IS NOT NULL AND OLD.status = 'CLOSED' AND NEW.status = 'SETTLED')
    EXECUTE FUNCTION paper_evens();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER evens;
COMMENT ON TRIGGER evens ON tables_round IS
    'When the transaction ends, a round that was entered from paper when its session was closed has left float and rake slot'
    ' as they were: the variance has given or taken what it moved.';

CREATE OR REPLACE FUNCTION transfer_of_correction() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moved record;
BEGIN
    SELECT kind, subject, denominations, requested_by_id, approved_by_id INTO moved FROM payouts_movement WHERE id = NEW.movement_id;
    IF starts_with(moved.subject, 'round:') IS NOT TRUE THEN
        RETURN NEW;
    END IF;
    PERFORM FROM tables_round r JOIN tables_session played ON played.id = r.session_id
    WHERE moved.subject = 'round:' || r.id
        AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id)
                        AND a.owner NOT IN ('house', 'table:' || r.table_id))
        AND CASE WHEN EXISTS (SELECT FROM payouts_account WHERE id IN (NEW.debit_id, NEW.credit_id) AND kind = 'variance')
            THEN played.closed_at < r.opened_at AND NEW.business_date = played.business_date
                AND (moved.requested_by_id, moved.approved_by_id) = (r.opened_by_id, r.opened_with_id)
                AND EXISTS (SELECT FROM payouts_settlement WHERE id = r.settlement_id AND generation = 1
                            AND made_in = pg_current_xact_id() AND begun_at = now())
            ELSE NEW.business_date = business_date()
                AND NOT EXISTS (SELECT FROM tables_session s WHERE s.table_id = r.table_id AND s.status <> 'CLOSED')
            END;
    IF NOT FOUND OR moved.denominations IS DISTINCT FROM jsonb_build_object('1', NEW.units) THEN
        RAISE EXCEPTION 'transfer %: its movement is not the correction of a round at a closed table, a sum, of today, nor that'
            ' of a round from paper of a closed session', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_correction BEFORE INSERT ON payouts_transfer
    FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL) EXECUTE FUNCTION transfer_of_correction();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_correction;
COMMENT ON TRIGGER joins_correction ON payouts_transfer IS
    'The cage gives or takes the difference of a correction at a table that is closed, on the date of what begins now, as a'
    ' sum; the variance what a round moves that two people entered from paper when its session was closed, in their names, as'
    ' it is first settled, on the date of that session.';
