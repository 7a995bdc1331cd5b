from django.db import migrations, models

from casino.database import Sql
from casino.models import EARLIEST, LATEST


class Migration(migrations.Migration):
    dependencies = [("casino", "0005_wrong_logins")]

    operations = [
        # What a session of before says beyond these years was never the product's: its person logs in anew.
        migrations.RunSQL(
            "DELETE FROM casino_websession WHERE NOT (isfinite(begun_at) AND isfinite(last_activity_at)"
            " AND isfinite(expires_at))"
        ),
        migrations.AddConstraint(
            model_name="websession",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("begun_at__range", (EARLIEST, LATEST)),
                    ("expires_at__range", (EARLIEST, LATEST)),
                    ("last_activity_at__range", (EARLIEST, LATEST)),
                ),
                name="websession_moments_readable",
            ),
        ),
        Sql("house.sql", "0f4d9799f62bc16c65c70278d7451ddc14149f1f751849d592feaa3ded12a3bb"),
        Sql("logins.sql", "2c00a366ef0f9229baba3cd822a0936ebcfa106feccbeed6a21e992c14f21af2"),
    ]
