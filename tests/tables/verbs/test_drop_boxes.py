"""Drop boxes and buy-ins: cash goes into the box that two mounted, chips come out of the float, and the win knows."""

import json

import pytest
from django.db import transaction

from audit.models import Entry
from payouts import ledger, winning
from payouts.models import Account, Transfer
from tables.models import Alarm, BuyIn, DropBox
from tables.verbs import drop_boxes, sessions, settings

from ...support import factories
from ...support.factories import actor, buy_in, mount, refused, table, take_off

pytestmark = pytest.mark.usefixtures("seeded_db")
MOST = 2**63 - 1


def entries(thing):
    return [
        (entry.event, json.loads(entry.body)["facts"]) for entry in Entry.objects.filter(subject=thing).order_by("seq")
    ]


def held(kind="drop_box", of="T1"):
    return ledger.balance(Account.objects.get(kind=kind, owner=table(of).ref))


def closer_of(place, *, less=0):
    """What a table's float holds by the books, in its smallest chips."""
    return {100: (ledger.balance(place.float_account) - less) // 100}


def test_two_mount_a_drop_box_and_two_take_it_off_with_number_and_seal():
    drop_box = mount(table(), " t-101 ", seal="s-1")
    assert (drop_box.number, drop_box.seal, drop_box.status) == ("T-101", "S-1", "MOUNTED")
    take_off(drop_box)
    drop_box = DropBox.objects.get()
    people = [factories.person(name).ref for name in ("clara", "hugo")]
    said = {"drop_box": drop_box.ref, "number": "T-101", "seal": "S-1", "people": people}
    session = drop_box.session
    more = {"session": session.ref, "business_date": session.business_date.isoformat()}
    assert entries(drop_box.ref) == [("drop_box.mounted", said | more), ("drop_box.removed", said)]
    assert (drop_box.status, drop_box.removed_seal, Alarm.objects.count()) == ("REMOVED", "S-1", 0)


def test_another_seal_is_taken_down_and_alarms_and_another_box_is_refused():
    drop_box = mount(table())
    refusal = refused("drop_box_other", take_off, drop_box, number="102")
    assert refusal.path == "number"
    take_off(drop_box, seal="S-2")
    assert DropBox.objects.get().removed_seal == "S-2"
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.over_at) == ("drop_box_seal", drop_box.ref, None)
    assert factories.take(alarm).over_at is not None
    refused("drop_box_wrong_moment", take_off, drop_box)


@pytest.mark.parametrize(
    ("number", "seal", "code"),
    [("", "S-1", "number_wrong"), ("101", "", "seal_wrong"), ("10 1", "S-1", "number_wrong"),
     ("1" * 21, "S-1", "number_wrong"), ("101", "Anna Adler!", "seal_wrong"), ("-1", "S-1", "number_wrong")],
)  # fmt: skip
def test_number_and_seal_are_as_they_are_printed(number, seal, code):
    refused(code, mount, table(), number, seal=seal)


def test_one_box_hangs_at_a_table_and_a_box_hangs_at_one_table():
    drop_box = mount(table())
    refused("drop_box_mounted", mount, table(), "102")
    refused("drop_box_elsewhere", mount, table("T2"), "101")
    take_off(drop_box)
    assert refused("drop_box_elsewhere", mount, table("T2"), "101").detail == {"drop_box": drop_box.pk}
    assert mount(table(), "102").number == "102"


def test_it_takes_two_people_and_an_open_table():
    refused("same_person", mount, table(), signed_with="clara")
    drop_box = mount(table())
    refused("same_person", take_off, drop_box, signed_with="clara")
    take_off(drop_box)
    factories.stop_session(table())
    refused("session_closed", mount, table(), "102")


