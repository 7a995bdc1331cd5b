from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0005_failed_logins"),
        ("payouts", "0004_evidence"),
        ("audit", "0006_inspections"),
    ]

    operations = [
        Sql("inspections.sql", "03ddcef45e130731094b7e759405c964c89bd5857ee4145cf11e1a52ab94f496"),
        GrantSealer(
            calls=[
                "intervention_digests(bigint[])",
                "dispute_digests(bigint[])",
                "account_balance(bigint)",
                "settlement_fault(bigint)",
                "gaming_day(timestamptz, text, time)",
            ]
        ),
    ]
