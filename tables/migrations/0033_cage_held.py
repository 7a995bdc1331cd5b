from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0032_carried")]

    operations = [
        Sql(
            "cage.sql",
            "fef71cdc302fb769cfa70a5863dd989eea2da44fb2c5bbf83ba731480b5b931a",
            calls=["house_chips()", "hold_cage()"],
        ),
        GrantSealer(calls=["cage_shift_digests(bigint[])"]),
    ]
