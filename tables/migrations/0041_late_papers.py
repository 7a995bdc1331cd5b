from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0020_late_papers"), ("tables", "0040_drop_cases")]

    operations = [
        migrations.RemoveConstraint(model_name="round", name="round_one_open"),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "OPEN")), fields=("session",), name="round_one_open"
            ),
        ),
        migrations.RunSQL("DROP FUNCTION IF EXISTS read_rounds(bigint[], text)"),
        Sql("rounds.sql", "81d1b4fb8108ef6c8746fe03f4cb6bb0c5ae742fed33bb6601ef2a8ecc2ea60d"),
        Sql(
            "settling.sql",
            "d3e3a89c29ac0297b58a91432addbaeacd9f7867a18a2c43326ceaa39dd79fa3",
            calls=[
                "lease_due(int, int, interval, interval)",
                "read_rounds(bigint[], text)",
                "settle_rounds(bigint[], text, int[], json, json, json, text, json)",
                "settle_tables(int, bigint[], text, int[], int[], text, text, text, text[], text)",
            ],
        ),
        Sql(
            "days.sql",
            "f130301dba95dc5c9c87ec7119013c2c78ef1ec60bfec7863bfd61405ffe00cc",
            calls=["business_date()", "hold_day(date)"],
        ),
        Sql(
            "settlements.sql",
            "cfc3aec9de497143180c83d602f561d00883b17a48e9bcf0e7a6520d4eb0c7e0",
            calls=["correction_unevened(text, text)"],
        ),
    ]
