-- The log's worker writes what it found and did itself, and nothing else: nobody else can say so before it, or in its
-- name, and it says nothing in anybody's. It is known by its right to write leaves, and none to act in rounds. The
-- trigger fires after `follows`, so the text is an entry in the one form.

CREATE OR REPLACE FUNCTION entry_is_of_sealer() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    event CONSTANT text := split_part(NEW.body, '"', 16);
BEGIN
    IF NOT has_table_privilege(current_user, 'audit_leaf', 'INSERT') THEN
        RAISE EXCEPTION 'entry % of chain %: only the sealer writes %', NEW.seq, NEW.chain_id, event
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT has_table_privilege(current_user, 'tables_action', 'INSERT')
       AND event NOT IN ('checkpoint.anchored', 'entry.passed_over', 'finding.named', 'forgery.found',
                         'inspection.asked', 'leaves.passed_over')
       AND (event, NEW.body::jsonb ->> 'subject') IS DISTINCT FROM ('setting.changed', 'setting:log_key') THEN
        RAISE EXCEPTION 'entry % of chain %: the sealer writes no %', NEW.seq, NEW.chain_id, event
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER of_sealer BEFORE INSERT ON audit_entry FOR EACH ROW
    WHEN (split_part(NEW.body, '"', 16) IN
          ('checkpoint.anchored', 'entry.passed_over', 'finding.named', 'forgery.found', 'leaves.passed_over')
          OR NOT has_table_privilege('tables_action', 'INSERT'))
    EXECUTE FUNCTION entry_is_of_sealer();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER of_sealer;
COMMENT ON TRIGGER of_sealer ON audit_entry IS
    'Only the sealer writes checkpoint.anchored, entry.passed_over, finding.named, forgery.found and leaves.passed_over, '
    'and nothing else but that the log''s key changed, and that an inspection is asked for.';

COMMENT ON CONSTRAINT sealing_moment_readable ON audit_sealing IS
    'Since when the newest checkpoint lies outside is in the years 2000 to 8999, which whoever shows it can read.';
