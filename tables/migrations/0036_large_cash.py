from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0035_drop_boxes"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="alarm",
            name="alarm_kind_known",
        ),
        migrations.AlterField(
            model_name="alarm",
            name="kind",
            field=models.CharField(
                choices=[
                    ("call", "call for a pit boss"),
                    ("slip_late", "slip overdue"),
                    ("opener_variance", "difference of an opener"),
                    ("closer_variance", "variance of a closing"),
                    ("drop_box_seal", "drop box with another seal"),
                    ("drop_box_overdue", "drop box not counted"),
                    ("drop_variance", "variance of a drop"),
                    ("case_late", "case overdue"),
                    ("large_cash", "large cash at a box"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "call",
                            "slip_late",
                            "opener_variance",
                            "closer_variance",
                            "drop_box_seal",
                            "drop_box_overdue",
                            "drop_variance",
                            "case_late",
                            "large_cash",
                        ],
                    )
                ),
                name="alarm_kind_known",
            ),
        ),
        Sql("alarms.sql", "4ece34caa22cbdeced5a8aef0dc84305cfe52fa2f2e8c391e4de0171e828e5ed"),
    ]
