from django.db import migrations

from casino.database import Grant


class Migration(migrations.Migration):
    dependencies = [("casino", "0002_rights"), ("axes", "0010_accessattemptexpiration")]

    operations = [
        Grant("axes_accessattempt", "SELECT, INSERT, UPDATE, DELETE", auditor=False),
        # Empty for ever: Django clears it when it deletes an attempt.
        Grant("axes_accessattemptexpiration", "SELECT, DELETE", auditor=False),
    ]
