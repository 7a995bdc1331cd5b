"""What croupiers at twenty tables wait for: their commands, and the amounts on the screen after a close.

Over HTTP, on a stack of its own, with the terminal's event stream open at each table. First they play one after the
other, for the processor time of each command. Then at a table's pace, faster than people deal: a command a second at
each table. Then each croupier sends as soon as they are answered.
"""

import functools
import http.client
import secrets
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

from django.core.management.base import CommandError

from casino.lab import product
from casino.lab.product import HOST, Croupier, percentile
from casino.running.progress import Progress
from casino.running.trial import ROUND, TEMPLATE, django_on

from ..house import lay_out

PASSWORD = secrets.token_urlsafe()
PACES = {1: "a command a second at each table", 0: "as fast as they are answered"}
SETTLED_WITHIN = 30
SCREEN_MEDIAN, SCREEN_TAIL = 0.060, 0.250


def add_arguments(parser):
    parser.add_argument("--tables", type=int, default=20, help="default: 20")
    parser.add_argument(
        "--rounds", type=int, default=8, help="at each table, at its pace and at full speed; default: 8"
    )
    parser.add_argument("--processes", type=int, default=1, help="of the web; default: 1")


def run(out, *, tables, rounds, processes):
    """:raises CommandError: if from close to settled on the screen takes over 60 ms at the median or 250 ms at p99."""
    progress = Progress(out._out)
    progress.say("Starting a stack of its own ...")
    with Product(tables, processes) as house:
        house.play(1)
        _tell_processor(progress, house.one_by_one(max(1, rounds // 4)))
        progress.say(f"{tables} tables, {rounds} rounds each")
        for pace, words in PACES.items():
            times = house.play(rounds, pace, progress)
            progress.end()
            commands = sum(len(times[what]) for what in ("open", "act", "close"))
            progress.say(f"{words}: {commands / times['seconds'][0]:,.0f} commands/s")
            for what in WHATS:
                _tell(progress, *WHATS[what], times[what])
            if pace:
                paced = times["settled"]
    if statistics.median(paced) > SCREEN_MEDIAN or percentile(paced, 99) > SCREEN_TAIL:
        raise CommandError("From close to settled on the screen takes more than 60 ms at the median or 250 ms at p99.")


WHATS = {
    "act": ("act, answered",),
    "open": ("open, answered",),
    "close": ("close, answered",),
    "settled": ("close answered, to the event that it is settled",),
    "whole": ("close sent, to that event",),
    "shown": ("close sent, to the felt with the amounts",),
}


def _tell_processor(progress, used):
    progress.say("One after the other, processor time of each:")
    for what, (count, web, database) in used.items():
        each = f"web {1000 * web / count:>5.1f} ms  database {1000 * database / count:>4.1f} ms"
        progress.say(f"  {what:<48} {count:>6,} x  {each}")


def _tell(progress, words, times):
    median, tail = statistics.median(times), percentile(times, 99)
    progress.say(f"  {words:<48} {len(times):>6,} x  median {1000 * median:>5.0f} ms  p99 {1000 * tail:>5.0f} ms")


class Product(product.Product):
    """The stack with a number of tables, a croupier and an open stream at each."""

    def __init__(self, tables, web_processes=1):
        super().__init__(web_processes)
        self.tables = tables

    def lay_out(self, trial):
        with django_on(trial.environment(TEMPLATE)["DATABASE_URL"]):
            lay_out(self.tables, password=PASSWORD)

    def seat(self):
        self.dealing = [Dealing(self.port, f"b{number}") for number in range(1, self.tables + 1)]

    def one_by_one(self, rounds):
        """Play the same rounds table after table; return (how many, web's seconds, database's) by command.

        In every second round, an action brings its felt, as to a terminal.
        """
        used = dict.fromkeys(("open", "act", "felt", "act with its felt"), (0, 0, 0))

        def each(what, *calls):
            web, database = self.processor()
            answers = [call() for call in calls]
            web_now, database_now = self.processor()
            more = len(calls), web_now - web, database_now - database
            used[what] = tuple(map(sum, zip(used[what], more, strict=True)))
            return answers

        for with_felt in [False, True] * rounds:
            for dealing in self.dealing:
                dealing.rested()
            running = each("open", *(dealing.open for dealing in self.dealing))
            for kind, box, arguments in ROUND:
                body = {"kind": kind, "box": box, "arguments": arguments}
                acts = zip(self.dealing, running, strict=True)
                what = "act with its felt" if with_felt else "act"
                act = functools.partial(Dealing.act, body=body, with_felt=with_felt)
                running = each(what, *(functools.partial(act, dealing, round_) for dealing, round_ in acts))
                if not with_felt:
                    each("felt", *(dealing.felt for dealing in self.dealing))
            for dealing, round_ in zip(self.dealing, running, strict=True):
                seq = dealing.seen
                dealing.close(round_)
                dealing._until(seq + 2)
        return used

    def play(self, rounds, pace=0, progress=None):
        """Play `rounds` rounds at every table at once; return the seconds by what was waited for."""
        times, done = {what: [] for what in (*WHATS, "seconds")}, []
        begun = time.perf_counter()

        def deal(place):
            dealing = self.dealing[place]
            for one in range(rounds):
                for what, seconds in dealing.play(Clock(begun, pace, place / self.tables, one)):
                    times[what].append(seconds)
                done.append(place)
                if progress:
                    progress.show(len(done), rounds * self.tables, "rounds")

        with ThreadPoolExecutor(self.tables) as pool:
            list(pool.map(deal, range(self.tables)))
        times["seconds"].append(time.perf_counter() - begun)
        return times


class Clock:
    """When a croupier sends the next command: one each `pace` seconds; no two tables in the same place of a round."""

    def __init__(self, begun, pace, share, round_):
        self.pace = pace
        steps = len(ROUND) + 3
        # One more than a round's steps, so that they don't press at the same instant either.
        self.at = begun + pace * (round_ * steps + share * (steps + 1))

    def wait(self):
        self.at += self.pace
        time.sleep(max(0, self.at - time.perf_counter()) if self.pace else 0)


class Dealing(Croupier):
    """A croupier with the stream of the table, who learns from its events how long the table's chain is."""

    def __init__(self, port, login):
        super().__init__(port, login, PASSWORD)
        self.seen, self.seen_at, self.grown = -1, 0.0, threading.Condition()
        self.stream = http.client.HTTPConnection(HOST, port, timeout=60)
        headers = {"Cookie": "; ".join(f"{name}={quote(morsel.value)}" for name, morsel in self.cookies.items())}
        self.stream.request("GET", f"/live/tables/{self.table['id']}/", headers=headers)
        threading.Thread(target=self._listen, args=[self.stream.getresponse()], daemon=True).start()
        self._until(0)

    def _listen(self, answer):
        for line in answer:
            if line.startswith(b"id: "):
                with self.grown:
                    self.seen, self.seen_at = int(line[4:]), time.perf_counter()
                    self.grown.notify_all()

    def _until(self, seq):
        """Wait until an event says that the chain has this length; return when.

        :raises CommandError: if none does within half a minute.
        """
        with self.grown:
            if not self.grown.wait_for(lambda: self.seen >= seq, SETTLED_WITHIN):
                raise CommandError(f"Nothing came over the stream for {SETTLED_WITHIN} s.")
            return self.seen_at

    def open(self):
        return self.command(f"tables/{self.table['id']}/rounds/", {})[1]

    def act(self, round_, body, *, with_felt=False):
        prefer = f"return=minimal, felt={self.table['id']}" if with_felt else "return=minimal"
        return self.command(f"rounds/{round_['id']}/actions/", {"version": round_["version"], **body}, prefer=prefer)[1]

    def close(self, round_):
        return self.command(f"rounds/{round_['id']}/close/", {"version": round_["version"]})[1]

    def felt(self):
        return self.ask("GET", f"/tables/{self.table['id']}/terminal/felt/")

    def play(self, clock):
        """Play a whole round until its amounts are seen; yield (what, seconds)."""
        self.rested()
        seq = self.seen
        clock.wait()
        begun = time.perf_counter()
        round_ = self.open()
        yield "open", time.perf_counter() - begun
        for kind, box, arguments in ROUND:
            clock.wait()
            begun = time.perf_counter()
            round_ = self.act(round_, {"kind": kind, "box": box, "arguments": arguments})
            yield "act", time.perf_counter() - begun
        clock.wait()
        sent = time.perf_counter()
        self.close(round_)
        answered = time.perf_counter()
        seconds = answered - sent
        yield "close", seconds
        # Opening, each action, closing, settling: one entry of the chain each.
        settled = self._until(seq + len(ROUND) + 3)
        yield "settled", max(0, settled - answered)
        yield "whole", settled - sent
        felt = self.felt()
        if b'data-moment="settled"' not in felt:
            raise CommandError("The felt has no amounts after its round was settled.")
        yield "shown", time.perf_counter() - sent
