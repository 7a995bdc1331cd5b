"""Every clause of rules/bigtwo.md, from tables that a croupier can read."""

import csv
from pathlib import Path

import pytest

from casino.games.bigtwo import BIGTWO
from casino.games.sentences import tell
from tests.support.bigtwo_rounds import DECK, line_of, options_of, read, settled, value


def rows(name):
    return list(csv.DictReader((Path(__file__).parent / name).read_text().splitlines()))


CASES, PLAYS, POINTS = rows("bigtwo_cases.csv"), rows("bigtwo_plays.csv"), rows("bigtwo_points.csv")


def compare_line(case):
    return {
        "game": "bigtwo",
        "compare": [case["first"].split(), case["second"].split()],
        "options": {"bombs": case["bombs"] == "bombs"},
    }


def points_line(case):
    """`8 cards` are the next eight of the pack."""
    pack = iter(DECK)
    left = {}
    for hand in case["left"].split(" / "):
        player, _, cards = hand.partition(": ")
        count = cards.removesuffix(" cards")
        left[player] = [next(pack) for _ in range(int(count))] if count.isdigit() else cards.replace("-", "").split()
    return {"game": "bigtwo", "seats": list(left), "left": left, "options": options_of(case["options"])[0]}


def explained(line):
    """The clauses of the explanation; every sentence can be told."""
    facts = read(line)
    reasons = BIGTWO.explain(facts, BIGTWO.settle(facts))
    for reason in reasons:
        text = tell(BIGTWO.sentences, reason)
        assert text.endswith(".")
        assert "  " not in text
        assert "None" not in text
    return [reason.clause for reason in reasons]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_two_combinations_compare_as_the_case_says(case):
    line = compare_line(case)
    assert settled(line) == {
        "game": "bigtwo",
        "combinations": [case["makes"] or None, case["other makes"] or None],
        "beats": case["may be played"] == "yes",
    }
    assert explained(line) == case["clauses"].split()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_the_second_opinion_names_the_same_combinations(case):
    for cards, makes in ((case["first"], case["makes"]), (case["second"], case["other makes"])):
        found = value(cards.split())
        assert (found[0] if found else "") == makes


@pytest.mark.parametrize("case", PLAYS, ids=lambda case: case["case"])
def test_a_round_goes_as_the_case_says(case):
    line = line_of(case)
    result = settled(line)
    illegal = result["illegal"]
    assert (" ".join(map(str, illegal.values())) if illegal else "") == case["illegal"]
    assert result["turn"] == (case["turn"] or None)
    assert result["over"] == (result["turn"] is None)
    assert "; ".join(f"{skip['after_play']} {skip['player']}" for skip in result["skipped"]) == case["skipped"]
    assert explained(line) == case["clauses"].split()


@pytest.mark.parametrize("case", POINTS, ids=lambda case: case["case"])
def test_points_are_what_the_case_says(case):
    line = points_line(case)
    seats = line["seats"]
    assert settled(line) == {
        "game": "bigtwo",
        "over": True,
        "ranking": [group.split() for group in case["ranking"].split(" / ")],
        "points": dict(zip(seats, map(int, case["points"].split()), strict=True)),
        "net": dict(zip(seats, map(int, case["net"].split()), strict=True)),
    }
    assert explained(line) == case["clauses"].split()


def test_the_cases_reach_every_clause_kind_code_and_option():
    clauses = {clause for case in (*CASES, *PLAYS, *POINTS) for clause in case["clauses"].split()}
    assert clauses == {f"bigtwo.{number}" for number in range(1, 15)}
    assert {case["makes"] for case in CASES} == {
        "",
        *("single", "pair", "triple", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush"),
    }
    assert {case["illegal"].split()[1] for case in PLAYS if case["illegal"]} == {
        *("round_over", "not_your_turn", "leader_must_play", "card_not_held", "not_a_combination"),
        *("lowest_card_required", "wrong_card_count", "not_higher"),
    }


def test_the_cases_tell_every_sentence():
    void = line_of(PLAYS[0]) | {"void": {"clause": "house.4"}}
    lines = [*map(compare_line, CASES), *map(line_of, PLAYS), *map(points_line, POINTS), void]
    told = {reason.message for facts in map(read, lines) for reason in BIGTWO.explain(facts, BIGTWO.settle(facts))}
    assert told == set(BIGTWO.sentences)


def test_the_clauses_are_those_of_the_rule_file():
    assert list(BIGTWO.clauses) == [
        *(f"bigtwo.{number}" for number in range(1, 16)),
        *(f"house.{number}" for number in range(1, 7)),
    ]


def test_the_contracts_line_has_the_contracts_answer():
    plays = [{"player": "N", "cards": ["3d"]}, {"player": "W", "cards": []}]
    deal = line_of({"deal": "four", "options": "", "plays": ""})["deal"]
    assert settled({"seats": ["N", "W", "S", "E"], "deal": deal, "plays": plays}) == {
        "game": "bigtwo",
        "illegal": None,
        "turn": "S",
        "left": {"N": 12, "W": 13, "S": 13, "E": 13},
        "over": False,
        "skipped": [],
    }


def test_a_finished_round_has_its_points_too():
    case = next(case for case in PLAYS if case["case"] == "the round ends at once")
    assert settled(line_of(case)) == {
        "game": "bigtwo",
        "illegal": None,
        "turn": None,
        "left": {"N": 0, "W": 13},
        "over": True,
        "skipped": [],
        "ranking": [["N"], ["W"]],
        "points": {"N": 0, "W": 13},
        "net": {"N": 0, "W": 13},
    }


def test_what_comes_after_an_illegal_play_is_not_judged():
    line = line_of({"deal": "two", "options": "", "plays": "N 3c; W As Ah; N 4d; W 2s"})
    result = settled(line)
    assert result["illegal"]["play"] == 1
    assert result["left"] == {"N": 12, "W": 13}


def test_a_void_round_is_not_judged():
    line = line_of({"deal": "two", "options": "", "plays": "W 3c"}) | {"void": {"clause": "house.4"}}
    assert settled(line) == {"game": "bigtwo", "void": True}
    assert explained(line) == ["house.4", "house.4"]


@pytest.mark.parametrize(
    ("plays", "text"),
    [
        ("N 3c 3c", "Play 1 doesn’t count: N held the three of clubs only once."),
        ("N 3c; W As Ah", "Play 2 of W doesn’t count: 2 cards can’t be played on the three of clubs."),
        ("N 3c; W 5h; N 5d", "Play 3 of N doesn’t count: 5♦ doesn’t beat the five of hearts."),
    ],
)
def test_an_illegal_play_is_told_with_its_cards(plays, text):
    facts = read(line_of({"deal": "two", "options": "", "plays": plays}))
    assert text in [tell(BIGTWO.sentences, reason) for reason in BIGTWO.explain(facts, BIGTWO.settle(facts))]


def test_skipped_turns_are_told_by_the_play_before_counted_from_one():
    facts = read(line_of({"deal": "four", "options": "auto_skip", "plays": "N 3d; W -; S -; E 2s"}))
    result = BIGTWO.settle(facts)
    assert {skip["after_play"] for skip in result["skipped"]} == {3}
    told = [tell(BIGTWO.sentences, reason) for reason in BIGTWO.explain(facts, result)]
    assert [text.partition(":")[0] for text in told if "skipped" in text] == [
        f"{player} was skipped after play 4" for player in "NWS"
    ]
