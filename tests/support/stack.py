"""One cluster and one broker for a test run, started before Django reads its settings.

A plugin by `-p tests.support.stack`.

The controller starts them and puts their addresses into the environment, which xdist's workers inherit. Each worker
clones its databases from templates that are made on first need: `casino_template` (migrated), `casino_seeded` (with the
demo), `casino_settled` (with the demo and a settled round) and `casino_nights` (with the demo and two closed gaming
days).
"""

import contextlib
import datetime as dt
import fcntl
import functools
import itertools
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from casino.running import embedded

from . import waiting

BASE_DIR = Path(__file__).resolve().parents[2]
TEMPLATE, SEEDED, SETTLED, NIGHTS = "casino_template", "casino_seeded", "casino_settled", "casino_nights"
FOLDER = "CASINO_TEST_FOLDER"
ROOM = 3 * 2**30
_numbers = itertools.count(1)
_started = contextlib.ExitStack()


def folder():
    """Where this run keeps everything; short, for unix sockets."""
    return Path(os.environ[FOLDER])


def cluster():
    """The run's cluster: in workers a handle to make databases and addresses with."""
    return embedded.Cluster(folder() / "postgres", durable=False)


def worker_number():
    """0 without xdist, else 1 and up."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw-1")[2:]) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Start the servers; pytest-django reads the settings in this same hook, after us."""
    options = early_config.known_args_namespace
    if options.help or options.version or options.collectonly:
        os.environ.setdefault("SECRET_KEY", "only to collect tests")
        return
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _start()
    # Redis keeps 16 databases: each worker's doorbells ring in its own.
    broker = embedded.Broker(folder() / "broker")
    os.environ |= {
        "DATABASE_URL": cluster().url(embedded.APP, "casino"),
        "SEALER_DATABASE_URL": cluster().url(embedded.SEALER, "casino"),
        "BROKER_URL": broker.url(worker_number() % 16),
    }


def _start():
    os.environ.pop("DATABASE_OWNER_URL", None)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit cleans up as Ctrl-C does
    # A shell that runs the suite in the background makes it ignore Ctrl-C, and whatever the tests start would inherit
    # that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    made = Path(tempfile.mkdtemp(prefix="casino-", dir=_memory()))
    made.chmod(0o711)  # the servers' account passes through
    (made / "static").mkdir()
    _started.callback(shutil.rmtree, made, ignore_errors=True)
    os.environ |= {
        FOLDER: str(made),
        "DATA_DIR": str(made),
        "FSYNC_OFF_IS_FINE": "1",
        "SECRET_KEY": secrets.token_urlsafe(40),
        # A pool would keep connections to a database that the next test drops.
        "DATABASE_POOL": "0",
    }
    for server in (cluster(), embedded.Broker(made / "broker")):
        server.start()
        _started.callback(server.stop)
    cluster().ensure_roles()


def _memory():
    """A folder in memory with room for the run, if there is one: some 600 databases are made and dropped."""
    with contextlib.suppress(OSError):
        if shutil.disk_usage("/dev/shm").free > ROOM and os.access("/dev/shm", os.W_OK | os.X_OK):
            return "/dev/shm"
    return None


@contextlib.contextmanager
def servers():
    """The same servers, for processes that are not a test run but start some."""
    _start()
    with _started.pop_all():  # a run that is forked from there stops nothing
        yield


@pytest.hookimpl(trylast=True)
def pytest_unconfigure():
    """Stop everything, after Ctrl-C too. Workers hold nothing."""
    _started.close()


def manage(*arguments, **env):
    """Run a management command in a child, as the app's role unless `env` says otherwise.

    :raises RuntimeError: with all that the command said.
    """
    done = subprocess.run(
        [sys.executable, BASE_DIR / "manage.py", *arguments],
        env=os.environ | env,
        cwd=BASE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=waiting.PATIENCE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}")
    return done.stdout


