from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0057_codes_of_founders")]

    operations = [Sql("terminals.sql", "ccdb323d85babbdcfb335e1e7dcc7cbc3ca68af0e9758cb5e88e87e50b1e15f1")]
