from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0011_sealer_speaks_for_itself")]

    operations = [
        Sql(
            "append.sql",
            "c8715cb0b3ad541d1ef37fbaab8463f45504b3dd962d41d3cdc439d9b39b3db3",
            calls=["append_entries(text, json)"],
        ),
        GrantSealer(calls=["append_entries(text, json)"]),
    ]
