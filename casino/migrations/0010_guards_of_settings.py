from django.db import migrations

from casino.database import EndsOnce, Grant, Kept, Sql, Timed


class Migration(migrations.Migration):
    dependencies = [("casino", "0009_settings")]

    operations = [
        Sql("settings.sql", "d4ce4eba7363d0e09933a76fdeff560f40343eb2bc0dcab0637ea39f43647b82"),
        Kept("casino_setting"),
        EndsOnce("casino_setting", "withdrawn_at"),
        Timed("casino_setting", "withdrawn_at"),
        Grant("casino_setting", "SELECT, INSERT, UPDATE"),
    ]
