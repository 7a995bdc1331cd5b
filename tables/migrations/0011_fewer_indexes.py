from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    """Indexes whose columns another one begins with are dropped."""

    dependencies = [("tables", "0010_settled_in_one_call"), ("payouts", "0007_fewer_indexes")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "DROP INDEX IF EXISTS tables_round_table_id_c8dfaa1d, tables_round_session_id_98e189d5,"
                    " tables_line_round_id_9337ab64"
                )
            ],
            state_operations=[
                migrations.AlterField(
                    model,
                    name,
                    models.ForeignKey(db_index=False, on_delete=PROTECT, related_name=plural, to=f"tables.{name}"),
                )
                for model, name, plural in (
                    ("round", "table", "rounds"),
                    ("round", "session", "rounds"),
                    ("line", "round", "lines"),
                )
            ],
        )
    ]
