"""What migrations lay down besides tables: triggers that refuse what nobody may do, and the rights of the three roles.

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


# What a row may not do, whoever asks. The search path is fixed: what a session sets for itself deceives no guard.
GUARDS = """
CREATE FUNCTION keeps() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM unnest(TG_ARGV) name WHERE to_jsonb(NEW) -> name IS DISTINCT FROM to_jsonb(OLD) -> name) THEN
        RAISE EXCEPTION '%: % of a row stays', TG_TABLE_NAME, array_to_string(TG_ARGV, ', ')
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION ends_once() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL
       OR to_jsonb(NEW) - TG_ARGV::text[] IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV::text[] THEN
        RAISE EXCEPTION '%: a row only ends, and once', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION times_itself() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    earlier jsonb := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD) ELSE '{}' END;
    later jsonb := to_jsonb(NEW);
    filled jsonb := '{}';
    name text;
BEGIN
    FOREACH name IN ARRAY TG_ARGV LOOP
        CONTINUE WHEN later ->> name IS NULL;
        IF earlier ->> name IS NULL THEN
            filled := filled || jsonb_build_object(name, statement_timestamp());
        ELSIF earlier -> name <> later -> name THEN
            RAISE EXCEPTION '%: % of a row stays', TG_TABLE_NAME, name USING ERRCODE = 'restrict_violation';
        END IF;
    END LOOP;
    RETURN jsonb_populate_record(NEW, filled);
END $$;
"""


class _Trigger(_Sql):
    """A trigger that fires always, replication role included."""

    function, name = "", ""

    def __init__(self, table, *columns):
        self.table, self.columns = table, columns

    def statements(self, schema_editor):
        arguments = ", ".join(f"'{column}'" for column in self.columns)
        return [
            f"CREATE TRIGGER {self.name} BEFORE {self.events()} ON {self.table} "
            f"FOR EACH ROW EXECUTE FUNCTION {self.function}({arguments})",
            f"ALTER TABLE {self.table} ENABLE ALWAYS TRIGGER {self.name}",
        ]


class Keeps(_Trigger):
    """Refuse to change these columns of a row to everybody."""

    function = name = "keeps"

    def describe(self):
        return f"Keep {', '.join(self.columns)} of {self.table}"

    def events(self):
        return f"UPDATE OF {', '.join(self.columns)}"


class EndsOnce(_Trigger):
    """A row changes once, when its first named column is filled; the further ones may change with it, no other."""

    function = name = "ends_once"

    def describe(self):
        return f"Let a row of {self.table} only end, and once"

    def events(self):
        return "UPDATE"


class Timed(_Trigger):
    """Whatever is written into these columns, they say when it was: the moment of the statement that first fills them.

    Named so that it fires after the guards that say better what is refused.
    """

    function, name = "times_itself", "timed"

    def describe(self):
        return f"Let the database's clock say {', '.join(self.columns)} of {self.table}"

    def events(self):
        return f"INSERT OR UPDATE OF {', '.join(self.columns)}"


class Kept(_Sql):
    """Refuse DELETE (unless `rows` is false) and TRUNCATE on a table to everybody, replication role included."""

    def __init__(self, table, *, rows=True):
        self.table, self.rows = table, rows

    def describe(self):
        return f"Keep the rows of {self.table}"

    def statements(self, schema_editor):
        if self.rows:
            yield (f"CREATE TRIGGER kept BEFORE DELETE ON {self.table} FOR EACH ROW EXECUTE FUNCTION refuse_change()")
            yield f"ALTER TABLE {self.table} ENABLE ALWAYS TRIGGER kept"
        yield (
            f"CREATE TRIGGER kept_truncate BEFORE TRUNCATE ON {self.table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
        yield f"ALTER TABLE {self.table} ENABLE ALWAYS TRIGGER kept_truncate"


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


class Revoke(_Sql):
    """Take rights on a table away from the app's role."""

    def __init__(self, table, rights):
        self.table, self.rights = table, rights

    def describe(self):
        return f"Revoke {self.rights} on {self.table} from the app's role"

    def statements(self, schema_editor):
        return [f"REVOKE {self.rights} ON {self.table} FROM {schema_editor.connection.ops.quote_name(app_role())}"]


class Execute(_Sql):
    """Let the app's role call a function, written with its arguments' types."""

    def __init__(self, function):
        self.function = function

    def describe(self):
        return f"Grant EXECUTE on {self.function} to the app's role"

    def statements(self, schema_editor):
        return [f"GRANT EXECUTE ON FUNCTION {self.function} TO {schema_editor.connection.ops.quote_name(app_role())}"]
