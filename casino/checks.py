"""System checks of settings and of the database: an unsafe installation does not start."""

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections

UNSAFE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@register()
def settings_are_set(app_configs, **kwargs):
    """A secret of our own, long enough to sign sessions with."""
    try:
        secret = settings.SECRET_KEY
    except ImproperlyConfigured:
        secret = ""
    if len(secret) < 32:
        return [Error("SECRET_KEY is missing or shorter than 32 characters.", id="casino.E001")]
    return []


@register(Tags.database)
def database_is_safe(app_configs, databases, **kwargs):
    """The app's role owns nothing and is no superuser, and what is committed stays committed.

    Runs with `check --database default`, which `manage.py up` and the production units call before they start.
    """
    if "default" not in (databases or ()):
        return []
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute(
                "SELECT current_user, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls,"
                " EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                "         WHERE n.nspname = 'public' AND pg_has_role(current_user, c.relowner, 'USAGE')),"
                " has_schema_privilege('public', 'CREATE')"
                " FROM pg_roles WHERE rolname = current_user"
            )
            role, powerful, owns, creates = cursor.fetchone()
            cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(UNSAFE)])
            found = dict(cursor.fetchall())
    except OperationalError as error:
        return [Error(f"The database can't be reached: {error}".strip(), id="casino.E002")]
    return list(_faults(role, powerful, owns, creates, found))


def _faults(role, powerful, owns, creates, found):
    if powerful:
        yield Error(f"The role {role} may more than the app needs.", hint="Connect as a plain role.", id="casino.E003")
    if owns or creates:
        yield Error(
            f"The role {role} owns or may create tables.",
            hint="DATABASE_URL names the app's role; the owner migrates through DATABASE_OWNER_URL.",
            id="casino.E004",
        )
    for name, value in UNSAFE.items():
        forgiven = settings.FSYNC_OFF_IS_FINE and name != "synchronous_commit"
        if found.get(name) == value and not forgiven:
            yield Error(f"PostgreSQL runs with {name} = {value}: settled money could be lost.", id="casino.E005")
