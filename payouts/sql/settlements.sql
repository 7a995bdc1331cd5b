-- What a settlement and its payments have to be by themselves: generations of a round follow one another without a gap,
-- one in a transaction, and payments join in the settlement's own transaction. `settlement_fault` says what is wrong
-- with a settlement as a whole; it is asked when the round takes it, and every settlement is taken by the transaction
-- that makes it (tables/sql/settlements.sql).

CREATE OR REPLACE FUNCTION settlement_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    earlier record;
BEGIN
    SELECT coalesce(max(generation), 0) AS newest, bool_or(generation = NEW.generation - 1
            AND made_in = pg_current_xact_id() AND begun_at = now()) AS made_here
    INTO earlier FROM payouts_settlement WHERE round_key = NEW.round_key AND generation <> NEW.generation;
    IF NEW.generation <> 1 + earlier.newest THEN
        RAISE EXCEPTION 'settlement %: generations follow one another', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    IF earlier.made_here THEN
        RAISE EXCEPTION 'settlement %: the generation before it is of the same transaction', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON payouts_settlement
    FOR EACH ROW EXECUTE FUNCTION settlement_follows();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON payouts_settlement IS
    'The generations of a round''s settlement follow one another without a gap, one in a transaction.';

CREATE OR REPLACE FUNCTION payment_joins_settlement() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    alone smallint;
BEGIN
    SELECT payment.box INTO alone FROM added payment
    WHERE (SELECT (made_in, begun_at) = (pg_current_xact_id(), now()) FROM payouts_settlement
           WHERE id = payment.settlement_id) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'payment for box %: its settlement was made in another transaction', alone
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS joins_settlement ON payouts_payment;
CREATE TRIGGER joins_settlement AFTER INSERT ON payouts_payment REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION payment_joins_settlement();
ALTER TABLE payouts_payment ENABLE ALWAYS TRIGGER joins_settlement;
COMMENT ON TRIGGER joins_settlement ON payouts_payment IS 'A payment joins a settlement of its own transaction.';

CREATE OR REPLACE FUNCTION settlement_fault(asked bigint) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    settled record;
BEGIN
    SELECT s.round_key, s.generation, moved.*,
        (SELECT coalesce(sum(net_units), 0) FROM payouts_payment WHERE settlement_id = s.id) AS of_payments
    INTO settled
    FROM payouts_settlement s, LATERAL (
        SELECT coalesce(sum(units * CASE 'patrons' WHEN debit THEN 1 WHEN credit THEN -1 END)
                        FILTER (WHERE reverses_id IS NULL), 0) AS of_transfers,
            coalesce(sum(units * CASE 'pot' WHEN debit THEN 1 WHEN credit THEN -1 END), 0) AS pot_units,
            count(reverses_id) AS reversals,
            count(*) FILTER (WHERE reversed = s.generation - 1) AS reversed
        FROM (SELECT t.units, t.reverses_id,
                (SELECT kind FROM payouts_account WHERE id = t.debit_id) AS debit,
                (SELECT kind FROM payouts_account WHERE id = t.credit_id) AS credit,
                (SELECT before.generation FROM payouts_transfer original
                    JOIN payouts_settlement before ON before.id = original.settlement_id
                 WHERE original.id = t.reverses_id) AS reversed
            FROM payouts_transfer t WHERE t.settlement_id = s.id OFFSET 0) transfer) moved
    WHERE s.id = asked;
    IF settled.of_payments <> settled.of_transfers THEN
        RETURN format('its payments come to %s units and its transfers to %s', settled.of_payments,
            settled.of_transfers);
    ELSIF settled.pot_units <> 0 THEN
        RETURN format('it leaves %s units in the pot', settled.pot_units);
    ELSIF settled.reversals <> settled.reversed THEN
        RETURN 'it reverses something else than what the one before moved';
    ELSIF settled.generation > 1 THEN
        IF settled.reversed <> (
            SELECT count(*) FROM payouts_settlement s JOIN payouts_transfer t ON t.settlement_id = s.id
            WHERE s.round_key = settled.round_key AND s.generation = settled.generation - 1
                AND t.reverses_id IS NULL) THEN
            RETURN 'it does not reverse all that the one before moved';
        END IF;
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION settlement_fault(bigint) IS
    'What is wrong with a settlement as a whole, NULL where nothing is: its payments and its transfers come to '
    'the same, the pot is empty after it, and it reverses all that the one before it moved and nothing else.';

COMMENT ON CONSTRAINT settlement_from_one ON payouts_settlement IS 'Generations and lines are counted from 1.';
COMMENT ON CONSTRAINT settlement_round_key ON payouts_settlement IS
    'The settlement names a round, whose number is written in one way: without leading zeros.';
COMMENT ON CONSTRAINT settlement_result_json ON payouts_settlement IS 'The result is one JSON object of at most 1 MiB.';
COMMENT ON CONSTRAINT settlement_key_says_both ON payouts_settlement IS 'The key is the round and the generation.';
COMMENT ON CONSTRAINT settlement_generation_once ON payouts_settlement IS 'A round is settled once in a generation.';
COMMENT ON CONSTRAINT settlement_line_once ON payouts_settlement IS 'A line of a round is settled once.';
COMMENT ON CONSTRAINT payment_box_from_one ON payouts_payment IS 'Boxes are counted from 1.';
COMMENT ON CONSTRAINT payment_box_once ON payouts_payment IS 'A box has one payment of a settlement.';
COMMENT ON CONSTRAINT payment_not_negative ON payouts_payment IS
    'What was staked, returned and paid is nothing or more.';
COMMENT ON CONSTRAINT payment_returned_staked ON payouts_payment IS 'No more is returned than was staked.';
COMMENT ON CONSTRAINT payment_net ON payouts_payment IS 'The net is what is returned and paid, less what was staked.';
COMMENT ON CONSTRAINT payouts_paymenttick_payment_id_key ON payouts_paymenttick IS 'A payment is ticked once.';
COMMENT ON CONSTRAINT paymenttick_left_four_eyes ON payouts_paymenttick IS
    'That a patron has left is said by two different people.';
