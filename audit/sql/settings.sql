-- A setting of the house stands as the log records it: who set it, what, from when, and who signed too. So does its
-- withdrawal, which has no value after it.

CREATE OR REPLACE FUNCTION setting_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    of_the_log CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
    said CONSTANT jsonb := jsonb_build_object(
        'what', NEW.name, 'from', to_char(NEW.from_at AT TIME ZONE 'UTC', of_the_log));
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'setting:' || NEW.id AND chain_id = 'house' AND event = 'setting.changed'
        AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', of_the_log)
        AND CASE WHEN NEW.withdrawn_at IS NULL THEN
            by = 'staff:' || NEW.proposed_by_id
            AND (body::jsonb -> 'facts') - 'before' = said || jsonb_build_object(
                'after', NEW.value, 'requester', by, 'approver', 'staff:' || NEW.approved_by_id)
        ELSE
            by <> 'system' AND body::jsonb #>> '{facts,approver}' ~ '^staff:[1-9][0-9]*$'
            AND body::jsonb #>> '{facts,approver}' <> by
            AND (body::jsonb -> 'facts') - 'approver'
                = said || jsonb_build_object('before', NEW.value, 'requester', by)
        END
    ) THEN
        RAISE EXCEPTION 'setting %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON casino_setting;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE ON casino_setting DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION setting_is_logged();
ALTER TABLE casino_setting ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON casino_setting IS
    'When the transaction ends, the log has the entry of a setting: what, from when, and by which two people; and one of '
    'its withdrawal, by two people too.';
