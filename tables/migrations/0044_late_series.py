from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0043_dispute_cases")]

    operations = [
        migrations.RemoveConstraint(model_name="series", name="series_one_open"),
        migrations.AddConstraint(
            model_name="series",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "OPEN")), fields=("session",), name="series_one_open"
            ),
        ),
        Sql("rounds.sql", "dbbb4dc65052c0d68e9d335e4ed55f2d27e8bc68e90f6f96d661ad93a406ed3c"),
        Sql(
            "days.sql",
            "e33b7aa3c746d2f29fcac8dbd7fd49dfb5157555329df2682cb06bc2a1a08d7a",
            calls=["business_date()", "hold_day(date)"],
        ),
        Sql("sessions.sql", "18d6749a4e764c1eb311bc2864fc58179d64395a2ade34152cac9bf9e9a1e758"),
    ]
