"""Every clause of rules/dynastia.md and every fault of a line, from tables that a croupier can read."""

import copy
import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from casino import adjudicate
from casino.games.decks import Face
from casino.games.dynastia import DYNASTIA
from casino.games.dynastia.cards import CARDS_OF, DECKS
from casino.games.game import Fault
from casino.games.sentences import tell

HERE = Path(__file__).parent
CASES = list(csv.DictReader((HERE / "dynastia_cases.csv").read_text().splitlines()))
FAULTS = list(
    csv.DictReader((HERE / "dynastia_faults.csv").read_text().splitlines(), delimiter="|", quoting=csv.QUOTE_NONE)
)


def pairs(text):
    """`A 27/2 / B 9` by player."""
    return dict(part.split() for part in text.split(" / ")) if text else {}


def line_of(case):
    """A row of the table as a line of contracts/adjudicate.md."""
    hands = [part.split() for part in case["hands"].split(" / ")]
    line = {"game": "dynastia", "preferred": case["preferred"]}
    line |= {name: int(case[name]) for name in ("deck", "pot") if case[name]}
    return line | {"hands": [{"player": player, "cards": cards} for player, *cards in hands]}


def settled(line):
    facts = DYNASTIA.read(line)
    assert not isinstance(facts, Fault), facts
    return facts, DYNASTIA.settle(facts)


def told(line):
    facts, result = settled(line)
    return [(reason.box, reason.clause, tell(DYNASTIA.sentences, reason)) for reason in DYNASTIA.explain(facts, result)]


def test_the_decks_are_those_of_the_rules():
    """dynastia.1: half of each number is red; 64 cards are 72 less four red and four black 6s."""
    assert CARDS_OF == {1: 2, 2: 2, 3: 4, 4: 8, 5: 16, 6: 40}
    for size, sixes in ((72, 20), (64, 16)):
        halves = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: sixes}
        copies = {f"{number}{colour}": count for colour in "RB" for number, count in halves.items()}
        assert (DECKS[size].copies, sum(copies.values())) == (copies, size)
    assert DECKS[72].faces["3B"] == Face("3", "♂", "black", "black 3", "3B")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_round_ends_as_the_case_says(case):
    _, result = settled(line_of(case))
    assert result["ranking"] == [group.split(" = ") for group in case["ranking"].split(" > ")]
    assert {player: hand["class"] for player, hand in result["hands"].items()} == pairs(case["classes"])
    assert result["decided_by"] == (case["decided_by"] or None)
    assert result["scores"] == pairs(case["scores"])
    shares = {player: int(units) for player, units in pairs(case["shares"]).items()}
    assert result.get("shares", {}) == shares
    assert ("shares" in result) == bool(case["pot"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_round_is_explained_by_the_clauses_that_decided(case):
    line = line_of(case)
    _, result = settled(line)
    reasons = told(line)
    cited = {clause for _, clause, _ in reasons}
    assert cited <= set(DYNASTIA.clauses)
    assert {player for player, _, _ in reasons} <= set(result["hands"])
    for hand in result["hands"].values():
        assert set(hand["clauses"]) <= cited
        assert hand["clauses"][0] == ("dynastia.10" if hand["class"] == "none" else "dynastia.4")
    assert result["decided_by"] is None or result["decided_by"] in result["hands"][result["ranking"][0][0]]["clauses"]
    for _, _, text in reasons:
        assert text.endswith(".")
        assert "{" not in text


def test_the_cases_name_every_clause_by_which_a_line_is_decided():
    named = {clause for case in CASES for clause in case["clauses"].split()}
    numbers = (1, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14)
    assert named == {"house.1", *(f"dynastia.{number}" for number in numbers)}


HANDS = [
    {"player": "A", "cards": ["1R", "2B", "3R", "6R", "6R", "6B", "6B"]},
    {"player": "B", "cards": ["3B", "4B", "5B", "6R", "6R", "6B", "6B"]},
]
GAME = {"id": 3, "game": "dynastia", "deck": 64, "preferred": "R", "pot": 100, "hands": HANDS}
SIXES = [["6R"] * 7, ["6R"] * 7, ["6B"] * 7, ["6B"] * 7, ["5R"] * 7, ["5B"] * 7]
MORE = [
    ["4R", "4R", "4R", "4R", "6R", "6R", "6R"],
    ["4B", "4B", "4B", "4B", "6B", "6B", "6B"],
    ["1R", "1B", "3R", "3B", "6R", "6R", "6R"],
    ["2R", "2B", "3R", "3B", "6B", "6B", "6B"],
]


def seated(*hands):
    named = [{"player": str(number), "cards": cards} for number, cards in enumerate(hands, 1)]
    return {"game": "dynastia", "preferred": "R", "hands": named}


LINES = {
    "GAME": GAME,
    "TEN": seated(*SIXES, *MORE),
    "ELEVEN": seated(*SIXES, *MORE, ["6B"] * 7),
    "THREE": seated(
        ["4R", "4R", "6R", "6R", "6R", "6R", "6R"],
        ["4R", "4R", "6R", "6R", "6R", "6R", "6R"],
        ["6B", "6B", "4R", "6B", "6B", "6B", "6B"],
    ),
}


def changed(line, changes):
    """A copy of the line with values put in or, by "OUT", taken out, at paths as the contract writes them."""
    line = copy.deepcopy(line)
    for path, value in changes.items():
        *way, last = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
        place = line
        for step in way:
            place = place[step]
        if value == "OUT":
            del place[last]
        else:
            place[last] = value
    return line


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: f"{case['line']} {case['changes']}")
def test_a_fault_is_told_with_its_code_and_its_path(case):
    data = json.dumps(changed(LINES[case["line"]], json.loads(case["changes"]))).encode()
    answer, ok = adjudicate.answer(data, 1)
    assert not ok
    error = answer["error"]
    assert (error["code"], error["path"]) == (case["code"], case["path"])
    assert error["message"] == case["message"] if case["message"] else error["message"].endswith(".")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"deck": None},
        {"deck": "OUT"},
        {"pot": None},
        {"void": None},
        {"hands[0].player": "Ann of the North"},
        {"pot": 1_000_000_000_000},
    ],
)
def test_what_may_be_left_out_may_be_null(changes):
    _, result = settled(changed(GAME, changes))
    assert result["decided_by"] == "dynastia.5"


