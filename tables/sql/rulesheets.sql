-- A rule sheet is published as it was drafted: its digest is that of its rules, they say its values, and its table of
-- coefficients is published. Once published it stays (`published_stays` stands in payouts/sql/coefficients.sql). Only a
-- published sheet is put in force, by two people, with its entry, and from now on.

CREATE OR REPLACE TRIGGER published_stays BEFORE INSERT OR UPDATE OR DELETE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION published_stays();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER published_stays;
COMMENT ON TRIGGER published_stays ON tables_rulesheet IS
    'A sheet begins as DRAFT; once PUBLISHED it stays as it is. Moves: DRAFT to PUBLISHED.';

CREATE OR REPLACE FUNCTION digest_is_of_rules() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    told jsonb;
BEGIN
    IF TG_OP = 'INSERT' OR OLD.digest IS NOT NULL OR NEW.digest IS NULL THEN
        RETURN NEW;  -- a draft, or what other guards refuse
    END IF;
    IF NEW.digest <> encode(sha256(convert_to(NEW.rules, 'UTF8')), 'hex') THEN
        RAISE EXCEPTION 'sheet %: its digest is not that of its rules', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    told := NEW.rules::jsonb;
    IF (told ->> 'game', told ->> 'version') IS DISTINCT FROM (NEW.game::text, NEW.version::text)
       OR ((told -> 'parameters') || (told -> 'limits') || CASE WHEN told -> 'coefficients' = '{}' THEN '{}'
           ELSE jsonb_build_object('coefficients', told -> 'coefficients') END) IS DISTINCT FROM NEW.values THEN
        RAISE EXCEPTION 'sheet %: its rules do not say its values', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM FROM payouts_coefficienttable WHERE id = NEW.coefficient_table_id AND status <> 'PUBLISHED' FOR SHARE;
    IF FOUND THEN
        RAISE EXCEPTION 'sheet %: its coefficient table is a draft', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER digest BEFORE INSERT OR UPDATE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION digest_is_of_rules();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER digest;
COMMENT ON TRIGGER digest ON tables_rulesheet IS
    'A sheet is published with rules that say its values, with their SHA-256, and with a published table of '
    'coefficients.';

CREATE OR REPLACE FUNCTION inforce_from_now() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.from_at < now() OR NEW.from_at > now() + interval '1 year'
       OR NOT EXISTS (SELECT FROM tables_rulesheet WHERE id = NEW.sheet_id AND status = 'PUBLISHED')
    THEN
        RAISE EXCEPTION 'only a published sheet is put in force, from now on and within a year'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.approved_by_id IS NULL THEN
        RAISE EXCEPTION 'two people put a sheet in force at a table' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER from_now BEFORE INSERT ON tables_inforce FOR EACH ROW EXECUTE FUNCTION inforce_from_now();
ALTER TABLE tables_inforce ENABLE ALWAYS TRIGGER from_now;
COMMENT ON TRIGGER from_now ON tables_inforce IS
    'Only a published sheet is put in force, by two people, from now on and within a year.';

CREATE OR REPLACE FUNCTION inforce_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    of_the_log CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'table:' || NEW.table_id AND chain_id = subject AND event = 'table.sheet_set'
        AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', of_the_log)
        AND by = 'staff:' || NEW.set_by_id
        AND body::jsonb -> 'facts' = jsonb_build_object(
            'sheet', (SELECT digest FROM tables_rulesheet WHERE id = NEW.sheet_id),
            'from', to_char(NEW.from_at AT TIME ZONE 'UTC', of_the_log),
            'requester', by, 'approver', 'staff:' || NEW.approved_by_id)
    ) THEN
        RAISE EXCEPTION 'sheet % at table %: the log has no entry that says so', NEW.sheet_id, NEW.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_inforce;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT ON tables_inforce DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION inforce_is_logged();
ALTER TABLE tables_inforce ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_inforce IS
    'When the transaction ends, the log has the entry of a sheet put in force: which, where, from when, and by which two '
    'people.';

COMMENT ON CONSTRAINT rulesheet_version_from_one ON tables_rulesheet IS
    'The versions of a game''s sheet are counted from 1.';
COMMENT ON CONSTRAINT rulesheet_version_once ON tables_rulesheet IS 'A version stands for one sheet of a game.';
COMMENT ON CONSTRAINT rulesheet_published_whole ON tables_rulesheet IS
    'A published sheet has its rules, their digest, its person and its time; a draft has none of them.';
COMMENT ON CONSTRAINT rulesheet_four_eyes ON tables_rulesheet IS
    'The person who publishes is another than the person who drafted.';
COMMENT ON CONSTRAINT inforce_moment_once ON tables_inforce IS 'At a moment one sheet comes into force at a table.';
COMMENT ON CONSTRAINT inforce_four_eyes ON tables_inforce IS
    'The person who approves that a sheet is put in force is another than the person who sets it.';
COMMENT ON CONSTRAINT rulesheet_values_readable ON tables_rulesheet IS 'The values of a sheet can be read.';
COMMENT ON CONSTRAINT rulesheet_rules_readable ON tables_rulesheet IS 'The rules of a sheet can be read.';
