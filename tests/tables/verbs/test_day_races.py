"""A gaming day is closed at the moment at which something else happens: that is of the day and in its figures, or it is
of the next, or one sentence refuses the closing. And cash that goes into a drop box as it is taken off and counted.

Each race is on a day of its own, all of them past ones: the database's own function of the day is replaced.
"""

import datetime as dt
import json
import time
from collections import Counter
from functools import partial

import pytest
from django.db import connection, transaction

from audit import log
from audit.models import Entry
from casino.running import embedded
from payouts import ledger
from payouts.models import Account, Movement, Settlement
from tables.models import BuyIn, CageShift, DropBox, GamingDay, Round, Session
from tables.verbs import (
    buy_ins,
    cage,
    corrections,
    dates,
    days,
    drop_boxes,
    drops,
    figures,
    interventions,
    rounds,
    rulesheets,
    series,
    sessions,
    settling,
    standing,
    tips,
)

from ...support import factories, proof, stack
from ...support.factories import actor, table
from .test_chip_races import (
    BOTH,
    SERVED,
    Looker,
    cage_chips,
    cage_signer,
    counted_out,
    counter,
    either,
    float_chips,
    opened,
    seller,
    served,
    signer,
)

AGO = 200
"""The first race is on the gaming day so many days ago."""


def turn(date):
    """A gaming day begins, by the database's own function."""
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute(
            "CREATE OR REPLACE FUNCTION gaming_day(at timestamptz, zone text, starts time) RETURNS date"
            f" LANGUAGE sql STABLE PARALLEL SAFE RETURN date '{date}'"
        )


def today():
    return GamingDay.objects.get(date=dates.business_date())


def ended():
    """The first table is closed, and whatever else it was."""
    factories.close_session(table("T1"), float_chips())


def cage_counted_out():
    """Two have counted the cage in a shift of today."""
    factories.cage_shift()
    for by in ("olga", "hugo"):
        factories.count_cage(cage_chips(), by=by)


def cage_closed():
    cage_counted_out()
    factories.sign_cage()


def finished():
    """Nothing keeps today from being closed."""
    cage_closed()
    assert days.obstacles(today()) == []


def idle():
    """Today the first table was open, and all is finished."""
    opened()
    ended()
    finished()


def closer(day=None):
    return days.close, {"day_id": (day or today()).pk, "actor": actor("clara", "hugo")}


def drop_signer(drop_box):
    return drops.sign, {"drop_box_id": drop_box.pk, "actor": actor("olga", "petra")}


def drop_counter(drop_box, by):
    return drops.count, {"drop_box_id": drop_box.pk, "denominations": {"500": 1}, "actor": actor(by)}


def buyer():
    return buy_ins.enter, {"table_id": table("T1").pk, "box": 1, "units": 500, "actor": actor("anna")}


def correct(round_id):
    return corrections.correct(
        standing=standing.locked(round_id),
        line=1,
        changes={"boxes[0].ante": 1000},
        clause="split.33",
        reason="Entered wrong.",
        actor=actor("clara", "frank"),
    )


def mounted():
    """A drop box hangs at the first table, with the cash of a buy-in."""
    opened()
    drop_box = factories.mount(table("T1"), f"B-{DropBox.objects.count()}")
    factories.buy_in(table("T1"), 500)
    return drop_box


def counted_twice():
    """A drop box that two have counted, of a table that is open."""
    drop_box = factories.take_off(mounted())
    for by in ("olga", "petra"):
        factories.count_drop(drop_box, {"500": 1}, by=by)
    return drop_box


# Each arranges its moment and says what two people do then; the closing comes first.


def two_close_a_day():
    idle()
    return closer(), closer()


def a_session_begins():
    idle()
    return closer(), (sessions.begin, {"table_id": table("T1").pk, "actor": actor("clara")})


def a_table_is_carried_on():
    counted_out()
    return closer(), signer(carry=True)


def a_table_closes():
    counted_out()
    return closer(), signer()


def a_patron_buys_in():
    mounted()
    return closer(), buyer()


def a_patron_gives_a_tip():
    opened()
    return closer(), (tips.take, {"table_id": table("T1").pk, "units": 500, "actor": actor("anna")})


def chips_are_sold_in_a_shift_of_the_day():
    idle()
    return closer(), seller()


def chips_are_sold_in_a_shift_of_the_next_day():
    idle()
    day = today()
    turn(day.date + dt.timedelta(1))
    return closer(day), seller()


