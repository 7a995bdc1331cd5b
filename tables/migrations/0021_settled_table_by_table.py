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
            "04276216cc968a41d7c451a1565c4510e171935ae381b371f7939d0fb711c823",
            calls=[
                "lease_due(int, int, interval, interval)",
                "read_rounds(bigint[], text)",
                "settle_rounds(bigint[], text, int[], json, json, json, text, json)",
                "settle_tables(int, bigint[], text, int[], int[], json[], json[], json[], text[], json[])",
            ],
        ),
    ]
