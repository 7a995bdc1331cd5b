"""`verify_export.py --day`: a gaming day's figures by its movements alone, and days that the log closes."""

import datetime as dt
import hashlib
import itertools
import json
import random
import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import verify_export as verifier

from ..support import day_model, exports
from ..support.day_model import Deed
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
EVE, DAY, NEXT = "2026-11-21", "2026-11-22", "2026-11-23"
CLARA, HUGO = "staff:5", "staff:7"
FIGURES = ("opener", "fills", "credits", "buy_ins", "closer", "drop", "win", "rake", "tips", "variance")


class Told:
    """Entries as the log tells them, a minute apart; those of a day in its order."""

    def __init__(self):
        self.entries, self.movements = [], 0

    def added(self):
        """What the log tells, from those on who work here."""
        first = self.entries[0] | {"by": "system", "chain": "house", "event": "staff.added"}
        refs = (CLARA, HUGO)
        return [*(first | {"facts": {"staff": ref}, "subject": ref} for ref in refs), *self.entries]

    def tell(self, chain, event, subject, **facts):
        at = exports.spelled(exports.FIRST_AT + dt.timedelta(minutes=len(self.entries)))
        entry = {"at": at, "by": CLARA, "chain": chain, "event": event, "facts": facts, "prev": "", "seq": 0}
        self.entries.append({**entry, "subject": subject, "terminal": None, "v": 1})

    def move(self, table, kind, units, subject, *, date=DAY, ends=None):
        """`ends` are who receives and who gives."""
        self.movements += 1
        debit, credit = ends or ("float:" + table, "cage:house")
        key = f"{subject}:{kind}:{self.movements}:1"
        transfer = {"key": key, "debit": debit, "credit": credit, "units": units, "reason": kind}
        facts = {"kind": kind, "number": self.movements, "denominations": {"1": units}, "business_date": date}
        chain = "house" if table == "house" else table
        self.tell(chain, "movement.made", f"movement:{self.movements}", **facts, people=[CLARA], transfer=transfer)

    def begin(self, table, session, *, date=DAY, **facts):
        self.tell(table, "session.begun", session, business_date=date, **facts)

    def open(self, table, session, units, *, date=DAY, begin=True):
        if begin:
            self.begin(table, session, date=date)
        self.tell(table, "session.opened", session, business_date=date)
        self.move(table, "opener", units, session, date=date)

    def close(self, table, session, units, *, date=DAY, variance=0):
        if variance:
            ends = (f"float:{table}", "variance:house")
            self.move(table, "variance", abs(variance), session, date=date, ends=ends if variance > 0 else ends[::-1])
        self.move(table, "closer", units, session, date=date)
        self.tell(table, "session.closed", session, business_date=date)

    def mount(self, table, drop_box, session, *, date=DAY, number="101"):
        self.tell(table, "drop_box.mounted", drop_box, number=number, session=session, business_date=date)

    def count(self, table, drop_box, cash, *, date=DAY, variance=0):
        if variance:
            ends = (f"drop_box:{table}", "variance:house")
            self.move(table, "variance", abs(variance), drop_box, date=date, ends=ends if variance > 0 else ends[::-1])
        self.move(table, "drop", cash, drop_box, date=date)
        self.tell(table, "drop_box.counted", drop_box)

    def shift(self, ref="cage_shift:1", *, date=DAY, close=True):
        self.tell("house", "cage.opened", ref, business_date=date)
        if close:
            self.count_cage(ref, date=date)

    def count_cage(self, ref="cage_shift:1", *, date=DAY):
        self.tell("house", "cage.closed", ref, business_date=date)

    def over(self, figures, *, date=DAY, people=(CLARA, HUGO)):
        self.tell("house", "day.closed", f"day:{date}", date=date, figures=figures, people=list(people))


def row(table, *units, grade="FINAL", why=None):
    return {"table": table, **dict(zip(FIGURES, units, strict=True)), "grade": grade, "why": why}


def sums(*units, tables=2, of=None):
    pairs = zip(FIGURES, units, strict=True)
    return {name: {"units": each, "of": tables if of is None else of, "tables": tables} for name, each in pairs}


# Worked by hand: 7,971,000 + 1,240,000 + 500,000 - 8,100,000 - 1,000,000 = 611,000; 5,000 - 10,000 = -5,000.
THREE = row("table:3", 8_100_000, 1_000_000, 500_000, 1_250_000, 7_971_000, 1_240_000, 611_000, 25_000, 2_000, -5_000)
TEN = row("table:10", 100, 0, 0, 0, 90, 0, -10, 0, 0, 0)
SUMS = sums(8_100_100, 1_000_000, 500_000, 1_250_000, 7_971_090, 1_240_000, 610_990, 25_000, 2_000, -5_000)
WORKED = {"tables": [THREE, TEN], "sums": SUMS}


