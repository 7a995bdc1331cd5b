import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from casino.database import Grant, Revoke


class Migration(migrations.Migration):
    dependencies = [("casino", "0003_logins")]

    operations = [
        migrations.CreateModel(
            name="WebSession",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("device", models.CharField(max_length=40)),
                ("content", models.TextField()),
                ("begun_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("last_activity_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "staff",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        Grant("casino_websession", "SELECT, INSERT, UPDATE, DELETE", auditor=False),
        # Django's own table stays empty.
        Revoke("SELECT, INSERT, UPDATE, DELETE", table="django_session"),
    ]
