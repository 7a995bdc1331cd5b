-- Passkeys, authenticator apps and recovery codes. What counts is used by its person, and ended by them or by two others.

COMMENT ON CONSTRAINT credential_whole ON tables_credential IS
    'A passkey has its handle, its public key and its host; an authenticator app has its secret.';
COMMENT ON CONSTRAINT credential_counter_from_0 ON tables_credential IS 'A credential counts from 0 on.';
COMMENT ON CONSTRAINT credential_ended_whole ON tables_credential IS
    'Who ended a credential is named once it has ended.';
COMMENT ON CONSTRAINT credential_four_eyes ON tables_credential IS
    'A credential is ended by its person, or by two others; nobody is named where one person sets the house up.';

CREATE OR REPLACE FUNCTION credential_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.used_at IS NOT NULL OR NEW.ended_at IS NOT NULL THEN
        RAISE EXCEPTION 'a credential begins unused, and counts' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER begins BEFORE INSERT ON tables_credential
    FOR EACH ROW EXECUTE FUNCTION credential_begins();
ALTER TABLE tables_credential ENABLE ALWAYS TRIGGER begins;
COMMENT ON TRIGGER begins ON tables_credential IS 'A credential begins unused, and counts.';

CREATE OR REPLACE FUNCTION credential_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.ended_at IS NOT NULL THEN
        RAISE EXCEPTION 'credential % has ended, and stays as it is', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.counter < OLD.counter
        OR (NEW.used_at IS DISTINCT FROM OLD.used_at AND NEW.counter = OLD.counter
            AND (OLD.kind = 'app' OR OLD.counter > 0)) THEN
        RAISE EXCEPTION 'credential % has counted to % already', OLD.id, OLD.counter
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.used_at IS DISTINCT FROM OLD.used_at THEN
        NEW.used_at := statement_timestamp();
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE UPDATE ON tables_credential
    FOR EACH ROW EXECUTE FUNCTION credential_moves();
ALTER TABLE tables_credential ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_credential IS
    'A credential that has ended stays as it is. A code counts once: each use lets the counter rise; the clock says when.';
