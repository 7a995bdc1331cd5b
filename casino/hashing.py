"""Passwords are hashed by the current figures of OWASP, and only so many at once in the whole house.

Argon2id in 19 MiB with two passes and one lane is the minimum of OWASP's Password Storage Cheat Sheet. A hash of before
is made anew at its person's next login.

Each row of `casino_hashing` is one hashing that may run, and whoever holds the row's lock runs it, in any process. The
lock ends with its transaction: with the connection of a process that is killed, and after ten seconds with one that
stands still (`idle_in_transaction_session_timeout`). HASHINGS rows are used. Logins leave the first to signatures.
"""

import contextlib
import threading
import time
from contextvars import ContextVar

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection, transaction

from .errors import Refused

PATIENCE_SECONDS, PAUSE_SECONDS = 2, 0.02
"""How long a password waits for its turn, and how often it asks."""
RETRY_AFTER = 5
# Who waits holds a thread and a connection of the pool, of which commands need most.
_waiting = threading.BoundedSemaphore(4)
_first = ContextVar("first", default=1)


class Argon2(Argon2PasswordHasher):
    """Argon2id by OWASP's figures, in the house's turns.

    :raises Refused: `too_many_logins` (429) if no turn comes within PATIENCE_SECONDS.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password, salt):
        with _turn():
            return super().encode(password, salt)

    def verify(self, password, encoded):
        with _turn():
            return super().verify(password, encoded)


@contextlib.contextmanager
def behind_signatures():
    """What is hashed within is a login's: it leaves the house's first hashing to others."""
    before = _first.set(2)
    try:
        yield
    finally:
        _first.reset(before)


@contextlib.contextmanager
def _turn():
    with transaction.atomic():
        if not _locked():
            _wait()
        try:
            yield
        finally:
            # Nothing was written: no commit has to reach the disk.
            transaction.set_rollback(True)


def _wait():
    if not _waiting.acquire(blocking=False):
        raise too_many()
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while not _locked():
            if time.monotonic() > until:
                raise too_many()
            time.sleep(PAUSE_SECONDS)
    finally:
        _waiting.release()


def _locked():
    """Whether a row is ours until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number FROM casino_hashing WHERE number BETWEEN %s AND %s ORDER BY number"
            " LIMIT 1 FOR UPDATE SKIP LOCKED",
            [_first.get(), settings.HASHINGS],
        )
        return cursor.fetchone() is not None


def too_many():
    """The refusal of a login or a signature that finds too many others."""
    return Refused(
        "too_many_logins",
        "Too many people are logging in at this moment.",
        status=429,
        way_out=f"Wait {RETRY_AFTER} seconds and enter your password again.",
        detail={"retry_after": RETRY_AFTER},
    )
