from django.db import migrations, models

from casino.database import Sql
from casino.models import EARLIEST


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0007_one_count_of_wrong_logins"),
        ("payouts", "0005_chain_and_number"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("happened_at", None),
                    models.Q(("happened_at__gte", EARLIEST), ("happened_at__lte", models.F("opened_at"))),
                    _connector="OR",
                ),
                name="round_happened_before",
            ),
        ),
        Sql("rounds.sql", "22604346cd3e38c718a04544a371c8a4c5d13f5b4ddecef0a3f093a3ca089145"),
        Sql("sessions.sql", "f2de381613cb9eb2a9f19e9b5d816ac1f9116d1f8dfebb3dbf813bba97995178"),
        Sql(
            "settling.sql",
            "b75e62ef33e5499e0406f11254d9871cab39978cbb6bc3c2af046e80f97ba25c",
            calls=["lease_rounds(int, int, interval, interval)", "read_rounds(bigint[])", "take_rounds(bigint[])"],
        ),
    ]
