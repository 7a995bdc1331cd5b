"""An unsafe installation does not start: each process says in a sentence what is wrong, and ends."""

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import override_settings

from casino import checks, settings
from casino.running import embedded
from casino.running import stack as product
from casino.running.embedded.cluster import SUPERUSER

from ..support import stack, waiting

NOT_WAITING = "&options=-c%20synchronous_commit%3Doff"
SERIALIZABLE = "&options=-c%20default_transaction_isolation%3Dserializable%20-c%20default_transaction_read_only%3Don"
NOWHERE = "postgresql://casino_app@/casino?host=/nowhere"
OWNS = "The role casino_owner owns or may create tables."
SAFE = checks.Database(
    "casino_app",
    powerful=False,
    owns=False,
    creates=False,
    oversteps=[],
    seals=[],
    unguarded=[],
    given=[],
    version=16,
    encoding="UTF8",
    settings=dict.fromkeys(checks.UNSAFE, "on")
    | {"default_transaction_isolation": "read committed", "transaction_read_only": "off"},
)


@pytest.fixture(scope="module")
def broken(django_test_environment):
    """A database in which a migration is forgotten and a guard is off; gives its name."""
    with stack.clone(stack.TEMPLATE) as database:
        with stack.cluster().connect(embedded.OWNER, database) as owner:
            owner.execute("DELETE FROM django_migrations WHERE (app, name) = ('tables', '0002_guards')")
            owner.execute("ALTER TABLE audit_entry ENABLE TRIGGER append_only")
            owner.execute("GRANT TRUNCATE ON payouts_transfer TO casino_app")
        yield database


def run(arguments, **environment):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=stack.BASE_DIR,
        env=os.environ | {"DATABASE_WAIT": "0"} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=waiting.PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def ended(broken, tmp_path_factory):
    """What each process said and how it ended, where it may not start: name to (exit status, stdout, stderr)."""
    folder, cluster = tmp_path_factory.mktemp("refused"), stack.cluster()
    listener = product.listen("127.0.0.1", 0)
    parts = {
        "web": product.web(listener=listener, log=folder, env={}),
        "worker": product.worker(log=folder, env={}),
        "beat": product.beat(log=folder, env={}, schedule=folder / "beat"),
    }
    arguments = {name: part.arguments for name, part in parts.items()} | {
        "wsgi": ["-c", "import casino.wsgi"],
        "settle": ["manage.py", "settle"],
        "check": ["manage.py", "check", "--database", "default"],
        "nowhere": ["-c", "import casino.asgi"],
    }
    owner = {"DATABASE_URL": cluster.url(embedded.OWNER, broken)}
    app = {"DATABASE_URL": cluster.url(embedded.APP, broken)}
    environments = {
        "web": owner | {"DEBUG": "1", "HTTPS": "1", "ALLOWED_HOSTS": "*"},
        "worker": app | {"FSYNC_OFF_IS_FINE": "0"},
        "beat": {"DATABASE_URL": app["DATABASE_URL"] + NOT_WAITING, "SECRET_KEY": "s" * 31},
        "wsgi": owner,
        "settle": app,
        "check": {"DATABASE_URL": cluster.url(SUPERUSER, broken)},
        "nowhere": {"DATABASE_URL": NOWHERE, "DATABASE_WAIT": "1"},
    }
    with ThreadPoolExecutor(2) as pool:
        jobs = {name: pool.submit(run, arguments[name], **environments[name]) for name in arguments}
        found = {name: job.result() for name, job in jobs.items()}
    listener.close()
    return found


@pytest.mark.parametrize(
    ("process", "says"),
    [
        ("web", [OWNS, "DEBUG is on together with HTTPS.", "ALLOWED_HOSTS is *"]),
        (
            "worker",
            [
                "PostgreSQL runs with fsync = off: settled money could be lost.",
                "PostgreSQL runs with full_page_writes = off: settled money could be lost.",
                "The database lacks migrations: tables.0002_guards",
            ],
        ),
        (
            "beat",
            [
                "PostgreSQL runs with synchronous_commit = off: settled money could be lost.",
                "SECRET_KEY is missing or shorter than 32 characters.",
            ],
        ),
        ("wsgi", [OWNS]),
        (
            "settle",
            [
                "Triggers that guard the data are off: append_only of audit_entry.",
                "The role casino_app may TRUNCATE, TRIGGER or REFERENCES on payouts_transfer.",
            ],
        ),
        ("nowhere", ['socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory']),
    ],
)
def test_a_process_refuses_to_start_with_a_sentence(ended, process, says):
    status, _out, err = ended[process]
    assert status == 1
    # Celery's beat puts its log's time before what goes to stderr.
    told = [line.partition("Refused to start: ")[2] for line in err.splitlines()]
    for sentence in says:
        assert [line for line in told if sentence in line], repr((sentence, told, err))
    assert "Traceback" not in err


def test_what_refuses_says_the_way_out(ended):
    assert "DATABASE_URL names the app's role; the owner migrates through DATABASE_OWNER_URL." in ended["wsgi"][2]
    assert "Run migrate as the owner." in ended["worker"][2]


def test_the_command_shows_the_same(ended):
    status, _, err = ended["check"]
    assert status == 1
    assert "(casino.E003) The role postgres may do more than the app needs." in err
    assert "(casino.E011) The database lacks migrations: tables.0002_guards" in err


