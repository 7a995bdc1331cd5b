-- A transfer joins its header in the header's own transaction, with its key and its business date, between accounts of
-- the header's table or the house; a movement has one transfer, of its kind and of its chips; a reversal mirrors its
-- original. `IS NOT TRUE`, since an account that is only made later in the transaction is unknown here. The search path
-- is fixed, since a temporary table of the same name would come first otherwise.

CREATE OR REPLACE FUNCTION transfer_joins_header() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    header record;
    original record;
    ends record;
    fits boolean;
BEGIN
    IF NEW.settlement_id IS NOT NULL THEN
        SELECT key, made_in, begun_at, business_date, round_key::text, table_key::text, NULL AS kind, NULL AS subject,
            NULL::numeric AS units
        INTO header FROM payouts_settlement WHERE id = NEW.settlement_id;
    ELSE
        SELECT key, made_in, begun_at, business_date, NULL AS round_key, NULL AS table_key, kind::text, subject::text,
            (SELECT CASE WHEN min(chip.key::numeric) > 0 AND min(chip.value::numeric) >= 0
                    THEN sum(chip.key::numeric * chip.value::numeric) END
             FROM jsonb_each_text(denominations) chip) AS units
        INTO header FROM payouts_movement WHERE id = NEW.movement_id;
    END IF;
    IF header.made_in IS DISTINCT FROM pg_current_xact_id() OR header.begun_at IS DISTINCT FROM now() THEN
        RAISE EXCEPTION 'transfer %: its header was made in another transaction', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT starts_with(NEW.key, header.key || ':') THEN
        RAISE EXCEPTION 'transfer %: its key does not begin with its header''s, %', NEW.key, header.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.business_date IS DISTINCT FROM header.business_date THEN
        RAISE EXCEPTION 'transfer %: its business date is not its header''s', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.settlement_id IS NULL AND (NEW.reason::text, NEW.units::numeric) IS DISTINCT FROM (header.kind, header.units) THEN
        RAISE EXCEPTION 'transfer %: it moves something else than its movement', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.reverses_id IS NOT NULL THEN
        SELECT t.debit_id, t.credit_id, t.units, t.reverses_id, s.round_key INTO original
        FROM payouts_transfer t LEFT JOIN payouts_settlement s ON s.id = t.settlement_id WHERE t.id = NEW.reverses_id;
        IF original.reverses_id IS NOT NULL OR original.round_key IS DISTINCT FROM header.round_key THEN
            RAISE EXCEPTION 'transfer %: a reversal takes back a transfer of its own round', NEW.key
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF (NEW.debit_id, NEW.credit_id, NEW.units) IS DISTINCT FROM (original.credit_id, original.debit_id, original.units) THEN
            RAISE EXCEPTION 'transfer %: a reversal mirrors the transfer it reverses', NEW.key
                USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    SELECT d.kind AS debit, c.kind AS credit, d.owner = c.owner AS same,
        header.table_key IS NULL OR d.owner IN (header.table_key, 'house') AND c.owner IN (header.table_key, 'house') AS here
    INTO ends FROM payouts_account d, payouts_account c WHERE d.id = NEW.debit_id AND c.id = NEW.credit_id;
    fits := ends.here AND CASE NEW.reason
        WHEN 'wager' THEN ends.same AND (ends.debit, ends.credit) IN (('float', 'patrons'), ('patrons', 'float'))
        WHEN 'stake_in' THEN ends.same AND (ends.debit, ends.credit) = ('pot', 'patrons')
        WHEN 'points' THEN ends.same AND (ends.debit, ends.credit) = ('pot', 'patrons')
        WHEN 'share' THEN ends.same AND (ends.debit, ends.credit) = ('patrons', 'pot')
        WHEN 'rake' THEN (ends.debit, ends.credit) = ('rake', 'pot')
        WHEN 'reversal' THEN true
        ELSE NEW.movement_id IS NOT NULL AND EXISTS (
            SELECT FROM movement_rules rule
            WHERE (rule.kind, rule.debit, rule.credit) = (NEW.reason, ends.debit, ends.credit))
    END;
    IF fits IS NOT TRUE THEN
        RAISE EXCEPTION 'transfer %: % does not go from % to %', NEW.key, NEW.reason, ends.credit, ends.debit
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.settlement_id IS NULL AND NOT EXISTS (
        SELECT FROM movement_rules rule
        WHERE rule.kind = NEW.reason AND starts_with(header.subject, rule.subject || ':')) THEN
        RAISE EXCEPTION 'transfer %: no % belongs to %', NEW.key, NEW.reason, quote_literal(header.subject)
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER joins_header BEFORE INSERT ON payouts_transfer
    FOR EACH ROW EXECUTE FUNCTION transfer_joins_header();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_header;
COMMENT ON TRIGGER joins_header ON payouts_transfer IS
    'A transfer joins a settlement or a movement of its own transaction, with its key, its day and its table''s '
    'accounts, and goes the way its reason says; a reversal mirrors a transfer of its round, once.';

-- Balances count transfers by their ids (snapshots.sql), so an id has to say the order in which an account's transfers
-- came to be. It is taken here, whatever was given, by whoever holds both accounts; a snapshot waits for them, and
-- whoever comes after it gets a later id. The app's role may not lock an account nor take a number: the owner does.
-- `takes_id` fires last, once the session is locked.
CREATE OR REPLACE FUNCTION transfer_takes_id() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM payouts_account WHERE id IN (NEW.debit_id, NEW.credit_id) ORDER BY id FOR KEY SHARE;
    NEW.id := nextval('payouts_transfer_id_seq');
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER takes_id BEFORE INSERT ON payouts_transfer FOR EACH ROW EXECUTE FUNCTION transfer_takes_id();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER takes_id;
COMMENT ON TRIGGER takes_id ON payouts_transfer IS
    'Whatever is written, a transfer has the next id, taken while its accounts are held.';

COMMENT ON CONSTRAINT account_once ON payouts_account IS 'An owner has one account of a kind.';
COMMENT ON CONSTRAINT account_owner_fits ON payouts_account IS
    'Float, patrons and pot belong to a table; cage, count room, rake and variance to the house.';
COMMENT ON CONSTRAINT transfer_units_range ON payouts_transfer IS
    'A transfer moves more than nothing and at most 1,000,000,000,000 units, so that no sum overflows.';
COMMENT ON CONSTRAINT transfer_two_accounts ON payouts_transfer IS 'A transfer goes from one account to another.';
COMMENT ON CONSTRAINT transfer_one_header ON payouts_transfer IS
    'A transfer belongs to a settlement or to a movement, not to both.';
COMMENT ON CONSTRAINT transfer_reversal_names ON payouts_transfer IS
    'A reversal names the transfer that it takes back, and nothing else does.';
COMMENT ON CONSTRAINT transfer_reason_known ON payouts_transfer IS 'The reason is one that the books know.';
COMMENT ON CONSTRAINT transfer_movement_once ON payouts_transfer IS 'A movement has one transfer.';
COMMENT ON CONSTRAINT payouts_transfer_reverses_id_key ON payouts_transfer IS 'A transfer is taken back once.';
