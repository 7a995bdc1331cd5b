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
        SELECT coalesce((SELECT business_date FROM tables_session WHERE table_id = NEW.table_id AND status <> 'CLOSED'),
                        gaming_day(now(), time_zone, day_starts_at)) INTO taken.day FROM casino_casino;
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
