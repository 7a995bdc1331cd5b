from django.conf import settings
from django.db import migrations, models

from casino.database import Grant, Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0042_alarms_of_the_floor"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="case",
            name="case_decided_whole",
        ),
        migrations.RemoveConstraint(
            model_name="case",
            name="case_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="dispute",
            name="dispute_four_eyes",
        ),
        migrations.AddField(
            model_name="case",
            name="video",
            field=models.CharField(default="", max_length=40),
        ),
        migrations.AlterField(
            model_name="case",
            name="kind",
            field=models.CharField(
                choices=[("variance", "variance"), ("drop_variance", "variance of a drop"), ("dispute", "dispute")],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("found", "cause found"),
                    ("not_found", "cause not found"),
                    ("upheld", "upheld"),
                    ("refused", "refused"),
                ],
                max_length=10,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="units",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["variance", "drop_variance", "dispute"]), ("number__gte", 1)),
                name="case_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "dispute"), ("units", None)),
                    models.Q(models.Q(("kind", "dispute"), _negated=True), ("units__isnull", False)),
                    _connector="OR",
                ),
                name="case_units_of_variance",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("video__regex", "^[A-Za-z0-9:/.-]{0,40}$")), name="case_video_plain"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("approved_by", None),
                        ("decided_by", None),
                        ("outcome", None),
                        ("reason", ""),
                        ("salt", ""),
                        ("status", "OPEN"),
                        ("decided_at", None),
                    ),
                    models.Q(
                        ("outcome__in", ["found", "not_found"]),
                        ("outcome__isnull", False),
                        ("status", "DECIDED"),
                        ("decided_by__isnull", False),
                        ("approved_by__isnull", False),
                        ("decided_at__isnull", False),
                        models.Q(("kind", "dispute"), _negated=True),
                        models.Q(("reason", ""), _negated=True),
                        models.Q(("salt", ""), _negated=True),
                    ),
                    models.Q(
                        ("outcome__in", ["upheld", "refused"]),
                        ("outcome__isnull", False),
                        ("status", "DECIDED"),
                        ("decided_at__isnull", False),
                        ("decided_by__isnull", False),
                        ("kind", "dispute"),
                        ("reason", ""),
                        ("salt", ""),
                    ),
                    _connector="OR",
                ),
                name="case_decided_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("approved_by", None), ("line", None)),
                    models.Q(
                        ("approved_by__isnull", False),
                        models.Q(("approved_by", models.F("ruled_by")), _negated=True),
                        models.Q(
                            ("line", None), models.Q(("line__isnull", False), ("ruling", "upheld")), _connector="OR"
                        ),
                    ),
                    _connector="OR",
                ),
                name="dispute_four_eyes",
            ),
        ),
        Sql(
            "disputes.sql",
            "02ae1ba565c809561d2432ea8aed7f47332497a0a516d583102fe9f11728df6f",
            calls=["dealt_round(bigint, bigint)"],
        ),
        Sql("cases.sql", "52be83f836266711d441df381b221600b0ad93f6c1ebabc3e6d3935ec2f811b6"),
        Grant("tables_case", "SELECT", columns=("video",)),
    ]