@pytest.mark.parametrize("size", DECKS)
@pytest.mark.parametrize("players", range(2, 11))
def test_each_deck_is_for_its_players(size, players):
    cards = list(Counter(DECKS[size].copies).elements())
    line = seated(*(cards[7 * seat : 7 * seat + 7] for seat in range(players)))
    found = DYNASTIA.read({**line, "deck": size})
    if players <= 9 if size == 64 else players >= 6:
        assert found.deck == size
    else:
        assert (found.code, found.path) == ("bad_field", "deck")
    if size == (64 if players <= 9 else 72):
        assert DYNASTIA.read(line).deck == size


def test_the_answer_is_that_of_the_contract():
    answer, ok = adjudicate.answer(json.dumps(GAME).encode(), 1)
    assert ok
    assert answer == {
        "id": 3,
        "game": "dynastia",
        "ranking": [["A"], ["B"]],
        "hands": {
            "A": {"class": "1-2-3", "clauses": ["dynastia.4", "dynastia.5"]},
            "B": {"class": "3-4-5-6", "clauses": ["dynastia.4", "dynastia.5"]},
        },
        "shares": {"A": 100},
        "decided_by": "dynastia.5",
        "scores": {"A": "24", "B": "18"},
    }


VOID = {"game": "dynastia", "void": {"clause": "house.4"}}


@pytest.mark.parametrize(
    "line",
    [
        {**GAME, **VOID},
        {**VOID, "hands": [{"player": "A"}, {"player": "B", "cards": None}]},
        {**VOID, "pot": 100, "hands": [HANDS[0], {"player": "B"}]},
    ],
)
def test_of_a_void_round_nothing_is_judged(line):
    facts, result = settled(line)
    assert result == {"game": "dynastia", "void": True}
    assert [(reason.box, reason.clause) for reason in DYNASTIA.explain(facts, result)] == [
        ("A", "house.4"),
        ("B", "house.4"),
    ]


def test_a_void_round_may_name_no_players():
    _, result = settled(VOID)
    assert result["void"] is True


def test_a_pot_is_explained_hand_by_hand_and_comparison_by_comparison():
    line = seated(
        ["3R", "4B", "6B", "6B", "6B", "6B", "6B"],
        ["3B", "4R", "6R", "6R", "6R", "6R", "6R"],
        ["1R", "3B", "5B", "5B", "5B", "5B", "5B"],
    )
    assert told({**line, "pot": 30}) == [
        (
            "1",
            "dynastia.4",
            "Box 1 has the set 3-4: of 3♀ 4♂ 6♂ 6♂ 6♂ 6♂ 6♂ the run that starts lowest, at its full length.",
        ),
        (
            "2",
            "dynastia.4",
            "Box 2 has the set 3-4: of 3♂ 4♀ 6♀ 6♀ 6♀ 6♀ 6♀ the run that starts lowest, at its full length.",
        ),
        (
            "3",
            "dynastia.10",
            "Box 3 has no set: of 1♀ 3♂ 5♂ 5♂ 5♂ 5♂ 5♂ no two numbers are in a row.",
        ),
        (
            "1",
            "dynastia.8",
            "Box 1 is ahead of box 2: the sets are the same, 3-4, with 1 in red each. Going up from the lowest number, "
            "3 is the first that only one side has in red, and it lies with box 1.",
        ),
        ("2", "dynastia.10", "Box 2 is ahead of box 3: a hand with a set beats every hand without one."),
        ("1", "dynastia.11", "Box 1 has the best hand and takes the pot of 30."),
    ]


def test_scores_are_explained_in_the_order_of_the_places():
    (case,) = [case for case in CASES if case["case"].startswith("dynastia.13: the second and third")]
    assert told(line_of(case))[3:] == [
        (
            "A",
            "dynastia.5",
            "A is ahead of B and C: 3-4-5-6 starts lower than 5-6, and the lower start wins, whatever the length.",
        ),
        (
            "B",
            "dynastia.9",
            "B and C are equal and share the place: the same set, the same numbers of it in red, and the same other "
            "cards in red.",
        ),
        ("A", "dynastia.12", "A scores 40: the first place gets the sum of all sets, 18 + 11 + 11."),
        (
            "B",
            "dynastia.13",
            "B scores 16½: 2 equal hands divide equally what their places get together, 22 + 11.",
        ),
        (
            "C",
            "dynastia.13",
            "C scores 16½: 2 equal hands divide equally what their places get together, 22 + 11.",
        ),
    ]
