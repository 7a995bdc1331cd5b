-- How inspections and what they name begin. Whoever asks for an inspection says nothing of what is looked at, nor how far
-- that is: the sealer plans it, once. A difference that it names waits for somebody.

CREATE OR REPLACE FUNCTION inspection_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF (NEW.plan, NEW.place, NEW.after, NEW.state, NEW.counts, NEW.ended_at)
       IS DISTINCT FROM ('[]'::jsonb, 0, 0, '{}'::jsonb, '{}'::jsonb, NULL::timestamptz) THEN
        RAISE EXCEPTION 'an inspection begins with nothing planned and nothing looked at'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER begins BEFORE INSERT ON audit_inspection FOR EACH ROW EXECUTE FUNCTION inspection_begins();
ALTER TABLE audit_inspection ENABLE ALWAYS TRIGGER begins;
COMMENT ON TRIGGER begins ON audit_inspection IS
    'An inspection begins with nothing planned and nothing looked at: both are the sealer''s, whoever asked for it.';

CREATE OR REPLACE FUNCTION plan_stays() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.plan NOT IN ('[]', NEW.plan) THEN
        RAISE EXCEPTION 'inspection %: its plan stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER plan_stays BEFORE UPDATE OF plan ON audit_inspection
    FOR EACH ROW EXECUTE FUNCTION plan_stays();
ALTER TABLE audit_inspection ENABLE ALWAYS TRIGGER plan_stays;
COMMENT ON TRIGGER plan_stays ON audit_inspection IS 'An inspection is planned once.';

CREATE OR REPLACE FUNCTION finding_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.accepted_at IS NOT NULL THEN
        RAISE EXCEPTION 'a difference that is named waits for somebody' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER begins BEFORE INSERT ON audit_finding FOR EACH ROW EXECUTE FUNCTION finding_begins();
ALTER TABLE audit_finding ENABLE ALWAYS TRIGGER begins;
COMMENT ON TRIGGER begins ON audit_finding IS 'A difference that is named waits for somebody who accepts it.';

COMMENT ON CONSTRAINT inspection_plan_readable ON audit_inspection IS 'What an inspection looks through can be read.';
COMMENT ON CONSTRAINT inspection_state_readable ON audit_inspection IS 'What an inspection keeps to go on can be read.';
COMMENT ON CONSTRAINT inspection_counts_readable ON audit_inspection IS 'How much an inspection looked at can be read.';
