"""Corrections of a complete line of Split Poker, the stakes that they leave, and the list of irregularities."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.cards import card_name
from casino.games.game import UNFORESEEN, Fault, Wager
from casino.games.lines import amend, at
from casino.games.split import SPLIT
from tests.games.test_split_facts import BOUGHT, CODES, GAME, JSON, NO_GAME, VOID, changed
from tests.games.test_split_play_laws import rounds
from tests.support import proof

SHEET = SPLIT.sheet({})
law = settings(max_examples=proof.examples(100))
LINES = {"a game": GAME, "no game": NO_GAME, "a bought game": BOUGHT, "a void round": VOID}


@st.composite
def finals(draw):
    """The line of a random round, as it was stored, and the wagers on the table."""
    _, (final, _, _) = draw(rounds())
    return json.loads(json.dumps(SPLIT.facts(final))), SPLIT.view(final).wagers


def amended(line, changes):
    """The corrected line; the one before is what it was."""
    before = copy.deepcopy(line)
    after = amend(SPLIT, line, changes)
    assert not isinstance(after, Fault), after
    assert line == before
    return after


def refused(line, changes):
    fault = amend(SPLIT, line, changes)
    assert isinstance(fault, Fault), fault
    return fault


def stakes(line, wagers):
    """What a line leaves staked; `pay` and `settle` agree on it box by box."""
    facts = SPLIT.read(line)
    assert not isinstance(facts, Fault), facts
    staked = SPLIT.stakes(facts, wagers, SHEET, None)
    result = SPLIT.settle(facts)
    pays = SPLIT.pay(facts, result, staked, SHEET, None)
    assert [pay.ordinal for pay in pays] == [wager.ordinal for wager in staked]
    assert sorted((pay.box, pay.kind, pay.stake_units, pay.returned_units, pay.paid_units) for pay in pays) == sorted(
        (box["box"], *row.values()) for box in result["boxes"] for row in box["wagers"]
    )
    return staked


def staking(line):
    """The wagers of a line as if they had been staked in its order."""
    facts = SPLIT.read(line)
    assert not isinstance(facts, Fault)
    return SPLIT.stakes(facts, (), SHEET, None)


# The slots.


@law
@given(finals())
def test_every_value_set_again_gives_the_same_line(final):
    line, _ = final
    values = {slot.path: slot.value for slot in SPLIT.slots(line)}
    for path, standing in values.items():
        assert amended(line, {path: standing}) == line
        for index, card in enumerate(standing if isinstance(standing, list) else ()):
            assert amended(line, {f"{path}[{index}]": card}) == line
    assert amended(line, values) == line


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_slot_says_where_it_stands_and_what_it_takes(line):
    slots = SPLIT.slots(line)
    assert len({slot.path for slot in slots}) == len(slots)
    assert len({slot.label for slot in slots}) == len(slots)
    for slot in slots:
        assert at(line, slot.path) == slot.value
        assert slot.field.name == slot.path.rpartition(".")[2]
        assert slot.field.clause is None or slot.field.clause in SPLIT.clauses
        assert slot.value is not None or slot.field.optional
        assert (f"Box {slot.box}: " in slot.label) == (slot.box is not None)


def test_the_slots_are_all_that_was_entered_and_what_could_have_been():
    assert [slot.path for slot in SPLIT.slots(NO_GAME)] == [
        "dealer.cards",
        "dealer.replacement",
        "dealer.small",
        *(
            f"boxes[{index}].{name}"
            for index in (0, 1)
            for name in (
                "ante",
                "action",
                "cards",
                "extra",
                "small",
                "buys_game",
                "ruling.what",
                "ruling.clause",
            )
        ),
        "void.clause",
    ]


@law
@given(finals(), st.data())
def test_whatever_a_correction_sets_the_line_is_read_or_refused_with_a_code_of_the_contract(final, data):
    line, wagers = final
    paths = [slot.path for slot in SPLIT.slots(line)] + ["dealer", "dealer.cards[4]", "boxes[0].ruling", "void", "chip"]
    changes = data.draw(st.dictionaries(st.sampled_from(paths), JSON, min_size=1, max_size=4))
    after = amend(SPLIT, line, changes)
    if isinstance(after, Fault):
        assert after.code in CODES
        assert after.message.endswith(".")
    else:
        assert stakes(after, wagers)


# What a correction does.


def test_one_card_is_set_in_its_place():
    after = amended(GAME, {"boxes[0].cards[4]": "Ah"})
    assert after == changed(GAME, {"boxes[0].cards[4]": "Ah"})


def test_a_game_that_was_bought_after_all_takes_all_that_belongs_to_it_in_one_step():
    changes = {
        "boxes[0].buys_game": True,
        "dealer.replacement": "Kh",
        "dealer.small": ["Qd", "3d"],
        "boxes[0].cards": ["3s", "4s", "5s", "6s", "8s"],
        "boxes[0].extra": ["Ah", "Ad"],
    }
    after = amended(NO_GAME, changes)
    assert [box["outcome"] for box in SPLIT.settle(SPLIT.read(after))["boxes"]] == ["win_bet", "fold"]
    assert amended(after, dict.fromkeys(changes)) == NO_GAME


def test_a_list_is_set_before_its_cards_and_the_values_given_stay_the_callers():
    cards = ["Jc", "Jd", "3h", "3s", "8c"]
    after = amended(GAME, {"boxes[0].cards[0]": "Jh", "boxes[0].cards": cards})
    assert after["boxes"][0]["cards"] == ["Jh", "Jd", "3h", "3s", "8c"]
    assert cards[0] == "Jc"


RULING = {"what": "void", "clause": "split.36"}


@pytest.mark.parametrize(
    "changes",
    [
        {"boxes[0].ruling.what": "void", "boxes[0].ruling.clause": "split.36"},
        {"boxes[0].ruling": RULING},
        {"boxes[0]": {"ruling": RULING}},
    ],
    ids=["part by part", "as a whole", "within the box"],
)
def test_a_box_is_ruled_on_and_the_ruling_taken_out_again(changes):
    after = amended(GAME, changes)
    assert after["boxes"][0]["ruling"] == RULING
    assert SPLIT.settle(SPLIT.read(after))["boxes"][0]["outcome"] == "void"
    assert amended(after, {"boxes[0].ruling.what": "forfeit"})["boxes"][0]["ruling"] == {**RULING, "what": "forfeit"}
    assert amended(after, {"boxes[0].ruling": None}) == GAME
    assert amended(after, dict.fromkeys(("boxes[0].ruling.what", "boxes[0].ruling.clause"))) == GAME


def test_a_round_is_ruled_void_and_may_then_leave_the_dealer_out():
    after = amended(GAME, {"void.clause": "house.4", "dealer": None})
    assert after == changed(GAME, {"void": {"clause": "house.4"}, "dealer": "OUT"})
    assert amended(after, {"dealer": GAME["dealer"], "void": None}) == GAME


@law
@given(finals(), st.data())
def test_a_card_that_lies_elsewhere_is_refused_with_the_place(final, data):
    line, _ = final
    lying = {
        f"{slot.path}[{index}]": card
        for slot in SPLIT.slots(line)
        if slot.field.kind == "cards" and slot.value and not (slot.box and slot.field.name == "small")
        for index, card in enumerate(slot.value)
    }
    # A card that its box set as Small Hand can't leave the seven, which is said when the box is read.
    in_small_hands = {card for box in line["boxes"] for card in box.get("small") or ()}
    path = data.draw(st.sampled_from([place for place in sorted(lying) if lying[place] not in in_small_hands]))
    other = data.draw(st.sampled_from([place for place in sorted(lying) if place != path]))
    fault = refused(line, {path: lying[other]})
    assert fault.code == "card_duplicate"
    assert fault.path in {path, other}, "the one that is read second"
    assert f"The {card_name(lying[other])} already lies " in fault.message


@pytest.mark.parametrize(
    "path", [parameter.name for parameter in SPLIT.parameters] + ["coefficients.pair", "game", "id"]
)
def test_a_parameter_is_no_slot(path):
    fault = refused(GAME, {path: 1})
    assert fault == Fault("bad_field", f'A correction can\'t set "{path}".', path)


@pytest.mark.parametrize(
    ("changes", "code", "message", "path"),
    [
        ({"boxes[0].box": 2}, "bad_field", 'A correction can\'t set "boxes[0].box".', "boxes[0].box"),
        ({"boxes[0]": {"box": 2}}, "bad_field", 'A correction can\'t set "boxes[0].box".', "boxes[0].box"),
        ({"boxes[9].ante": 10}, "bad_field", 'A correction can\'t set "boxes[9].ante".', "boxes[9].ante"),
        ({"boxes[-1].ante": 10}, "bad_field", 'A correction can\'t set "boxes[-1].ante".', "boxes[-1].ante"),
        ({"boxes": []}, "bad_field", 'A correction can\'t set "boxes".', "boxes"),
        ({"": {}}, "bad_field", 'A correction can\'t set "".', ""),
        ({"boxes[0].ante[0]": 10}, "bad_field", 'A correction can\'t set "boxes[0].ante[0]".', "boxes[0].ante[0]"),
        (
            {"boxes[0].ruling": "void"},
            "bad_field",
            "boxes[0].ruling is set by its parts: boxes[0].ruling.what, boxes[0].ruling.clause.",
            "boxes[0].ruling",
        ),
        ({"void": {}}, "bad_field", "void is set by its parts: void.clause.", "void"),
        ({"boxes[0].ruling.what": "void"}, "missing_field", "A ruling names its clause.", "boxes[0].ruling.clause"),
        ({"boxes[0].cards[5]": "Ah"}, "bad_field", "There is no card at boxes[0].cards[5].", "boxes[0].cards[5]"),
        ({"boxes[2].cards[0]": "Ah"}, "bad_field", "There is no card at boxes[2].cards[0].", "boxes[2].cards[0]"),
        (
            {"boxes[0].cards[2]": None},
            "bad_card",
            "null is no card; a card is a rank and a suit, as Td.",
            "boxes[0].cards[2]",
        ),
        (
            {"boxes[1].cards[0]": "9c"},
            "card_duplicate",
            "The nine of clubs already lies among the dealer's first five cards.",
            "boxes[1].cards[0]",
        ),
        ({"boxes[1].ante": None}, "missing_field", "Box 3 has no ANTE.", "boxes[1].ante"),
        (
            {"boxes[0].action": "fold"},
            "bad_field",
            "Box 1 folded without buying; it has no further cards.",
            "boxes[0].extra",
        ),
    ],
)
def test_a_correction_that_does_not_fit_is_refused_with_its_place(changes, code, message, path):
    assert refused(GAME, changes) == Fault(code, message, path)


# The stakes.


@law
@given(finals())
def test_an_unchanged_line_leaves_the_wagers_as_they_are(final):
    line, wagers = final
    assert stakes(line, wagers) == wagers


@law
@given(finals(), st.data())
def test_a_changed_ante_changes_what_hangs_on_it_and_nothing_else(final, data):
    line, wagers = final
    index = data.draw(st.integers(0, len(line["boxes"]) - 1))
    box, ante = line["boxes"][index]["box"], line["chip"] * data.draw(st.integers(1, 1000))
    staked = stakes(amended(line, {f"boxes[{index}].ante": ante}), wagers)
    factors = {"ante": 1, "bet": 2, "cards_fee": 1, "game_fee": 1}
    assert staked == tuple(
        wager._replace(units=factors[wager.kind] * ante) if wager.box == box else wager for wager in wagers
    )


def test_a_decision_corrected_takes_its_wager_out_and_brings_another_after_the_last():
    wagers = staking(GAME)
    assert [(wager.ordinal, wager.box, wager.kind) for wager in wagers] == [
        (1, 1, "ante"),
        (2, 1, "bet"),
        (3, 3, "ante"),
        (4, 3, "bet"),
        (5, 3, "cards_fee"),
        (6, 4, "ante"),
        (7, 5, "ante"),
        (8, 5, "cards_fee"),
    ]
    folded = amended(GAME, {"boxes[0].action": "fold", "boxes[0].extra": None, "boxes[2].action": "buy_fold"})
    assert stakes(folded, wagers) == (wagers[0], *wagers[2:], Wager(9, 4, "cards_fee", 10))


def test_a_correction_corrected_back_finds_the_ordinals_that_still_stood():
    wagers = staking(GAME)
    forgotten = amended(GAME, {"boxes[3].action": "fold"})
    assert stakes(forgotten, wagers) == wagers[:-1]
    assert stakes(GAME, wagers) == wagers


def test_a_ruling_leaves_every_stake_where_it_is():
    wagers = staking(GAME)
    assert stakes(amended(GAME, {"boxes[0].ruling": RULING}), wagers) == wagers
    assert stakes(amended(GAME, {"void.clause": "split.36"}), wagers) == wagers


# The irregularities.

LISTED = {irregularity.clause: irregularity for irregularity in SPLIT.irregularities}


def test_every_dispute_that_the_rules_settle_is_listed_once_and_what_else_happens_comes_last():
    assert list(LISTED) == [*(f"split.{number}" for number in range(30, 37)), "house.4"]
    assert len(LISTED) == len(SPLIT.irregularities)
    assert SPLIT.irregularities[-1] is UNFORESEEN
    assert set(LISTED) <= set(SPLIT.clauses)


@pytest.mark.parametrize("clause", LISTED)
def test_an_irregularity_says_what_happened_and_what_to_do(clause):
    listed = LISTED[clause]
    assert listed.event
    assert not listed.event.endswith(".")
    assert listed.remedy.endswith(".")
    assert 1 <= listed.remedy.count(". ") + 1 <= 2


def test_four_stop_the_round_and_three_of_them_need_a_reason():
    assert {clause for clause in LISTED if LISTED[clause].stops} == {"split.30", "split.35", "split.36", "house.4"}
    assert {clause for clause in LISTED if LISTED[clause].reason} == {"split.35", "split.36", "house.4"}
    assert {clause: found.ruling for clause, found in LISTED.items() if found.ruling} == {"split.30": "forfeit"}
    assert {clause for clause in LISTED if LISTED[clause].asks_box} == {"split.30", "split.33"}
