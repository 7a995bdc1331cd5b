"""What contracts/adjudicate.md demands of a line of `split`: every rule, its code, its path and its words."""

import copy
import csv
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games.game import Fault
from casino.games.split import SPLIT, settle
from casino.games.split.facts import DealerCards, Facts
from casino.games.split.sheet import STARTING_TABLE, Sheet
from casino.money import Ratio

GAME = {
    "id": 1,
    "game": "split",
    "dealer": {"cards": ["9c", "9d", "Qh", "5s", "2h"], "small": ["Kc", "4d"]},
    "boxes": [
        {"box": 1, "ante": 10, "action": "bet", "cards": ["Jc", "Jd", "3h", "3s", "8c"], "extra": ["Ks", "4c"]},
        {
            "box": 3,
            "ante": 20,
            "action": "buy_bet",
            "cards": ["Tc", "Td", "7h", "6s", "3c"],
            "extra": ["Th", "Ts"],
            "small": ["Th", "Td"],
        },
        {"box": 4, "ante": 10, "action": "fold"},
        {"box": 5, "ante": 10, "action": "buy_fold"},
    ],
}
NO_GAME = {
    "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"]},
    "boxes": [{"box": 2, "ante": 10, "action": "bet"}, {"box": 6, "ante": 10, "action": "buy_fold"}],
}
BOUGHT = {
    "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"], "replacement": "Kh", "small": ["Qd", "3d"]},
    "boxes": [
        {
            "box": 1,
            "ante": 10,
            "action": "bet",
            "cards": ["3s", "4s", "5s", "6s", "8s"],
            "extra": ["Ah", "Ad"],
            "buys_game": True,
        }
    ],
}
BOUGHT_IN_VAIN = {
    "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"], "replacement": "Qh"},
    "boxes": [{"box": 1, "ante": 10, "action": "bet", "buys_game": True}],
}
VOID = {"void": {"clause": "split.36"}, "boxes": [{"box": 1, "ante": 10, "action": "buy_bet"}]}
SPELLED = {**GAME, "coefficients": STARTING_TABLE}
OUT = "OUT"
CODES = {"missing_field", "bad_field", "bad_card", "card_duplicate", "wrong_card_count", "coefficient_missing"}
TRILLION = 1_000_000_000_000


def changed(line, changes):
    """A copy of the line with values put in or, by "OUT", taken out, at paths as the contract writes them."""
    line = copy.deepcopy(line)
    for path, value in changes.items():
        steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
        place = line
        for step in steps[:-1]:
            place = place[step]
        if value == OUT:
            del place[steps[-1]]
        else:
            place[steps[-1]] = value
    return line


LINES = {
    "GAME": GAME,
    "SPELLED": SPELLED,
    "NO_GAME": NO_GAME,
    "BOUGHT": BOUGHT,
    "BOUGHT_IN_VAIN": BOUGHT_IN_VAIN,
    "VOID": VOID,
}
FAULTS = list(
    csv.DictReader(
        (Path(__file__).parent / "split_faults.csv").read_text().splitlines(), delimiter="|", quoting=csv.QUOTE_NONE
    )
)


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: f"{row['line']} {row['changes']}")
def test_a_line_that_breaks_a_rule_is_refused_with_its_code_words_and_path(row):
    line = changed(LINES[row["line"]], json.loads(row["changes"]))
    assert SPLIT.read(line) == Fault(row["code"], row["message"], row["path"])


