import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0029_guards_of_rake_slots"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CageShift",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(choices=[("OPEN", "open"), ("CLOSED", "closed")], default="OPEN", max_length=10),
                ),
                ("business_date", models.DateField()),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("counts_from", models.SmallIntegerField(default=0)),
                ("expected_units", models.BigIntegerField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("denominations", models.JSONField(null=True)),
                ("variance_units", models.BigIntegerField(null=True)),
                ("reason", models.TextField(default="")),
                ("salt", models.CharField(default="", max_length=32)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="posting",
            name="posting_role_known",
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
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="posting",
            name="role",
            field=models.CharField(
                choices=[
                    ("croupier", "croupier"),
                    ("pit_boss", "pit boss"),
                    ("cage", "cage"),
                    ("count_team", "count team"),
                    ("auditor", "auditor"),
                    ("administrator", "administrator"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="posting",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("role__in", ["croupier", "pit_boss", "cage", "count_team", "auditor", "administrator"])
                ),
                name="posting_role_known",
            ),
        ),
        migrations.AddField(
            model_name="cageshift",
            name="closed_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="cageshift",
            name="closed_with",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="cageshift",
            name="opened_by",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="cageshift",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "OPEN")), fields=("status",), name="cageshift_one_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="cageshift",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("counts_from", 0), ("expected_units", None)),
                    models.Q(("counts_from__gte", 1), ("expected_units__isnull", False)),
                    _connector="OR",
                ),
                name="cageshift_count_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="cageshift",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("closed_at", None),
                        ("closed_by", None),
                        ("closed_with", None),
                        ("status", "OPEN"),
                        ("denominations__isnull", True),
                        ("reason", ""),
                        ("salt", ""),
                        ("variance_units", None),
                    ),
                    models.Q(
                        ("closed_at__isnull", False),
                        ("closed_by__isnull", False),
                        ("closed_with__isnull", False),
                        ("status", "CLOSED"),
                        ("counts_from__gte", 1),
                        ("denominations__isnull", False),
                        ("variance_units__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="cageshift_closed_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="cageshift",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closed_by", None),
                    models.Q(("closed_by", models.F("closed_with")), _negated=True),
                    _connector="OR",
                ),
                name="cageshift_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            model_name="cageshift",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), models.Q(("salt", ""), _negated=True), _connector="OR"),
                name="cageshift_reason_salted",
            ),
        ),
        migrations.AddConstraint(
            model_name="cageshift",
            constraint=models.CheckConstraint(
                condition=models.Func("denominations", function="is_readable", output_field=models.BooleanField()),
                name="cageshift_denominations_readable",
            ),
        ),
    ]
