"""The embedded stack: database, broker, web, worker and beat, started in order, watched and stopped in order.

Start it from the main thread of a process without threads: see `embedded.processes`.
"""

import http.client
import os
import secrets
import signal
import socket
import sys
import time
from pathlib import Path

from dotenv import dotenv_values

from . import embedded
from .embedded import Failed, folders, processes

BASE_DIR = Path(__file__).resolve().parent.parent
DATABASE = "casino"
BACKOFF = (0.5, 1, 2, 4, 8)
# A child that ran this long starts again with the shortest pause.
STEADY_SECONDS = 60


class Child:
    """One of our own processes; its output goes to a log file."""

    def __init__(self, name, arguments, *, log, env, signals=(signal.SIGTERM,), patience=5):
        self.name, self.arguments, self.log, self.env = name, arguments, Path(log), env
        self.signals, self.patience = signals, patience
        self.process = None

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def start(self, tick=processes.nothing):
        self.stop()  # what a crash left of its session
        self.process = processes.spawn(
            [sys.executable, *self.arguments], log=self.log, env=self.env, cwd=BASE_DIR, death=self.signals[0]
        )

    def stop(self):
        if self.process is not None:
            processes.end(self.process, *self.signals, patience=self.patience)
            self.process = None


def web(*, host, port, log, env):
    options = ["--host", host, "--port", str(port), "--no-server-header", "--lifespan", "off", "--ws", "none"]
    # Whether a proxy is believed is said by HTTPS alone.
    options += ["--no-proxy-headers", "--http", "casino.connections:Connection", "--limit-concurrency", "2000"]
    return Child(
        "web",
        ["-m", "uvicorn", "casino.asgi:application", *options, "--timeout-graceful-shutdown", "3"],
        log=log / "web.log",
        env=env,
    )


def worker(*, log, env):
    options = ["-Q", "settlement", "--concurrency", "2", "--without-gossip", "--without-mingle"]
    # SIGTERM lets a running settlement finish, SIGQUIT does not: its message and its lease come back.
    return Child(
        "worker",
        ["-m", "celery", "-A", "casino.celery", "worker", *options],
        log=log / "worker.log",
        env=env,
        signals=(signal.SIGTERM, signal.SIGQUIT),
    )


def beat(*, log, env, schedule):
    return Child(
        "beat",
        ["-m", "celery", "-A", "casino.celery", "beat", "-s", str(schedule), "--pidfile="],
        log=log / "beat.log",
        env=env,
    )


def _inside(host):
    """An address by which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - compared, not bound


def web_answers(host, port):
    """Whether GET /healthz answers 200 at this moment."""
    # The name and the scheme that the settings expect, else Django answers 400 or a redirect.
    name = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip(" .*") or "localhost"
    connection = http.client.HTTPConnection(_inside(host), port, timeout=2)
    try:
        connection.request("GET", "/healthz", headers={"Host": name, "X-Forwarded-Proto": "https"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def check_port(host, port):
    """:raises Failed: if the web could not listen there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Failed(f"Cannot listen on {host} port {port} ({reason}); choose another: make up PORT=...") from None


