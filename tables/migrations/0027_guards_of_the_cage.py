from django.db import migrations

from casino.database import Grant, GrantSealer, Kept, Sql, Timed

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
    dependencies = [("tables", "0026_cage"), ("payouts", "0013_cage")]

    operations = [
        # Its text is as before; the constraint on roles is a new one, and gets its sentence again.
        Sql("floor.sql", "be37c48d2089fe7ff7cf4da99b0ffc53012b68920c58b89ce730862ef30cc19e"),
        Sql("cage.sql", "2509a89c2082eceecb5f1df67125905adff4fb11ee7595e911c2a4bb6739c599", calls=["house_chips()"]),
        Sql(
            "sessions.sql",
            "7cd0f0e39641510dae77cb4d836271821c00ce88a01725acc1b677ff414b7e92",
            calls=["count_stands(text, text, int, jsonb)", "session_under_way(bigint, bigint)"],
        ),
        Sql(
            "slips.sql",
            "54375ab99879dd73af1370b64c93b01671b16437252262ccf14ecc8bd5c54693",
            calls=["chips_worth(jsonb, bigint[])"],
        ),
        Kept("tables_cageshift"),
        Timed("tables_cageshift", "opened_at", "closed_at"),
        Grant("tables_cageshift", "SELECT, INSERT, UPDATE", columns=OF_SHIFT),
        GrantSealer(calls=["session_digests(bigint[])", "slip_digests(bigint[])", "cage_shift_digests(bigint[])"]),
    ]
