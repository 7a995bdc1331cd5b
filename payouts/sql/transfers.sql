-- A transfer joins its header in the header's own transaction, with its key and its business date, between accounts of
-- the header's table or the house; a movement has one transfer, of its kind and of its chips; a reversal mirrors its
-- original. `IS NOT TRUE`, since an account that is only made later in the transaction is unknown here. The search path
-- is fixed, since a temporary table of the same name would come first otherwise. All transfers of a statement are looked
-- at together, each row that they refer to by its key (`OFFSET 0`): whatever the tables' sizes, the plan is the right one.
-- What a statement has none of is not asked for: to begin a query takes longer than to answer it.

CREATE OR REPLACE FUNCTION transfer_joins_header() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    joined record;
    fault text;
BEGIN
    SELECT bool_or(settlement_id IS NOT NULL) AS settlement, bool_or(movement_id IS NOT NULL) AS movement,
        bool_or(reverses_id IS NOT NULL) AS reversal INTO joined FROM added;
    IF joined.reversal THEN
        SELECT format('transfer %s: %s', transfer.key, found.fault) INTO fault
        FROM added transfer
            LEFT JOIN LATERAL (
                SELECT t.debit_id, t.credit_id, t.units, t.reverses_id, s.round_key
                FROM payouts_transfer t LEFT JOIN payouts_settlement s ON s.id = t.settlement_id
                WHERE t.id = transfer.reverses_id OFFSET 0) original ON true
            CROSS JOIN LATERAL (SELECT CASE
                WHEN original.reverses_id IS NOT NULL OR original.round_key IS DISTINCT FROM (
                    SELECT round_key FROM payouts_settlement WHERE id = transfer.settlement_id)
                    THEN 'a reversal takes back a transfer of its own round'
                WHEN (transfer.debit_id, transfer.credit_id, transfer.units)
                    IS DISTINCT FROM (original.credit_id, original.debit_id, original.units)
                    THEN 'a reversal mirrors the transfer it reverses'
            END AS fault OFFSET 0) found
        WHERE transfer.reverses_id IS NOT NULL AND found.fault IS NOT NULL LIMIT 1;
    END IF;
    IF fault IS NULL AND joined.settlement THEN
        SELECT format('transfer %s: %s', transfer.key, found.fault) INTO fault
        FROM added transfer
            LEFT JOIN LATERAL (
                SELECT key, made_in, begun_at, business_date, table_key
                FROM payouts_settlement WHERE id = transfer.settlement_id OFFSET 0) settlement ON true
            LEFT JOIN LATERAL (
                SELECT kind, owner FROM payouts_account WHERE id = transfer.debit_id OFFSET 0) debit ON true
            LEFT JOIN LATERAL (
                SELECT kind, owner FROM payouts_account WHERE id = transfer.credit_id OFFSET 0) credit ON true
            CROSS JOIN LATERAL (SELECT CASE
                WHEN (settlement.made_in = pg_current_xact_id() AND settlement.begun_at = now()) IS NOT TRUE
                    THEN 'its header was made in another transaction'
                WHEN NOT starts_with(transfer.key, settlement.key || ':')
                    THEN 'its key does not begin with its header''s, ' || settlement.key
                WHEN transfer.business_date IS DISTINCT FROM settlement.business_date
                    THEN 'its business date is not its header''s'
                WHEN (debit.owner IN (settlement.table_key, 'house') AND credit.owner IN (settlement.table_key, 'house')
                    AND CASE transfer.reason
                        WHEN 'wager' THEN debit.owner = credit.owner
                            AND (debit.kind, credit.kind) IN (('float', 'patrons'), ('patrons', 'float'))
                        WHEN 'stake_in' THEN debit.owner = credit.owner AND (debit.kind, credit.kind) = ('pot', 'patrons')
                        WHEN 'points' THEN debit.owner = credit.owner AND (debit.kind, credit.kind) = ('pot', 'patrons')
                        WHEN 'share' THEN debit.owner = credit.owner AND (debit.kind, credit.kind) = ('patrons', 'pot')
                        WHEN 'rake' THEN debit.owner = credit.owner AND (debit.kind, credit.kind) = ('rake', 'pot')
                        WHEN 'reversal' THEN true
                    END) IS NOT TRUE
                    THEN format('%s does not go from %s to %s', transfer.reason, credit.kind, debit.kind)
            END AS fault OFFSET 0) found
        WHERE transfer.settlement_id IS NOT NULL AND found.fault IS NOT NULL LIMIT 1;
    END IF;
    IF fault IS NULL AND joined.movement THEN
        SELECT format('transfer %s: %s', transfer.key, found.fault) INTO fault
        FROM added transfer
            LEFT JOIN LATERAL (
                SELECT key, made_in, begun_at, business_date, kind, subject,
                    (SELECT CASE WHEN min(chip.key::numeric) > 0 AND min(chip.value::numeric) >= 0
                            THEN sum(chip.key::numeric * chip.value::numeric) END
                     FROM jsonb_each_text(denominations) chip) AS units
                FROM payouts_movement WHERE id = transfer.movement_id OFFSET 0) movement ON true
            LEFT JOIN LATERAL (SELECT kind FROM payouts_account WHERE id = transfer.debit_id OFFSET 0) debit ON true
            LEFT JOIN LATERAL (SELECT kind FROM payouts_account WHERE id = transfer.credit_id OFFSET 0) credit ON true
            CROSS JOIN LATERAL (SELECT CASE
                WHEN (movement.made_in = pg_current_xact_id() AND movement.begun_at = now()) IS NOT TRUE
                    THEN 'its header was made in another transaction'
                WHEN NOT starts_with(transfer.key, movement.key || ':')
                    THEN 'its key does not begin with its header''s, ' || movement.key
                WHEN transfer.business_date IS DISTINCT FROM movement.business_date
                    THEN 'its business date is not its header''s'
                WHEN (transfer.reason::text, transfer.units::numeric) IS DISTINCT FROM (movement.kind::text, movement.units)
                    THEN 'it moves something else than its movement'
                WHEN NOT EXISTS (
                    SELECT FROM movement_rules rule
                    WHERE (rule.kind, rule.debit, rule.credit) = (transfer.reason, debit.kind, credit.kind))
                    THEN format('%s does not go from %s to %s', transfer.reason, credit.kind, debit.kind)
                WHEN NOT EXISTS (
                    SELECT FROM movement_rules rule
                    WHERE rule.kind = transfer.reason AND starts_with(movement.subject, rule.subject || ':'))
                    THEN format('no %s belongs to %L', transfer.reason, movement.subject)
            END AS fault OFFSET 0) found
        WHERE transfer.movement_id IS NOT NULL AND found.fault IS NOT NULL LIMIT 1;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION '%', fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS joins_header ON payouts_transfer;
CREATE TRIGGER joins_header AFTER INSERT ON payouts_transfer REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION transfer_joins_header();
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
    'Float, patrons, pot and drop box belong to a table; cage, transit, count room, variance, chips issued, cash and tips'
    ' to the house; a rake to a table, or to the house as that of rounds from before.';
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
