-- Files of reports: each is asked for, and ends once; one that is done is pruned by two. All files of a report of one
-- period are of the same bytes, whenever they are made: a closed day does not change.

CREATE OR REPLACE FUNCTION report_file_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ended text[] := ARRAY['status', 'rows_made', 'digest', 'file_digest', 'size', 'failure', 'ended_at'];
    pruned text[] := ARRAY['status', 'pruned_by_id', 'pruned_with_id', 'pruned_at'];
    fault text := CASE
        WHEN TG_OP = 'INSERT' THEN CASE WHEN NEW.status <> 'ASKED' OR NEW.rows_made <> 0 THEN 'it begins as asked for' END
        WHEN OLD.status = 'ASKED' AND to_jsonb(NEW) - ended IS DISTINCT FROM to_jsonb(OLD) - ended
            THEN 'what was asked for stays'
        WHEN OLD.status = 'ASKED' AND NEW.rows_made < OLD.rows_made AND NEW.status <> 'ASKED'
            THEN 'it ends with as many rows as were made'
        WHEN OLD.status = 'ASKED' AND NEW.status = 'PRUNED' THEN 'what is not made is not pruned'
        WHEN OLD.status = 'DONE' AND (NEW.status <> 'PRUNED'
            OR to_jsonb(NEW) - pruned IS DISTINCT FROM to_jsonb(OLD) - pruned) THEN 'what is done is pruned, and no more'
        WHEN OLD.status IN ('FAILED', 'CANCELLED', 'PRUNED') THEN 'it has ended'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'file % of a report: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.status = 'DONE' AND EXISTS (
        SELECT FROM tables_reportfile other
        WHERE (other.report, other.period, other.edition) = (NEW.report, NEW.period, NEW.edition)
            AND other.digest NOT IN ('', NEW.digest)
    ) THEN
        RAISE EXCEPTION 'file % of a report: another file of the same report and period has other bytes', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_reportfile
    FOR EACH ROW EXECUTE FUNCTION report_file_moves();
ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_reportfile IS
    'Moves of a file of a report, all of which have the same bytes for one period: ASKED to DONE, ASKED to FAILED, ASKED '
    'to CANCELLED, DONE to PRUNED.';

COMMENT ON INDEX reportfile_once IS 'A report of a period is made once in each form, until that file is pruned.';
COMMENT ON CONSTRAINT reportfile_says_what ON tables_reportfile IS
    'A file is CSV, XLSX or PDF, of an edition of its report, of one gaming day or of several.';
COMMENT ON CONSTRAINT reportfile_ended_whole ON tables_reportfile IS
    'A file that is done has its digests and its size; one that failed says why; another one has none of that.';
COMMENT ON CONSTRAINT reportfile_pruned_by_two ON tables_reportfile IS 'Two people prune a file, at a time.';
COMMENT ON CONSTRAINT reportfile_csv_is_the_report ON tables_reportfile IS 'A report is its CSV.';
COMMENT ON CONSTRAINT reporttoken_given_by_two ON tables_reporttoken IS 'Two people give a token of reports.';
COMMENT ON CONSTRAINT reporttoken_ended_by_two ON tables_reporttoken IS 'Two people end a token of reports, at a time.';

CREATE OR REPLACE FUNCTION report_file_is_logged() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    lately CONSTANT text :=
        to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
BEGIN
    IF NEW.status IN ('DONE', 'PRUNED') AND NOT EXISTS (
        SELECT FROM audit_entry
        WHERE chain_id = 'house' AND at >= lately AND CASE NEW.status
            WHEN 'DONE' THEN subject = 'report_file:' || NEW.id AND event = 'report.made'
                AND by = coalesce('staff:' || NEW.asked_by_id, 'system')
                AND body::jsonb -> 'facts' @> jsonb_build_object('what', NEW.report, 'period', NEW.period,
                    'form', NEW.form, 'digest', NEW.digest, 'file', NEW.file_digest, 'grade', 'FINAL')
            ELSE subject = 'reports' AND event = 'report.pruned' AND by = 'staff:' || NEW.pruned_by_id
                AND body::jsonb -> 'facts' @> jsonb_build_object(
                    'requester', 'staff:' || NEW.pruned_by_id, 'approver', 'staff:' || NEW.pruned_with_id)
        END
    ) THEN
        RAISE EXCEPTION 'file % of a report: the log has no entry that says so', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_reportfile;
CREATE CONSTRAINT TRIGGER logged AFTER UPDATE OF status ON tables_reportfile DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION report_file_is_logged();
ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_reportfile IS
    'When the transaction ends, the log has the entry of a file that is made, with its digests, and of its pruning by two.';

CREATE OR REPLACE FUNCTION report_token_is_logged() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    over CONSTANT boolean := TG_OP = 'UPDATE';
    first_by CONSTANT text := 'staff:' || CASE WHEN over THEN NEW.ended_by_id ELSE NEW.given_by_id END;
    second_by CONSTANT text := 'staff:' || CASE WHEN over THEN NEW.ended_with_id ELSE NEW.given_with_id END;
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'report_token:' || NEW.id AND chain_id = 'house' AND by = first_by
        AND event = CASE WHEN over THEN 'report_token.ended' ELSE 'report_token.given' END
        AND body::jsonb -> 'facts' =
            jsonb_build_object('name', NEW.name, 'requester', first_by, 'approver', second_by)
    ) THEN
        RAISE EXCEPTION 'token %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_reporttoken;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE ON tables_reporttoken DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION report_token_is_logged();
ALTER TABLE tables_reporttoken ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_reporttoken IS
    'When the transaction ends, the log has the entry of a token that is given, and of its end: by which two.';
