-- A round and its settlement. A round takes a settlement that is whole and its own: of its table, its sheet, its newest
-- line and the right day. Every settlement is taken by its round in the transaction that makes it, and nothing joins it
-- after that.

CREATE OR REPLACE FUNCTION round_takes_settlement() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    taken record;
    fault text := settlement_fault(NEW.settlement_id);
    day date;
BEGIN
    SELECT * INTO taken FROM payouts_settlement WHERE id = NEW.settlement_id;
    IF taken.generation = 1 THEN
        SELECT business_date INTO day FROM tables_session WHERE id = NEW.session_id;
    ELSE
        SELECT coalesce((SELECT business_date FROM tables_session WHERE table_id = NEW.table_id AND status = 'OPEN'),
                        gaming_day(now(), time_zone, day_starts_at)) INTO day FROM casino_casino;
    END IF;
    fault := coalesce(fault, CASE
        WHEN taken.table_key <> 'table:' || NEW.table_id THEN 'it is of another table'
        WHEN taken.sheet_digest IS DISTINCT FROM (SELECT digest FROM tables_rulesheet WHERE id = NEW.sheet_id)
            THEN 'it is by another sheet'
        WHEN taken.line_ordinal IS DISTINCT FROM (SELECT max(ordinal) FROM tables_line WHERE round_id = NEW.id)
            THEN 'it is not of the newest line'
        WHEN taken.business_date IS DISTINCT FROM day THEN 'its business date is not ' || coalesce(day::text, 'known')
    END);
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'settlement %: %', taken.key, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER takes_settlement BEFORE UPDATE OF settlement_id ON tables_round FOR EACH ROW
    WHEN (NEW.settlement_id IS DISTINCT FROM OLD.settlement_id) EXECUTE FUNCTION round_takes_settlement();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER takes_settlement;
COMMENT ON TRIGGER takes_settlement ON tables_round IS
    'A round takes a settlement that is whole, of its table, its sheet, its newest line and the right day.';

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

CREATE OR REPLACE FUNCTION joins_before_taken() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT DISTINCT settlement_id AS id FROM added) joined, LATERAL (
            SELECT s.generation, (SELECT t.generation FROM tables_round r JOIN payouts_settlement t ON t.id = r.settlement_id
                                  WHERE r.id = substring(s.round_key FROM 7)::bigint) AS taken
            FROM payouts_settlement s WHERE s.id = joined.id OFFSET 0) settlement
        WHERE settlement.taken >= settlement.generation) THEN
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