def a_credit_is_received():
    opened()
    going = factories.count_slip(factories.issue(factories.slip(table("T1"), "credit")), by="hugo")
    ended()
    cage_closed()
    return closer(), counter(going, "clara")


def a_round_is_corrected_at_a_closed_table():
    opened()
    settled = factories.settled_round(table("T1"), factories.FOLDS)
    ended()
    finished()
    return closer(), (correct, {"round_id": settled.pk})


def a_paper_of_it_is_entered():
    opened()
    at = table("T1").sessions.get(status="OPEN").opened_at
    ended()
    finished()
    paper = {"paper": f"R-{Round.objects.count()}", "happened_at": at, "actor": actor("clara", "frank")}
    return closer(), (rounds.open_round, {"table_id": table("T1").pk, **paper})


def a_paper_of_it_begins_a_series():
    split = rulesheets.in_force(table("T1"))
    put_in_force(factories.published_sheet("dynastia", factories.in_chips("dynastia", {"game": "long", "price": 100})))
    opened()
    at = table("T1").sessions.get(status="OPEN").opened_at
    ended()
    put_in_force(split)
    finished()
    paper = {"paper": f"R-{Round.objects.count()}", "happened_at": at, "actor": actor("clara", "frank")}
    return closer(), (rounds.open_round, {"table_id": table("T1").pk, "seats": (1, 2), **paper})


def put_in_force(sheet):
    with transaction.atomic():
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table("T1").pk, actor=actor("clara", "frank"))


def a_drop_is_counted():
    drop_box = factories.take_off(mounted())
    factories.count_drop(drop_box, {"500": 1}, by="olga")
    ended()
    cage_closed()
    return closer(), drop_counter(drop_box, "petra")


def a_drop_is_signed_for():
    drop_box = counted_twice()
    ended()
    cage_closed()
    return closer(), drop_signer(drop_box)


def tips_are_signed_for():
    opened()
    factories.tip(table("T1"), 500)
    ended()
    cage_closed()
    for by in ("olga", "petra"):
        factories.count_tips(today().date, {"500": 1}, by=by)
    return closer(), (tips.sign, {"date": today().date, "actor": actor("olga", "petra")})


def the_cage_is_signed_for():
    opened()
    ended()
    cage_counted_out()
    return closer(), cage_signer()


def a_shift_of_the_cage_opens():
    idle()
    return closer(), (cage.open_shift, {"actor": actor("hugo")})


def a_drop_box_is_taken_off_and_a_patron_buys_in():
    drop_box = mounted()
    arguments = {"number": drop_box.number, "seal": drop_box.seal, "actor": actor("clara", "hugo")}
    return (drop_boxes.remove, {"drop_box_id": drop_box.pk, **arguments}), buyer()


def a_drop_box_is_counted_and_a_patron_buys_in_to_the_next():
    drop_box = counted_twice()
    factories.mount(table("T1"), f"B-{DropBox.objects.count()}")
    return drop_signer(drop_box), buyer()


def two_count_a_drop_first():
    drop_box = factories.take_off(mounted())
    return drop_counter(drop_box, "olga"), drop_counter(drop_box, "petra")


def one_counts_a_drop_twice():
    drop_box = factories.take_off(mounted())
    return drop_counter(drop_box, "olga"), drop_counter(drop_box, "olga")


def two_sign_a_drop():
    drop_box = counted_twice()
    return drop_signer(drop_box), drop_signer(drop_box)


UNFINISHED = ("day_unfinished", SERVED)
RACES = {
    two_close_a_day: either("day_closed"),
    a_session_begins: {*BOTH, UNFINISHED},
    # Whichever comes first: the chips that the table brings are not counted in the cage yet.
    a_table_is_carried_on: {UNFINISHED},
    a_table_closes: {UNFINISHED},
    a_patron_buys_in: {UNFINISHED},
    a_patron_gives_a_tip: {UNFINISHED},
    chips_are_sold_in_a_shift_of_the_day: {UNFINISHED},
    chips_are_sold_in_a_shift_of_the_next_day: BOTH,
    a_credit_is_received: {*BOTH, UNFINISHED},
    a_round_is_corrected_at_a_closed_table: BOTH,
    a_paper_of_it_is_entered: {(SERVED, "paper_too_late"), UNFINISHED},
    a_paper_of_it_begins_a_series: {(SERVED, "paper_too_late"), UNFINISHED},
    a_drop_is_counted: {UNFINISHED},
    a_drop_is_signed_for: {*BOTH, UNFINISHED},
    tips_are_signed_for: {*BOTH, UNFINISHED},
    the_cage_is_signed_for: {*BOTH, UNFINISHED},
    a_shift_of_the_cage_opens: {*BOTH, UNFINISHED},
    a_drop_box_is_taken_off_and_a_patron_buys_in: {*BOTH, (SERVED, "drop_box_missing")},
    a_drop_box_is_counted_and_a_patron_buys_in_to_the_next: BOTH,
    two_count_a_drop_first: BOTH,
    one_counts_a_drop_twice: either("counted_already"),
    two_sign_a_drop: either("drop_box_wrong_moment"),
}


