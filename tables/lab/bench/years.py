"""Whether a report gets slower with what is in the database: each of them over one gaming day of 20 tables, with few
days behind it and with years.

A night is played: openers, drop boxes, fills, rounds at six boxes, closers, counts, the closing of the day. Its rounds
are copied until the day has its transfers. Two databases of one cluster have that day, and copies of it before it.
"""

import secrets
import statistics
import time
from contextlib import contextmanager

from casino.models import Casino, ChipSet
from casino.roles import Role
from casino.running.trial import TEMPLATE, django_on
from payouts.models import Transfer
from tables.models import DropBox, GamingDay, Round, Session, Table
from tables.reports import screens
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import settling

from ..days import number_from_here, repeat
from ..house import fill, lay_out, of_role
from ..month import house
from . import growth

MOST_SECONDS, MOST_TIMES = 0.2, 2
TABLES = growth.TABLES
# All fold after the open card, so that tables win more than they pay.
FOLDED = (
    *growth.FULL_ROUND[:8],
    *(("fold", box, {}) for box in range(1, 7)),
    ("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}),
)


class Night(growth.House):
    """A house in which one gaming day was played and closed."""

    def fill(self):
        cluster = self.trial.cluster
        cluster.create_database(self.name, TEMPLATE)
        with cluster.connect("postgres", self.name) as superuser, self._entered():
            casino, chips = Casino.objects.get(), ChipSet.objects.get().denominations
            # The demo's own tables and its cage's shift are not part of the copies.
            _close_tables()
            house.counts_cage(0, "", chips)
            number_from_here(superuser)
            house.opens_cage()
            lay_out(TABLES, password=secrets.token_urlsafe())
            for number in range(1, TABLES + 1):
                self.progress.show(number, TABLES, "a night is played")
                self._work(number)
            settling.settle_due()
            each = -(-self.count // Transfer.objects.exclude(settlement=None).count())
            fill(superuser, each, lambda *counts: self.progress.show(*counts, "rounds are copied"))
            _close_tables()
            for drop_box in DropBox.objects.waiting():
                house.counts_drop(drop_box, 0, "", casino.cash_denominations)
            house.counts_cage(0, "", chips)
            begun = time.perf_counter()
            house.closes_day(GamingDay.objects.latest("date").date)
            self.closing = time.perf_counter() - begun

    def _work(self, number):
        """What happens at a table in a night before its rounds are copied."""
        place = house.Place(Table.objects.select_related("pit").get(code=f"B{number}"))
        place.croupier = f"b{number}"
        place.mounts(str(100 + number), f"S-{number}")
        place.buys_in(1, 20_000)
        house.received(place, house.issued(place, house.asked(place, "fill", {"2500": 100, "10000": 100})))
        place.takes_box()
        self._play(number, 1, growth.FULL_ROUND)
        self._play(number, 2, FOLDED)


def _close_tables():
    for session in Session.objects.running().select_related("table__pit", "table__chip_set"):
        place = house.Place(session.table)
        place.opens()
        place.closes(0, "")


class Year:
    """A house with as many copies of a night behind it as its number of transfers takes."""

    def __init__(self, night, name, count):
        self.night, self.name, self.count = night, name, count

    @contextmanager
    def _entered(self):
        with django_on(self.night.trial.environment(self.name)["DATABASE_URL"]):
            yield

    def fill(self):
        cluster, progress = self.night.trial.cluster, self.night.progress
        cluster.create_database(self.name, self.night.name)
        with cluster.connect("postgres", self.name) as superuser, self._entered():
            days = max(0, round(self.count / Transfer.objects.count()) - 1)
            repeat(superuser, days, lambda *counts: progress.show(*counts, f"days of {self.name}"))

    def look(self):
        """The page of each report over the newest day, as an administrator sees it; yields (report, seconds)."""
        with self._entered():
            date, reader = GamingDay.objects.latest("date").date, of_role(Role.ADMINISTRATOR)
            for name, report in REPORTS.items():
                begun = time.perf_counter()
                screens.shown(report, Period(date, date), reader, {}, 1)
                yield name, time.perf_counter() - begun

    def size(self):
        """How large the house is, in words."""
        with self._entered():
            return (
                f"{Transfer.objects.count():,} transfers, {Round.objects.count():,} rounds,"
                f" {GamingDay.objects.count():,} days"
            )


def measured(trial, progress, *, transfers, few, days, turns):
    """Say what each report takes in a house of `few` transfers and in one of `transfers` over `days` gaming days;
    return the names of those that take too long."""
    night = Night(trial, "night", -(-transfers // days), progress)
    night.fill()
    years = [Year(night, f"transfers_{count}", count) for count in (few, transfers)]
    for year in years:
        year.fill()
    took = {year: {} for year in years}
    for turn in range(turns + 1):
        for year in years if turn % 2 else reversed(years):
            progress.show(turn, turns, f"{year.count:,} transfers")
            for name, seconds in year.look():
                if turn:  # the first warms both
                    took[year].setdefault(name, []).append(seconds)
    progress.end()
    for year in years:
        progress.say(year.size())
    progress.say(f"A day was closed in {1000 * night.closing:.0f} ms, figures of {TABLES} sessions and all.")
    slow = []
    progress.say(f"{'the page of a day, median, ms':<34}{few:>12,}{transfers:>14,}   times")
    for name in REPORTS:
        before, after = (statistics.median(took[year][name]) for year in years)
        progress.say(f"{name:<34}{1000 * before:>12.1f}{1000 * after:>14.1f}{after / before:>8.2f}")
        if after > MOST_SECONDS or after > MOST_TIMES * before:
            slow.append(name)
    return slow
