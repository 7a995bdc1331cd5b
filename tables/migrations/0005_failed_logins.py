from django.db import migrations, models

from casino.database import Grant


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0004_two_put_in_force"),
    ]

    operations = [
        migrations.CreateModel(
            name="FailedLogins",
            fields=[
                ("minute", models.DateTimeField(primary_key=True, serialize=False)),
                ("number", models.BigIntegerField()),
                ("is_logged", models.BooleanField(db_default=False)),
            ],
            options={
                "verbose_name_plural": "failed logins",
            },
        ),
        Grant("tables_failedlogins", "SELECT, INSERT, UPDATE, DELETE"),
    ]
