"""How fast a worker settles waiting rounds, compared with the most that the database could do.

The limit is one call of a function in the database for each round, which locks the round and writes the same rows, over
eight connections (`limit.py`). It and the real worker with its two processes take turns on the same database, once with
many rounds due at each table, once with a single one at each of many tables, so that every round has its own
transaction. Rounds are recorded ones (`night.py`).
"""

import time
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from statistics import median

import psutil
from celery import Celery
from django.core.management.base import CommandError
from django.db import connection

from casino.lab import processor
from casino.running import stack
from casino.running.progress import Progress
from casino.running.trial import TEMPLATE, Trial, django_on, new_folder
from tables.verbs import settling

from ..house import lay_out
from . import limit, night

DUE, TABLES, SINGLE = 20, 50, 400
BATCHED, ONE_BY_ONE = "batched", "one by one"
AT_LEAST = {BATCHED: 0.8, ONE_BY_ONE: 0.5}
SETTLED_WITHIN = 120


def add_arguments(parser):
    parser.add_argument("--turns", type=int, default=5, help="how often limit and worker take turns; default: 5")


def run(out, *, turns):
    """:raises CommandError: if the worker manages less of the limit than it should, at the median of the turns."""
    progress = Progress(out._out)
    measured = {how: [] for how in AT_LEAST}
    with new_folder() as folder, ExitStack() as closing:
        progress.say("Starting a stack of its own ...")
        floor = closing.enter_context(Floor(Path(folder)))
        progress.say(f"Laying out {SINGLE} tables ...")
        tables = lay_out(SINGLE)
        kinds = {BATCHED: (tables[:TABLES], DUE), ONE_BY_ONE: (tables, 1)}
        for _ in range(3):
            floor.by_worker(night.wait(floor.superuser, tables, 5))
            floor.superuser.execute(
                "VACUUM (ANALYZE)"
            )  # as autovacuum does it on a house that has been open for a while
        for turn in range(turns):
            for how, (places, each) in kinds.items():
                progress.show(turn, turns, how)
                measured[how].append(floor.turn(places, each, first=turn % 2 == 0))
        progress.end()
        _tell(progress, measured)
        _tell_parts(progress, night.wait(floor.superuser, tables[:TABLES], DUE))
    for how, turns_ in measured.items():
        if (reached := _ratio(turns_)) < AT_LEAST[how]:
            raise CommandError(f"Settling {how} reaches {reached:.2f} of the limit, less than {AT_LEAST[how]}.")


class Took:
    """What settling some rounds took: wall time, and processor time of the settling processes and of the database."""

    def __init__(self, rounds, seconds, client, server):
        self.rounds, self.seconds, self.client, self.server = rounds, seconds, client, server

    @property
    def rate(self):
        return self.rounds / self.seconds


def _ratio(turns):
    return median(worker.rate / bound.rate for bound, worker in turns)


def _tell(progress, measured):
    progress.say("             rounds/s: slowest, median, fastest   CPU a round: client    server   of the limit")
    for how, turns in measured.items():
        for who, took in zip(("limit", "worker"), zip(*turns, strict=True), strict=True):
            rates = sorted(one.rate for one in took)
            client, server = (
                1000 * sum(getattr(one, part) for one in took) / sum(one.rounds for one in took)
                for part in ("client", "server")
            )
            share = f"   {_ratio(turns):.2f} (at least {AT_LEAST[how]})" if who == "worker" else ""
            progress.say(
                f"{how:<10} {who:<6} {rates[0]:>10,.0f} {median(rates):>8,.0f} {rates[-1]:>8,.0f}"
                f" {client:>21.2f} ms {server:>6.2f} ms{share}"
            )


