"""The house that a run breaks: its own database, the product's worker and beat on it, and handles to break them."""

import contextlib
import os
import shutil
import signal
import time
from collections import Counter
from typing import NamedTuple

import psutil
import psycopg
import redis
from celery import Celery

from casino.running import embedded, stack
from casino.running.embedded import Failed
from casino.running.trial import TEMPLATE, django_on

# The name of the worker's connections, which sets them apart from the croupiers'.
SETTLING = "settling"
CHILDREN = 2
# How long to wait for anything; only the verdict that something never comes depends on it, however slow the machine.
PATIENCE_SECONDS = 900


class Settler(NamedTuple):
    """The programs that settle and close rounds; tests name broken ones, to check that they are caught."""

    app: str = "tables.lab.faults.control"
    croupier: str = "tables.lab.faults"
    environment: dict = {}  # noqa: RUF012 - never changed
    # SQL that the owner runs on the new database.
    schema: str = ""


class House:
    """A database of its own with worker and beat, and the handles by which they are broken."""

    def __init__(self, trial, name, settler=None):
        self.trial, self.name = trial, name
        self.settler = settler or Settler()
        self.log = trial.folder / name
        self.env = trial.environment(name) | {"PGAPPNAME": SETTLING} | self.settler.environment
        self.absent, self.ended = set(), Counter()
        self.worker = self._worker(self.log)
        self.beat = stack.beat(log=self.log, env=self.env, schedule=self.log / "beat-schedule")

    def _worker(self, log):
        return stack.worker(log=log, env=self.env, app=self.settler.app)

    def __enter__(self):
        shutil.rmtree(self.log, ignore_errors=True)
        self.log.mkdir()
        cluster = self.trial.cluster
        cluster.create_database(self.name, TEMPLATE)
        if self.settler.schema:
            with cluster.connect(embedded.OWNER, self.name) as connection:
                connection.execute(self.settler.schema)
        # A copy has the template's sequences, but not what was logged ahead of them: without a checkpoint a crash gives
        # out up to 32 numbers again.
        with self.connect() as connection:
            connection.execute("CHECKPOINT")
        self._django = django_on(self.env["DATABASE_URL"])
        self._django.__enter__()
        self.purge()
        for part in (self.worker, self.beat):
            part.start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self.signal_worker(signal.SIGCONT)
        for part in (self.beat, self.worker):
            part.stop()
        self._django.__exit__(None, None, None)
        if self.trial.cluster.alive:
            self.trial.cluster.drop_database(self.name)

    def connect(self):
        """As the superuser, in a transaction: to lock, and to see which processes wait."""
        return psycopg.connect(
            self.trial.cluster.url("postgres", self.name),
            autocommit=False,
            application_name="faults",
            connect_timeout=5,
        )

    def wait(self, condition, what, seconds=PATIENCE_SECONDS):
        """Wait until `condition` is true and return it; worker and beat are looked after meanwhile.

        :raises Failed: if it is not true within `seconds`.
        """
        deadline = time.monotonic() + seconds
        while not (value := condition()):
            self.supervise()
            if time.monotonic() > deadline:
                raise Failed(f"No end of {what} within {seconds} s.")
            time.sleep(0.01)
        return value

    def supervise(self):
        """Start again what ended by itself, as `manage.py up` and a production unit do."""
        for part in (self.worker, self.beat):
            if part not in self.absent and not part.alive:
                self.ended[part.name] += 1
                part.start()

    def due(self, *, failed=True):
        """How many rounds wait for settlement and are not held, including or without those that failed before."""
        return self._count("" if failed else "AND failures = 0")

    def settles(self):
        """Whether the worker has a round in its hands or none is left."""
        return self._count("AND leases > 0") or not self.due()

    def _count(self, which=""):
        with self.connect() as connection:
            query = f"SELECT count(*) FROM tables_round WHERE status = 'CLOSED' AND held_at IS NULL {which}"  # noqa: S608
            return connection.execute(query).fetchone()[0]

    def settle(self):
        """`manage.py settle`, to its end."""
        with open(self.log / "settle.log", "a", encoding="utf-8") as file:
            file.write(self.trial.manage("settle", env=self.env))

    def output(self):
        """The output of every process that settled."""
        return "".join(
            log.read_text("utf-8", "replace") for log in self.log.rglob("*") if log.suffix in {".log", ".old"}
        )

    # The worker

    def second_worker(self):
        """A second worker, not yet started."""
        folder = self.log / "second"
        folder.mkdir(exist_ok=True)
        return self._worker(folder)

    def kill_children(self):
        """SIGKILL to every child of the worker's pool; the worker makes new ones."""
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.worker.process.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()

    def kill_worker(self):
        """SIGKILL to the worker and all its children at once."""
        os.killpg(self.worker.process.pid, signal.SIGKILL)
        self.worker.process.wait()

    def signal_worker(self, number):
        os.killpg(self.worker.process.pid, number)

    # The database

    def kill_database(self, *, group):
        """SIGKILL to the postmaster, or to it and all its children."""
        postmaster = psutil.Process(self.trial.cluster.process.pid)
        victims = [postmaster, *(postmaster.children(recursive=True) if group else ())]
        for victim in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.kill()
        self.trial.cluster.process.wait()

    # The broker

    def bells(self):
        """How many doorbells lie in the queue."""
        return int(self._ask("LLEN", "settlement"))

    def ring(self):
        """Ring a doorbell for each of the worker's children, like croupiers who close rounds at the same moment."""
        sent = {"queue": stack.SETTLEMENT, "expires": 5, "retry": False}
        with Celery(broker=self.env["BROKER_URL"]) as app, app.connection_for_write() as connection:
            for _ in range(CHILDREN):
                with contextlib.suppress(*connection.connection_errors):
                    app.send_task("tables.tasks.settle_due", connection=connection, **sent)

    def purge(self):
        """Remove everything from the broker: the doorbells, and Celery's own record of who reads which queue."""
        self._ask("FLUSHALL")

    def take_bells(self):
        """Take every doorbell out of the queue, the oldest first."""
        taken = []
        while (message := self._ask("RPOP", "settlement")) is not None:
            taken.append(message)
        return taken

    def put_bell(self, message):
        self._ask("LPUSH", "settlement", message)

    def _ask(self, *command):
        with redis.Redis(unix_socket_path=str(self.trial.broker.socket), socket_timeout=5) as client:
            return client.execute_command(*command)
