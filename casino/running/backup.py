"""The database as one file and back, by PostgreSQL's own `pg_dump` and `pg_restore`: for `backup` and `restore`.

A file is whole or not there, and its last line, which `pg_restore` does not read, has the SHA-256 of all before it: a
file that was cut or altered on its way is found before a database is touched. A database takes a file whole, in one
transaction, or stays as it was. Addresses reach the programs through their environment, which other users' `ps` does
not show.
"""

import contextlib
import fcntl
import hashlib
import os
import re
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
from .embedded import Failed, processes, programs

_LAST_LINE = "\ncasino backup, sha256 {}\n"
_VERSION = re.compile(r"^-- Dumped (from database|by pg_dump) version ([0-9]+)", re.MULTILINE)
_GRANTED = re.compile(r'^GRANT .+ TO ("(?:[^"]|"")+"|\w+)(?: WITH GRANT OPTION)?;$', re.MULTILINE)
_OWNED = re.compile(r'^ALTER TABLE .+ OWNER TO ("(?:[^"]|"")+"|\w+);$', re.MULTILINE)
_MIGRATION = re.compile(r"^[0-9]+\t(\w+)\t(\w+)\t", re.MULTILINE)
_SEALER_CAME = "audit.0003_sealer"
_OF_EVERY_BACKUP = {"audit", "payouts", "tables"}


class Contents(NamedTuple):
    """What a file says of itself: the majors of the server and of the `pg_dump` that made it, whose tables they are and
    who has rights to them."""

    server: int
    dumped_by: int
    owners: frozenset
    granted: frozenset
    lacking: tuple
    """Migrations of this program that the database had not yet seen."""


def dump(url, file, tick=lambda written: None):
    """Write the database, as it is at this moment, into a new file that we alone may read; gives its size in bytes.

    The house plays on meanwhile. `tick` is called with the bytes written.

    :raises Failed: if the file is there already, or `pg_dump` cannot; then there is no file.
    """
    file = Path(file).absolute()
    with _connected(url) as connection:
        program = programs.find_client("pg_dump", connection.info.server_version // 10000)
        if connection.execute("SELECT to_regclass('audit_entry')").fetchone() == (None,):
            raise Failed(f"The database {connection.info.dbname} has no log, so it is none of this program's.")
    part = file.with_name(f"{file.name}.part")
    with _held(part) as written:
        if os.path.lexists(file):
            raise Failed(f"{file} is there already; name a new file.")

        def look():
            tick(os.fstat(written.fileno()).st_size)

        # Not by its standard output: there it writes its contents a second time, at the end.
        how = ["--format=custom", f"--file={part}", f"--dbname={_address(url)}"]
        _run([program, *how], url=url, tick=look, failed="pg_dump could not read it all")
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
    """The unfinished file, ours alone: what a killed backup left is written over, what another one writes is not."""
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


def read(file):
    """What a backup says of itself, without a database.

    :raises Failed: if it is no backup of this program, not whole, one of a newer program, or of one too old.
    """
    _refuse_damaged(file)
    program = programs.find_client("pg_restore", None)
    said = f"{file} is no backup"
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


def _refuse_damaged(file):
    length = len(_LAST_LINE.format("0" * 64))
    with open(file, "rb") as opened:
        whole = opened.seek(0, os.SEEK_END) - length
        opened.seek(max(0, whole))
        last = opened.read().decode(errors="replace")
        opened.seek(0)
        digest, left = hashlib.sha256(), whole
        while left > 0 and (chunk := opened.read(min(left, 2**20))):
            digest.update(chunk)
            left -= len(chunk)
    if not re.fullmatch(_LAST_LINE.format("[0-9a-f]{64}"), last):
        raise Failed(f"{file} is no backup, or was cut: it does not end as `manage.py backup` ends each.")
    if last != _LAST_LINE.format(digest.hexdigest()):
        raise Failed(f"{file} was altered since it was written: its SHA-256 is another; take another copy.")


def _named(pattern, script):
    return frozenset(role.strip('"').replace('""', '"') for role in pattern.findall(script))


def _script(program, file, *options, failed):
    with tempfile.TemporaryFile() as out:
        _run([program, *options, "--file=-", file], out=out, failed=failed)
        out.seek(0)
        return out.read().decode(errors="replace")


def load(url, file, contents, tick=processes.nothing):
    """Fill an empty database with a backup, in one transaction, rights and triggers as they were.

    The roles have to be there, by the names that they had: rights and owner in the file name them.

    :raises Failed: if the database is not empty, lacks a role, is older than the backup's, or refuses any part of it;
        then nothing was changed.
    """
    with _connected(url) as connection:
        major = connection.info.server_version // 10000
        _refuse_unfit(connection, file, contents, major)
        program = programs.find_client("pg_restore", max(major, contents.dumped_by))
        how = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-tablespaces"]
        failed = f"{file} could not be restored and nothing was changed"
        _run([program, *how, f"--dbname={_address(url)}", file], url=url, tick=tick, failed=failed)
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


def _run(arguments, *, failed, url=None, out=subprocess.DEVNULL, tick=processes.nothing):
    """One of PostgreSQL's programs to its end; it ends with us, whatever ends us.

    :raises Failed: with its own first word on it, if it fails.
    """
    env = os.environ | {"LC_ALL": "C"} | (_in_environment(url) if url else {})
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(argument) for argument in arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=env,
            start_new_session=True,
            preexec_fn=processes.dies_with_us(signal.SIGTERM),  # noqa: PLW1509 - one system call, no Python lock
        )
        try:
            while process.poll() is None:
                tick()
                time.sleep(0.05)
        finally:
            processes.end(process, signal.SIGTERM, patience=5)
        if process.returncode:
            errors.seek(0)
            words = errors.read().decode(errors="replace")
            error = re.search(r"^pg_\w+: error: (.+)", words, re.MULTILINE)
            why = error[1] if error else processes.how_ended(process)
            raise Failed(f"{failed}: {why.strip().rstrip('.')}.")
