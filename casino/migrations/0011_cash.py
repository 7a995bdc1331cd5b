import django.contrib.postgres.fields
from django.db import migrations, models

import casino.models
from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0010_guards_of_settings"),
    ]

    operations = [
        migrations.AddField(
            model_name="casino",
            name="cash_denominations",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                db_default=[100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000],
                default=casino.models.euro_cash,
                size=None,
            ),
        ),
        migrations.AddConstraint(
            model_name="casino",
            constraint=models.CheckConstraint(
                condition=models.Q(("cash_denominations__len__gte", 1)), name="casino_has_cash"
            ),
        ),
        Sql("house.sql", "4a56c0a230b1939dc969289a439ce4c51a411f4ac64c0bad9e94905b2e904701"),
    ]
