from django.db import migrations

from casino.database import AppendOnly, Grant

# The moves of Round.MOVES, and what of a round never changes. A settled round takes a later settlement, nothing else.
ROUNDS = """
CREATE FUNCTION round_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'OPEN' THEN
            RAISE EXCEPTION 'a round begins open, not %', NEW.status USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.number <= (SELECT coalesce(max(number), 0) FROM tables_round WHERE table_id = NEW.table_id) THEN
            -- The unique key says this better.
            RETURN NEW;
        END IF;
        IF NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM tables_round WHERE table_id = NEW.table_id) THEN
            RAISE EXCEPTION 'round number % leaves a gap at its table', NEW.number USING ERRCODE = 'restrict_violation';
        END IF;
        IF NOT EXISTS (SELECT FROM tables_session WHERE id = NEW.session_id AND table_id = NEW.table_id
                       AND status = 'OPEN')
           OR NOT EXISTS (SELECT FROM tables_rulesheet WHERE id = NEW.sheet_id AND status = 'PUBLISHED')
           OR NEW.series_id IS NOT NULL
              AND NOT EXISTS (SELECT FROM tables_series WHERE id = NEW.series_id AND table_id = NEW.table_id) THEN
            RAISE EXCEPTION 'a round needs its table''s open session and series, and a published sheet'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('OPEN', 'OPEN'), ('OPEN', 'CLOSED'), ('OPEN', 'VOIDED'), ('CLOSED', 'CLOSED'),
                                        ('CLOSED', 'SETTLED'), ('SETTLED', 'SETTLED')) THEN
        RAISE EXCEPTION 'round %: % does not become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.table_id, NEW.session_id, NEW.series_id, NEW.sheet_id, NEW.number, NEW.seats, NEW.carry, NEW.opened_at,
        NEW.opened_by_id, NEW.happened_at)
       IS DISTINCT FROM (OLD.table_id, OLD.session_id, OLD.series_id, OLD.sheet_id, OLD.number, OLD.seats, OLD.carry,
        OLD.opened_at, OLD.opened_by_id, OLD.happened_at) THEN
        RAISE EXCEPTION 'round %: what it was opened with stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at
       OR OLD.settled_at IS NOT NULL AND NEW.settled_at IS DISTINCT FROM OLD.settled_at THEN
        RAISE EXCEPTION 'round %: when it was closed and settled stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.settlement_id IS DISTINCT FROM OLD.settlement_id AND NOT EXISTS (
        SELECT FROM payouts_settlement later LEFT JOIN payouts_settlement earlier ON earlier.id = OLD.settlement_id
        WHERE later.id = NEW.settlement_id AND later.round_key = 'round:' || NEW.id
        AND later.generation > coalesce(earlier.generation, 0)) THEN
        RAISE EXCEPTION 'round %: only a later settlement of its own', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_round FOR EACH ROW EXECUTE FUNCTION round_moves();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER moves;

CREATE FUNCTION table_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.last_number NOT IN (OLD.last_number, OLD.last_number + 1) THEN
        RAISE EXCEPTION 'table %: its rounds are counted one by one', OLD.code USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER counts BEFORE UPDATE ON tables_table FOR EACH ROW EXECUTE FUNCTION table_counts();
ALTER TABLE tables_table ENABLE ALWAYS TRIGGER counts;

-- Actions belong to an open round, lines to a closed one; both follow one another without a gap.
CREATE FUNCTION action_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_round WHERE id = NEW.round_id AND status = 'OPEN') THEN
        RAISE EXCEPTION 'round % is not open', NEW.round_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_action WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'action % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON tables_action FOR EACH ROW EXECUTE FUNCTION action_follows();
ALTER TABLE tables_action ENABLE ALWAYS TRIGGER follows;

CREATE FUNCTION line_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tables_round WHERE id = NEW.round_id AND status IN ('CLOSED', 'SETTLED')) THEN
        RAISE EXCEPTION 'round % is not closed', NEW.round_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.ordinal > 1 + (SELECT coalesce(max(ordinal), 0) FROM tables_line WHERE round_id = NEW.round_id) THEN
        RAISE EXCEPTION 'line % leaves a gap', NEW.ordinal USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON tables_line FOR EACH ROW EXECUTE FUNCTION line_follows();
ALTER TABLE tables_line ENABLE ALWAYS TRIGGER follows;

CREATE FUNCTION inforce_from_now() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.from_at < now() OR NOT EXISTS (SELECT FROM tables_rulesheet WHERE id = NEW.sheet_id AND status = 'PUBLISHED')
    THEN
        RAISE EXCEPTION 'only a published sheet is put in force, and from now on' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER from_now BEFORE INSERT ON tables_inforce FOR EACH ROW EXECUTE FUNCTION inforce_from_now();
ALTER TABLE tables_inforce ENABLE ALWAYS TRIGGER from_now;

-- A closed session stays as it was closed; what it was opened with, its business date above all, stays anyway.
CREATE FUNCTION session_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'CLOSED'
       OR (NEW.table_id, NEW.business_date, NEW.opened_at, NEW.opened_by_id, NEW.opened_with_id)
       IS DISTINCT FROM (OLD.table_id, OLD.business_date, OLD.opened_at, OLD.opened_by_id, OLD.opened_with_id) THEN
        RAISE EXCEPTION 'session %: what it was opened and closed with stays', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER moves BEFORE UPDATE ON tables_session FOR EACH ROW EXECUTE FUNCTION session_moves();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER moves;

CREATE TRIGGER published_stays BEFORE INSERT OR UPDATE OR DELETE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION published_stays();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER published_stays;

CREATE FUNCTION digest_is_of_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.digest IS NOT NULL AND NEW.digest <> encode(sha256(convert_to(NEW.rules, 'UTF8')), 'hex') THEN
        RAISE EXCEPTION 'sheet %: its digest is not that of its rules', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER digest BEFORE INSERT OR UPDATE ON tables_rulesheet FOR EACH ROW EXECUTE FUNCTION digest_is_of_rules();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER digest;
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("payouts", "0002_append_only"), ("audit", "0002_append_only")]

    operations = [
        *(AppendOnly(f"tables_{name}") for name in ("action", "line", "inforce")),
        migrations.RunSQL(ROUNDS),
        *(Grant(f"tables_{name}", "SELECT, INSERT") for name in ("action", "line", "inforce")),
        *(
            Grant(f"tables_{name}", "SELECT, INSERT, UPDATE")
            for name in ("pit", "table", "posting", "signon", "session", "series", "rulesheet", "round")
        ),
        Grant(
            "tables_terminal",
            "SELECT, INSERT, UPDATE",
            columns=("id", "table_id", "name", "enrolled_at", "revoked_at"),
        ),
        *(Grant(f"tables_{name}", "SELECT, INSERT, UPDATE, DELETE") for name in ("box", "hand", "wager")),
    ]
