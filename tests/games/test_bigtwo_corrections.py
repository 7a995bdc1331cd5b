"""Corrections of a complete line of Big Two, and what they leave to be paid."""

import pytest

from casino.games.bigtwo import BIGTWO
from casino.games.game import Fault, Wager
from casino.games.lines import amend, at
from tests.games.test_bigtwo_play import won
from tests.support.bigtwo_rounds import DEALS, read

FINAL = won(scoring="winner_takes_all", base="ranks")
LINE = BIGTWO.facts(FINAL)
WAGERS = BIGTWO.view(FINAL).wagers


def amended(changes):
    after = amend(BIGTWO, LINE, changes)
    assert not isinstance(after, Fault), after
    return after


def nets(line, wagers=WAGERS):
    """What each box gets by a corrected line."""
    facts = read(line)
    staked = BIGTWO.stakes(facts, wagers, FINAL.sheet, None)
    pays = BIGTWO.pay(facts, BIGTWO.settle(facts), staked, FINAL.sheet, None)
    assert sum(pay.net_units for pay in pays) == 0
    return {pay.box: pay.net_units for pay in pays}


def test_the_slots_are_the_hands_the_plays_and_the_void():
    slots = BIGTWO.slots(LINE)
    plays = [f"plays[{index}].cards" for index in range(0, 9, 2)]
    assert [slot.path for slot in slots] == ["deal.2", "deal.1", *plays, "void.clause"]
    for slot in slots:
        assert amended({slot.path: slot.value}) == LINE
        assert at(LINE, slot.path) == slot.value
        assert slot.value is not None or slot.field.optional
        assert slot.field.name == slot.path.rpartition(".")[2]
        assert (f"Box {slot.box}: " in slot.label) == (slot.box is not None)


def test_plays_are_labelled_from_one_and_their_paths_count_from_zero():
    labels = {slot.path: slot.label for slot in BIGTWO.slots(LINE)}
    assert labels["plays[0].cards"] == "Box 2: play 1"
    assert labels["plays[8].cards"] == "Box 2: play 9"


def test_lines_of_other_forms_have_no_slots():
    assert BIGTWO.slots({"compare": [["3d"], ["4d"]]}) == ()


def test_a_corrected_card_changes_the_points_and_keeps_the_wager():
    assert nets(LINE) == {1: -85, 2: 85}
    corrected = amended({"deal.1[12]": "2d"})
    assert BIGTWO.stakes(read(corrected), WAGERS, FINAL.sheet, None) == (Wager(1, 1, "points", 88),)
    assert nets(corrected) == {1: -88, 2: 88}


def test_a_card_that_lies_elsewhere_is_refused_with_its_place():
    fault = amend(BIGTWO, LINE, {"deal.1[12]": "3c"})
    assert fault == Fault("card_duplicate", "The three of clubs already lies with 2.", "deal.1[12]")


def test_a_hand_and_its_play_are_corrected_together():
    hand = ["3d" if card == "3c" else card for card in DEALS["two"]["N"]]
    together = amended({"deal.2": hand, "plays[0].cards[0]": "3d"})
    assert BIGTWO.settle(read(together))["illegal"] is None
    assert nets(together) == {1: -85, 2: 85}


def test_a_void_round_gives_everything_back():
    void = amended({"void.clause": "house.4"})
    assert nets(void) == {}
    assert amend(BIGTWO, void, {"void.clause": None}) == LINE


def test_a_correction_that_breaks_the_round_off_pays_nothing_and_says_so():
    broken = amended({"plays[0].cards[0]": "3d"})
    result = BIGTWO.settle(read(broken))
    assert nets(broken) == {}
    assert [tuple(outcome) for outcome in BIGTWO.outcomes(read(broken), result)] == [
        (1, "unfinished", ("bigtwo.1",)),
        (2, "unfinished", ("bigtwo.1",)),
    ]
    assert BIGTWO.carry(read(broken), result, FINAL.sheet, None)["rounds_left"] == 5


def test_a_correction_that_leaves_everybody_cards_leaves_the_round_unfinished():
    """Box 2 played one 2 of its pair and kept the other."""
    open_end = read(amended({"plays[6].cards": ["2s"]}))
    result = BIGTWO.settle(open_end)
    assert (result["illegal"], result["left"]) == (None, {"2": 1, "1": 13})
    assert [tuple(outcome) for outcome in BIGTWO.outcomes(open_end, result)] == [
        (1, "unfinished", ("bigtwo.6",)),
        (2, "unfinished", ("bigtwo.6",)),
    ]
    carry = {"leader": 1, "totals": {"1": 3, "2": 10}, "rounds_left": 2}
    assert BIGTWO.carry(open_end, result, FINAL.sheet, carry) == carry
    assert BIGTWO.totals(open_end, result, FINAL.sheet, carry) == carry["totals"]


@pytest.mark.parametrize("path", ["seats", "options.base", "plays[1].cards", "leader", "deal.3"])
def test_nothing_else_can_be_set(path):
    assert isinstance(amend(BIGTWO, LINE, {path: None}), Fault)


CARRY = {"leader": 1, "totals": {"1": 3, "2": 10}, "rounds_left": 2}
SUMS = won(base="ranks").sheet


@pytest.mark.parametrize(
    ("clause", "changes", "finished"),
    [
        (None, {}, True),
        (None, {"plays[0].cards[0]": "3d"}, False),
        (None, {"plays[6].cards": ["2s"]}, False),
        ("house.4", {}, True),
        ("house.6", {}, True),
    ],
)
def test_a_round_is_finished_when_it_is_over_or_void(clause, changes, finished):
    facts = read(amended({**changes, "void.clause": clause}) if clause or changes else LINE)
    assert BIGTWO.finished(facts, BIGTWO.settle(facts)) is finished


def test_a_round_void_by_house_6_gives_no_points_and_counts_as_played():
    void = read(amended({"void.clause": "house.6"}))
    result = BIGTWO.settle(void)
    assert BIGTWO.carry(void, result, FINAL.sheet, CARRY) == {**CARRY, "rounds_left": 1}
    assert BIGTWO.totals(void, result, FINAL.sheet, CARRY) == CARRY["totals"]
    assert BIGTWO.carry(void, result, FINAL.sheet, {**CARRY, "rounds_left": 1}) is None
    first = BIGTWO.carry(void, result, FINAL.sheet, None)
    assert first == {"leader": None, "totals": {"1": 0, "2": 0}, "rounds_left": 4}
    assert nets(amended({"void.clause": "house.6"})) == {}


@pytest.mark.parametrize(("clause", "paid"), [("house.6", {1: 7, 2: -7}), ("house.4", {})])
def test_points_added_up_are_paid_with_a_last_round_that_counts_as_played(clause, paid):
    """Box 1 has 3 points and box 2 has 10; the void last round adds none."""
    line = BIGTWO.facts(won(base="ranks"))
    void, last = read(amend(BIGTWO, line, {"void.clause": clause})), {**CARRY, "rounds_left": 1}
    result = BIGTWO.settle(void)
    staked = BIGTWO.stakes(void, (), SUMS, last)
    pays = BIGTWO.pay(void, result, staked, SUMS, last)
    assert {pay.box: pay.net_units for pay in pays} == paid
    assert BIGTWO.stakes(void, (), SUMS, CARRY) == ()
