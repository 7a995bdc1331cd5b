"""The account that runs the servers, and folders that this account alone can reach."""

import contextlib
import fcntl
import hashlib
import os
import pwd
import re
from pathlib import Path
from typing import NamedTuple

# Where root keeps what the unprivileged account must reach when the wanted folder is closed to it.
STATE = Path("/var/lib")
# A unix socket's path has 108 bytes with its closing zero.
SOCKET_PATH_LIMIT = 107


class Failed(Exception):  # noqa: N818 - what the person at the screen reads: the fact, then the way out
    """The stack cannot run: the fact, then the way out."""


class Account(NamedTuple):
    """The account that runs the servers."""

    uid: int
    gid: int


def account(folder=None):
    """The unprivileged account for the servers when we are root, else None: they run as we do.

    With `folder`, the account that owns it already: an account `postgres` may have come after the data was made.
    """
    if os.geteuid() != 0:
        try:
            pwd.getpwuid(os.geteuid())
        except KeyError:
            raise Failed(
                f"The account {os.geteuid()} has no name in /etc/passwd and PostgreSQL needs one; take another."
            ) from None
        return None
    accounts = []
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            accounts.append(Account(entry.pw_uid, entry.pw_gid))
    if not accounts:
        raise Failed(
            "PostgreSQL refuses to run as root and there is no account postgres or nobody; start as another user."
        )
    owner = folder.stat().st_uid if folder is not None and folder.exists() else None
    return next((who for who in accounts if who.uid == owner), accounts[0])


def _allowed(path, who, wanted):
    """Whether `who` has the `wanted` bits (4 read, 1 enter) on this one path."""
    status = path.stat()
    shift = 6 if status.st_uid == who.uid else 3 if status.st_gid == who.gid else 0
    return status.st_mode >> shift & wanted == wanted


def open_to(path, who):
    """Whether the account can read this path."""
    return _allowed(path, who, 5) and all(_allowed(parent, who, 1) for parent in path.parents)


def _short_hash(text):
    return hashlib.sha256(str(text).encode()).hexdigest()[:12]


def reachable(folder):
    """The folder itself, or for root `/var/lib/casino-<hash>` when the servers' account cannot enter the wanted one.

    What is there already stays where it is, even if the way to the wanted folder was opened since.
    """
    folder = Path(folder).absolute()
    who = account(folder)
    if who is None:
        return folder
    elsewhere = STATE / f"casino-{_short_hash(folder)}"
    if elsewhere.exists():
        return elsewhere
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if all(_allowed(path, who, 1) for path in (existing, *existing.parents)):
        return folder
    return elsewhere


def private_folder(path, who):
    """Make a folder that the servers' account alone can enter; refuse one that somebody else laid there."""
    path.mkdir(parents=True, exist_ok=True)
    if who is not None and path.lstat().st_uid == os.geteuid():
        os.chown(path, who.uid, who.gid, follow_symlinks=False)
    if path.is_symlink() or path.lstat().st_uid != (os.geteuid() if who is None else who.uid):
        raise Failed(f"{path} is a link or belongs to another user; start as that user or choose another DATA_DIR.")
    path.chmod(0o700)
    return path


def socket_folder(wanted, socket_name, who):
    """The wanted folder, or one in /tmp when its path is too long for a socket or would need quoting in an address."""
    path = wanted / socket_name
    if len(os.fsencode(path)) > SOCKET_PATH_LIMIT or not re.fullmatch(r"[A-Za-z0-9._/-]+", str(path)):
        wanted = Path("/tmp") / f"casino-{_short_hash(wanted)}"  # noqa: S108 - checked by private_folder
        with contextlib.suppress(FileExistsError):
            wanted.mkdir(mode=0o700)
            if who is not None:
                os.chown(wanted, who.uid, who.gid)
        status = wanted.lstat()
        if status.st_uid not in ({os.geteuid()} if who is None else {0, who.uid}):
            raise Failed(f"{wanted} belongs to another user; remove it or choose another DATA_DIR.")
    return private_folder(wanted, who)


def write_private(path, text):
    """Put a file that we alone may read in place: on the disk and whole, or not at all."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)


def lock(folder):
    """Hold a folder for this process until the returned file is closed.

    :raises Failed: if another process holds it.
    """
    held = open(Path(folder) / "lock", "a")  # noqa: SIM115 - open for as long as the lock is held
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise Failed(
            f"{folder} is in use by another start of the stack; stop that one or set another DATA_DIR."
        ) from None
    return held
