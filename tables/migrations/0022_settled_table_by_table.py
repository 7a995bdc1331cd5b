from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0021_late_slips"),
        ("payouts", "0011_looked_at_once"),
        ("audit", "0014_columns_of_the_guard"),
    ]

    operations = [
        Sql("rounds.sql", "70db34b9ec0c8f1405ac1f9b87cd38d98ea4022dcf8df7124ff011918f98d49c"),
        Sql(
            "settling.sql",
            "17b03901c0f0a5458b6884601310209abe6b4c669cc88e0989d854e5db0f46f7",
            calls=[
                "lease_due(int, int, interval, interval)",
                "read_rounds(bigint[], text)",
                "settle_rounds(bigint[], text, int[], json, json, json, text, json)",
                "settle_tables(int, bigint[], text, int[], int[], text, text, text, text[], text)",
            ],
        ),
    ]