def test_a_buy_in_takes_chips_of_the_float_and_puts_cash_into_the_box():
    place = table()
    drop_box, before = mount(place), held("float")
    bought = buy_in(place, 50_000, box=2)
    assert (held("float") - before, held()) == (-50_000, 50_000)
    anna = factories.person("anna").ref
    [(event, facts)] = entries(f"movement:{bought.pk}")
    assert (event, facts["people"], facts["denominations"]) == ("movement.made", [anna], {"1": 50_000})
    assert (facts["drop_box"], facts["box"], facts["kind"]) == (drop_box.ref, 2, "buy_in")
    assert (bought.drop_box, bought.session, bought.by.ref) == (drop_box, drop_box.session, anna)
    buy_in(place, 10_000, box=2)
    assert [each.movement.number for each in BuyIn.objects.all()] == [1, 2]


def test_a_buy_in_above_what_the_house_lets_pass_takes_a_supervisor():
    place = table()
    mount(place)
    bound = settings.standing()
    assert any(each.definition.name == "buy_in_signed_units" and each.value == 200_000 for each in bound)
    buy_in(place, 200_000)
    assert refused("signature_missing", buy_in, place, 200_100).path == "signature"
    bought = buy_in(place, 200_100, signed=True)
    assert bought.approved_by.login == "clara"
    with pytest.raises(Exception, match="both ask and sign"), transaction.atomic():
        factories.buy_ins.enter(table_id=place.pk, box=1, units=500, actor=actor("anna", "anna"))


@pytest.mark.parametrize("units", [0, -500, 50, 150, 10**12 + 100, MOST - MOST % 100, 10**30])
def test_an_amount_that_chips_do_not_come_to_is_refused(units):
    mount(table())
    assert refused("amount_wrong", buy_in, table(), units, signed=True).path == "units"


@pytest.mark.parametrize("box", [0, -1, 8, 2**40])
def test_a_box_that_the_table_has_not_is_refused(box):
    mount(table())
    assert refused("box_unknown", buy_in, table(), 500, box=box).path == "box"


def test_more_than_the_float_has_and_a_table_without_a_box_are_refused():
    place = table()
    refused("drop_box_missing", buy_in, place, 500)
    drop_box = mount(place)
    refused("float_short", buy_in, place, held("float") + 100, signed=True)
    take_off(drop_box)
    refused("drop_box_missing", buy_in, place, 500)
    assert not BuyIn.objects.exists()


def test_a_table_closes_without_a_box_and_what_is_not_counted_is_carried():
    place = table()
    drop_box = mount(place)
    buy_in(place, 30_000)
    running = factories.stop_session(place)
    for by in ("hugo", "clara"):
        factories.count_session(running, closer_of(place), by=by)
    assert refused("drop_box_mounted", factories.sign_session, running).detail == {"drop_box": drop_box.pk}
    take_off(drop_box)
    factories.sign_session(running)
    running.refresh_from_db()
    assert (running.status, running.unfinished) == ("CLOSED", [drop_box.ref])
    again = factories.open_session(place, {100: 100})
    assert drop_boxes.drop(running) is None
    assert sessions.before(again) == running


def test_the_expected_closer_is_less_what_was_sold_for_cash():
    place = table()
    before = held("float")
    drop_box = mount(place)
    buy_in(place, 30_000)
    running = factories.stop_session(place)
    take_off(drop_box)
    for by in ("hugo", "clara"):
        factories.count_session(running, {100: before // 100}, by=by)
    stands = sessions.standing(running)
    assert (stands.expected, stands.difference(stands.entered[0])) == (before - 30_000, 30_000)


def test_without_a_drop_box_the_drop_is_nothing_and_the_win_final():
    session = factories.close_session(table(), closer_of(table()))
    assert drop_boxes.drop(session) == 0
    moved = ledger.movement_units(session.ref)
    chips = winning.Chips(moved["opener"], 0, 0, drop_boxes.drop(session), moved["closer"])
    assert winning.win(chips).grade == "FINAL"
    assert not Transfer.objects.filter(reason="buy_in").exists()
