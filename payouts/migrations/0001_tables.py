import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import payouts.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("float", "float"),
                            ("patrons", "patrons"),
                            ("pot", "pot"),
                            ("cage", "cage"),
                            ("count_room", "count room"),
                            ("rake", "rake"),
                            ("variance", "variance"),
                        ],
                        max_length=10,
                    ),
                ),
                ("owner", models.CharField(max_length=40)),
            ],
            options={
                "ordering": ["owner", "kind"],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "owner"), name="account_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind__in", ["float", "patrons", "pot"]), ("owner__regex", "^table:[0-9]+$")),
                            models.Q(("kind__in", ["cage", "count_room", "rake", "variance"]), ("owner", "house")),
                            _connector="OR",
                        ),
                        name="account_owner_fits",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CoefficientTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=20)),
                ("name", models.CharField(max_length=60, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("DRAFT", "draft"), ("PUBLISHED", "published")], default="DRAFT", max_length=10
                    ),
                ),
                ("drafted_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("published_at", models.DateTimeField(null=True)),
                (
                    "drafted_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("published_at", None), ("published_by", None), ("status", "DRAFT")),
                            models.Q(
                                ("published_at__isnull", False),
                                ("published_by__isnull", False),
                                ("status", "PUBLISHED"),
                            ),
                            _connector="OR",
                        ),
                        name="coefficienttable_published_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("published_by", None),
                            models.Q(("published_by", models.F("drafted_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="coefficienttable_four_eyes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Coefficient",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.SmallIntegerField()),
                ("category", models.CharField(max_length=20)),
                ("numerator", models.IntegerField()),
                ("denominator", models.IntegerField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="coefficients",
                        to="payouts.coefficienttable",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("table", "category"), name="coefficient_once"),
                    models.UniqueConstraint(fields=("table", "ordinal"), name="coefficient_ordinal_once"),
                    models.CheckConstraint(
                        condition=models.Q(("denominator__range", (1, 10000)), ("numerator__range", (1, 10000))),
                        name="coefficient_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Movement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, unique=True)),
                ("business_date", models.DateField()),
                (
                    "made_in",
                    payouts.models.TransactionId(db_default=models.Func(function="pg_current_xact_id"), editable=False),
                ),
                (
                    "begun_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opener", "opener"),
                            ("closer", "closer"),
                            ("fill", "fill"),
                            ("credit", "credit"),
                            ("drop", "drop"),
                            ("variance", "variance"),
                        ],
                        max_length=10,
                    ),
                ),
                ("subject", models.CharField(max_length=40)),
                ("number", models.BigIntegerField()),
                ("denominations", models.JSONField()),
                (
                    "approved_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["subject"], name="movement_subject")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["opener", "closer", "fill", "credit", "drop", "variance"])),
                        name="movement_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("requested_by", models.F("approved_by")), _negated=True),
                        name="movement_four_eyes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "key",
                                django.db.models.functions.text.Concat(
                                    "subject",
                                    models.Value(":"),
                                    "kind",
                                    models.Value(":"),
                                    django.db.models.functions.comparison.Cast("number", models.TextField()),
                                    output_field=models.TextField(),
                                ),
                            )
                        ),
                        name="movement_key_says_all",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Settlement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, unique=True)),
                ("business_date", models.DateField()),
                (
                    "made_in",
                    payouts.models.TransactionId(db_default=models.Func(function="pg_current_xact_id"), editable=False),
                ),
                (
                    "begun_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("round_key", models.CharField(max_length=40)),
                ("generation", models.IntegerField()),
                ("table_key", models.CharField(max_length=40)),
                ("line_ordinal", models.IntegerField()),
                ("sheet_digest", models.CharField(max_length=64)),
                ("result", models.TextField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["table_key", "business_date"], name="settlement_table_day"),
                    models.Index(
                        condition=models.Q(("generation__gt", 1)), fields=["table_key"], name="settlement_corrected"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("round_key", "generation"), name="settlement_generation_once"),
                    models.UniqueConstraint(fields=("round_key", "line_ordinal"), name="settlement_line_once"),
                    models.CheckConstraint(
                        condition=models.Q(("generation__gte", 1), ("line_ordinal__gte", 1)), name="settlement_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("round_key__regex", "^round:[0-9]+$")), name="settlement_round_key"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "key",
                                django.db.models.functions.text.Concat(
                                    "round_key",
                                    models.Value(":"),
                                    django.db.models.functions.comparison.Cast("generation", models.TextField()),
                                    output_field=models.TextField(),
                                ),
                            )
                        ),
                        name="settlement_key_says_both",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("box", models.SmallIntegerField()),
                ("outcome", models.CharField(max_length=20)),
                ("staked_units", models.BigIntegerField()),
                ("returned_units", models.BigIntegerField()),
                ("paid_units", models.BigIntegerField()),
                ("net_units", models.BigIntegerField()),
                (
                    "clauses",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None),
                ),
                (
                    "settlement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="payouts.settlement"
                    ),
                ),
            ],
            options={
                "ordering": ["settlement", "box"],
                "constraints": [
                    models.UniqueConstraint(fields=("settlement", "box"), name="payment_box_once"),
                    models.CheckConstraint(condition=models.Q(("box__gte", 1)), name="payment_box_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("paid_units__gte", 0), ("returned_units__gte", 0), ("staked_units__gte", 0)
                        ),
                        name="payment_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("returned_units__lte", models.F("staked_units"))),
                        name="payment_returned_staked",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "net_units",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("returned_units"), "+", models.F("paid_units")
                                    ),
                                    "-",
                                    models.F("staked_units"),
                                ),
                            )
                        ),
                        name="payment_net",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PaymentTick",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "payment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tick", to="payouts.payment"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=120, unique=True)),
                ("units", models.BigIntegerField()),
                ("business_date", models.DateField()),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("wager", "wager"),
                            ("stake_in", "stake into the pot"),
                            ("share", "share of the pot"),
                            ("rake", "rake"),
                            ("points", "points"),
                            ("opener", "opener"),
                            ("closer", "closer"),
                            ("fill", "fill"),
                            ("credit", "credit"),
                            ("drop", "drop"),
                            ("variance", "variance"),
                            ("reversal", "reversal"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "credit",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="credits", to="payouts.account"
                    ),
                ),
                (
                    "debit",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="debits", to="payouts.account"
                    ),
                ),
                (
                    "movement",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="payouts.movement",
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversed_by",
                        to="payouts.transfer",
                    ),
                ),
                (
                    "settlement",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="payouts.settlement",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("units__gt", 0)), name="transfer_units_positive"),
                    models.CheckConstraint(
                        condition=models.Q(("debit", models.F("credit")), _negated=True), name="transfer_two_accounts"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("movement", None), ("settlement__isnull", False)),
                            models.Q(("movement__isnull", False), ("settlement", None)),
                            _connector="OR",
                        ),
                        name="transfer_one_header",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", "reversal"), ("reverses__isnull", False)),
                            models.Q(models.Q(("reason", "reversal"), _negated=True), ("reverses", None)),
                            _connector="OR",
                        ),
                        name="transfer_reversal_names",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "reason__in",
                                [
                                    "wager",
                                    "stake_in",
                                    "share",
                                    "rake",
                                    "points",
                                    "opener",
                                    "closer",
                                    "fill",
                                    "credit",
                                    "drop",
                                    "variance",
                                    "reversal",
                                ],
                            )
                        ),
                        name="transfer_reason_known",
                    ),
                    models.UniqueConstraint(fields=("movement",), name="transfer_movement_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject", models.CharField(max_length=40)),
                ("units", models.BigIntegerField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="snapshots", to="payouts.account"
                    ),
                ),
                (
                    "upto",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.transfer"
                    ),
                ),
            ],
            options={
                "ordering": ["account", "upto"],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "upto"), name="snapshot_once"),
                    models.UniqueConstraint(fields=("account", "subject"), name="snapshot_once_a_session"),
                ],
            },
        ),
    ]
