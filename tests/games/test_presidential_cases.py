"""Every class, tie-break and ending of rules/presidential.md, from a table that a croupier can read; every fault."""

import csv
import json
from pathlib import Path

import pytest

from casino import adjudicate
from casino.games import lines
from casino.games.game import Fault, Outcome, Wager
from casino.games.presidential import PRESIDENTIAL
from casino.games.presidential.hands import CLASSES
from casino.games.presidential.pack import HOUSE_FILE, house
from casino.games.sentences import tell
from tests.support.presidential_cards import hand

HERE = Path(__file__).parent
CASES = list(csv.DictReader((HERE / "presidential_cases.csv").read_text().splitlines()))
FAULTS = list(
    csv.DictReader((HERE / "presidential_faults.csv").read_text().splitlines(), delimiter="|", quoting=csv.QUOTE_NONE)
)
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])


def line_of(case):
    """A row of the table as a line of contracts/adjudicate.md."""
    hands = []
    for player in "abc":
        if case[player]:
            cards = None if case[player] == "closed" else hand(case[player])
            hands.append({"player": player.upper(), "cards": cards})
    return {
        "game": "presidential",
        "pot": int(case["pot"]) if case["pot"] else None,
        "hands": hands,
        "dropped": case["dropped"].split(),
        "void": {"clause": case["void"]} if case["void"] else None,
    }


def settled(line):
    facts = PRESIDENTIAL.read(line)
    assert not isinstance(facts, Fault), facts
    return PRESIDENTIAL.settle(facts)


def pairs(text):
    return dict(pair.split() for pair in text.split("; ")) if text else {}


@each_case
def test_a_round_ends_as_the_case_says(case):
    result = settled(line_of(case))
    if case["void"]:
        assert result == {"game": "presidential", "void": True}
        return
    assert result["ranking"] == [group.split(" = ") for group in case["ranking"].split(" > ")]
    found = {player: told["class"] for player, told in result["hands"].items()}
    assert found == {player: None if name == "null" else name for player, name in pairs(case["classes"]).items()}
    for player, told in result["hands"].items():
        assert told["clauses"] == case[f"clauses_{player.lower()}"].split()
    assert result["decided_by"] == (case["decided_by"] or None)
    if case["pot"]:
        assert result["shares"] == {player: int(units) for player, units in pairs(case["shares"]).items()}
        assert sum(result["shares"].values()) == int(case["pot"])
    else:
        assert "shares" not in result


@each_case
def test_a_round_is_explained_by_the_clauses_that_decided_in_their_order(case):
    facts = PRESIDENTIAL.read(line_of(case))
    assert not isinstance(facts, Fault)
    result = PRESIDENTIAL.settle(facts)
    reasons = PRESIDENTIAL.explain(facts, result)
    assert {reason.clause for reason in reasons} <= set(PRESIDENTIAL.clauses)
    for player, told in result.get("hands", {}).items():
        of_player = {reason.clause for reason in reasons if reason.box == player}
        # The one behind is spoken of in the sentences of the one ahead.
        if player in result["ranking"][0]:
            assert set(told["clauses"]) <= of_player
    for reason in reasons:
        text = tell(PRESIDENTIAL.sentences, reason)
        assert text.endswith(".")
        assert "{" not in text
    players = facts.everybody.players if case["void"] else facts.dropped
    assert set(players) <= {reason.box for reason in reasons}


def test_the_cases_reach_every_class_of_the_house_deck_and_every_tie_break():
    names = {name for case in CASES for name in pairs(case["classes"]).values()}
    # In the house deck two of any six cards share a symbol.
    assert names == {*CLASSES, "null"} - {"0:7"}
    cited = {clause for case in CASES for who in "abc" for clause in case[f"clauses_{who}"].split()}
    assert {f"presidential.{number}" for number in (6, *range(11, 27), *range(31, 37))} == cited


def test_a_tie_is_told_step_by_step():
    case = next(case for case in CASES if case["case"] == "four equal numbers beat three")
    line = line_of(case)
    line["hands"][0]["player"], line["hands"][1]["player"] = "3", "5"
    facts = PRESIDENTIAL.read(line)
    texts = [tell(PRESIDENTIAL.sentences, reason) for reason in PRESIDENTIAL.explain(facts, PRESIDENTIAL.settle(facts))]
    assert texts[-3:] == [
        "A Kingdom V card counts as whichever of its two numbers serves its holder better: for box 5 as 20-19-19.",
        "Box 3 is ahead of box 5, both with a triple and a pair: the largest group of equal numbers decides, 8-8-8-8 "
        "against 4-4-4. The group with more cards wins; of groups of the same size, the higher number.",
        "Box 3 has the best hand and takes the pot of 100.",
    ]
    assert texts[0].startswith("Box 3 makes a triple and a pair (3:2:1:1): three with the play number 8 (")


