"""A database out of reach: known at once when it refuses, and within seconds when it accepts and says nothing.

A refused connection is an error by itself. A database that hangs, or whose network swallows everything, would let each
query wait for ever, and a limit on queries can't distinguish it from a long report. So each web process asks it every
half second on one connection (`tables/terminal/live.py`); while no answer comes there, no query of the process goes on
waiting.
"""

import threading

import psycopg
from django.db import InterfaceError, OperationalError

# Set while the database accepts queries and answers nobody.
silent = threading.Event()

RETRY_AFTER = 2
# SQLSTATE: connection exceptions, insufficient resources, operator intervention; None: not from the server at all.
_OUT_OF_REACH = {None, "08", "53", "57"}


class Connection(psycopg.Connection):
    """A connection that gives a query up while the database is silent. Whether it took effect is then unknown."""

    def wait(self, gen, *args, **kwargs):
        return super().wait(self._unless_silent(gen), *args, **kwargs)

    def _unless_silent(self, gen):
        """Run the steps of the protocol, and look each time psycopg has waited a tenth of a second in vain."""
        ready = None
        try:
            while True:
                ready = yield gen.send(ready)
                if not ready and silent.is_set():
                    self.close()
                    raise psycopg.OperationalError("The database takes queries and answers nobody.")
        except StopIteration as end:
            return end.value


def out_of_reach(error):
    """Whether an error of Django's says that the database could not be asked, or its answer was lost."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return (state and state[:2]) in _OUT_OF_REACH
