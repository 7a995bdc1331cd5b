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
        Sql(
            "settlements.sql",
            "a90d91fa5170a7f91230eb6654fb742d10d4ec2343d6d809a53fb9f5f7e2eff0",
            calls=["settlement_fault(bigint)"],
        ),
        Sql("movements.sql", "c445c3ff61b90b9ab3ded57ca309714694ef10f837050b0251e9b2a1ecc6324f"),
    ]
