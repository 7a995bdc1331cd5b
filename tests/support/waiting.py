"""Waiting for what must come, however slow or loaded the machine is.

No test measures the machine: it waits for the event, and shows by the order of events what did not need to wait. So
there is one limit for all waits. It is no promise: it only ends a run in which something never comes.
"""

import contextlib
import inspect
import time

PATIENCE = 300
"""Seconds."""


def until(condition, *, ask=0.02):
    """Wait until `condition` is true and return it; it is called every `ask` seconds.

    :raises AssertionError: if it never is, with the condition and what it gave last.
    """
    deadline = time.monotonic() + PATIENCE
    while not (given := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"It did not come true in {PATIENCE} s, at last {given!r}:\n{_written(condition)}")
        time.sleep(ask)
    return given


def behind(connection):
    """How many sessions wait for what a connection to PostgreSQL holds, including those behind each other.

    Others of the cluster, which may belong to another test, are not counted.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND)
        return cursor.fetchone()[0]


_BEHIND = """
WITH RECURSIVE behind AS (
    SELECT pg_backend_pid() AS pid
    UNION
    SELECT waits.pid FROM pg_locks waits JOIN behind ON behind.pid = ANY (pg_blocking_pids(waits.pid))
    WHERE NOT waits.granted
) SELECT count(*) - 1 FROM behind
"""


def _written(condition):
    with contextlib.suppress(OSError, TypeError):
        return inspect.getsource(condition).strip()
    return repr(condition)
