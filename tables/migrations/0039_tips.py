import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import AppendOnly, Grant, GrantSealer, Sql, Timed

# What the auditor's role reads: all but the salt, without which the hash of the reason tells nothing.
OF_TIPS = (
    "id", "date", "denominations", "counted_units", "recorded_units", "counted_by_id", "counted_with_id", "counted_at",
    "reason",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0019_tips"),
        ("tables", "0038_rounds_from_paper"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="count",
            name="part",
            field=models.CharField(
                choices=[
                    ("opener", "opener"),
                    ("closer", "closer"),
                    ("rake", "rake"),
                    ("fill", "fill"),
                    ("credit", "credit"),
                    ("change", "change"),
                    ("cage", "cage"),
                    ("drop", "drop"),
                    ("tips", "tips"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="TipCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date", models.DateField(unique=True)),
                ("denominations", models.JSONField()),
                ("counted_units", models.BigIntegerField()),
                ("recorded_units", models.BigIntegerField()),
                ("counted_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                (
                    "counted_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "counted_with",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["date"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("counted_units__gte", 0), ("recorded_units__gt", 0)),
                        name="tipcount_units_positive",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("counted_by", models.F("counted_with")), _negated=True),
                        name="tipcount_four_eyes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), models.Q(("salt", ""), _negated=True), _connector="OR"),
                        name="tipcount_reason_salted",
                    ),
                    models.CheckConstraint(
                        condition=models.Func(
                            "denominations", function="is_readable", output_field=models.BooleanField()
                        ),
                        name="tipcount_denominations_readable",
                    ),
                ],
            },
        ),
        Sql(
            "tips.sql",
            "c1c088e0b973a93c13921c89f0057b9c72cd9b956be0101d54dda6a5b907b241",
            calls=["hold_tips()", "tips_recorded(date)", "tips_ref(date)"],
        ),
        Sql(
            "slips.sql",
            "67c3add53214b000f61764f8b722c3a0cab577241f2f8aaf1207e053e560bf40",
            calls=["chips_worth(jsonb, bigint[])"],
        ),
        Sql(
            "sessions.sql",
            "10d753a9b50ebaaffe2b5d2f5be126a01cd5fe8bea70f1a43eaa700e84ad57ed",
            calls=[
                "closer_just_made(bigint)",
                "count_stands(text, text, int, jsonb)",
                "rake_moved(bigint, bigint)",
                "session_under_way(bigint, bigint)",
            ],
        ),
        AppendOnly("tables_tipcount"),
        Timed("tables_tipcount", "counted_at"),
        Grant("tables_tipcount", "SELECT, INSERT", columns=OF_TIPS),
        GrantSealer(
            calls=[
                "slip_digests(bigint[])",
                "tip_count_digests(bigint[])",
            ]
        ),
    ]
