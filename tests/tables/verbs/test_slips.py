"""Fills, credits and changes: each step by its people, chips and money together, and numbers without a gap."""

import json

import pytest
from django.db import transaction

from audit import log
from audit.models import Entry
from casino.errors import Refused
from payouts import ledger
from payouts.models import Account, Transfer
from tables.models import Count, Slip
from tables.verbs import slips

from ...support import factories
from ...support.factories import close_session, person, refused, table

CHIPS = {"10000": 2, "500": 40}
UNITS = 40_000


def do(verb, by, *, signed=None, **arguments):
    with transaction.atomic():
        return verb(actor=log.Actor(person(by), signed and person(signed)), **arguments)


def fill(kind="fill", chips=None, by="clara", **more):
    return do(slips.request, by, table_id=table("T1").pk, kind=kind, denominations=chips or CHIPS, **more)


def issued(kind="fill", **more):
    slip = fill(kind, **more)
    return do(slips.issue, "anna" if kind == "credit" else "hugo", slip_id=slip.pk)


def counted(slip, by, chips=None):
    return do(slips.count, by, slip_id=slip.pk, denominations=CHIPS if chips is None else chips)


def received(kind="fill", **more):
    slip = issued(kind, **more)
    first, second = ("hugo", "karl") if kind == "credit" else ("anna", "clara")
    counted(slip, first)
    return counted(slip, second)[0]


def balances():
    names = ("cage", "transit")
    house = {name: ledger.balance(Account.objects.get(kind=name)) for name in names}
    return {"float": ledger.balance(table("T1").float_account), **house}


def moved(before):
    return {name: units - before[name] for name, units in balances().items()}


def entries(slip):
    return [
        (entry.event, json.loads(entry.body)["by"], json.loads(entry.body)["facts"])
        for entry in Entry.objects.filter(subject=slip.ref).order_by("seq")
    ]


def test_a_fill_goes_from_the_cage_over_the_way_into_the_float(seeded_db):
    before = balances()
    slip = fill()
    assert (str(slip), slip.units, moved(before)) == (
        "F-2026-000001".replace("2026", str(slip.year)),
        UNITS,
        dict.fromkeys(before, 0),
    )
    do(slips.issue, "hugo", slip_id=slip.pk, carrier=person("boris"))
    assert moved(before) == {"float": 0, "cage": -UNITS, "transit": UNITS}
    _, first = counted(slip, "anna")
    assert (len(first), moved(before)["float"]) == (1, 0)
    slip, both = counted(slip, "clara")
    assert (slip.status, [count.by.login for count in both]) == ("RECEIVED", ["anna", "clara"])
    assert moved(before) == {"float": UNITS, "cage": -UNITS, "transit": 0}
    anna, boris, clara, hugo = (person(name).ref for name in ("anna", "boris", "clara", "hugo"))
    number = {"kind": "fill", "year": slip.year, "number": 1, "session": slip.session.ref}
    amounts = {"denominations": {"500": 40, "10000": 2}, "units": UNITS}
    agreed = {"of": slip.ref, "part": "fill", "attempt": 1, "signers": [anna, clara]}
    assert entries(slip) == [
        ("slip.requested", clara, number | amounts | {"requester": clara}),
        (
            "slip.issued",
            hugo,
            {"slip": slip.ref, "movement": f"movement:{slip.out_id}", "issuer": hugo, "carrier": boris},
        ),
        ("count.agreed", clara, agreed | amounts),
        (
            "slip.received",
            clara,
            {"slip": slip.ref, "movement": f"movement:{slip.back_id}", "receiver": anna, "witness": clara},
        ),
    ]


def test_a_credit_goes_from_the_float_over_the_way_into_the_cage(seeded_db):
    before = balances()
    slip = issued("credit")
    assert moved(before) == {"float": -UNITS, "cage": 0, "transit": UNITS}
    counted(slip, "hugo")
    slip, _ = counted(slip, "karl")
    assert (slip.status, moved(before)) == ("RECEIVED", {"float": -UNITS, "cage": UNITS, "transit": 0})
    assert str(slip).startswith("C-")


