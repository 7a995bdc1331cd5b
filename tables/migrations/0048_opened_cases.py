from django.conf import settings
from django.db import migrations, models

from casino.database import Grant, GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0047_case_files"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="case",
            name="case_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="case",
            name="case_units_of_variance",
        ),
        migrations.AddField(
            model_name="case",
            name="question",
            field=models.TextField(db_default="", default=""),
        ),
        migrations.AddField(
            model_name="case",
            name="question_salt",
            field=models.CharField(db_default="", default="", max_length=32),
        ),
        migrations.AlterField(
            model_name="case",
            name="kind",
            field=models.CharField(
                choices=[
                    ("variance", "variance"),
                    ("drop_variance", "variance of a drop"),
                    ("dispute", "dispute"),
                    ("void", "void round"),
                    ("investigation", "investigation"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["variance", "drop_variance", "dispute", "void", "investigation"]), ("number__gte", 1)
                ),
                name="case_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["variance", "drop_variance"]), ("units__isnull", False)),
                    models.Q(models.Q(("kind__in", ["variance", "drop_variance"]), _negated=True), ("units", None)),
                    _connector="OR",
                ),
                name="case_units_of_variance",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ["void", "investigation"]),
                        models.Q(("question", ""), _negated=True),
                        models.Q(("question_salt", ""), _negated=True),
                    ),
                    models.Q(
                        models.Q(("kind__in", ["void", "investigation"]), _negated=True),
                        ("question", ""),
                        ("question_salt", ""),
                    ),
                    _connector="OR",
                ),
                name="case_question_of_opener",
            ),
        ),
        # It gives a column more.
        migrations.RunSQL("DROP FUNCTION IF EXISTS case_digests(bigint[])"),
        Sql("cases.sql", "0bb5d365ef60bc0ab548e300a80df61bb7f9227c06485b35766c4ba0f9c60ffa"),
        Grant("tables_case", "SELECT", columns=("question",)),
        GrantSealer(calls=["case_digests(bigint[])"]),
    ]
