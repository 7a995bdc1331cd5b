from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

from casino.database import Sql
from casino.models import readable


class Migration(migrations.Migration):
    dependencies = [("audit", "0009_readable_moments"), ("casino", "0008_readable_json")]

    operations = [
        # Rows of before stay as they are, whatever they say: an inspection names those that cannot be read.
        *(
            AddConstraintNotValid(
                model, models.CheckConstraint(condition=readable(column), name=f"{model}_{column}_readable")
            )
            for model, column in (
                ("inspection", "plan"),
                ("inspection", "state"),
                ("inspection", "counts"),
            )
        ),
        AddConstraintNotValid(
            "export",
            models.CheckConstraint(
                condition=readable("progress", models.Value(64 * 2**20)), name="export_progress_readable"
            ),
        ),
        Sql("beginnings.sql", "0f646eeb0b466c9d9b07134c96e0aa6412b2c4e274cb45c3e34490c8add4a631"),
        Sql("exports.sql", "6dde349bef9102e19adcdc9179efb0b3e97611840f2342942653ddb89ff37a85"),
    ]
