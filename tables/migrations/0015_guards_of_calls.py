from django.db import migrations

from casino.database import Grant, Kept, Sql, Timed

# What the auditor's role reads: all but the salt, without which the hash of the word tells nothing.
OF_ALARM = (
    "id",
    "kind",
    "subject",
    "table_id",
    "box",
    "value",
    "bound",
    "raised_at",
    "raised_by_id",
    "taken_by_id",
    "taken_at",
    "word",
    "over_at",
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0014_calls")]

    operations = [
        Sql("alarms.sql", "55e4209bdc5a8f888e601da66c5eaca18ba7ddf168db4cb84538a70d5199b1e4"),
        Kept("tables_alarm"),
        Timed("tables_alarm", "raised_at", "taken_at", "over_at"),
        Grant("tables_alarm", "SELECT, INSERT, UPDATE", columns=OF_ALARM),
    ]