class Stack:
    """Everything that `manage.py up` runs on one data folder; `screen` shows the steps (begin, tick, done, say)."""

    def __init__(self, folder, *, host, port, screen):
        self.folder, self.host, self.port, self.screen = Path(folder).absolute(), host, port, screen
        self.log = self.folder / "log"
        self.running = []

    def run(self, greet):
        """Start everything, call `greet`, keep all running until Ctrl-C or SIGTERM, stop everything.

        :raises Failed: if a step of the start fails.
        """
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup wants us to outlive the terminal
                signal.signal(number, signal.default_int_handler)
        try:
            self._start()
            greet()
            self._watch()
        except KeyboardInterrupt:
            self.screen.say()
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            self._stop()

    def _start(self):
        check_port(self.host, self.port)
        self._make_folder(self.folder)
        self._held = folders.lock(self.folder)
        self.log.mkdir(mode=0o700, exist_ok=True)
        (self.folder / "static").mkdir(exist_ok=True)  # whitenoise warns when there is none
        home = folders.reachable(self.folder)
        if home != self.folder:
            self.screen.say(f"  The data lies in {home}: the servers' account cannot enter {self.folder}.")
            self._make_folder(home)
        cluster, broker = embedded.Cluster(home / "postgres"), embedded.Broker(home / "broker")

        self._begin(cluster)
        cluster.ensure_roles()
        if not cluster.has_database(DATABASE):
            cluster.create_database(DATABASE)
        self.screen.done()
        self._begin(broker)
        self.screen.done()

        env = self._environment(cluster, broker)
        as_owner = env | {"DATABASE_OWNER_URL": cluster.url(embedded.OWNER, DATABASE)}
        self._run("migrations", "migrate", "--database", "owner", "--no-input", env=as_owner)
        self._run("demo", "seed_demo", env=env)
        self._run("checks", "check", "--database", "default", env=env)

        site = web(host=self.host, port=self.port, log=self.log, env=env)
        self._begin(site)
        while not web_answers(self.host, self.port):
            if not site.alive:
                raise Failed(f"The web did not start; the end of {site.log}:\n{processes.tail(site.log)}")
            self.screen.tick()
            time.sleep(0.1)
        self.screen.done()
        for child in (
            worker(log=self.log, env=env),
            beat(log=self.log, env=env, schedule=self.folder / "beat-schedule"),
        ):
            self._begin(child)
            self.screen.done("started")

    @staticmethod
    def _make_folder(folder):
        """The servers' account passes through; all that lies within has narrower rights of its own."""
        if not folder.exists():
            folder.mkdir(parents=True)
            folder.chmod(0o711)

    def _begin(self, part):
        self.screen.begin(part.name)
        self.running.append(part)
        part.start(self.screen.tick)

    def _environment(self, cluster, broker):
        """What children run with, written for other commands too; never the owner's address."""
        path = self.folder / "environment"
        kept = dotenv_values(path) if path.exists() else {}
        written = {
            "DATABASE_URL": cluster.url(embedded.APP, DATABASE),
            "BROKER_URL": broker.url(),
            "SECRET_KEY": kept.get("SECRET_KEY") or secrets.token_urlsafe(50),
        }
        path.touch(mode=0o600)
        path.write_text("".join(f"{name}='{value}'\n" for name, value in written.items()))
        inherited = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
        return inherited | written | {"DATA_DIR": str(self.folder)}

    def _run(self, step, command, *arguments, env):
        """A management command to its end."""
        self.screen.begin(step)
        child = Child(command, [BASE_DIR / "manage.py", command, *arguments], log=self.log / f"{command}.log", env=env)
        before = child.log.stat().st_size if child.log.exists() else 0
        child.start()
        try:
            while child.alive:
                self.screen.tick()
                time.sleep(0.05)
            if child.process.returncode:
                raise Failed(f"{command} failed; the end of {child.log}:\n{processes.tail(child.log, before)}")
        finally:
            child.stop()
        self.screen.done()

    def _watch(self):
        """Start what ended again, after a pause that doubles while it does not hold."""
        again_at, failures, since = {}, {}, {}
        while True:
            now = time.monotonic()
            for part in self.running:
                name = part.name
                if part.alive:
                    continue
                if name not in again_at:
                    if now - since.get(name, now) > STEADY_SECONDS:
                        failures[name] = 0
                    failures[name] = failures.get(name, 0) + 1
                    pause = BACKOFF[min(failures[name], len(BACKOFF)) - 1]
                    again_at[name] = now + pause
                    self.screen.say(f"  {name:<12} ended unexpectedly, starts again in {pause} s; see {part.log}")
                elif now >= again_at[name]:
                    del again_at[name]
                    since[name] = now
                    try:
                        part.start()
                        self.screen.say(f"  {name:<12} started again")
                    except Failed as failed:
                        self.screen.say(f"  {failed}")
            time.sleep(0.2)

    def _stop(self):
        # Beat first, so that nothing is rung; the database last, since all the others use it.
        order = ("beat", "web", "worker", "broker", "database")
        for part in sorted(self.running, key=lambda part: order.index(part.name)):
            self.screen.begin(part.name)
            part.stop()
            self.screen.done("stopped")
