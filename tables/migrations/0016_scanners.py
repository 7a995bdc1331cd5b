import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now
from django.db.models.lookups import Exact

from casino.models import readable

TYPED = r"^[!-\-/->@-~]*$"


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0015_guards_of_calls"),
        ("casino", "0008_readable_json"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Scanner",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=20)),
                ("prefix", models.CharField(blank=True, default="", max_length=20)),
                ("suffix", models.CharField(blank=True, default="", max_length=20)),
                ("codes", models.JSONField(default=dict)),
                ("set_at", models.DateTimeField(db_default=Now())),
                (
                    "set_by",
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="scanners", to="tables.terminal"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("prefix__regex", TYPED), ("suffix__regex", TYPED)), name="scanner_typed"
                    ),
                    models.CheckConstraint(condition=readable("codes"), name="scanner_codes_readable"),
                    models.CheckConstraint(
                        condition=Exact(
                            models.Func(models.F("codes"), function="jsonb_typeof", output_field=models.CharField()),
                            "object",
                        ),
                        name="scanner_codes_object",
                    ),
                ],
            },
        ),
    ]
