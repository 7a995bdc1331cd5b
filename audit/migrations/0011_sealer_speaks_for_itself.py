from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0010_readable_json")]

    operations = [
        Sql(
            "entries.sql",
            "89de50e344fd8b9fb69d22cd1c85db7e171830635a6231a0a8f0e7d953f2fc5d",
            calls=["entry_envelope(text)"],
        ),
        # The sealer writes entries too.
        Sql("tree.sql", "cc1bb8c4fad6c944e372bb7ea8890444c801bd40bdd722497f190ac3b9fc932f"),
        GrantSealer(calls=["pass_over_leaves()"]),
        Sql("sealer.sql", "ec827b197eaaa5a3c928e6d1bde7e9949593473e34c627cb7f5831d0b01b0474"),
    ]
