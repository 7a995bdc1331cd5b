"""System checks of settings and of the database: an unsafe installation does not start.

`check --database default` shows them, as does every process that serves: web, worker, beat and `settle` call `start`
first and end with a sentence if anything is wrong.
"""

import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import NamedTuple

from django.conf import settings
from django.core.checks import Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader

from . import earlier

UNSAFE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
OLDEST_SERVER = 16
MOST_HASHINGS = 64
OUT_OF_REACH = "casino.E002"
AGAIN_SECONDS = 0.5
# The log's tree: whoever can write it decides what was sealed.
TREE = ("audit_anchor", "audit_checkpoint", "audit_leaf", "audit_sealing", "audit_subtree")


@register()
def settings_are_safe(app_configs, **kwargs):
    """The settings are safe: a secret of our own, hosts by name, and no debug pages where HTTPS serves the world."""
    try:
        secret = settings.SECRET_KEY
    except ImproperlyConfigured:
        secret = ""
    errors = [*_of_secret("SECRET_KEY", secret)]
    for number, fallback in enumerate(settings.SECRET_KEY_FALLBACKS, 1):
        errors += _of_secret(f"Key {number} of SECRET_KEY_FALLBACKS", fallback)
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", settings.INSTALLATION):
        errors.append(Error("INSTALLATION is not 1 to 40 letters, digits, - or _.", id="casino.E012"))
    if settings.DEBUG and settings.HTTPS:
        errors.append(
            Error("DEBUG is on together with HTTPS.", hint="Its pages show settings and data.", id="casino.E006")
        )
    if "*" in settings.ALLOWED_HOSTS:
        errors.append(Error("ALLOWED_HOSTS is *: any host name is answered.", hint="Name the hosts.", id="casino.E007"))
    if not 2 <= settings.HASHINGS <= MOST_HASHINGS:
        errors.append(Error(f"HASHINGS is {settings.HASHINGS}, not 2 to {MOST_HASHINGS}.", id="casino.E012"))
    return errors


def _of_secret(name, secret):
    if len(secret) < 32:
        yield Error(f"{name} is missing or shorter than 32 characters.", id="casino.E001")
    elif len(set(secret)) < 8:
        yield Error(f"{name} has fewer than 8 different characters.", id="casino.E001")


@register()
def languages_are_compiled(app_configs, **kwargs):
    """Each language's files are compiled: without them its pages are in English."""
    return [
        Warning(
            f"The language {language} is not compiled.", hint="Run `manage.py catalogue --compile`.", id="casino.W001"
        )
        for (language, _), folder in product(settings.LANGUAGES, settings.LOCALE_PATHS)
        if language != settings.LANGUAGE_CODE and not (folder / language / "LC_MESSAGES" / "django.mo").exists()
    ]


@register(Tags.database)
def database_is_safe(app_configs, databases, **kwargs):
    """The app's role is a plain one, what is committed stays committed, the guards are on and every migration is in."""
    if "default" not in (databases or ()):
        return []
    connection = _direct()
    try:
        return [*faults(_look(connection)), *_unapplied(connection)]
    except DatabaseError as error:
        return [Error(f"The database can't be reached: {error}".strip(), id=OUT_OF_REACH)]
    finally:
        connection.close()


def start():
    """Let this process go on only if nothing is wrong; wait for a database that is out of reach.

    The wait (`DATABASE_WAIT`) also keeps a supervisor from giving up on a process that ends too often too fast. The
    checks run in a thread of their own, since uvicorn imports the application in a running event loop.

    :raises SystemExit: with what is wrong, a line each.
    """
    with ThreadPoolExecutor(1) as thread:
        wrong = thread.submit(_wait).result()
    if wrong:
        sys.exit("\n".join(f"Refused to start: {error.msg} {error.hint or ''}".rstrip() for error in wrong))


def _wait():
    deadline = time.monotonic() + settings.DATABASE_WAIT
    while True:
        wrong = [*settings_are_safe(None), *database_is_safe(None, ["default"])]
        if [error.id for error in wrong] != [OUT_OF_REACH] or time.monotonic() >= deadline:
            return wrong
        time.sleep(AGAIN_SECONDS)


def _direct():
    """A connection of its own, never out of the pool, which a forked worker must not inherit."""
    connection = connections["default"].copy()
    connection.settings_dict["OPTIONS"].pop("pool", None)
    return connection


class Database(NamedTuple):
    """What the database says of itself and of the role that asks."""

    role: str
    powerful: bool
    owns: bool
    creates: bool
    oversteps: list
    seals: list
    unguarded: list
    given: list
    version: int
    encoding: str
    settings: dict


