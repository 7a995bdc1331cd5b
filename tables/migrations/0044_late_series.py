from django.db import migrations, models

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0043_dispute_cases")]

    operations = [
        migrations.RemoveConstraint(model_name="series", name="series_one_open"),
        migrations.AddConstraint(
            model_name="series",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "OPEN")), fields=("session",), name="series_one_open"
            ),
        ),
        Sql("rounds.sql", "a7e0904e7f3efa90071ccf84afa16afb4eef06cdce78bd053865c205360285c8"),
        Sql(
            "days.sql",
            "b1a0fc29988f1d07ce3bf32aecb53b8682dfc4e39a31db9db35c0006d64a1e9c",
            calls=["business_date()", "hold_day(date)"],
        ),
        Sql(
            "sessions.sql",
            "18d6749a4e764c1eb311bc2864fc58179d64395a2ade34152cac9bf9e9a1e758",
            calls=[
                "closer_just_made(bigint)",
                "count_stands(text, text, int, jsonb)",
                "rake_moved(bigint, bigint)",
                "session_under_way(bigint, bigint)",
            ],
        ),
        GrantSealer(calls=["session_digests(bigint[])"]),
    ]
