import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0003_money_that_counts"),
    ]

    operations = [
        migrations.AddField(
            model_name="inforce",
            name="approved_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="inforce",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by", None), models.Q(("approved_by", models.F("set_by")), _negated=True), _connector="OR"
                ),
                name="inforce_four_eyes",
            ),
        ),
        Sql("rulesheets.sql", "387ef582a3ad463d43eb461010fe57c5b3e95385463b98b0279cf53051fad928"),
    ]
