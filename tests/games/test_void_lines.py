"""A round that is void is judged by nothing else: cards that lie twice or are too few are what it may be void for."""

import json

import pytest

from casino import adjudicate

VOID = {"clause": "house.4"}
LINES = [
    {"game": "genpoker", "hands": [{"player": "A", "cards": ["1R", "1R", "3R"]}, {"player": "B"}]},
    {"game": "dynastia", "hands": [{"player": "A", "cards": ["1R", "1R", "3R"]}, {"player": "B", "cards": []}]},
    {"game": "presidential", "hands": [{"player": "A", "cards": ["1-dark-red"] * 2}, {"player": "B", "cards": []}]},
    {"game": "bigtwo", "seats": ["A", "B"], "deal": {"A": ["3d"], "B": ["3d"]}},
    {"game": "bigtwo", "seats": ["A", "B"], "deal": {}},
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["game"])
def test_a_void_round_is_void_whatever_lies(line):
    found, well = adjudicate.answer(json.dumps(line | {"id": 1, "void": VOID}).encode(), 1, explain=True)
    assert well, found
    assert {name: found[name] for name in ("id", "game", "void")} == {"id": 1, "game": line["game"], "void": True}
    assert set(found) == {"id", "game", "void", "explanation"}
    found, well = adjudicate.answer(json.dumps(line).encode(), 1)
    assert not well
    assert found["error"]["code"] in {"card_duplicate", "wrong_card_count", "missing_field"}


@pytest.mark.parametrize("line", LINES[:3], ids=lambda line: line["game"])
def test_what_is_no_card_is_refused_all_the_same(line):
    wrong = line | {"hands": [{"player": "A", "cards": ["joker"]}, {"player": "B"}], "void": VOID}
    found, _ = adjudicate.answer(json.dumps(wrong).encode(), 1)
    assert found["error"]["code"] == "bad_card"
