from django.db import migrations, models
from django.db.models.deletion import PROTECT

from casino.database import GrantSealer, Sql

COLUMNS = ("event", "subject", "by", "at")


class Migration(migrations.Migration):
    """What an entry is found by is read out of it once, by its guard, no longer by an expression a column."""

    dependencies = [("audit", "0013_settings")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # What the columns say stays.
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE audit_entry "
                    + ", ".join(f"ALTER COLUMN {column} DROP EXPRESSION IF EXISTS" for column in COLUMNS)
                )
            ],
            state_operations=[
                migrations.AlterField("entry", column, models.CharField(editable=False, max_length=80, null=True))
                for column in COLUMNS
            ],
        ),
        migrations.AlterField(
            "entry",
            "chain",
            models.ForeignKey(
                db_constraint=False, db_index=False, on_delete=PROTECT, related_name="entries", to="audit.chain"
            ),
        ),
        Sql(
            "entries.sql",
            "359726d46360277bfc43d5703917726a89fa194a426caa783f274a7b7a2bb9ee",
            calls=["entry_envelope(text)"],
        ),
        GrantSealer(calls=["entry_envelope(text)"]),
    ]
