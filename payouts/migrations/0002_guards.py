from django.db import migrations

from casino.database import AppendOnly, Grant, Keeps, Kept, Sql, Timed

GROWING = tuple(
    f"payouts_{name}"
    for name in ("account", "settlement", "movement", "transfer", "payment", "paymenttick", "snapshot")
)


class Migration(migrations.Migration):
    dependencies = [("payouts", "0001_tables"), ("casino", "0002_guards")]

    operations = [
        Sql("headers.sql", "f2b241d74e7f8914b704d0fde87492304b44226ca8f05e9d0d140e11df0ce7e0"),
        Sql("movements.sql", "c882b09065f39292f1c5a4651b2fdd31afc9cb6341e2f0d0b5bab2c3a209bffe"),
        Sql("transfers.sql", "cafc56b9906fdf2738815ff46ccecb9f8677e4b76d9278ad3f49c0ef2a9ae035"),
        Sql(
            "settlements.sql",
            "39cf915161ae12e89d0c3c8d7f23abc9ec3dffa39bb854e37101b6cb863b3e4e",
            calls=["settlement_fault(bigint)"],
        ),
        Sql(
            "write.sql",
            "f08005622b5d34ff96c8ca5fc34eabb103c6be4c72e9feae66504fee2a313065",
            calls=["write_settlements(json)"],
        ),
        Sql("coefficients.sql", "f12ad7b38a1bb08a5c2f1b7fa0b0f508b742a527eec6f9fd15adff3692d05006"),
        Sql(
            "snapshots.sql",
            "21e6a9f823e16161ea98d41bbc50cdb26a61e0ded4cfc2492270f237e7eade84",
            calls=["account_balance(bigint)"],
        ),
        *(AppendOnly(table) for table in GROWING),
        *(Grant(table, "SELECT, INSERT") for table in GROWING),
        Timed("payouts_paymenttick", "at"),
        Kept("payouts_coefficienttable"),
        Keeps("payouts_coefficienttable", "id", "game", "drafted_by_id", "drafted_at"),
        Timed("payouts_coefficienttable", "drafted_at", "published_at"),
        Grant("payouts_coefficienttable", "SELECT, INSERT, UPDATE"),
        Kept("payouts_coefficient", rows=False),
        Grant("payouts_coefficient", "SELECT, INSERT, UPDATE, DELETE"),
    ]
