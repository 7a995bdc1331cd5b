"""How long croupiers' commands take while 200 people log in at once, and while 200 strangers try made-up names.

On a stack of its own, over HTTP: commands at a table's pace, faster than people deal. Whoever is told to come back
does, after the time that the answer names; whoever was answered begins again, so the crowd stays as large as it is. It
is a process of its own, so that it does not hold up those who measure.
"""

import asyncio
import multiprocessing
import re
import secrets
import statistics
import time
import urllib.parse
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.core.management.base import CommandError

from casino.lab.product import HOST, Croupier, percentile
from casino.models import Staff
from casino.running.progress import Progress
from casino.running.trial import TEMPLATE, django_on

from . import night, terminals

MOST_SECONDS, MOST_MB = 0.3, 300
PACE = 1
CROWDS = {"people": "people log in", "strangers": "strangers try made-up names"}
_TOKEN = re.compile(rb'csrfmiddlewaretoken" value="([^"]+)"')
_COOKIE = re.compile(rb"(?i)set-cookie: ([^;]+)")
_RETRY_AFTER = re.compile(rb"(?i)retry-after: ([0-9]+)")


def add_arguments(parser):
    parser.add_argument("--tables", type=int, default=10, help="default: 10")
    parser.add_argument("--crowd", type=int, default=200, help="who log in at once; default: 200")
    parser.add_argument("--rounds", type=int, default=4, help="at each table and for each crowd; default: 4")


def run(out, *, tables, crowd, rounds):
    """:raises CommandError: if a command takes over 0.3 s at p99 beside a crowd, or the web ever holds over 300 MB."""
    progress = Progress(out._out)
    progress.say("Starting a stack of its own ...")
    with Product(tables, crowd) as house:
        house.play(1)
        progress.say(f"{tables} tables, a command a second at each; the web holds {house.peak_mb():.0f} MB at most")
        tails = {"nobody": _tell(progress, "nobody logs in", house.play(rounds))}
        for kind, words in CROWDS.items():
            with Crowd(house.port, kind, crowd) as many:
                tails[kind] = _tell(progress, f"{crowd} {words}", house.play(rounds))
            progress.say(f"  {many.answers()}; the web held {house.peak_mb():.0f} MB at most")
        peak = house.peak_mb()
    worst = max(tails, key=tails.get)
    if tails[worst] > MOST_SECONDS:
        raise CommandError(f"Beside {worst} a command takes more than {1000 * MOST_SECONDS:.0f} ms at p99.")
    if peak > MOST_MB:
        raise CommandError(f"The web held more than {MOST_MB} MB.")


def _tell(progress, words, times):
    median, tail = statistics.median(times), percentile(times, 99)
    progress.say(
        f"{words:<44} {len(times):>5,} commands  median {1000 * median:>4.0f} ms  p99 {1000 * tail:>4.0f} ms"
        f"  slowest {1000 * max(times):>4.0f} ms"
    )
    return tail


class Product(terminals.Product):
    """The stack with a croupier at each table, and people who do nothing but log in."""

    def __init__(self, tables, people):
        super().__init__(tables)
        self.people = people

    def lay_out(self, trial):
        with django_on(trial.environment(TEMPLATE)["DATABASE_URL"]):
            night.lay_out(self.tables, password=terminals.PASSWORD)
            hashed = Staff.objects.get(login="b1").password
            people = [Staff(login=f"p{number}", name=f"Person {number}") for number in range(self.people)]
            for person in people:
                person.password = hashed
            Staff.objects.bulk_create(people)

    def seat(self):
        self.dealing = [Croupier(self.port, f"b{number}", terminals.PASSWORD) for number in range(1, self.tables + 1)]

    def play(self, rounds):
        """Play at all tables at once; gives the seconds of each command."""
        begun = time.perf_counter()

        def deal(place):
            times = []
            for one in range(rounds):
                self.dealing[place].rested()
                times += self.dealing[place].play(terminals.Clock(begun, PACE, place / self.tables, one).wait)
            return times

        with ThreadPoolExecutor(self.tables) as pool:
            return [seconds for times in pool.map(deal, range(self.tables)) for seconds in times]

    def peak_mb(self):
        """The most that the web's process ever held."""
        status = Path(f"/proc/{self.web.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+([0-9]+)", status)[1]) / 1024


class Crowd:
    """Somebody many times over who logs in, until the end of the block."""

    def __init__(self, port, kind, count):
        context = multiprocessing.get_context("spawn")
        self._ready, self._over, self._answers = context.Event(), context.Event(), context.SimpleQueue()
        self._process = context.Process(
            target=_crowd,
            args=(port, kind, count, terminals.PASSWORD, self._ready, self._over, self._answers),
            daemon=True,
        )

    def __enter__(self):
        self._process.start()
        self._ready.wait()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._counts = self._answers.get()
        self._process.join()

    def answers(self):
        """What the crowd was answered, in words."""
        return ", ".join(f"{count} x {status}" for status, count in sorted(self._counts.items())) or "no answer"


def _crowd(port, kind, count, password, ready, over, answers):
    counts = Counter()

    async def attend():
        pages = []
        # Each opens the page before: it is the passwords that come at once.
        for _ in range(count):
            pages.append(_page(await _ask(port, "GET")))
        ready.set()
        await asyncio.gather(*(one(number, *page) for number, page in enumerate(pages)))

    async def one(number, cookie, token):
        while not over.is_set():
            login = f"p{number}" if kind == "people" else secrets.token_hex(8)
            form = urllib.parse.urlencode({"username": login, "password": password, "csrfmiddlewaretoken": token})
            try:
                answer = await _ask(port, "POST", cookie, form)
            except OSError as error:
                counts[type(error).__name__] += 1
                continue
            counts[answer[9:12].decode()] += 1
            wait = _RETRY_AFTER.search(answer)
            until = time.monotonic() + (int(wait[1]) if wait else 0)
            while time.monotonic() < until and not over.is_set():
                await asyncio.sleep(0.1)

    asyncio.run(attend())
    answers.put(dict(counts))


def _page(answer):
    return b"; ".join(_COOKIE.findall(answer)).decode(), _TOKEN.search(answer)[1].decode()


async def _ask(port, method, cookie="", form=""):
    """The whole answer to one request for the login page, over a connection of its own."""
    reader, writer = await asyncio.open_connection(HOST, port)
    head = f"{method} /login/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: {cookie}\r\n"
    if form:
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n"
    writer.write(f"{head}\r\n{form}".encode())
    try:
        return await reader.read()
    finally:
        writer.close()
