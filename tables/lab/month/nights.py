"""What happens in a month of nights. The same seed gives the same events, to the minute; seconds vary."""

import datetime as dt
import heapq
import itertools
import json
import random
from pathlib import Path
from zoneinfo import ZoneInfo

from casino.games.game import Refusal
from casino.games.split import SPLIT
from casino.games.split.retrace import retrace
from casino.models import Casino, ChipSet
from tables.lab import evenings, replay
from tables.models import CageShift, Case, DropBox, Table
from tables.verbs import alarms, tips

from . import house
from .house import Place

RECORDED = Path(replay.__file__).parent / "split_rounds.jsonl"
SHEET = SPLIT.sheet({"chip": 100, "ante_minimum": 500, "ante_maximum": 10_000, "boxes": 6})
EVENINGS = {"G1": "genpoker", "G2": "dynastia", "G3": "presidential", "G4": "bigtwo"}
# How many series each table plays in a night. One of Big Two is several rounds, of dozens of plays each.
SERIES = {"G1": 3, "G2": 3, "G3": 3, "G4": 1}
# Croupiers take turns by the week, so that no figure of a table belongs to one person.
TURNS = (
    (("T1", "T2"), ("anna", "boris", "erik")),
    (("T3",), ("greta",)),
    (tuple(EVENINGS), ("jonas", "lina", "mara", "nils")),
)
# On the nights that begin on these days of the week the Salon and the last table of the house's games stay closed.
QUIET_DAYS, QUIET_TABLES = {0, 1}, {"T3", "G4"}
BUY_INS = (2_000, 5_000, 5_000, 10_000, 10_000, 20_000, 50_000)
FILL = {"2500": 40, "500": 60, "100": 100}
# The chips that patrons buy leave the float and come back to the cage when cashed: a low float is filled as it opens.
LOW, LARGE_FILL = 3_500_000, {"50000": 20, "100000": 10}
CREDIT = {"10000": 5, "50000": 2}
MISSING = 2_500
INCIDENTS = (
    "void", "closer short", "dispute", "slip voided", "correction", "drop short", "held", "slip sent back",
    "large cash", "cage over", "exchange", "entered wrong",
)  # fmt: skip
"""Each night has the next three of these, in a row that begins anew."""
CALLS = (
    ("player", "The rule for a dead hand explained."),
    ("chips", "Fill asked for."),
    ("signature", ""),
    ("equipment", "Shoe changed."),
)


