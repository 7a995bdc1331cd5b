from django.db import migrations

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0072_alarms_of_luck")]

    operations = [
        Sql("alarms.sql", "11a24c259ecee6601090ea8eaf66c1a0a2275e4f79c7ba4e36670118b450e2d3"),
        GrantSealer(calls=["alarm_digests(bigint[])"]),
    ]
