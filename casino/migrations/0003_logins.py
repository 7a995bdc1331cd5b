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
                ("unknown", models.IntegerField()),
            ],
            options={
                "verbose_name_plural": "wrong logins",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("unknown__gte", 0), ("unknown__lte", models.F("number"))),
                        name="wronglogins_unknown_within",
                    )
                ],
            },
        ),
        Sql("logins.sql", "447600098f0b66dd40227f975b89f5097b251379014fba4e92d16aad083c4aeb"),
        Kept("casino_hashing"),
        # To lock a row takes the right to update.
        Grant("casino_hashing", "SELECT, UPDATE"),
        Grant("casino_wronglogins", "SELECT, INSERT, UPDATE, DELETE"),
    ]
