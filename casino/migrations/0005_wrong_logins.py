from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0004_web_sessions")]

    operations = [
        migrations.AlterField("wronglogins", "number", models.BigIntegerField()),
        migrations.AddField("wronglogins", "unknown", models.BigIntegerField(db_default=0)),
        migrations.AddField("wronglogins", "is_logged", models.BooleanField(db_default=False)),
        migrations.AddConstraint(
            model_name="wronglogins",
            constraint=models.CheckConstraint(
                condition=models.Q(("unknown__range", (0, models.F("number")))), name="wronglogins_unknown_range"
            ),
        ),
        Sql("logins.sql", "1685c80ad685bee74d4beb9c0b0de47a39abf03dbf207a1a18df648099399740"),
    ]
