from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models.lookups import Exact

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
        AddConstraintNotValid(
            "action",
            models.CheckConstraint(
                condition=Exact(
                    models.Func(models.F("arguments"), function="jsonb_typeof", output_field=models.CharField()),
                    "object",
                ),
                name="action_arguments_object",
            ),
        ),
        Sql("lines.sql", "a267619b0dbb6464c0977761521dfbbafaf9ef6bd1ba8c44c67a0947bae026b1"),
        Sql("actions.sql", "2f2b59e6f939ffe71165255916640621edb839817d1233f05a1e94b858881e10"),
        Sql("rounds.sql", "d7e48905ee0da4ab3e8e33fc076f1930041c58b2159ac37e0c31e86ded6bb8a8"),
        Sql("rulesheets.sql", "a38c147e3797f57be2ec5f09dd2b509fcb0e0d397227ffaec3b035f4e60ad394"),
    ]
