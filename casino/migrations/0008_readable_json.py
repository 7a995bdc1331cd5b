from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0007_readable_moments")]

    operations = [
        # Checks ask them, as whoever writes the row.
        Sql(
            "readable.sql",
            "08ef8e49fe328ad57eefec675d7486fb909182063ad68bea4b54774a33ff586a",
            calls=["is_readable(jsonb, integer)", "is_readable(text)"],
        ),
        GrantSealer(calls=["is_readable(jsonb, integer)", "is_readable(text)"]),
    ]