class Nights:
    """Nights in a row, from one gaming day on."""

    def __init__(self, clock, *, first, seed):
        self.clock, self.first = clock, first
        self.chance = random.Random(f"a month {seed}")  # noqa: S311 - no secret
        casino = Casino.objects.get()
        self.zone, self.cash = ZoneInfo(casino.time_zone), casino.cash_denominations
        self.chips = ChipSet.objects.get().denominations
        tables = Table.objects.select_related("pit", "chip_set", "float_account", "rake_account")
        self.places = {table.code: Place(table) for table in tables.order_by("code")}
        self.split = self._split_rounds()
        self.series = {code: itertools.cycle(series(name)) for code, name in EVENINGS.items()}
        self.incidents = itertools.cycle(INCIDENTS)
        self.to_correct, self.boxes, self.seals = [], itertools.count(101), itertools.count(4_001)

    def at(self, date, hours, minutes=0):
        """A moment of a gaming day; 26 hours are two in the next morning."""
        midnight = dt.datetime.combine(date, dt.time(), self.zone)
        return (midnight + dt.timedelta(hours=hours, minutes=minutes)).astimezone(dt.UTC)

    def pause(self):
        self.clock.on(seconds=self.chance.uniform(3, 14))

    def _split_rounds(self):
        """The actions of recorded rounds, over and over, from one that the seed names."""
        first = self.chance.randrange(1_000)
        while True:
            with open(RECORDED, encoding="utf-8") as file:
                for text in itertools.islice(file, first, None):
                    actions = retrace(SPLIT.read(json.loads(text)), SHEET)
                    if not isinstance(actions, Refusal):
                        yield actions
            first = 0

    def prepare(self):
        """Put in force the sheets on which the evenings of the house's games were dealt. Two settings are changed,
        which would raise alarms all night: few rounds are played, by people without a relief."""
        house.sets("pace_least", 0)
        house.sets("break_due_minutes", 480)
        for code, name in EVENINGS.items():
            values, _ = evenings.evening(name)
            house.sets_sheet(evenings.game_of(name).code, values, [self.places[code].table])
        for place in self.places.values():
            place.opens()
            place.signs_off()

    def night(self, number):
        """One gaming day, from its first table to its close by two."""
        date = self.first + dt.timedelta(number)
        happens = [next(self.incidents) for _ in range(3)]
        opened = [code for code in self.places if number == 0 or self._opens(code, date)]
        self.clock.to(self.at(date, 17, 45))
        if not CageShift.objects.filter(status=CageShift.Status.OPEN).exists():
            house.opens_cage()
        plan = Plan()
        for incident, code in zip(happens, itertools.cycle([code for code in opened if code.startswith("T")])):
            plan.add(self.at(date, 21, self.chance.randint(0, 150)), INCIDENT[incident], self, self.places[code])
        croupiers = self._turns(number)
        for code in opened:
            self._table(plan, date, self.places[code], croupiers[code])
        plan.add(self.at(date, 20, 30), self._looks_back)
        plan.add(self.at(date, 23), self._looks_at_alarms)
        plan.run(self.clock)
        self._counts(date, happens)

    def _opens(self, code, date):
        if date.weekday() in QUIET_DAYS and code in QUIET_TABLES:
            return False
        return self.chance.random() > 0.06

    def _turns(self, number):
        week = number // 7
        return {
            code: people[(place + week) % len(people)] for codes, people in TURNS for place, code in enumerate(codes)
        }

    def _table(self, plan, date, place, croupier):
        """Plan what happens in every table's night."""
        chance = self.chance
        busy = date.weekday() in {4, 5}
        opens = self.at(date, 18, chance.randint(0, 75))
        closes = self.at(date, 25, chance.randint(0, 90))

        def some(first=0.02, last=0.95):
            return opens + (closes - opens) * chance.uniform(first, last)

        plan.add(opens, self._begins, place, croupier)
        for _ in range(chance.randint(3, 6) + 2 * busy):
            plan.add(some(0.01, 0.6), place.buys_in, chance.randint(1, 4), chance.choice(BUY_INS))
        if place.table.code in EVENINGS:
            plan.add(some(0.1, 0.7), self._plays_series, place)
        else:
            for _ in range(chance.randint(4, 6) + 2 * busy):
                plan.add(some(), self._plays, place)
            if chance.random() < 0.5:
                plan.add(some(0.3, 0.9), self._fills, place, "fill", FILL)
            if chance.random() < 0.2:
                plan.add(some(0.6, 0.9), self._fills, place, "credit", CREDIT)
        for _ in range(chance.randint(0, 2)):
            plan.add(some(0.2), place.tips, 100 * chance.randint(1, 20))
        if chance.random() < 0.25:
            plan.add(some(), self._calls, place, *chance.choice(CALLS))
        plan.add(closes, self._ends, place)

    # What people do at a table

    def _begins(self, place, croupier):
        place.opens()
        self.clock.on(minutes=2)
        place.mounts(f"{next(self.boxes)}", f"S-{next(self.seals)}")
        place.signs_on(croupier)
        if place.holds() < LOW:
            self._fills(place, "fill", LARGE_FILL)
        self.pause()

    def _plays(self, place):
        played = house.played(place, next(self.split), self.pause)
        self.pause()
        house.ticked(place, played)
        return played

    def _plays_series(self, place):
        code = place.table.code
        for _ in range(SERIES[code]):
            for dealt in next(self.series[code]):
                house.ticked(place, house.played(place, dealt.actions, self.pause, dealt.seats))

    def _fills(self, place, kind, denominations):
        slip = house.asked(place, kind, denominations)
        self.clock.on(minutes=self.chance.randint(1, 3))
        slip = house.issued(place, slip)
        self.clock.on(minutes=self.chance.randint(2, 5))
        house.received(place, slip)

    def _calls(self, place, reason, word):
        call = house.called(place, reason)
        self.clock.on(seconds=self.chance.randint(20, 180))
        house.came(place, call, word)
        self.clock.on(seconds=self.chance.randint(30, 240))
        house.over(place, call)

    def _ends(self, place):
        self.clock.on(minutes=1)
        place.takes_box()
        self.clock.on(minutes=4)
        place.closes(place.missing, "Counted twice; not found." if place.missing else "")
        place.missing = 0
        place.signs_off()

    # What happens now and then

    def voids(self, place):
        actions = next(self.split)
        house.voided(
            place, actions[: len(actions) // 2], self.pause, clause="split.36", reason="A card was found on the floor."
        )

    def is_short(self, place):
        place.missing = MISSING

    def disputes(self, place):
        played = self._plays(place)
        box = played.settlement.payments.order_by("box").first().box
        dispute = house.contested(place, played, box, "The box had the higher kicker.")
        self.clock.on(minutes=self.chance.randint(5, 12))
        house.ruled(place, dispute, reason="The camera shows the cards as they were entered.")

    def voids_slip(self, place):
        slip = house.asked(place, "fill", FILL)
        self.clock.on(minutes=1)
        house.slip_voided(place, slip, "Asked for at the wrong table.")

    def sends_back(self, place):
        slip = house.asked(place, "fill", FILL)
        self.clock.on(minutes=2)
        slip = house.issued(place, slip)
        self.clock.on(minutes=3)
        house.sent_back(place, slip, "One chip of 25.00 was missing.")

    def exchanges(self, place):
        slip = house.asked(place, "change", {"100": 100}, {"2500": 4})
        self.clock.on(minutes=2)
        slip = house.issued(place, slip)
        self.clock.on(minutes=3)
        house.received(place, slip)

    def corrects_later(self, place):
        """A night later, somebody notices that a stake was entered wrong."""
        self.to_correct.append((place, self._plays(place)))

    def corrects(self, place):
        """The same, within the hour."""
        self._correct(place, self._plays(place))

    def holds(self, place):
        played = house.held(
            place,
            next(self.split),
            self.pause,
            clause="split.36",
            reason="A card lies face up.",
            answer="It belongs to the discards; the round goes on.",
        )
        house.ticked(place, played)

    def sells_much(self, place):
        place.buys_in(1, 1_200_000)

    def counted_off(self, place):
        """The count of the night is off: see `_counts`."""

    def _correct(self, place, round_):
        boss = place.boss
        ante = json.loads(round_.lines.last().text)["boxes"][0]["ante"]
        changes = {"boxes[0].ante": ante + 500 if ante < 10_000 else ante - 500}
        dealer = round_.opened_by.login
        house.corrected(dealer, boss, round_, changes, reason="The stake was entered wrong; the camera shows it.")
        self.clock.on(minutes=3)
        house.handed(round_, left=self.chance.random() < 0.3)

    def _looks_back(self):
        """Correct rounds of the night before, and decide a variance of an earlier night."""
        waiting, self.to_correct = self.to_correct, []
        for place, round_ in waiting:
            self._correct(place, round_)
        for case in Case.objects.filter(kind=Case.Kind.VARIANCE, status=Case.Status.OPEN).select_related("owner")[:1]:
            house.decided(case, "The cameras of the table and of the count were looked at.")
            self.clock.on(minutes=5)

    def _looks_at_alarms(self):
        alarms.look()
        self.clock.on(minutes=1)
        for alarm, login in house.raised():
            house.answered(alarm, login, "Looked at.")

    def _counts(self, date, happens):
        """Count the drop, the tips and the cage, and close the day."""
        self.clock.to(self.at(date, 27, 45))
        house.cashes(date, self.chance.uniform(0.5, 0.9), self.chips)
        short = "drop short" in happens
        for drop_box in DropBox.objects.waiting().order_by("pk"):
            missing = 5_000 if short else 0
            house.counts_drop(drop_box, missing, "Counted twice; the cash is short." if missing else "", self.cash)
            self.clock.on(minutes=2)
            short = False
        if tips.uncounted(date):
            house.counts_tips(date, self.chips)
        self._looks_at_alarms()
        self.clock.on(minutes=10)
        over = "cage over" in happens
        house.counts_cage(-500 if over else 0, "Counted twice; a chip of 5.00 over." if over else "", self.chips)
        self.clock.on(minutes=10)
        house.closes_day(date)


INCIDENT = {
    "void": Nights.voids,
    "closer short": Nights.is_short,
    "dispute": Nights.disputes,
    "slip voided": Nights.voids_slip,
    "correction": Nights.corrects_later,
    "drop short": Nights.counted_off,
    "held": Nights.holds,
    "slip sent back": Nights.sends_back,
    "large cash": Nights.sells_much,
    "cage over": Nights.counted_off,
    "exchange": Nights.exchanges,
    "entered wrong": Nights.corrects,
}


class Plan:
    """What is to happen, and when: what is delayed by others comes later, in the same order."""

    def __init__(self):
        self.steps, self.places = [], itertools.count()

    def add(self, at, step, *arguments):
        heapq.heappush(self.steps, (at, next(self.places), step, arguments))

    def run(self, clock):
        while self.steps:
            at, _, step, arguments = heapq.heappop(self.steps)
            clock.to(at)
            step(*arguments)


def series(name):
    """An evening's rounds, grouped by series."""
    values, dealt = evenings.evening(name)
    game = evenings.game_of(name)
    rules, carry, together = game.sheet(values), None, []
    for round_ in dealt:
        state = game.start(rules, round_.seats, carry)
        for action in round_.actions:
            state = game.act(state, action)
        facts = game.read(json.loads(json.dumps(game.facts(state))))
        carry = game.carry(facts, game.settle(facts), rules, carry)
        together.append(round_)
        if carry is None:
            yield together
            together = []
