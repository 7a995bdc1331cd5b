"""How long croupiers' commands take while 200 people log in at once, and while 200 strangers try made-up names.

On a stack of its own, over HTTP: commands at a table's pace, faster than people deal. Whoever gets an answer to come
back does so after the time that it names. Each starts anew once answered, so the crowd keeps its size.
"""

import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.core.management.base import CommandError
from django.db import transaction

from casino.lab.crowd import PEOPLE, STRANGERS, Crowd
from casino.lab.product import Croupier, percentile
from casino.models import Staff
from casino.running.progress import Progress
from casino.running.trial import TEMPLATE, django_on
from tables.people import staff

from ..house import employing, lay_out
from . import terminals

MOST_SECONDS, MOST_MB = 0.3, 300
PACE = 1
CROWDS = {PEOPLE: "people log in", STRANGERS: "strangers try made-up names"}


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
            with Crowd(house.port, kind, crowd, terminals.PASSWORD) as many:
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
        with django_on(trial.environment(TEMPLATE)["DATABASE_URL"]), transaction.atomic():
            lay_out(self.tables, password=terminals.PASSWORD)
            hashed = Staff.objects.get(login="b1").password
            people = [
                staff.add(login=f"p{number}", name=f"Person {number}", password=None, actor=employing())
                for number in range(self.people)
            ]
            Staff.objects.filter(pk__in=[person.pk for person in people]).update(password=hashed)

    def seat(self):
        self.dealing = [Croupier(self.port, f"b{number}", terminals.PASSWORD) for number in range(1, self.tables + 1)]

    def play(self, rounds):
        """Play at all tables at once; return the seconds of each command."""
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
