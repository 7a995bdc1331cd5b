"""From a line back to the actions that make it: every round that can be played, and the recorded ones."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.game import Action, Fault, Refusal
from casino.games.split import SPLIT
from casino.games.split.retrace import retrace
from tests.support import proof
from tests.support.play import finish, fold

from .test_split_play_laws import GAME, empty_tables

ROUNDS = Path(__file__).parents[2] / "tables" / "lab" / "replay" / "split_rounds.jsonl"
SHEET = SPLIT.sheet({"chip": 100, "ante_minimum": 500, "ante_maximum": 5000})


def line_of(state):
    return json.loads(json.dumps(SPLIT.facts(state)))


def facts_of(line):
    facts = SPLIT.read({name: value for name, value in line.items() if name not in {"id", "game"}})
    assert not isinstance(facts, Fault), facts
    return facts


def by_number(line):
    return {**line, "boxes": sorted(line["boxes"], key=lambda box: box["box"])}


@settings(max_examples=proof.examples(100))
@given(empty_tables(), st.data(), st.booleans())
def test_any_round_played_is_retraced_from_its_line(start, data, rulings):
    final = finish(data.draw, GAME, start, rulings=rulings).state
    line = line_of(final)
    actions = retrace(facts_of(line), start.sheet)
    assert not isinstance(actions, Refusal), actions
    assert line_of(fold(GAME, start, actions)) == line


def test_recorded_rounds_are_retraced():
    for text in ROUNDS.read_text("utf-8").splitlines()[::10]:
        line = json.loads(text)
        actions = retrace(facts_of(line), SHEET)
        assert not isinstance(actions, Refusal), (line["id"], actions)
        again = line_of(fold(GAME, SPLIT.start(SHEET, (), None), actions))
        assert SPLIT.settle(facts_of(again)) == SPLIT.settle(facts_of(by_number(line)))
        compared = any("cards" in box for box in line["boxes"])
        assert facts_of(again) == facts_of(by_number(line)) or not compared


SHOWN = ["2s", "3s", "4s", "5s", "7d"]
LINE = json.loads(ROUNDS.read_text("utf-8").partition("\n")[0])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"void": {"clause": "split.36"}}, "not_as_played"),
        ({"max_payment": 1000}, "not_as_played"),
        ({"boxes": [{"box": 1, "ante": 5100, "action": "fold"}]}, "field_out_of_range"),
        (
            {"boxes": [{"box": 1, "ante": 500, "action": "fold", "cards": ["2s", "3s", "4s", "5s", "7d"]}]},
            "not_as_played",
        ),
    ],
)
def test_what_no_table_with_this_sheet_recorded_is_refused(changes, code):
    refusal = retrace(facts_of(LINE | changes), SHEET)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_a_box_that_buys_says_so_before_it_bets():
    box = {"box": 3, "ante": 500, "action": "buy_fold"}
    line = {"chip": 100, "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"]}, "boxes": [box]}
    assert retrace(facts_of(line), SHEET) == (
        Action("ante", 3, {"units": 500}),
        Action("close_betting"),
        Action("open_card", None, {"card": "2s"}),
        Action("buy", 3),
        Action("fold", 3),
        Action("reveal", None, {"cards": ["As", "Kd", "9c", "7h"]}),
    )


def test_a_box_ruled_out_after_the_dealers_small_hand_is_retraced_with_it():
    """Its ruling comes with the last card: the Small Hand lies there, and nobody is left to meet it."""
    line = {
        "chip": 100,
        "dealer": {"cards": ["9c", "9d", "Qh", "5s", "2h"], "small": ["Kc", "4d"]},
        "boxes": [
            {
                "box": 1,
                "ante": 500,
                "action": "bet",
                "cards": ["Jc", "Jd", "3h", "3s", "8c"],
                "extra": ["Ks", "4c"],
                "ruling": {"what": "forfeit", "clause": "split.35"},
            }
        ],
    }
    actions = retrace(facts_of(line), SHEET)
    assert not isinstance(actions, Refusal), actions
    assert line_of(fold(GAME, SPLIT.start(SHEET, (), None), actions))["dealer"] == line["dealer"]


def test_a_void_round_whose_cards_nobody_told_is_refused_where_they_are_due():
    line = {
        "chip": 100,
        "void": {"clause": "split.36"},
        "dealer": {"cards": ["9c", "9d", "Qh", "5s", "2h"], "small": ["Kc", "4d"]},
        "boxes": [{"box": 1, "ante": 500, "action": "bet"}],
    }
    refusal = retrace(facts_of(line), SHEET)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "not_as_played"
