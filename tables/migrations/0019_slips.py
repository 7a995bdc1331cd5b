import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

from casino.models import readable


def _person():
    return models.ForeignKey(
        db_index=False,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0010_slips"),
        ("tables", "0018_handed"),
        ("casino", "0008_readable_json"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SlipNumber",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("year", models.SmallIntegerField()),
                ("last", models.IntegerField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kind", "year"), name="slipnumber_once")],
            },
        ),
        migrations.CreateModel(
            name="Count",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("of", models.CharField(max_length=40)),
                (
                    "part",
                    models.CharField(
                        choices=[("fill", "fill"), ("credit", "credit"), ("change", "change")], max_length=10
                    ),
                ),
                ("attempt", models.SmallIntegerField()),
                ("place", models.SmallIntegerField()),
                ("at", models.DateTimeField(db_default=Now())),
                ("denominations", models.JSONField()),
                ("units", models.BigIntegerField()),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.terminal",
                    ),
                ),
            ],
            options={
                "ordering": ["of", "part", "attempt", "place"],
                "constraints": [
                    models.UniqueConstraint(fields=("of", "part", "attempt", "place"), name="count_once"),
                    models.CheckConstraint(
                        condition=models.Q(("attempt__gte", 1), ("place__in", [1, 2]), ("units__gte", 0)),
                        name="count_places",
                    ),
                    models.CheckConstraint(condition=readable("denominations"), name="count_denominations_readable"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Slip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("fill", "fill"), ("credit", "credit"), ("change", "change")], max_length=10
                    ),
                ),
                ("year", models.SmallIntegerField()),
                ("number", models.IntegerField()),
                ("denominations", models.JSONField()),
                ("exchanged", models.JSONField(null=True)),
                ("units", models.BigIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("REQUESTED", "requested"),
                            ("ISSUED", "on its way"),
                            ("RECEIVED", "received"),
                            ("RETURNED", "sent back"),
                            ("VOIDED", "void"),
                        ],
                        default="REQUESTED",
                        max_length=10,
                    ),
                ),
                ("requested_at", models.DateTimeField(db_default=Now())),
                ("issued_at", models.DateTimeField(null=True)),
                ("received_at", models.DateTimeField(null=True)),
                ("voided_at", models.DateTimeField(null=True)),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                ("prints", models.SmallIntegerField(default=0)),
                ("approved_by", _person()),
                (
                    "back",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.movement"
                    ),
                ),
                ("carried_by", _person()),
                ("issued_by", _person()),
                (
                    "out",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.movement"
                    ),
                ),
                ("received_by", _person()),
                ("received_with", _person()),
                (
                    "requested_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="slips", to="tables.session"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slips",
                        to="tables.table",
                    ),
                ),
                ("voided_by", _person()),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status__in", ["REQUESTED", "ISSUED"])),
                        fields=["table"],
                        name="slip_running",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "year", "number"), name="slip_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("exchanged__isnull", True), ("kind__in", ["fill", "credit"])),
                            models.Q(("exchanged__isnull", False), ("kind", "change")),
                            _connector="OR",
                        ),
                        name="slip_kind_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("number__gte", 1), ("prints__gte", 0), ("units__range", (1, 1000000000000))
                        ),
                        name="slip_numbers_positive",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("carried_by", None),
                                ("issued_at", None),
                                ("issued_by", None),
                                ("status__in", ["REQUESTED", "VOIDED"]),
                            ),
                            models.Q(
                                ("issued_at__isnull", False),
                                ("issued_by__isnull", False),
                                ("status__in", ["ISSUED", "RECEIVED", "RETURNED"]),
                            ),
                            _connector="OR",
                        ),
                        name="slip_issued_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("received_by__isnull", False),
                                ("received_with__isnull", False),
                                ("status", "RECEIVED"),
                                ("received_at__isnull", False),
                            ),
                            models.Q(
                                models.Q(("status", "RECEIVED"), _negated=True),
                                ("received_at", None),
                                ("received_by", None),
                                ("received_with", None),
                            ),
                            _connector="OR",
                        ),
                        name="slip_received_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by__isnull", False),
                                ("status__in", ["RETURNED", "VOIDED"]),
                                ("voided_by__isnull", False),
                                ("voided_at__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                                models.Q(("salt", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("status__in", ["RETURNED", "VOIDED"]), _negated=True),
                                ("approved_by", None),
                                ("reason", ""),
                                ("salt", ""),
                                ("voided_at", None),
                                ("voided_by", None),
                            ),
                            _connector="OR",
                        ),
                        name="slip_voided_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("back", None), ("kind", "change"), ("out", None)),
                            models.Q(
                                models.Q(("kind", "change"), _negated=True),
                                ("back", None),
                                ("out", None),
                                ("status__in", ["REQUESTED", "VOIDED"]),
                            ),
                            models.Q(
                                models.Q(("kind", "change"), _negated=True),
                                ("back", None),
                                ("out__isnull", False),
                                ("status", "ISSUED"),
                            ),
                            models.Q(
                                models.Q(("kind", "change"), _negated=True),
                                ("back__isnull", False),
                                ("out__isnull", False),
                                ("status__in", ["RECEIVED", "RETURNED"]),
                            ),
                            _connector="OR",
                        ),
                        name="slip_moves_its_chips",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("issued_by", None),
                                models.Q(("issued_by", models.F("requested_by")), _negated=True),
                                _connector="OR",
                            ),
                            models.Q(
                                ("received_by", None),
                                models.Q(("received_by", models.F("received_with")), _negated=True),
                                _connector="OR",
                            ),
                            models.Q(
                                ("received_by", None),
                                ("issued_by", None),
                                models.Q(
                                    models.Q(("issued_by", models.F("received_by")), _negated=True),
                                    models.Q(("issued_by", models.F("received_with")), _negated=True),
                                ),
                                _connector="OR",
                            ),
                            models.Q(
                                ("voided_by", None),
                                models.Q(("voided_by", models.F("approved_by")), _negated=True),
                                _connector="OR",
                            ),
                        ),
                        name="slip_four_eyes",
                    ),
                    models.CheckConstraint(condition=readable("denominations"), name="slip_denominations_readable"),
                    models.CheckConstraint(condition=readable("exchanged"), name="slip_exchanged_readable"),
                ],
            },
        ),
    ]
