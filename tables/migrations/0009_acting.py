from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0008_one_variance"),
    ]

    operations = [
        Sql(
            "acting.sql",
            "64ddcc5c6220bc61a9455087fbad9e24673f85296b0bd7fb959b47026f044106",
            calls=[
                "lock_round(bigint, boolean, bigint[], bigint[], boolean)",
                "write_action(bigint, json, json, json, text, bigint, json, text, timestamptz)",
            ],
        ),
    ]
