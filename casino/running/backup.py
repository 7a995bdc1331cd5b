"""The database as one file and back, by PostgreSQL's own `pg_dump` and `pg_restore`: for `backup` and `restore`.

A file is whole or not there, and its last line, which `pg_restore` does not read, has the SHA-256 of all before it: a
file that was cut or altered on its way is found before a database is touched. A database takes a file whole, in one
transaction, or stays as it was. Addresses reach the programs through their environment, which other users' `ps` does
not show.

With recipients (BACKUP_RECIPIENTS) the same bytes are encrypted on their way, and nothing of them touches a disk in the
clear. To be restored, such a file is decrypted whole into a file without a name, which is gone when we are.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import psycopg
from django.conf import settings
from django.db.migrations.loader import MigrationLoader
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from .. import earlier
from ..database import app_role
from . import encryption
from .embedded import Failed, processes, programs

_LAST_LINE = "\ncasino backup, sha256 {}\n"
_VERSION = re.compile(r"^-- Dumped (from database|by pg_dump) version ([0-9]+)", re.MULTILINE)
_GRANTED = re.compile(r'^GRANT .+ TO ("(?:[^"]|"")+"|\w+)(?: WITH GRANT OPTION)?;$', re.MULTILINE)
_OWNED = re.compile(r'^ALTER TABLE .+ OWNER TO ("(?:[^"]|"")+"|\w+);$', re.MULTILINE)
_MIGRATION = re.compile(r"^[0-9]+\t(\w+)\t(\w+)\t", re.MULTILINE)
_SEALER_CAME = "audit.0003_sealer"
_OF_EVERY_BACKUP = {"audit", "payouts", "tables"}


class Contents(NamedTuple):
    """What a file says of itself: the major versions of the server and of the `pg_dump` that made it, whose tables they
    are and who has rights to them."""

    server: int
    dumped_by: int
    owners: frozenset
    granted: frozenset
    lacking: tuple
    """Migrations of this program that the database had not yet seen."""


class Source(NamedTuple):
    """A backup: what it is called, and where it lies in the clear."""

    name: Path
    path: Path
    fds: tuple[int, ...] = ()

    def __str__(self):
        return str(self.name)


class _WithLastLine:
    """A program's output, and our last line after it."""

    def __init__(self, output, look):
        self.output, self.look = output, look
        self.digest, self.last = hashlib.sha256(), None

    def read(self, size=-1):
        if self.last is None:
            while not select.select([self.output], [], [], 0.05)[0]:
                self.look()
            self.look()
            read = os.read(self.output.fileno(), size if size > 0 else 2**20)
            if read:
                self.digest.update(read)
                return read
            self.last = _LAST_LINE.format(self.digest.hexdigest()).encode()
        size = len(self.last) if size < 0 else size
        read, self.last = self.last[:size], self.last[size:]
        return read


