"""A stack of one's own in a temporary folder: what benchmarks and fault runs start, use and break."""

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

from django.db import connections
from psycopg.conninfo import conninfo_to_dict

from . import embedded, stack
from .embedded import Failed

TEMPLATE = "casino_template"
COMMAND_SECONDS = 600
ROUND = (
    ("ante", 1, {"units": 1000}),
    ("ante", 2, {"units": 500}),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "2s"}),
    ("bet", 1, {}),
    ("fold", 2, {}),
    ("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}),
    ("small_hand", None, {"cards": ["Kd", "4c"]}),
    ("show", 1, {"cards": ["3s", "4s", "5s", "6s", "8s"], "extra": ["Ah", "Ad"]}),
)
"""All that is entered in a round of Split Poker: box 1 wins with a flush, box 2 folds."""


def new_folder():
    """A temporary folder that the servers' account can pass through."""
    folder = tempfile.TemporaryDirectory(prefix="casino-", ignore_cleanup_errors=True)
    Path(folder.name).chmod(0o711)
    return folder


class Trial:
    """Cluster and broker in a folder, with a template of the demo that databases are copied from.

    :raises Failed: if a part does not start.
    """

    def __init__(self, folder):
        self.folder = Path(folder).absolute()
        self.cluster = embedded.Cluster(self.folder / "postgres")
        self.broker = embedded.Broker(self.folder / "broker")
        self.secret_key = secrets.token_urlsafe(50)

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            self.cluster.start()
            self.cluster.ensure_roles()
            self.broker.start()
            if not self.cluster.has_database(TEMPLATE):
                self._make_template()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for part in (self.broker, self.cluster):
            part.stop()

    def _make_template(self):
        self.cluster.create_database(TEMPLATE)
        env = self.environment(TEMPLATE)
        as_owner = env | {"DATABASE_OWNER_URL": self.cluster.url(embedded.OWNER, TEMPLATE)}
        try:
            self.manage("migrate", "--database", "owner", "--no-input", "-v0", env=as_owner)
            self.manage("seed_demo", env=env)
        except BaseException:
            self.cluster.drop_database(TEMPLATE)
            raise

    def environment(self, database):
        """The environment of children; never the owner's address, nor what is meant for another installation."""
        foreign = ("DATABASE_", "SEALER_", *stack.FOREIGN_SETTINGS)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return inherited | {
            "DJANGO_SETTINGS_MODULE": "casino.settings",
            "DATABASE_URL": self.cluster.url(embedded.APP, database),
            "SEALER_DATABASE_URL": self.cluster.url(embedded.SEALER, database),
            "BROKER_URL": self.broker.url(),
            "SECRET_KEY": self.secret_key,
            "DATA_DIR": str(self.folder),
            # Its people log in with their passwords and nothing else.
            "SECOND_STEP": "0",
        }

    def manage(self, *arguments, env):
        """Run a management command to its end; return what it said.

        :raises Failed: with what it said, if it fails.
        """
        done = subprocess.run(
            [sys.executable, stack.BASE_DIR / "manage.py", *arguments],
            env=env,
            cwd=stack.BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        if done.returncode:
            raise Failed(f"{arguments[0]} failed:\n{done.stdout[-4000:]}")
        return done.stdout


@contextlib.contextmanager
def django_on(url, *, sealer=None):
    """Point this process's Django to a database; `sealer` is the address by which its sealer reaches the same."""
    addresses = {"default": url} | ({"sealer": sealer} if sealer else {})
    known = connections.settings
    for alias in addresses:
        known.setdefault(alias, dict(known["default"]))
    before = {alias: dict(known[alias]) for alias in addresses}
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    for alias, address in addresses.items():
        connections[alias].close()
        parts = conninfo_to_dict(address)
        known[alias] |= {key: str(parts[part]) for key, part in names.items()}
    try:
        yield
    finally:
        for alias in addresses:
            connections[alias].close()
            known[alias] |= before[alias]
