"""Tips: an amount that never touches the float, and a count of each gaming day by two; the rest is a variance."""

import datetime as dt
import json

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.models import Entry
from payouts import circulation, ledger
from payouts.models import Account
from tables.models import TipCount
from tables.people import staff
from tables.verbs import dates, sessions, tips

from ...support import factories
from ...support.factories import buy_in, count_tips, refused, sign_tips, table, tip

pytestmark = pytest.mark.usefixtures("seeded_db")
CHIPS = {"2500": 2, "500": 1}  # 55.00


def today():
    return dates.business_date()


def given_tips(*amounts, of="T1"):
    """A day with these tips, whose tables are closed."""
    for units in amounts or (5_500,):
        tip(table(of), units)
    return factories.close_tables()


def balance(kind, owner="house"):
    return ledger.balance(Account.objects.get(kind=kind, owner=owner))


def facts(event):
    entry = Entry.objects.filter(event=event).latest("pk")
    return entry.chain_id, json.loads(entry.body)["facts"]


def test_a_tip_goes_from_the_patrons_into_the_tip_box_by_one_person():
    place = table()
    tip(place, 500)
    movement = tip(place, 5_000)
    session = place.sessions.get()
    assert (movement.key, movement.denominations) == (f"{session.ref}:tip:2", {"1": 5_000})
    assert (movement.approved_by, movement.business_date) == (None, session.business_date)
    assert (balance("tips"), balance("patrons", place.ref)) == (5_500, -5_500)
    chain, said = facts("movement.made")
    assert (chain, said["kind"], said["people"]) == (place.ref, "tip", [factories.croupier(place).ref])
    assert (
        said["transfer"] | {"debit": "tips:house", "credit": f"patrons:{place.ref}", "units": 5_000} == said["transfer"]
    )


@pytest.mark.parametrize("units", [0, -100, 50, 550, 10**12 + 100, 2**70])
def test_a_tip_is_of_chips_that_the_table_has(units):
    refused("amount_wrong", tip, table(), units)


def test_no_tip_is_taken_where_no_session_is_open():
    place = table()
    factories.stop_session(place)
    refused("session_closed", tip, place, 500)


# One move of an evening: what it is, and of how many smallest chips.
MOVES = st.lists(st.tuples(st.sampled_from(["tip", "tip", "buy_in"]), st.integers(1, 40)), min_size=1, max_size=6)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
def test_a_tip_never_touches_the_float_nor_what_is_in_circulation(moves):
    """Law: an evening with tips and one without them have the same float, closer's expectation and circulation."""
    place = table()
    if not place.drop_boxes.filter(status="MOUNTED").exists():
        factories.mount(place)
    held, out, tipped = ledger.balance(place.float_account), in_circulation(), balance("tips")
    sold = given_units = 0
    for kind, chips in moves:
        if kind == "tip":
            tip(place, chips * 100)
            given_units += chips * 100
        else:
            buy_in(place, chips * 100)
            sold += chips * 100
    assert ledger.balance(place.float_account) == held - sold
    assert in_circulation() == out + sold
    assert in_circulation() == circulation.took(ledger.balances())
    assert balance("tips") == tipped + given_units


def in_circulation():
    return circulation.circulation(ledger.holdings()).units


