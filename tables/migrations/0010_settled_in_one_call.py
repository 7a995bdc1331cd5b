from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0009_acting"),
        ("payouts", "0006_looked_at_together"),
    ]

    operations = [
        Sql("settlements.sql", "904346a9c5eeca9425271221cc75474ba48fbb6ab7b982d33e84dcaf72cd20e6"),
        Sql(
            "settling.sql",
            "76a1ac14455c2fc48dcc630e73a739fe1e605778c077b97fb2d996829714d1fe",
            calls=[
                "lease_rounds(int, int, interval, interval)",
                "read_rounds(bigint[])",
                "take_rounds(bigint[])",
                "settle_rounds(bigint[], json, json, json, text)",
            ],
        ),
        Sql(
            "acting.sql",
            "b3c7a4034f2c1968cc8673b863cc3934e6fbb8e98141dc1f57a6747607737582",
            calls=[
                "lock_round(bigint, boolean, bigint[], bigint[], boolean)",
                "write_action(bigint, json, json, json, text, bigint, json, text, timestamptz)",
            ],
        ),
    ]
