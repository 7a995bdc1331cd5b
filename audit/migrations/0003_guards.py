from django.db import migrations, models

from casino.database import Kept

# Beside its place in the chain, an entry's time is checked: to the minute that of the transaction that writes it, and
# never before the chain's newest. What is committed of a chain has its head at its newest entry.
GUARDS = """
CREATE OR REPLACE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    told jsonb := NEW.body::jsonb;
    told_at timestamptz := (NEW.body::jsonb ->> 'at')::timestamptz;
    chain record;
    before text;
BEGIN
    SELECT seq, head, at INTO chain FROM audit_chain WHERE key = NEW.chain_id;
    IF NEW.seq = chain.seq + 1 THEN
        before := chain.head;
    ELSIF NEW.seq > chain.seq THEN
        SELECT encode(sha256(convert_to(body, 'UTF8')), 'hex') INTO before
        FROM audit_entry WHERE chain_id = NEW.chain_id AND seq = NEW.seq - 1;
    END IF;
    IF before IS NULL OR told ->> 'prev' IS DISTINCT FROM before OR told ->> 'chain' IS DISTINCT FROM NEW.chain_id
       OR told ->> 'seq' IS DISTINCT FROM NEW.seq::text THEN
        RAISE EXCEPTION 'entry % does not follow in chain %', NEW.seq, NEW.chain_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF told_at < chain.at OR told_at < now() - interval '1 minute'
       OR told_at > greatest(chain.at, clock_timestamp() + interval '1 minute') THEN
        RAISE EXCEPTION 'entry % of chain %: it is not %', NEW.seq, NEW.chain_id, told_at
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION chain_moves_forward() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF (NEW.seq, NEW.head, NEW.at) IS DISTINCT FROM (0::bigint, repeat('0', 64)::varchar, NULL::timestamptz) THEN
            RAISE EXCEPTION 'chain % begins empty', NEW.key USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.key <> OLD.key OR NEW.seq <= OLD.seq OR NEW.at IS NULL OR NEW.at < OLD.at THEN
        RAISE EXCEPTION 'chain % can only grow', OLD.key USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT EXISTS (SELECT FROM audit_entry WHERE chain_id = NEW.key AND seq = NEW.seq AND at::timestamptz = NEW.at
                   AND encode(sha256(convert_to(body, 'UTF8')), 'hex') = NEW.head) THEN
        RAISE EXCEPTION 'chain %: its head is no entry', OLD.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER moves_forward ON audit_chain;
CREATE TRIGGER moves_forward BEFORE INSERT OR UPDATE ON audit_chain
    FOR EACH ROW EXECUTE FUNCTION chain_moves_forward();
ALTER TABLE audit_chain ENABLE ALWAYS TRIGGER moves_forward;

CREATE FUNCTION entry_is_reached() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM audit_chain WHERE key = NEW.chain_id AND seq >= NEW.seq) THEN
        RAISE EXCEPTION 'entry % is past the head of chain %', NEW.seq, NEW.chain_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER reached AFTER INSERT ON audit_entry DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION entry_is_reached();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER reached;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_append_only"), ("casino", "0004_guards")]

    operations = [
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(event__isnull=False, subject__isnull=False, by__isnull=False, at__isnull=False),
                name="entry_says_all",
            ),
        ),
        migrations.RunSQL(GUARDS),
        Kept("audit_chain"),
    ]