def test_the_win_and_what_a_closer_should_be_know_nothing_of_tips():
    place = table()
    factories.settled_round(place)
    books = ledger.balance(place.float_account)
    tip(place, 40_000)
    running = factories.stop_session(place)
    for by in ("hugo", "clara"):
        factories.count_session(running, {100: books // 100}, by=by)
    assert sessions.standing(running).expected == books
    factories.sign_session(running)
    moved = ledger.movement_units(running.ref)
    assert (moved["closer"], moved["variance"], moved["tip"]) == (books, 0, 40_000)
    assert ledger.balance(place.float_account) == 0


def test_two_count_the_same_and_the_tips_are_that():
    date = given_tips(500, 5_000)
    assert tips.uncounted(date)
    [first] = count_tips(date, CHIPS, by="olga")
    assert (first.of, first.part) == (f"tips:{date}", "tips")
    assert tips.standing(date).expected is None
    count_tips(date, CHIPS, by="petra")
    assert tips.standing(date).expected == 5_500
    counted = sign_tips(date)
    assert (counted.counted_units, counted.recorded_units, counted.variance_units) == (5_500, 5_500, 0)
    assert (balance("tips"), balance("variance")) == (5_500, 0)
    people = [factories.person(name).ref for name in ("olga", "petra")]
    assert facts("tips.counted") == ("house", {
        "date": str(date), "chips": CHIPS, "units": 5_500, "recorded": 5_500, "variance": 0, "people": people,
    })  # fmt: skip
    assert not tips.uncounted(date)
    refused("tips_counted", count_tips, date, CHIPS, by="olga")
    refused("tips_counted", sign_tips, date)


@pytest.mark.parametrize(("chips", "variance"), [({"2500": 2}, -500), ({"10000": 1}, 4_500), ({}, -5_500)])
def test_the_tips_are_what_was_counted_and_the_rest_is_their_variance(chips, variance):
    date = given_tips()
    for by in ("olga", "petra"):
        count_tips(date, chips, by=by)
    refused("reason_missing", sign_tips, date)
    counted = sign_tips(date, reason="A chip fell beside the box.")
    assert counted.variance_units == variance
    assert (balance("tips"), balance("variance")) == (5_500 + variance, -variance)
    chain, said = facts("movement.made")
    assert (chain, said["kind"], said["transfer"]["key"]) == ("house", "variance", f"tips:{date}:variance:1:1")
    assert in_circulation() == circulation.took(ledger.balances())


def test_what_the_house_lets_pass_takes_no_reason():
    factories.set_setting(500, name="tips_variance_units")
    date = given_tips()
    for by in ("olga", "petra"):
        count_tips(date, {"2500": 2}, by=by)
    counted = sign_tips(date)
    assert (counted.variance_units, counted.reason) == (-500, "")


def test_counts_that_differ_are_made_again_once_and_then_a_pit_boss_says_which_stands():
    date = given_tips()
    for _ in range(2):
        count_tips(date, CHIPS, by="olga")
        count_tips(date, {"2500": 2}, by="petra")
    assert tips.standing(date).decides
    refused("counted_twice", count_tips, date, CHIPS, by="olga")
    refused("place_missing", sign_tips, date, signed_with="clara", reason="One was stuck.")
    assert sign_tips(date, signed_with="clara", place=1, reason="One was stuck.").counted_units == 5_500


def test_one_person_counts_once_and_signs_with_another():
    date = given_tips()
    count_tips(date, CHIPS, by="olga")
    refused("counted_already", count_tips, date, CHIPS, by="olga")
    refused("count_missing", sign_tips, date)
    count_tips(date, {"500": 11}, by="petra")
    refused("counts_differ", sign_tips, date)
    refused("same_person", sign_tips, date, signed_with="olga")


@pytest.mark.parametrize(
    ("chips", "code"),
    [({"300": 1}, "chip_unknown"), ({"500": -1}, "count_wrong"), ({"500": 2**63}, "count_wrong"),
     ({"500": True}, "count_wrong")],
)  # fmt: skip
def test_chips_that_the_house_does_not_have_are_refused(chips, code):
    refused(code, count_tips, given_tips(), chips, by="olga")


def test_a_day_is_counted_when_no_session_of_it_is_open_and_only_one_with_tips():
    tip(table(), 500)
    # Another table of the day could still take one.
    factories.close_session(table(), {100: ledger.balance(table().float_account) // 100})
    assert (tips.standing(today()), tips.uncounted(today())) == (None, True)
    refused("tips_wrong_moment", count_tips, today(), {"500": 1}, by="olga")
    date = factories.close_tables()
    assert tips.waiting() == [date]
    count_tips(date, {"500": 1}, by="olga")
    refused("tips_wrong_moment", count_tips, date - dt.timedelta(days=1), {"500": 1}, by="olga")


def test_no_tip_comes_to_a_day_that_is_counted():
    date = given_tips()
    factories.counted_tips(date, CHIPS)
    place = table()
    factories.open_session(place, {100: 100})
    with transaction.atomic():
        staff.sign_on(staff=factories.person("anna"), table=place, actor=factories.actor("clara"))
    refused("tips_counted", tip, place, 500)
    assert TipCount.objects.get().ref == f"tips:{date}"
