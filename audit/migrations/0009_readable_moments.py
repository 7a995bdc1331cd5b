from django.db import migrations, models

from casino.database import Sql, Timed
from casino.models import EARLIEST, LATEST


class Migration(migrations.Migration):
    dependencies = [("audit", "0008_sealer_plans"), ("casino", "0007_readable_moments")]

    operations = [
        # The sealer says it anew when it next looks.
        migrations.RunSQL("UPDATE audit_sealing SET anchored_at = NULL WHERE NOT isfinite(anchored_at)"),
        migrations.AddConstraint(
            model_name="sealing",
            constraint=models.CheckConstraint(
                condition=models.Q(("anchored_at", None), ("anchored_at__range", (EARLIEST, LATEST)), _connector="OR"),
                name="sealing_moment_readable",
            ),
        ),
        Timed("audit_export", "asked_at", "ended_at"),
        Sql("sealer.sql", "451f83cce345f7e89915fa9eaca37e1a28dd7047aef2ca48a0cfc378d6e06a41"),
    ]