def test_a_change_is_of_equal_worth_and_moves_no_money(seeded_db):
    before, transfers = balances(), Transfer.objects.count()
    slip = received("change", exchanged={"2500": 16})
    assert (slip.status, moved(before), Transfer.objects.count()) == ("RECEIVED", dict.fromkeys(before, 0), transfers)
    assert slip.exchanged == {"2500": 16}


@pytest.mark.parametrize(
    ("kind", "exchanged", "code", "path"),
    [
        ("change", {"2500": 15}, "exchange_wrong", "exchanged"),
        ("change", {"500": 80}, "exchange_wrong", "exchanged"),
        ("change", None, "exchange_wrong", "exchanged"),
        ("change", {"2500": -1}, "count_wrong", "exchanged.2500"),
        ("fill", {"2500": 16}, "exchange_wrong", "exchanged"),
        ("gift", None, "kind_unknown", "kind"),
    ],
)
def test_what_is_asked_for_has_its_form(seeded_db, kind, exchanged, code, path):
    clara = factories.actor("clara")
    wrong = refused(code, slips.request, table_id=1, kind=kind, denominations=CHIPS, exchanged=exchanged, actor=clara)
    assert (wrong.path, wrong.status) == (path, 422)
    assert not Slip.objects.exists()


@pytest.mark.parametrize(
    ("chips", "code"),
    [({}, "nothing_asked"), ({"500": 0}, "nothing_asked"), ({"7": 1}, "chip_unknown"), ({"500": 2**63}, "count_wrong")],
)
def test_a_slip_is_of_chips_of_the_table(seeded_db, chips, code):
    refused(code, slips.request, table_id=1, kind="fill", denominations=chips, actor=factories.actor("clara"))
    # A refusal takes no number.
    assert fill().number == 1


def test_numbers_count_each_kind_of_a_year_without_a_gap(seeded_db):
    kinds = ["fill", "fill", "credit", "fill", "credit"]
    assert [fill(kind).number for kind in kinds] == [1, 2, 1, 3, 2]


def test_who_asks_does_not_issue_and_who_issues_does_not_count(seeded_db):
    slip = fill()
    refused("same_person", slips.issue, slip_id=slip.pk, actor=factories.actor("clara"))
    do(slips.issue, "hugo", slip_id=slip.pk)
    refused("same_person", slips.count, slip_id=slip.pk, denominations=CHIPS, actor=factories.actor("hugo"))
    counted(slip, "anna")
    refused("counted_already", slips.count, slip_id=slip.pk, denominations=CHIPS, actor=factories.actor("anna"))


def test_what_is_counted_other_than_the_slip_says_is_not_received(seeded_db):
    before, slip = balances(), issued()
    short = {"10000": 2, "500": 39}
    counted(slip, "anna", short)
    slip, both = counted(slip, "clara", short)
    assert (slip.status, [count.units for count in both]) == ("ISSUED", [39_500] * 2)
    counted(slip, "anna")
    slip, _ = counted(slip, "clara", {})
    assert slip.status == "ISSUED"
    do(slips.send_back, "clara", signed="hugo", slip_id=slip.pk, reason="39 chips of 5")
    assert moved(before) == dict.fromkeys(before, 0)
    assert Slip.objects.get().status == "RETURNED"
    assert list(Count.objects.filter(of=slip.ref).values_list("attempt", "place")) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_a_slip_that_did_not_set_out_is_voided_by_two_with_a_reason(seeded_db):
    slip = fill()
    refused("same_person", slips.void, slip_id=slip.pk, reason="x", actor=factories.actor("clara"))
    two = log.Actor(person("clara"), person("hugo"))
    refused("reason_missing", slips.void, slip_id=slip.pk, reason=" ", actor=two)
    do(slips.void, "clara", signed="hugo", slip_id=slip.pk, reason="Keyed twice")
    assert Slip.objects.get().status == "VOIDED"
    assert fill().number == 2
    event, _, facts = entries(slip)[-1]
    assert (event, set(facts)) == ("slip.voided", {"slip", "requester", "approver", "reason"})


