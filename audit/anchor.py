"""Checkpoints outside: appended to a file that somebody else owns, so that nobody here can take one back.

The file is notes, each followed by an empty line, their sizes ascending. It is opened for appending alone; its owner
lets the product's account write to it and, where the file system knows it, marks it append-only (`chattr +a`).
"""

import os
import re
import time
from pathlib import Path

from django.conf import settings

from . import notes

# Longer than any note: so the newest is read without what lies before it.
TAIL_BYTES = 8192
_SIZE = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


class AnchorError(Exception):
    """The file can't be read or written as it should; the message says what to do."""


def path():
    return Path(settings.ANCHOR_FILE)


def newest():
    """The newest checkpoint in the file; None if the file is empty or missing.

    :raises AnchorError: if the file can't be read, or does not end with a whole checkpoint.
    """
    tail = _tail()
    if not tail:
        return None
    *_, text, signatures, end = ["", "", *tail.split("\n\n")]
    try:
        if end:
            raise notes.BadNoteError("It ends in the midst of one.")
        return notes.read(f"{text}\n\n{signatures}\n")
    except notes.BadNoteError as error:
        raise AnchorError(
            f"The anchor {path()} does not end with a checkpoint; let its keeper look. {error}"
        ) from error


def sizes():
    """The sizes of the newest checkpoints in the file, ascending: as many as are read at once.

    :raises AnchorError: if the file can't be read.
    """
    texts = [text.split("\n") for text in _tail().split("\n\n")[-3::-2]]
    return sorted(int(lines[1]) for lines in texts if len(lines) == 3 and _SIZE.fullmatch(lines[1]))


def is_due():
    """Whether ANCHOR_SECONDS have passed since something was appended; also if the file's time lies far ahead."""
    try:
        return abs(time.time() - path().stat().st_mtime) >= settings.ANCHOR_SECONDS
    except OSError:
        return True


def _tail():
    """The file's last bytes as text; empty if there is no file."""
    try:
        with path().open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise AnchorError(f"The anchor {path()} can't be read: {error.strerror or error}.") from error


def append(note, *, begin):
    """Add a checkpoint and wait until it is on the disk. `begin` makes the file, which must exist otherwise.

    :raises AnchorError: if it can't be written.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        if begin and not path().exists():
            path().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags |= os.O_CREAT
        with open(os.open(path(), flags, 0o600), "ab", buffering=0) as file:
            left = f"{note}\n".encode()
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
    except FileNotFoundError:
        raise AnchorError(
            f"The anchor {path()} is gone; bring it back, or name a new ANCHOR_FILE and begin it with"
            " `manage.py seal --begin-anchor`."
        ) from None
    except OSError as error:
        raise AnchorError(f"The anchor {path()} can't be written: {error.strerror or error}.") from error