def worked_day(*, between=None):
    """A day of two tables, one of which was carried on; a third was open on the day before.

    :param between: what else is told before the drop is counted.
    """
    told = Told()
    told.shift("cage_shift:1", date=EVE, close=False)
    told.open("table:4", "session:11", 700, date=EVE)
    told.close("table:4", "session:11", 700, date=EVE)
    told.count_cage("cage_shift:1", date=EVE)
    told.over(
        {
            "tables": [row("table:4", 700, 0, 0, 0, 700, 0, 0, 0, 0, 0)],
            "sums": sums(700, 0, 0, 0, 700, 0, 0, 0, 0, 0, tables=1),
        },
        date=EVE,
    )
    told.shift("cage_shift:2", close=False)
    table = "table:3"
    # Of the cage, and in no figure.
    told.begin(table, "session:12")
    told.move(table, "variance", 900, "session:12", ends=("cage:house", "variance:house"))
    told.open(table, "session:12", 4_000_000, begin=False)
    told.open("table:10", "session:20", 100)
    told.mount(table, "drop_box:7", "session:12", number="107")
    told.move(table, "buy_in", 300_000, "session:12")
    told.move(table, "buy_in", 950_000, "session:12")
    for slip, kinds in {
        "slip:1": (("fill_issued", 1_000_000), ("fill", 1_000_000)),
        "slip:2": (("credit", 500_000), ("credit_received", 500_000)),
        "slip:3": (("credit", 200_000), ("credit_returned", 200_000)),
        "slip:4": (("fill_issued", 300), ("fill_returned", 300)),
    }.items():
        told.tell(table, "slip.requested", slip, slip=slip, session="session:12")
        for kind, units in kinds:
            told.move(table, kind, units, slip)
        told.tell(table, "slip.received" if kind in {"fill", "credit_received"} else "slip.returned", slip, slip=slip)
    told.tell(table, "slip.requested", "slip:5", slip="slip:5", session="session:12")
    told.tell(table, "slip.voided", "slip:5", slip="slip:5")
    told.close(table, "session:12", 4_100_000)
    told.open(table, "session:13", 4_100_000)
    told.move(table, "tip", 2_000, "session:13", ends=("tips:house", f"patrons:{table}"))
    told.close(table, "session:13", 3_871_000, variance=5_000)
    told.move(table, "variance", 700, "session:13", ends=(f"rake:{table}", "variance:house"))
    told.move(table, "rake", 25_000, "session:13", ends=("cage:house", f"rake:{table}"))
    told.close("table:10", "session:20", 90)
    told.tell("house", "tips.counted", f"tips:{DAY}", date=DAY)
    told.count_cage("cage_shift:2")
    if between:
        between(told)
    told.count(table, "drop_box:7", 1_240_000, variance=-10_000)
    return told


def closed_day(figures=WORKED, **more):
    told = worked_day(**more)
    told.over(figures)
    return told


def followed(told, claim=None, **more):
    days = verifier.Days(claim, **more)
    for line, entry in enumerate(told.entries, 1):
        days.take(entry, line)
    return days


def judged(told):
    days = followed(told)
    assert days.judge() is None
    return days


def test_the_figures_of_a_day_are_the_sums_of_its_movements():
    assert followed(worked_day()).worked_out(DAY) == {"day": DAY, "grade": "ESTIMATE", **WORKED}


def test_a_day_that_the_log_closes_is_final():
    assert judged(closed_day()).worked_out(DAY) == {"day": DAY, "grade": "FINAL", **WORKED}


def test_a_day_without_a_session_has_no_table():
    told = Told()
    told.shift()
    nothing = {"tables": [], "sums": sums(*[0] * 10, tables=0)}
    assert followed(told).worked_out(DAY) == {"day": DAY, "grade": "ESTIMATE", **nothing}
    told.over(nothing)
    assert judged(told).worked_out(DAY)["grade"] == "FINAL"


def test_a_surplus_of_a_drop_counts_as_what_was_counted_above_the_books():
    told = Told()
    told.open("table:1", "session:1", 100)
    told.mount("table:1", "drop_box:1", "session:1")
    told.close("table:1", "session:1", 100, variance=-30)
    told.count("table:1", "drop_box:1", 50, variance=7)
    (only,) = followed(told).worked_out(DAY)["tables"]
    assert (only["variance"], only["drop"], only["win"]) == (-23, 50, 50)


def unknown(*names):
    return dict.fromkeys(names)


OPEN = ("closer", "win", "rake", "variance")


def opening(told):
    told.begin("table:3", "session:14")


def running(told):
    told.open("table:3", "session:14", 500)


def uncounted(told):
    told.open("table:3", "session:14", 500)
    told.mount("table:3", "drop_box:9", "session:14", number="B-9")
    told.close("table:3", "session:14", 500)


def both(told):
    uncounted(told)
    told.open("table:3", "session:15", 500)


def of_another_date(told):
    """A drop box of another date that was mounted in a session of the day."""
    told.open("table:3", "session:14", 500)
    told.mount("table:3", "drop_box:9", "session:14", number="B-9", date=NEXT)
    told.close("table:3", "session:14", 500)


def of_another_session(told):
    """A drop box of the date that the log does not see mounted in one of its sessions."""
    told.mount("table:3", "drop_box:9", "session:99", number="B-9")


