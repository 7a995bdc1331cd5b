from django.db import migrations

from casino.database import Grant, Kept, Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0070_luck")]

    operations = [
        Sql("luck.sql", "1c89856ba39f0146fd5564f9b8876b65d58841907526c7485fdd74b5d6af0f9d"),
        Kept("tables_roundluck"),
        Grant("tables_roundluck", "SELECT, INSERT, UPDATE"),
        Kept("tables_luckday"),
        Grant("tables_luckday", "SELECT, INSERT, UPDATE"),
    ]
