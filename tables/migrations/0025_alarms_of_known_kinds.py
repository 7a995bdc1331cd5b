from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0024_guards_of_openings")]

    operations = [
        migrations.AddConstraint(
            "alarm",
            models.CheckConstraint(
                condition=models.Q(("kind__in", ["call", "slip_late"])),
                name="alarm_kind_known",
            ),
        ),
        Sql("alarms.sql", "b7531fb1e60b8e8ad8f51941455fcdb784b2660ed20b3aaa870a2c93d0aa0948"),
    ]
