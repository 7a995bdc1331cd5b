"""The stack of one run: an embedded database and broker in a temporary folder, web, worker and beat, and croupiers."""

import http.client
import json
import subprocess
import sys
import time
import urllib.parse
import uuid
from contextlib import ExitStack
from http.cookies import SimpleCookie
from pathlib import Path

import psutil
from django.core.management.base import CommandError

from casino.running import stack
from casino.running.embedded import processes
from casino.running.trial import ROUND, TEMPLATE, Trial, new_folder

from . import processor

HOST = "127.0.0.1"


class Product:
    """Web, worker and beat on a trial's demo until the end of the block; a failed run shows how the web's log ends."""

    def __init__(self, web_processes=1):
        self.web_processes = web_processes
        self._closing = ExitStack()

    def __enter__(self):
        try:
            self.folder = Path(self._closing.enter_context(new_folder()))
            trial = self._closing.enter_context(Trial(self.folder))
            self.trial, self.cluster = trial, trial.cluster
            self._start(trial)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind, error, _):
        log = self.folder / "web.log"
        log_end = processes.tail(log, lines=40) if log.exists() else ""
        self._closing.close()
        if isinstance(error, CommandError):
            raise CommandError(f"{error}\nThe end of the web's log:\n{log_end}") from None

    def lay_out(self, trial):
        """Whatever the demo lacks, before anything runs on it."""

    def broker_url(self, trial):
        """The address of the broker."""
        return trial.broker.url()

    def seat(self):
        """Seat the croupiers, once the web answers."""

    def processor(self):
        """Processor seconds so far of the web's processes and of the database."""
        webs = [psutil.Process(web.process.pid) for web in self.webs]
        return processor.used(*webs), processor.of_database(self.cluster)

    def _start(self, trial):
        self.lay_out(trial)
        env = trial.environment(TEMPLATE) | {"BROKER_URL": self.broker_url(trial)}
        collect = [sys.executable, stack.BASE_DIR / "manage.py", "collectstatic", "--no-input", "--verbosity=0"]
        subprocess.run(collect, env=env, check=True)
        subprocess.run([sys.executable, stack.BASE_DIR / "manage.py", "catalogue", "--compile"], env=env, check=True)
        listener = self._closing.enter_context(stack.listen(HOST, 0))
        self.port = listener.getsockname()[1]
        numbers = range(1, self.web_processes + 1)
        self.webs = [stack.web(listener=listener, log=self.folder, env=env, number=number) for number in numbers]
        self.web = self.webs[0]
        self.worker = stack.worker(log=self.folder, env=env)
        self.beat = stack.beat(log=self.folder, env=env, schedule=self.folder / "beat-schedule")
        for child in (*self.webs, self.worker, self.beat):
            self._closing.callback(child.stop)
            child.start()
        deadline = time.monotonic() + stack.WEB_PATIENCE
        waiting = list(self.webs)
        while waiting or not stack.web_answers(HOST, self.port):
            if not all(web.alive for web in self.webs) or time.monotonic() > deadline:
                raise CommandError("The web did not start.")
            time.sleep(0.1)
            waiting = [web for web in waiting if not web.gave_pulse()]
        self.seat()


class Croupier:
    """A croupier at a table, over one connection."""

    def __init__(self, port, login, password):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=60)
        self.cookies = SimpleCookie()
        self.unsettled = []
        self.ask("GET", "/login/")
        form = {"username": login, "password": password, "csrfmiddlewaretoken": self._token()}
        self.ask("POST", "/login/", urllib.parse.urlencode(form), kind="application/x-www-form-urlencoded")
        self.table = json.loads(self.ask("GET", "/api/v1/tables/"))["tables"][0]

    def rested(self):
        """Begin another connection: the web hangs up on one that was idle for some seconds."""
        self.connection.close()

    def play(self, wait=processes.nothing):
        """Play a whole round, with a wait before each command; yield the seconds of each that acts or closes."""
        wait()
        _, round_ = self.command(f"tables/{self.table['id']}/rounds/", {})
        for kind, box, arguments in ROUND:
            wait()
            body = {"version": round_["version"], "kind": kind, "box": box, "arguments": arguments}
            seconds, round_ = self.command(f"rounds/{round_['id']}/actions/", body)
            yield seconds
        wait()
        seconds, _ = self.command(f"rounds/{round_['id']}/close/", {"version": round_["version"]})
        self.unsettled.append(round_["id"])
        yield seconds

    def all_settled(self):
        while self.unsettled:
            if json.loads(self.ask("GET", f"/api/v1/rounds/{self.unsettled[-1]}/"))["status"] != "SETTLED":
                return False
            self.unsettled.pop()
        return True

    def command(self, path, body, *, prefer="return=minimal"):
        begun = time.perf_counter()
        answer = self.ask("POST", f"/api/v1/{path}", json.dumps(body), key=str(uuid.uuid4()), prefer=prefer)
        return time.perf_counter() - begun, json.loads(answer)

    def _token(self):
        return next(morsel.value for name, morsel in self.cookies.items() if name.startswith("csrftoken"))

    def ask(self, method, path, body=None, *, kind="application/json", key=None, prefer=""):
        """:param prefer: how much of a command's answer is read."""
        headers = {"Cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": kind, "X-CSRFToken": self._token()}
        if key:
            headers |= {"Idempotency-Key": key, "Prefer": prefer}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        for value in answer.headers.get_all("Set-Cookie") or ():
            self.cookies.load(value)
        if answer.status >= 400:
            raise CommandError(
                f"{method} {path} was answered by {answer.status}: {text[:500].decode(errors='replace')}"
            )
        return text


def percentile(times, percent):
    """The smallest time that this percentage of all does not exceed.

    >>> percentile(range(1, 201), 99)
    198
    """
    return sorted(times)[-(-len(times) * percent // 100) - 1]