def urls(database):
    """The environment that a child needs for a database, as its owner."""
    return {
        "DATABASE_URL": cluster().url(embedded.APP, database),
        "SEALER_DATABASE_URL": cluster().url(embedded.SEALER, database),
        "DATABASE_OWNER_URL": cluster().url(embedded.OWNER, database),
    }


def seed_folder():
    """The DATA_DIR in which the demo of `casino_seeded` was made: its logins lie there."""
    return folder() / "seed"


@functools.cache
def collect():
    """Collect what pages load, once in a run as `make up` does, for all stacks."""
    with open(folder() / "static.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder() / "static" / "staticfiles.json").exists():
            manage("collectstatic", "--no-input", "--verbosity=0")
            manage("catalogue", "--compile")


def _migrate(name):
    cluster().create_database(name)
    manage("migrate", "--no-input", "-v0", **urls(name))


def _seed(name):
    _copy(name, template(TEMPLATE))
    seed_folder().mkdir(exist_ok=True)
    # No day turns while tests run: days start at the hour farthest from now, by the demo's wall clock.
    farthest = dt.datetime.now(ZoneInfo("Europe/Berlin")) + dt.timedelta(hours=12)
    for command in (["seed_demo", f"--day-starts-at={farthest:%H:00}"], ["keys", "make"]):
        manage(*command, DATABASE_URL=cluster().url(embedded.APP, name), DATA_DIR=str(seed_folder()))


def _settle(name):
    from . import factories

    _copy(name, template(SEEDED))
    with django_on(name):
        factories.settled_round(factories.table("T1"))


def _close_days(name):
    from . import closed_days

    _copy(name, template(SEEDED))
    with django_on(name):
        closed_days.furnished()


_makers = {TEMPLATE: _migrate, SEEDED: _seed, SETTLED: _settle, NIGHTS: _close_days}


@functools.cache
def template(name):
    """Make a template on first need; whichever worker comes first makes it, the others wait."""
    with open(folder() / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not cluster().has_database(name):
            try:
                _makers[name](name)
                with cluster().connect() as connection:
                    # Nobody may connect to a template: a clone waits for every other session to leave.
                    connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            except BaseException:
                cluster().drop_database(name)
                raise
    return name


@functools.cache
def _server():
    """The worker's connection to make and drop databases with: some 600 tests have a database of their own."""
    return cluster().connect()


def _copy(name, original):
    # Copying files takes half as long as writing every page to a log that nobody needs.
    _server().execute(f"CREATE DATABASE {name} OWNER {embedded.OWNER} TEMPLATE {original} STRATEGY FILE_COPY")
    _server().execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
    _server().execute(f"GRANT CONNECT ON DATABASE {name} TO {embedded.APP}, {embedded.SEALER}, {embedded.AUDITOR}")


@contextlib.contextmanager
def clone(name):
    """A new database from a template, dropped at the end; yield its name."""
    database = f"casino_{worker_number()}_{os.getpid()}_{next(_numbers)}"
    _copy(database, template(name))
    try:
        yield database
    finally:
        _drop(database)


def renew(database, name):
    """Make the database as if it were cloned just now; whoever is connected to it is thrown out."""
    _drop(database)
    _copy(database, template(name))


def _drop(database):
    _server().execute(f"DROP DATABASE {database} WITH (FORCE)")


@contextlib.contextmanager
def django_on(database):
    """Point Django's connections in every thread, and the children's addresses, to a database."""
    from django.db import connections

    known = {alias: connections.settings[alias] for alias in ("default", "sealer")}
    before = known["default"]["NAME"], {name: os.environ[name] for name in ("DATABASE_URL", "SEALER_DATABASE_URL")}

    def point_to(name, urls):
        for alias, settings in known.items():
            connections[alias].close()
            settings["NAME"] = name
        os.environ.update(urls)

    urls_there = {name: url for name, url in urls(database).items() if name in before[1]}
    point_to(database, urls_there)
    try:
        yield
    finally:
        point_to(*before)
