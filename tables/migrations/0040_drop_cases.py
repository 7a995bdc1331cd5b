from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0039_tips"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="alarm",
            name="alarm_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="case",
            name="case_kind_known",
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
                    ("drop_box_swapped", "another drop box"),
                    ("drop_box_overdue", "drop box not counted"),
                    ("drop_variance", "variance of a drop"),
                    ("case_late", "case overdue"),
                    ("large_cash", "large cash at a box"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="kind",
            field=models.CharField(
                choices=[("variance", "variance"), ("drop_variance", "variance of a drop")], max_length=20
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
                            "drop_box_swapped",
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
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["variance", "drop_variance"]), ("number__gte", 1)),
                name="case_kind_known",
            ),
        ),
        Sql("alarms.sql", "597b2be57b219d013925d1e4a6472e2d23f41d551c7689fdc9eb9352977bd142"),
        Sql("cases.sql", "1fb2329bfa367749e705ed536177852b25f650e7d0bc52c1721aa69c530f7709"),
    ]