def look():
    """Raise unless each closed day has all that is of it, once in the log, and the drop boxes hold what was put in."""
    closed = GamingDay.objects.filter(status="CLOSED")
    for day in closed:
        assert days.obstacles(day) == [], day
        assert day.figures == log.canonical(figures.of_day(day.date).facts()), day
        (entry,) = Entry.objects.filter(event="day.closed", subject=day.ref)
        assert json.loads(entry.body)["facts"]["figures"] == json.loads(day.figures)
    after = {"business_date__in": closed.values("date")}
    last = max(closed.values_list("closed_at", flat=True), default=None)
    for kind in (Movement, Settlement):
        made = kind.objects.filter(**after)
        assert last is None or not made.filter(begun_at__gt=last).exists(), kind
    waiting = BuyIn.objects.exclude(drop_box__status="COUNTED").values_list("units", flat=True)
    assert ledger.balances()[Account.Kind.DROP_BOX] == sum(waiting)


def tidy_up(until):
    """What is left of the days up to one is finished, and they are closed."""
    for late in Round.objects.filter(status="OPEN").exclude(paper=None).select_related("table"):
        if late.series_id:
            with transaction.atomic():
                two = actor("clara", "frank")
                void = {"version": 0, "clause": "house.4", "reason": "Another paper.", "actor": two}
                interventions.void(standing=standing.locked(late.pk), **void)
                series.end(table_id=late.table_id, session_id=late.session_id, actor=two)
            continue
        factories.act_all(late, factories.FOLDS)
        factories.close(late)
        settling.settle_due()
    for session in Session.objects.running().select_related("table"):
        if session.status == Session.Status.OPENING:
            factories.in_session(session.table, {"10000": 10})
        for slip in session.slips.running():
            factories.send_back(slip)
    for drop_box in DropBox.objects.waiting().filter(status="REMOVED"):
        stands = drops.standing(drop_box)
        for by in {"olga", "petra"} - {each.by.login for each in stands.entered}:
            factories.count_drop(drop_box, {"500": drops.recorded(drop_box) // 500}, by=by)
        factories.sign_drop(drop_box)
    shift = CageShift.objects.filter(status="OPEN").first()
    if shift and cage.standing(shift).both:
        factories.sign_cage()
    for left in GamingDay.objects.running().filter(date__lte=until).order_by("date"):
        factories.end_day()
        for date in tips.waiting():
            factories.counted_tips(date, {"500": tips.recorded(date) // 500})
        factories.close_day(left)


def run(arrange, times):
    """A race so many times on one database.

    :returns: how often it ended how.
    """
    ended_so, looker = Counter(), Looker()
    first = factories.close_tables() - dt.timedelta(AGO)
    with factories.side_by_side(2) as together:
        for date in (first + dt.timedelta(place) for place in range(times)):
            turn(date)
            codes = together(*(partial(served, *work) for work in arrange()))
            broken = [code for code in codes if isinstance(code, BaseException)]
            assert not broken, broken
            ended_so[tuple(codes)] += 1
            looker.look()
            look()
            tidy_up(date)
            look()
    assert set(ended_so) <= RACES[arrange], ended_so
    return ended_so


NAMES = pytest.mark.parametrize("arrange", RACES, ids=lambda arrange: arrange.__name__)


@pytest.mark.proof
@NAMES
def test_what_happens_as_a_day_is_closed_is_of_it_or_of_the_next_fifty_times(arrange, seeded_db):
    begun, times = time.monotonic(), proof.size(50, 2)
    ended_so = run(arrange, times)
    print(f"\n{arrange.__name__}: {times} races in {time.monotonic() - begun:.0f} s, ended {dict(ended_so)}")
