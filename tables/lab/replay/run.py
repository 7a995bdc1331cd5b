"""A replay from its file to its verdict, with what the person who watches sees."""

import time
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, connection

from casino import outages
from casino.errors import Refused
from casino.running.progress import Screen

from . import comparison, floor, recording
from .play import OUT_OF_REACH, Croupiers

ASK_SECONDS = 0.25
# So long without a settlement is worth a word; so long at the end is the end.
SILENCE_SECONDS, PATIENCE_SECONDS = 10, 300
MOST_TOLD = 20


class Progress(NamedTuple):
    """How far a night has come: rounds closed, settled, and waiting for settlement, which held ones do not."""

    closed: int
    settled: int
    waiting: int


class Night:
    """One file at its tables, on a screen."""

    def __init__(self, found, places, screen):
        self.recording, self.places, self.screen = found, places, screen
        self.of = len(found.lines)
        self.settled, self.settled_at, self.warned = 0, time.monotonic(), False

    def progress(self):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FILTER (WHERE status <> 'OPEN'), count(*) FILTER (WHERE status = 'SETTLED'),"
                " count(*) FILTER (WHERE status = 'CLOSED' AND held_at IS NULL)"
                " FROM tables_round WHERE table_id = ANY(%s)",
                [[place.table.pk for place in self.places]],
            )
            return Progress(*cursor.fetchone())

    def play(self):
        """Play what is left; gives how many rounds that were and the seconds they took."""
        before, begun = self.progress().closed, time.monotonic()
        with Croupiers(self.recording, self.places) as croupiers:
            while croupiers.playing():
                now = self.progress()
                played = now.closed - before
                rate = played / (time.monotonic() - begun)
                self.screen.show(now.closed, self.of, f"{rate:.1f} rounds/s", f"unsettled: {now.waiting}")
                self._heed(now)
                time.sleep(ASK_SECONDS)
        seconds = time.monotonic() - begun
        return self.progress().closed - before, seconds

    def wait(self):
        """Until nothing waits for settlement.

        :raises Refused: if nothing was settled for PATIENCE_SECONDS.
        """
        self.settled_at = time.monotonic()
        while (now := self.progress()).waiting:
            self.screen.show(now.settled, self.of, "settled")
            if self._heed(now) > PATIENCE_SECONDS:
                raise Refused(
                    "not_settled",
                    f"{_waiting(now.waiting)}, and none was settled for {PATIENCE_SECONDS} s.",
                    way_out="Start the product (`make up`) or settle them (`manage.py settle`); then the same command"
                    " compares.",
                )
            time.sleep(ASK_SECONDS)

    def _heed(self, now):
        """Say once that nobody settles; gives for how many seconds nothing was, though rounds wait."""
        if now.settled != self.settled or not now.waiting:
            self.settled, self.settled_at = now.settled, time.monotonic()
        silent = time.monotonic() - self.settled_at
        if silent > SILENCE_SECONDS and not self.warned:
            self.warned = True
            self.screen.say(
                f"  Nothing was settled for {SILENCE_SECONDS} s: does the worker run? `make up` with this DATA_DIR"
                " starts it; the rounds wait for it."
            )
        return silent


def run(path, *, tables, out):
    """Play a file over so many tables, or what is left of it, and compare.

    :returns: the differences, as sentences.
    :raises Refused: if the file, the casino or the number of tables is wrong, or the night can't go on.
    """
    screen = Screen(out)
    try:
        floor.check()
        found = recording.read(path, lambda done, of: screen.show(done, of, "lines read"))
        night = Night(found, floor.of(found, tables), screen)
        return _through(night)
    except (OperationalError, InterfaceError) as error:
        if not outages.out_of_reach(error):
            raise
        raise Refused(**OUT_OF_REACH) from None
    finally:
        screen.end()


def _through(night):
    screen, begun_with = night.screen, night.progress().closed
    before = f", {begun_with:,} of them played before" if begun_with else ""
    screen.say(
        f"{night.of:,} rounds of {night.recording.name}{before}; {len(night.places)} tables in the pit"
        f" {night.places[0].table.pit}."
    )
    played, seconds = night.play() if begun_with < night.of else (0, 0)
    night.wait()
    compared = comparison.compare(
        night.recording, night.places, lambda done, of: screen.show(done, of, "tables compared")
    )
    screen.end()
    _report(night, compared, played, seconds)
    return compared.differences


def _report(night, compared, played, seconds):
    screen, differences = night.screen, compared.differences
    count = f"{len(differences)} {'difference' if len(differences) == 1 else 'differences'}"
    screen.say(f"{night.of:,} rounds, {count}.")
    for what in differences[:MOST_TOLD]:
        screen.say(f"  {what}")
    if len(differences) > MOST_TOLD:
        screen.say(f"  and {len(differences) - MOST_TOLD:,} more")
    screen.say(
        f"Compared: {compared.payments:,} payments with adjudicate, {compared.transfers:,} transfers with the payments,"
        f" the balances of {len(night.places)} tables, {compared.chains} chains."
    )
    if played:
        screen.say(f"Played {played:,} rounds in {seconds:.0f} s: {played / seconds:.1f} rounds per second.")
    if night.progress().settled:
        times = comparison.times(night.places)
        screen.say(f"Close to settled: median {1000 * times.median:.0f} ms, 99th percentile {1000 * times.p99:.0f} ms.")


def _waiting(count):
    """
    >>> _waiting(1)
    '1 round waits for settlement'
    """
    return f"{count:,} {'round waits' if count == 1 else 'rounds wait'} for settlement"
