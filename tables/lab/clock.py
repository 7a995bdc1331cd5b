"""A database whose clock is behind, for a house that is to have a past.

The guards set each time that is written, so nobody can write a row of last week. They ask the database's clock, which a
superuser can set back, for sessions that say how far. What those write passes every guard.
"""

import contextlib
import datetime as dt

from django.db import connection

from casino.running.embedded import cluster as servers

SETTING = "lab.behind"
# By function name: the server's own name for it, and whether two calls in a statement agree.
_CLOCKS = {
    "now": ("now", "STABLE"),
    "transaction_timestamp": ("now", "STABLE"),
    "statement_timestamp": ("statement_timestamp", "STABLE"),
    "clock_timestamp": ("clock_timestamp", "VOLATILE"),
}
_INTERNAL = "RETURNS timestamptz LANGUAGE internal {kind} STRICT PARALLEL SAFE AS '{source}'"
_KEPT = """
    SELECT oid, proname, prolang, prosrc, provolatile, proparallel, proisstrict, procost, proowner, proacl::text
    FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY(%s) ORDER BY oid
"""


@contextlib.contextmanager
def adjustable(cluster, database):
    """A context manager: sessions that set `lab.behind`, an interval, run that far behind in this database; afterwards
    its clock is the server's again, exactly as it was."""
    with cluster.connect(servers.SUPERUSER, database) as superuser:
        before = superuser.execute(_KEPT, [[*_CLOCKS]]).fetchall()
        superuser.execute("CREATE SCHEMA lab")
        superuser.execute("GRANT USAGE ON SCHEMA lab TO public")
        try:
            with superuser.transaction():
                for name, (source, kind) in _CLOCKS.items():
                    superuser.execute(f"CREATE FUNCTION lab.{name}() {_INTERNAL.format(kind=kind, source=source)}")
                    # Not strict, so that it is inlined into each plan: by its number, the server would call its own
                    # function.
                    superuser.execute(
                        f"CREATE OR REPLACE FUNCTION pg_catalog.{name}() RETURNS timestamptz LANGUAGE sql {kind}"
                        f" PARALLEL SAFE RETURN lab.{name}() - coalesce(nullif(current_setting('{SETTING}', true), ''),"
                        " '0')::interval"
                    )
            yield
        finally:
            with superuser.transaction():
                for name, (source, kind) in _CLOCKS.items():
                    kept = _INTERNAL.format(kind=kind, source=source)
                    superuser.execute(f"CREATE OR REPLACE FUNCTION pg_catalog.{name}() {kept}")
                superuser.execute("DROP SCHEMA lab CASCADE")
        if superuser.execute(_KEPT, [[*_CLOCKS]]).fetchall() != before:
            raise RuntimeError("The database's clock is not as it was.")


class Clock:
    """The time of this process's connection: it goes on by itself, and can be set forward to a moment."""

    def __init__(self, at):
        self._set(at)

    def now(self):
        return dt.datetime.now(dt.UTC) - self._behind

    def to(self, at):
        """Set the time to a moment, unless it is later already."""
        if at > self.now():
            self._set(at)

    def on(self, **interval):
        """Set the time forward: `on(minutes=3)`."""
        self._set(self.now() + dt.timedelta(**interval))

    def _set(self, at):
        self._behind = dt.datetime.now(dt.UTC) - at
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT set_config('{SETTING}', %s, false)", [f"{self._behind.total_seconds()} seconds"])

    def right(self):
        """Return to the server's time."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT set_config('{SETTING}', '', false)")
