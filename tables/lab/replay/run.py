"""A replay from its file to its verdict, with the progress that a person watches."""

import time
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, connection

from casino import outages
from casino.errors import Refused
from casino.running.progress import Progress

from . import comparison, pit, recording
from .play import OUT_OF_REACH, Croupiers

ASK_SECONDS = 0.25
# After the first number of seconds without a settlement a line says so; after the second, at the end, the replay gives
# up.
SILENCE_SECONDS, PATIENCE_SECONDS = 10, 300
MOST_TOLD = 20


class Count(NamedTuple):
    """How far a night has come: rounds closed, settled, and waiting for settlement (held ones don't)."""

    closed: int
    settled: int
    waiting: int


class Night:
    """One file at its tables."""

    def __init__(self, recorded, places, progress):
        self.recording, self.places, self.progress = recorded, places, progress
        self.of = len(recorded.lines)
        self.settled, self.settled_at, self.warned = 0, time.monotonic(), False

    def count(self):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FILTER (WHERE status <> 'OPEN'), count(*) FILTER (WHERE status = 'SETTLED'),"
                " count(*) FILTER (WHERE status = 'CLOSED' AND held_at IS NULL)"
                " FROM tables_round WHERE table_id = ANY(%s)",
                [[place.table.pk for place in self.places]],
            )
            return Count(*cursor.fetchone())

    def play(self):
        """Play what is left; return how many rounds that was and the seconds that they took."""
        before, begun = self.count().closed, time.monotonic()
        with Croupiers(self.recording, self.places) as croupiers:
            while croupiers.playing():
                now = self.count()
                played = now.closed - before
                rate = played / (time.monotonic() - begun)
                self.progress.show(now.closed, self.of, f"{rate:.1f} rounds/s", f"unsettled: {now.waiting}")
                self._heed(now)
                time.sleep(ASK_SECONDS)
        seconds = time.monotonic() - begun
        return self.count().closed - before, seconds

    def wait(self):
        """Wait until nothing waits for settlement.

        :raises Refused: if nothing was settled for PATIENCE_SECONDS.
        """
        self.settled_at = time.monotonic()
        while (now := self.count()).waiting:
            self.progress.show(now.settled, self.of, "settled")
            if self._heed(now) > PATIENCE_SECONDS:
                raise Refused(
                    "not_settled",
                    f"{_waiting(now.waiting)}, and none was settled for {PATIENCE_SECONDS} s.",
                    way_out="Start the product (`make up`) or settle them (`manage.py settle`); then the same command"
                    " compares.",
                )
            time.sleep(ASK_SECONDS)

    def _heed(self, now):
        """Say once that nobody settles; return for how many seconds nothing was settled, though rounds wait."""
        if now.settled != self.settled or not now.waiting:
            self.settled, self.settled_at = now.settled, time.monotonic()
        silent = time.monotonic() - self.settled_at
        if silent > SILENCE_SECONDS and not self.warned:
            self.warned = True
            self.progress.say(
                f"  Nothing was settled for {SILENCE_SECONDS} s: does the worker run? `make up` with this DATA_DIR"
                " starts it; the rounds wait for it."
            )
        return silent


def run(path, *, tables, out):
    """Play a file over this many tables, or what is left of it, and compare.

    :returns: the differences, as sentences.
    :raises Refused: if the file, the casino or the number of tables is wrong, or the night can't go on.
    """
    progress = Progress(out)
    try:
        pit.check()
        recorded = recording.read(path, lambda done, of: progress.show(done, of, "lines read"))
        pit.edge_known(recorded, progress)
        night = Night(recorded, pit.of(recorded, tables), progress)
        return _through(night)
    except (OperationalError, InterfaceError) as error:
        if not outages.out_of_reach(error):
            raise
        raise Refused(**OUT_OF_REACH) from None
    finally:
        progress.end()


def _through(night):
    progress, begun_with = night.progress, night.count().closed
    before = f", {begun_with:,} of them played before" if begun_with else ""
    progress.say(
        f"{night.of:,} rounds of {night.recording.name}{before}; {len(night.places)} tables in the pit"
        f" {night.places[0].table.pit}."
    )
    played, seconds = night.play() if begun_with < night.of else (0, 0)
    night.wait()
    compared = comparison.compare(
        night.recording, night.places, lambda done, of: progress.show(done, of, "tables compared")
    )
    progress.end()
    _report(night, compared, played, seconds)
    return compared.differences


def _report(night, compared, played, seconds):
    progress, differences = night.progress, compared.differences
    count = f"{len(differences)} {'difference' if len(differences) == 1 else 'differences'}"
    progress.say(f"{night.of:,} rounds, {count}.")
    for what in differences[:MOST_TOLD]:
        progress.say(f"  {what}")
    if len(differences) > MOST_TOLD:
        progress.say(f"  and {len(differences) - MOST_TOLD:,} more")
    progress.say(
        f"Compared: {compared.payments:,} payments with adjudicate, {compared.transfers:,} transfers with the payments,"
        f" the balances of {len(night.places)} tables, {compared.chains} chains."
    )
    if played:
        progress.say(f"Played {played:,} rounds in {seconds:.0f} s: {played / seconds:.1f} rounds per second.")
    if night.count().settled:
        times = comparison.times(night.places)
        progress.say(
            f"Close to settled: median {1000 * times.median:.0f} ms, 99th percentile {1000 * times.p99:.0f} ms."
        )


def _waiting(count):
    """
    >>> _waiting(1)
    '1 round waits for settlement'
    """
    return f"{count:,} {'round waits' if count == 1 else 'rounds wait'} for settlement"
