-- A dispute. What was raised stays; it is ruled on once, by nobody who opened, acted in or closed the round, and a line
-- that the ruling made is of this round and of these two people. A ruling that makes one, one that refuses, unless the
-- house sets otherwise, and one by whoever raised it take a second person, who neither raised it nor dealt the round.

-- Whether somebody opened, acted in or closed a round.
CREATE OR REPLACE FUNCTION dealt_round(asked bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM tables_round WHERE id = asked AND opened_by_id = person)
        OR EXISTS (SELECT FROM tables_action WHERE round_id = asked AND by_id = person)
        OR EXISTS (SELECT FROM tables_line WHERE round_id = asked AND ordinal = 1 AND by_id = person)
$$;

CREATE OR REPLACE FUNCTION dispute_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    refusal_people jsonb;
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
        IF EXISTS (SELECT FROM tables_case WHERE subject = 'dispute:' || NEW.id AND status = 'OPEN') THEN
            RAISE EXCEPTION 'dispute %: its case waits', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF dealt_round(NEW.round_id, NEW.ruled_by_id) THEN
        RAISE EXCEPTION 'dispute %: who dealt the round does not rule on it', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.approved_by_id IS NULL THEN
        -- What nobody has set is as in casino/settings_of_house.py.
        SELECT value INTO refusal_people FROM casino_setting
            WHERE name = 'refusal_people' AND withdrawn_at IS NULL AND from_at <= statement_timestamp()
            ORDER BY from_at DESC LIMIT 1;
        IF NEW.ruled_by_id = NEW.raised_by_id
           OR (NEW.ruling = 'refused' AND coalesce(refusal_people, '2') <> '1') THEN
            RAISE EXCEPTION 'dispute %: one person alone does not rule so', OLD.id
                USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF NEW.approved_by_id = NEW.raised_by_id OR dealt_round(NEW.round_id, NEW.approved_by_id) THEN
        RAISE EXCEPTION 'dispute %: who raised it or dealt the round does not approve its ruling', OLD.id
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
    'it; a line that the ruling made is of its round and of the two people who ruled. Whoever raised it does not rule'
    ' alone, and nobody refuses it alone, unless the house sets otherwise; who raised it or dealt the round does not'
    ' approve. It is closed when its case is decided. Moves: OPEN to RULED, RULED to CLOSED.';

COMMENT ON CONSTRAINT dispute_status_whole ON tables_dispute IS
    'An OPEN dispute has nothing of a ruling; a RULED or CLOSED one has its ruling, clause, reason, person and time.';
COMMENT ON CONSTRAINT dispute_four_eyes ON tables_dispute IS
    'A ruling with a line is upheld and approved; whoever approves a ruling is another person.';
COMMENT ON FUNCTION dealt_round(bigint, bigint) IS 'Whether somebody opened, acted in or closed a round.';
COMMENT ON CONSTRAINT dispute_texts_salted ON tables_dispute IS
    'There is a statement, and each text has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT dispute_about_something ON tables_dispute IS 'A dispute is about something.';
