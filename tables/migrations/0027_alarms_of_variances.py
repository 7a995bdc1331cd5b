from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0026_unfinished")]

    operations = [
        migrations.RemoveConstraint("alarm", "alarm_kind_known"),
        migrations.AlterField(
            "alarm",
            "kind",
            models.CharField(
                choices=[
                    ("call", "call for a pit boss"),
                    ("slip_late", "slip overdue"),
                    ("opener_variance", "difference of an opener"),
                    ("closer_variance", "variance of a closing"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            "alarm",
            models.CheckConstraint(
                condition=models.Q(("kind__in", ["call", "slip_late", "opener_variance", "closer_variance"])),
                name="alarm_kind_known",
            ),
        ),
        Sql("alarms.sql", "c64cdee306d11532bc979483855c86731a0d99422e50bb11bb747ebad49d8128"),
    ]
