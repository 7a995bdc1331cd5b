"""`manage.py up` as a person runs it: a process of its own on a folder of its own, its screen read from a file."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from casino.running.embedded import folders

from ..tables.terminal.test_live import Client
from . import waiting

BASE_DIR = Path(__file__).resolve().parents[2]
# Variables that the test run set for itself; the product finds its own.
OURS = {
    "DATABASE_URL",
    "SEALER_DATABASE_URL",
    "BROKER_URL",
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
    "INSTALLATION",
    "DATA_DIR",
    "FSYNC_OFF_IS_FINE",
    "DATABASE_POOL",
    "DJANGO_SETTINGS_MODULE",
}
# What distinguishes the parts on their command lines.
SIGNS = {
    "database": "/bin/postgres ",
    "broker": "valkey-server",
    "web": " uvicorn ",
    "worker": " -Q settlement ",
    "sealer": " -Q log,exports,inspections ",
    "reports": " -Q reports ",
    "edge": " -Q edge ",
    "beat": " -s ",
}
WARMING = " edge --warm "


class Process(NamedTuple):
    """A process; its number may later belong to another."""

    pid: int
    started_at: str

    @property
    def runs(self):
        return self in _look(self.pid)

    def kill(self):
        if self.runs:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


def _look(pid):
    """The process that has this number, and its parent's number; nothing if it merely waits to be reaped."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {} if fields[0] in "ZX" else {Process(int(pid), fields[19]): int(fields[1])}


def children(pid):
    """The processes right below one."""
    there = [_look(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    return [process for found in there for process, parent in found.items() if parent == pid]


def below(pid):
    """The processes below one, at any depth."""
    return [deep for child in children(pid) for deep in (child, *below(child.pid))]


class Product:
    """The code and a Python that `uid` can run: ours, or links to ours since they may lie in root's closed home."""

    def __init__(self, folder, uid):
        who = folders.Account(uid, uid)

        def opened(path, *ignored):
            if folders.open_to(path, who):
                return path
            made = folder / path.name
            shutil.copytree(path, made, copy_function=_link, ignore=shutil.ignore_patterns(*ignored), symlinks=True)
            return made

        self.code = opened(BASE_DIR, ".*", "var", "test-results")
        packages = opened(Path(sysconfig.get_path("purelib")))
        self.python = Path(os.path.realpath(sys.executable))
        self.env = {"PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
        library = Path(sysconfig.get_path("stdlib"))
        if not (folders.open_to(self.python, who) and folders.open_to(library, who)):
            for part in (self.python, library, *library.parent.glob("libpython*.so*")):
                target = folder / "python" / part.relative_to(sys.base_prefix)
                target.parent.mkdir(parents=True, exist_ok=True)
                if part.is_dir():
                    ignored = shutil.ignore_patterns("site-packages", "dist-packages", "test")
                    shutil.copytree(part, target, copy_function=_link, ignore=ignored)
                else:
                    _link(part, target)
            self.python = folder / "python" / self.python.relative_to(sys.base_prefix)
            self.env["LD_LIBRARY_PATH"] = str(folder / "python" / "lib")


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copy2(source, target)


class Up:
    """`with Up(folder, DISK_FREE_MB="1") as up:` starts it; at the end nothing of it runs.

    PORT is any free one unless given, there is one web process, and nothing is compiled in the background. With `uid`
    it runs as that account, on that account's `product`.
    """

    def __init__(self, folder, *, uid=None, product=None, **env):
        self.folder = Path(folder)
        self.uid, self.product = uid, product
        ours = {"PORT": "0", "DISK_FREE_MB": "1", "WEB_PROCESSES": "1", "WARM_EDGE": "0"}
        self.env = {"DATA_DIR": str(folder)} | ours | env
        self.process = None
        self.seen = set()

    def __enter__(self):
        self.start()
        return self

    def start(self):
        env = {name: value for name, value in os.environ.items() if name not in OURS}
        python, code, as_user = sys.executable, BASE_DIR, {}
        if self.product:
            python, code, env = self.product.python, self.product.code, env | self.product.env
        if self.uid is not None:
            as_user = {"user": self.uid, "group": self.uid, "extra_groups": []}
        self._screen = tempfile.NamedTemporaryFile()  # noqa: SIM115 - goes with us
        self.process = subprocess.Popen(
            [python, code / "manage.py", "up"],
            cwd=code,
            env=env | self.env,
            stdin=subprocess.DEVNULL,
            stdout=self._screen,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **as_user,
        )
        self.seen.update(_look(self.process.pid))

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """End whatever a failed test left."""
        if self.running:
            self.seen.update(below(self.process.pid))
        for process in self.seen:
            process.kill()
        if self.process:
            self.process.wait()

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def screen(self):
        return Path(self._screen.name).read_text()

    def shows(self, pattern):
        """Wait until the screen shows a pattern; return the match."""

        def shown_or_over():
            running = self.running
            return re.search(pattern, self.screen) or not running

        with contextlib.suppress(AssertionError):
            match = waiting.until(shown_or_over)
            if match is not True:
                return match
        raise AssertionError(f"No {pattern!r} (status {self.process.poll()}) on the screen:\n{self.screen}")

    def ready(self):
        """Wait until it shows its address and logins; return itself."""
        self.url = self.shows(r"Open (http://\S+/)")[1]
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[1])
        self.shows(r"administrator .*\n")
        self.logins = dict(re.findall(r"(\S+) +(\w+-\w+-\d{4})$", self.screen, re.MULTILINE))
        cookies = urllib.request.urlopen(f"{self.url}login/", timeout=waiting.PATIENCE).headers["Set-Cookie"]
        self.csrf_cookie = re.search(r"csrftoken_\w+", cookies)[0]
        self.seen.update(below(self.process.pid))
        return self

    def keep_running(self):
        """Nothing to do: it does so itself."""

    def parts(self):
        """The parts that run, by their names on the screen."""
        found = {}
        for process in children(self.process.pid):
            with contextlib.suppress(OSError):
                line = Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                found |= {name: process for name, sign in SIGNS.items() if sign in line}
        self.seen.update(found.values())
        return found

    def warming(self):
        """The process that compiles in the background, or None."""
        for process in children(self.process.pid):
            with contextlib.suppress(OSError):
                if WARMING in Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode():
                    self.seen.add(process)
                    return process
        return None

    def end(self, number=signal.SIGINT):
        """A signal to the whole group, as a terminal sends it."""
        os.killpg(self.process.pid, number)

    def ended(self):
        """Wait until it and all that it started have ended; return the exit status."""
        try:
            status = self.process.wait(waiting.PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"It does not end:\n{self.screen}") from None
        waiting.until(lambda: not any(process.runs for process in self.seen))
        return status


class Person(Client):
    """Somebody of the demo at an `Up`."""

    def headers(self, **more):
        # The test process has another SECRET_KEY, after which the cookie is named.
        theirs = super().headers(**more)
        return theirs | {"Cookie": theirs["Cookie"].replace(settings.CSRF_COOKIE_NAME, self.stack.csrf_cookie)}

    def send(self, *request, **more):
        """Send, and come back with the same key when asked to: a part that was killed may still be starting."""
        send = super().send

        def answered():
            answer, data = send(*request, **more)
            return answer.status != 503 and (answer, data)

        return waiting.until(answered, ask=0.2)

    def stream(self, table):
        """The open event stream of a table, its first line read."""
        connection = self.connect()
        connection.request("GET", f"/live/tables/{table}/", headers=self.headers())
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.readline()
        return answer
