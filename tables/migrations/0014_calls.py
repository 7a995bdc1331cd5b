import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now


def _person():
    return models.ForeignKey(
        null=True,
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0013_fewer_queries"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Alarm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("call", "call for a pit boss")], max_length=20)),
                ("subject", models.CharField(max_length=60)),
                ("box", models.SmallIntegerField(null=True)),
                ("value", models.BigIntegerField(null=True)),
                ("bound", models.BigIntegerField(null=True)),
                ("raised_at", models.DateTimeField(db_default=Now())),
                ("taken_at", models.DateTimeField(null=True)),
                ("word", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                ("over_at", models.DateTimeField(null=True)),
                ("raised_by", _person()),
                ("taken_by", _person()),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alarms",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("over_at", None)), fields=("kind", "subject"), name="alarm_one_stands"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", ""), _negated=True), models.Q(("subject", ""), _negated=True)
                        ),
                        name="alarm_about_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("bound", None),
                                ("kind", "call"),
                                ("raised_by__isnull", False),
                                ("table__isnull", False),
                                ("value", None),
                            ),
                            models.Q(models.Q(("kind", "call"), _negated=True), ("raised_by", None)),
                            _connector="OR",
                        ),
                        name="alarm_call_by_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("salt", ""), ("taken_at", None), ("taken_by", None), ("word", "")),
                            models.Q(
                                ("taken_at__isnull", False),
                                ("taken_by__isnull", False),
                                models.Q(("word", ""), models.Q(("salt", ""), _negated=True), _connector="OR"),
                            ),
                            _connector="OR",
                        ),
                        name="alarm_taken_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "call"), _negated=True),
                            ("over_at", None),
                            ("taken_at__isnull", False),
                            _connector="OR",
                        ),
                        name="alarm_call_answered",
                    ),
                ],
            },
        ),
    ]
