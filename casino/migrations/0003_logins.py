from django.db import migrations, models

from casino.database import Grant, Kept, Sql


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0002_guards"),
    ]

    operations = [
        migrations.CreateModel(
            name="Hashing",
            fields=[
                ("number", models.SmallIntegerField(primary_key=True, serialize=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__range", (1, 64))), name="hashing_number_range")
                ],
            },
        ),
        migrations.CreateModel(
            name="WrongLogins",
            fields=[
                ("minute", models.DateTimeField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
            ],
            options={
                "verbose_name_plural": "wrong logins",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="wronglogins_number_from_one")
                ],
            },
        ),
        Sql("logins.sql", "5df73113910c157a5c1ec94556807c97d99717dcb53ab3ac3ce46b5cc585c86c"),
        Kept("casino_hashing"),
        # To lock a row takes the right to update.
        Grant("casino_hashing", "SELECT, UPDATE"),
        Grant("casino_wronglogins", "SELECT, INSERT, UPDATE, DELETE"),
    ]
