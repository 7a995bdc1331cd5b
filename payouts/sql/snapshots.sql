-- A balance is the newest snapshot and what came after it. A snapshot is right, and says all that there is when it is
-- taken: whoever takes it has the account to itself, so that every transfer of it is seen or gets a later id
-- (`takes_id` in transfers.sql). What moves between other accounts meanwhile is nothing to it. Only READ COMMITTED sees
-- what was committed while it waited for the account.

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

CREATE OR REPLACE FUNCTION snapshot_is_right() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'snapshot of account %: it is taken in READ COMMITTED alone', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM FROM payouts_account WHERE id = NEW.account_id FOR UPDATE;
    IF EXISTS (SELECT FROM payouts_transfer WHERE debit_id = NEW.account_id AND id > NEW.upto_id)
       OR EXISTS (SELECT FROM payouts_transfer WHERE credit_id = NEW.account_id AND id > NEW.upto_id)
       OR EXISTS (SELECT FROM payouts_snapshot WHERE account_id = NEW.account_id AND upto_id >= NEW.upto_id)
       OR NEW.units IS DISTINCT FROM account_balance(NEW.account_id) THEN
        RAISE EXCEPTION 'snapshot of account %: it is not its balance', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER is_right BEFORE INSERT ON payouts_snapshot FOR EACH ROW EXECUTE FUNCTION snapshot_is_right();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER is_right;
COMMENT ON TRIGGER is_right ON payouts_snapshot IS
    'A snapshot is what the account holds after its newest transfer, while nobody moves money to or from it.';

COMMENT ON CONSTRAINT snapshot_once ON payouts_snapshot IS 'An account has one snapshot at a transfer.';
COMMENT ON CONSTRAINT snapshot_once_a_session ON payouts_snapshot IS 'An account has one snapshot of a session.';
