from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

from casino.database import Sql
from casino.models import readable


class Migration(migrations.Migration):
    dependencies = [("tables", "0011_fewer_indexes"), ("casino", "0008_readable_json")]

    operations = [
        # Rows of before stay as they are, whatever they say: an inspection names those that cannot be read.
        *(
            AddConstraintNotValid(
                model, models.CheckConstraint(condition=readable(column), name=f"{model}_{column}_readable")
            )
            for model, column in (
                ("round", "carry"),
                ("action", "arguments"),
                ("line", "text"),
                ("line", "wagers"),
                ("line", "carry"),
                ("rulesheet", "values"),
                ("rulesheet", "rules"),
            )
        ),
        Sql("lines.sql", "a267619b0dbb6464c0977761521dfbbafaf9ef6bd1ba8c44c67a0947bae026b1"),
        Sql("actions.sql", "0cbfc712e6f8b271a922b8ea04f52069b4d489c1332fa0ef964ade7559afcaf5"),
        Sql("rounds.sql", "d7e48905ee0da4ab3e8e33fc076f1930041c58b2159ac37e0c31e86ded6bb8a8"),
        Sql("rulesheets.sql", "a38c147e3797f57be2ec5f09dd2b509fcb0e0d397227ffaec3b035f4e60ad394"),
    ]
