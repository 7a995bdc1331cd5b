-- A dispute. What was raised stays; it is ruled on once, by nobody who opened, acted in or closed the round, and a line
-- that the ruling made is of this round and of these two people.

CREATE OR REPLACE FUNCTION dispute_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'OPEN' THEN
            RAISE EXCEPTION 'a dispute begins open' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('OPEN', 'RULED'), ('RULED', 'CLOSED')) THEN
        RAISE EXCEPTION 'dispute %: % does not become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.id, NEW.round_id, NEW.about, NEW.boxes, NEW.statement, NEW.salt, NEW.raised_by_id, NEW.terminal_id,
        NEW.raised_at)
       IS DISTINCT FROM (OLD.id, OLD.round_id, OLD.about, OLD.boxes, OLD.statement, OLD.salt, OLD.raised_by_id,
        OLD.terminal_id, OLD.raised_at) THEN
        RAISE EXCEPTION 'dispute %: what was raised stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.status <> 'OPEN' THEN
        IF (NEW.ruling, NEW.clause, NEW.reason, NEW.reason_salt, NEW.line_id, NEW.ruled_by_id, NEW.approved_by_id,
            NEW.ruled_at)
           IS DISTINCT FROM (OLD.ruling, OLD.clause, OLD.reason, OLD.reason_salt, OLD.line_id, OLD.ruled_by_id,
            OLD.approved_by_id, OLD.ruled_at) THEN
            RAISE EXCEPTION 'dispute %: its ruling stays', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF EXISTS (SELECT FROM tables_round WHERE id = NEW.round_id AND opened_by_id = NEW.ruled_by_id)
       OR EXISTS (SELECT FROM tables_action WHERE round_id = NEW.round_id AND by_id = NEW.ruled_by_id)
       OR EXISTS (SELECT FROM tables_line WHERE round_id = NEW.round_id AND ordinal = 1 AND by_id = NEW.ruled_by_id)
    THEN
        RAISE EXCEPTION 'dispute %: who dealt the round does not rule on it', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.line_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM tables_line WHERE id = NEW.line_id AND round_id = NEW.round_id AND ordinal > 1
        AND (by_id, approved_by_id) = (NEW.ruled_by_id, NEW.approved_by_id)) THEN
        RAISE EXCEPTION 'dispute %: its line is of another round or of other people', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_dispute FOR EACH ROW EXECUTE FUNCTION dispute_moves();
ALTER TABLE tables_dispute ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_dispute IS
    'A dispute begins OPEN; what was raised stays, and so does its ruling. Nobody who dealt the round rules on '
    'it; a line that the ruling made is of its round and of the two people who ruled. Moves: OPEN to RULED, RULED'
    ' to CLOSED.';

COMMENT ON CONSTRAINT dispute_status_whole ON tables_dispute IS
    'An OPEN dispute has nothing of a ruling; a RULED or CLOSED one has its ruling, clause, reason, person and time.';
COMMENT ON CONSTRAINT dispute_four_eyes ON tables_dispute IS
    'A ruling with a line is upheld and approved by another person; one without has no approval.';
COMMENT ON CONSTRAINT dispute_texts_salted ON tables_dispute IS
    'There is a statement, and each text has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT dispute_about_something ON tables_dispute IS 'A dispute is about something.';