def _tell_parts(progress, rounds):
    """Say where the time goes: settle the same in this process, alone, statement by statement."""
    parts = {}

    def timed(execute, sql, params, many, context):
        begun = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            words = sql.replace('"', "").split()
            name = " ".join(words[:3] if words[0] in {"INSERT", "SELECT"} else words[:2])
            name = f"{name} (lease)" if "leases + 1" in sql else name
            parts[name] = parts.get(name, 0) + time.perf_counter() - begun

    night.release(rounds)
    commit = connection._commit
    begun, used = time.perf_counter(), time.process_time()

    def committing():
        since = time.perf_counter()
        commit()
        parts["COMMIT"] = parts.get("COMMIT", 0) + time.perf_counter() - since

    connection._commit = committing
    try:
        with connection.execute_wrapper(timed):
            settling.settle_due()
    finally:
        del connection._commit
    whole, own = time.perf_counter() - begun, time.process_time() - used
    progress.say(f"Where the time goes, {len(rounds):,} rounds in one process, {DUE} a transaction, ms a round:")
    for name, seconds in sorted(parts.items(), key=lambda part: -part[1]):
        if seconds > whole / 100:
            progress.say(f"  {1000 * seconds / len(rounds):6.3f}  {name}")
    progress.say(
        f"  {1000 * (whole - sum(parts.values())) / len(rounds):6.3f}  between statements: games and log in Python"
    )
    progress.say(
        f"  {1000 * whole / len(rounds):6.3f}  in all; {1000 * own / len(rounds):.3f} of it this process's CPU"
    )


class Floor:
    """The stack of one run: a database of its own, the worker on it."""

    def __init__(self, folder):
        self.folder = folder
        self._closing = ExitStack()

    def __enter__(self):
        try:
            self.trial = trial = self._closing.enter_context(Trial(self.folder))
            self.env = env = trial.environment(TEMPLATE)
            self.url = env["DATABASE_URL"]
            self._closing.enter_context(django_on(self.url))
            self.superuser = self._closing.enter_context(trial.cluster.connect("postgres", TEMPLATE))
            self.superuser.execute(limit.SCHEMA)
            self.cluster = trial.cluster
            self.worker = stack.worker(log=self.folder, env=env)
            self._closing.callback(self.worker.stop)
            self.worker.start()
            self.bell = self._closing.enter_context(Celery(broker=env["BROKER_URL"]))
        except BaseException:
            self._closing.close()
            raise
        return self

    def __exit__(self, *_):
        self._closing.close()

    def turn(self, tables, each, *, first):
        """Time limit and worker, one after the other, on equally many rounds of the same tables: (Took, Took)."""
        ways = {
            self.by_limit: night.wait(self.superuser, tables, each),
            self.by_worker: night.wait(self.superuser, tables, each),
        }
        took = {way: way(ways[way]) for way in (ways if first else reversed(ways))}
        return took[self.by_limit], took[self.by_worker]

    def by_limit(self, rounds):
        limit.prepare([waiting.id for waiting in rounds])
        places = [list(of_table) for _, of_table in groupby(rounds, key=lambda waiting: waiting.table_id)]
        used, served = time.process_time(), self._served()
        seconds = limit.settle(self.url, [[waiting.id for waiting in place] for place in places])
        return Took(len(rounds), seconds, time.process_time() - used, self._served() - served)

    def by_worker(self, rounds):
        """Time the worker from when the rounds are due and the bell rings until none is left."""
        used, served, begun = self._used(), self._served(), time.perf_counter()
        night.release(rounds)
        for _ in range(2):
            self.bell.send_task("tables.tasks.settle_due", queue=stack.SETTLEMENT)
        while night.waits():
            if time.perf_counter() - begun > SETTLED_WITHIN:
                raise CommandError(f"Not all rounds were settled within {SETTLED_WITHIN} s.")
            time.sleep(0.01)
        seconds = time.perf_counter() - begun
        return Took(len(rounds), seconds, self._used() - used, self._served() - served)

    def _used(self):
        """Processor seconds of the worker's processes so far."""
        return processor.used(*psutil.Process(self.worker.process.pid).children(recursive=True))

    def _served(self):
        """Processor seconds of the database server so far."""
        return processor.of_database(self.cluster)
