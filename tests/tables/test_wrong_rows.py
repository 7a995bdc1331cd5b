"""Rows that no terminal sent, written with the app's password: their round is shown; nothing is lost."""

import json

import pytest
from django.db import IntegrityError
from django.db.models.functions import Now

from tables.models import Action, Line, Round
from tables.verbs import settling

from ..support import factories, stack

CARDS = ["Ah", "Kh", "Qh", "Jh", "9h"]
WRONG = {
    "a kind that no game has": ("nonsense", 1, {}),
    "a kind of another phase": ("reveal", None, {"cards": CARDS}),
    "a stake below 0": ("ante", 1, {"units": -500}),
    "a stake that is a text": ("ante", 1, {"units": "500"}),
    "a stake that is a list": ("ante", 1, {"units": [500]}),
    "a stake that is true": ("ante", 1, {"units": True}),
    "a stake as high as a number can be": ("ante", 1, {"units": 9 * 10**18}),
    "no stake": ("ante", 1, {}),
    "no box": ("ante", None, {"units": 500}),
    "a box that no table has": ("ante", 30_000, {"units": 500}),
    "an argument too many": ("ante", 1, {"units": 500, "cards": CARDS}),
    "cards in cards": ("nonsense", 2, {"cards": [["Ah"], {"Kh": None}]}),
    "a card as an object": ("ante", 2, {"units": {"units": {}}, "card": {}}),
}
SHOWN = {
    "anna": ["/tables/{table}/terminal/", "/tables/{table}/terminal/felt/", "/api/v1/rounds/{round}/"],
    "clara": ["/rounds/{round}/"],
}


@pytest.fixture(scope="module")
def house(django_test_environment, django_db_blocker):
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield


@pytest.fixture
def opened(house):
    """An open round at T1, voided when its test is over: the next one needs the table."""
    round_ = factories.open_round(factories.table("T1"))
    yield round_
    factories.void(round_)
    shows(round_)
    assert Round.objects.get(pk=round_.pk).status == Round.Status.VOIDED


def write(round_, kind, box, arguments, **more):
    more = {"phase": round_.phase, "by": factories.person("anna")} | more
    return Action.objects.create(
        round=round_, ordinal=1 + round_.actions.count(), kind=kind, box=box, arguments=arguments, **more
    )


def shows(round_):
    """Every page that tells of the round."""
    for login, addresses in SHOWN.items():
        client = factories.client(login)
        for address in addresses:
            answer = client.get(address.format(table=round_.table_id, round=round_.pk))
            assert answer.status_code == 200, (login, address, answer.content[-500:])


@pytest.mark.parametrize(("kind", "box", "arguments"), WRONG.values(), ids=WRONG)
def test_a_round_with_an_action_that_does_not_follow_is_shown_and_voided(opened, kind, box, arguments):
    factories.do(opened, "ante", 3, units=500)
    write(opened, kind, box, arguments)
    shows(opened)
    anna = factories.client("anna")
    for what, body in {
        "actions": {"kind": "ante", "box": 5, "arguments": {"units": 500}},
        "undo": {},
        "amend": {"ordinal": 1, "arguments": {"units": 1000}},
        "close": {},
    }.items():
        answer = factories.send(anna, f"/api/v1/rounds/{opened.pk}/{what}/", {"version": 2, **body})
        assert (answer.status_code, answer.json()["code"]) == (409, "action_wrong"), answer.content
        assert "Action 2 of round " in answer.json()["message"]
    # Nor does one count that was written behind it.
    write(opened, "ante", 6, {"units": 500})
    shows(opened)


@pytest.mark.parametrize(("kind", "box", "arguments"), WRONG.values(), ids=WRONG)
def test_one_that_is_taken_back_or_stands_in_the_place_of_another_is_shown(opened, kind, box, arguments):
    write(opened, kind, box, arguments)
    write(opened, "undo", None, {}, undoes=1)
    shows(opened)
    factories.do(opened, "ante", 1, units=500)
    write(opened, kind, box, arguments, undoes=3)
    shows(opened)


def test_a_phase_that_the_game_has_not_is_shown(opened):
    write(opened, "ante", 1, {"units": 500}, phase="nonsense")
    shows(opened)


@pytest.mark.parametrize("arguments", [[], "x", 1], ids=["a list", "a text", "a number"])
def test_what_is_entered_is_an_object(opened, arguments):
    with pytest.raises(IntegrityError, match="action_arguments"):
        write(opened, "ante", 1, arguments)


LINES = {
    "a line of nothing": {},
    "a line with a dealer of nothing": {"dealer": {}, "boxes": []},
    "a line with boxes that are none": {"dealer": {"hand": ["Ah"], "open": "Ah"}, "boxes": [1, "x", None]},
    "a line whose cards are objects": {"dealer": {"hand": [{}], "small": {}}, "boxes": [{"box": 1, "hand": {}}]},
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_round_with_a_line_that_is_none_is_held_and_shown(house, line):
    round_ = factories.play_round(factories.table("T1"), factories.FOLDS)
    Line.objects.create(
        round=round_,
        ordinal=2,
        text=json.dumps({"game": "split", **line}),
        wagers="[]",
        by=factories.person("anna"),
        approved_by=factories.person("clara"),
    )
    for _ in range(settling.MAX_FAILURES):
        shows(round_)
        Round.objects.filter(pk=round_.pk).update(next_at=Now())
        assert settling.settle_due() == 0
    round_.refresh_from_db()
    assert round_.held_at is not None
    shows(round_)
    # Nobody can correct what says nothing.
    correction = {"line": 2, "changes": [{"path": "boxes[0].ante", "value": 1000}], "clause": "split.33", "reason": "x"}
    correction["signature"] = factories.signature("hugo")
    for address in ("/rounds/{}/preview/", "/api/v1/rounds/{}/corrections/"):
        answer = factories.send(factories.client("clara"), address.format(round_.pk), correction)
        assert 400 <= answer.status_code < 500, answer.content
