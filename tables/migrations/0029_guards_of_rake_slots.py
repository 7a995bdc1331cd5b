from django.db import migrations

from casino.database import Sql

# Tables from before have no rake slot in the books. Their keys are looked at before the guards are laid down anew.
MAKE = """
INSERT INTO payouts_account (kind, owner) SELECT 'rake', 'table:' || id FROM tables_table ON CONFLICT DO NOTHING;
UPDATE tables_table t SET rake_account_id = a.id FROM payouts_account a
WHERE a.kind = 'rake' AND a.owner = 'table:' || t.id AND t.rake_account_id IS NULL;
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0028_rake_slots")]

    operations = [
        migrations.RunSQL(MAKE),
        Sql("floor.sql", "6b73d0dc9e94387ab9ae48d98b1912efeb479ad07372214309ee7a3ff1313a33"),
        Sql(
            "settling.sql",
            "0393568308053415832c06a515ca658b36ee95b0d53b5d44e24224208acaf1b7",
        ),
    ]
