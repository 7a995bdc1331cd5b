from django.db import migrations, models

from casino.database import Grant, Keeps, Kept, Sql


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
            name="UnknownLogins",
            fields=[
                ("minute", models.DateTimeField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
            ],
            options={
                "verbose_name_plural": "unknown logins",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 0)), name="unknownlogins_number_not_negative"
                    )
                ],
            },
        ),
        Sql("logins.sql", "8341d9659f1fb91ba61dd19231ba74818627cbedc8c6052a6662886e3560b45c"),
        Kept("casino_hashing"),
        Keeps("casino_hashing", "number"),
        # To lock a row takes the right to update.
        Grant("casino_hashing", "SELECT, UPDATE"),
        Grant("casino_unknownlogins", "SELECT, INSERT, UPDATE, DELETE"),
    ]
