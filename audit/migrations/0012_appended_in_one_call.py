from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0011_sealer_speaks_for_itself")]

    operations = [
        Sql(
            "append.sql",
            "d13d4f8789f780f9f46a08bda5b46d146cffe4d895da24c3c0acf85b7f78e47d",
            calls=["append_entries(text, json)"],
        ),
        GrantSealer(calls=["append_entries(text, json)"]),
    ]
