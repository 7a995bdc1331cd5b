"""The log's keys, in files outside the database: a person who has only the database can't sign.

The folder LOG_KEYS holds `signing.key`, `next.key` while a key is being changed, and `public`: every key that ever
signed, one a line, for auditors to take home.
"""

import os
import stat
from pathlib import Path

from django.conf import settings

from casino.models import Casino

from . import notes

SIGNING, NEXT, PUBLIC = "signing.key", "next.key", "public"


class NoKeyError(Exception):
    """There is no key to sign with, or it lies open; the message says what to do."""


def origin():
    """The log's name in every checkpoint and key: this casino's."""
    return f"casino/{Casino.objects.get().code}"


def folder():
    return Path(settings.LOG_KEYS)


def signing():
    """The keys that a checkpoint is signed with: one, or two while a key is being changed.

    :raises NoKeyError: if there is none, if others may read it, or if it belongs to another log.
    """
    keys = [_read(SIGNING)]
    if (folder() / NEXT).exists():
        keys.append(_read(NEXT))
    for key in keys:
        if key.name != origin():
            raise NoKeyError(f"The key in {folder()} is of {key.name}, this log is {origin()}; name another LOG_KEYS.")
    return keys


def public():
    """Every key that ever signed, the oldest first; none if there is no file.

    :raises NoKeyError: if the file has anything else.
    """
    path = folder() / PUBLIC
    try:
        return [notes.read_public(line) for line in path.read_text("utf-8").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise NoKeyError(f"{path} can't be read: {error}") from error


def make():
    """Make the first key, unless there is one; return the public key and whether it was made now.

    Both files appear whole or not at all.
    """
    path = folder() / SIGNING
    if path.exists():
        return _read(SIGNING).public, False
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    key = notes.SigningKey.make(origin())
    _publish(key)
    _write(path, key.secret())
    return key.public, True


def begin_change():
    """Make the next key, unless a change is under way: from now on both sign. Return both public keys."""
    path = folder() / NEXT
    old = _read(SIGNING)
    if not path.exists():
        key = notes.SigningKey.make(origin())
        _publish(key)
        _write(path, key.secret())
    return old.public, _read(NEXT).public


def end_change():
    """Make the next key the signing key; the old one is gone and can no longer be stolen."""
    os.replace(folder() / NEXT, folder() / SIGNING)


def _publish(key):
    lines = [str(each) for each in public()]
    if str(key.public) not in lines:
        _write(folder() / PUBLIC, "\n".join([*lines, str(key.public)]))


def _write(path, text):
    """Write a private file as a whole or not at all, durable even if the machine stops now."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _read(name):
    path = folder() / name
    try:
        with path.open(encoding="utf-8") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise NoKeyError(f"Others may read {path}; chmod 600 it, and change the key if somebody did.")
            return notes.SigningKey.read(file.read(1000).removesuffix("\n"))
    except FileNotFoundError:
        raise NoKeyError(
            f"There is no key in {folder()} to sign the log with; `manage.py keys make` makes it."
        ) from None
    except (OSError, ValueError) as error:
        raise NoKeyError(f"{path} can't be read: {error}") from error
