"""What sealing costs settlement, and how soon an entry is sealed at thirty rounds a second.

The worker settles waiting rounds, in turn with and without the sealer at work beside it; what is left unsealed is
sealed between the turns. Then whole rounds' entries are written at a steady pace to twenty chains while beat rings, and
the time from each commit to the checkpoint that covers it is read from the database.
"""

import threading
import time
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles

from django.core.management.base import CommandError
from django.db import connection, transaction

from audit import log
from casino.running import stack
from casino.running.progress import Progress
from casino.running.trial import new_folder
from tables.models import Table

from ..house import lay_out
from . import night
from .settlement import Floor as SettlementFloor
from .settlement import Took

TABLES, DUE = 50, 60
AT_LEAST = 0.9
ROUNDS_A_SECOND, WITHIN_SECONDS, CHAINS = 30, 2.0, 20
PATIENCE = 60


def add_arguments(parser):
    parser.add_argument("--turns", type=int, default=6, help="how often with and without take turns; default: 6")
    parser.add_argument("--seconds", type=int, default=30, help="how long entries are written at a pace; default: 30")


def run(out, *, turns, seconds):
    """:raises CommandError: if sealing costs more, or an entry waits longer, than it may."""
    progress = Progress(out._out)
    with new_folder() as folder:
        progress.say("Starting a stack of its own ...")
        with Floor(Path(folder)) as floor:
            tables = lay_out(TABLES)
            for _ in range(2):
                floor.by_worker(night.wait(floor.superuser, tables, DUE))
                floor.seal_all()
                floor.superuser.execute("VACUUM (ANALYZE)")
            took = {True: [], False: []}
            for turn in range(turns):
                for sealing in (True, False) if turn % 2 else (False, True):
                    progress.show(turn, turns, "with the sealer" if sealing else "without")
                    took[sealing].append(floor.turn_with(night.wait(floor.superuser, tables, DUE), sealing))
            progress.end()
            ratio = _tell_cost(progress, took)
            waits = floor.waits(seconds, tables[:CHAINS])
    cuts = quantiles(waits, n=100)
    progress.say(
        f"{len(waits):,} rounds' entries at {ROUNDS_A_SECOND} rounds a second, from commit to checkpoint:"
        f" median {median(waits):.2f} s, p99 {cuts[98]:.2f} s, longest {max(waits):.2f} s (at most {WITHIN_SECONDS} s)"
    )
    if ratio < AT_LEAST:
        raise CommandError(f"With the sealer settling reaches {ratio:.2f} of what it does without, not {AT_LEAST}.")
    if max(waits) > WITHIN_SECONDS:
        raise CommandError(f"An entry waited {max(waits):.2f} s for its seal, more than {WITHIN_SECONDS} s.")


def _tell_cost(progress, took):
    for sealing, turns in sorted(took.items()):
        rates = sorted(one.rate for one in turns)
        progress.say(
            f"{'with the sealer' if sealing else 'without':<16} {rates[0]:,.0f} {median(rates):,.0f} {rates[-1]:,.0f}"
            " rounds/s (slowest, median, fastest)"
        )
    ratio = median(with_.rate / without.rate for with_, without in zip(took[True], took[False], strict=True))
    progress.say(f"with the sealer {ratio:.2f} of without, pair by pair at the median (at least {AT_LEAST})")
    return ratio


class Floor(SettlementFloor):
    """The settlement's floor with the sealer on it."""

    def __enter__(self):
        super().__enter__()
        try:
            self.sealer = stack.worker(log=self.folder, env=self.env, queues=(stack.LOG,))
            self._closing.callback(self.sealer.stop)
            self.trial.manage("keys", "make", env=self.env)
            self.sealer.start()
            self.seal_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def ring(self):
        self.bell.send_task("audit.tasks.seal", queue=stack.LOG, expires=5)

    def seal_all(self):
        begun = time.monotonic()
        while _unsealed():
            if time.monotonic() - begun > PATIENCE:
                raise CommandError(f"Not all was sealed within {PATIENCE} s.")
            self.ring()
            time.sleep(0.2)

    def turn_with(self, rounds, sealing) -> Took:
        """Settle these rounds, ringing the sealer each second or not at all."""
        over = threading.Event()
        if sealing:
            threading.Thread(target=self._ring_each_second, args=[over], daemon=True).start()
        try:
            return self.by_worker(rounds)
        finally:
            over.set()
            self.seal_all()

    def _ring_each_second(self, over):
        while not over.wait(1):
            self.ring()

    def waits(self, seconds, tables):
        """Seconds from the commit of a round's entries to their checkpoint, for rounds at a steady pace."""
        beat = stack.beat(log=self.folder, env=self.env, schedule=self.folder / "beat-schedule")
        self._closing.callback(beat.stop)
        beat.start()
        written = []
        chains = cycle(Table.objects.filter(pk__in=tables))
        records = night.a_round()
        # Until beat rings.
        while _unsealed():
            time.sleep(0.1)
        begun = time.monotonic()
        for number in range(seconds * ROUNDS_A_SECOND):
            time.sleep(max(0, begun + number / ROUNDS_A_SECOND - time.monotonic()))
            chain = next(chains).ref
            with transaction.atomic():
                log.record_all(chain, records)
            written.append((chain, _now()))
        self.seal_all()
        return [sealed - at for (_, at), sealed in zip(written, _sealed_at(written, len(records)), strict=True)]


def _unsealed():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT sum(seq) FROM audit_chain) - coalesce((SELECT max(size) FROM audit_checkpoint), 0)"
        )
        return cursor.fetchone()[0]


def _now():
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        return cursor.fetchone()[0]


def _sealed_at(written, entries):
    """When the checkpoint was signed that first covers the last entry of each batch."""
    seqs = {}
    with connection.cursor() as cursor:
        for chain, _ in reversed(written):
            if chain not in seqs:
                cursor.execute("SELECT seq FROM audit_chain WHERE key = %s", [chain])
                seqs[chain] = cursor.fetchone()[0]
        places = []
        for chain, _ in reversed(written):
            places.append((chain, seqs[chain]))
            seqs[chain] -= entries
        for chain, seq in reversed(places):
            cursor.execute(
                "SELECT extract(epoch FROM at)::float8 FROM audit_checkpoint WHERE size >"
                " (SELECT index FROM audit_leaf WHERE chain_id = %s AND seq = %s) ORDER BY size LIMIT 1",
                [chain, seq],
            )
            yield cursor.fetchone()[0]
