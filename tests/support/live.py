"""The real processes on a database of a test: web on a free port, worker, beat, and a broker of their own."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import time
import urllib.parse

from django.conf import settings
from django.db import transaction

from casino.running import embedded
from casino.running import stack as product
from tables.models import Round, SignOn
from tables.verbs import rulesheets, series

from . import factories, stack, waiting

# The tests are one process that holds no pool, and a browser's event loop is beside their queries.
OF_THE_TESTS = ("DATABASE_POOL", "DJANGO_ALLOW_ASYNC_UNSAFE")
# What the web says once it listens to a database again after one that it lost.
LISTENS_AGAIN = b"The database answers again."


def free_port():
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return trial.getsockname()[1]


class LiveStack:
    """`with LiveStack(database) as live:` runs web, worker and beat on it until the end of the block.

    `cluster` is the one in which the database is, if not the run's own; `settings` are environment variables that
    differ from a test's.
    """

    def __init__(self, database, cluster=None, **settings):
        self.database = database
        self.settings = settings
        self.cluster = cluster or stack.cluster()
        self.database_url = self.cluster.url(embedded.APP, database)
        self.folder = stack.folder() / database
        self.listener = product.listen("127.0.0.1", 0)
        self.port = self.listener.getsockname()[1]
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.broker = embedded.Broker(self.folder / "broker")
        self.anchor, self.exports = self.folder / "anchor", self.folder / "exports"
        self.seeded_in = stack.seed_folder()
        self._rested_at = None

    @property
    def logins(self):
        """login -> password of the demo's people."""
        people = json.loads((self.seeded_in / "demo-logins.json").read_text())
        return {person["login"]: person["password"] for person in people}

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o711)
        stack.collect()
        inherited = {name: value for name, value in os.environ.items() if name not in OF_THE_TESTS}
        env = inherited | {"DATABASE_URL": self.database_url, "DEBUG": "0", "HEARTBEAT_SECONDS": "1"}
        env |= {"SEALER_DATABASE_URL": self.cluster.url(embedded.SEALER, self.database)}
        env |= {"LOG_KEYS": str(self.seeded_in / "keys")}
        env |= {"ANCHOR_FILE": str(self.anchor), "EXPORTS": str(self.exports)}
        env |= {"REPORTS": str(self.folder / "reports")}
        env |= self.reached_by() | self.settings
        self.web = product.web(listener=self.listener, log=self.folder, env=env)
        # One worker for all queues, which starts sooner than several; edges take minutes, so a test that wants one
        # computes it.
        queues = tuple(queue for queue in product.QUEUES if queue != product.EDGE)
        self.worker = product.worker(log=self.folder, env=env, queues=queues)
        self.beat = product.beat(log=self.folder, env=env, schedule=self.folder / "beat-schedule")
        try:
            for part in (self.broker, self.web, self.worker, self.beat):
                part.start()
            self._wait_for_web()
        except BaseException:
            self.__exit__()
            raise
        return self

    def reached_by(self):
        """More environment variables: where the processes find what they talk to."""
        return {"BROKER_URL": self.broker.url()}

    def __exit__(self, *_):
        if self.beat.alive:
            self.beat.process.send_signal(signal.SIGCONT)
        for part in (self.beat, self.web, self.worker, self.broker):
            part.stop()
        self.listener.close()

    def _wait_for_web(self):
        waiting.until(lambda: product.web_answers("127.0.0.1", self.port) or not self.web.alive)
        if not self.web.alive:
            raise RuntimeError(f"The web did not start:\n{self.web.log.read_text()}")

    def rest(self):
        """A database as new, and nothing more to do until `wake`: without beat the processes cost next to nothing.

        Outside of the database, the sealer holds the anchor and the writer of exports their folder, each under a lock.
        While we hold both locks, nothing of the old house can get into the new one.
        """
        self._freeze_beat()
        self.exports.mkdir(mode=0o700, exist_ok=True)
        with (
            open(self.exports / ".lock", "w") as exports,
            contextlib.closing(self.cluster.connect(database=self.database)) as sealing,
        ):
            fcntl.flock(exports, fcntl.LOCK_EX)
            sealing.execute("BEGIN; SELECT FROM audit_sealing FOR UPDATE")
            self.anchor.unlink(missing_ok=True)
            for export in self.exports.glob("export-*"):
                shutil.rmtree(export)
            self._rested_at = self.web.log.stat().st_size
            stack.renew(self.database, stack.SEEDED)

    def _freeze_beat(self):
        """Freeze beat until `wake`, so that nothing rings, but never during its login, which would keep PostgreSQL from
        dropping any database for as long as a login may take."""
        if not self.beat.alive:
            return
        with contextlib.closing(self.cluster.connect()) as server:

            def frozen():
                self.beat.process.send_signal(signal.SIGSTOP)
                time.sleep(0.05)  # for a connection that is made but not yet taken
                if server.execute("SELECT FROM pg_stat_activity WHERE state = 'starting'").fetchone() is None:
                    return True
                self.beat.process.send_signal(signal.SIGCONT)
                return False

            waiting.until(frozen)

    def wake(self):
        """Go on after a rest, and start what a test has stopped."""
        if self._rested_at is None:
            return
        # Until then the web would use connections to the database that has gone.
        waiting.until(lambda: LISTENS_AGAIN in self.web.log.read_bytes()[self._rested_at :])
        self._wait_for_web()
        for part in (self.worker, self.beat):
            if not part.alive:
                part.start()
        self.beat.process.send_signal(signal.SIGCONT)

    def keep_running(self):
        """Start what has ended by itself, as `make up` and systemd do: kombu 5.7 may end Celery's worker if it loses
        the broker while it has a message in hand."""
        for part in (self.worker, self.beat):
            if part.process is not None and not part.alive:
                part.start()

    def kill_web(self):
        self.web.process.kill()
        self.web.process.wait()

    def start_web(self):
        self.web.start()

    def start_worker(self):
        self.worker.start()

    def stop_worker(self):
        self.worker.stop()

    def in_process(self):
        """For the length of a block the product's own code in this process works on the stack's database."""
        return stack.django_on(self.database)

    def session(self, login):
        """The cookie of somebody who is logged in, in a session of its own."""
        with self.in_process():
            cookie = factories.client(login).cookies[settings.SESSION_COOKIE_NAME]
        return {"name": cookie.key, "value": cookie.value, "url": self.base_url}

    def clear(self, login):
        """The table where somebody is signed on; void a round that another test left open there."""
        with self.in_process():
            table = SignOn.objects.select_related("table").get(staff__login=login, signed_off_at=None).table
            for left in Round.objects.filter(table=table, status=Round.Status.OPEN):
                factories.void(left, clause="house.4", reason="Left open")
        return table

    def lay_out(self, login, game, values):
        """The table of the house games where somebody is signed on, with a sheet of its own and no running series."""
        table = self.clear(login)
        with self.in_process():
            sheet = factories.published_sheet(game, values)
            with transaction.atomic():
                rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=factories.actor("karl", "frank"))
                if series.running(table):
                    series.end(table_id=table.pk, actor=factories.actor(login, "karl"))
        return table

    def deal(self, login, moves):
        """Open a round where somebody is signed on, and let these moves (kind, box, arguments) happen."""
        table = self.clear(login)
        with self.in_process():
            factories.act_all(factories.open_round(table), moves)

    def url(self, path):
        return urllib.parse.urljoin(self.base_url, path)