_ASKED = """
SELECT current_user,
    (SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
     FROM pg_roles WHERE rolname = current_user)
    OR EXISTS (SELECT FROM pg_roles WHERE rolname LIKE 'pg\\_%%' AND rolname <> 'pg_database_owner'
               AND pg_has_role(oid, 'MEMBER')),
    EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND pg_has_role(relowner, 'MEMBER')),
    has_schema_privilege('public', 'CREATE') OR has_database_privilege(current_database(), 'CREATE, TEMP'),
    ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
          AND has_table_privilege(oid, 'TRUNCATE, TRIGGER, REFERENCES') ORDER BY relname),
    ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
          AND relname = ANY (%s) AND has_table_privilege(oid, 'INSERT, UPDATE, DELETE') ORDER BY relname),
    ARRAY(SELECT tgname || ' of ' || relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
          WHERE relnamespace = 'public'::regnamespace AND (tgenabled = 'D' OR NOT tgisinternal AND tgenabled <> 'A')
          ORDER BY relname, tgname),
    ARRAY(SELECT setting FROM pg_db_role_setting, unnest(setconfig) setting
          WHERE setrole IN (0, current_user::regrole)
          AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))),
    current_setting('server_version_num')::int / 10000,
    current_setting('server_encoding')
"""


def _look(connection):
    with connection.cursor() as cursor:
        cursor.execute(_ASKED, [list(TREE)])
        row = cursor.fetchone()
        names = [*UNSAFE, "default_transaction_isolation", "transaction_read_only"]
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [names])
        return Database(*row, dict(cursor.fetchall()))


def faults(database):
    """What is wrong with the database, as errors."""
    if database.version < OLDEST_SERVER:
        yield Error(f"PostgreSQL {database.version} is too old: {OLDEST_SERVER} or newer.", id="casino.E008")
    if database.encoding != "UTF8":
        yield Error(f"The database's encoding is {database.encoding}, not UTF8.", id="casino.E008")
    if database.powerful:
        yield Error(
            f"The role {database.role} may do more than the app needs.",
            hint="Connect as a plain role.",
            id="casino.E003",
        )
    if database.owns or database.creates:
        yield Error(
            f"The role {database.role} owns or may create tables.",
            hint="DATABASE_URL names the app's role; the owner migrates through DATABASE_OWNER_URL.",
            id="casino.E004",
        )
    elif database.oversteps:
        yield Error(
            f"The role {database.role} may TRUNCATE, TRIGGER or REFERENCES on {_some(database.oversteps)}.",
            hint="It has what the migrations granted; revoke the rest.",
            id="casino.E004",
        )
    elif database.role != settings.SEALER_ROLE and database.seals:
        yield Error(
            f"The role {database.role} may write {_some(database.seals)}, which is for {settings.SEALER_ROLE} alone.",
            hint="It has what the migrations granted; revoke the rest.",
            id="casino.E012",
        )
    for name, value in UNSAFE.items():
        forgiven = settings.FSYNC_OFF_IS_FINE and name != "synchronous_commit"
        given = [setting for setting in database.given if setting.split("=")[0] == name]
        if database.settings[name] == value and not forgiven:
            yield Error(f"PostgreSQL runs with {name} = {value}: settled money could be lost.", id="casino.E005")
        elif set(given) & {f"{name}={off}" for off in ("off", "false", "no", "0")}:
            yield Error(
                f"Somebody has set {given[0]} for {database.role} or its database.",
                hint="Find out who, then ALTER ROLE ... RESET it.",
                id="casino.E005",
            )
    if database.settings["default_transaction_isolation"] != "read committed":
        yield Error(
            f"Transactions are {database.settings['default_transaction_isolation']}, not read committed.",
            id="casino.E010",
        )
    if database.settings["transaction_read_only"] == "on":
        yield Error("The database takes no writes: it is a standby, or set to read only.", id="casino.E010")
    if database.unguarded:
        yield Error(
            f"Triggers that guard the data are off: {_some(database.unguarded)}.",
            hint="The owner runs ALTER TABLE ... ENABLE ALWAYS TRIGGER, and finds out what was changed meanwhile.",
            id="casino.E009",
        )


def _unapplied(connection):
    loader = MigrationLoader(connection)
    try:
        earlier.is_of(loader.applied_migrations)
    except earlier.UnfinishedError as error:
        yield Error(str(error), id="casino.E011")
        return
    missing = sorted(f"{app}.{name}" for app, name in set(loader.graph.nodes) - set(loader.applied_migrations))
    if missing:
        yield Error(
            f"The database lacks migrations: {_some(missing)}.", hint="Run migrate as the owner.", id="casino.E011"
        )


def _some(names):
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
