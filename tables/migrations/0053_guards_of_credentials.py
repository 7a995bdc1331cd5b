from django.db import migrations

from casino.database import EndsOnce, Grant, Keeps, Kept, Sql, Timed

# All but the secret of an app.
READABLE = (
    *("id", "staff_id", "kind", "name", "handle", "public_key", "host", "counter"),
    *("added_at", "used_at", "ended_at", "ended_by_id", "ended_with_id"),
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0052_credentials")]

    operations = [
        Sql("credentials.sql", "47ec45428e4dd0db7e691b805750890931c14af38c961ccfdd2a6a03b97ad50b"),
        Kept("tables_credential"),
        Keeps("tables_credential", "staff_id", "kind", "name", "handle", "public_key", "host", "secret"),
        Timed("tables_credential", "added_at", "ended_at"),
        Grant("tables_credential", "SELECT, INSERT, UPDATE", columns=READABLE),
        Kept("tables_recoverycode"),
        EndsOnce("tables_recoverycode", "ended_at"),
        Timed("tables_recoverycode", "made_at", "ended_at"),
        Grant("tables_recoverycode", "SELECT, INSERT, UPDATE", columns=("id", "staff_id", "made_at", "ended_at")),
    ]
