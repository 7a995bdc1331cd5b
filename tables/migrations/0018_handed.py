from django.db import migrations, models

from casino.database import Sql
from casino.models import readable


class Migration(migrations.Migration):
    dependencies = [("tables", "0017_guards_of_scanners")]

    operations = [
        migrations.AddField("line", "handed", models.JSONField(null=True)),
        migrations.AddConstraint(
            "line", models.CheckConstraint(condition=readable("handed"), name="line_handed_readable")
        ),
        Sql("lines.sql", "07971fba1c27d0d37b15e75233d1e891519d0af0f0cc4418bd3ead015d8bc069"),
        Sql(
            "acting.sql",
            "cc65616f82b6ea0725db30e3eef9a36da1fb09e503c102621e3ed09853c72e90",
            calls=[
                "lock_round(bigint, boolean, bigint[], bigint[])",
                "write_action(bigint, json, json, json, text, json)",
                "write_closing(bigint, text, text, json, bigint, text, json)",
            ],
        ),
    ]
