from django.db import migrations

from casino.database import AppendOnly, Grant, Kept, Sql, Timed

# What the auditor's role reads: all but the salt, without which the hash of the reason tells nothing.
OF_SLIP = (
    "id",
    "kind",
    "year",
    "number",
    "table_id",
    "session_id",
    "denominations",
    "exchanged",
    "units",
    "status",
    "requested_by_id",
    "requested_at",
    "issued_by_id",
    "issued_at",
    "carried_by_id",
    "received_by_id",
    "received_with_id",
    "received_at",
    "voided_by_id",
    "approved_by_id",
    "voided_at",
    "reason",
    "out_id",
    "back_id",
    "prints",
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0019_slips")]

    operations = [
        Sql(
            "slips.sql",
            "60d6f3458c72e729c121fa9fcfc46eca3802bb5d7b9e6903e2defbc6b09dc541",
            calls=["chips_worth(jsonb, bigint[])"],
        ),
        Sql("sessions.sql", "aa564ba6754e049fc3e030af644cdf5f5284cb3c30b346532e05b3c490ce77c0"),
        Kept("tables_slip"),
        Timed("tables_slip", "requested_at", "issued_at", "received_at", "voided_at"),
        Grant("tables_slip", "SELECT, INSERT, UPDATE", columns=OF_SLIP),
        Kept("tables_slipnumber"),
        Grant("tables_slipnumber", "SELECT, INSERT, UPDATE"),
        AppendOnly("tables_count"),
        Timed("tables_count", "at"),
        Grant("tables_count", "SELECT, INSERT"),
    ]