@pytest.mark.parametrize(
    ("more", "missing", "opener", "why"),
    [
        (opening, ("opener", *OPEN), None, "Session 14 isn’t opened."),
        (running, OPEN, 8_100_500, "Session 14 isn’t closed."),
        (uncounted, ("drop", "win", "variance"), 8_100_500, "Drop box B-9 isn’t counted."),
        (both, (*OPEN, "drop"), 8_101_000, "Session 15 isn’t closed. Drop box B-9 isn’t counted."),
        (of_another_date, ("drop", "win", "variance"), 8_100_500, "Drop box B-9 isn’t counted."),
        (of_another_session, ("drop", "win", "variance"), 8_100_000, "Drop box B-9 isn’t counted."),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_nobody_can_know_yet_is_left_open_and_why_is_said(more, missing, opener, why):
    day = followed(worked_day(between=more)).worked_out(DAY)
    three, ten = day["tables"]
    assert (day["grade"], three["grade"], three["why"]) == ("ESTIMATE", "ESTIMATE", why)
    assert {name for name in FIGURES if three[name] is None} == set(missing)
    assert (three["opener"], three["fills"], three["buy_ins"], three["tips"]) == (opener, 1_000_000, 1_250_000, 2_000)
    assert ten == TEN
    for name in FIGURES:
        known = [each[name] for each in (three, ten) if each[name] is not None]
        assert day["sums"][name] == {"units": sum(known), "of": 2 - (name in missing), "tables": 2}


def test_figures_of_a_session_that_an_old_log_does_not_tell_the_beginning_of_are_there():
    told = Told()
    told.open("table:1", "session:1", 100, begin=False)
    told.close("table:1", "session:1", 120)
    assert followed(told).figures(DAY)["tables"] == [row("table:1", 100, 0, 0, 0, 120, 0, 20, 0, 0, 0)]


class Evening:
    """Tables that are worked at random: what people do, and what the log tells of it.

    The books of a float and of a drop box are kept here as the house keeps them, to know what differs from them.
    """

    def __init__(self, chance):
        self.chance, self.deeds, self.told = chance, [], Told()
        self.sessions, self.uncounted, self.books = {}, [], {}
        self.numbers = itertools.count(1)

    def did(self, what, table, units=0, **more):
        self.deeds.append(Deed(what, table, more.pop("session", None) or self.sessions[table][0], units, **more))

    def work(self, date):
        for _ in range(self.chance.randint(0, 40)):
            table = f"table:{self.chance.choice([2, 3, 10])}"
            if table not in self.sessions:
                self.sessions[table] = next(self.numbers), date
                self.did("begin", table, date=date)
                self.told.begin(table, self.session(table), date=date)
                self.books[table] = None
            elif self.books[table] is None:
                self.open(table)
            else:
                self.chance.choice([self.move, self.move, self.pay, self.close])(table)
            if self.uncounted and self.chance.random() < 0.2:
                self.count()

    def session(self, table):
        return f"session:{self.sessions[table][0]}"

    def open(self, table):
        self.books[table] = units = self.chance.randint(1, 10_000)
        self.did("open", table, units)
        self.told.open(table, self.session(table), units, date=self.sessions[table][1], begin=False)

    def move(self, table):
        units = self.chance.randint(1, 1_000)
        what, kind, sign = self.chance.choice(
            [("fill", "fill", 1), ("credit", "credit", -1), ("back", "credit_returned", 1), ("round", None, 1),
             ("tip", "tip", 0), ("rake", "rake", 0)]
        )  # fmt: skip
        self.books[table] += sign * units
        self.did(what, table, units)
        if kind:
            self.told.move(table, kind, units, self.session(table), date=self.sessions[table][1])

    def pay(self, table):
        """Cash goes into a drop box of its own."""
        number, date, paid = next(self.numbers), self.sessions[table][1], self.chance.randint(0, 500)
        self.did("mount", table, box=str(number))
        self.told.mount(table, f"drop_box:{number}", self.session(table), date=date, number=str(number))
        self.did("buy_in", table, paid)
        self.told.move(table, "buy_in", paid, self.session(table), date=date)
        self.books[table] -= paid
        self.uncounted.append((table, self.sessions[table], number, paid))

    def count(self):
        table, (session, date), number, paid = self.uncounted.pop(self.chance.randrange(len(self.uncounted)))
        cash = self.chance.randint(0, 500)
        self.did("count", table, cash, box=str(number), session=session)
        self.told.count(table, f"drop_box:{number}", cash, date=date, variance=cash - paid)

    def close(self, table):
        units, session = self.chance.randint(0, 10_000), self.session(table)
        self.did("close", table, units)
        variance = units - self.books[table]
        self.told.close(table, session, units, date=self.sessions.pop(table)[1], variance=variance)


@given(seed=st.integers(0, 2**32))
def test_whatever_tables_do_their_days_are_what_a_model_of_its_own_says(seed):
    evening = Evening(random.Random(seed))
    dates = (EVE, DAY, NEXT)
    for date in dates:
        evening.work(date)
    days = followed(evening.told)
    begun = {deed.date for deed in evening.deeds if deed.what == "begin"}
    assert set(days.days) == begun
    for date in begun:
        assert days.worked_out(date) == day_model.day_of(evening.deeds, date)


# A day that the log closes with other figures


def changed(change):
    """The worked figures, but for one change."""
    figures = json.loads(json.dumps(WORKED))
    change(figures)
    return figures


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("table", [THREE, TEN], ids=lambda table: table["table"])
def test_each_figure_that_is_another_one_is_found(figure, table):
    place = WORKED["tables"].index(table)
    for value, spelled in ((table[figure] + 1, str(table[figure] + 1)), (None, "null"), (True, "true")):
        told = closed_day(changed(lambda figures, value=value: figures["tables"][place].update({figure: value})))
        wanted = f"{table['table']}, its {figure}: the log says {spelled}, its movements give {table[figure]}."
        with pytest.raises(verifier.Difference, match=re.escape(f"The figures of {DAY}, {wanted}")):
            followed(told).judge()


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("part", ["units", "of", "tables"])
def test_each_sum_that_is_another_one_is_found(figure, part):
    is_, told = SUMS[figure][part], closed_day(changed(lambda figures: raised(figures["sums"][figure], part)))
    wanted = f"the sum of its {figure}, its {part}: the log says {is_ + 1}, its movements give {is_}."
    with pytest.raises(verifier.Difference, match=re.escape(wanted)):
        followed(told).judge()


def raised(facts, name):
    facts[name] += 1


OTHER_FORMS = {
    "grade": (lambda figures: figures["tables"][0].update(grade="ESTIMATE"), "table:3, its grade"),
    "why": (lambda figures: figures["tables"][1].update(why="No."), 'table:10, its why: the log says "No."'),
    "a table less": (lambda figures: figures["tables"].pop(), 'table:10, its table: the log says "nothing"'),
    "a table more": (lambda figures: figures["tables"].append(row("table:11", *[0] * 10)), "its tables: the log says"),
    "a table twice": (lambda figures: figures["tables"].append(TEN), f"The figures of {DAY}: the log says"),
    "another order": (lambda figures: figures["tables"].reverse(), "its tables: the log says"),
    "a figure more": (lambda figures: figures["tables"][0].update(tax=1), f"The figures of {DAY}: the log says"),
    "a figure less": (lambda figures: figures["tables"][0].pop("tips"), 'its tips: the log says "nothing"'),
    "a row that is none": (lambda figures: figures["tables"].append(7), f"The figures of {DAY}: the log says"),
    "a sum less": (lambda figures: figures["sums"].pop("rake"), "the sum of its rake, its units"),
    "a sum more": (lambda figures: figures["sums"].update(tax=0), f"The figures of {DAY}: the log says"),
    "sums that are none": (lambda figures: figures.update(sums=[]), "the sum of its opener, its units"),
    "no sums": (lambda figures: figures.pop("sums"), "have not the form of figures"),
    "no rows": (lambda figures: figures.update(tables={}), "have not the form of figures"),
    "a key more": (lambda figures: figures.update(day=DAY), "have not the form of figures"),
}


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_figures_of_another_form_are_found(name):
    change, sentence = OTHER_FORMS[name]
    with pytest.raises(verifier.Difference, match=re.escape(sentence)):
        followed(closed_day(changed(change))).judge()
    with pytest.raises(verifier.Difference, match="have not the form of figures"):
        followed(closed_day([])).judge()


# A day that is closed otherwise than it may be


def without(event, subject):
    told = closed_day()
    told.entries = [each for each in told.entries if (each["event"], each["subject"]) != (event, subject)]
    return told


def later(event, subject):
    """One entry after the day's closing."""
    told = closed_day()
    place = next(i for i, each in enumerate(told.entries) if (each["event"], each["subject"]) == (event, subject))
    last = exports.spelled(exports.FIRST_AT + dt.timedelta(days=1))
    told.entries.append(told.entries.pop(place) | {"at": last})
    return told


NOT_OVER = {
    "session:13 is not closed": ("session.closed", "session:13"),
    "session:20 is not closed": ("session.closed", "session:20"),
    "slip:1 is not received, returned or voided": ("slip.received", "slip:1"),
    "slip:2 is not received, returned or voided": ("slip.received", "slip:2"),
    "slip:3 is not received, returned or voided": ("slip.returned", "slip:3"),
    "slip:5 is not received, returned or voided": ("slip.voided", "slip:5"),
    "drop_box:7 is not counted": ("drop_box.counted", "drop_box:7"),
    f"tips:{DAY} is not counted": ("tips.counted", f"tips:{DAY}"),
    "cage_shift:2 is not closed": ("cage.closed", "cage_shift:2"),
}


@pytest.mark.parametrize("fault", NOT_OVER)
@pytest.mark.parametrize("made", [without, later])
def test_a_day_is_closed_when_all_of_it_is_over(fault, made):
    with pytest.raises(verifier.Difference, match=re.escape(f"The day {DAY} is closed, and {fault}.")):
        followed(made(*NOT_OVER[fault])).judge()


def test_a_drop_box_of_its_date_is_counted_wherever_it_was_mounted():
    told = closed_day(between=of_another_session)
    with pytest.raises(verifier.Difference, match="drop_box:9 is not counted"):
        followed(told).judge()


def test_a_day_with_a_session_has_a_shift_of_the_cage():
    told = without("cage.opened", "cage_shift:2")
    with pytest.raises(verifier.Difference, match="the cage was not counted after its last session"):
        followed(told).judge()


def test_the_cage_is_counted_after_the_last_session_of_a_day():
    told = closed_day()
    first = next(place for place, entry in enumerate(told.entries) if entry["subject"] == "session:12")
    counted = next(
        entry for entry in told.entries if (entry["event"], entry["subject"]) == ("cage.closed", "cage_shift:2")
    )
    told.entries.remove(counted)
    told.entries.insert(first, counted | {"at": told.entries[first]["at"]})
    with pytest.raises(verifier.Difference, match="the cage was not counted after its last session"):
        followed(told).judge()


def test_a_shift_of_the_cage_on_a_later_day_counts_for_the_day_before():
    told = Told()
    told.open("table:1", "session:1", 100)
    told.close("table:1", "session:1", 100)
    told.shift(date="2026-11-23")
    told.over(
        {
            "tables": [row("table:1", 100, 0, 0, 0, 100, 0, 0, 0, 0, 0)],
            "sums": sums(100, 0, 0, 0, 100, 0, 0, 0, 0, 0, tables=1),
        }
    )
    judged(told)


def test_a_day_is_closed_by_who_signs_first_and_in_its_own_name():
    told = worked_day()
    told.over(WORKED, people=(HUGO, CLARA))
    with pytest.raises(verifier.Difference, match=f"The day {DAY}, who closes it: the log says"):
        followed(told)
    told = worked_day()
    told.over(WORKED)
    told.entries[-1]["subject"] = f"day:{EVE}"
    with pytest.raises(verifier.Difference, match=f"The day {DAY} is closed as day:{EVE}, which is {EVE} or no day"):
        followed(told)


@pytest.mark.parametrize("people", [(CLARA,), (CLARA, CLARA), (CLARA, HUGO, HUGO), (CLARA, HUGO, "staff:9")])
def test_a_day_is_closed_by_two(people):
    told = worked_day()
    told.over(WORKED, people=people)
    with pytest.raises(verifier.Difference, match=f"The day {DAY} is closed by one person alone, or by more than two"):
        followed(told)


def test_days_of_a_house_from_before_days_were_closed_stay_open():
    nothing = {"tables": [], "sums": sums(*[0] * 10, tables=0)}
    told = Told()
    told.shift("cage_shift:8")
    told.shift("cage_shift:9", date=NEXT)
    told.over(nothing, date=NEXT)
    judged(told)


def test_a_day_is_closed_once():
    told = closed_day()
    told.over(WORKED)
    with pytest.raises(verifier.Difference, match=f"The day {DAY} is closed twice"):
        followed(told)


@pytest.mark.parametrize("begin", [lambda told: told.shift(), lambda told: told.begin("table:1", "session:1")])
@pytest.mark.parametrize("after", [False, True])
def test_days_are_closed_in_order(begin, after):
    """An earlier one stays open, or is closed later; one on which nothing begun before is none."""
    nothing = {"tables": [], "sums": sums(*[0] * 10, tables=0)}
    told = Told()
    told.shift("cage_shift:8", date=EVE)
    told.over(nothing, date=EVE)
    begin(told)
    told.shift("cage_shift:9", date=NEXT)
    told.over(nothing, date=NEXT)
    if after:
        told.over(nothing)
    with pytest.raises(verifier.Difference, match=f"The day {NEXT} is closed while {DAY} is open"):
        followed(told).judge()
    told = Told()
    told.shift("cage_shift:9", date=NEXT)
    told.over(nothing, date=NEXT)
    begin(told)
    assert followed(told).judge() is None


def test_a_later_day_may_be_open_as_one_is_closed():
    told = worked_day()
    told.shift("cage_shift:3", date=NEXT, close=False)
    told.open("table:3", "session:30", 100, date=NEXT)
    told.over(WORKED)
    assert judged(told).worked_out(NEXT)["grade"] == "ESTIMATE"


AFTERWARDS = {
    "movement:99 moves chips": ("table:3", "movement.made", "movement:99"),
    "movement:98 moves chips": ("house", "movement.made", "movement:98"),
    "session:40 is begun": ("table:3", "session.begun", "session:40"),
    "cage_shift:9 is opened": ("house", "cage.opened", "cage_shift:9"),
    "drop_box:40 is mounted": ("table:3", "drop_box.mounted", "drop_box:40"),
    "round:7 is settled anew": ("table:3", "round.settled", "round:7"),
}


def afterwards(told, chain, event, subject, date=DAY):
    transfer = {"key": "session:13:rake:9:1", "debit": "cage:house", "credit": "float:table:3", "units": 1}
    more = {
        "movement.made": {"kind": "issued", "transfer": transfer},
        "drop_box.mounted": {"number": "1", "session": "session:13"},
        "round.settled": {"generation": 2},
    }
    told.tell(chain, event, subject, business_date=date, **more.get(event, {}))


@pytest.mark.parametrize("fault", AFTERWARDS)
def test_nothing_of_a_day_comes_after_its_closing(fault):
    told = closed_day()
    afterwards(told, *AFTERWARDS[fault])
    with pytest.raises(verifier.Difference, match=re.escape(f"{fault} on {DAY}, and that day was closed before.")):
        followed(told)
    for date in (NEXT, "2026-11-24"):
        told = closed_day()
        afterwards(told, *AFTERWARDS[fault], date=date)
        assert followed(told).days[date]
    told = worked_day()
    afterwards(told, *AFTERWARDS[fault])
    told.over(WORKED)
    followed(told)


def test_a_round_that_is_settled_first_or_without_a_date_is_of_no_closed_day():
    for facts in ({"generation": 1, "business_date": DAY}, {"generation": 2}):
        told = closed_day()
        told.tell("table:3", "round.settled", "round:7", **facts)
        judged(told)


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({"chain": "table:3"}, True),
        # Its clock was put back, or its chain was sealed later.
        ({"chain": "table:3", "at": exports.spelled(exports.FIRST_AT)}, False),
        ({"chain": "table:3", "at": "the day's"}, False),
        # In the day's own chain its place alone decides.
        ({"chain": "house", "at": "the day's"}, True),
    ],
)
def test_what_is_later_in_time_and_in_the_tree_comes_after(change, after):
    told = closed_day()
    afterwards(told, "table:3", "movement.made", "movement:99")
    told.entries[-1] |= change
    if told.entries[-1]["at"] == "the day's":
        told.entries[-1]["at"] = told.entries[-2]["at"]
    if not after:
        judged(told)
        return
    with pytest.raises(verifier.Difference, match="movement:99"):
        followed(told)


