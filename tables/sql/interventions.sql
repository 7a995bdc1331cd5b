-- Interventions follow one another without a gap; a correction names a line of its round that the same two people
-- wrote.

CREATE OR REPLACE FUNCTION intervention_follows() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_intervention WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'intervention % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.line_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM tables_line WHERE id = NEW.line_id AND round_id = NEW.round_id AND ordinal > 1
        AND (by_id, approved_by_id) = (NEW.by_id, NEW.approved_by_id)) THEN
        RAISE EXCEPTION 'intervention %: its line is of another round or of other people', NEW.ordinal
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON tables_intervention
    FOR EACH ROW EXECUTE FUNCTION intervention_follows();
ALTER TABLE tables_intervention ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON tables_intervention IS
    'An intervention leaves no gap in its numbers; the line of a correction is of its round and of the same two '
    'people.';

COMMENT ON CONSTRAINT intervention_ordinal_from_one ON tables_intervention IS 'Interventions are counted from 1.';
COMMENT ON CONSTRAINT intervention_ordinal_once ON tables_intervention IS
    'A number stands for one intervention in a round.';
COMMENT ON CONSTRAINT intervention_kind_known ON tables_intervention IS
    'An intervention is reported, held, released, voided or corrected.';
COMMENT ON CONSTRAINT intervention_four_eyes ON tables_intervention IS
    'The person who approves is another than the person who intervenes.';
COMMENT ON CONSTRAINT intervention_by_two ON tables_intervention IS 'Two people void or correct a round, by a clause.';
COMMENT ON CONSTRAINT intervention_line_of_correction ON tables_intervention IS
    'A correction has its line, and nothing else has.';
COMMENT ON CONSTRAINT intervention_system_holds ON tables_intervention IS
    'The system by itself only holds a round; all else has a person.';
COMMENT ON CONSTRAINT intervention_reason_salted ON tables_intervention IS
    'A reason has its salt, so its hash in the log tells nothing.';
