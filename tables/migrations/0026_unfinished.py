import django.contrib.postgres.fields
from django.db import migrations, models

from casino.database import Narrow

OF_SESSION = (
    "id", "table_id", "status", "business_date", "begun_at", "begun_by_id", "opened_at", "opened_by_id",
    "opened_with_id", "opener_reason", "stopped_at", "stopped_by_id", "counts_from", "closed_at", "closed_by_id",
    "closed_with_id", "closer_reason",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("tables", "0025_alarms_of_known_kinds"), ("payouts", "0013_patrons_who_left")]

    operations = [
        migrations.AddField(
            "session",
            "unfinished",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=30), db_default=[], default=list, size=None
            ),
        ),
        migrations.AddConstraint(
            "session",
            models.CheckConstraint(
                condition=models.Q(("status", "CLOSED"), ("unfinished", []), _connector="OR"),
                name="session_leaves_at_end",
            ),
        ),
        Narrow("tables_session", (*OF_SESSION, "unfinished")),
    ]