STEPS = {
    "issue": lambda slip: do(slips.issue, "hugo", slip_id=slip.pk),
    "count": lambda slip: counted(slip, "boris"),
    "return": lambda slip: do(slips.send_back, "clara", signed="hugo", slip_id=slip.pk, reason="x"),
    "void": lambda slip: do(slips.void, "clara", signed="hugo", slip_id=slip.pk, reason="x"),
}
MAY = {
    "REQUESTED": {"issue", "void"},
    "ISSUED": {"count", "return"},
    "RECEIVED": set(),
    "RETURNED": set(),
    "VOIDED": set(),
}


@pytest.mark.parametrize("status", MAY)
@pytest.mark.parametrize("step", STEPS)
def test_each_step_has_its_moment(seeded_db, status, step):
    slip = {
        "REQUESTED": fill,
        "ISSUED": issued,
        "RECEIVED": received,
        "RETURNED": lambda: STEPS["return"](issued()),
        "VOIDED": lambda: STEPS["void"](fill()),
    }[status]()
    if step in MAY[status]:
        STEPS[step](slip)
        return
    before = balances()
    with pytest.raises(Refused) as wrong, transaction.atomic():
        STEPS[step](slip)
    assert (wrong.value.code, bool(wrong.value.way_out), moved(before)) == (
        "slip_wrong_moment",
        True,
        dict.fromkeys(before, 0),
    )


def test_a_table_closes_without_a_fill_under_way_and_with_a_credit_on_its_way(seeded_db):
    left = {100: 100}
    slip = fill()
    wrong = refused("slip_running", close_session, table("T1"), left)
    assert wrong.detail == {"slip": slip.pk}
    do(slips.issue, "hugo", slip_id=slip.pk)
    refused("slip_running", close_session, table("T1"), left)
    STEPS["return"](slip)
    credit = issued("credit")
    closed = close_session(table("T1"), left)
    assert closed.status == "CLOSED"
    refused(
        "session_closed",
        slips.send_back,
        slip_id=credit.pk,
        reason="x",
        actor=log.Actor(person("clara"), person("hugo")),
    )
    before = balances()
    counted(credit, "hugo")
    counted(credit, "karl")
    assert moved(before) == {"float": 0, "cage": UNITS, "transit": -UNITS}


def test_a_credit_is_of_what_the_float_holds(seeded_db):
    slip = fill("credit", {"100000": 9000})
    refused("float_short", slips.issue, slip_id=slip.pk, actor=factories.actor("anna"))


def test_each_print_says_which_it_is(seeded_db):
    slip = fill()
    assert [do(slips.print_copy, "hugo", slip_id=slip.pk).prints for _ in range(2)] == [1, 2]
    assert [facts for event, _, facts in entries(slip) if event == "slip.printed"] == [
        {"slip": slip.ref, "copy": 1},
        {"slip": slip.ref, "copy": 2},
    ]


def test_two_who_issue_at_once_issue_once_and_two_second_counts_receive_once(seeded_db):
    slip = fill()
    results = factories.at_once(*[lambda: do(slips.issue, "hugo", slip_id=slip.pk)] * 2)
    assert sorted(type(each).__name__ for each in results) == ["Refused", "Slip"]
    counted(slip, "anna")
    before = balances()
    results = factories.at_once(lambda: counted(slip, "clara"), lambda: counted(slip, "karl"))
    assert sum(isinstance(each, Refused) for each in results) == 1
    assert moved(before)["float"] == UNITS


def test_numbers_at_once_leave_no_gap(seeded_db):
    made = factories.at_once(fill, fill)
    assert sorted(slip.number for slip in made) == [1, 2]
