from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0004_evidence")]

    operations = [
        Sql("movements.sql", "358bb88cffedb3420ca61320826c8d7cf25915daaaceecae5a35b1ac7ac9de5e"),
        Sql(
            "evidence.sql",
            "7afd6c635b52589d850b986ea99ac3a461c6c26f7a49917e90fb6137d59e6aba",
            calls=["evidence_fault(text, text)"],
        ),
    ]
