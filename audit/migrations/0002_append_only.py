from django.db import migrations

from casino.database import AppendOnly, Grant

# An entry follows the one before it, by number and by hash. The head moves forward to an entry, never back; `house` is there from the first day.
FORWARD = """
CREATE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    told jsonb := NEW.body::jsonb;
    chain record;
    before text;
BEGIN
    SELECT seq, head INTO chain FROM audit_chain WHERE key = NEW.chain_id;
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
    RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION entry_follows();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER follows;

CREATE FUNCTION chain_moves_forward() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.key <> OLD.key OR NEW.seq <= OLD.seq OR NEW.at IS NULL OR NEW.at < OLD.at THEN
        RAISE EXCEPTION 'chain % can only grow', OLD.key USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT EXISTS (SELECT FROM audit_entry WHERE chain_id = NEW.key AND seq = NEW.seq
                   AND encode(sha256(convert_to(body, 'UTF8')), 'hex') = NEW.head) THEN
        RAISE EXCEPTION 'chain %: its head is no entry', OLD.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER moves_forward BEFORE UPDATE ON audit_chain FOR EACH ROW EXECUTE FUNCTION chain_moves_forward();
ALTER TABLE audit_chain ENABLE ALWAYS TRIGGER moves_forward;
INSERT INTO audit_chain (key, seq, head) VALUES ('house', 0, repeat('0', 64));
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial"), ("casino", "0002_rights")]

    operations = [
        AppendOnly("audit_entry"),
        migrations.RunSQL(FORWARD),
        Grant("audit_chain", "SELECT, INSERT, UPDATE"),
        Grant("audit_entry", "SELECT, INSERT"),
    ]
