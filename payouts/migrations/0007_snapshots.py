import django.db.models.deletion
from django.db import migrations, models

from casino.database import AppendOnly, Execute, Grant

# A balance is the newest snapshot and what came after it.
BALANCE = """
CREATE FUNCTION account_balance(asked bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    known record;
BEGIN
    SELECT upto_id, units INTO known FROM payouts_snapshot WHERE account_id = asked ORDER BY upto_id DESC LIMIT 1;
    RETURN coalesce(known.units, 0)
        + (SELECT coalesce(sum(units), 0) FROM payouts_transfer WHERE debit_id = asked AND id > coalesce(known.upto_id, 0))
        - (SELECT coalesce(sum(units), 0) FROM payouts_transfer WHERE credit_id = asked AND id > coalesce(known.upto_id, 0));
END $$;
"""

# A snapshot is right, and says all that there is when it is taken: transfers get their ids in order.
SNAPSHOTS = """
CREATE FUNCTION snapshot_is_right() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.upto_id IS DISTINCT FROM (SELECT max(id) FROM payouts_transfer)
       OR NEW.units IS DISTINCT FROM account_balance(NEW.account_id) THEN
        RAISE EXCEPTION 'snapshot of account %: it is not its balance', NEW.account_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER is_right BEFORE INSERT ON payouts_snapshot FOR EACH ROW EXECUTE FUNCTION snapshot_is_right();
ALTER TABLE payouts_snapshot ENABLE ALWAYS TRIGGER is_right;
"""


class Migration(migrations.Migration):
    dependencies = [("payouts", "0006_corrected")]

    operations = [
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject", models.CharField(max_length=40)),
                ("units", models.BigIntegerField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="snapshots", to="payouts.account"
                    ),
                ),
                (
                    "upto",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.transfer"
                    ),
                ),
            ],
            options={
                "ordering": ["account", "upto"],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "upto"), name="snapshot_once"),
                    models.UniqueConstraint(fields=("account", "subject"), name="snapshot_once_a_session"),
                ],
            },
        ),
        AppendOnly("payouts_snapshot"),
        Grant("payouts_snapshot", "SELECT, INSERT"),
        migrations.RunSQL(BALANCE),
        Execute("account_balance(bigint)"),
        migrations.RunSQL(SNAPSHOTS),
    ]