@contextlib.contextmanager
def connected(database, address="", role=embedded.APP):
    """A connection as the product's settings make one of an address."""
    connection = checks._direct()
    told = settings._database(stack.cluster().url(role, database) + address)
    connection.settings_dict |= {name: told[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    try:
        yield connection
    finally:
        connection.close()


def codes(*where, **who):
    """The codes of what is wrong with a database for a role, as a process finds them."""
    with connected(*where, **who) as connection:
        return [error.id for error in checks.faults(checks._look(connection))]


def test_the_app_s_role_on_the_tests_cluster_passes(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        assert checks.settings_are_safe(None) == []
        assert checks.database_is_safe(None, ["default"]) == []
        checks.start()


def test_only_the_database_that_is_asked_for_is_looked_at(django_db_setup):
    assert checks.database_is_safe(None, ["owner"]) == checks.database_is_safe(None, None) == []


def test_each_fault_of_a_database_is_found(broken, django_db_blocker):
    with django_db_blocker.unblock():
        assert codes(broken) == ["casino.E004", "casino.E009"]
        assert codes(broken, role=embedded.OWNER) == ["casino.E004", "casino.E009"]
        assert codes(broken, role=SUPERUSER) == ["casino.E003", "casino.E004", "casino.E009"]
        assert codes(broken, NOT_WAITING) == ["casino.E004", "casino.E005", "casino.E009"]
        assert codes(broken, SERIALIZABLE) == ["casino.E004", "casino.E010", "casino.E010", "casino.E009"]


def test_what_a_role_gives_itself_does_not_slacken_commits_and_is_told(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), stack.clone(stack.TEMPLATE) as database:
        with stack.cluster().connect(embedded.APP, database) as app:
            app.execute(f"ALTER ROLE casino_app IN DATABASE {database} SET synchronous_commit = off")
        assert codes(database) == ["casino.E005"]
        with stack.cluster().connect(embedded.APP, database) as app:
            assert app.execute("SHOW synchronous_commit").fetchone() == ("off",)
        with connected(database) as connection, connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("on",)


@pytest.mark.parametrize("role", [embedded.APP, embedded.SEALER])
@pytest.mark.parametrize("right", ["CREATE ON SCHEMA public", "TEMP ON DATABASE {database}"])
def test_a_role_that_may_create_is_refused(django_db_setup, django_db_blocker, right, role):
    with django_db_blocker.unblock(), stack.cluster().connect(SUPERUSER, django_db_setup) as superuser:
        superuser.execute(f"GRANT {right} TO {role}".format(database=django_db_setup))
        try:
            assert codes(django_db_setup, role=role) == ["casino.E004"]
        finally:
            superuser.execute(f"REVOKE {right} FROM {role}".format(database=django_db_setup))


@pytest.mark.parametrize("table", checks.TREE)
@pytest.mark.parametrize("right", ["INSERT", "UPDATE", "DELETE"])
def test_a_role_that_may_write_the_tree_is_refused_unless_it_is_the_sealer_s(
    django_db_setup, django_db_blocker, table, right
):
    with django_db_blocker.unblock(), stack.cluster().connect(embedded.OWNER, django_db_setup) as owner:
        assert codes(django_db_setup) == codes(django_db_setup, role=embedded.SEALER) == []
        owner.execute(f"GRANT {right} ON {table} TO casino_app")
        try:
            assert codes(django_db_setup) == ["casino.E012"]
        finally:
            owner.execute(f"REVOKE {right} ON {table} FROM casino_app")


def test_a_database_of_another_encoding_is_refused(django_db_blocker):
    with stack.cluster().connect() as superuser, django_db_blocker.unblock():
        superuser.execute("CREATE DATABASE casino_ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        try:
            assert "casino.E008" in codes("casino_ascii", role=SUPERUSER)
        finally:
            superuser.execute("DROP DATABASE casino_ascii WITH (FORCE)")


@pytest.mark.parametrize(
    ("changed", "code", "says"),
    [
        ({}, None, ""),
        ({"version": 15}, "casino.E008", "PostgreSQL 15 is too old: 16 or newer."),
        ({"given": ["work_mem=64MB"]}, None, ""),
    ],
)
def test_what_no_server_here_is(changed, code, says):
    found = list(checks.faults(SAFE._replace(**changed)))
    assert [(error.id, error.msg) for error in found] == ([(code, says)] if code else [])


@pytest.mark.parametrize(
    ("unsafe", "codes"),
    [
        ({"SECRET_KEY": "abc" * 20}, ["casino.E001"]),
        ({"SECRET_KEY_FALLBACKS": ["abcdefgh" * 4, "short"]}, ["casino.E001"]),
        ({"SECRET_KEY_FALLBACKS": ["abcdefgh" * 4]}, []),
        ({"INSTALLATION": "a b"}, ["casino.E012"]),
        ({"DEBUG": True, "HTTPS": True}, ["casino.E006"]),
        ({"DEBUG": True, "HTTPS": False}, []),
        ({"ALLOWED_HOSTS": ["casino.example", "*"]}, ["casino.E007"]),
        ({"ALLOWED_HOSTS": [".casino.example"]}, []),
    ],
)
def test_unsafe_settings_are_refused(unsafe, codes):
    with override_settings(**unsafe):
        assert [error.id for error in checks.settings_are_safe(None)] == codes
