from django.db import migrations

# Points go into the pot of their own table, as stakes do; what becomes of them are shares.
POINTS = """
CREATE FUNCTION points_go_into_pot() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM payouts_account d, payouts_account c WHERE d.id = NEW.debit_id AND c.id = NEW.credit_id
                   AND d.owner = c.owner AND (d.kind, c.kind) = ('pot', 'patrons')) THEN
        RAISE EXCEPTION 'transfer %: points go from the patrons into the pot of their table', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER points_fit BEFORE INSERT ON payouts_transfer FOR EACH ROW WHEN (NEW.reason = 'points')
    EXECUTE FUNCTION points_go_into_pot();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER points_fit;
"""


class Migration(migrations.Migration):
    dependencies = [("payouts", "0002_append_only")]

    operations = [migrations.RunSQL(POINTS)]
