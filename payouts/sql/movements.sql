-- Chips that two people bring or take away: a movement has one transfer, and its key says what it is. Which kind goes
-- from where to where stands in one table, `movement_rules`; what is not in it does not move.

INSERT INTO movement_rules (kind, debit, credit, subject) VALUES
    ('opener', 'float', 'cage', 'session'),
    ('fill', 'float', 'cage', 'session'),
    ('credit', 'cage', 'float', 'session'),
    ('drop', 'count_room', 'float', 'session'),
    ('variance', 'float', 'variance', 'session'),
    ('variance', 'variance', 'float', 'session'),
    ('closer', 'cage', 'float', 'session')
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
    'The movements of a kind in a session are counted from 1, without a gap.';

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

COMMENT ON CONSTRAINT movement_key_says_all ON payouts_movement IS 'The key is the session, the kind and the number.';
COMMENT ON CONSTRAINT movement_kind_known ON payouts_movement IS
    'A movement is an opener, a closer, a fill, a credit, a drop or a variance.';
COMMENT ON CONSTRAINT movement_four_eyes ON payouts_movement IS
    'The person who approves is another than the person who asks.';
