from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_appended_in_one_call"), ("casino", "0010_guards_of_settings")]

    operations = [
        Sql("settings.sql", "ad820fd718545c899a0df63dd163d9dd24cf8d463c8d41ec89107bfc8971c2cb"),
    ]