def test_the_faults_show_every_code_that_a_line_of_split_can_give():
    assert {row["code"] for row in FAULTS} == CODES


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        pytest.param(GAME, {}, id="a game"),
        pytest.param(NO_GAME, {}, id="no game, no cards"),
        pytest.param(BOUGHT, {}, id="a bought game"),
        pytest.param(BOUGHT_IN_VAIN, {}, id="a game bought in vain, no cards"),
        pytest.param(VOID, {}, id="a void round without a dealer"),
        pytest.param(VOID, {"dealer": {"cards": None, "small": None}}, id="a void round with an empty dealer"),
        pytest.param(VOID, {"boxes[0].buys_game": True}, id="a void round with a bought game and no dealer"),
        pytest.param(
            BOUGHT, {"void": {"clause": "house.4"}, "dealer.small": OUT}, id="a void round needs no Small Hand"
        ),
        pytest.param(
            BOUGHT_IN_VAIN, {"void": {"clause": "split.36"}, "dealer.replacement": OUT}, id="nor a replacement"
        ),
        pytest.param(GAME, {"boxes[0].ruling": {"what": "void", "clause": "split.36"}}, id="a ruled box"),
        pytest.param(
            GAME,
            {
                "boxes[0].ruling": {"what": "void", "clause": "split.36"},
                "boxes[0].cards": OUT,
                "boxes[0].extra": OUT,
            },
            id="a ruled box without its cards",
        ),
        pytest.param(
            GAME,
            {
                "boxes": [
                    {"box": 1, "ante": 5, "action": "bet", "ruling": {"what": "forfeit", "clause": "split.30"}},
                    {"box": 2, "ante": 5, "action": "fold"},
                ],
                "dealer.small": OUT,
            },
            id="nobody is compared, so no Small Hand",
        ),
        pytest.param(
            GAME, {"boxes": [{"box": 2, "ante": 5, "action": "fold"}]}, id="a Small Hand though nobody is compared"
        ),
        pytest.param(GAME, {"boxes[0].buys_game": False, "boxes[2].buys_game": False}, id="false is always fine"),
        pytest.param(
            GAME, {"boxes[2].cards": ["Ah", "2d", "4h", "6h", "8h"], "boxes[2].extra": None}, id="a fold with its cards"
        ),
        pytest.param(GAME, {"boxes[3].cards": ["Ah", "2d", "4h", "6h", "8h"]}, id="a bought fold with five cards"),
        pytest.param(
            GAME,
            {"boxes[3].cards": ["Ah", "2d", "4h", "6h", "8h"], "boxes[3].extra": ["8d", "Qs"]},
            id="a bought fold with seven cards",
        ),
        pytest.param(GAME, {"boxes[1].small": ["7h", "Ts"]}, id="no set is foul"),
        pytest.param(GAME, {"boxes[0].ante": TRILLION, "max_payment": TRILLION}, id="the largest amounts"),
        pytest.param(
            GAME,
            {"coefficients": {**dict.fromkeys(STARTING_TABLE, "10000:10000"), "royal_flush": "10000:1"}},
            id="equal and largest coefficients",
        ),
    ],
)
def test_a_line_that_keeps_the_rules_is_read(line, changes):
    assert isinstance(SPLIT.read(changed(line, changes)), Facts)


OPTIONAL = ("id", "chip", "max_payment", "small_hand_loss_pays", "unseen_cards", "coefficients", "void")
OPTIONAL_OF_A_BOX = ("cards", "extra", "small", "buys_game", "ruling")


def test_null_is_the_same_as_left_out():
    line = changed(NO_GAME, dict.fromkeys(OPTIONAL))
    line = changed(line, {f"boxes[0].{name}": None for name in OPTIONAL_OF_A_BOX})
    assert SPLIT.read(changed(line, {"dealer.replacement": None, "dealer.small": None})) == SPLIT.read(NO_GAME)


def test_left_out_values_are_the_contracts_defaults():
    spelled = {
        "chip": 1,
        "max_payment": None,
        "small_hand_loss_pays": "even",
        "unseen_cards": "small_hand",
        "coefficients": STARTING_TABLE,
    }
    assert SPLIT.read(GAME) == SPLIT.read({**GAME, **spelled})


def test_the_replacement_takes_the_place_of_the_highest_card_and_the_last_stays_the_open_card():
    assert SPLIT.read(BOUGHT).dealer.counting == ("Kh", "Kd", "9c", "7h", "2s")


def test_a_value_that_is_very_long_is_cut_in_the_message():
    fault = SPLIT.read(changed(GAME, {"chip": "9" * 4000}))
    assert fault.message == f'The smallest chip is "{"9" * 38} ..., not a whole number.'


PLACES = [
    "chip",
    "max_payment",
    "small_hand_loss_pays",
    "unseen_cards",
    "coefficients",
    "dealer",
    "dealer.cards",
    "dealer.cards[0]",
    "dealer.small",
    "dealer.replacement",
    "boxes",
    "boxes[1]",
    "boxes[1].box",
    "boxes[1].ante",
    "boxes[1].action",
    "boxes[1].cards",
    "boxes[1].cards[0]",
    "boxes[1].extra",
    "boxes[1].small",
    "boxes[1].small[0]",
    "boxes[1].buys_game",
    "boxes[1].ruling",
    "void",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(["As", "Th"]),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text() | st.sampled_from(["what", "clause"]), inner),
    max_leaves=8,
)


