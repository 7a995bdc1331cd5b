from django.db import migrations

from casino.database import AppendOnly, Grant, Sql, Timed


class Migration(migrations.Migration):
    dependencies = [("tables", "0016_scanners")]

    operations = [
        Sql("scanners.sql", "608a6de6d2130bf8eaa12549936d4cbfb5c8ee751e8404ff73badb7136664160"),
        AppendOnly("tables_scanner"),
        Timed("tables_scanner", "set_at"),
        Grant("tables_scanner", "SELECT, INSERT"),
    ]
