from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_guards"), ("payouts", "0003_money_that_counts")]

    operations = [
        Sql("sessions.sql", "49613992296003177874bad8cd952a37f8e5bce571cddcbed40938b8fdcab294"),
        Sql("settlements.sql", "fde99badd40852ae180157f54c2f82258e63a6470ce972a21cdf9820c40147bb"),
    ]
