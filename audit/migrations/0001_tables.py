import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Chain",
            fields=[
                ("key", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("seq", models.BigIntegerField(default=0)),
                (
                    "head",
                    models.CharField(
                        default="0000000000000000000000000000000000000000000000000000000000000000", max_length=64
                    ),
                ),
                ("at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("key__regex", "^(house|table:[0-9]+)$")), name="chain_key_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("head__regex", "^[0-9a-f]{64}$")), name="chain_head_hex"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.BigIntegerField()),
                ("body", models.TextField()),
                (
                    "event",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.RawSQL("(body::jsonb ->> 'event')", []),
                        output_field=models.CharField(max_length=80),
                    ),
                ),
                (
                    "subject",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.RawSQL("(body::jsonb ->> 'subject')", []),
                        output_field=models.CharField(max_length=80),
                    ),
                ),
                (
                    "by",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.RawSQL("(body::jsonb ->> 'by')", []),
                        output_field=models.CharField(max_length=80),
                    ),
                ),
                (
                    "at",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.RawSQL("(body::jsonb ->> 'at')", []),
                        output_field=models.CharField(max_length=80),
                    ),
                ),
                (
                    "chain",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="audit.chain",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "history",
                "ordering": ["chain", "seq"],
                "indexes": [
                    models.Index(fields=["at", "id"], name="entry_at_id"),
                    models.Index(fields=["chain", "at", "id"], name="entry_chain_at"),
                    models.Index(fields=["subject", "at", "id"], name="entry_subject_at"),
                    models.Index(fields=["event", "at", "id"], name="entry_event_at"),
                    models.Index(fields=["by", "at", "id"], name="entry_by_at"),
                    models.Index(
                        django.db.models.expressions.RawSQL(
                            "coalesce((body::jsonb #>> '{facts,approver}'), (body::jsonb #>> '{facts,signers,1}'), (body::jsonb #>> '{facts,people,1}'), (body::jsonb #>> '{facts,author}'))",
                            [],
                            output_field=models.TextField(),
                        ),
                        models.F("at"),
                        models.F("id"),
                        condition=models.Q(
                            ("body__contains", '"approver":"staff:'),
                            ("body__contains", '"signers":["staff:'),
                            ("body__contains", '"people":["staff:'),
                            ("body__contains", '"author":"staff:'),
                            _connector="OR",
                        ),
                        name="entry_signer_at",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("chain", "seq"), name="entry_seq_once"),
                    models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="entry_seq_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("at__isnull", False),
                            ("by__isnull", False),
                            ("event__isnull", False),
                            ("subject__isnull", False),
                        ),
                        name="entry_says_all",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("size", models.BigIntegerField(primary_key=True, serialize=False)),
                ("root", models.BinaryField()),
                ("edge", django.contrib.postgres.fields.ArrayField(base_field=models.BinaryField(), size=None)),
                ("note", models.TextField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("size__gte", 1)), name="checkpoint_has_leaves")
                ],
            },
        ),
        migrations.CreateModel(
            name="Leaf",
            fields=[
                ("index", models.BigIntegerField(primary_key=True, serialize=False)),
                ("seq", models.BigIntegerField()),
                ("hash", models.BinaryField()),
                (
                    "chain",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaves",
                        to="audit.chain",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "leaves",
                "constraints": [models.UniqueConstraint(fields=("chain", "seq"), name="leaf_once")],
            },
        ),
        migrations.CreateModel(
            name="Sealing",
            fields=[
                ("id", models.SmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ("refused", models.CharField(blank=True, max_length=500)),
                ("unanchored", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="sealing_one_row")],
            },
        ),
        migrations.CreateModel(
            name="Subtree",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("height", models.SmallIntegerField()),
                ("place", models.BigIntegerField()),
                ("hash", models.BinaryField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("height", "place"), name="subtree_once")],
            },
        ),
        migrations.CreateModel(
            name="Anchor",
            fields=[
                (
                    "checkpoint",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="anchor",
                        serialize=False,
                        to="audit.checkpoint",
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("all", "everything"), ("table", "a table"), ("period", "a period")], max_length=10
                    ),
                ),
                ("table_key", models.CharField(blank=True, max_length=40)),
                ("from_at", models.DateTimeField(null=True)),
                ("to_at", models.DateTimeField(null=True)),
                ("asked_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "status",
                    models.CharField(
                        choices=[("ASKED", "being written"), ("DONE", "done"), ("FAILED", "failed")],
                        default="ASKED",
                        max_length=10,
                    ),
                ),
                ("leaves", models.BigIntegerField(default=0)),
                ("leaves_written", models.BigIntegerField(default=0)),
                ("entries", models.BigIntegerField(default=0)),
                ("progress", models.JSONField(default=dict)),
                ("ended_at", models.DateTimeField(null=True)),
                ("failure", models.CharField(blank=True, max_length=500)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="audit.checkpoint",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("status", "ASKED")), fields=["id"], name="export_asked")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("from_at", None), ("kind", "all"), ("table_key", ""), ("to_at", None)),
                            models.Q(
                                ("from_at", None),
                                ("kind", "table"),
                                ("table_key__regex", "^table:[0-9]+$"),
                                ("to_at", None),
                            ),
                            models.Q(
                                ("from_at__isnull", False),
                                ("kind", "period"),
                                ("table_key", ""),
                                ("to_at__gt", models.F("from_at")),
                            ),
                            _connector="OR",
                        ),
                        name="export_says_what",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("status", "ASKED")),
                            models.Q(
                                ("checkpoint__isnull", False),
                                ("ended_at__isnull", False),
                                ("failure", ""),
                                ("status", "DONE"),
                            ),
                            models.Q(("ended_at__isnull", False), ("failure__gt", ""), ("status", "FAILED")),
                            _connector="OR",
                        ),
                        name="export_ended_whole",
                    ),
                ],
            },
        ),
    ]
