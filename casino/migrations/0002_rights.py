from django.db import migrations

from casino.database import REFUSE_CHANGE, Grant
from casino.gaming_day import FUNCTION


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0001_initial"),
        ("sessions", "0001_initial"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations = [
        migrations.RunSQL(FUNCTION),
        migrations.RunSQL(REFUSE_CHANGE),
        Grant(
            "casino_staff",
            "SELECT, INSERT, UPDATE",
            columns=("id", "login", "name", "is_active", "last_login", "added_at"),
        ),
        Grant("casino_casino", "SELECT, INSERT, UPDATE"),
        Grant("casino_chipset", "SELECT, INSERT"),
        Grant("casino_command", "SELECT, INSERT, UPDATE, DELETE"),
        Grant("django_session", "SELECT, INSERT, UPDATE, DELETE", auditor=False),
        Grant("django_content_type", "SELECT"),
        Grant("django_admin_log", "SELECT"),
        Grant("django_migrations", "SELECT"),
    ]
