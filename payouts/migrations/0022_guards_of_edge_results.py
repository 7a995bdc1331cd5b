from django.db import migrations

from casino.database import Grant, Kept, Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0021_edge_results")]

    operations = [
        Sql("edge_results.sql", "c94254a74c8d7b622fda60f120e4957043d77abf1ad86082a3cc50dee1d1913f"),
        Kept("payouts_edgeresult"),
        Grant("payouts_edgeresult", "SELECT, INSERT, UPDATE"),
    ]
