from django.db import migrations, models

from casino.database import Sql

from ..models import KEY, REQUESTER


class Migration(migrations.Migration):
    """A key signs once in a chain."""

    dependencies = [("audit", "0014_columns_of_the_guard")]

    operations = [
        migrations.AddConstraint(
            "entry",
            models.UniqueConstraint(
                REQUESTER,
                KEY,
                models.F("chain"),
                condition=models.Q(event="signature.given"),
                name="entry_signed_once",
            ),
        ),
        Sql("signatures.sql", "e59a8c0f018670a49b086800badbd8b5d21e1b3dd06a34b0f260ed45658caf12"),
    ]
