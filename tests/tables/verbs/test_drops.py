"""The count of a drop: two of the count team, the second blind to the first; the rest is a variance with its alarm."""

import json

import pytest

from audit.models import Entry
from payouts import ledger, winning
from payouts.models import Account
from tables.models import Alarm, DropBox
from tables.verbs import alarms, drop_boxes, drops

from ...support import factories
from ...support.factories import buy_in, count_drop, mount, refused, sign_drop, table, take_off

pytestmark = pytest.mark.usefixtures("seeded_db")
CASH = {"5000": 5, "1000": 5}  # 300.00


def full(units=30_000, *, of="T1", number="101"):
    """A drop box of a table into which that much went, taken off."""
    place = table(of)
    drop_box = mount(place, number)
    if units:
        buy_in(place, units)
    take_off(drop_box)
    return DropBox.objects.get(pk=drop_box.pk)


def balance(kind, owner="house"):
    return ledger.balance(Account.objects.get(kind=kind, owner=owner))


def facts(event):
    return json.loads(Entry.objects.get(event=event).body)["facts"]


def test_two_count_the_same_and_the_cash_goes_to_the_count_room():
    drop_box = full()
    [first] = count_drop(drop_box, CASH, by="olga")
    assert drops.standing(drop_box).expected is None
    count_drop(drop_box, CASH, by="petra")
    assert drops.standing(drop_box).expected == 30_000
    drop_box = sign_drop(drop_box)
    assert (drop_box.cash_units, drop_box.recorded_units, drop_box.variance_units) == (30_000, 30_000, 0)
    assert (balance("count_room"), balance("drop_box", table().ref)) == (30_000, 0)
    people = [factories.person(name).ref for name in ("olga", "petra")]
    assert facts("drop_box.counted") == {
        "drop_box": drop_box.ref, "cash": CASH, "units": 30_000, "recorded": 30_000, "variance": 0, "people": people,
    }  # fmt: skip
    assert (first.part, first.of, Alarm.objects.exists()) == ("drop", drop_box.ref, False)
    refused("drop_box_wrong_moment", count_drop, drop_box, CASH, by="olga")
    refused("drop_box_wrong_moment", sign_drop, drop_box)


@pytest.mark.parametrize(
    ("cash", "variance"), [({"5000": 5, "1000": 4}, -1_000), ({"20000": 2}, 10_000), ({}, -30_000)]
)
def test_what_it_is_more_or_less_than_the_buy_ins_is_its_variance(cash, variance):
    drop_box = full()
    for by in ("olga", "petra"):
        count_drop(drop_box, cash, by=by)
    refused("reason_missing", sign_drop, drop_box)
    drop_box = sign_drop(drop_box, reason="A note stuck in the slot.")
    assert drop_box.variance_units == variance
    assert (balance("count_room"), balance("drop_box", table().ref)) == (30_000 + variance, 0)
    assert balance("variance") == -variance
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.value, alarm.bound) == ("drop_variance", drop_box.ref, variance, 0)
    assert factories.take(alarm).over_at is not None


def test_counts_that_differ_are_made_again_once_and_then_a_pit_boss_says_which_stands():
    drop_box = full()
    for _ in range(2):
        count_drop(drop_box, CASH, by="olga")
        count_drop(drop_box, {"5000": 6}, by="petra")
        drop_box.refresh_from_db()
    assert drops.standing(drop_box).decides
    refused("counted_twice", count_drop, drop_box, CASH, by="olga")
    refused("place_missing", sign_drop, drop_box, signed_with="clara", reason="One was torn.")
    drop_box = sign_drop(drop_box, signed_with="clara", place=2, reason="One was torn.")
    assert drop_box.cash_units == 30_000


def test_one_person_counts_once_and_signs_with_another():
    drop_box = full()
    count_drop(drop_box, CASH, by="olga")
    refused("counted_already", count_drop, drop_box, CASH, by="olga")
    refused("count_missing", sign_drop, drop_box)
    count_drop(drop_box, {"1000": 29}, by="petra")
    refused("counts_differ", sign_drop, drop_box)
    refused("same_person", sign_drop, drop_box, signed_with="olga")


@pytest.mark.parametrize(
    ("cash", "code"),
    [({"300": 1}, "cash_unknown"), ({"2500": 1}, "cash_unknown"), ({"5000": -1}, "count_wrong"),
     ({"5000": 2**63}, "count_wrong"), ({"5000": True}, "count_wrong"), ({"5000": 1.5}, "count_wrong")],
)  # fmt: skip
def test_cash_that_is_none_of_the_house_is_refused(cash, code):
    drop_box = full()
    refused(code, count_drop, drop_box, cash, by="olga")


def test_a_box_that_hangs_at_its_table_is_not_counted():
    refused("drop_box_wrong_moment", count_drop, mount(table()), CASH, by="olga")


def test_an_empty_box_is_counted_too_and_nothing_moves():
    drop_box = factories.counted_drop(full(0), {})
    assert (drop_box.status, drop_box.cash_units, drop_box.variance_units) == ("COUNTED", 0, 0)
    # Counted, it may hang somewhere again.
    assert mount(table("T2")).number == drop_box.number


def test_the_win_is_what_the_rounds_left_and_both_variances():
    """D4's identity, with a closer and a drop that differ."""
    place = table()
    played = factories.settled_round(place)
    drop_box = mount(place)
    buy_in(place, 30_000)
    second = take_off(drop_box) and mount(place, "102")
    buy_in(place, 20_000, box=3)
    running = factories.stop_session(place)
    take_off(second)
    books = ledger.balance(place.float_account)
    for by in ("hugo", "clara"):
        factories.count_session(running, {100: books // 100 - 3}, by=by)
    factories.sign_session(running, reason="Three are gone.")
    factories.counted_drop(drop_box, {"10000": 3})
    assert drop_boxes.drop(running) is None
    factories.counted_drop(second, {"10000": 2, "500": 1})
    moved = ledger.movement_units(running.ref)
    win = winning.win(winning.Chips(moved["opener"], 0, 0, drop_boxes.drop(running), moved["closer"]))
    net = ledger.settlement_units(
        debit=place.float_account, credit=place.patrons_account, account=place.float_account, subject=running.ref
    )
    assert (played.session_id, moved["variance"]) == (running.pk, -300)
    assert (win.units, win.grade) == (net - 300 + 500, "FINAL")


def test_a_box_that_nobody_counts_alarms_until_somebody_does(owner_connection):
    drop_box = full()
    assert alarms.look() == (0, 0)
    owner_connection.execute("ALTER TABLE tables_dropbox DISABLE TRIGGER USER")
    owner_connection.execute("UPDATE tables_dropbox SET removed_at = now() - interval '24 hours 5 seconds'")
    for trigger in ("moves", "timed", "is_counted"):
        owner_connection.execute(f"ALTER TABLE tables_dropbox ENABLE ALWAYS TRIGGER {trigger}")
    assert alarms.look() == (1, 0)
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.value, alarm.bound) == ("drop_box_overdue", drop_box.ref, 24, 24)
    assert alarms.look() == (0, 0)
    factories.counted_drop(drop_box, CASH)
    assert alarms.look() == (0, 1)
    alarm.refresh_from_db()
    assert alarm.over_at is not None
