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
            "a68e5622292b3e374548460a0487aa54b164a0a8b53e8283e8982ad433a8937e",
            calls=["evidence_fault(text, text)"],
        ),
    ]
