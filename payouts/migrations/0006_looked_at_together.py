from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0005_chain_and_number")]

    operations = [
        Sql("transfers.sql", "f8582960c661685bc7b7d2a484b27b78516313237538595aaa0db9a15db4aedc"),
        Sql(
            "settlements.sql",
            "92a1ecb7fb291c50b09e131d257df46557cc5aa8651a15c22079f5b00c329bd3",
            calls=["settlement_fault(bigint)"],
        ),
        Sql(
            "write.sql",
            "6d693329dc6e739d05a4c7b650e515bdc32e298b4ea211196ea39f51d4898006",
            calls=["write_settlements(json, json, json)"],
        ),
    ]
