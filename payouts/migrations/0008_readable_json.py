from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

from casino.database import Sql
from casino.models import readable


class Migration(migrations.Migration):
    dependencies = [("payouts", "0007_fewer_indexes"), ("casino", "0008_readable_json")]

    operations = [
        # Rows of before stay as they are, whatever they say: an inspection names those that cannot be read.
        *(
            AddConstraintNotValid(
                model, models.CheckConstraint(condition=readable(column), name=f"{model}_{column}_readable")
            )
            for model, column in (
                ("settlement", "result"),
                ("movement", "denominations"),
            )
        ),
        Sql("readable.sql", "defc2ade689478f2d85018a9f291f4b32481405d7058273b8e7b0b772a87b3de"),
    ]
