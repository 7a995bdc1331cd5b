"""How long commands take while the broker is down, hung or slow, against how long they take as always.

On a stack of its own: an embedded database and broker in a temporary folder, web, worker and beat, all of them reaching
the broker through a proxy that plays its states in turn while the croupiers of the Split tables go on dealing by HTTP.
"""

import http.client
import json
import statistics
import time
import urllib.parse
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.cookies import SimpleCookie
from pathlib import Path

from django.core.management.base import CommandError

from casino import stack
from casino.embedded import processes
from casino.screen import Screen
from casino.stand import ROUND, TEMPLATE, Stand, new_folder

from .proxy import Proxy

HOST = "127.0.0.1"
STATES = ("normal", "down", "hung", "slow")
MOST_SECONDS = 0.3
SETTLED_WITHIN = 60


def add_arguments(parser):
    parser.add_argument("--commands", type=int, default=1_200, help="that act or close, in each state of the broker")
    parser.add_argument("--turns", type=int, default=4, help="how often the states take turns")


def run(out, *, commands, turns):
    """:raises CommandError: if the 99th percentile of a state is more than 0.3 s above that of the normal one, or a
    round is not settled a minute after the broker is back.
    """
    if commands < 1 or turns < 1:
        raise CommandError("At least one command and one turn are needed.")
    took, settled = {state: [] for state in STATES}, {state: [] for state in STATES}
    screen = Screen(out._out)
    with new_folder() as folder, ExitStack() as closing:
        screen.say("Starting a stack of its own ...")
        closing.enter_context(_with_log(Path(folder) / "web.log"))
        floor = closing.enter_context(Floor(Path(folder)))
        each = max(1, round(commands / turns / len(floor.croupiers) / (len(ROUND) + 1)))
        total = turns * len(STATES) * each * len(floor.croupiers) * (len(ROUND) + 1)
        floor.play(1)
        floor.until_settled()
        screen.say(f"{len(floor.croupiers)} tables at once; each broker state in turn, {each} rounds a table each time")
        for turn in range(turns):
            for state in STATES[turn % len(STATES) :] + STATES[: turn % len(STATES)]:
                begun = time.monotonic()
                floor.broker.be(state)
                done = sum(map(len, took.values()))
                took[state] += floor.play(
                    each, lambda more, done=done, state=state: screen.show(done + more, total, f"broker {state}")
                )
                floor.broker.be("normal")
                settled[state].append(floor.until_settled())
                passed = time.monotonic() - begun
                screen.say(f"  turn {turn + 1} of {turns}, {state:<6} {passed:5.1f} s")
    _tell(screen, took, settled)


@contextmanager
def _with_log(path):
    """A failed run tells the end of the web's log, which goes with the folder."""
    try:
        yield
    except CommandError as error:
        told = processes.tail(path, lines=40) if path.exists() else ""
        raise CommandError(f"{error}\nThe end of the web's log:\n{told}") from None


def _tell(screen, took, settled):
    tails = {state: _percentile(times, 99) for state, times in took.items()}
    screen.say("broker   commands   median      p99   p99 against normal   slowest   settled after it was back")
    for state, times in took.items():
        more = tails[state] - tails["normal"]
        screen.say(
            f"{state:<8} {len(times):>8,} {1000 * statistics.median(times):>5.0f} ms {1000 * tails[state]:>5.0f} ms"
            f" {1000 * more:>+17.0f} ms {1000 * max(times):>6.0f} ms   within {max(settled[state]):.1f} s"
        )
    worst = max(STATES, key=tails.get)
    if tails[worst] - tails["normal"] > MOST_SECONDS:
        raise CommandError(f"With the broker {worst} commands take more than {MOST_SECONDS} s longer.")
    screen.say(f"No state costs more than {MOST_SECONDS} s.")


