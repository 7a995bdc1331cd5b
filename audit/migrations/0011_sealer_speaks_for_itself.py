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
        GrantSealer(calls=["entry_envelope(text)"]),
        Sql("tree.sql", "cc1bb8c4fad6c944e372bb7ea8890444c801bd40bdd722497f190ac3b9fc932f"),
        GrantSealer(calls=["pass_over_leaves()"]),
        Sql("sealer.sql", "3ab9f8bba9bd898abfddd3436316a0cf15fd4770de2ac02d97fbe8d8dfe49ca5"),
    ]
