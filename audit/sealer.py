"""The database as the log's worker has it: its role alone writes the tree, and the web does not know its password."""

import contextlib

from django.db import DEFAULT_DB_ALIAS, connections

ALIAS = "sealer"


class NoSealerError(Exception):
    """There is no address by which the sealer's role reaches the database; the message says what to do."""


@contextlib.contextmanager
def connected():
    """A context manager or decorator within which this thread reaches the database as the sealer's role.

    :raises NoSealerError: if this process has no address for it.
    """
    before = connections[DEFAULT_DB_ALIAS]
    if before.alias == ALIAS:
        yield
        return
    if ALIAS not in connections.settings:
        raise NoSealerError(
            "The log is sealed by a role of its own, and this process has no address for it: set SEALER_DATABASE_URL."
        )
    if before.in_atomic_block:
        raise RuntimeError("The sealer seals in transactions of its own, and sees nothing of one that is not over.")
    connections[DEFAULT_DB_ALIAS] = connections[ALIAS]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before
