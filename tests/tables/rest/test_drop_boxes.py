"""Drop boxes and buy-ins over REST: each step by its people, and nobody is told what a box should hold before both
counts are in."""

import pytest
from django.db import transaction

from casino.roles import Role
from tables.models import Alarm, BuyIn, DropBox
from tables.people import staff

from ...support import factories
from .test_rest import is_refused

pytestmark = pytest.mark.usefixtures("seeded_db")
PEOPLE = ("anna", "boris", "clara", "frank", "hugo", "olga", "david", "ida")
# `ok` does it, `no` may not, `-` finds no such thing.
STEPS = """
list     ok ok ok ok ok ok ok ok
read     ok -  ok -  ok ok ok ok
mount    no -  ok -  no no no no
remove   no -  ok -  no no no no
count    no -  no -  no ok no no
sign     no -  no -  no ok no no
buy      ok -  no -  no no no no
"""
TABLE = {step: dict(zip(PEOPLE, words, strict=True)) for step, *words in map(str.split, STEPS.strip().splitlines())}
PRINTED = {"number": "101", "seal": "S-1"}


def ready(step):
    """A drop box for which a step is due, at T1; none where one is mounted."""
    if step == "mount":
        return None
    drop_box = factories.mount(factories.table())
    factories.buy_in(factories.table(), 1000)
    if step in {"count", "sign"}:
        factories.take_off(drop_box)
    if step == "sign":
        for by in ("olga", "petra"):
            factories.count_drop(drop_box, {"1000": 1}, by=by)
    return drop_box


def sent(step, login, drop_box=None, **more):
    client, table = factories.client(login), factories.table().pk
    place = f"/api/v1/drop-boxes/{drop_box.pk if drop_box else 0}/"
    hugo = {"signature": factories.signature("hugo")}
    match step:
        case "list":
            return client.get("/api/v1/drop-boxes/")
        case "read":
            return client.get(place)
        case "mount":
            return factories.send(client, f"/api/v1/tables/{table}/drop-boxes/", PRINTED | hugo | more)
        case "remove":
            return factories.send(client, f"{place}remove/", PRINTED | hugo | more)
        case "count":
            return factories.send(client, f"{place}counts/", {"denominations": {"1000": 1}} | more)
        case "sign":
            return factories.send(client, f"{place}sign/", {"signature": factories.signature("petra")} | more)
        case "buy":
            return factories.send(client, f"/api/v1/tables/{table}/buy-ins/", {"box": 1, "units": 500} | more)


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


@pytest.mark.parametrize("step", ["mount", "remove"])
@pytest.mark.parametrize(
    ("signed_with", "code"), [("frank", 0), ("anna", 0), ("olga", 403), ("ida", 403), ("clara", 422)]
)
def test_a_second_person_signs_who_may(step, signed_with, code):
    answer = sent(step, "clara", ready(step), signature=factories.signature(signed_with))
    if code == 0:
        assert answer.status_code in {200, 201}
    else:
        assert is_refused(answer, code, "same_person" if code == 422 else "signature_without_right")


def test_the_seal_is_told_once_the_box_is_off():
    drop_box = ready("remove")
    assert sent("read", "clara", drop_box).json()["seal"] is None
    answer = sent("remove", "clara", drop_box, seal="s-2").json()
    assert (answer["seal"], answer["removed_seal"], answer["status"]) == ("S-1", "S-2", "REMOVED")


def test_a_large_buy_in_takes_the_pit_boss_and_any_other_none():
    ready("buy")
    assert is_refused(sent("buy", "anna", units=250_000), 422, "signature_missing")
    for login, code in (("hugo", 403), ("anna", 403)):
        signature = factories.signature(login)
        assert is_refused(sent("buy", "anna", units=250_000, signature=signature), code, "signature_without_right")
    answer = sent("buy", "anna", units=250_000, signature=factories.signature("frank")).json()
    assert (answer["units"], answer["box"], answer["approved_by"]) == (250_000, 1, factories.person("frank").ref)
    assert BuyIn.objects.count() == 2


@pytest.mark.parametrize(
    ("field", "value"), [("units", "500"), ("units", 5.5), ("box", True), ("box", None), ("name", "x")]
)
def test_a_wrong_body_is_refused(field, value):
    ready("buy")
    assert sent("buy", "anna", **{field: value}).status_code == 422


def test_who_counts_learns_of_no_first_count_and_of_nothing_recorded_until_both_are_in():
    drop_box = ready("count")
    answer = sent("count", "olga", drop_box).json()
    for read in (
        answer,
        *(sent("read", login, drop_box).json() for login in ("anna", "clara", "hugo", "olga", "david")),
    ):
        assert [each["denominations"] for each in read["count"]["counts"]] == [None]
        assert (read["recorded"], read["cash"], read["count"]["expected"]) == (None, None, None)
    answer = sent("count", "olga", drop_box, signature=factories.signature("petra")).json()
    assert [each["denominations"] for each in answer["count"]["counts"]] == [{"1000": 1}] * 2
    assert answer["count"]["expected"] == 1000
    answer = sent("sign", "olga", drop_box).json()
    assert (answer["status"], answer["cash"], answer["recorded"], answer["variance"]) == ("COUNTED", 1000, 1000, 0)


def test_counts_that_differ_twice_stand_when_a_pit_boss_signs():
    drop_box = ready("count")
    for _ in range(2):
        sent("count", "olga", drop_box)
        sent("count", "olga", drop_box, denominations={"500": 2}, signature=factories.signature("petra"))
    more = {"place": 2, "reason": "A coin rolled away."}
    assert is_refused(sent("sign", "olga", drop_box, **more), 403, "signature_without_right")
    answer = sent("sign", "olga", drop_box, signature=factories.signature("clara"), **more).json()
    assert (answer["status"], answer["reason"]) == ("COUNTED", "A coin rolled away.")


def test_another_than_the_count_team_signs_for_no_count():
    assert is_refused(
        sent("sign", "olga", ready("sign"), signature=factories.signature("clara")), 403, "signature_without_right"
    )


def test_a_box_that_is_counted_stands_on_no_list():
    drop_box = ready("sign")
    assert [each["id"] for each in sent("list", "david").json()["drop_boxes"]] == [drop_box.pk]
    sent("sign", "olga", drop_box)
    assert sent("list", "david").json()["drop_boxes"] == []


def test_the_back_office_has_no_balance_of_drop_boxes_for_who_counts_them():
    ready("remove")
    factories.buy_in(factories.table(), 122_400)
    with transaction.atomic():
        by_two = factories.actor("ida", "frank")
        staff.post(staff=factories.person("hugo"), role=Role.COUNT_TEAM, pit=None, actor=by_two)
    for login, told in (("david", True), ("hugo", False)):
        page = factories.client(login).get("/admin/payouts/account/?kind__exact=drop_box").content.decode()
        assert ("1\u2009234" in page) == told
    assert DropBox.objects.waiting().count() == 1


def test_another_box_is_refused_and_alarms_once():
    drop_box = ready("remove")
    for _ in range(2):
        is_refused(sent("remove", "clara", drop_box, number="102"), 422, "drop_box_other")
    drop_box.refresh_from_db()
    assert drop_box.status == "MOUNTED"
    alarm = Alarm.objects.get(kind="drop_box_swapped")
    assert (alarm.subject, alarm.over_at) == (drop_box.ref, None)
    assert "a different drop box hangs there" in factories.client("clara").get("/").content.decode()
    factories.take(alarm)
    alarm.refresh_from_db()
    assert alarm.over_at is not None
