"""The embedded stack: database, broker, web, workers and beat, started in order, watched and stopped in order.

Why not circus or honcho: neither ends the children of a killed launcher, nor copes with servers that outlived one.
Start it from the main thread of a process without threads: see `embedded.processes`.
"""

import contextlib
import hashlib
import http.client
import os
import resource
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import psycopg
from dotenv import dotenv_values

from .. import earlier, pulse
from . import embedded
from .embedded import Failed, folders, processes, watching

BASE_DIR = Path(__file__).resolve().parents[2]
DATABASE = "casino"
SETTLEMENT, LOG, EXPORTS, INSPECTIONS, REPORTS, EDGE = QUEUES = (
    *("settlement", "log", "exports", "inspections", "reports", "edge"),
)
# Which queues each worker takes; docs/operations.md has the same units.
WORKERS = ((SETTLEMENT,), (LOG, EXPORTS, INSPECTIONS), (REPORTS,), (EDGE,))
WEB_PATIENCE = 60
# The number of a web process among those of one machine: see `web`.
WEB_NUMBER = "WEB_NUMBER"
# Killing a process after that loses nothing: the message, the lease and the command's key come back.
STOP_SECONDS = 3
# What lies in DATA_DIR, but the servers' folders: those are their account's own, who alone may enter them.
OURS = (
    "anchor",
    "beat-schedule*",
    "demo-logins.json",
    "environment",
    "exports",
    "keys",
    "lock",
    "log",
    "reports",
    "static",
)
# Sockets of event streams, and PostgreSQL's own files.
OPEN_FILES_WANTED, OPEN_FILES_NEEDED = 8192, 256
CODES = "`manage.py open_house --code LOGIN` gives an administrator another code"
# Settings of other software that would affect our own connections and children.
FOREIGN_SETTINGS = ("PG", "CELERY", "UVICORN_", "WEB_CONCURRENCY")


class Child:
    """One of our own processes; its output goes to a log file."""

    def __init__(self, name, arguments, *, log, env, listener=None):
        self.name, self.arguments, self.log, self.env, self.listener = name, arguments, Path(log), env, listener
        self.process = self._asked_at = self._pulse = None

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def start(self, tick=processes.nothing):
        self.stop()  # what a crash left of its session
        self._pulse, beats = os.pipe()
        for end in (self._pulse, beats):
            os.set_blocking(end, False)
        try:
            # If we are killed it ends at once: it keeps nothing that the database does not keep, and frees the port.
            self.process = processes.spawn(
                [sys.executable, *self.arguments],
                log=self.log,
                env=self.env | {pulse.PIPE: str(beats)},
                cwd=BASE_DIR,
                death=signal.SIGKILL,
                keep=(beats,) if self.listener is None else (beats, self.listener.fileno()),
            )
        finally:
            os.close(beats)

    def gave_pulse(self):
        """Whether its loop gave a sign of life since this was last asked: see `casino/pulse.py`."""
        with contextlib.suppress(BlockingIOError):
            return self._pulse is not None and os.read(self._pulse, 2**16) != b""
        return False

    def ask(self):
        """Ask it to stop, while others do too; `stop` waits for it."""
        if self.alive and self._asked_at is None:
            self.process.terminate()
            self._asked_at = time.monotonic()

    def stop(self):
        """End it and what it started: a running request or settlement may finish within STOP_SECONDS."""
        self.ask()
        if self._asked_at is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0, self._asked_at + STOP_SECONDS - time.monotonic()))
        if self.process is not None:
            processes.end(self.process)
        if self._pulse is not None:
            os.close(self._pulse)
        self.process = self._asked_at = self._pulse = None


def listen(host, port):
    """The web's listening socket: ours from the first step to the last, while web processes come and go.

    So nobody else can take the port in between, and a request that comes while the web starts again is answered then.
    Port 0 is any free one.

    :raises Failed: if it cannot be had.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Accepted sockets inherit it. Uvicorn takes a socket that it was given for a unix one and would leave them slow.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise Failed(f"Cannot listen on {host} port {port} ({reason}); choose another: make up PORT=...") from None
    return listener


def web(*, listener, log, env, number=1):
    """One of the web's processes, which all take their connections from the same listener; the first raises alarms."""
    options = ["--fd", str(listener.fileno()), "--no-server-header", "--lifespan", "on", "--ws", "none"]
    # HTTPS alone says whether to believe a proxy.
    options += ["--no-proxy-headers", "--http", "casino.web.connections:Connection", "--limit-concurrency", "2000"]
    name = "web" if number == 1 else f"web {number}"
    return Child(
        name,
        ["-m", "uvicorn", "casino.asgi:application", *options, "--timeout-graceful-shutdown", "2"],
        log=log / f"{name.replace(' ', '-')}.log",
        env=env | {WEB_NUMBER: str(number)},
        listener=listener,
    )


