"""What migrations lay down besides tables: guards that refuse what nobody may do, and the rights of the four roles.

The owner migrates. The app's role owns nothing and gets exactly what a migration grants; it may not update, delete or
truncate append-only tables. The sealer's role alone writes the log's tree. It reads what the auditor's role reads: all
but passwords, tokens and salts. Role names come from `DATABASE_URL`, `SEALER_ROLE` and `AUDITOR_ROLE`; no migration
creates a role.

Every operation may run again where it ran before. Each guard has its sentence in the database, as a comment, and
`docs/guards.md` shows them all.
"""

import functools
import hashlib
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.migrations.exceptions import BadMigrationError
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation


def app_role():
    """The role that the product runs as."""
    return settings.DATABASES["default"]["USER"]


def sql_files(app_label):
    """The files in an app's `sql` folder, by their names: each says all about one kind of guard."""
    return {path.name: path for path in sorted(Path(apps.get_app_config(app_label).path, "sql").glob("*.sql"))}


def digest(path):
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def newest_digests(app_label):
    """By file name, the newest migration that names the file, and the digest that it gives: (migration, digest)."""
    graph = MigrationLoader(None).graph
    (leaf,) = graph.leaf_nodes(app_label)
    return {
        operation.name: (migration, operation.digest)
        for app, migration in graph.forwards_plan(leaf)
        if app == app_label
        for operation in graph.nodes[app, migration].operations
        if isinstance(operation, Sql)
    }


class _Statements(Operation):
    """An operation of SQL alone, with no state."""

    reversible = False

    def state_forwards(self, app_label, state):
        """The models stay as they are."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for statement in self.statements(schema_editor):
            schema_editor.execute(statement, params=None)


class Sql(_Statements):
    """Lay down a file of the app's `sql` folder; the app's role may call the functions in `calls`.

    To change a guard, change its file and write a migration that names it with its new SHA-256. The migrations that
    name it with an older digest then skip it, since their text no longer exists: the newest one lays down all of it, so
    that a new database and an old one end with the same guards.

    :raises BadMigrationError: when run, if the file is not what the newest migration that names it says.
    """

    def __init__(self, name, digest, *, calls=()):
        self.name, self.digest, self.calls = name, digest, calls

    def describe(self):
        return f"Lay down {self.name}"

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        path = sql_files(app_label)[self.name]
        migration, expected = newest_digests(app_label)[self.name]
        if digest(path) != expected:
            raise BadMigrationError(
                f"{path} is not the file that {app_label}.{migration} names; write a migration that names it as"
                f" {digest(path)}."
            )
        if self.digest == expected:
            schema_editor.execute(path.read_text("utf-8"), params=None)
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def statements(self, schema_editor):
        role = schema_editor.connection.ops.quote_name(app_role())
        return [f"GRANT EXECUTE ON ROUTINE {function} TO {role}" for function in self.calls]


def _trigger(name, table, events, call, *, each="ROW", says):
    """Statements for a trigger that fires before and always, replication role included, and its sentence."""
    return [
        f"CREATE OR REPLACE TRIGGER {name} BEFORE {events} ON {table} FOR EACH {each} EXECUTE FUNCTION {call}",
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}",
        f"COMMENT ON TRIGGER {name} ON {table} IS $${says}$$",
    ]


class AppendOnly(_Statements):
    """Refuse UPDATE, DELETE and TRUNCATE on a table to everybody."""

    def __init__(self, table):
        self.table = table

    def describe(self):
        return f"Make {self.table} append-only"

    def statements(self, schema_editor):
        refuse = {"call": "refuse_change()"}
        says = "Rows are added, and none is changed or deleted."
        return [
            *_trigger("append_only", self.table, "UPDATE OR DELETE", says=says, **refuse),
            *_trigger(
                "append_only_truncate", self.table, "TRUNCATE", each="STATEMENT", says="It is never emptied.", **refuse
            ),
        ]


class Kept(_Statements):
    """Refuse DELETE (unless `rows` is false) and TRUNCATE on a table to everybody."""

    def __init__(self, table, *, rows=True):
        self.table, self.rows = table, rows

    def describe(self):
        return f"Keep the rows of {self.table}"

    def statements(self, schema_editor):
        refuse = {"call": "refuse_change()"}
        if self.rows:
            yield from _trigger("kept", self.table, "DELETE", says="No row is deleted.", **refuse)
        yield from _trigger(
            "kept_truncate", self.table, "TRUNCATE", each="STATEMENT", says="It is never emptied.", **refuse
        )


class _OfColumns(_Statements):
    """A trigger whose function gets columns as arguments."""

    function, name = "", ""

    def __init__(self, table, *columns):
        self.table, self.columns = table, columns

    def statements(self, schema_editor):
        arguments = ", ".join(f"'{column}'" for column in self.columns)
        return _trigger(self.name, self.table, self.events(), f"{self.function}({arguments})", says=self.says())


class Keeps(_OfColumns):
    """Refuse to change these columns of a row to everybody."""

    function = name = "keeps"

    def describe(self):
        return f"Keep {', '.join(self.columns)} of {self.table}"

    def says(self):
        return f"What a row says in {', '.join(self.columns)} stays."

    def events(self):
        return f"UPDATE OF {', '.join(self.columns)}"


class EndsOnce(_OfColumns):
    """A row changes once, when its first named column is filled; the further ones may change with it, no other."""

    function = name = "ends_once"

    def describe(self):
        return f"Let a row of {self.table} only end, and once"

    def says(self):
        first, *further = self.columns
        with_it = f"only {', '.join(further)}" if further else "nothing else"
        return f"A row changes once, when {first} is filled; {with_it} changes with it."

    def events(self):
        return "UPDATE"


class Timed(_OfColumns):
    """Set these columns to the moment of the statement that first fills them, whatever that writes.

    Its name lets it fire after the guards that explain a refusal better.
    """

    function, name = "times_itself", "timed"

    def describe(self):
        return f"Let the database's clock say {', '.join(self.columns)} of {self.table}"

    def says(self):
        columns = ", ".join(self.columns)
        return f"Whatever is written, the database's clock first fills {columns}; no other time replaces it."

    def events(self):
        return f"INSERT OR UPDATE OF {', '.join(self.columns)}"


class Grant(_Statements):
    """Give the app's role `rights` on a table, auditor and sealer SELECT (on `columns` only where given).

    Where the app's role may INSERT it may also take ids from the table's sequence.
    """

    def __init__(self, table, rights, *, columns=(), auditor=True):
        self.table, self.rights, self.columns, self.auditor = table, rights, columns, auditor

    def describe(self):
        return f"Grant {self.rights} on {self.table} to the app's role"

    def statements(self, schema_editor):
        quote = schema_editor.connection.ops.quote_name
        app, readers = quote(app_role()), (quote(settings.AUDITOR_ROLE), quote(settings.SEALER_ROLE))
        yield f"GRANT {self.rights} ON {self.table} TO {app}"
        sequence = _sequence(schema_editor.connection, self.table)
        if sequence and "INSERT" in self.rights:
            yield f"GRANT USAGE ON SEQUENCE {sequence} TO {app}"
        if self.auditor:
            columns = f" ({', '.join(self.columns)})" if self.columns else ""
            yield f"GRANT SELECT{columns} ON {self.table} TO {', '.join(readers)}"


def _sequence(connection, table):
    """The sequence behind a table's ids, None without one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_serial_sequence(%s, 'id') FROM information_schema.columns"
            " WHERE table_name = %s AND column_name = 'id'",
            [table, table],
        )
        row = cursor.fetchone()
    return row and row[0]


