-- Passkeys, authenticator apps and recovery codes. What counts is used by its person, and ended by them or by two others;
-- the house's log has the entry of it.

COMMENT ON CONSTRAINT credential_whole ON tables_credential IS
    'A passkey has its handle, its public key and its host; an authenticator app has its secret.';
COMMENT ON CONSTRAINT credential_counter_from_0 ON tables_credential IS 'A credential counts from 0 on.';
COMMENT ON CONSTRAINT credential_ended_whole ON tables_credential IS
    'Who ended a credential is named once it has ended.';
COMMENT ON CONSTRAINT credential_four_eyes ON tables_credential IS
    'A credential is ended by its person, or by two others.';

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

CREATE OR REPLACE FUNCTION credential_is_logged() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.ended_at IS NULL OR OLD.ended_at IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'credential:' || NEW.id AND chain_id = 'house'
        AND CASE TG_OP WHEN 'INSERT' THEN
            event = 'credential.added' AND by = 'staff:' || NEW.staff_id
            AND body::jsonb -> 'facts' = jsonb_strip_nulls(
                jsonb_build_object('staff', by, 'kind', NEW.kind, 'public_key', NEW.public_key, 'host', NEW.host))
        ELSE
            event = 'credential.removed' AND by = 'staff:' || NEW.ended_by_id
            AND body::jsonb -> 'facts' = jsonb_strip_nulls(jsonb_build_object(
                'staff', 'staff:' || NEW.staff_id, 'approver', 'staff:' || NEW.ended_with_id,
                'requester', CASE WHEN NEW.ended_with_id IS NOT NULL THEN by END))
        END
    ) THEN
        RAISE EXCEPTION 'credential %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_credential;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE OF ended_at ON tables_credential DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION credential_is_logged();
ALTER TABLE tables_credential ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_credential IS
    'When the transaction ends, the log has the entry of a credential that its person added, and of its end by them or by '
    'two others.';

CREATE OR REPLACE FUNCTION recovery_code_is_logged() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF (SELECT count(*) FROM tables_recoverycode WHERE staff_id = NEW.staff_id AND ended_at IS NULL) > coalesce((
        SELECT (body::jsonb #>> '{facts,number}')::int FROM audit_entry
        WHERE subject = 'staff:' || NEW.staff_id AND chain_id = 'house' AND event = 'recovery_codes.made'
        AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        AND by = subject AND body::jsonb #>> '{facts,staff}' = subject
        ORDER BY seq DESC LIMIT 1
    ), 0) THEN
        RAISE EXCEPTION 'recovery code %: the log has no entry that says so', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_recoverycode;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT ON tables_recoverycode DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION recovery_code_is_logged();
ALTER TABLE tables_recoverycode ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_recoverycode IS
    'When the transaction ends, the log has the entry by which a person made recovery codes, and no more of them count '
    'than it says.';
