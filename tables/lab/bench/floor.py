"""How long the floor takes with fifty tables: its page, its fragment, and the way from a commit to the tile.

Over HTTP, on a stack of its own: each table has a shift of settled rounds, copies of some with six boxes that it
played. A pit boss's page and its fragment are asked for one after the other; then a round is opened at one table after
another, and the time runs until the pit boss's stream has said so and the fragment that shows it is there.
"""

import http.client
import statistics
import threading
import time
from urllib.parse import quote

from django.core.management.base import CommandError
from django.db import transaction

from casino.lab.product import HOST, Croupier, percentile
from casino.roles import Role
from casino.running.progress import Progress
from casino.running.trial import TEMPLATE, django_on
from tables.models import Table
from tables.people import staff

from ..house import employing, fill
from . import terminals
from .growth import FULL_ROUND

PAGE_SECONDS, TILE_SECONDS = 0.250, 1.0
SETTLED_WITHIN = 60


def add_arguments(parser):
    parser.add_argument("--tables", type=int, default=50, help="default: 50")
    parser.add_argument("--rounds", type=int, default=300, help="of each table in its shift; default: 300")
    parser.add_argument(
        "--times", type=int, default=30, help="how often each is measured, at most once a table; default: 30"
    )


def run(out, *, tables, rounds, times):
    """:raises CommandError: if the page takes over 250 ms at the median, or a tile over 1 s from its commit."""
    progress = Progress(out._out)
    progress.say("Starting a stack of its own ...")
    with House(tables) as house:
        house.play(rounds, lambda *counts: progress.show(*counts, "rounds"))
        progress.end()
        took = {}
        for words, path in {"page": "/", "fragment": "/floor/now/"}.items():
            house.ask(path)
            took[words] = [house.seconds(path) for _ in range(times)]
            _tell(progress, words, took[words])
        took["tile"] = [house.until_its_tile(number) for number in range(times)]
        _tell(progress, "commit to tile", took["tile"])
    if statistics.median(took["page"]) > PAGE_SECONDS or percentile(took["tile"], 99) > TILE_SECONDS:
        raise CommandError("The page takes more than 250 ms at the median, or a tile more than 1 s at p99.")


def _tell(progress, words, times):
    median, tail = statistics.median(times), percentile(times, 99)
    progress.say(f"{words:<16} {len(times):>4} x  median {1000 * median:>5.0f} ms  p99 {1000 * tail:>5.0f} ms")


class House(terminals.Product):
    """The stack with its tables, their croupiers, and a pit boss who looks at the floor."""

    def lay_out(self, trial):
        super().lay_out(trial)
        with django_on(trial.environment(TEMPLATE)["DATABASE_URL"]), transaction.atomic():
            boss = staff.add(login="boss", name="Pit Boss", password=terminals.PASSWORD, actor=employing())
            staff.post(staff=boss, role=Role.PIT_BOSS, pit=Table.objects.get(code="B1").pit, actor=employing())

    def seat(self):
        super().seat()
        self.boss = Croupier(self.port, "boss", terminals.PASSWORD)
        self.heard = threading.Event()
        stream = http.client.HTTPConnection(HOST, self.port, timeout=60)
        cookies = "; ".join(f"{name}={quote(morsel.value)}" for name, morsel in self.boss.cookies.items())
        stream.request("GET", "/live/floor/tables/", headers={"Cookie": cookies})
        threading.Thread(target=self._listen, args=[stream.getresponse()], daemon=True).start()

    def _listen(self, answer):
        for line in answer:
            if line.startswith(b"event: changed"):
                self.heard.set()

    def play(self, rounds, tick):
        """Play a round with six boxes at each table, settle it, and copy it."""
        for dealing in self.dealing:
            dealing.rested()
            seq, round_ = dealing.seen, dealing.open()
            for kind, box, arguments in FULL_ROUND:
                round_ = dealing.act(round_, {"kind": kind, "box": box, "arguments": arguments})
            dealing.close(round_)
            dealing._until(seq + len(FULL_ROUND) + 3)
        with self.cluster.connect("postgres", TEMPLATE) as superuser:
            fill(superuser, rounds, tick)

    def ask(self, path):
        self.boss.rested()
        return self.boss.ask("GET", path)

    def seconds(self, path):
        begun = time.perf_counter()
        self.ask(path)
        return time.perf_counter() - begun

    def until_its_tile(self, number):
        """The time from the answer to a command that opens a round until its table's tile shows it, after the stream.

        :raises CommandError: if it does not within a minute.
        """
        dealing = self.dealing[number % self.tables]
        dealing.rested()
        time.sleep(0.5)
        self.heard.clear()
        dealing.open()
        begun = time.perf_counter()
        while self.heard.wait(SETTLED_WITHIN):
            self.heard.clear()
            if b'data-state="playing"' in self._tile(self.ask("/floor/now/"), dealing.table["id"]):
                return time.perf_counter() - begun
        raise CommandError(f"The round of table {dealing.table['id']} came to no tile.")

    @staticmethod
    def _tile(page, number):
        return page.partition(f'id="tile-{number}"'.encode())[2].partition(b"</a>")[0]
