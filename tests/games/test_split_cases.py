"""Every worked case of rules/split.md and every outcome of a result, from a table that a croupier can read."""

import csv
from pathlib import Path

import pytest

from casino.games.game import Fault, Wager
from casino.games.sentences import tell
from casino.games.split import SPLIT
from casino.games.split.sheet import STARTING_TABLE

CASES = list(csv.DictReader((Path(__file__).parent / "split_cases.csv").read_text().splitlines()))


def line_of(case):
    """A row of the table as a line of contracts/adjudicate.md."""
    line = {"game": "split", "coefficients": dict(STARTING_TABLE)}
    for setting in case["sheet"].split():
        name, value = setting.split("=")
        if name in STARTING_TABLE:
            line["coefficients"][name] = value
        else:
            line[name] = int(value) if value.isdigit() else value
    line["dealer"] = {
        "cards": case["dealer"].split() or None,
        "replacement": case["replacement"] or None,
        "small": case["dealer_small"].split() or None,
    }
    box = {"box": 3, "ante": int(case["ante"]), "action": case["decision"], "buys_game": case["buys_game"] == "yes"}
    for name, column in (("cards", "cards"), ("extra", "extra"), ("small", "set_small")):
        box[name] = case[column].split() or None
    what, _, clause = case["ruling"].partition(" ")
    if what == "round":
        line["void"] = {"clause": clause}
    elif what:
        box["ruling"] = {"what": what, "clause": clause}
    return {**line, "boxes": [box]}


def settled(line):
    facts = SPLIT.read(line)
    assert not isinstance(facts, Fault), facts
    return SPLIT.settle(facts)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_box_ends_as_the_case_says(case):
    result = settled(line_of(case))
    (box,) = result["boxes"]
    assert (box["outcome"], box["category"], box["net"]) == (
        case["outcome"],
        case["category"] or None,
        int(case["net"]),
    )
    assert box["clauses"] == case["clauses"].split()
    assert result["house_net"] == -box["net"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_box_is_explained_by_the_clauses_that_decided_in_their_order(case):
    facts = SPLIT.read(line_of(case))
    result = SPLIT.settle(facts)
    reasons = SPLIT.explain(facts, result)
    cited = [reason.clause for reason in reasons]
    assert set(cited) <= set(SPLIT.clauses)
    told_in_order = iter(cited)
    assert all(clause in told_in_order for clause in result["boxes"][0]["clauses"]), cited
    for reason in reasons:
        assert reason.box == 3
        text = SPLIT.sentences[reason.message].format(**reason.values)
        assert text.endswith(".")
        assert "{" not in text


def test_the_cases_reach_every_outcome_and_every_clause_of_a_result():
    outcomes = {case["outcome"] for case in CASES}
    assert outcomes == {
        "fold",
        "no_game",
        "no_game_bought",
        "lose",
        "stand_off",
        "win_bet",
        "win_ante",
        "forfeit",
        "void",
    }
    clauses = {clause for case in CASES for clause in case["clauses"].split()}
    assert clauses >= {f"split.{number}" for number in (6, 11, 12, 13, 14, 17, 18, 19, 20, 23, 24, 30, 36)}


MIXED = {
    "game": "split",
    "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"], "replacement": "Kh", "small": ["Qd", "3d"]},
    "boxes": [
        {"box": 5, "ante": 20, "action": "buy_bet"},
        {"box": 1, "ante": 10, "action": "bet", "cards": ["3s", "4s", "5s", "6s", "8s"], "extra": ["Ah", "Ad"]},
        {"box": 2, "ante": 30, "action": "fold"},
    ],
}
MIXED["boxes"][1]["buys_game"] = True


def test_a_box_that_does_not_buy_is_paid_while_another_buys_the_game():
    result = settled(MIXED)
    assert [(box["box"], box["outcome"], box["net"]) for box in result["boxes"]] == [
        (5, "no_game", 0),
        (1, "win_bet", 90),
        (2, "fold", -30),
    ]
    assert result["house_net"] == -60
    assert result["dealer"] == {"category": "pair", "has_game": True, "bought": True}


def test_a_void_round_without_the_dealers_cards_has_no_category():
    result = settled({"void": {"clause": "split.36"}, "boxes": [{"box": 1, "ante": 5, "action": "bet"}]})
    assert result["dealer"] == {"category": None, "has_game": None, "bought": False}


def test_fees_are_taken_and_stakes_returned_wager_by_wager():
    result = settled(MIXED)
    assert result["boxes"][0]["wagers"] == [
        {"kind": "ante", "stake": 20, "returned": 20, "paid": 20},
        {"kind": "bet", "stake": 40, "returned": 40, "paid": 0},
        {"kind": "cards_fee", "stake": 20, "returned": 0, "paid": 0},
    ]
    assert result["boxes"][1]["wagers"][2] == {"kind": "game_fee", "stake": 10, "returned": 0, "paid": 0}


def test_results_beyond_a_float_are_exact():
    ante = 999_999_999_999
    line = {
        "coefficients": {**STARTING_TABLE, "royal_flush": "10000:1"},
        "dealer": {"cards": ["2c", "2d", "9h", "8s", "4h"], "small": ["5c", "3d"]},
        "boxes": [
            {"box": 1, "ante": ante, "action": "bet", "cards": ["As", "Ks", "Qs", "Js", "Ts"], "extra": ["Ac", "Kc"]}
        ],
    }
    assert settled(line)["boxes"][0]["net"] == 2 * ante * 10_000