class Narrow(_Statements):
    """Let auditor and sealer, who read a whole table, read these columns of it from now on."""

    def __init__(self, table, columns):
        self.table, self.columns = table, columns

    def describe(self):
        return f"Let auditor and sealer read {', '.join(self.columns)} of {self.table} alone"

    def statements(self, schema_editor):
        quote = schema_editor.connection.ops.quote_name
        readers = f"{quote(settings.AUDITOR_ROLE)}, {quote(settings.SEALER_ROLE)}"
        yield f"REVOKE SELECT ON {self.table} FROM {readers}"  # noqa: S608 - no data is in it
        yield f"GRANT SELECT ({', '.join(self.columns)}) ON {self.table} TO {readers}"


class GrantSealer(_Statements):
    """Give the sealer's role `rights` on a table, and its ids where it may INSERT; or the functions in `calls`."""

    def __init__(self, table="", rights="", *, calls=()):
        self.table, self.rights, self.calls = table, rights, calls

    def describe(self):
        return f"Grant {self.rights or 'EXECUTE'} on {self.table or ', '.join(self.calls)} to the sealer's role"

    def statements(self, schema_editor):
        sealer = schema_editor.connection.ops.quote_name(settings.SEALER_ROLE)
        if self.table:
            yield f"GRANT {self.rights} ON {self.table} TO {sealer}"
            sequence = _sequence(schema_editor.connection, self.table)
            if sequence and "INSERT" in self.rights:
                yield f"GRANT USAGE ON SEQUENCE {sequence} TO {sealer}"
        for function in self.calls:
            yield f"GRANT EXECUTE ON FUNCTION {function} TO {sealer}"


class SealerReads(_Statements):
    """Let the sealer's role enter the database, and read there what the auditor's role may read.

    This is for databases from before there was a sealer; since then, `Grant` gives rights to both.
    """

    def describe(self):
        return "Let the sealer's role read what the auditor's role reads"

    def statements(self, schema_editor):
        connection = schema_editor.connection
        quote = connection.ops.quote_name
        sealer = quote(settings.SEALER_ROLE)
        yield f"GRANT CONNECT ON DATABASE {quote(connection.settings_dict['NAME'])} TO {sealer}"
        yield f"GRANT USAGE ON SCHEMA public TO {sealer}"
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT relname::text, has_table_privilege(%s, c.oid, 'SELECT'),"
                " ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0"
                "  AND NOT attisdropped AND has_column_privilege(%s, c.oid, attnum, 'SELECT') ORDER BY attnum)"
                " FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1",
                [settings.AUDITOR_ROLE] * 2,
            )
            tables = cursor.fetchall()
        for table, whole, columns in tables:
            if columns:
                of_columns = "" if whole else f" ({', '.join(map(quote, columns))})"
                yield f"GRANT SELECT{of_columns} ON {quote(table)} TO {sealer}"


class Revoke(_Statements):
    """Take rights on a table, or on a sequence, from the app's role."""

    def __init__(self, rights, *, table="", sequence=""):
        self.rights, self.table, self.sequence = rights, table, sequence

    def describe(self):
        return f"Revoke {self.rights} on {self.table or self.sequence} from the app's role"

    def statements(self, schema_editor):
        role = schema_editor.connection.ops.quote_name(app_role())
        what = self.table or f"SEQUENCE {self.sequence}"
        return [f"REVOKE {self.rights} ON {what} FROM {role}"]
