import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Staff",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("login", models.CharField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("is_active", models.BooleanField(default=True)),
                ("added_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "verbose_name_plural": "staff",
                "ordering": ["login"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("login__regex", "^[a-z][a-z0-9._-]*$")), name="staff_login_plain"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Casino",
            fields=[
                ("id", models.SmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ("code", models.CharField(max_length=20, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("currency", models.CharField(max_length=3)),
                ("currency_decimals", models.SmallIntegerField(default=2)),
                ("time_zone", models.CharField(max_length=64)),
                ("day_starts_at", models.TimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="casino_one_row"),
                    models.CheckConstraint(
                        condition=models.Q(("code__regex", "^[a-z0-9-]+$")), name="casino_code_plain"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("currency__regex", "^[A-Z]{3}$")), name="casino_currency_iso"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("currency_decimals__range", (0, 4))), name="casino_currency_decimals_range"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ChipSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True)),
                (
                    "denominations",
                    django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None),
                ),
                (
                    "colours",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=7), size=None),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("denominations__len", models.F("colours__len")),
                            ("denominations__len__gt", 0),
                            ("denominations__0__gt", 0),
                        ),
                        name="chipset_has_chips",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Command",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=80)),
                ("content", models.CharField(max_length=64)),
                ("status", models.SmallIntegerField(null=True)),
                ("answer", models.TextField(null=True)),
                ("made_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ("staff", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("staff", "key"), name="command_key_once")],
            },
        ),
    ]
