from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0019_tips")]

    operations = [Sql("movements.sql", "0f003e3f39a6f5c0035579be4b12eb129004d88762d61c0d44f79b811c4b72d5")]
