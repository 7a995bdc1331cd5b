import django.db.models.deletion
from django.db import migrations, models

from casino.database import Narrow, Sql

OF_SESSION = (
    "id", "table_id", "status", "business_date", "begun_at", "begun_by_id", "opened_at", "opened_by_id",
    "opened_with_id", "opener_reason", "stopped_at", "stopped_by_id", "counts_from", "closed_at", "closed_by_id",
    "closed_with_id", "closer_reason", "unfinished",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("tables", "0031_guards_of_the_cage")]

    operations = [
        migrations.AddField(
            "session",
            "carried_from",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="carried_to",
                to="tables.session",
            ),
        ),
        Narrow("tables_session", (*OF_SESSION, "carried_from_id")),
        Sql(
            "sessions.sql",
            "d708cd5cf06924b8e2387baddedffcdc39c729bf23a0cb3fc187b37e4959811e",
        ),
    ]
