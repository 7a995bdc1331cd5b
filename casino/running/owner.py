"""The database as its owner reaches it, for `backup` and `restore`: the app's role neither reads nor makes all of it.

`DATABASE_OWNER_URL` names it, as for `migrate`. Where neither that nor `DATABASE_URL` is set, it is the database that
`make up` keeps in DATA_DIR, whether that runs or not; Django's own connection is then pointed to it too.
"""

import contextlib
import os

import psycopg
from django.conf import settings
from django.db import DatabaseError, connection

from . import embedded, stack
from .embedded import Failed, folders
from .trial import django_on


@contextlib.contextmanager
def existing(steps):
    """The owner's address of the database that is there; that of `make up` is started if it does not run.

    :raises Failed: if there is none, or nobody said how the owner reaches it.
    """
    named = _named()
    if named:
        yield named
        return
    stack.forget_foreign_settings()
    cluster = embedded.Cluster(folders.reachable(settings.DATA_DIR) / "postgres")
    if not cluster.data.exists():
        raise Failed(f"There is no database in {settings.DATA_DIR}; name its DATA_DIR, or DATABASE_OWNER_URL.")
    with contextlib.ExitStack() as closing:
        try:
            closing.enter_context(folders.lock(settings.DATA_DIR))
        except Failed:
            running = True  # by `make up`
        else:
            running = False
        if not running:
            _start(cluster, steps, closing)
        closing.enter_context(django_on(cluster.url(embedded.APP, stack.DATABASE)))
        yield cluster.url(embedded.OWNER, stack.DATABASE)


@contextlib.contextmanager
def readable(steps):
    """Lead Django's connection to the database that is there; this needs no owner.

    :raises Failed: if there is none.
    """
    if "DATABASE_URL" in os.environ:
        yield
    else:
        with existing(steps):
            yield


@contextlib.contextmanager
def prepared(steps):
    """The owner's address of a database to restore into; in a new DATA_DIR it is made, as `make up` would.

    :raises Failed: if `make up` runs there, or nobody said how the owner reaches it.
    """
    named = _named()
    if named:
        _refuse_another(named)
        yield named
        return
    stack.forget_foreign_settings()
    home = folders.reachable(settings.DATA_DIR)
    for folder in (settings.DATA_DIR, home):
        stack.make_folder(folder)
    with contextlib.ExitStack() as closing:
        closing.enter_context(folders.lock(settings.DATA_DIR))
        cluster = embedded.Cluster(home / "postgres")
        _start(cluster, steps, closing)
        cluster.ensure_roles()
        if not cluster.has_database(stack.DATABASE):
            cluster.create_database(stack.DATABASE)
        sealer = cluster.url(embedded.SEALER, stack.DATABASE)
        closing.enter_context(django_on(cluster.url(embedded.APP, stack.DATABASE), sealer=sealer))
        yield cluster.url(embedded.OWNER, stack.DATABASE)


def _named():
    url = os.environ.get("DATABASE_OWNER_URL")
    if not url and "DATABASE_URL" in os.environ:
        raise Failed("This needs the database's owner: set DATABASE_OWNER_URL beside DATABASE_URL.")
    return url


def _start(cluster, steps, closing):
    steps.begin(cluster.name)
    cluster.start(steps.tick)
    closing.callback(cluster.stop)
    steps.done()


def _which(cursor):
    """The number of the cluster, and of the database in it."""
    cursor.execute(
        "SELECT system_identifier, oid FROM pg_control_system(), pg_database WHERE datname = current_database()"
    )
    return cursor.fetchone()


def _refuse_another(url):
    """:raises Failed: if the app's address leads to another database than the owner's."""
    try:
        with psycopg.connect(url, connect_timeout=5) as owner, connection.cursor() as app:
            same = _which(owner.cursor()) == _which(app)
    except (psycopg.Error, DatabaseError) as error:
        first = str(error).strip().partition("\n")[0]
        raise Failed(f"The database can't be reached: {first}") from None
    if not same:
        raise Failed("DATABASE_URL and DATABASE_OWNER_URL lead to two databases; name the same in both.")
