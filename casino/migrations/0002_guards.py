from django.db import migrations

from casino.database import AppendOnly, Grant, Keeps, Kept, Sql, Timed


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0001_tables"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("axes", "0010_accessattemptexpiration"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        Sql("functions.sql", "505e705dd8aec57008dc84a3f14e24c3e96b7c6104d8894bb0fc49f49743c607"),
        Sql(
            "gaming_day.sql",
            "5ff7e316762bd583158154ef903119ff1bddcd0d708fc06ed6c49847403071e3",
            calls=["gaming_day(timestamptz, text, time)"],
        ),
        Sql("rows.sql", "9aa89d2dccc9db32c51909aa3d5f3a86ffcb676daf8dfaccb534bc4f212c3918"),
        Sql("house.sql", "bfe4e60d50fada0a64318e3b067f3b67a5b1778bd418c714fc4a0b1a32aafab1"),
        Kept("casino_staff"),
        Keeps("casino_staff", "id", "login", "added_at"),
        Timed("casino_staff", "added_at"),
        Kept("casino_casino"),
        AppendOnly("casino_chipset"),
        Grant(
            "casino_staff",
            "SELECT, INSERT, UPDATE",
            columns=("id", "login", "name", "is_active", "last_login", "added_at"),
        ),
        Grant("casino_casino", "SELECT, INSERT"),
        Grant("casino_chipset", "SELECT, INSERT"),
        Grant("casino_command", "SELECT, INSERT, UPDATE, DELETE"),
        Grant("django_session", "SELECT, INSERT, UPDATE, DELETE", auditor=False),
        Grant("django_content_type", "SELECT"),
        Grant("django_admin_log", "SELECT"),
        Grant("django_migrations", "SELECT"),
        Grant("axes_accessattempt", "SELECT, INSERT, UPDATE, DELETE", auditor=False),
        # Empty for ever: Django clears it when it deletes an attempt.
        Grant("axes_accessattemptexpiration", "SELECT, DELETE", auditor=False),
    ]
