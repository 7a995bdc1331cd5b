from django.db import migrations

from casino.database import EndsOnce, Keeps, Kept, Revoke, Timed

# A round opens by the sheet of its series or by the one in force, in a session that nobody closes meanwhile. Its
# table's count and its numbers agree when the transaction ends, and a closed round has its first line then.
ROUNDS = """
CREATE FUNCTION round_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_session WHERE id = NEW.session_id AND status = 'OPEN' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a round needs its table''s open session' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.sheet_id IS DISTINCT FROM coalesce(
        (SELECT sheet_id FROM tables_round WHERE series_id = NEW.series_id ORDER BY number LIMIT 1),
        (SELECT sheet_id FROM tables_inforce WHERE table_id = NEW.table_id AND from_at <= statement_timestamp()
         ORDER BY from_at DESC LIMIT 1)) THEN
        RAISE EXCEPTION 'a round is played by the sheet in force or that of its series'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER opens BEFORE INSERT ON tables_round FOR EACH ROW EXECUTE FUNCTION round_begins();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER opens;

CREATE FUNCTION round_comes_due() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.next_at > now() + interval '1 day' THEN
        RAISE EXCEPTION 'round %: nothing is put off by more than a day', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER comes_due BEFORE UPDATE OF next_at ON tables_round FOR EACH ROW EXECUTE FUNCTION round_comes_due();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER comes_due;

CREATE FUNCTION round_has_line() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_line WHERE round_id = NEW.id) THEN
        RAISE EXCEPTION 'round %: closed without a line', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER has_line AFTER UPDATE OF status ON tables_round DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION round_has_line();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER has_line;

CREATE OR REPLACE FUNCTION table_counts() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.last_number NOT IN (OLD.last_number, OLD.last_number + 1)
       OR TG_OP = 'INSERT' AND NEW.last_number <> 0 THEN
        RAISE EXCEPTION 'table %: its rounds are counted one by one', NEW.code USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND (
        OLD.float_account_id <> NEW.float_account_id OR OLD.patrons_account_id <> NEW.patrons_account_id
        OR OLD.pot_account_id <> NEW.pot_account_id OR OLD.float_account_id IS NOT NULL AND NEW.float_account_id IS NULL
        OR OLD.patrons_account_id IS NOT NULL AND NEW.patrons_account_id IS NULL
        OR OLD.pot_account_id IS NOT NULL AND NEW.pot_account_id IS NULL)
       OR 3 > (SELECT count(*) FROM (VALUES (NEW.float_account_id, 'float'), (NEW.patrons_account_id, 'patrons'),
                                            (NEW.pot_account_id, 'pot')) place (id, kind)
               WHERE place.id IS NULL OR EXISTS (SELECT FROM payouts_account a WHERE a.id = place.id
                                                 AND a.kind = place.kind AND a.owner = 'table:' || NEW.id)) THEN
        RAISE EXCEPTION 'table %: its accounts are its own, for ever', NEW.code USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER counts ON tables_table;
CREATE TRIGGER counts BEFORE INSERT OR UPDATE ON tables_table FOR EACH ROW EXECUTE FUNCTION table_counts();
ALTER TABLE tables_table ENABLE ALWAYS TRIGGER counts;

CREATE FUNCTION count_is_of_rounds() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    counted bigint := CASE TG_TABLE_NAME WHEN 'tables_table' THEN (to_jsonb(NEW) ->> 'id')::bigint
                      ELSE (to_jsonb(NEW) ->> 'table_id')::bigint END;
BEGIN
    IF (SELECT last_number FROM tables_table WHERE id = counted)
       <> (SELECT coalesce(max(number), 0) FROM tables_round WHERE table_id = counted) THEN
        RAISE EXCEPTION 'table %: its count is not that of its rounds', counted USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER counted AFTER INSERT ON tables_round DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION count_is_of_rounds();
CREATE CONSTRAINT TRIGGER counted AFTER UPDATE OF last_number ON tables_table DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION count_is_of_rounds();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER counted;
ALTER TABLE tables_table ENABLE ALWAYS TRIGGER counted;
"""

# The row is locked before it is looked at, so that neither a close under way in another transaction nor an old snapshot
# lets an action or a line in that comes too late. A line of a settled round is settled with it.
FOLLOWING = """
CREATE OR REPLACE FUNCTION action_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_round WHERE id = NEW.round_id AND status = 'OPEN' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % is not open', NEW.round_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_action WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'action % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION line_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tables_round WHERE id = NEW.round_id AND status IN ('CLOSED', 'SETTLED') FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % is not closed', NEW.round_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_line WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'line % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION line_is_settled() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_round r JOIN payouts_settlement s ON s.id = r.settlement_id
               WHERE r.id = NEW.round_id AND s.line_ordinal < NEW.ordinal) THEN
        RAISE EXCEPTION 'line % of round %: it is not settled', NEW.ordinal, NEW.round_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER settled AFTER INSERT ON tables_line DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION line_is_settled();
ALTER TABLE tables_line ENABLE ALWAYS TRIGGER settled;
"""

