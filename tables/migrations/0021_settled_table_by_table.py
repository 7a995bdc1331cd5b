from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0020_guards_of_slips"),
        ("payouts", "0011_looked_at_once"),
        ("audit", "0014_columns_of_the_guard"),
    ]

    operations = [
        Sql(
            "settling.sql",
            "7d6b7da41fa06b49c16be35d9814dfa724fdec37778956b4877d7c33ae464d8e",
            calls=[
                "lease_due(int, int, interval, interval)",
                "read_rounds(bigint[], text)",
                "settle_rounds(bigint[], text, int[], json, json, json, text, json)",
                "settle_tables(int, bigint[], text, int[], int[], text, text, text, text[], text)",
            ],
        ),
    ]
