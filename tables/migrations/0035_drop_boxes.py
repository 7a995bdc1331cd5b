import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import AppendOnly, Grant, GrantSealer, Kept, Sql, Timed

# Tables from before have no drop boxes in the books.
MAKE = """
INSERT INTO payouts_account (kind, owner) SELECT 'drop_box', 'table:' || id FROM tables_table ON CONFLICT DO NOTHING;
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
"""
# What the auditor's role reads: all but the salt, without which the hash of the reason tells nothing.
OF_DROP_BOX = (
    "id", "number", "seal", "table_id", "session_id", "business_date", "status", "mounted_by_id", "mounted_with_id",
    "mounted_at", "removed_by_id", "removed_with_id", "removed_at", "removed_seal", "counted_by_id", "counted_with_id",
    "counted_at", "cash_units", "recorded_units", "reason",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0011_cash"),
        ("payouts", "0017_buy_ins"),
        ("tables", "0034_cases"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="BuyIn",
            fields=[
                (
                    "movement",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="buy_in",
                        serialize=False,
                        to="payouts.movement",
                    ),
                ),
                ("box", models.SmallIntegerField()),
                ("units", models.BigIntegerField()),
            ],
            options={
                "ordering": ["movement"],
            },
        ),
        migrations.CreateModel(
            name="DropBox",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20)),
                ("seal", models.CharField(max_length=20)),
                ("business_date", models.DateField()),
                (
                    "status",
                    models.CharField(
                        choices=[("MOUNTED", "mounted"), ("REMOVED", "taken off, not counted"), ("COUNTED", "counted")],
                        default="MOUNTED",
                        max_length=10,
                    ),
                ),
                ("mounted_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("removed_at", models.DateTimeField(null=True)),
                ("removed_seal", models.CharField(max_length=20, null=True)),
                ("counted_at", models.DateTimeField(null=True)),
                ("cash_units", models.BigIntegerField(null=True)),
                ("recorded_units", models.BigIntegerField(null=True)),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
            ],
            options={
                "verbose_name_plural": "drop boxes",
                "ordering": ["id"],
            },
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
                    ("drop_box_overdue", "drop box not counted"),
                    ("drop_variance", "variance of a drop"),
                    ("case_late", "case overdue"),
                ],
                max_length=20,
            ),
        ),
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
                ],
                max_length=10,
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
                        ],
                    )
                ),
                name="alarm_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="buyin",
            name="approved_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="buyin",
            name="by",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="buyin",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="buy_ins", to="tables.session"
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="counted_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="counted_with",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="mounted_by",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="mounted_with",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="removed_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="removed_with",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="drop_boxes", to="tables.session"
            ),
        ),
        migrations.AddField(
            model_name="dropbox",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drop_boxes",
                to="tables.table",
            ),
        ),
        migrations.AddField(
            model_name="buyin",
            name="drop_box",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="buy_ins", to="tables.dropbox"
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "MOUNTED")), fields=("table",), name="dropbox_one_mounted"
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["MOUNTED", "REMOVED"])),
                fields=("number",),
                name="dropbox_number_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("number__regex", "^[A-Z0-9][A-Z0-9-]{0,19}$"),
                    ("seal__regex", "^[A-Z0-9][A-Z0-9-]{0,19}$"),
                    models.Q(
                        ("removed_seal", None), ("removed_seal__regex", "^[A-Z0-9][A-Z0-9-]{0,19}$"), _connector="OR"
                    ),
                ),
                name="dropbox_printed",
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("removed_at", None),
                        ("removed_by", None),
                        ("removed_seal", None),
                        ("removed_with", None),
                        ("status", "MOUNTED"),
                    ),
                    models.Q(
                        ("removed_by__isnull", False),
                        ("removed_with__isnull", False),
                        ("status__in", ["REMOVED", "COUNTED"]),
                        ("removed_at__isnull", False),
                        ("removed_seal__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="dropbox_removed_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("counted_by__isnull", False),
                        ("counted_with__isnull", False),
                        ("status", "COUNTED"),
                        ("cash_units__gte", 0),
                        ("counted_at__isnull", False),
                        ("recorded_units__gte", 0),
                    ),
                    models.Q(
                        ("counted_at", None),
                        ("counted_by", None),
                        ("counted_with", None),
                        ("status__in", ["MOUNTED", "REMOVED"]),
                        ("cash_units", None),
                        ("reason", ""),
                        ("recorded_units", None),
                        ("salt", ""),
                    ),
                    _connector="OR",
                ),
                name="dropbox_counted_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("mounted_by", models.F("mounted_with")), _negated=True),
                    models.Q(
                        ("removed_by", None),
                        models.Q(("removed_by", models.F("removed_with")), _negated=True),
                        _connector="OR",
                    ),
                    models.Q(
                        ("counted_by", None),
                        models.Q(("counted_by", models.F("counted_with")), _negated=True),
                        _connector="OR",
                    ),
                ),
                name="dropbox_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            model_name="dropbox",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), models.Q(("salt", ""), _negated=True), _connector="OR"),
                name="dropbox_reason_salted",
            ),
        ),
        migrations.AddConstraint(
            model_name="buyin",
            constraint=models.CheckConstraint(
                condition=models.Q(("box__gte", 1), ("units__range", (1, 1000000000000))), name="buyin_numbers_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="buyin",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by", None), models.Q(("approved_by", models.F("by")), _negated=True), _connector="OR"
                ),
                name="buyin_four_eyes",
            ),
        ),
        migrations.RunSQL(MAKE),
        Sql("alarms.sql", "2e13caa538e714f12d7f90b541969f53ffe90b3976bad95a0b919607d11aa103"),
        Sql(
            "drop_boxes.sql", "4da3da36b7ab70ad965a2f0f8f091afa24e35caf4995e951ac7dab629e7b22f7", calls=["house_cash()"]
        ),
        Sql("slips.sql", "c90c5a0e8ab17b2c28df439442acfae9db3abf1a702e748f059edc72c54370f3"),
        Sql("sessions.sql", "84e9b93e83473a237491f9286071e8698e0db514cc0b507bd4968cac3e213149"),
        Kept("tables_dropbox"),
        Timed("tables_dropbox", "mounted_at", "removed_at", "counted_at"),
        Grant("tables_dropbox", "SELECT, INSERT, UPDATE", columns=OF_DROP_BOX),
        AppendOnly("tables_buyin"),
        Grant("tables_buyin", "SELECT, INSERT"),
        GrantSealer(calls=["drop_box_digests(bigint[])"]),
    ]