# A round takes a settlement that is whole and its own: of its table, its sheet, its newest line and the right day.
# Whatever was settled is taken by its round in the same transaction, and nothing joins it after that.
SETTLEMENTS = """
CREATE FUNCTION round_takes_settlement() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    taken record;
    fault text := settlement_fault(NEW.settlement_id);
    day date;
BEGIN
    SELECT * INTO taken FROM payouts_settlement WHERE id = NEW.settlement_id;
    IF taken.generation = 1 THEN
        SELECT business_date INTO day FROM tables_session WHERE id = NEW.session_id;
    ELSE
        SELECT coalesce((SELECT business_date FROM tables_session WHERE table_id = NEW.table_id AND status = 'OPEN'),
                        gaming_day(now(), time_zone, day_starts_at)) INTO day FROM casino_casino;
    END IF;
    fault := coalesce(fault, CASE
        WHEN taken.table_key <> 'table:' || NEW.table_id THEN 'it is of another table'
        WHEN taken.sheet_digest IS DISTINCT FROM (SELECT digest FROM tables_rulesheet WHERE id = NEW.sheet_id)
            THEN 'it is by another sheet'
        WHEN taken.line_ordinal IS DISTINCT FROM (SELECT max(ordinal) FROM tables_line WHERE round_id = NEW.id)
            THEN 'it is not of the newest line'
        WHEN taken.business_date IS DISTINCT FROM day THEN 'its business date is not ' || coalesce(day::text, 'known')
    END);
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'settlement %: %', taken.key, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER takes_settlement BEFORE UPDATE OF settlement_id ON tables_round FOR EACH ROW
    WHEN (NEW.settlement_id IS DISTINCT FROM OLD.settlement_id) EXECUTE FUNCTION round_takes_settlement();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER takes_settlement;

CREATE FUNCTION settlement_is_taken() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_round r JOIN payouts_settlement s ON s.id = r.settlement_id
                   WHERE r.id = substring(NEW.round_key FROM 7)::bigint AND s.generation >= NEW.generation) THEN
        RAISE EXCEPTION 'settlement %: its round does not take it', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER taken AFTER INSERT ON payouts_settlement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION settlement_is_taken();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER taken;

CREATE FUNCTION joins_before_taken() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM added JOIN payouts_settlement s ON s.id = added.settlement_id
               JOIN tables_round r ON r.id = substring(s.round_key FROM 7)::bigint
               JOIN payouts_settlement t ON t.id = r.settlement_id WHERE t.generation >= s.generation) THEN
        RAISE EXCEPTION '%: the round has taken its settlement already', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER before_taken AFTER INSERT ON payouts_payment REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION joins_before_taken();
CREATE TRIGGER before_taken AFTER INSERT ON payouts_transfer REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION joins_before_taken();
ALTER TABLE payouts_payment ENABLE ALWAYS TRIGGER before_taken;
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER before_taken;

-- The chips of a session are those of its table, on its day.
CREATE FUNCTION transfer_in_session() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM payouts_movement m WHERE m.id = NEW.movement_id AND m.subject LIKE 'session:%'
               AND NOT EXISTS (SELECT FROM tables_session s WHERE m.subject = 'session:' || s.id
                               AND s.business_date = NEW.business_date
                               AND NOT EXISTS (SELECT FROM payouts_account a WHERE a.id IN (NEW.debit_id, NEW.credit_id)
                                               AND a.owner NOT IN ('house', 'table:' || s.table_id)))) THEN
        RAISE EXCEPTION 'transfer %: its movement is of a session of another table or day', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER joins_session BEFORE INSERT ON payouts_transfer FOR EACH ROW WHEN (NEW.movement_id IS NOT NULL)
    EXECUTE FUNCTION transfer_in_session();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_session;
"""

# A session begins open, on the gaming day of now. A sheet is published as it was drafted: its rules say its values, and
# its coefficient table is published.
SESSIONS_AND_SHEETS = """
ALTER FUNCTION session_moves() SET search_path = public, pg_temp;
CREATE FUNCTION session_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.status <> 'OPEN' OR NEW.business_date IS DISTINCT FROM
       (SELECT gaming_day(now(), time_zone, day_starts_at) FROM casino_casino) THEN
        RAISE EXCEPTION 'a session begins open, on the gaming day of now' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER opens BEFORE INSERT ON tables_session FOR EACH ROW EXECUTE FUNCTION session_begins();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER opens;

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
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_disputes"), ("payouts", "0004_guards"), ("audit", "0003_guards")]

    operations = [
        migrations.RunSQL(ROUNDS),
        migrations.RunSQL(FOLLOWING),
        migrations.RunSQL(SETTLEMENTS),
        migrations.RunSQL(SESSIONS_AND_SHEETS),
        *(
            Kept(f"tables_{name}")
            for name in ("pit", "table", "terminal", "posting", "signon", "session", "series", "rulesheet", "round")
        ),
        Revoke("tables_pit", "UPDATE"),
        Keeps("tables_table", "id", "code", "name", "pit_id", "chip_set_id"),
        Keeps("tables_session", "id"),
        Keeps(
            "tables_rulesheet", "id", "game", "version", "values", "coefficient_table_id", "drafted_by_id", "drafted_at"
        ),
        Keeps("tables_round", "id"),
        EndsOnce("tables_posting", "ended_at"),
        EndsOnce("tables_signon", "signed_off_at"),
        EndsOnce("tables_terminal", "revoked_at"),
        EndsOnce("tables_series", "closed_at", "status"),
        Timed("tables_posting", "posted_at", "ended_at"),
        Timed("tables_signon", "signed_on_at", "signed_off_at"),
        Timed("tables_terminal", "enrolled_at", "revoked_at"),
        Timed("tables_session", "opened_at", "closed_at"),
        Timed("tables_series", "opened_at", "closed_at"),
        Timed("tables_rulesheet", "drafted_at", "published_at"),
        Timed("tables_round", "opened_at", "held_at", "closed_at", "settled_at"),
        Timed("tables_dispute", "raised_at", "ruled_at", "closed_at"),
        *(Timed(f"tables_{name}", "at") for name in ("action", "line", "intervention")),
    ]
