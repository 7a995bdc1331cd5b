-- Money and the log tell of the same: when a transaction ends, a movement has one entry `movement.made` and a round as
-- many entries `round.settled` as settlements, in the chain of
-- its table or, of a shift of the cage and of counted tips, in that of the house, and no entry of these events is there without its money. What an entry
-- says of them in its facts is the product's word; the house's own books and whoever settles again look at it.

CREATE OR REPLACE FUNCTION evidence_fault(asked_event text, asked_subject text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    movement bigint;
    money bigint;
    chain text;
    entries bigint;
    elsewhere bigint;
BEGIN
    IF asked_event = 'movement.made' THEN
        movement := substring(asked_subject FROM '^movement:([1-9][0-9]{0,17})$');
        SELECT count(*) INTO money FROM payouts_movement WHERE id = movement;
        SELECT a.owner INTO chain FROM payouts_transfer t JOIN payouts_account a ON a.id IN (t.debit_id, t.credit_id)
        WHERE t.movement_id = movement AND a.owner <> 'house';
        IF EXISTS (SELECT FROM payouts_movement WHERE id = movement AND subject ~ '^(cage_shift|tips):') THEN
            chain := 'house';
        END IF;
        SELECT count(*), count(*) FILTER (WHERE chain_id <> chain) INTO entries, elsewhere
        FROM audit_entry WHERE subject = asked_subject AND event = asked_event;
    ELSE
        SELECT settled.money, settled.chain, told.entries, told.elsewhere INTO money, chain, entries, elsewhere
        FROM (SELECT count(*) AS money, min(table_key) AS chain FROM payouts_settlement
              WHERE round_key = asked_subject) settled,
            LATERAL (SELECT count(*) AS entries, count(*) FILTER (WHERE chain_id <> settled.chain) AS elsewhere
                     FROM audit_entry WHERE subject = asked_subject AND event = asked_event) told;
    END IF;
    IF money <> entries THEN
        RETURN format('%s of %s: %s in the ledger, %s in the log', asked_event, asked_subject, money, entries);
    END IF;
    IF elsewhere > 0 THEN
        RETURN format('%s of %s: it stands in another chain than %s', asked_event, asked_subject, chain);
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION evidence_fault(text, text) IS
    'What is wrong between the ledger and the entries of one event on one subject, NULL where nothing is.';

CREATE OR REPLACE FUNCTION money_is_in_log() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text;
BEGIN
    IF TG_TABLE_NAME = 'payouts_movement' THEN
        fault := evidence_fault('movement.made', 'movement:' || NEW.id);
    ELSIF TG_TABLE_NAME = 'payouts_settlement' THEN
        fault := evidence_fault('round.settled', NEW.round_key);
    ELSE
        fault := evidence_fault(NEW.event, NEW.subject);
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION '%', fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS with_entry ON payouts_movement;
CREATE CONSTRAINT TRIGGER with_entry AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION money_is_in_log();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER with_entry;
COMMENT ON TRIGGER with_entry ON payouts_movement IS
    'When the transaction ends, the movement has its one entry in the log.';

DROP TRIGGER IF EXISTS with_entry ON payouts_settlement;
CREATE CONSTRAINT TRIGGER with_entry AFTER INSERT ON payouts_settlement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION money_is_in_log();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER with_entry;
COMMENT ON TRIGGER with_entry ON payouts_settlement IS
    'When the transaction ends, the round has as many entries of a settlement in the log as settlements.';

DROP TRIGGER IF EXISTS with_money ON audit_entry;
CREATE CONSTRAINT TRIGGER with_money AFTER INSERT ON audit_entry DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.event = 'movement.made' OR NEW.event = 'round.settled') EXECUTE FUNCTION money_is_in_log();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER with_money;
COMMENT ON TRIGGER with_money ON audit_entry IS
    'When the transaction ends, an entry of a movement or a settlement has its money in the ledger.';
