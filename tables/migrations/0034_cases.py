import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import Grant, Kept, Sql, Timed

# What the auditor's role reads: all but the salt, without which the hash of the reason tells nothing.
OF_CASE = (
    "id", "kind", "year", "number", "table_id", "subject", "units", "status", "owner_id", "opened_at", "due_at",
    "outcome", "reason", "decided_by_id", "approved_by_id", "decided_at",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0033_guards_of_two"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("variance", "variance")], max_length=20)),
                ("year", models.SmallIntegerField()),
                ("number", models.IntegerField(default=0)),
                ("subject", models.CharField(max_length=60)),
                ("units", models.BigIntegerField()),
                (
                    "status",
                    models.CharField(choices=[("OPEN", "open"), ("DECIDED", "decided")], default="OPEN", max_length=10),
                ),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("due_at", models.DateTimeField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[("found", "cause found"), ("not_found", "cause not found")], max_length=10, null=True
                    ),
                ),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                ("decided_at", models.DateTimeField(null=True)),
            ],
            options={
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
                    ("case_late", "case overdue"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["call", "slip_late", "opener_variance", "closer_variance", "case_late"])
                ),
                name="alarm_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="case",
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
            model_name="case",
            name="decided_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="case",
            name="owner",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="case",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="cases", to="tables.table"
            ),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(condition=models.Q(("status", "OPEN")), fields=["due_at"], name="case_waiting"),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(fields=("kind", "year", "number"), name="case_number_once"),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(fields=("kind", "subject"), name="case_one_of_each"),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["variance"]), ("number__gte", 1)), name="case_kind_known"
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
                        models.Q(("reason", ""), _negated=True),
                        models.Q(("salt", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="case_decided_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by", None),
                    models.Q(("approved_by", models.F("decided_by")), _negated=True),
                    _connector="OR",
                ),
                name="case_four_eyes",
            ),
        ),
        Sql("cases.sql", "29746d9458f9200736786ac2a124c6ea01e72df5a9e8ddacb496e0decd1b6ba7"),
        Sql("alarms.sql", "5694bcac0a0db398d18a4876d3ec26195f50e11e3eb13aeaf3da4d5475877870"),
        Kept("tables_case"),
        Timed("tables_case", "opened_at", "decided_at"),
        Grant("tables_case", "SELECT, INSERT, UPDATE", columns=OF_CASE),
    ]
