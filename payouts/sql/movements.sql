-- Chips and cash that people bring or take away: a movement has one transfer, and its key says what it is. Which kind goes
-- from where to where stands in one table, `movement_rules`; what is not in it does not move.

-- The list is closed: what an older program laid down and this one does not goes.
ALTER TABLE movement_rules DISABLE TRIGGER USER;
DELETE FROM movement_rules;
ALTER TABLE movement_rules ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE movement_rules ENABLE ALWAYS TRIGGER append_only_truncate;
INSERT INTO movement_rules (kind, debit, credit, subject) VALUES
    ('opener', 'float', 'cage', 'session'),
    ('buy_in', 'drop_box', 'float', 'session'),
    ('tip', 'tips', 'patrons', 'session'),
    ('variance', 'tips', 'variance', 'tips'),
    ('variance', 'variance', 'tips', 'tips'),
    ('drop', 'count_room', 'float', 'session'),
    ('drop', 'count_room', 'drop_box', 'drop_box'),
    ('variance', 'drop_box', 'variance', 'drop_box'),
    ('variance', 'variance', 'drop_box', 'drop_box'),
    ('variance', 'float', 'variance', 'session'),
    ('variance', 'variance', 'float', 'session'),
    ('variance', 'cage', 'variance', 'session'),
    ('variance', 'variance', 'cage', 'session'),
    ('closer', 'cage', 'float', 'session'),
    ('rake', 'cage', 'rake', 'session'),
    ('correction', 'cage', 'float', 'round'),
    ('correction', 'float', 'cage', 'round'),
    ('correction', 'cage', 'rake', 'round'),
    ('correction', 'rake', 'cage', 'round'),
    ('correction', 'variance', 'float', 'round'),
    ('correction', 'float', 'variance', 'round'),
    ('correction', 'variance', 'rake', 'round'),
    ('correction', 'rake', 'variance', 'round'),
    ('variance', 'rake', 'variance', 'session'),
    ('variance', 'variance', 'rake', 'session'),
    ('issued', 'cage', 'issued', 'cage_shift'),
    ('withdrawn', 'issued', 'cage', 'cage_shift'),
    ('sold', 'cash', 'cage', 'cage_shift'),
    ('cashed', 'cage', 'cash', 'cage_shift'),
    ('variance', 'cage', 'variance', 'cage_shift'),
    ('variance', 'variance', 'cage', 'cage_shift'),
    ('fill_issued', 'transit', 'cage', 'slip'),
    ('fill', 'float', 'transit', 'slip'),
    ('fill_returned', 'cage', 'transit', 'slip'),
    ('credit', 'transit', 'float', 'slip'),
    ('credit_received', 'cage', 'transit', 'slip'),
    ('credit_returned', 'float', 'transit', 'slip');

-- A house from before there were slips has no account for chips on their way, one from before the cage had shifts none
-- for what it issued and for its cash, one from before tips were counted none for them.
INSERT INTO payouts_account (kind, owner)
SELECT kind, 'house' FROM (VALUES ('transit'), ('issued'), ('cash'), ('tips')) AS new (kind)
WHERE EXISTS (SELECT FROM payouts_account WHERE owner = 'house')
ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION movement_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    -- A number that is there already is the unique key's.
    IF NEW.number < 1 OR NEW.number > 1 + (SELECT coalesce(max(number), 0) FROM payouts_movement
                                           WHERE subject = NEW.subject AND kind = NEW.kind) THEN
        RAISE EXCEPTION 'movement %: its number leaves a gap', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON payouts_movement FOR EACH ROW EXECUTE FUNCTION movement_follows();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON payouts_movement IS
    'The movements of a kind of a session, a slip, a drop box, a shift of the cage, the tips of a day or a round are counted'
    ' from 1, without a gap.';

CREATE OR REPLACE FUNCTION movement_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM payouts_transfer WHERE movement_id = NEW.id) THEN
        RAISE EXCEPTION 'movement %: it moves nothing', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS moves ON payouts_movement;
CREATE CONSTRAINT TRIGGER moves AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION movement_moves();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON payouts_movement IS 'When the transaction ends, the movement has its transfer.';

COMMENT ON CONSTRAINT movement_key_says_all ON payouts_movement IS
    'The key is the session, the slip, the drop box, the shift of the cage, the tips of a day or the round, the kind and the'
    ' number.';
COMMENT ON CONSTRAINT movement_kind_known ON payouts_movement IS
    'A movement is an opener, a closer, a rake, a buy-in, a tip, a drop or a variance, a step of a fill or a credit, or of chips'
    ' issued, sold or cashed, or the correction of a round at a closed table or in a closed session.';
COMMENT ON CONSTRAINT movement_approved ON payouts_movement IS
    'A second person approves each movement; a buy-in and a tip, which the croupier enters alone, may have none.';
COMMENT ON CONSTRAINT movement_four_eyes ON payouts_movement IS
    'The person who approves is another than the person who asks.';
