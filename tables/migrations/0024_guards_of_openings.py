from django.db import migrations

from casino.database import Narrow, Sql, Timed

# What the auditor's role reads: all but the salts, without which the hashes of the reasons tell nothing.
OF_SESSION = (
    "id",
    "table_id",
    "status",
    "business_date",
    "begun_at",
    "begun_by_id",
    "opened_at",
    "opened_by_id",
    "opened_with_id",
    "opener_reason",
    "stopped_at",
    "stopped_by_id",
    "counts_from",
    "closed_at",
    "closed_by_id",
    "closed_with_id",
    "closer_reason",
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0023_openings"), ("payouts", "0012_variance_of_the_cage")]

    operations = [
        Sql(
            "sessions.sql",
            "83707ebfec586cc0ac7b150205bb4f28e0c9ffb628682393d4c2dc87b0e66674",
            calls=["count_stands(text, text, int, jsonb)", "session_under_way(bigint, bigint)"],
        ),
        Sql(
            "slips.sql",
            "d34808ad956e3bae0c9b8c895d48ce53dcba0a9a0c12fa858b7d4a3fc5497dd5",
            calls=["chips_worth(jsonb, bigint[])"],
        ),
        Sql("settlements.sql", "7f26e4af3bd5ad98ae42ac8ad5f380df80e5c1229aef01ed4eff5dd2c6542974"),
        Timed("tables_session", "begun_at", "opened_at", "stopped_at", "closed_at"),
        Narrow("tables_session", OF_SESSION),
    ]
