-- What is asked of an export, and how it ends. The constraints are made with the table. Who asks writes nothing of how
-- far it is: that is the sealer's, whose role alone may change the row.

CREATE OR REPLACE FUNCTION export_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF (NEW.status, NEW.checkpoint_id, NEW.leaves, NEW.leaves_written, NEW.entries, NEW.progress, NEW.ended_at, NEW.failure)
       IS DISTINCT FROM ('ASKED', NULL::bigint, 0, 0, 0, '{}'::jsonb, NULL::timestamptz, '') THEN
        RAISE EXCEPTION 'an export begins with nothing written' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER begins BEFORE INSERT ON audit_export FOR EACH ROW EXECUTE FUNCTION export_begins();
ALTER TABLE audit_export ENABLE ALWAYS TRIGGER begins;
COMMENT ON TRIGGER begins ON audit_export IS 'An export begins ASKED, with no checkpoint and nothing written.';

COMMENT ON CONSTRAINT export_says_what ON audit_export IS
    'An export is of everything, of one table, or of a period that ends after it begins.';
COMMENT ON CONSTRAINT export_ended_whole ON audit_export IS
    'An export is ASKED, or DONE with a checkpoint, or FAILED with a sentence, the latter two with their time. No'
    ' trigger keeps the order of these states.';
COMMENT ON CONSTRAINT export_moments_readable ON audit_export IS
    'A period lies in the years 2000 to 8999, which whoever writes and shows exports can read.';
COMMENT ON CONSTRAINT export_progress_readable ON audit_export IS 'How far an export is can be read.';
