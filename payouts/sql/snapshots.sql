-- A balance is the newest snapshot and what came after it. A snapshot is right, and says all that there is when it is
-- taken: transfers get their ids in order.

CREATE OR REPLACE FUNCTION account_balance(asked bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    known record;
BEGIN
    SELECT upto_id, units INTO known FROM payouts_snapshot WHERE account_id = asked ORDER BY upto_id DESC LIMIT 1;
    RETURN coalesce(known.units, 0)
        + (SELECT coalesce(sum(units), 0) FROM payouts_transfer WHERE debit_id = asked AND id > coalesce(known.upto_id, 0))
        - (SELECT coalesce(sum(units), 0) FROM payouts_transfer WHERE credit_id = asked AND id > coalesce(known.upto_id, 0));
END $$;
COMMENT ON FUNCTION account_balance(bigint) IS 'What an account holds: its newest snapshot and the transfers after it.';

CREATE OR REPLACE FUNCTION snapshot_is_right() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.upto_id IS DISTINCT FROM (SELECT max(id) FROM payouts_transfer)
       OR NEW.units IS DISTINCT FROM account_balance(NEW.account_id) THEN
        RAISE EXCEPTION 'snapshot of account %: it is not its balance', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER is_right BEFORE INSERT ON payouts_snapshot FOR EACH ROW EXECUTE FUNCTION snapshot_is_right();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER is_right;
COMMENT ON TRIGGER is_right ON payouts_snapshot IS 'A snapshot is what the account holds after the newest transfer.';

COMMENT ON CONSTRAINT snapshot_once ON payouts_snapshot IS 'An account has one snapshot at a transfer.';
COMMENT ON CONSTRAINT snapshot_once_a_session ON payouts_snapshot IS 'An account has one snapshot of a session.';