def worker(*, log, env, app="casino.celery", queues=(SETTLEMENT,)):
    """A worker for these queues. The one that settles is called the worker, that of the log the sealer; any other is
    named after its queue."""
    name = "worker" if SETTLEMENT in queues else "sealer" if LOG in queues else queues[0]
    concurrency = "1" if queues in {(REPORTS,), (EDGE,)} else "2"
    options = ["-Q", ",".join(queues), "--concurrency", concurrency, "--without-gossip", "--without-mingle"]
    return Child(
        name,
        ["-m", "celery", "--quiet", "-A", app, "worker", "-n", f"{name}@%h", *options],
        log=log / f"{name}.log",
        env=env,
    )


def beat(*, log, env, schedule):
    return Child(
        "beat",
        ["-m", "celery", "--quiet", "-A", "casino.celery", "beat", "-s", str(schedule), "--pidfile="],
        log=log / "beat.log",
        env=env,
    )


def _inside(host):
    """An address by which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - compared, not bound


def web_answers(host, port):
    """Whether GET /healthz answers 200 within 2 seconds."""
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


def forget_foreign_settings():
    """Take what is meant for other software out of our environment, and so out of our children's."""
    for name in [name for name in os.environ if name.startswith(FOREIGN_SETTINGS)]:
        del os.environ[name]


def make_folder(folder):
    """The servers' account passes through; all that lies within has narrower rights of its own."""
    with contextlib.suppress(FileExistsError):  # another start on it may be making it just now
        folder.mkdir(parents=True)
        folder.chmod(0o711)


def close_to_others(folder):
    """Take every right of others from what is ours below a folder, and from what is made from now on.

    The folder itself stays as it is: the servers' account passes through.
    """
    os.umask(0o077)
    for ours in (path for name in OURS for path in folder.glob(name)):
        for place, _, files in os.walk(ours):
            for path in (Path(place), *(Path(place) / name for name in files)):
                _close(path)
        if not ours.is_dir():
            _close(ours)


def _close(path):
    with contextlib.suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if mode & 0o077 and (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            path.chmod(stat.S_IMODE(mode) & ~0o077)


def travels_in_the_clear(host, *, https):
    """The sentence for a host that others reach without TLS; empty if there is nothing to say.

    >>> travels_in_the_clear("127.0.0.1", https=False), travels_in_the_clear("0.0.0.0", https=True)
    ('', '')
    >>> travels_in_the_clear("0.0.0.0", https=False).partition(":")[0]
    'Passwords and tokens travel in the clear'
    """
    if https or host in {"localhost", "::1"} or host.startswith("127."):
        return ""
    return (
        "Passwords and tokens travel in the clear: whoever listens on the network reads them; put TLS before this and"
        " set HTTPS=1."
    )


def free_mb(folder):
    """Free space on the disk of a folder, which need not be there yet, in MB."""
    return shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.exists())).free // 10**6


