"""Tips over REST: each step by its people, and nobody is told what was entered before both counts are in."""

import pytest

from tables.models import TipCount
from tables.verbs import tips

from ...support import factories
from .test_rest import is_refused

pytestmark = pytest.mark.usefixtures("seeded_db")
PEOPLE = ("anna", "boris", "clara", "frank", "hugo", "olga", "david", "ida")
# `ok` does it, `no` may not, `-` finds no such table.
STEPS = """
take     ok -  no -  no no no no
list     no no ok ok ok ok ok ok
read     no no ok ok ok ok ok ok
count    no no no no no ok no no
sign     no no no no no ok no no
"""
TABLE = {step: dict(zip(PEOPLE, words, strict=True)) for step, *words in map(str.split, STEPS.strip().splitlines())}


def ready(step):
    """The number of a day whose tips of 30.00 are due for a step; None where a table takes one."""
    if step == "take":
        return None
    date = factories.day_with_tips(3_000)
    if step == "sign":
        for by in ("olga", "petra"):
            factories.count_tips(date, {"500": 6}, by=by)
    return tips.number_of(date)


def sent(step, login, day=None, **more):
    client = factories.client(login)
    match step:
        case "take":
            return factories.send(client, f"/api/v1/tables/{factories.table().pk}/tips/", {"units": 500} | more)
        case "list":
            return client.get("/api/v1/tips/")
        case "read":
            return client.get(f"/api/v1/tips/{day}/")
        case "count":
            return factories.send(client, f"/api/v1/tips/{day}/counts/", {"denominations": {"500": 6}} | more)
        case "sign":
            petra = {"signature": factories.signature("petra")}
            return factories.send(client, f"/api/v1/tips/{day}/sign/", petra | more)


@pytest.mark.parametrize("step", TABLE)
@pytest.mark.parametrize("login", PEOPLE)
def test_each_step_by_its_people(step, login):
    answer = sent(step, login, ready(step))
    match TABLE[step][login]:
        case "ok":
            assert answer.status_code in {200, 201}, answer.content
        case "no":
            assert is_refused(answer, 403, "not_your_right")
        case _:
            assert answer.status_code == 404


def test_a_tip_is_an_amount_and_nobody_s_name():
    answer = sent("take", "anna").json()
    session = factories.table().sessions.get()
    assert answer | {"table": factories.table().pk, "session": session.pk, "units": 500} == answer
    assert set(answer) == {"id", "table", "session", "units", "by", "at"}
    assert is_refused(sent("take", "anna", units=550), 422, "amount_wrong", path="units")


@pytest.mark.parametrize("day", [0, 20260230, 99999, 99999999999999999999])
def test_a_day_without_tips_is_not_there(day):
    for step in ("read", "count", "sign"):
        assert sent(step, "olga", day).status_code == 404


def test_what_was_entered_is_told_when_both_have_counted():
    day = ready("count")
    assert sent("list", "olga").json()["tips"][0]["recorded"] is None
    first = sent("count", "olga", day).json()
    assert (first["recorded"], first["count"]["expected"]) == (None, None)
    assert first["count"]["counts"][0]["denominations"] is None
    both = sent("count", "olga", day, signature=factories.signature("petra")).json()
    assert (both["count"]["expected"], both["count"]["equal"]) == (3_000, True)
    signed = sent("sign", "petra", day, signature=factories.signature("olga")).json()
    assert (signed["counted"], signed["recorded"], signed["variance"], signed["count"]) == (3_000, 3_000, 0, None)
    assert sent("list", "olga").json() == {"tips": []}
    assert is_refused(sent("sign", "olga", day), 409, "tips_counted")


def test_where_counts_differed_twice_a_pit_boss_signs():
    date = factories.day_with_tips()
    for chips in ({"500": 1}, {"500": 2}, {"500": 1}, {"500": 2}):
        factories.count_tips(date, chips, by="olga" if chips == {"500": 1} else "petra")
    day, reason = tips.number_of(date), {"reason": "It was stuck.", "place": 1}
    assert is_refused(sent("sign", "olga", day, **reason), 403, "signature_without_right")
    assert is_refused(sent("sign", "olga", day, signature=factories.signature("clara")), 422, "place_missing")
    answer = sent("sign", "olga", day, signature=factories.signature("clara"), **reason)
    assert answer.json()["counted"] == 500
    assert TipCount.objects.get().reason == "It was stuck."


def test_a_pit_boss_signs_only_where_the_counts_differed_twice():
    day = ready("sign")
    signed = sent("sign", "olga", day, signature=factories.signature("clara"))
    assert is_refused(signed, 403, "signature_without_right")


def test_which_tables_are_open_stands_with_the_day():
    factories.tip(factories.table(), 500)
    (day,) = sent("list", "clara").json()["tips"]
    assert factories.table().pk in day["runs"]
    assert day["count"] is None
    assert is_refused(sent("count", "olga", day["day"]), 409, "tips_wrong_moment")