@given(st.sampled_from(PLACES), JSON.filter(lambda value: value != OUT))
def test_whatever_stands_in_a_field_the_line_is_read_or_refused_with_a_code_of_the_contract(place, value):
    found = SPLIT.read(changed(GAME, {place: value}))
    if isinstance(found, Fault):
        assert found.code in CODES
        assert found.message.endswith(".")
    else:
        assert SPLIT.settle(found)["game"] == "split"


# The rule sheet's values.


@pytest.mark.parametrize(
    ("values", "code", "message", "path"),
    [
        ({"rake": 5}, "bad_field", 'A Split Poker sheet has no value "rake".', "rake"),
        ({"chip": 0}, "bad_field", f"The smallest chip is 0; it runs from 1 to {TRILLION}.", "chip"),
        (
            {"ante_minimum": 50, "ante_maximum": 40},
            "bad_field",
            "The lowest ANTE, 50, is above the highest, 40.",
            "ante_minimum",
        ),
        (
            {"chip": 10, "ante_maximum": 1005},
            "bad_field",
            "The highest ANTE is 1005; it must be a multiple of the smallest chip, 10.",
            "ante_maximum",
        ),
        ({"boxes": 7}, "bad_field", "The number of boxes is 7; it runs from 1 to 6.", "boxes"),
        (
            {"box_order": "left"},
            "bad_field",
            'The order of the boxes is "left"; it is one of ascending, descending.',
            "box_order",
        ),
        (
            {"coefficients": {"pair": "1:1"}},
            "coefficient_missing",
            "Two pair has no coefficient.",
            "coefficients.two_pair",
        ),
        (
            {"max_payment": 0},
            "bad_field",
            f"The maximum payment is 0; it runs from 1 to {TRILLION}.",
            "max_payment",
        ),
    ],
)
def test_a_sheet_that_breaks_a_rule_is_refused(values, code, message, path):
    assert SPLIT.sheet(values) == Fault(code, message, path)


def test_a_sheet_left_empty_is_the_defaults():
    assert SPLIT.values(SPLIT.sheet({})) == {parameter.name: parameter.default for parameter in SPLIT.parameters}


def test_a_sheet_survives_spelling_out_and_reading():
    sheet = SPLIT.sheet(
        {
            "chip": 5,
            "ante_minimum": 25,
            "ante_maximum": 500,
            "boxes": 4,
            "max_payment": 7500,
            "small_hand_loss_pays": "coefficient",
            "unseen_cards": "house_way",
            "box_order": "descending",
            "coefficients": {**STARTING_TABLE, "pair": "1:2"},
        }
    )
    assert isinstance(sheet, Sheet)
    assert SPLIT.sheet(SPLIT.values(sheet)) == sheet
    assert hash(sheet) == hash(SPLIT.sheet(SPLIT.values(sheet)))
    assert str(sheet.coefficient("pair")) == "1:2"


def test_every_parameter_names_a_clause_of_the_rules():
    assert {parameter.clause for parameter in SPLIT.parameters} <= set(SPLIT.clauses)


def test_the_deck_is_one_of_52_shown_in_four_rows_from_the_ace_down():
    deck = SPLIT.deck(SPLIT.sheet({}))
    assert len(deck.copies) == 52
    assert set(deck.copies.values()) == {1}
    assert [row[0] + row[12] for row in deck.order] == ["As2s", "Ah2h", "Ad2d", "Ac2c"]


def test_the_dealer_without_a_replacement_has_replaced_nothing_and_without_cards_has_none():
    five = ("As", "Kd", "9c", "7h", "2s")
    assert DealerCards(five, None, None).replaced is None
    assert (DealerCards(five, "2d", None).replaced, DealerCards(five, None, None).counting) == ("As", five)
    assert (DealerCards(None, "2d", None).replaced, DealerCards(None, "2d", None).counting) == (None, None)


@pytest.mark.parametrize(
    ("most", "payment"), [(29, (29, True, False)), (30, (30, False, False)), (31, (30, False, False))]
)
def test_a_payment_in_parts_of_a_unit_is_cut_above_the_maximum_alone(most, payment):
    """split.24, of a coefficient of 3:2."""
    facts = SPLIT.read(GAME)._replace(max_payment_units=most, chip_units=1)
    assert settle.payment(facts, 20, Ratio(3, 2)) == payment