def test_no_entry_comes_after_itself():
    place = verifier.Place("house", "a", 6)
    assert not place.follows(place)


def test_a_movement_that_stands_before_the_closing_counts():
    """Whatever its time: a clock may have been put back."""
    told = closed_day()
    tomorrow = exports.spelled(exports.FIRST_AT + dt.timedelta(days=1))
    for place in (-2, -3):
        told.entries[place]["at"] = tomorrow
    judged(told)


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        ("session.begun", {"business_date": "2026-2-3"}),
        ("session.begun", {"business_date": "2026-02-30"}),
        ("session.begun", {"business_date": 20261122}),
        ("session.begun", {"business_date": "20261122"}),
        ("session.begun", {"business_date": f"{DAY}\n"}),
        ("session.begun", {}),
        ("session.opened", {}),
        (
            "movement.made",
            {"business_date": DAY, "kind": "drop", "transfer": {"debit": "", "credit": "", "units": "7"}},
        ),
        ("movement.made", {"business_date": DAY, "kind": "drop", "transfer": 7}),
        ("movement.made", {"business_date": DAY, "kind": [], "transfer": {"debit": "", "credit": "", "units": 7}}),
        ("slip.requested", {}),
        ("drop_box.mounted", {"business_date": DAY, "session": "session:1"}),
        ("round.settled", {"business_date": DAY, "generation": "2"}),
        ("day.closed", {"date": DAY, "people": 7}),
    ],
)
def test_facts_that_have_not_the_form_of_one_are_a_difference(event, facts):
    told = Told()
    told.tell("table:1", event, "session:1", **facts)
    sentence = f"session:1: its {event} can't be followed: its facts have not the form of one."
    with pytest.raises(verifier.Difference, match=re.escape(sentence)):
        followed(told)


