from django.db import migrations, models

from casino.database import Narrow, Sql

OF_ALARM = (
    *("id", "kind", "subject", "table_id", "reason", "box", "value", "bound", "raised_at", "raised_by_id"),
    *("taken_by_id", "taken_at", "word", "over_at"),
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0053_guards_of_credentials")]

    operations = [
        migrations.AddField(
            model_name="alarm",
            name="reason",
            field=models.CharField(
                choices=[
                    ("chips", "chips short"),
                    ("signature", "signature"),
                    ("error", "dealing error"),
                    ("dispute", "dispute"),
                    ("player", "player's question"),
                    ("relief", "relief"),
                    ("equipment", "equipment"),
                    ("other", "something else"),
                ],
                max_length=20,
                null=True,
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("reason", None),
                    models.Q(
                        ("kind", "call"),
                        (
                            "reason__in",
                            ["chips", "signature", "error", "dispute", "player", "relief", "equipment", "other"],
                        ),
                    ),
                    _connector="OR",
                ),
                name="alarm_reason_known",
            ),
        ),
        Sql("alarms.sql", "992dfac3247768e5adf7e20da4f905a5361ab5ba5c685cf050517e65ab9aa52f"),
        Sql(
            "reliefs.sql",
            "8cf6d5faf2f31cf98753059d218e888be6c2ff478c811ae64e51c45950d4e8b8",
            calls=["croupier_at(bigint, bigint)"],
        ),
        Narrow("tables_alarm", OF_ALARM),
    ]
