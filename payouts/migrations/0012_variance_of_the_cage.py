from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0011_looked_at_once")]

    operations = [Sql("movements.sql", "cbfcebab47d4c88694ddb50ce1588e641e78ad4dcb8411e0e63f9762d106c73f")]
