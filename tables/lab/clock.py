"""A database whose clock is behind, for a house that is to have a past.

Its own guards keep each time that is written, so nobody can write a row of last week. They ask the database's clock,
and that one a superuser can set back: for sessions that say how far. What they write stands every guard.
"""

import contextlib
import datetime as dt

from django.db import connection

from casino.running.embedded import cluster as servers

SETTING = "lab.behind"
# By the name of the function: the server's own name for it, and whether two calls in a statement agree.
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
    """Within it the sessions of a database that have `lab.behind`, an interval, are so far behind; afterwards its clock
    is the server's again, as it was in each detail."""
    with cluster.connect(servers.SUPERUSER, database) as superuser:
        before = superuser.execute(_KEPT, [[*_CLOCKS]]).fetchall()
        superuser.execute("CREATE SCHEMA lab")
        superuser.execute("GRANT USAGE ON SCHEMA lab TO public")
        try:
            with superuser.transaction():
                for name, (source, kind) in _CLOCKS.items():
                    superuser.execute(f"CREATE FUNCTION lab.{name}() {_INTERNAL.format(kind=kind, source=source)}")
                    # Not strict, so that it is part of each plan: by its number the server would call its own.
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
    """The time of this process's connection: it goes on by itself, and forward to a moment that is named."""

    def __init__(self, at):
        self._set(at)

    def now(self):
        return dt.datetime.now(dt.UTC) - self._behind

    def to(self, at):
        """It is that moment, or later where it is already."""
        if at > self.now():
            self._set(at)

    def on(self, **interval):
        """So much later: `on(minutes=3)`."""
        self._set(self.now() + dt.timedelta(**interval))

    def _set(self, at):
        self._behind = dt.datetime.now(dt.UTC) - at
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT set_config('{SETTING}', %s, false)", [f"{self._behind.total_seconds()} seconds"])

    def right(self):
        """It is the server's time again."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT set_config('{SETTING}', '', false)")
