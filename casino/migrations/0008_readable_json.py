from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0007_readable_moments")]

    operations = [
        # Checks ask them, as whoever writes the row.
        Sql(
            "readable.sql",
            "716e93aa84c2bf2d0186274f51d082526eac8e3fb71f7d3c6f171b8b20f7c8b7",
            calls=["is_readable(jsonb, integer)", "is_readable(text)"],
        ),
        GrantSealer(calls=["is_readable(jsonb, integer)", "is_readable(text)"]),
    ]
