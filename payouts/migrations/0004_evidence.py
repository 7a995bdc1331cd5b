from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0002_guards"),
        ("payouts", "0003_money_that_counts"),
    ]

    operations = [
        Sql(
            "evidence.sql",
            "f2fd7350f40540901a3e07e4ac4796f776fe9ea79209e9e6916b34d4f07d0c25",
            calls=["evidence_fault(text, text)"],
        ),
    ]
