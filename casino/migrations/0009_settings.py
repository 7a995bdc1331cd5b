import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.lookups import In

from casino.models import readable


def person():
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
    )


class Migration(migrations.Migration):
    dependencies = [("casino", "0008_readable_json")]

    operations = [
        migrations.CreateModel(
            name="Setting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("value", models.JSONField()),
                ("from_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("approved_by", person()),
                ("proposed_by", person()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn_at", None)),
                        fields=("name", "from_at"),
                        name="setting_moment_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z][a-z_]*$")), name="setting_name_plain"
                    ),
                    models.CheckConstraint(condition=readable("value"), name="setting_value_readable"),
                    models.CheckConstraint(
                        condition=In(
                            models.Func(models.F("value"), function="jsonb_typeof", output_field=models.CharField()),
                            ["number", "string", "boolean"],
                        ),
                        name="setting_value_single",
                    ),
                    models.CheckConstraint(
                        condition=~models.Q(("approved_by", models.F("proposed_by"))), name="setting_four_eyes"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("withdrawn_at", None), ("withdrawn_at__lt", models.F("from_at")), _connector="OR"
                        ),
                        name="setting_withdrawn_before",
                    ),
                ],
            },
        ),
    ]
