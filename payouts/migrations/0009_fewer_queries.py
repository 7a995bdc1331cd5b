from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0008_readable_json")]

    operations = [
        Sql("transfers.sql", "55476a18a23b5c22b9d119c302785295e97f5a414210b98123e850a4131c5416"),
        Sql(
            "settlements.sql",
            "77ffbe150454bf131ea72e18b559d2fa9aa050cfa9eef3de3122578117e0ac77",
            calls=["settlement_fault(bigint)"],
        ),
        Sql(
            "evidence.sql",
            "2c87473ab5c33f34cece47cb906173550aa4441e68db576a42cc3184a7a4d709",
            calls=["evidence_fault(text, text)"],
        ),
        Sql(
            "write.sql",
            "53de722df35949940edd161323be6b0333c12cc665363e3195a55740fc4587e9",
            calls=["write_settlements(json, json, json)"],
        ),
    ]
