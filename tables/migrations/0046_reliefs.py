import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import EndsOnce, Grant, Kept, Sql, Timed


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0045_why_not_settled"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Relief",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("ended_at", models.DateTimeField(null=True)),
            ],
        ),
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
                    ("break_due", "break due"),
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
                            "break_due",
                        ],
                    )
                ),
                name="alarm_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="relief",
            name="asked_by",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="relief",
            name="staff",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reliefs", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="relief",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reliefs", to="tables.table"
            ),
        ),
        migrations.AddField(
            model_name="relief",
            name="withdrawn_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="relief",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("staff",), name="relief_one_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="relief",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("table",), name="relief_one_person"
            ),
        ),
        Sql("reliefs.sql", "e893e9ecc283f0215ddc185e141e0df536b2aa63ad4265a9f460d1cadd4e0377"),
        Sql("alarms.sql", "eb51786793e74e6f4429ed555496029abdd4fa2161129c1d5d8869d70febefe3"),
        Kept("tables_relief"),
        EndsOnce("tables_relief", "ended_at", "withdrawn_by_id"),
        Timed("tables_relief", "asked_at", "ended_at"),
        Grant("tables_relief", "SELECT, INSERT, UPDATE"),
    ]
