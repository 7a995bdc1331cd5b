from django.db import migrations

from casino.database import GUARDS, AppendOnly, Execute, Keeps, Kept, Revoke, Timed

# A function is everybody's to call unless the owner says otherwise, for those to come too.
FUNCTIONS = """
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER FUNCTION refuse_change() SET search_path = public, pg_temp;
"""


class Migration(migrations.Migration):
    dependencies = [("casino", "0003_lockout")]

    operations = [
        migrations.RunSQL(FUNCTIONS),
        Execute("gaming_day(timestamptz, text, time)"),
        migrations.RunSQL(GUARDS),
        Kept("casino_staff"),
        Keeps("casino_staff", "id", "login", "added_at"),
        Timed("casino_staff", "added_at"),
        Kept("casino_casino"),
        Revoke("casino_casino", "UPDATE"),
        *(Revoke(f"SEQUENCE django_{name}_id_seq", "USAGE") for name in ("admin_log", "content_type", "migrations")),
        AppendOnly("casino_chipset"),
    ]
