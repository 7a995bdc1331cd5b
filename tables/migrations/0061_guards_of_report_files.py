from django.db import migrations

from casino.database import EndsOnce, Grant, Kept, Sql, Timed


class Migration(migrations.Migration):
    dependencies = [("tables", "0060_report_files")]

    operations = [
        Sql("report_files.sql", "3bd890abc46e84ae46dad4159740557d6a7e3ca8f84a282a6884204a695bb492"),
        Kept("tables_reportfile"),
        Timed("tables_reportfile", "asked_at", "ended_at", "pruned_at"),
        Grant("tables_reportfile", "SELECT, INSERT, UPDATE"),
        Kept("tables_reporttoken"),
        EndsOnce("tables_reporttoken", "ended_at", "ended_by_id", "ended_with_id"),
        Timed("tables_reporttoken", "given_at", "ended_at"),
        Grant(
            "tables_reporttoken",
            "SELECT, INSERT, UPDATE",
            columns=(
                *("id", "name", "given_by_id", "given_with_id", "given_at"),
                *("ended_by_id", "ended_with_id", "ended_at"),
            ),
        ),
    ]
