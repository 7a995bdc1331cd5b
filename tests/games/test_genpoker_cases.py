"""Every class, tie-break and split of rules/genpoker.md, and every fault of a line, from tables that a croupier can
read."""

import copy
import csv
import json
from pathlib import Path

import pytest

from casino import adjudicate
from casino.games import lines
from casino.games.game import Fault, Outcome, Pay, Wager
from casino.games.genpoker import GENPOKER
from casino.games.genpoker.classes import CLASSES, describe, shape
from casino.games.sentences import tell

HERE = Path(__file__).parent
CASES = list(csv.DictReader((HERE / "genpoker_cases.csv").read_text().splitlines()))
FAULTS = list(
    csv.DictReader((HERE / "genpoker_faults.csv").read_text().splitlines(), delimiter="|", quoting=csv.QUOTE_NONE)
)
LINE = {
    "game": "genpoker",
    "pot": 1001,
    "hands": [
        {"player": "A", "cards": ["1R", "2R", "3R", "4R", "5R"]},
        {"player": "B", "cards": ["6R-01", "6B-01", "4R", "4B", "5R"]},
    ],
}


def line_of(case):
    hands = [{"player": player, "cards": case[player].split()} for player in "ABC" if case[player]]
    return {"game": "genpoker", "pot": int(case["pot"]) if case["pot"] else None, "hands": hands}


def settled(line):
    facts = GENPOKER.read(line)
    assert not isinstance(facts, Fault), facts
    return GENPOKER.settle(facts)


