from django.db import migrations

from casino.database import AppendOnly, Grant

# The head moves forward one entry at a time or many, never back; `house` is there from the first day.
FORWARD = """
CREATE FUNCTION chain_moves_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.key <> OLD.key OR NEW.seq <= OLD.seq OR NEW.at IS NULL OR NEW.at < OLD.at THEN
        RAISE EXCEPTION 'chain % can only grow', OLD.key USING ERRCODE = 'restrict_violation';
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
