"""Whether anything gets slower with what is in the database: a thousand transfers against ten million.

Two databases of one cluster have twenty tables each; their rounds are copies of some that were played at six boxes and
settled, with all their rows. On both in turn, commands and the felt go through the whole of Django in this process, and
rounds are settled.
"""

import json
import logging
import secrets
import statistics
import time
import uuid
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.test import Client

from casino.models import Staff
from casino.running.progress import Progress
from casino.running.trial import ROUND, TEMPLATE, Trial, django_on, new_folder
from payouts.models import Transfer
from tables.models import Table
from tables.verbs import settling

from ..house import fill, lay_out
from . import night

FEW, TABLES, DUE = 1_000, 20, 20
MOST_TIMES = 1.2
_DEALERS = ["2s", "9s", "9d", "Ac", "Kh", "Kd", "4c"]
_BOXES = range(1, 7)
_OTHERS = [rank + suit for suit in "shdc" for rank in "23456789TJQKA" if rank + suit not in _DEALERS]
FULL_ROUND = (
    *(("ante", box, {"units": 500 * box}) for box in _BOXES),
    ("close_betting", None, {}),
    ("open_card", None, {"card": _DEALERS[0]}),
    *(("bet", box, {}) for box in _BOXES),
    ("reveal", None, {"cards": _DEALERS[1:5]}),
    ("small_hand", None, {"cards": _DEALERS[5:]}),
    *(
        ("show", box, {"cards": _OTHERS[box * 7 - 7 : box * 7 - 2], "extra": _OTHERS[box * 7 - 2 : box * 7]})
        for box in _BOXES
    ),
)
BACKEND = "tables.people.access.StaffBackend"


def add_arguments(parser):
    parser.add_argument("--transfers", type=int, default=10_000_000, help="in the larger database; default: 10,000,000")
    parser.add_argument("--turns", type=int, default=10, help="how often the databases take turns; default: 10")


def run(out, *, transfers, turns):
    """:raises CommandError: if anything takes more than 1.2 times as long, at the median, with more transfers."""
    progress = Progress(out._out)
    # No line for each request, nor for bells that nobody hears.
    logging.disable(logging.WARNING)
    with new_folder() as folder, ExitStack() as closing:
        progress.say("Starting a stack of its own ...")
        trial = closing.enter_context(Trial(Path(folder)))
        settings.SECRET_KEY = trial.secret_key
        houses = [House(trial, f"transfers_{count}", count, progress) for count in (FEW, transfers)]
        for house in houses:
            house.fill()
        took = {house: {what: [] for what in ("act", "close", "felt", "settle")} for house in houses}
        for turn in range(turns + 1):
            for house in houses if turn % 2 else reversed(houses):
                progress.show(turn, turns, f"{house.count:,} transfers")
                for what, seconds in house.play():
                    if turn:  # the first warms both
                        took[house][what].append(seconds)
        progress.end()
    few, many = (took[house] for house in houses)
    progress.say(f"median, ms            {FEW:>10,} transfers  {transfers:>10,} transfers   times")
    slower = []
    for what, words in {"act": "act", "close": "close", "felt": "felt", "settle": "settle, a round"}.items():
        before, after = (1000 * statistics.median(times[what]) for times in (few, many))
        progress.say(f"{words:<20} {before:>21.2f} {after:>21.2f} {after / before:>7.2f}")
        if after / before > MOST_TIMES:
            slower.append(words)
    if slower:
        raise CommandError(f"More than {MOST_TIMES} times as long: {', '.join(slower)}.")


class House:
    """A database with a number of transfers, of settled rounds all, and the croupiers who play on in it."""

    def __init__(self, trial, name, count, progress):
        self.trial, self.name, self.count, self.progress = trial, name, count, progress

    @contextmanager
    def _entered(self):
        with django_on(self.trial.environment(self.name)["DATABASE_URL"]):
            yield

    def fill(self):
        cluster = self.trial.cluster
        cluster.create_database(self.name, TEMPLATE)
        with self._entered():
            self.tables = lay_out(TABLES, password=secrets.token_urlsafe())
            for number in range(1, TABLES + 1):
                self._play(number, 1, FULL_ROUND)
            settling.settle_due()
            each = -(-self.count // Transfer.objects.exclude(settlement=None).count())
        with cluster.connect("postgres", self.name) as superuser:
            fill(superuser, each, lambda *counts: self.progress.show(*counts, f"filling {self.name}"))

    def play(self):
        """Play a round at one table by commands, and settle some at each; yield (what, seconds)."""
        with self._entered():
            yield from self._play(1, 2, ROUND)
            with self.trial.cluster.connect("postgres", self.name) as superuser:
                waiting = night.wait(superuser, self.tables, DUE)
            night.release(waiting)
            begun = time.perf_counter()
            settled = settling.settle_due()
            yield "settle", (time.perf_counter() - begun) / settled

    def _play(self, number, rounds, actions):
        client, took = Client(headers={"host": "localhost"}), []
        client.force_login(Staff.objects.get(login=f"b{number}"), backend=BACKEND)
        table = Table.objects.get(code=f"B{number}")

        def command(what, path, body):
            key = {"Idempotency-Key": str(uuid.uuid4())}
            begun = time.perf_counter()
            answer = client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=key)
            took.append((what, time.perf_counter() - begun))
            if answer.status_code >= 400:
                raise CommandError(f"{path} was answered by {answer.status_code}: {answer.content[:500]!r}")
            return answer.json()

        for _ in range(rounds):
            played = command("open", f"tables/{table.pk}/rounds/", {})
            for kind, box, arguments in actions:
                body = {"version": played["version"], "kind": kind, "box": box, "arguments": arguments}
                played = command("act", f"rounds/{played['id']}/actions/", body)
                begun = time.perf_counter()
                client.get(f"/tables/{table.pk}/terminal/felt/")
                took.append(("felt", time.perf_counter() - begun))
            command("close", f"rounds/{played['id']}/close/", {"version": played["version"]})
        return [(what, seconds) for what, seconds in took if what != "open"]
