from django.db import migrations, models

from casino.database import Sql
from casino.models import EARLIEST, LATEST


class Migration(migrations.Migration):
    dependencies = [("casino", "0006_lasting_rows")]

    operations = [
        # What lies beyond these years was never the product's: a kept answer is given up, a login is unknown.
        migrations.RunSQL("DELETE FROM casino_command WHERE NOT isfinite(made_at)"),
        migrations.RunSQL("UPDATE casino_staff SET last_login = NULL WHERE NOT isfinite(last_login)"),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.CheckConstraint(
                condition=models.Q(("made_at__range", (EARLIEST, LATEST))), name="command_moment_readable"
            ),
        ),
        migrations.AddConstraint(
            model_name="staff",
            constraint=models.CheckConstraint(
                condition=models.Q(("last_login", None), ("last_login__range", (EARLIEST, LATEST)), _connector="OR"),
                name="staff_moment_readable",
            ),
        ),
        Sql("house.sql", "a8ed453ce3255c583a6f34d37df1a85a2bceaa2600db3535c42ab24c488e54be"),
    ]
