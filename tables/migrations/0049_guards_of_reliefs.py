from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0048_opened_cases")]

    operations = [
        Sql(
            "reliefs.sql",
            "520aeb373aa47025ded5db85973cdef9dd3beaf706e0ca3dc9038bd63f2fff64",
            calls=["croupier_at(bigint, bigint)"],
        ),
        Sql("rounds.sql", "6ae0f83980d9f5fd9568b705da504278df9b85c535433883a8c073947ee32db0"),
        Sql(
            "sessions.sql",
            "d40b8faa64b3e4ee97356353e8bc8f00c74eb3ca0f72bd60934ab1705c3126f7",
            calls=[
                "closer_just_made(bigint)",
                "count_stands(text, text, int, jsonb)",
                "rake_moved(bigint, bigint)",
                "session_under_way(bigint, bigint)",
            ],
        ),
        GrantSealer(calls=["session_digests(bigint[])"]),
    ]