WAGERS = (
    Wager(1, 1, "ante", 10),
    Wager(2, 2, "ante", 30),
    Wager(3, 5, "ante", 20),
    Wager(4, 5, "cards_fee", 20),
    Wager(5, 5, "bet", 40),
    Wager(6, 1, "bet", 20),
    Wager(7, 1, "game_fee", 10),
)
SHEET = SPLIT.sheet({})


def test_every_wager_is_paid_in_the_order_of_staking():
    facts = SPLIT.read(MIXED)
    pays = SPLIT.pay(facts, SPLIT.settle(facts), WAGERS, SHEET, None)
    assert [(pay.ordinal, pay.box, pay.kind, pay.returned_units, pay.paid_units) for pay in pays] == [
        (1, 1, "ante", 10, 0),
        (2, 2, "ante", 0, 0),
        (3, 5, "ante", 20, 20),
        (4, 5, "cards_fee", 0, 0),
        (5, 5, "bet", 40, 0),
        (6, 1, "bet", 20, 100),
        (7, 1, "game_fee", 0, 0),
    ]
    assert sum(pay.net_units for pay in pays) == 60


@pytest.mark.parametrize(
    ("wagers", "message"),
    [
        (WAGERS[:-1], "The game_fee of box 1 is in the result, but not on the table."),
        ((*WAGERS, Wager(8, 1, "bet", 20)), "The result has no further bet of box 1."),
        ((*WAGERS[:6], Wager(7, 1, "game_fee", 20)), "The game_fee of box 1 is 20 on the table and 10 in the result."),
    ],
)
def test_wagers_that_are_not_those_of_the_result_are_not_paid(wagers, message):
    facts = SPLIT.read(MIXED)
    with pytest.raises(ValueError, match=message):
        SPLIT.pay(facts, SPLIT.settle(facts), wagers, SHEET, None)


def test_outcomes_are_the_result_in_the_words_of_payments():
    facts = SPLIT.read(MIXED)
    assert SPLIT.outcomes(facts, SPLIT.settle(facts)) == (
        (5, "no_game", ("split.11",)),
        (1, "win_bet", ("split.12", "split.13", "split.19")),
        (2, "fold", ("split.6",)),
    )


def told(line):
    facts = SPLIT.read(line)
    return [
        (reason.clause, tell(SPLIT.sentences, reason))
        for reason in SPLIT.explain(facts, SPLIT.settle(facts))
        if reason.box == 1
    ]


def test_the_whole_chain_of_a_bought_game_is_told_in_order():
    assert told(MIXED) == [
        ("split.6", "Box 1 put up a BET of 20 on its ANTE of 10; two more cards came free and unseen."),
        (
            "split.8",
            "Its first five cards 3♠ 4♠ 5♠ 6♠ 8♠ are the Big Hand (flush, eight high), the two unseen A♥ A♦ the Small "
            "Hand (pair of aces), as they lie.",
        ),
        (
            "split.10",
            "The dealer shows A♠ K♦ 9♣ 7♥ 2♠: ace high. That is no game; it takes a pair of twos or better.",
        ),
        (
            "split.12",
            "Box 1 bought the game for 10. The fee is a price: it isn’t returned, and the payment for no game is "
            "given up.",
        ),
        (
            "split.13",
            "The dealer’s highest card, the ace of spades, was replaced by the king of hearts: K♥ K♦ 9♣ 7♥ 2♠, pair of "
            "kings. Now the dealer has a game.",
        ),
        ("split.15", "The dealer’s Small Hand is Q♦ 3♦ (queen, three)."),
        (
            "split.19",
            "Big Hand: Flush, eight high is above the dealer’s pair of kings. Small Hand: Pair of aces is above the "
            "dealer’s queen, three. The BET of 20 is paid and returned; the ANTE of 10 is returned unpaid.",
        ),
        ("split.22", "Flush pays 5:1: on 20 that is 100."),
    ]


def test_hands_announced_alike_are_told_apart_by_all_their_ranks():
    line = {
        "dealer": {"cards": ["9c", "9d", "Ah", "Ks", "2h"], "small": ["Qc", "4d"]},
        "boxes": [
            {"box": 1, "ante": 1, "action": "bet", "cards": ["9h", "9s", "Ad", "Kc", "3c"], "extra": ["Kh", "Kd"]}
        ],
    }
    assert any(
        "Pair of nines with ace, king, three is above the dealer’s pair of nines with ace, king, two" in text
        for _, text in told(line)
    )


def test_the_maximum_and_the_chip_are_told_with_the_exact_amounts():
    line = {
        "chip": 10,
        "max_payment": 26,
        "coefficients": {**STARTING_TABLE, "pair": "4:3", "two_pair": "4:3"},
        "dealer": {"cards": ["2c", "2d", "9h", "8s", "4h"], "small": ["5c", "3d"]},
        "boxes": [
            {"box": 1, "ante": 10, "action": "bet", "cards": ["Tc", "Td", "7h", "6s", "3c"], "extra": ["Ac", "Kc"]}
        ],
    }
    assert told(line)[-3:] == [
        ("split.22", "Pair pays 4:3: on 20 that is 26 and 2/3."),
        ("split.24", "The table pays at most 26 to a box in a round: 26 instead of 26 and 2/3."),
        ("split.23", "Payments are rounded down to the smallest chip of 10: 26 is paid as 20."),
    ]
