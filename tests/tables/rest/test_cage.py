"""The cage over REST: each step by its people, and nobody who counts learns of the books before both counts are in."""

import json

import pytest
from django.db import transaction

from casino.roles import Role
from tables.models import CageShift, Count
from tables.people import staff
from tables.verbs import cage

from ...support import factories
from .test_rest import is_refused

pytestmark = pytest.mark.usefixtures("seeded_db")
PEOPLE = ("anna", "clara", "hugo", "olga", "david", "ida")
# `ok` does it, `no` may not.
STEPS = """
read     no ok ok no ok ok
shift    no ok ok no ok ok
move     no no ok no no no
count    no ok ok ok no no
sign     no no ok no no no
"""
TABLE = {step: dict(zip(PEOPLE, words, strict=True)) for step, *words in map(str.split, STEPS.strip().splitlines())}
CHIPS = {"500": 7}


def sent(step, login, *, signed_with="clara", **more):
    """A step of the open shift, sent by a person and signed by another."""
    client, place = factories.client(login), f"/api/v1/cage/shifts/{cage.running().pk}/"
    signature = {"signature": factories.signature(signed_with)}
    match step:
        case "read":
            return client.get("/api/v1/cage/")
        case "shift":
            return client.get(place)
        case "move":
            return factories.send(client, f"{place}movements/", {"kind": "sold", "units": 500} | signature | more)
        case "count":
            return factories.send(client, f"{place}counts/", {"denominations": CHIPS} | more)
        case "sign":
            return factories.send(client, f"{place}sign/", {"reason": "Nobody knows why."} | signature | more)


@pytest.mark.parametrize("step", TABLE)
@pytest.mark.parametrize("login", PEOPLE)
def test_each_step_by_its_people(step, login):
    if step == "sign":
        for by in ("olga", "hugo"):
            factories.count_cage(CHIPS, by=by)
    answer = sent(step, login)
    if TABLE[step][login] == "ok":
        assert answer.status_code in {200, 201}, answer.content
    else:
        assert is_refused(answer, 403, "not_your_right")


@pytest.mark.parametrize("step", ["move", "sign"])
@pytest.mark.parametrize(("signed_with", "code"), [("anna", 403), ("ida", 403), ("hugo", 422)])
def test_a_second_person_signs_who_may(step, signed_with, code):
    for by in ("olga", "hugo"):
        factories.count_cage(CHIPS, by=by)
    word = "same_person" if code == 422 else "signature_without_right"
    assert is_refused(sent(step, "hugo", signed_with=signed_with), code, word)


def test_the_count_team_signs_for_a_count_and_for_nothing_else():
    assert is_refused(sent("move", "hugo", signed_with="olga"), 403, "signature_without_right")
    for by in ("olga", "hugo"):
        factories.count_cage(CHIPS, by=by)
    assert sent("sign", "hugo", signed_with="olga").status_code == 200
    assert CageShift.objects.get().status == "CLOSED"


def test_who_counts_learns_of_no_first_count_and_of_no_books_until_both_are_in():
    everywhere = ("read", "shift")
    sent("count", "olga")
    for login in ("clara", "hugo"):
        for step in everywhere:
            answer = sent(step, login).json()
            shift = answer["shift"] if step == "read" else answer
            assert [each["denominations"] for each in shift["count"]["counts"]] == [None]
            assert (shift["count"]["expected"], shift["expected"]) == (None, None)
        assert sent("read", login).json()["circulation"] is None
    # The count team learns of no totals either; who does not count reads them all.
    answer = factories.send(factories.client("olga"), f"/api/v1/cage/shifts/{cage.running().pk}/counts/", {})
    assert "denominations" in answer.json()["path"]
    assert sent("read", "david").json()["circulation"]["units"] == 0
    sent("count", "hugo")
    answer = sent("shift", "hugo").json()
    assert [each["denominations"] for each in answer["count"]["counts"]] == [CHIPS, CHIPS]
    assert answer["count"]["expected"] == sent("read", "clara").json()["circulation"]["cage"]


def test_the_count_team_is_told_of_no_totals():
    sent("move", "hugo")
    answer = sent("count", "olga").json()
    assert [answer[kind] for kind in cage.KINDS] == [None] * 4
    assert [sent("shift", "hugo").json()[kind] for kind in ("sold", "cashed")] == [500, 0]


def test_the_second_counts_at_the_first_one_s_screen_by_signature():
    sent("count", "hugo")
    assert is_refused(sent("count", "hugo"), 409, "counted_already")
    answer = sent("count", "hugo", signature=factories.signature("olga")).json()
    assert [each["by"] for each in answer["count"]["counts"]] == [factories.person(n).ref for n in ("hugo", "olga")]
    assert is_refused(sent("count", "hugo", signature=factories.signature("anna")), 403, "signature_without_right")


def test_counts_that_differ_twice_stand_when_a_pit_boss_says_so():
    for _ in range(2):
        sent("count", "olga")
        sent("count", "hugo", denominations={"500": 8})
    assert is_refused(sent("sign", "hugo", signed_with="olga", place=1), 403, "signature_without_right")
    assert Count.objects.filter(part="cage").count() == 4
    answer = sent("sign", "hugo", signed_with="clara", place=2).json()
    assert (answer["status"], answer["denominations"], answer["count"]) == ("CLOSED", {"500": 8}, None)
    assert answer["variance"] == 4000 - answer["expected"]


def test_the_back_office_tells_who_counts_nothing_of_the_cage():
    """Of the accounts that the cage reads there the cage's own has no balance; an auditor reads it."""
    books = sent("read", "david").json()["circulation"]["cage"] // 100
    spelled = f"{books:,}".replace(",", "\u2009")
    assert spelled in factories.client("david").get("/admin/payouts/account/").content.decode()
    page = factories.client("hugo").get("/admin/payouts/account/")
    assert page.status_code == 200
    assert spelled not in page.content.decode()


def test_a_posting_to_one_pit_is_enough_for_the_cage_is_the_house_s():
    with transaction.atomic():
        by_two = factories.actor("ida", "frank")
        person = staff.add(login="rosa", name="Rosa Reuter", password="stranger-1", actor=by_two)
        pit = factories.table("T1").pit
        staff.post(staff=person, role=Role.CAGE, pit=pit, actor=by_two)
    assert sent("move", "rosa").status_code == 201


def test_the_answer_to_a_movement_says_what_the_shift_came_to():
    answer = sent("move", "hugo", units=None, denominations={"100": 5})
    assert (answer.status_code, answer.json()["sold"]) == (201, 500)
    assert json.loads(answer.content)["status"] == "OPEN"