def _percentile(times, percent):
    """The smallest time that so many percent of all do not exceed.

    >>> _percentile(range(1, 201), 99)
    198
    """
    return sorted(times)[-(-len(times) * percent // 100) - 1]


class Floor:
    """The stack of one run, and who deals on it."""

    def __init__(self, folder):
        self.folder = folder
        self._closing = ExitStack()

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self._closing.close()
            raise
        return self

    def __exit__(self, *_):
        self._closing.close()

    def _start(self):
        stand = self._closing.enter_context(Stand(self.folder))
        listens = self.folder / "proxy.sock"
        self.broker = self._closing.enter_context(Proxy(listens, stand.broker.socket))
        env = stand.environment(TEMPLATE) | {"BROKER_URL": f"redis+socket://{listens}?virtual_host=0"}
        (self.folder / "static").mkdir()
        listener = self._closing.enter_context(stack.listen(HOST, 0))
        self.port = listener.getsockname()[1]
        web = stack.web(listener=listener, log=self.folder, env=env)
        worker = stack.worker(log=self.folder, env=env)
        beat = stack.beat(log=self.folder, env=env, schedule=self.folder / "beat-schedule")
        for child in (web, worker, beat):
            self._closing.callback(child.stop)
            child.start()
        deadline = time.monotonic() + stack.WEB_PATIENCE
        while not stack.web_answers(HOST, self.port):
            if not web.alive or time.monotonic() > deadline:
                raise CommandError(f"The web did not start:\n{web.log.read_text()}")
            time.sleep(0.1)
        people = json.loads((self.folder / "demo-logins.json").read_text())
        at_tables = [person for person in people if person["where"].startswith("signed on")]
        dealing = [Croupier(self.port, person["login"], person["password"]) for person in at_tables]
        self.croupiers = [croupier for croupier in dealing if croupier.table["game"] == "split"]

    def play(self, rounds, told=None):
        """So many rounds at each table at once; gives how long each command took that acts or closes."""
        took = []

        def deal(croupier):
            croupier.rested()
            for _ in range(rounds):
                for seconds in croupier.play():
                    took.append(seconds)
                    if told:
                        told(len(took))

        with ThreadPoolExecutor(len(self.croupiers)) as pool:
            list(pool.map(deal, self.croupiers))
        return took

    def until_settled(self):
        """How long it takes until nothing is due.

        :raises CommandError: if it takes more than a minute.
        """
        begun = time.monotonic()
        for croupier in self.croupiers:
            croupier.rested()
            while not croupier.all_settled():
                if time.monotonic() - begun > SETTLED_WITHIN:
                    raise CommandError(f"A round was not settled {SETTLED_WITHIN} s after the broker was back.")
                time.sleep(0.05)
        return time.monotonic() - begun


class Croupier:
    """Who deals at a table, over one connection."""

    def __init__(self, port, login, password):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=60)
        self.cookies = SimpleCookie()
        self.unsettled = []
        self._ask("GET", "/login/")
        form = {"username": login, "password": password, "csrfmiddlewaretoken": self._token()}
        self._ask("POST", "/login/", urllib.parse.urlencode(form), kind="application/x-www-form-urlencoded")
        self.table = json.loads(self._ask("GET", "/api/v1/tables/"))["tables"][0]

    def rested(self):
        """The web hangs up on a connection that was idle for some seconds: begin another."""
        self.connection.close()

    def play(self):
        """A whole round; yields the seconds of each command that acts or closes."""
        _, round_ = self._command(f"tables/{self.table['id']}/rounds/", {})
        for kind, box, arguments in ROUND:
            told = {"version": round_["version"], "kind": kind, "box": box, "arguments": arguments}
            seconds, round_ = self._command(f"rounds/{round_['id']}/actions/", told)
            yield seconds
        seconds, _ = self._command(f"rounds/{round_['id']}/close/", {"version": round_["version"]})
        self.unsettled.append(round_["id"])
        yield seconds

    def all_settled(self):
        while self.unsettled:
            if json.loads(self._ask("GET", f"/api/v1/rounds/{self.unsettled[-1]}/"))["status"] != "SETTLED":
                return False
            self.unsettled.pop()
        return True

    def _command(self, path, body):
        begun = time.perf_counter()
        answer = self._ask("POST", f"/api/v1/{path}", json.dumps(body), key=str(uuid.uuid4()))
        return time.perf_counter() - begun, json.loads(answer)

    def _token(self):
        return next(morsel.value for name, morsel in self.cookies.items() if name.startswith("csrftoken"))

    def _ask(self, method, path, body=None, *, kind="application/json", key=None):
        headers = {"Cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": kind, "X-CSRFToken": self._token()}
        if key:
            headers["Idempotency-Key"] = key
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
