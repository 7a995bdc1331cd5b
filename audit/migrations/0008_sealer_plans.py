from django.db import migrations, models

from casino.database import Keeps, Sql
from casino.models import EARLIEST, LATEST


class Migration(migrations.Migration):
    dependencies = [("audit", "0007_of_the_sealer")]

    operations = [
        migrations.AlterField("inspection", "plan", models.JSONField(default=list)),
        migrations.AddConstraint(
            model_name="export",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("from_at", None),
                    models.Q(("from_at__gte", EARLIEST), ("to_at__lt", LATEST)),
                    _connector="OR",
                ),
                name="export_moments_readable",
            ),
        ),
        Sql("exports.sql", "50dd6b2e5363d2e6148d4a79cf3bb62b9fe6b6a5ff108f2d055695b828ba6e56"),
        Sql("beginnings.sql", "cd2c1c909b7f88d4f3617bb8c3a95f86f14a245a2ee68a8fa8107f578b8e0868"),
        # The plan is the sealer's, and stays once it is there.
        Keeps("audit_inspection", "id", "kind", "asked_by_id", "hurried", "begun_at"),
    ]
