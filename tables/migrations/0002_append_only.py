from django.db import migrations

from casino.database import AppendOnly, Grant

# The moves of Round.MOVES, and what of a round never changes. A settled round takes a later settlement, nothing else.
ROUNDS = """
CREATE FUNCTION round_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'OPEN' THEN
            RAISE EXCEPTION 'a round begins open, not %', NEW.status USING ERRCODE = 'restrict_violation';
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
    RETURN NEW;
END $$;
CREATE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_round FOR EACH ROW EXECUTE FUNCTION round_moves();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER moves;

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

CREATE TRIGGER published_stays BEFORE UPDATE OR DELETE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION published_stays();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER published_stays;
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
