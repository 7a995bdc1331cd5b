import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0022_settled_table_by_table"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="session",
            name="session_one_open",
        ),
        migrations.RemoveConstraint(
            model_name="session",
            name="session_closed_whole",
        ),
        migrations.RemoveConstraint(
            model_name="session",
            name="session_four_eyes",
        ),
        # Of sessions that were there before nobody knows when they began.
        migrations.AddField("session", "begun_at", models.DateTimeField(null=True)),
        migrations.AlterField(
            "session", "begun_at", models.DateTimeField(null=True, db_default=django.db.models.functions.datetime.Now())
        ),
        migrations.AddField(
            model_name="session",
            name="begun_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="session",
            name="closer_reason",
            field=models.TextField(db_default="", default=""),
        ),
        migrations.AddField(
            model_name="session",
            name="closer_salt",
            field=models.CharField(db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="session",
            name="counts_from",
            field=models.SmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="session",
            name="opener_reason",
            field=models.TextField(db_default="", default=""),
        ),
        migrations.AddField(
            model_name="session",
            name="opener_salt",
            field=models.CharField(db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="session",
            name="stopped_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="session",
            name="stopped_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="count",
            name="part",
            field=models.CharField(
                choices=[
                    ("opener", "opener"),
                    ("closer", "closer"),
                    ("fill", "fill"),
                    ("credit", "credit"),
                    ("change", "change"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="session",
            name="opened_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="session",
            name="opened_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="session",
            name="opened_with",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="session",
            name="status",
            field=models.CharField(
                choices=[("OPENING", "opening"), ("OPEN", "open"), ("CLOSING", "closing"), ("CLOSED", "closed")],
                default="OPENING",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "CLOSED"), _negated=True), fields=("table",), name="session_one_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("opened_at", None), ("opened_by", None), ("opened_with", None), ("status", "OPENING")),
                    models.Q(
                        models.Q(("status", "OPENING"), _negated=True),
                        ("opened_at__isnull", False),
                        ("opened_by__isnull", False),
                        ("opened_with__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="session_opened_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["OPENING", "OPEN"]), ("stopped_at", None), ("stopped_by", None)),
                    models.Q(("status", "CLOSING"), ("stopped_at__isnull", False), ("stopped_by__isnull", False)),
                    ("status", "CLOSED"),
                    _connector="OR",
                ),
                name="session_stopped_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        models.Q(("status", "CLOSED"), _negated=True),
                        ("closed_at", None),
                        ("closed_by", None),
                        ("closed_with", None),
                    ),
                    models.Q(
                        ("closed_at__isnull", False),
                        ("closed_by__isnull", False),
                        ("closed_with__isnull", False),
                        ("status", "CLOSED"),
                    ),
                    _connector="OR",
                ),
                name="session_closed_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("opened_by", None),
                        models.Q(("opened_by", models.F("opened_with")), _negated=True),
                        _connector="OR",
                    ),
                    models.Q(
                        ("closed_by", None),
                        models.Q(("closed_by", models.F("closed_with")), _negated=True),
                        _connector="OR",
                    ),
                ),
                name="session_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("opener_reason", ""),
                        models.Q(
                            models.Q(("opener_salt", ""), _negated=True), models.Q(("status", "OPENING"), _negated=True)
                        ),
                        _connector="OR",
                    ),
                    models.Q(
                        ("closer_reason", ""),
                        models.Q(models.Q(("closer_salt", ""), _negated=True), ("status", "CLOSED")),
                        _connector="OR",
                    ),
                ),
                name="session_reasons_salted",
            ),
        ),
    ]