def told(line):
    facts = GENPOKER.read(line)
    reasons = GENPOKER.explain(facts, GENPOKER.settle(facts))
    return [(reason.box, reason.clause, tell(GENPOKER.sentences, reason)) for reason in reasons]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_showdown_ends_as_the_case_says(case):
    result = settled(line_of(case))
    assert result["ranking"] == [group.split() for group in case["ranking"].split(" > ")]
    assert [hand["class"] for hand in result["hands"].values()] == case["classes"].split()
    assert result["decided_by"] == (case["decided_by"] or None)
    shares = case["shares"].split()
    assert result.get("shares", {}) == dict(zip(shares[::2], map(int, shares[1::2]), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_showdown_is_explained_by_clauses_of_the_rules_and_by_what_decided(case):
    line = line_of(case)
    result = settled(line)
    reasons = told(line)
    assert {clause for _, clause, _ in reasons} <= set(GENPOKER.clauses)
    for player, hand in result["hands"].items():
        assert set(hand["clauses"]) <= {clause for box, clause, _ in reasons if box == player}
    second = result["ranking"][1][0] if len(result["ranking"]) > 1 else None
    assert second is None or (second, result["decided_by"]) in [(box, clause) for box, clause, _ in reasons]
    assert all(text.endswith(".") and "{" not in text for _, _, text in reasons)


def test_the_cases_decide_by_every_class_and_split_every_class_that_can_tie():
    classes = {f"genpoker.{number}" for number in range(11, 29)}
    assert {case["decided_by"] for case in CASES} - {""} == classes
    split = {case["classes"].split()[0] for case in CASES if not case["decided_by"]}
    assert split == {made.name for made in CLASSES} - {
        "grandparents",
        "xx_century",
        "children",
        "parents",
    }


def changed(line, changes):
    line = copy.deepcopy(line)
    for path, value in changes.items():
        *way, last = lines._steps(path)
        place = line
        for step in way:
            place = place[step]
        place[last] = value
    return line


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row["changes"])
def test_a_line_that_breaks_a_rule_is_refused_with_its_code_words_and_path(row):
    line = changed(LINE, json.loads(row["changes"]))
    assert GENPOKER.read(line) == Fault(row["code"], row["message"], row["path"])


def test_the_faults_show_every_code_that_a_line_of_genpoker_can_give():
    codes = {"missing_field", "bad_field", "bad_card", "card_duplicate", "wrong_card_count"}
    assert {row["code"] for row in FAULTS} == codes


def test_the_contracts_line_is_answered_as_the_contract_shows():
    answer, ok = adjudicate.answer(json.dumps({"id": 2, **LINE}).encode(), 1)
    assert ok
    assert answer == {
        "id": 2,
        "game": "genpoker",
        "ranking": [["A"], ["B"]],
        "hands": {
            "A": {"class": "america", "clauses": ["genpoker.11"]},
            "B": {"class": "country", "clauses": ["genpoker.21"]},
        },
        "shares": {"A": 1001},
        "decided_by": "genpoker.11",
    }


def test_eight_players_rank_in_seat_order_within_a_group():
    hands = [
        {"player": f"P{number}", "cards": [f"6{'RB'[number % 2]}-{5 * (number // 2) + at:02}" for at in range(1, 6)]}
        for number in range(6)
    ]
    hands += [
        {"player": "seventh", "cards": ["5R", "5B", "4R", "4B", "3R"]},
        {"player": "eighth", "cards": ["5R", "5B", "4R", "4B", "3B"]},
    ]
    result = settled({"hands": hands})
    assert result["ranking"] == [[f"P{number}" for number in range(6)], ["seventh", "eighth"]]


@pytest.mark.parametrize(
    "changes",
    [{}, {"hands": None}, {"hands[0].cards": None}, {"pot": None}],
    ids=["complete", "no hands", "a hand not entered", "no pot"],
)
def test_a_void_round_ranks_nobody_and_shares_nothing(changes):
    line = changed(LINE, {**changes, "void": {"clause": "house.4"}})
    result = settled(line)
    assert result == {"game": "genpoker", "void": True}
    assert {clause for _, clause, _ in told(line)} == {"house.4"}


def test_a_void_round_is_told_to_each_player_or_to_the_table():
    void = {"void": {"clause": "house.4"}}
    assert told({**LINE, **void}) == [
        ("A", "house.4", "The round is void under house.4: all that A staked is returned."),
        ("B", "house.4", "The round is void under house.4: all that B staked is returned."),
    ]
    assert told(void) == [(None, "house.4", "The round is void under house.4: all stakes are returned.")]


def test_the_whole_chain_of_a_split_pot_is_told_in_order():
    hands = ["4R 4B 5R 5B 3B", "6R-01 6B-01 6R-02 6R-03 5R", "6R-04 6B-04 6R-05 6R-06 5R"]
    line = {
        "pot": 1001,
        "hands": [{"player": str(box), "cards": cards.split()} for box, cards in enumerate(hands, 2)],
    }
    assert told(line) == [
        ("2", "genpoker.26", "Box 2 shows 3♂ 4♂ 4♀ 5♂ 5♀: Two pair, 4s and 5s."),
        ("3", "genpoker.21", "Box 3 shows 5♀ 6♂01 6♀01 6♀02 6♀03: Country."),
        (
            "3",
            "genpoker.30",
            "The hand counts as a country, the best class that it makes, although it’s also four of a kind.",
        ),
        ("4", "genpoker.21", "Box 4 shows 5♀ 6♂04 6♀04 6♀05 6♀06: Country."),
        (
            "4",
            "genpoker.30",
            "The hand counts as a country, the best class that it makes, although it’s also four of a kind.",
        ),
        (
            "4",
            "genpoker.21",
            "Box 3 and box 4 are equal, both with a country: nothing in the rules tells them apart, so they split the "
            "pot.",
        ),
        ("2", "genpoker.21", "Box 3 is ahead of box 2: country is a higher class than two pair."),
        ("3", "genpoker.3", "2 equal hands share the pot of 1\u2009001: box 3 gets 501."),
        (
            "3",
            "house.1",
            "The pot doesn’t divide evenly by 2. The chips left over go one each to the winners in seat order from "
            "the dealer’s left, one of them to box 3.",
        ),
        ("4", "genpoker.3", "2 equal hands share the pot of 1\u2009001: box 4 gets 500."),
    ]


def compared(ahead, behind):
    line = {"hands": [{"player": "Anna", "cards": ahead.split()}, {"player": "Boris", "cards": behind.split()}]}
    assert settled(line)["ranking"] == [["Anna"], ["Boris"]]
    return [text for box, _, text in told(line) if box == "Boris"][1:]


def test_a_tie_is_told_by_what_breaks_it():
    assert compared("5R 5R 5R 5R 5B", "5B 5B 5B 5R 5R") == [
        "Anna is ahead of Boris, both with Victorian. More cards of one colour win: 4 against 3."
    ]
    assert compared("1R 2R 3R 4B 6R-01", "1B 2B 3B 5R 6R-02") == [
        "Anna is ahead of Boris, both with a high card. Of the fourth lowest cards the lower wins: 4 against 5."
    ]
    assert compared("1R 2R 4R 5B 6R-01", "1B 3B 4B 5R 6R-02") == [
        "Anna is ahead of Boris, both with a high card. Of the second lowest cards the lower wins: 2 against 3."
    ]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("1R 2R 3R 4R 5R", "America"),
        ("2B 3B 4B 5B 6B-01", "Ancestors"),
        ("2R 3B 4B 5B 6B-01", "Straight from 2"),
        ("3R 3R 3B 3B 6B-01", "Grandparents"),
        ("4R 4R 4B 4B 4B", "XX century"),
        ("6R-01 6B-01 6R-16 6B-16 5R", "Two countries with a 5"),
        ("5B 5B 5B 5R 5R", "Victorian, 3-2"),
        ("6R-01 6R-02 6R-03 6R-04 6B-05", "Europe, 4-1"),
        ("1R 1B 3R 6R-01 6B-02", "Children"),
        ("2R 2B 3R 6R-01 6B-02", "Parents"),
        ("6R-01 6B-01 3R 4R 5R", "Country"),
        ("4R 4R 4B 4B 5R", "Four 4s with a 5"),
        ("5R 5R 5B 4B 4R", "Full house, 5s and 4s"),
        ("1R 3R 4R 5R 6R-01", "Flush"),
        ("4R 4R 4B 5B 6R-01", "Three 4s"),
        ("3R 3B 5R 5B 6R-01", "Two pair, 3s and 5s"),
        ("1R 3R 5R 5B 6R-01", "Pair of 5s"),
        ("1R 2R 4R 5B 6R-01", "High card, 1-2-4-5-6"),
    ],
)
def test_each_class_is_announced_in_words_of_its_own(cards, words):
    assert describe(shape(cards.split())) == words


