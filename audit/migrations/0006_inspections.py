import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import EndsOnce, Grant, GrantSealer, Keeps, Kept, Sql, Timed

OF_FINDING = (
    "id", "inspection_id", "subject", "what", "sentence", "named_at", "accepted_at", "accepted_by_id", "reason",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0005_entries"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Inspection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("all", "everything"), ("books", "the books")], max_length=10)),
                ("hurried", models.BooleanField(default=False)),
                ("begun_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("plan", models.JSONField()),
                ("place", models.SmallIntegerField(default=0)),
                ("after", models.BigIntegerField(default=0)),
                ("state", models.JSONField(default=dict)),
                ("counts", models.JSONField(default=dict)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Finding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject", models.CharField(max_length=80)),
                ("what", models.CharField(max_length=80)),
                ("sentence", models.CharField(max_length=500)),
                ("named_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("accepted_at", models.DateTimeField(null=True)),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
                (
                    "accepted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "inspection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="findings", to="audit.inspection"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="inspection",
            index=models.Index(fields=["kind", "begun_at"], name="inspection_kind_begun"),
        ),
        migrations.AddConstraint(
            model_name="inspection",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["all", "books"])), name="inspection_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="inspection",
            constraint=models.CheckConstraint(
                condition=models.Q(("after__gte", 0), ("place__gte", 0)), name="inspection_from_the_start"
            ),
        ),
        migrations.AddConstraint(
            model_name="inspection",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("kind", "hurried"), name="inspection_one_under_way"
            ),
        ),
        migrations.AddIndex(
            model_name="finding",
            index=models.Index(condition=models.Q(("accepted_at", None)), fields=["id"], name="finding_open"),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.UniqueConstraint(fields=("subject", "what", "sentence"), name="finding_named_once"),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("accepted_at", None), ("accepted_by", None), ("reason", ""), ("salt", "")),
                    models.Q(
                        ("accepted_at__isnull", False),
                        ("accepted_by__isnull", False),
                        ("reason__gt", ""),
                        ("salt__gt", ""),
                    ),
                    _connector="OR",
                ),
                name="finding_accepted_whole",
            ),
        ),
        Sql("inspections.sql", "ff26b95b9a60b29a673ccbf1abb8956b0b2dd529ae2033960928e2df22ee3f5b"),
        Kept("audit_inspection"),
        Keeps("audit_inspection", "id", "kind", "asked_by_id", "hurried", "begun_at", "plan"),
        Timed("audit_inspection", "begun_at", "ended_at"),
        # Somebody may ask for one; the sealer alone looks, and names what it finds.
        Grant("audit_inspection", "SELECT, INSERT"),
        GrantSealer("audit_inspection", "INSERT, UPDATE"),
        Kept("audit_finding"),
        EndsOnce("audit_finding", "accepted_at", "accepted_by_id", "reason", "salt"),
        Timed("audit_finding", "named_at", "accepted_at"),
        Grant("audit_finding", "SELECT, UPDATE", columns=OF_FINDING),
        GrantSealer("audit_finding", "INSERT"),
        GrantSealer(calls=["finding_digests(bigint[])"]),
    ]