def test_a_table_that_is_none_is_a_difference():
    told = Told()
    told.begin("house", "session:1")
    with pytest.raises(verifier.Difference, match="can't be followed"):
        followed(told)


# A part of the log


class Claim(NamedTuple):
    """What a manifest claims, as far as days go."""

    kind: str
    chains: dict
    begins: str = ""
    ends: str = "~"


NOT_BACK = "The export does not reach back to the beginning of its day."
NOT_TO_THE_END = "The export does not reach to the end of the day."


def two_days():
    told = Told()
    for session, date in (("session:1", EVE), ("session:2", DAY)):
        told.open("table:1", session, 100, date=date)
        told.close("table:1", session, 110, date=date)
    return told


def test_in_a_period_a_day_that_began_before_it_is_left_open():
    told = two_days()
    del told.entries[:2]
    days = followed(told, Claim("period", {"table:1": (3, 10)}))
    (eve,) = days.figures(EVE)["tables"]
    assert eve == row("table:1", *[None] * 10, grade="ESTIMATE", why=NOT_BACK)
    (day,) = days.figures(DAY)["tables"]
    assert day == row("table:1", 100, 0, 0, 0, 110, 0, 10, 0, 0, 0, grade="ESTIMATE", why=NOT_TO_THE_END)
    told.begin("table:1", "session:3", date=NEXT)
    days = followed(told, Claim("period", {"table:1": (3, 11)}))
    assert days.figures(DAY)["tables"][0]["why"] is None
    assert days.figures(EVE)["tables"][0]["why"] == NOT_BACK


