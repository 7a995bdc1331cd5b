"""Slips over REST: each step by its people, and nobody learns the first count before the second is in."""

import json

import pytest
from django.db import transaction
from django.test import Client

from tables.models import Count, Slip
from tables.people import terminals

from ...support import factories, stack
from .test_rest import is_refused

# Anna is signed on at T1, the token is of its terminal; Clara is its pit boss, Frank another's; Boris stands at T2.
PEOPLE = ("anna", "token", "clara", "hugo", "david", "ida", "boris", "frank", "eve")
# `ok` does it, `no` may not, `-` finds no such slip, `twice` has counted already.
STEPS = """
ask                        no    no    ok no no no -  -  no
read                       ok    ok    ok ok ok ok -  -  no
list                       ok    ok    ok ok ok ok -  -  no
print                      ok    ok    ok ok ok ok -  -  no
issue_fill                 no    no    no ok no no -  -  no
issue_change               no    no    no ok no no -  -  no
issue_credit               ok    ok    no no no no -  -  no
count_fill_first           ok    ok    no no no no -  -  no
count_fill_second          twice twice ok no no no -  -  no
count_credit_first         no    no    no ok no no -  -  no
count_credit_second        no    no    ok twice no no -  -  no
return                     no    no    ok ok no no -  -  no
void                       no    no    ok ok no no -  -  no
"""
TABLE = {step: dict(zip(PEOPLE, words, strict=True)) for step, *words in map(str.split, STEPS.strip().splitlines())}
ODD = {"500": 39, "2500": 13}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """One seeded database for all; gives everybody's client."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.stranger()
        with transaction.atomic():
            _, token = terminals.enrol(table_id=1, name="T1-left", actor=factories.actor("clara"))
        clients = {name: factories.client(name) for name in PEOPLE if name != "token"}
        yield clients | {"token": Client(headers={"Authorization": f"Bearer {token}"})}


def slip_at(step):
    """A slip of T1 for which a step is due."""
    kind = next((kind for kind in ("credit", "change") if kind in step), "fill")
    slip = factories.slip(factories.table("T1"), kind)
    if step.startswith(("count", "return")):
        slip = factories.issue(slip)
    return factories.count_slip(slip) if step.endswith("second") else slip


def sent(client, step, slip, **more):
    """A step sent by a client."""
    place = f"/api/v1/slips/{slip.pk}/"
    match step.partition("_")[0]:
        case "ask":
            body = {"kind": "fill", "denominations": {"500": 1}}
            return factories.send(client, f"/api/v1/tables/{slip.table_id}/slips/", body)
        case "read":
            return client.get(place)
        case "list":
            return client.get(f"/api/v1/tables/{slip.table_id}/slips/")
        case "print":
            return factories.send(client, f"{place}prints/", {})
        case "issue":
            return factories.send(client, f"{place}issue/", {"carrier": "staff:2"})
        case "count":
            return factories.send(client, f"{place}counts/", {"denominations": slip.denominations} | more)
        case step:
            # Karl, a pit boss too, is near.
            body = {"reason": "Keyed wrong.", "signature": factories.signature("karl")}
            return factories.send(client, f"{place}{step}/", body)


@pytest.mark.parametrize("step", TABLE)
def test_each_step_is_for_its_people(floor, step):
    for name, word in TABLE[step].items():
        slip = slip_at(step)
        before = factories.written()
        answer = sent(floor[name], step, slip)
        if word == "ok":
            assert answer.status_code in {200, 201}, (name, answer.content)
            continue
        refusal = {"no": (403, "not_your_right"), "-": (404, "not_found"), "twice": (409, "counted_already")}[word]
        assert is_refused(answer, *refusal), name
        assert factories.written() == before, name


@pytest.mark.parametrize(
    ("kind", "sender", "first", "second"),
    [
        ("fill", "anna", None, "clara"),
        ("fill", "token", None, "karl"),
        ("change", "anna", None, "frank"),
        ("fill", "clara", "anna", None),
        ("credit", "hugo", None, "frank"),
        ("credit", "clara", "hugo", None),
    ],
)
def test_two_count_one_of_them_by_signature_at_the_screen_of_the_other(floor, kind, sender, first, second):
    slip = factories.issue(factories.slip(factories.table("T1"), kind))
    for signer in (first, second):
        signed = {"signature": factories.signature(signer)} if signer else {}
        answer = sent(floor[sender], "count", slip, **signed)
        assert answer.status_code == 200, answer.content
    told = answer.json()
    people = [factories.person(who or ("anna" if sender == "token" else sender)).ref for who in (first, second)]
    assert (told["status"], [told["received_by"], told["received_with"]]) == ("RECEIVED", people)


@pytest.mark.parametrize(
    ("kind", "sender", "signer", "status", "code"),
    [
        ("fill", "anna", "anna", 409, "counted_already"),
        ("fill", "anna", "boris", 403, "signature_without_right"),
        ("fill", "anna", "hugo", 403, "signature_without_right"),
        ("fill", "david", "clara", 403, "not_your_right"),
        ("fill", "hugo", "clara", 403, "not_your_right"),
        ("credit", "hugo", "anna", 403, "signature_without_right"),
        ("credit", "anna", "clara", 403, "not_your_right"),
    ],
)
def test_a_signature_is_of_somebody_who_counts_there_at_the_screen_of_one_who_does(
    floor, kind, sender, signer, status, code
):
    slip = factories.count_slip(factories.issue(factories.slip(factories.table("T1"), kind)))
    before = factories.written()
    answer = sent(floor[sender], "count", slip, signature=factories.signature(signer))
    assert is_refused(answer, status, code)
    assert factories.written() == before


def shown(client, slip):
    """All that a client is shown of a slip by reading."""
    return "".join(sent(client, step, slip).content.decode() for step in ("read", "list"))


def test_nobody_learns_the_first_count_before_the_second_is_in(floor):
    slip = factories.issue(factories.slip(factories.table("T1")))
    readers = [name for name, word in TABLE["read"].items() if word == "ok"]
    answer = factories.send(floor["anna"], f"/api/v1/slips/{slip.pk}/counts/", {"denominations": ODD})
    (count,) = answer.json()["counts"]
    assert (count["by"], count["denominations"]) == (factories.person("anna").ref, None)
    told = [shown(floor[name], slip) for name in readers] + [answer.content.decode()]
    told.append(sent(floor["david"], "print", slip).content.decode())
    for text in told:
        for value, number in ODD.items():
            assert f'"{value}":{number}' not in text.replace(" ", "")
    answer = sent(floor["clara"], "count", slip)
    assert (answer.json()["status"], Slip.objects.get(pk=slip.pk).status) == ("ISSUED", "ISSUED")
    for name in readers:
        counts = json.loads(sent(floor[name], "read", slip).content)["counts"]
        assert [count["denominations"] for count in counts] == [ODD, slip.denominations]
    # What is counted anew is as blind.
    factories.count_slip(slip)
    counts = sent(floor["clara"], "read", slip).json()["counts"]
    assert [(count["attempt"], count["denominations"]) for count in counts] == [(2, None)]


def test_what_is_counted_other_than_it_says_is_not_received_and_counted_anew(floor):
    slip = factories.issue(factories.slip(factories.table("T1")))
    for chips in (ODD, slip.denominations):
        for name in ("anna", "clara"):
            answer = factories.send(floor[name], f"/api/v1/slips/{slip.pk}/counts/", {"denominations": chips})
            assert answer.status_code == 200, answer.content
    assert answer.json()["status"] == "RECEIVED"
    assert [count.attempt for count in Count.objects.filter(of=slip.ref)] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    "carrier", ["", "staff", "staff:", "staff:0", "staff:01", "staff:-1", "Staff:2", "staff:٢", "staff:" + "9" * 30]
)
def test_who_carries_is_somebody_of_the_house(floor, carrier):
    slip = factories.slip(factories.table("T1"))
    before = factories.written()
    answer = factories.send(floor["hugo"], f"/api/v1/slips/{slip.pk}/issue/", {"carrier": carrier})
    assert is_refused(answer, 422, "carrier_unknown", path="carrier")
    assert factories.written() == before
