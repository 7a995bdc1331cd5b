-- People, postings and one-time codes: two others add and post a person, let them go and have them return, and give them
-- a code; the house's log has the entry of it. What sets the house up, in the transaction of its very first postings,
-- may be told by one person alone.

COMMENT ON CONSTRAINT posting_posted_whole ON tables_posting IS
    'Two people post a person; none is named where the house was set up.';
COMMENT ON CONSTRAINT posting_ended_whole ON tables_posting IS
    'Two people are named who end a posting, when it ends, or none.';
COMMENT ON CONSTRAINT posting_four_eyes ON tables_posting IS 'Nobody posts, or ends a posting, as both of the two.';
COMMENT ON CONSTRAINT posting_by_others ON tables_posting IS 'Nobody gives or ends their own posting.';
COMMENT ON CONSTRAINT onetimecode_given_whole ON tables_onetimecode IS
    'Two people give a one-time code; none is named where no two could.';
COMMENT ON CONSTRAINT onetimecode_four_eyes ON tables_onetimecode IS 'Two different people give a one-time code.';
COMMENT ON CONSTRAINT onetimecode_by_others ON tables_onetimecode IS 'Nobody gives themselves a one-time code.';
COMMENT ON INDEX onetimecode_one_stands IS 'A person has one one-time code at a time.';

-- Whoever founds a house can't be given a code by two others. As soon as two others can sign, two do.
CREATE OR REPLACE FUNCTION code_needs_two() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.given_by_id IS NULL AND (
        SELECT count(*) FROM casino_staff WHERE is_active AND id <> NEW.staff_id AND password NOT LIKE '!%'
    ) > 1 THEN
        RAISE EXCEPTION 'the code of person % names nobody, and there are two others who could give it', NEW.staff_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER needs_two BEFORE INSERT ON tables_onetimecode FOR EACH ROW EXECUTE FUNCTION code_needs_two();
ALTER TABLE tables_onetimecode ENABLE ALWAYS TRIGGER needs_two;
COMMENT ON TRIGGER needs_two ON tables_onetimecode IS
    'A one-time code names nobody only as long as no two others have a password.';

CREATE OR REPLACE FUNCTION staff_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    own CONSTANT text := 'staff:' || NEW.id;
    told record;
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.is_active = OLD.is_active THEN
        RETURN NULL;
    END IF;
    SELECT event, by AS teller, body::jsonb -> 'facts' AS facts INTO told FROM audit_entry
    WHERE subject = own AND chain_id = 'house'
    AND event = ANY (CASE TG_OP WHEN 'INSERT' THEN '{staff.added}' ELSE '{staff.left,staff.returned}' END::text[])
    ORDER BY seq DESC LIMIT 1;
    IF told IS NULL
        OR (TG_OP = 'UPDATE' AND (told.event = 'staff.returned') <> (
            SELECT is_active FROM casino_staff WHERE id = NEW.id))
        OR (CASE WHEN told.facts ? 'requester' THEN
            told.facts - 'approver' = jsonb_build_object('staff', own, 'requester', told.teller)
            AND told.facts ->> 'approver' ~ '^staff:[1-9][0-9]*$' AND told.teller ~ '^staff:'
            AND own NOT IN (told.teller, told.facts ->> 'approver') AND told.teller <> told.facts ->> 'approver'
        ELSE
            TG_OP = 'INSERT' AND told.facts = jsonb_build_object('staff', own)
            AND NOT EXISTS (SELECT FROM tables_posting WHERE posted_at < now())
        END) IS NOT TRUE
    THEN
        RAISE EXCEPTION 'person %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON casino_staff;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE OF is_active ON casino_staff DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION staff_is_logged();
ALTER TABLE casino_staff ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON casino_staff IS
    'When the transaction ends, the log has the entry by two others of a person who is added, leaves or returns; the '
    'house is set up by one alone.';

CREATE OR REPLACE FUNCTION posting_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    began CONSTANT boolean := TG_OP = 'INSERT';
    first_by CONSTANT bigint := CASE WHEN began THEN NEW.posted_by_id ELSE NEW.ended_by_id END;
    second_by CONSTANT bigint := CASE WHEN began THEN NEW.posted_with_id ELSE NEW.ended_with_id END;
    left_with CONSTANT jsonb := jsonb_strip_nulls(jsonb_build_object(
        'staff', 'staff:' || NEW.staff_id, 'requester', 'staff:' || first_by, 'approver', 'staff:' || second_by));
    posted_with CONSTANT jsonb := left_with || jsonb_strip_nulls(
        jsonb_build_object('role', NEW.role, 'pit', 'pit:' || NEW.pit_id));
BEGIN
    IF first_by IS NULL AND (NOT began OR EXISTS (SELECT FROM tables_posting WHERE posted_at < now())) THEN
        RAISE EXCEPTION 'two people post a person, and end that' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'staff:' || NEW.staff_id AND chain_id = 'house'
        AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        AND CASE
            WHEN began THEN event = 'staff.posted' AND body::jsonb -> 'facts' = posted_with
            WHEN event = 'staff.left' THEN body::jsonb -> 'facts' = left_with
            ELSE event = 'staff.posting_ended' AND body::jsonb -> 'facts' = posted_with
        END
        AND (first_by IS NULL OR by = 'staff:' || first_by)
    ) THEN
        RAISE EXCEPTION 'posting %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_posting;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE ON tables_posting DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION posting_is_logged();
ALTER TABLE tables_posting ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_posting IS
    'When the transaction ends, the log has the entry of a posting, and of its end: of whom, to what, and by which two; '
    'nobody is named where the house is set up, in the transaction of its first postings.';

CREATE OR REPLACE FUNCTION code_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'staff:' || NEW.staff_id AND chain_id = 'house' AND event = 'staff.code_given'
        AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        AND by = coalesce('staff:' || NEW.given_by_id, 'system')
        AND body::jsonb -> 'facts' = jsonb_strip_nulls(jsonb_build_object('staff', subject,
            'requester', 'staff:' || NEW.given_by_id, 'approver', 'staff:' || NEW.given_with_id))
    ) THEN
        RAISE EXCEPTION 'one-time code %: the log has no entry that says so', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_onetimecode;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT ON tables_onetimecode DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION code_is_logged();
ALTER TABLE tables_onetimecode ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_onetimecode IS
    'When the transaction ends, the log has the entry of a one-time code: for whom, and by which two, if it names any.';