def test_in_a_period_the_first_session_that_begins_may_be_the_second_of_its_day():
    told = two_days()
    del told.entries[:5]
    days = followed(told, Claim("period", {"table:1": (6, 10)}))
    assert days.figures(DAY)["tables"][0]["why"] == f"{NOT_BACK} {NOT_TO_THE_END}"
    days = followed(told, Claim("period", {"table:1": (1, 5)}))
    assert days.figures(DAY)["tables"][0]["why"] == NOT_TO_THE_END
    # One that begins on the date of the one before it is not the first.
    told = two_days()
    told.open("table:1", "session:3", 100)
    told.entries = told.entries[7:]
    days = followed(told, Claim("period", {"table:1": (8, 13)}))
    assert days.figures(DAY)["tables"][0]["why"] == f"{NOT_BACK} {NOT_TO_THE_END}"


@pytest.mark.parametrize("figures", [WORKED, changed(lambda figures: raised(figures["tables"][0], "drop"))])
def test_in_a_period_the_tables_that_are_whole_are_compared(figures):
    told = closed_day(figures)
    at = told.entries[-1]["at"]
    chains = {"table:3": (1, 60), "table:10": (1, 60), "house": (1, 60)}
    days = followed(told, Claim("period", chains, "", "3"))
    if figures is WORKED:
        assert days.judge() is None
        assert days.worked_out(DAY)["grade"] == "FINAL"
    else:
        with pytest.raises(verifier.Difference, match="table:3, its drop"):
            days.judge()
    # Nothing is said of one that lies before the end of the period, as its neighbour, or before its beginning.
    for claim in (Claim("period", chains, "", at), Claim("period", chains, f"{at}~", "3"), Claim("table", chains)):
        days = followed(told, claim)
        assert days.judge() is None
        assert days.worked_out(DAY)["grade"] == "ESTIMATE"
    days = followed(told, Claim("period", chains, at, "3"))
    assert days.worked_out(DAY)["grade"] == "FINAL"
    # The day before was closed before the period.
    if figures is WORKED:
        assert days.judge() is None
    # Of a table whose beginning is not here, nothing is known, and the sums are no sums.
    days = followed(told, Claim("period", {**chains, "table:3": (2, 60)}, "", "3"))
    assert days.judge() is None
    assert days.worked_out(DAY)["grade"] == "ESTIMATE"


def test_in_a_period_the_shift_of_the_cage_may_have_begun_before():
    told = without("cage.opened", "cage_shift:2")
    assert followed(told, Claim("period", {"table:3": (1, 60), "table:10": (1, 60)}, "", "3")).judge() is None


def test_an_export_of_a_table_has_its_day():
    told = two_days()
    days = followed(told, Claim("table", {"table:1": (1, 10)}))
    assert days.figures(DAY)["tables"] == [row("table:1", 100, 0, 0, 0, 110, 0, 10, 0, 0, 0)]


