"""What migrations lay down besides tables: append-only triggers and the rights of the three roles.

The owner migrates. The app's role owns nothing and gets exactly what a migration grants; it may not update, delete or
truncate append-only tables. The auditor's role reads, without passwords, tokens and salts. Role names come from
`DATABASE_URL`; no migration creates a role.
"""

from django.conf import settings
from django.db.migrations.operations.base import Operation


def app_role():
    """The role that the product runs as."""
    return settings.DATABASES["default"]["USER"]


class _Sql(Operation):
    """An operation of SQL alone, with no state."""

    reversible = False

    def state_forwards(self, app_label, state):
        """The models stay as they are."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for statement in self.statements(schema_editor):
            schema_editor.execute(statement, params=None)


REFUSE_CHANGE = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
"""


class AppendOnly(_Sql):
    """Refuse UPDATE, DELETE and TRUNCATE on a table to everybody, replication role included."""

    def __init__(self, table):
        self.table = table

    def describe(self):
        return f"Make {self.table} append-only"

    def statements(self, schema_editor):
        return [
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {self.table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
            f"CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {self.table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
            f"ALTER TABLE {self.table} ENABLE ALWAYS TRIGGER append_only",
            f"ALTER TABLE {self.table} ENABLE ALWAYS TRIGGER append_only_truncate",
        ]


class Grant(_Sql):
    """Give the app's role `rights` on a table and its sequence, the auditor SELECT (on `columns` only where given)."""

    def __init__(self, table, rights, *, columns=(), auditor=True):
        self.table, self.rights, self.columns, self.auditor = table, rights, columns, auditor

    def describe(self):
        return f"Grant {self.rights} on {self.table} to the app's role"

    def statements(self, schema_editor):
        quote = schema_editor.connection.ops.quote_name
        app, auditor = quote(app_role()), quote(settings.AUDITOR_ROLE)
        yield f"GRANT {self.rights} ON {self.table} TO {app}"
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_get_serial_sequence(%s, 'id') FROM information_schema.columns"
                " WHERE table_name = %s AND column_name = 'id'",
                [self.table, self.table],
            )
            row = cursor.fetchone()
        if row and row[0]:
            yield f"GRANT USAGE ON SEQUENCE {row[0]} TO {app}"
        if self.auditor:
            columns = f" ({', '.join(self.columns)})" if self.columns else ""
            yield f"GRANT SELECT{columns} ON {self.table} TO {auditor}"
