import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("casino", "0001_tables"),
        ("payouts", "0001_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="Pit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=8, unique=True)),
                ("name", models.CharField(max_length=40)),
            ],
            options={
                "ordering": ["code"],
            },
        ),
        migrations.CreateModel(
            name="RuleSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=20)),
                ("version", models.IntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[("DRAFT", "draft"), ("PUBLISHED", "published")], default="DRAFT", max_length=10
                    ),
                ),
                ("values", models.JSONField()),
                ("rules", models.TextField(null=True)),
                ("digest", models.CharField(max_length=64, null=True, unique=True)),
                ("drafted_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("published_at", models.DateTimeField(null=True)),
                (
                    "coefficient_table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="payouts.coefficienttable",
                    ),
                ),
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
                "ordering": ["game", "-version"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "version"), name="rulesheet_version_once"),
                    models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="rulesheet_version_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("digest", None),
                                ("published_at", None),
                                ("published_by", None),
                                ("rules", None),
                                ("status", "DRAFT"),
                            ),
                            models.Q(
                                ("digest__isnull", False),
                                ("published_at__isnull", False),
                                ("published_by__isnull", False),
                                ("rules__isnull", False),
                                ("status", "PUBLISHED"),
                            ),
                            _connector="OR",
                        ),
                        name="rulesheet_published_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("published_by", None),
                            models.Q(("published_by", models.F("drafted_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="rulesheet_four_eyes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=8, unique=True)),
                ("name", models.CharField(max_length=40)),
                ("last_number", models.BigIntegerField(default=0)),
                (
                    "chip_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="casino.chipset"
                    ),
                ),
                (
                    "float_account",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.account"
                    ),
                ),
                (
                    "patrons_account",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.account"
                    ),
                ),
                (
                    "pit",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tables", to="tables.pit"
                    ),
                ),
                (
                    "pot_account",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.account"
                    ),
                ),
            ],
            options={
                "ordering": ["code"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("code__regex", "^[A-Z][A-Z0-9]*$")), name="table_code_plain"
                    ),
                    models.CheckConstraint(condition=models.Q(("last_number__gte", 0)), name="table_last_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(choices=[("OPEN", "open"), ("CLOSED", "closed")], default="OPEN", max_length=10),
                ),
                ("business_date", models.DateField()),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "closed_with",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "opened_with",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sessions", to="tables.table"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "OPEN")), fields=("table",), name="session_one_open"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at", None), ("closed_by", None), ("closed_with", None), ("status", "OPEN")
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
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("opened_by", models.F("opened_with")), _negated=True),
                            models.Q(
                                ("closed_by", None),
                                models.Q(("closed_by", models.F("closed_with")), _negated=True),
                                _connector="OR",
                            ),
                        ),
                        name="session_four_eyes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Series",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=20)),
                (
                    "status",
                    models.CharField(choices=[("OPEN", "open"), ("CLOSED", "closed")], default="OPEN", max_length=10),
                ),
                ("seats", django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None)),
                ("rounds_agreed", models.SmallIntegerField(null=True)),
                ("target", models.IntegerField(null=True)),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="series", to="tables.session"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="series", to="tables.table"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "series",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "OPEN")), fields=("table",), name="series_one_open"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at", None), ("status", "OPEN")),
                            models.Q(("closed_at__isnull", False), ("status", "CLOSED")),
                            _connector="OR",
                        ),
                        name="series_closed_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("rounds_agreed", None), ("rounds_agreed__gte", 1), _connector="OR"),
                            models.Q(("target", None), ("target__gte", 1), _connector="OR"),
                        ),
                        name="series_goal_positive",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("OPEN", "open"),
                            ("CLOSED", "closed, not yet settled"),
                            ("SETTLED", "settled"),
                            ("VOIDED", "void"),
                        ],
                        default="OPEN",
                        max_length=10,
                    ),
                ),
                ("phase", models.CharField(max_length=20)),
                (
                    "seats",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.SmallIntegerField(), default=list, size=None
                    ),
                ),
                ("carry", models.JSONField(null=True)),
                ("held_at", models.DateTimeField(null=True)),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("happened_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("settled_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(null=True)),
                ("leases", models.IntegerField(default=0)),
                ("alone", models.BooleanField(default=False)),
                ("failures", models.SmallIntegerField(default=0)),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "settlement",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="payouts.settlement",
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tables.rulesheet"
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="tables.series",
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tables.session"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tables.table"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("held_at", None), ("status", "CLOSED")),
                        fields=["next_at", "id"],
                        name="round_due",
                    ),
                    models.Index(fields=["session"], name="round_session"),
                    models.Index(condition=models.Q(("held_at__isnull", False)), fields=["held_at"], name="round_held"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="round_number_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "OPEN")), fields=("table",), name="round_one_open"
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="round_number_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at", None),
                                ("next_at", None),
                                ("settled_at", None),
                                ("settlement", None),
                                ("status__in", ["OPEN", "VOIDED"]),
                            ),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("next_at__isnull", False),
                                ("settled_at", None),
                                ("settlement", None),
                                ("status", "CLOSED"),
                            ),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("next_at", None),
                                ("settled_at__isnull", False),
                                ("settlement__isnull", False),
                                ("status", "SETTLED"),
                            ),
                            _connector="OR",
                        ),
                        name="round_status_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("held_at", None), ("status__in", ["OPEN", "CLOSED"]), _connector="OR"),
                        name="round_held_unsettled",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("failures__gte", 0), ("leases__gte", 0)), name="round_lease_counts"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="InForce",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("from_at", models.DateTimeField()),
                (
                    "set_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="in_force", to="tables.rulesheet"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sheets_in_force", to="tables.table"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "rule sheets in force",
                "constraints": [models.UniqueConstraint(fields=("table", "from_at"), name="inforce_moment_once")],
            },
        ),
        migrations.CreateModel(
            name="Terminal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20, unique=True)),
                ("token_digest", models.CharField(max_length=64, null=True, unique=True)),
                ("enrolled_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="terminals", to="tables.table"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SignOn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("signed_on_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("signed_off_at", models.DateTimeField(null=True)),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sign_ons",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sign_ons", to="tables.table"
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.terminal"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("signed_off_at", None)), fields=("staff",), name="signon_one_table"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("signed_off_at", None)), fields=("table",), name="signon_one_person"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Action",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.IntegerField()),
                ("phase", models.CharField(max_length=20)),
                ("kind", models.CharField(max_length=20)),
                ("box", models.SmallIntegerField(null=True)),
                ("arguments", models.JSONField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("undoes", models.IntegerField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="actions", to="tables.round"
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.terminal"
                    ),
                ),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["round", "ordinal"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "ordinal"), name="action_ordinal_once"),
                    models.UniqueConstraint(fields=("round", "undoes"), name="action_undone_once"),
                    models.CheckConstraint(condition=models.Q(("ordinal__gte", 1)), name="action_ordinal_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("undoes", None),
                            models.Q(("undoes__gte", 1), ("undoes__lt", models.F("ordinal"))),
                            _connector="OR",
                        ),
                        name="action_undoes_earlier",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind", "undo"), ("undoes", None), _negated=True), name="action_undo_names"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by", None),
                            models.Q(("approved_by", models.F("by")), _negated=True),
                            _connector="OR",
                        ),
                        name="action_four_eyes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Wager",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.SmallIntegerField()),
                ("box", models.SmallIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("units", models.BigIntegerField()),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="wagers", to="tables.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "ordinal"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "ordinal"), name="wager_ordinal_once"),
                    models.CheckConstraint(condition=models.Q(("units__gt", 0)), name="wager_units_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("croupier", "croupier"),
                            ("pit_boss", "pit boss"),
                            ("cage", "cage"),
                            ("auditor", "auditor"),
                            ("administrator", "administrator"),
                        ],
                        max_length=20,
                    ),
                ),
                ("posted_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "pit",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="postings", to="tables.pit"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="postings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("staff", "role", "pit"),
                        name="posting_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["croupier", "pit_boss", "cage", "auditor", "administrator"])),
                        name="posting_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Line",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.IntegerField()),
                ("text", models.TextField()),
                ("wagers", models.TextField()),
                ("carry", models.JSONField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="tables.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "ordinal"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by", None),
                            models.Q(("approved_by", models.F("by")), _negated=True),
                            _connector="OR",
                        ),
                        name="line_four_eyes",
                    ),
                    models.UniqueConstraint(fields=("round", "ordinal"), name="line_ordinal_once"),
                    models.CheckConstraint(condition=models.Q(("ordinal__gte", 1)), name="line_ordinal_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(("ordinal", 1), ("approved_by__isnull", False), _connector="OR"),
                        name="line_corrected_by_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Hand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("box", models.SmallIntegerField(null=True)),
                ("kind", models.CharField(max_length=20)),
                (
                    "cards",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="hands", to="tables.round"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("round", "box", "kind"), name="hand_once", nulls_distinct=False)
                ],
            },
        ),
        migrations.CreateModel(
            name="Box",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.SmallIntegerField()),
                ("state", models.CharField(max_length=20)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="boxes", to="tables.round"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "boxes",
                "ordering": ["round", "number"],
                "constraints": [models.UniqueConstraint(fields=("round", "number"), name="box_once")],
            },
        ),
        migrations.CreateModel(
            name="Intervention",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.IntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("reported", "reported"),
                            ("held", "held"),
                            ("released", "released"),
                            ("voided", "voided"),
                            ("corrected", "corrected"),
                        ],
                        max_length=10,
                    ),
                ),
                ("clause", models.CharField(max_length=20, null=True)),
                ("box", models.SmallIntegerField(null=True)),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "line",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="intervention",
                        to="tables.line",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="interventions", to="tables.round"
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.terminal"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "ordinal"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "ordinal"), name="intervention_ordinal_once"),
                    models.CheckConstraint(
                        condition=models.Q(("ordinal__gte", 1)), name="intervention_ordinal_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["reported", "held", "released", "voided", "corrected"])),
                        name="intervention_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by", None),
                            models.Q(("by__isnull", False), models.Q(("approved_by", models.F("by")), _negated=True)),
                            _connector="OR",
                        ),
                        name="intervention_four_eyes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind__in", ["voided", "corrected"]), _negated=True),
                            models.Q(("approved_by__isnull", False), ("by__isnull", False), ("clause__isnull", False)),
                            _connector="OR",
                        ),
                        name="intervention_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "corrected"), ("line__isnull", False)),
                            models.Q(models.Q(("kind", "corrected"), _negated=True), ("line", None)),
                            _connector="OR",
                        ),
                        name="intervention_line_of_correction",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind", "held"), ("by__isnull", False), _connector="OR"),
                        name="intervention_system_holds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), models.Q(("salt", ""), _negated=True), _connector="OR"),
                        name="intervention_reason_salted",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[("OPEN", "open"), ("RULED", "ruled, not yet handed over"), ("CLOSED", "closed")],
                        default="OPEN",
                        max_length=10,
                    ),
                ),
                ("about", models.CharField(max_length=20)),
                (
                    "boxes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.SmallIntegerField(), default=list, size=None
                    ),
                ),
                ("statement", models.TextField()),
                ("salt", models.CharField(max_length=32)),
                ("raised_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "ruling",
                    models.CharField(choices=[("upheld", "upheld"), ("refused", "refused")], max_length=10, null=True),
                ),
                ("clause", models.CharField(max_length=20, null=True)),
                ("reason", models.TextField(default="")),
                ("reason_salt", models.CharField(default="", max_length=32)),
                ("ruled_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "line",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="dispute", to="tables.line"
                    ),
                ),
                (
                    "raised_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="disputes", to="tables.round"
                    ),
                ),
                (
                    "ruled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "terminal",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.terminal"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "CLOSED"), _negated=True),
                        fields=["raised_at", "id"],
                        name="dispute_not_closed",
                    ),
                    models.Index(fields=["round"], name="dispute_round"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by", None),
                                ("clause", None),
                                ("closed_at", None),
                                ("line", None),
                                ("reason", ""),
                                ("ruled_at", None),
                                ("ruled_by", None),
                                ("ruling", None),
                                ("status", "OPEN"),
                            ),
                            models.Q(
                                models.Q(
                                    models.Q(("closed_at", None), ("status", "RULED")),
                                    models.Q(("closed_at__isnull", False), ("status", "CLOSED")),
                                    _connector="OR",
                                ),
                                models.Q(("reason", ""), _negated=True),
                                ("clause__isnull", False),
                                ("ruled_at__isnull", False),
                                ("ruled_by__isnull", False),
                                ("ruling__in", ["upheld", "refused"]),
                            ),
                            _connector="OR",
                        ),
                        name="dispute_status_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_by", None), ("line", None)),
                            models.Q(
                                ("approved_by__isnull", False),
                                ("line__isnull", False),
                                ("ruling", "upheld"),
                                models.Q(("approved_by", models.F("ruled_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="dispute_four_eyes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("statement", ""), _negated=True),
                            models.Q(("salt", ""), _negated=True),
                            models.Q(("reason", ""), models.Q(("reason_salt", ""), _negated=True), _connector="OR"),
                        ),
                        name="dispute_texts_salted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("about", ""), _negated=True), name="dispute_about_something"
                    ),
                ],
            },
        ),
    ]