@pytest.mark.parametrize(
    ("sizes", "end", "cut"),
    [
        ([], "", False),
        ([2000], "", True),
        ([1999], "", False),
        ([10, 2010], "", True),
        ([10, 2009], "", False),
        ([10, 2010, 4010], "", True),
        # Afterwards all was sealed.
        ([10, 2010, 2011], "", False),
        # The table goes on.
        ([2000], "~", False),
    ],
)
def test_what_is_not_sealed_yet_is_not_called_tampered(sizes, end, cut):
    """A chain with more entries than are sealed at once stands behind later ones of others."""
    told = without("session.closed", "session:13")
    at = told.entries[-1]["at"]
    days = followed(told, ends={"house": at, "table:3": end or at, "table:10": "~"}, sizes=sizes)
    if not cut:
        with pytest.raises(verifier.Difference, match="session:13 is not closed"):
            days.judge()
        return
    sentence = days.judge()
    assert sentence.endswith("session:13 is not closed. Perhaps a chain is not sealed so far: ask for a newer export.")


# The command


@pytest.fixture
def sealed():
    """A log of a day, and the desk to judge it at."""

    def work(told, tmp_path):
        told.entries = told.added()
        entries = exports.chained(told.entries)
        log = exports.Log(entries, [len(entries) // 2, len(entries)])
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return Desk(folder, log), log

    return work


def test_it_prints_a_day_as_one_object(sealed, tmp_path):
    desk, log = sealed(closed_day(), tmp_path)
    code, (line,) = desk.judge(log.all(), "--day", DAY, "--json")
    assert (code, json.loads(line)) == (WHOLE, {"day": DAY, "grade": "FINAL", **WORKED})
    code, (line,) = desk.judge(log.all(), "--day", EVE, "--json", anchor=False)
    assert (code, json.loads(line)["grade"]) == (NOT_COVERED, "FINAL")
    code, (line,) = desk.judge(log.table("table:3"), "--day", DAY, "--json")
    assert code == WHOLE
    assert json.loads(line)["tables"] == [THREE]


def test_it_prints_a_day_for_people(sealed, tmp_path):
    desk, log = sealed(worked_day(between=both), tmp_path)
    code, told = desk.judge(log.all(), "--day", DAY)
    assert code == WHOLE
    assert told[1] == "Gaming day 2026-11-22, ESTIMATE, in units:"
    assert [re.split("  +", line.strip()) for line in told[2:7]] == [
        ["table", *FIGURES, "grade"],
        ["table:3", "8,101,000", "1,000,000", "500,000", "1,250,000", *"----", "2,000", "-", "ESTIMATE"],
        ["table:10", "100", "0", "0", "0", "90", "0", "-10", "0", "0", "0", "FINAL"],
        ["sum", "8,101,100", "1,000,000", "500,000", "1,250,000", "90", "0", "-10", "0", "2,000", "0"],
        ["of tables", *["2 of 2"] * 4, *["1 of 2"] * 4, "2 of 2", "1 of 2"],
    ]
    assert told[3].startswith("  table:3    8,101,000  1,000,000  500,000  1,250,000       -  ")
    assert len({len(line) for line in told[2:5]}) == len({len(line) for line in told[5:7]}) == 1
    assert told[7:9] == ["  table:3: Session 15 isn’t closed. Drop box B-9 isn’t counted.", "Looked at:"]
    assert "  gaming days: 2 gaming days, 1 closed, 0 differences" in told
    desk, log = sealed(closed_day(), tmp_path)
    _, told = desk.judge(log.all(), "--day", DAY)
    assert told[3].startswith("  table:3   8,100,000  1,000,000  500,000  ")
    assert [line.split()[0] for line in told[1:7]] == ["Gaming", "table", "table:3", "table:10", "sum", "Looked"]


def test_a_day_that_is_closed_with_another_figure_is_tampered(sealed, tmp_path):
    told = closed_day(changed(lambda figures: raised(figures["tables"][0], "win")))
    desk, log = sealed(told, tmp_path)
    line = len(told.entries)
    wanted = (
        f"tampered: entries.jsonl line {line}: The figures of {DAY}, table:3, its win: the log says 611001, its"
        " movements give 611000."
    )
    for more in (("--day", DAY), ("--day", EVE), ("--day", "2020-01-01")):
        code, lines = desk.judge(log.all(), *more)
        assert (code, lines[0]) == (TAMPERED, wanted)
        assert not any(each.startswith("Gaming day") for each in lines)
        assert "  gaming days: 2 gaming days, 2 closed, a difference" in lines
    report = desk.report(log.all(), "--day", DAY)
    assert f"{report['verdict']}: {report['says']}" == wanted
    # Nobody looked.
    code, lines = desk.judge(log.all())
    assert code == WHOLE
    assert "  gaming days: not worked out again (--day DATE, --resettle PROJECT)" in lines


def test_a_movement_after_the_closing_is_named_with_its_line(sealed, tmp_path):
    told = closed_day()
    afterwards(told, "table:3", "movement.made", "movement:99")
    desk, log = sealed(told, tmp_path)
    code, lines = desk.judge(log.all(), "--day", DAY)
    assert code == TAMPERED
    assert lines[0].startswith(f"tampered: entries.jsonl line {len(told.entries)}: movement:99 moves chips on {DAY}")


@pytest.mark.parametrize("generation", [1, 2])
def test_a_round_that_is_settled_anew_after_the_closing_is_found(generation, sealed, tmp_path):
    told, rules = closed_day(), {"game": "split"}
    sheet = hashlib.sha256(exports.canonical(rules).encode()).hexdigest()
    told.tell("house", "sheet.published", "sheet:1", rules=rules, sheet=sheet)
    facts = {"generation": generation, "sheet": sheet}
    told.tell("table:3", "round.settled", "round:7", **facts)
    told.tell("table:3", "round.settled", "round:7", **facts, business_date=DAY)
    desk, log = sealed(told, tmp_path)
    code, lines = desk.judge(log.all(), "--day", DAY)
    if generation == 1:
        assert code == WHOLE
        return
    assert code == TAMPERED
    assert lines[0].startswith(f"tampered: entries.jsonl line {len(told.entries)}: round:7 is settled anew on {DAY}")


def test_of_a_tampered_export_no_day_is_worked_out(sealed, tmp_path):
    desk, log = sealed(closed_day(), tmp_path)
    report = desk.report(log.all(entries=7), "--day", DAY)
    assert report["status"] == TAMPERED
    assert report["gaps"]["days"] == "not worked out again, since the export is tampered"


def test_a_witness_works_a_day_out_and_shows_none_of_a_log_that_was_rolled_back(sealed, tmp_path):
    desk, log = sealed(closed_day(), tmp_path)
    size = log.sizes[0]
    earlier = exports.Log(log.entries[:size], [size])
    kept = ["--state", str(desk.folder / "state"), "--signer", str(desk.folder / "signer")]
    for files, more, code, shown in ((log, ["--init"], WHOLE, True), (earlier, [], TAMPERED, False)):
        words = desk.words(desk.save(files.all()), *kept, *more, "--day", EVE, anchor=False)
        verdict, lines = verifier.judge(["witness", *words])
        assert (verdict, lines[1].startswith(f"Gaming day {EVE}")) == (code, shown), lines
    assert lines[0].startswith("tampered: The log was rolled back")


def test_what_may_not_be_sealed_yet_is_not_covered(sealed, tmp_path, monkeypatch):
    monkeypatch.setattr(verifier, "MOST_OF_A_CHAIN", 3)
    desk, log = sealed(without("session.closed", "session:13"), tmp_path)
    code, lines = desk.judge(log.all(), "--day", DAY)
    assert code == NOT_COVERED
    assert "session:13 is not closed. Perhaps a chain is not sealed so far" in lines[0]
    report = desk.folder / f"payments-{DAY}.csv"
    report.write_text("game,sheet,category,outcome,hands,share,per_million,staked,returned,paid,net\n", "utf-8")
    told = desk.report(log.all(), "--report", str(report))
    assert told["gaps"]["reports"] == "not worked out again, since a chain is perhaps not sealed so far"


def test_a_day_of_which_nothing_is_known_is_refused(sealed, tmp_path):
    told = closed_day()
    told.shift("cage_shift:3", date=NEXT)
    desk, log = sealed(told, tmp_path)
    code, lines = desk.judge(log.all(), "--day", "2020-01-01")
    assert (code, lines) == (
        MALFORMED,
        [f"malformed: This export knows nothing of the day 2020-01-01: it has {EVE} to {NEXT}."],
    )
    told = Told()
    for number in (1, 2):
        told.tell("table:1", "round.voided", f"round:{number}")
    desk, log = sealed(told, tmp_path)
    code, lines = desk.judge(log.all(), "--day", DAY)
    assert (code, lines[0]) == (
        MALFORMED,
        f"malformed: This export knows nothing of the day {DAY}: it has no movement of chips.",
    )


@pytest.mark.parametrize("date", ["2026-2-3", "2026-02-30", "20261122", "yesterday", "", "2026-11-22T00"])
def test_a_date_that_is_none_is_refused(date, sealed, tmp_path):
    desk, log = sealed(closed_day(), tmp_path)
    code, (line,) = desk.judge(log.all(), "--day", date)
    assert code == MALFORMED
    assert "is no day as 2026-11-22; --help tells how this is used." in line


NIGHTS = [exports.KEPT_NIGHT, exports.NIGHT_BEFORE_DAYS, exports.NIGHT_BEFORE_SLOTS]


@pytest.mark.parametrize("kept", NIGHTS, ids=lambda path: path.stem)
def test_a_day_of_an_old_log_is_an_estimate(kept, sealed, tmp_path):
    told = Told()
    told.entries = exports.kept_night(kept)
    log = exports.Log(told.entries, [len(told.entries)])
    date = next(each["facts"]["business_date"] for each in told.entries if each["event"] == "session.begun")
    code, (line,) = Desk(tmp_path, log).judge(log.all(), "--day", date, "--json")
    day = json.loads(line)
    assert (code, day["grade"]) == (WHOLE, "ESTIMATE")
    assert {each["grade"] for each in day["tables"]} == {"ESTIMATE"}
    assert all(re.fullmatch(r"Session \d+ isn’t closed\.", each["why"]) for each in day["tables"])
    if kept != exports.NIGHT_BEFORE_SLOTS:
        one, two, three = day["tables"][:3]
        # A fill and a credit of 400.00 at the first table, and at the second each was sent back.
        assert (one["fills"], one["credits"]) == (40_000, 40_000)
        assert (two["fills"], two["credits"]) == (0, 0)
        openers = [each["facts"]["transfer"]["units"] for each in told.entries if of_opener(each, "table:3")]
        assert (three["opener"], len(openers)) == (sum(openers), 2)


def of_opener(entry, chain):
    return entry["chain"] == chain and entry["facts"].get("kind") == "opener"