CLOSED = [{"player": "2"}]
TWO = [
    {"player": "2", "cards": hand("D1 A2 B3 C4 F5 E6 H7")},
    {"player": "4", "cards": hand("A1 D2 C3 B4 E5 H6 F7")},
]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            {"pot": 41, "hands": TWO, "dropped": ["1"]},
            (
                Outcome(1, "dropped", ("presidential.5",)),
                Outcome(2, "split", ("presidential.21", "presidential.35", "house.1")),
                Outcome(4, "split", ("presidential.21", "presidential.35", "house.1")),
            ),
        ),
        (
            {"pot": 41, "hands": CLOSED, "dropped": ["7"]},
            (Outcome(2, "win", ("presidential.6",)), Outcome(7, "dropped", ("presidential.5",))),
        ),
        (
            {"pot": 41, "hands": CLOSED, "dropped": ["1"], "void": {"clause": "house.4"}},
            (Outcome(1, "void", ("house.4",)), Outcome(2, "void", ("house.4",))),
        ),
    ],
)
def test_every_box_has_an_outcome_by_its_number(line, expected):
    facts = PRESIDENTIAL.read(line)
    assert PRESIDENTIAL.outcomes(facts, PRESIDENTIAL.settle(facts)) == expected
    assert {outcome.outcome for outcome in expected} <= set(PRESIDENTIAL.words)


def paid(line, wagers, sheet=None):
    facts = PRESIDENTIAL.read(line)
    result = PRESIDENTIAL.settle(facts)
    return [
        (pay.ordinal, pay.returned_units, pay.paid_units)
        for pay in PRESIDENTIAL.pay(facts, result, wagers, sheet or PRESIDENTIAL.sheet({}), None)
    ]


def test_a_winner_has_his_wagers_back_and_the_rest_of_his_share_on_the_first():
    wagers = [Wager(1, 2, "ante", 10), Wager(2, 4, "ante", 10), Wager(3, 4, "open", 21), Wager(4, 2, "drop", 1)]
    assert paid({"pot": 42, "hands": CLOSED, "dropped": ["4"]}, wagers) == [
        (1, 10, 31),
        (2, 0, 0),
        (3, 0, 0),
        (4, 1, 0),
    ]
    assert paid({"pot": 42, "hands": TWO}, wagers) == [(1, 10, 10), (2, 10, 0), (3, 11, 0), (4, 1, 0)]
    void = {"pot": 42, "hands": TWO, "void": {"clause": "house.4"}}
    assert paid(void, wagers) == [(1, 10, 0), (2, 10, 0), (3, 21, 0), (4, 1, 0)]
    assert paid({"hands": TWO}, wagers) == [(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0)]


def test_a_correction_sets_cards_and_the_clause_of_a_void_round_and_no_stake():
    line = {"game": "presidential", "pot": 41, "hands": TWO, "dropped": ["1"]}
    paths = [slot.path for slot in PRESIDENTIAL.slots(line)]
    assert paths == ["hands[0].cards", "hands[1].cards", "void.clause"]
    for slot in PRESIDENTIAL.slots(line):
        assert lines.amend(PRESIDENTIAL, line, {slot.path: slot.value}) == line
    assert isinstance(lines.amend(PRESIDENTIAL, line, {"dropped": []}), Fault)
    better = lines.amend(PRESIDENTIAL, line, {"hands[1].cards": hand("T17T U17T T17P U17P U18T T18T U18P")})
    assert settled(better)["shares"] == {"4": 41}
    void = lines.amend(PRESIDENTIAL, line, {"void.clause": "house.4"})
    assert settled(void)["void"] is True
    wagers = (Wager(1, 2, "ante", 10),)
    facts = PRESIDENTIAL.read(better)
    assert PRESIDENTIAL.stakes(facts, wagers, PRESIDENTIAL.sheet({}), None) == wagers
    assert PRESIDENTIAL.carry(facts, PRESIDENTIAL.settle(facts), PRESIDENTIAL.sheet({}), None) is None


def test_the_closed_cards_of_who_was_left_may_be_entered_by_a_correction():
    line = {"game": "presidential", "pot": 41, "hands": CLOSED, "dropped": ["1"]}
    corrected = lines.amend(PRESIDENTIAL, line, {"hands[0].cards": hand("T17T U17T T17P U17P U18T T18T U18P")})
    assert settled(corrected)["hands"] == {"2": {"class": "7:7", "clauses": ["presidential.6"]}}
    assert lines.amend(PRESIDENTIAL, line, {"hands[0].cards": None}) == line


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row["changes"])
def test_a_fault_is_named_with_its_code_and_its_place(row):
    sound = {
        "id": 1,
        "game": "presidential",
        "pot": 41,
        "hands": [{"player": "A", "cards": list(TWO[0]["cards"])}, {"player": "B", "cards": list(TWO[1]["cards"])}],
    }
    line = sound | json.loads(row["changes"])
    for text in ("cards[3]", "player"):
        if f"hands[1].{text}" in line:
            value = line.pop(f"hands[1].{text}")
            if text == "player":
                line["hands"][1]["player"] = value
            else:
                line["hands"][1]["cards"][3] = value
    found, ok = adjudicate.answer(json.dumps(line).encode(), 1)
    assert not ok
    assert found["id"] == 1
    error = found["error"]
    assert (error["code"], error["path"]) == (row["code"], row["path"])
    assert row["message"] in error["message"]


def test_null_is_the_same_as_left_out():
    nulls = {"deck_file": None, "pot": None, "dropped": None, "void": None, "id": None}
    assert settled({"hands": TWO, **nulls}) == settled({"hands": TWO})


def test_a_void_round_needs_no_hands():
    assert settled({"void": {"clause": "house.4"}}) == {"game": "presidential", "void": True}


def test_a_deck_of_the_house_deck_s_rows_settles_the_same(tmp_path):
    file = tmp_path / "own.csv"
    header, *rows = Path(HOUSE_FILE).read_text().splitlines()
    file.write_text("\r\n".join([header, *reversed(rows)]))
    assert settled({"hands": TWO, "deck_file": str(file)}) == settled({"hands": TWO})
    assert len(house().cards) == 72
