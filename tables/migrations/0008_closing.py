from django.db import migrations

# A session closes when nothing of it is under way and its float is empty, with a snapshot of each account of its table;
# and no snapshot stands without it.
CLOSING = """
CREATE FUNCTION session_ends() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text := CASE
        WHEN EXISTS (SELECT FROM tables_round WHERE session_id = NEW.id AND status IN ('OPEN', 'CLOSED'))
            THEN 'a round of it is not settled'
        WHEN EXISTS (SELECT FROM tables_series WHERE table_id = NEW.table_id AND status = 'OPEN') THEN 'a series runs'
        WHEN (SELECT account_balance(float_account_id) FROM tables_table WHERE id = NEW.table_id) IS DISTINCT FROM 0
            THEN 'its float is not empty'
        WHEN 3 <> (SELECT count(*) FROM payouts_snapshot s
                   JOIN tables_table t ON s.account_id IN (t.float_account_id, t.patrons_account_id, t.pot_account_id)
                   WHERE t.id = NEW.table_id AND s.subject = 'session:' || NEW.id)
            THEN 'its accounts have no snapshot'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'session % does not close: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ends BEFORE UPDATE OF status ON tables_session FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION session_ends();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER ends;

CREATE FUNCTION snapshot_of_closing() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_session s JOIN payouts_account a ON a.owner = 'table:' || s.table_id
    WHERE a.id = NEW.account_id AND NEW.subject = 'session:' || s.id AND s.status = 'OPEN' FOR SHARE OF s;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'snapshot of account %: no open session of its table', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER of_closing BEFORE INSERT ON payouts_snapshot FOR EACH ROW EXECUTE FUNCTION snapshot_of_closing();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER of_closing;

CREATE FUNCTION snapshot_is_taken() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_session WHERE NEW.subject = 'session:' || id AND status = 'CLOSED') THEN
        RAISE EXCEPTION 'snapshot of account %: its session does not close', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER taken AFTER INSERT ON payouts_snapshot DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION snapshot_is_taken();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER taken;

-- The chips of a session are those of its table, on its day, until it closes.
CREATE OR REPLACE FUNCTION transfer_in_session() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    told text;
BEGIN
    SELECT subject INTO told FROM payouts_movement WHERE id = NEW.movement_id;
    IF told NOT LIKE 'session:%' THEN
        RETURN NEW;
    END IF;
    PERFORM FROM tables_session s WHERE told = 'session:' || s.id AND s.status = 'OPEN'
        AND s.business_date = NEW.business_date
        AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id)
                        AND a.owner NOT IN ('house', 'table:' || s.table_id)) FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'transfer %: its movement is of a session of another table or day, or of a closed one', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION series_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_session WHERE id = NEW.session_id AND table_id = NEW.table_id AND status = 'OPEN' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a series needs its table''s open session' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER opens BEFORE INSERT ON tables_series FOR EACH ROW EXECUTE FUNCTION series_begins();
ALTER TABLE tables_series ENABLE ALWAYS TRIGGER opens;
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_settling"), ("payouts", "0007_snapshots")]

    operations = [migrations.RunSQL(CLOSING)]
