-- What the inspections of the house write down. A difference that somebody accepts is accepted in the log.

CREATE OR REPLACE FUNCTION acceptance_is_recorded() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM audit_entry WHERE subject = 'finding:' || NEW.id AND event = 'finding.accepted'
                   AND by = 'staff:' || NEW.accepted_by_id) THEN
        RAISE EXCEPTION 'finding %: the log does not tell who accepted it', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS accepted ON audit_finding;
CREATE CONSTRAINT TRIGGER accepted AFTER UPDATE ON audit_finding DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION acceptance_is_recorded();
ALTER TABLE audit_finding ENABLE ALWAYS TRIGGER accepted;
COMMENT ON TRIGGER accepted ON audit_finding IS
    'When the transaction ends, the log tells who accepted the difference.';

-- Who inspects reads no salts: this runs as its owner and gives the digests that the log has, and nothing else.
CREATE OR REPLACE FUNCTION finding_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT f.id, CASE WHEN f.reason <> '' THEN encode(sha256(convert_to(f.salt || f.reason, 'UTF8')), 'hex') END
    FROM audit_finding f WHERE f.id = ANY (asked)
$$;
COMMENT ON FUNCTION finding_digests(bigint[]) IS
    'The SHA-256 of the reasons of findings behind their salts, as the log has them; NULL where there is none.';

COMMENT ON CONSTRAINT inspection_kind_known ON audit_inspection IS 'An inspection is of everything or of the books.';
COMMENT ON CONSTRAINT inspection_from_the_start ON audit_inspection IS 'Parts and keys are counted from 0.';
COMMENT ON CONSTRAINT finding_named_once ON audit_finding IS 'The same difference of the same row is named once.';
COMMENT ON CONSTRAINT finding_accepted_whole ON audit_finding IS
    'A difference waits for somebody, or was accepted: then it says by whom, when and why.';
COMMENT ON INDEX inspection_one_under_way IS
    'One inspection of a kind is under way at the even pace, and one that somebody waits for.';