def test_a_tie_break_of_a_class_that_goes_before_low_cards_says_so():
    assert compared("5R 5B 1R 3R 4R", "5R 5B 1B 2R 6R-01") == [
        "Anna is ahead of Boris, both with a pair. The lower total of all five wins: 18 against 19.",
        "With a pair on both sides, that decides first; the general rule that low cards win comes after it.",
    ]


def test_without_a_pot_the_best_hand_is_told_all_the_same():
    line = changed(LINE, {"pot": None})
    assert told(line)[-1] == ("A", "genpoker.3", "A has the best hand.")


WAGERS = tuple(Wager(ordinal, box, "ante", 500) for ordinal, box in enumerate((2, 5, 7), 1))
SHEET = GENPOKER.sheet({"stake": 500})


def of_boxes(*hands, **changes):
    return {
        "pot": 1500,
        "hands": [{"player": str(box), "cards": hand.split()} for box, hand in zip((2, 5, 7), hands, strict=True)],
        **changes,
    }


TWO_PAIR = "4R 4B 5R 5B 3B", "4R 4B 5R 5B 3R", "6R-01 6R-02 1R 2B 3R"


def test_each_winner_has_his_stake_back_and_the_rest_of_his_share_on_top():
    facts = GENPOKER.read(of_boxes(*TWO_PAIR, pot=1455))
    result = GENPOKER.settle(facts)
    assert GENPOKER.pay(facts, result, WAGERS, SHEET, None) == (
        Pay(1, 2, "ante", 500, 500, 228),
        Pay(2, 5, "ante", 500, 500, 227),
        Pay(3, 7, "ante", 500, 0, 0),
    )
    assert GENPOKER.outcomes(facts, result) == (
        Outcome(2, "split", ("genpoker.26", "house.1")),
        Outcome(5, "split", ("genpoker.26", "house.1")),
        Outcome(7, "lose", ("genpoker.27",)),
    )


def test_all_stakes_of_a_void_round_go_back():
    facts = GENPOKER.read(of_boxes(*TWO_PAIR, void={"clause": "house.4"}))
    result = GENPOKER.settle(facts)
    assert [pay.net_units for pay in GENPOKER.pay(facts, result, WAGERS, SHEET, None)] == [0, 0, 0]
    assert GENPOKER.outcomes(facts, result) == tuple(Outcome(box, "void", ("house.4",)) for box in (2, 5, 7))


def test_a_correction_sets_the_cards_of_a_box_and_voids_a_round():
    line = of_boxes(*TWO_PAIR)
    slots = GENPOKER.slots(line)
    assert [(slot.path, slot.label, slot.box) for slot in slots] == [
        ("hands[0].cards", "Box 2: five cards", 2),
        ("hands[1].cards", "Box 5: five cards", 5),
        ("hands[2].cards", "Box 7: five cards", 7),
        ("void.clause", "Round void under", None),
    ]
    for slot in slots:
        assert lines.amend(GENPOKER, line, {slot.path: slot.value}) == line
        assert slot.field.optional == (slot.value is None)
    corrected = lines.amend(GENPOKER, line, {"hands[2].cards[1]": "6B-01"})
    assert settled(corrected)["ranking"] == [["7"], ["2", "5"]]
    assert GENPOKER.stakes(GENPOKER.read(corrected), WAGERS, SHEET, None) == WAGERS
    assert settled(lines.amend(GENPOKER, line, {"void.clause": "house.4"}))["void"] is True
    assert lines.amend(GENPOKER, line, {"pot": 3}).path == "pot"


def test_a_player_by_name_has_no_box():
    line = {"hands": [{"player": "Anna", "cards": None}, {"player": "12", "cards": None}]}
    slots = GENPOKER.slots(line)
    assert [(slot.label, slot.box) for slot in slots[:2]] == [("Anna: five cards", None), ("Box 12: five cards", 12)]


def test_every_clause_of_the_rule_file_has_its_sentence():
    numbers = [*range(1, 6), *range(11, 31)]
    assert list(GENPOKER.clauses) == [f"genpoker.{number}" for number in numbers] + [
        f"house.{number}" for number in range(1, 7)
    ]
    assert all(sentence.endswith(".") for sentence in GENPOKER.clauses.values())
