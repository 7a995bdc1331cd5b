"""Whether a report gets slower with what is in the database: each of them over one gaming day of 20 tables, with few
days behind it and with years.

A night is played: openers, drop boxes, fills, rounds at six boxes, closers, counts, the closing of the day. Its rounds
are copied until the day has its transfers. Two databases of one cluster have that day, and copies of it before it.
"""

import secrets
import statistics
import time
from contextlib import contextmanager

from django.db import transaction

from audit.log import Actor
from casino.roles import Role
from casino.running.trial import TEMPLATE, django_on
from payouts import ledger
from payouts.models import Account, Transfer
from tables.models import DropBox, GamingDay, Posting, Round, Session, Table
from tables.reports import screens
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import buy_ins, cage, days, drop_boxes, drops, settling, slips

from .. import counting
from ..days import number_from_here, repeat
from ..house import fill, lay_out, of_role
from . import growth

MOST_SECONDS, MOST_TIMES = 0.2, 2
TABLES = growth.TABLES
# All fold behind the open card, so that tables win more than they pay.
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
            # The demo's own tables and the shift of its cage have no part in the copies.
            _close_tables(of_role(Role.CAGE))
            _close_cage(of_role(Role.CAGE), of_role(Role.COUNT_TEAM))
            number_from_here(superuser)
            self.tables = lay_out(TABLES, password=secrets.token_urlsafe())
            boss, cage_ = of_role(Role.PIT_BOSS), of_role(Role.CAGE)
            for number, table_id in enumerate(self.tables, 1):
                self.progress.show(number, TABLES, "a night is played")
                self._work(number, table_id, boss, cage_)
            settling.settle_due()
            each = -(-self.count // Transfer.objects.exclude(settlement=None).count())
            fill(superuser, each, lambda *counts: self.progress.show(*counts, "rounds are copied"))
            self._close(boss, cage_)

    def _work(self, number, table_id, boss, cage_):
        """What happens at a table in a night before its rounds are copied."""
        table, by_two = Table.objects.get(pk=table_id), Actor(boss, cage_)
        with transaction.atomic():
            box = drop_boxes.mount(table_id=table_id, number=str(100 + number), seal=f"S-{number}", actor=by_two)
            croupier = table.sign_ons.get(signed_off_at=None).staff
            buy_ins.enter(table_id=table_id, box=1, units=20_000, actor=Actor(croupier, boss))
            slip = slips.request(
                table_id=table_id, kind="fill", denominations={"2500": 100, "10000": 100}, actor=Actor(boss)
            )
            slips.issue(slip_id=slip.pk, actor=Actor(cage_))
            for person in (croupier, boss):
                slips.count(slip_id=slip.pk, denominations=slip.denominations, actor=Actor(person))
            drop_boxes.remove(drop_box_id=box.pk, number=box.number, seal=box.seal, actor=by_two)
        self._play(number, 1, growth.FULL_ROUND)
        self._play(number, 2, FOLDED)

    def _close(self, boss, cage_):
        """Everything of the day is closed and counted as the books have it."""
        count_team = of_role(Role.COUNT_TEAM), of_role(Role.COUNT_TEAM, 1)
        with transaction.atomic():
            _close_tables(cage_)
            for box in DropBox.objects.waiting():
                cash = drops.recorded(box)
                for person in count_team:
                    drops.count(
                        drop_box_id=box.pk, denominations={"500": cash // 500} if cash else {}, actor=Actor(person)
                    )
                drops.sign(drop_box_id=box.pk, reason="Counted.", actor=Actor(*count_team))
            _close_cage(cage_, count_team[0])
        with transaction.atomic():
            begun = time.perf_counter()
            days.close(day_id=GamingDay.objects.latest("date").pk, actor=Actor(boss, cage_))
            self.closing = time.perf_counter() - begun


def _close_tables(second):
    for session in Session.objects.running().select_related("table__float_account"):
        of_pit = Posting.objects.filter(role=Role.PIT_BOSS, pit=session.table.pit_id, ended_at=None)
        held = counting.pile(ledger.balance(session.table.float_account))
        with transaction.atomic():
            counting.closed(
                session, chips=held, boss=of_pit.select_related("staff")[0].staff, second=second, reason="Counted."
            )


def _close_cage(first, second):
    shift = cage.running() or cage.open_shift(actor=Actor(first))
    held = counting.pile(ledger.balance(Account.objects.get(kind=Account.Kind.CAGE)))
    with transaction.atomic():
        for person in (first, second):
            cage.count(shift_id=shift.pk, denominations=held, actor=Actor(person))
        cage.sign(shift_id=shift.pk, reason="Counted.", actor=Actor(first, second))


class Year:
    """A house with so many copies of a night behind it as its transfers take."""

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
    """What each report takes in a house of `few` transfers and in one of `transfers`, of so many gaming days: says it,
    and gives the names of those that take too long."""
    night = Night(trial, "night", -(-transfers // days), progress)
    night.fill()
    houses = [Year(night, f"transfers_{count}", count) for count in (few, transfers)]
    for house in houses:
        house.fill()
    took = {house: {} for house in houses}
    for turn in range(turns + 1):
        for house in houses if turn % 2 else reversed(houses):
            progress.show(turn, turns, f"{house.count:,} transfers")
            for name, seconds in house.look():
                if turn:  # the first warms both
                    took[house].setdefault(name, []).append(seconds)
    progress.end()
    for house in houses:
        progress.say(house.size())
    progress.say(f"A day was closed in {1000 * night.closing:.0f} ms, figures of {TABLES} sessions and all.")
    slow = []
    progress.say(f"{'the page of a day, median, ms':<34}{few:>12,}{transfers:>14,}   times")
    for name in REPORTS:
        before, after = (statistics.median(took[house][name]) for house in houses)
        progress.say(f"{name:<34}{1000 * before:>12.1f}{1000 * after:>14.1f}{after / before:>8.2f}")
        if after > MOST_SECONDS or after > MOST_TIMES * before:
            slow.append(name)
    return slow
