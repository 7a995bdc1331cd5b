-- Lines belong to a closed round and follow one another without a gap. The round is locked before it is looked at, so
-- that nothing that changes it in another transaction, and no old snapshot, lets a line in that comes too late. A line
-- of a settled round is settled with it, in the same transaction. What it says is of its round's game; whether the game
-- can read it, the game alone knows.

CREATE OR REPLACE FUNCTION line_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_round WHERE id = NEW.round_id AND status IN ('CLOSED', 'SETTLED') FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % is not closed', NEW.round_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_line WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'line % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.text::jsonb ->> 'game' IS DISTINCT FROM (SELECT s.game FROM tables_round r
            JOIN tables_rulesheet s ON s.id = r.sheet_id WHERE r.id = NEW.round_id) THEN
        RAISE EXCEPTION 'line % is not of the game of its round', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON tables_line FOR EACH ROW EXECUTE FUNCTION line_follows();
ALTER TABLE tables_line ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON tables_line IS
    'A line is of a CLOSED or SETTLED round, of its game, and leaves no gap in its numbers.';

CREATE OR REPLACE FUNCTION line_is_settled() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_round r JOIN payouts_settlement s ON s.id = r.settlement_id
               WHERE r.id = NEW.round_id AND s.line_ordinal < NEW.ordinal) THEN
        RAISE EXCEPTION 'line % of round %: it is not settled', NEW.ordinal, NEW.round_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS settled ON tables_line;
CREATE CONSTRAINT TRIGGER settled AFTER INSERT ON tables_line DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION line_is_settled();
ALTER TABLE tables_line ENABLE ALWAYS TRIGGER settled;
COMMENT ON TRIGGER settled ON tables_line IS 'When the transaction ends, a line of a SETTLED round is settled.';

COMMENT ON CONSTRAINT line_ordinal_from_one ON tables_line IS 'Lines are counted from 1.';
COMMENT ON CONSTRAINT line_ordinal_once ON tables_line IS 'A number stands for one line of a round.';
COMMENT ON CONSTRAINT line_four_eyes ON tables_line IS 'The person who approves is another than the person who writes.';
COMMENT ON CONSTRAINT line_corrected_by_two ON tables_line IS 'A line after the first, a correction, is approved.';
COMMENT ON CONSTRAINT line_text_readable ON tables_line IS 'What a line says can be read.';
COMMENT ON CONSTRAINT line_wagers_readable ON tables_line IS 'The wagers of a line can be read.';
COMMENT ON CONSTRAINT line_carry_readable ON tables_line IS 'What a line says that its round began with can be read.';
COMMENT ON CONSTRAINT line_handed_readable ON tables_line IS
    'What a line says was handed over in its round can be read.';