def _raise_open_files():
    """:raises Failed: if the limit on open files cannot be raised to what the stack needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES_WANTED)
    if most < OPEN_FILES_NEEDED:
        raise Failed(f"Only {most} open files are allowed and {OPEN_FILES_NEEDED} are needed; raise ulimit -n.")
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Stack:
    """Everything that `manage.py up` runs on one data folder; `steps` shows them (begin, tick, done, say).

    `house` is the file of the house that a new database gets; without one it gets the demo. `warm_edge`: once all runs,
    what computes the house edge is compiled in the background.
    """

    def __init__(self, folder, *, host, port, web_processes, disk_free_mb, steps, house=None, warm_edge=False):
        self.folder, self.host, self.port, self.steps = Path(folder).absolute(), host, port, steps
        self.house, self.warm_edge = house, warm_edge
        self.web_processes = web_processes
        self.home = self.folder
        self.disk_free_mb = disk_free_mb
        self.log = self.folder / "log"
        self.running = []
        self._env = {}
        self._warming = None
        self._asked_to_end = False
        self._disk_is_short = False
        self._oldest = {}

    def run(self, greet):
        """Start everything, call `greet`, keep all running until Ctrl-C or SIGTERM, stop everything.

        :raises Failed: if a step of the start fails.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup wants us to outlive the terminal
                signal.signal(number, self._ask_to_end)
        try:
            # Whoever reads this may end us from now on.
            self.steps.say(f"Casino tables; data and logs in {self.folder}")
            self._start()
            greet()
            if self.warm_edge:
                self._warm_edge()
            self._watch()
        except KeyboardInterrupt:
            self.steps.say()
        except OSError as error:
            raise Failed(
                f"Cannot use {error.filename or self.folder} ({error.strerror or error});"
                " mend that or choose another DATA_DIR."
            ) from error
        except psycopg.Error as error:
            raise Failed(f"The database refused a step of the start: {error}".strip()) from error
        finally:
            self._stop()

    def _ask_to_end(self, number, frame):
        # Acted on between two steps: an exception here could lose a child that is being started, and a second,
        # impatient Ctrl-C could break the stop.
        self._asked_to_end = True

    def _heed(self):
        """:raises KeyboardInterrupt: if we were asked to end."""
        if self._asked_to_end:
            raise KeyboardInterrupt

    def _tick(self):
        self._heed()
        self.steps.tick()

    def _start(self):
        forget_foreign_settings()
        _raise_open_files()
        self.home = folders.reachable(self.folder)
        for folder in (self.folder, self.home):
            if free_mb(folder) < self.disk_free_mb:
                raise Failed(f"{self._disk(folder)}; make room or set a lower DISK_FREE_MB.")
        make_folder(self.folder)
        self._held = folders.lock(self.folder)
        close_to_others(self.folder)
        listener = listen(self.host, self.port)
        self.port = listener.getsockname()[1]
        self.log.mkdir(mode=0o700, exist_ok=True)
        if self.home != self.folder:
            if (self.folder / "postgres").exists():
                raise Failed(
                    f"The servers' account cannot enter {self.folder} any more, where the data lies; open the folders"
                    " above it (chmod o+x)."
                )
            self.steps.say(f"  The data lies in {self.home}: the servers' account cannot enter {self.folder}.")
            make_folder(self.home)
            close_to_others(self.home)
        cluster, self.broker = embedded.Cluster(self.home / "postgres"), embedded.Broker(self.home / "broker")

        self._begin(cluster)
        cluster.ensure_roles()
        if cluster.has_database(DATABASE):
            cluster.let_in(DATABASE)
        else:
            cluster.create_database(DATABASE)
        self.steps.done()
        self._begin(self.broker)
        self.steps.done()

        self._look_at_migrations(cluster)
        is_new = not self._has_house(cluster)
        env = self._environment(cluster, self.broker, is_new=is_new)
        if self.house and is_new:
            # Before the migrations, which take longer than anybody wants to wait for the faults of their file.
            self._open_house("--check", env=env)
        as_owner = env | {"DATABASE_OWNER_URL": cluster.url(embedded.OWNER, DATABASE)}
        self._run("migrations", "migrate", "--database", "owner", "--no-input", env=as_owner)
        if not self.house:
            # It does nothing if there is a house already.
            self._run("demo" if is_new or self._is_demo() else "house", "seed_demo", env=env)
        elif is_new:
            self._found(env)
        else:
            self.steps.say(f"  A house is there already; {self.house} is not read.")
        self._env = env
        self._run("keys", "keys", "make", env=env)
        self._run("files", "collectstatic", "--no-input", "--verbosity=0", env=env)
        self._run("languages", "catalogue", "--compile", env=env)
        self._run("checks", "check", "--database", "default", env=env)

        for number in range(1, self.web_processes + 1):
            self._begin_web(web(listener=listener, log=self.log, env=env, number=number))
        # The log's worker has its own role's address and no other; nobody else has that.
        as_sealer = {name: value for name, value in env.items() if name != "DATABASE_URL"}
        as_sealer |= {"SEALER_DATABASE_URL": cluster.url(embedded.SEALER, DATABASE)}
        for child in (
            *(worker(log=self.log, env=as_sealer if LOG in queues else env, queues=queues) for queues in WORKERS),
            beat(log=self.log, env=env, schedule=self.folder / "beat-schedule"),
        ):
            self._begin(child)
            self.steps.done("started")

    def _begin_web(self, site):
        """Start a web process, and wait until its loop turns and somebody answers at its port."""
        self._begin(site)
        deadline, turns = time.monotonic() + WEB_PATIENCE, False
        while not (turns and web_answers(self.host, self.port)):
            if not site.alive or time.monotonic() > deadline:
                raise Failed(f"The web did not start; the end of {site.log}:\n{processes.tail(site.log)}")
            self._tick()
            time.sleep(0.1)
            turns = turns or site.gave_pulse()
        self.steps.done()

    def _look_at_migrations(self, cluster):
        """:raises Failed: if the data is older than what this program migrates."""
        with cluster.connect(embedded.OWNER, DATABASE) as owner:
            if owner.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,):
                return
            applied = owner.execute("SELECT app, name FROM django_migrations").fetchall()
        try:
            if earlier.is_of(applied):
                self.steps.say(f"  {earlier.TAKEN_OVER}")
        except earlier.UnfinishedError as error:
            raise Failed(str(error)) from None

    def _begin(self, part):
        self._heed()
        self.steps.begin(part.name)
        self.running.append(part)
        part.start(self._tick)

    def _has_house(self, cluster):
        """Whether the database has a casino, founded or the demo's."""
        with cluster.connect(embedded.OWNER, DATABASE) as owner:
            there = owner.execute("SELECT to_regclass('casino_casino')").fetchone() != (None,)
            return there and owner.execute("SELECT EXISTS (SELECT FROM casino_casino)").fetchone()[0]

    def _is_demo(self):
        return (self.folder / "demo-logins.json").exists()

    def _found(self, env):
        """Found the house, and show its one-time codes."""
        self._show("", "The house was not founded, since its codes can't be shown")
        self.steps.begin("house")
        try:
            words = self._open_house(env=env)
        except KeyboardInterrupt:
            self.steps.say(f"  The house was not founded, unless the next start says that one is there: then {CODES}.")
            raise
        self.steps.done("founded")
        words = "".join(f"  {line}\n" for line in words.splitlines())
        self._show(f"\n{words}\n", f"The house is founded. {CODES}, since those of its founding can't be shown")

    def _open_house(self, *options, env):
        """Run the command and return what it says, which goes into no file: it may have one-time codes.

        :raises Failed: with what is wrong with its file.
        """
        process = subprocess.Popen(
            [sys.executable, BASE_DIR / "manage.py", "open_house", str(self.house), *options],
            env=env,
            cwd=BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    said, wrong = process.communicate(timeout=0.05)
                    break
                self._tick()
        finally:
            processes.end(process)
        if process.returncode:
            raise Failed((wrong or said).strip().removeprefix("CommandError: "))
        return said

    def _show(self, words, otherwise):
        """:raises Failed: with `otherwise` if these words, shown nowhere else, can't be shown."""
        try:
            self.steps.show(words)
        except (OSError, UnicodeError) as error:
            raise Failed(f"{otherwise}: {getattr(error, 'strerror', None) or error}.") from None

    def _environment(self, cluster, broker, *, is_new):
        """The environment of children, kept for other commands too, which may seal; never the owner's address."""
        path = self.folder / "environment"
        kept = dotenv_values(path) if path.exists() else {}
        key = kept.get("SECRET_KEY") or secrets.token_urlsafe(50)
        before = kept.get("SECRET_KEY_FALLBACKS")
        oldest = before.split(",")[-1].strip() if before else key
        # The demo's people have no devices.
        step = ("1" if self.house else "0") if is_new else kept.get("SECOND_STEP") or "0"
        written = {
            "DATABASE_URL": cluster.url(embedded.APP, DATABASE),
            "BROKER_URL": broker.url(),
            "SECRET_KEY": key,
            # As the settings made it before it was written down, so that cookies keep their names.
            "INSTALLATION": kept.get("INSTALLATION") or hashlib.sha256(oldest.encode()).hexdigest()[:8],
            "SECOND_STEP": os.environ.get("SECOND_STEP") or step,
        }
        if before:
            written["SECRET_KEY_FALLBACKS"] = before
        whole = written | {"SEALER_DATABASE_URL": cluster.url(embedded.SEALER, DATABASE)}
        if kept != whole:
            folders.write_private(path, "".join(f"{name}='{value}'\n" for name, value in whole.items()))
        others = ("DATABASE_OWNER_URL", "SEALER_DATABASE_URL")
        inherited = {name: value for name, value in os.environ.items() if name not in others}
        return inherited | written | {"DATA_DIR": str(self.folder)}

    def _run(self, step, command, *arguments, env):
        """Run a management command to its end."""
        self.steps.begin(step)
        child = Child(command, [BASE_DIR / "manage.py", command, *arguments], log=self.log / f"{command}.log", env=env)
        before = child.log.stat().st_size if child.log.exists() else 0
        child.start()
        try:
            while child.alive:
                self._tick()
                time.sleep(0.05)
            if child.process.returncode:
                raise Failed(f"{command} failed; the end of {child.log}:\n{processes.tail(child.log, before)}")
        finally:
            child.stop()
        self.steps.done()

    def _warm_edge(self):
        """Compile what computes the house edge, politely: it is not a watched part, and nothing waits for it."""
        command = [BASE_DIR / "manage.py", "edge", "--warm", "--polite", "--threads", "1"]
        self._warming = Child("edge-warm", command, log=self.log / "edge-warm.log", env=self._env)
        try:
            self._warming.start()
        except OSError as error:
            self.steps.say(f"  What computes the house edge can't be compiled ({error.strerror}).")
            return
        self.steps.say(
            f"  What computes the house edge is compiled in the background, if it is not yet: {self._warming.log}"
        )

    def _look_at_warming(self):
        """If it failed, say how it ended: the house runs on, and the edge's worker compiles what it needs."""
        if self._warming is None or self._warming.alive:
            return
        warming, self._warming = self._warming, None
        if warming.process is not None and warming.process.returncode:
            how = processes.how_ended(warming.process)
            self.steps.say(f"  What computes the house edge was not compiled ({how}); see {warming.log}.")
        warming.stop()

    def _watch(self):
        watched = [watching.Watched(part, self.steps, self._signs_of(part)) for part in self.running]
        look_at = 0
        while True:
            self._heed()
            for one in watched:
                one.keep_running(self._heed)
            if time.monotonic() >= look_at:
                for one in watched:
                    one.look()
                self._look_at_disk()
                self._look_at_warming()
                look_at = time.monotonic() + watching.LOOK_SECONDS
            time.sleep(0.2)

    def _look_at_disk(self):
        short = [folder for folder in (self.folder, self.home) if free_mb(folder) < self.disk_free_mb]
        if short and not self._disk_is_short:
            self.steps.say(f"  {self._disk(short[0])}; make room before the database stops.")
        self._disk_is_short = bool(short)

    def _disk(self, folder):
        return f"Only {free_mb(folder)} MB are free for {folder}, less than DISK_FREE_MB ({self.disk_free_mb})"

    def _signs_of(self, part):
        """The signs that a part lives; all are asked for each time, since an old sign does not count for a new one.

        The process itself gives a pulse; a worker is also looked at from outside, since one without work gives none.
        """
        if part.name.startswith("web"):
            return part.gave_pulse
        queue = {"worker": SETTLEMENT, "sealer": LOG, "reports": REPORTS, "edge": EDGE}.get(part.name)
        return queue and (lambda: any([part.gave_pulse(), self._taken(queue)]))

    def _taken(self, queue):
        """Whether the message that waited longest at the last look was taken; beat rings each second."""
        before, self._oldest[queue] = self._oldest.get(queue), self.broker.oldest(queue)
        return self._oldest[queue] is None or self._oldest[queue] != before

    def _stop(self):
        # The database last, since all the others use it.
        order = ("beat", "web", "worker", "edge", "reports", "sealer", "broker", "database")
        for part in (*self.running, self._warming):
            if isinstance(part, Child):
                part.ask()
        for part in sorted(self.running, key=lambda part: order.index(part.name.split()[0])):
            self.steps.begin(part.name)
            part.stop()
            self.steps.done("stopped")
        if self._warming is not None:
            self._warming.stop()