def dump(url, file, tick=lambda written: None, *, recipients=()):
    """Write the database, as it is at this moment, into a new file that we alone may read; return its size in bytes.

    The house plays on meanwhile. `tick` is called with the bytes written.

    :param recipients: from `encryption.recipients`; they alone can read the file. Without any, everybody can.

    :raises Failed: if the file is there already, or `pg_dump` fails; then nothing is written.
    """
    file = Path(file).absolute()
    with _connected(url) as connection:
        program = programs.find_client("pg_dump", connection.info.server_version // 10000)
        if connection.execute("SELECT to_regclass('audit_entry')").fetchone() == (None,):
            raise Failed(f"The database {connection.info.dbname} has no log, so it does not belong to this program.")
    part = file.with_name(f"{file.name}.part")
    with _held(part) as written:
        if os.path.lexists(file):
            raise Failed(f"{file} is there already; name a new file.")

        def look():
            tick(os.fstat(written.fileno()).st_size)

        how, failed = [program, "--format=custom", f"--dbname={_address(url)}"], "pg_dump could not read it all"
        if recipients:
            with _running(how, url=url, out=subprocess.PIPE, failed=failed) as process:
                encryption.encrypt(_WithLastLine(process.stdout, look), written, recipients)
        else:
            # Not by its standard output: into a file it writes its contents a second time, at the end.
            _run([*how, f"--file={part}"], url=url, tick=look, failed=failed)
            written.seek(0)
            digest = hashlib.file_digest(written, "sha256").hexdigest()
            written.seek(0, os.SEEK_END)
            written.write(_LAST_LINE.format(digest).encode())
        written.flush()
        os.fsync(written.fileno())
        size = os.fstat(written.fileno()).st_size
        part.rename(file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return size


@contextlib.contextmanager
def _held(part):
    """The unfinished file, ours alone: what a killed backup left is overwritten, what another one is writing is not."""
    with open(os.open(part, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "r+b") as written:
        try:
            fcntl.flock(written, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failed(f"Another backup is writing {part}; name another file.") from None
        try:
            os.fchmod(written.fileno(), 0o600)
            os.ftruncate(written.fileno(), 0)
            yield written
        except BaseException:
            part.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def opened(file, identity=None):
    """A backup to `load`, and what it says of itself; an encrypted one is decrypted whole, by the identities in a file.

    :raises Failed: if it is encrypted and can't be decrypted; or as `read`.
    """
    if not encryption.is_encrypted(file):
        yield Source(file, file), read(file)
        return
    if identity is None:
        raise Failed(f"{file} is encrypted; name the file with the identity of a recipient: --identity FILE.")
    by = encryption.identities(identity)
    with tempfile.TemporaryFile() as clear:
        encryption.decrypt(file, clear, by)
        clear.flush()
        source = Source(file, Path(f"/proc/self/fd/{clear.fileno()}"), (clear.fileno(),))
        yield source, read(source)


def read(file):
    """What a backup says of itself, without a database.

    :param file: its path, or what `opened` gives.
    :raises Failed: if it is not a backup of this program, not whole, or of a program that is newer or too old.
    """
    file = _source(file)
    _refuse_damaged(file)
    program = programs.find_client("pg_restore", None)
    said = f"{file} is not a backup"
    rows = _script(program, file, "--data-only", "--table=django_migrations", failed=said)
    migrations = set(_MIGRATION.findall(rows))
    if not {app for app, _ in migrations} >= _OF_EVERY_BACKUP:
        raise Failed(f"{file} is a backup of another program.")
    ours = set(MigrationLoader(None).graph.nodes)
    try:
        if earlier.is_of(migrations):
            migrations -= earlier.MIGRATIONS
    except earlier.UnfinishedError as error:
        raise Failed(f"{file}: {error}") from None
    if migrations - ours:
        raise Failed(
            f"{file} is of a newer program, with the migration {'.'.join(min(migrations - ours))};"
            " restore it with that program."
        )
    schema = _script(program, file, "--schema-only", failed=said)
    versions = dict(_VERSION.findall(rows))
    return Contents(
        server=int(versions["from database"]),
        dumped_by=int(versions["by pg_dump"]),
        owners=_named(_OWNED, schema),
        granted=_named(_GRANTED, schema) - {"PUBLIC"},
        lacking=tuple(sorted(".".join(migration) for migration in ours - migrations)),
    )


def _source(file):
    return file if isinstance(file, Source) else Source(file, file)


def _refuse_damaged(file):
    length = len(_LAST_LINE.format("0" * 64))
    with open(file.path, "rb") as lying:
        whole = lying.seek(0, os.SEEK_END) - length
        lying.seek(max(0, whole))
        last = lying.read().decode(errors="replace")
        lying.seek(0)
        digest, left = hashlib.sha256(), whole
        while left > 0 and (chunk := lying.read(min(left, 2**20))):
            digest.update(chunk)
            left -= len(chunk)
    if not re.fullmatch(_LAST_LINE.format("[0-9a-f]{64}"), last):
        raise Failed(f"{file} is not a backup, or was cut short: it lacks the end that `manage.py backup` writes.")
    if last != _LAST_LINE.format(digest.hexdigest()):
        raise Failed(f"{file} was altered since it was written: its SHA-256 differs; take another copy.")


def _named(pattern, script):
    return frozenset(role.strip('"').replace('""', '"') for role in pattern.findall(script))


def _script(program, file, *options, failed):
    with tempfile.TemporaryFile() as out:
        _run([program, *options, "--file=-", file.path], out=out, failed=failed, fds=file.fds)
        out.seek(0)
        return out.read().decode(errors="replace")


def load(url, file, contents, tick=processes.nothing):
    """Fill an empty database with a backup, in one transaction, rights and triggers as they were.

    The roles must exist under the names that they had: the file names them for rights and owner.

    :raises Failed: if the database is not empty, lacks a role, is older than the backup's, or refuses any part of it;
        then nothing was changed.
    """
    file = _source(file)
    with _connected(url) as connection:
        major = connection.info.server_version // 10000
        _refuse_unfit(connection, file, contents, major)
        program = programs.find_client("pg_restore", max(major, contents.dumped_by))
        how = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-tablespaces"]
        failed = f"{file} could not be restored and nothing was changed"
        _run([program, *how, f"--dbname={_address(url)}", file.path], url=url, tick=tick, failed=failed, fds=file.fds)
        # The planner knows nothing of new tables; autovacuum would come a minute later.
        connection.execute("ANALYZE")


def _refuse_unfit(connection, file, contents, major):
    name = connection.info.dbname
    filled = connection.execute(
        "SELECT count(*) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
        " WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' AND NOT EXISTS"
        " (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')"
    ).fetchone()[0]
    if filled:
        raise Failed(
            f"The database {name} is not empty, and a restore takes nothing away; name an empty one, or with `make up`"
            " another DATA_DIR."
        )
    if contents.server > major:
        raise Failed(
            f"{file} is of PostgreSQL {contents.server} and this server is {major}; restore it into"
            f" {contents.server} or newer."
        )
    roles = [
        ("DATABASE_OWNER_URL", connection.info.user, contents.owners),
        ("DATABASE_URL", app_role(), contents.granted),
        ("AUDITOR_ROLE", settings.AUDITOR_ROLE, contents.granted),
    ]
    if _SEALER_CAME not in contents.lacking:
        roles.append(("SEALER_ROLE", settings.SEALER_ROLE, contents.granted))
    for setting, role, named in roles:
        if role not in named:
            raise Failed(
                f"{setting} names the role {role}, and {file} knows {', '.join(sorted(named))}; name the roles as they"
                " were."
            )
    there = {role for (role,) in connection.execute("SELECT rolname FROM pg_roles")}
    missing = sorted((contents.owners | contents.granted) - there)
    if missing:
        raise Failed(f"{file} gives rights to the role {missing[0]}, which is not here; make it first.")


def _first_line(error):
    return str(error).strip().partition("\n")[0]


@contextlib.contextmanager
def _connected(url):
    """:raises Failed: if the database can't be reached or refuses what is asked."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            yield connection
    except psycopg.Error as error:
        raise Failed(f"The database can't be used as its owner: {_first_line(error)}") from None


def _in_environment(url):
    """The address as the variables that libpq reads; what it has no variable for is left to `_address`."""
    variables = {option.keyword.decode(): option.envvar for option in psycopg.pq.Conninfo.get_defaults()}
    parts = conninfo_to_dict(url)
    return {variables[name].decode(): str(value) for name, value in parts.items() if variables[name]}


def _address(url):
    """What may stand on a command line: the database's name and what libpq has no variable for.

    :raises Failed: if that is a secret.
    """
    parts = conninfo_to_dict(url)
    left = {}
    for option in psycopg.pq.Conninfo.get_defaults():
        name = option.keyword.decode()
        if name not in parts or option.envvar:
            continue
        if option.dispchar:
            raise Failed(f"{name} in DATABASE_OWNER_URL would stand in everybody's process list; do without it.")
        left[name] = parts[name]
    return make_conninfo(dbname=parts["dbname"], **left)


def _run(arguments, *, failed, url=None, out=subprocess.DEVNULL, tick=processes.nothing, fds=()):
    """One of PostgreSQL's programs to its end; see `_running`."""
    with _running(arguments, failed=failed, url=url, out=out, fds=fds) as process:
        while process.poll() is None:
            tick()
            time.sleep(0.05)


@contextlib.contextmanager
def _running(arguments, *, failed, url=None, out=subprocess.DEVNULL, fds=()):
    """One of PostgreSQL's programs; it ends with us, whatever ends us, and before the block is left.

    :raises Failed: with the program's own first words, if it fails.
    """
    env = os.environ | {"LC_ALL": "C"} | (_in_environment(url) if url else {})
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(argument) for argument in arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=env,
            pass_fds=fds,
            start_new_session=True,
            preexec_fn=processes.dies_with_us(signal.SIGTERM),  # noqa: PLW1509 - one system call, no Python lock
        )
        try:
            yield process
            process.wait()
        finally:
            processes.end(process, signal.SIGTERM, patience=5)
            if process.stdout:
                process.stdout.close()
        if process.returncode:
            errors.seek(0)
            words = errors.read().decode(errors="replace")
            error = re.search(r"^pg_\w+: error: (.+)", words, re.MULTILINE)
            why = error[1] if error else processes.how_ended(process)
            raise Failed(f"{failed}: {why.strip().rstrip('.')}.")
