from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0015_cage")]

    operations = [
        Sql(
            "snapshots.sql",
            "e69cb3f2a169cc671589b73a474bd42745395cdbbeec8327b30b5baa990b58f4",
            calls=["account_balance(bigint)"],
        ),
    ]
