from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0041_late_papers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
                    ("drop_box_swapped", "another drop box"),
                    ("drop_box_overdue", "drop box not counted"),
                    ("drop_variance", "variance of a drop"),
                    ("case_late", "case overdue"),
                    ("large_cash", "large cash at a box"),
                    ("round_held", "round held"),
                    ("round_long", "round open for long"),
                    ("settlement_late", "settlement late"),
                    ("settlement_retried", "settlement tried again"),
                    ("pace", "pace out of range"),
                    ("float_low", "float low"),
                    ("void_rate", "many voids"),
                    ("correction_rate", "many corrections"),
                    ("seal_late", "log not sealed"),
                    ("log_damaged", "log or house damaged"),
                    ("lock_out", "person locked out"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddIndex(
            model_name="alarm",
            index=models.Index(fields=["raised_at", "id"], name="alarm_raised"),
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
                            "round_held",
                            "round_long",
                            "settlement_late",
                            "settlement_retried",
                            "pace",
                            "float_low",
                            "void_rate",
                            "correction_rate",
                            "seal_late",
                            "log_damaged",
                            "lock_out",
                        ],
                    )
                ),
                name="alarm_kind_known",
            ),
        ),
        Sql("alarms.sql", "03cd52ceba88c738c58ccb48a72162e7e3407c70da113561b96867e7e968a70b"),
    ]
