from django.db import migrations

from casino.database import Grant, Kept, Sql, Timed

# What the auditor's role reads: all but the salt, without which the hash of the reason tells nothing.
OF_SHIFT = (
    "id",
    "status",
    "business_date",
    "opened_at",
    "opened_by_id",
    "counts_from",
    "expected_units",
    "closed_at",
    "closed_by_id",
    "closed_with_id",
    "denominations",
    "variance_units",
    "reason",
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0030_cage"), ("payouts", "0015_cage")]

    operations = [
        # Its text is as before; the constraint on roles is a new one, and gets its sentence again.
        Sql("floor.sql", "6b73d0dc9e94387ab9ae48d98b1912efeb479ad07372214309ee7a3ff1313a33"),
        Sql("cage.sql", "2509a89c2082eceecb5f1df67125905adff4fb11ee7595e911c2a4bb6739c599"),
        Sql(
            "sessions.sql",
            "f4f4384ffc99b17b4eba58610a575472c9c625a29b4798acc66b45be863389bd",
        ),
        Sql(
            "slips.sql",
            "92b825e9964530cc45029a6f402f8a50511b0e19507cab30c056aed7f7745e81",
        ),
        Kept("tables_cageshift"),
        Timed("tables_cageshift", "opened_at", "closed_at"),
        Grant("tables_cageshift", "SELECT, INSERT, UPDATE", columns=OF_SHIFT),
    ]
