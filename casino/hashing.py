"""Passwords are hashed by the current figures of OWASP, and only so many at once in the whole house.

Argon2id in 19 MiB with two passes and one lane is the minimum of OWASP's Password Storage Cheat Sheet. An older hash is
made anew at its person's next login.

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
from .phrases import phrase
from .wording import read

PATIENCE_SECONDS, PAUSE_SECONDS = 2, 0.02
"""How long a password waits for its turn, and how often it asks."""
RETRY_AFTER = 5
_TOO_MANY = phrase("hashing.too_many", "Too many people are logging in at this moment.")
_WAIT = phrase("hashing.wait", "Wait {seconds} seconds and enter your password again.")
# Whoever waits holds a thread and a connection of the pool, most of which commands need.
_waiting = threading.BoundedSemaphore(4)
_first = ContextVar("first", default=1)


class Argon2(Argon2PasswordHasher):
    """Argon2id by OWASP's figures, with a limit on how many run at once in the house.

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
    """Mark what is hashed within as a login's: it leaves the house's first hashing to signatures."""
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
    """Try to lock a row until the end of the transaction; whether it is ours."""
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
        read(_TOO_MANY),
        status=429,
        way_out=read(_WAIT.format(seconds=RETRY_AFTER)),
        detail={"retry_after": RETRY_AFTER},
    )
