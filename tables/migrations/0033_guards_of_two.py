from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0032_carried"), ("payouts", "0016_snapshots_of_their_own")]

    operations = [
        Sql(
            "cage.sql",
            "fef71cdc302fb769cfa70a5863dd989eea2da44fb2c5bbf83ba731480b5b931a",
        ),
        Sql(
            "sessions.sql",
            "6cd108d9d74bc81557a24ffff3291a3293d6e4d7d8e3964272f334345482ac36",
        ),
    ]
