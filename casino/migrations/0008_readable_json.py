from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0007_readable_moments")]

    operations = [
        # Checks ask them, as whoever writes the row.
        Sql(
            "readable.sql",
            "16805e1b05406d4d66833c3e1427ce68ceb91c1b8d08fd524ddfb47f14159ea7",
            calls=["is_readable(jsonb, integer)", "is_readable(text)"],
        ),
        GrantSealer(calls=["is_readable(jsonb, integer)", "is_readable(text)"]),
    ]
