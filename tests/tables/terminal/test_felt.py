"""What a box on the felt says of its payment: its state and label, ticked or not, by what became of it in the round."""

from types import SimpleNamespace

import pytest

from casino.games.game import BoxView, View
from casino.money import spell
from tables.terminal.felt import Felt
from tables.verbs.results import Had, Paid, difference

# `lies`, staked, returned, paid and the net for which the box was ticked before, `-` where it never was; then the label
# in the first generation, in a later one, and once it is ticked. `.` is the label that the box has by the round itself,
# which says more wherever a box folded or was ruled on; `!`: but not here.
CASES = """
box     100 0   0   -    | Taken     | Taken     | Taken
box     100 100 0   -    | Back      | Back      | Given back
box     100 100 150 -    | Pay       | Pay       | Paid
box     100 100 150 -100 | Pay!      | Pay!      | Paid
box     100 0   0   150  | Collect!  | Collect!  | Taken
box     100 100 0   150  | Collect!  | Collect!  | Given back
box     100 0   0   -100 | .         | No change! | Taken
pot     100 100 180 -    | Pay!      | Pay!      | Paid
pot     100 0   0   -    | No share  | No share  | Taken
pot     0   0   0   -    | .         | .         | Taken
pot     100 0   280 -100 | Pay!      | Pay!      | Paid
pot     100 0   0   180  | Collect!  | Collect!  | Taken
nowhere 0   0   30  -    | Pay!      | Pay!      | Paid
nowhere 30  0   0   -    | Collect!  | Collect!  | Taken
nowhere 0   0   0   -    | .         | No change! | Taken
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in CASES.strip().splitlines()]
STATES = {
    "Pay": "pay", "Back": "back", "Taken": "taken", "Collect": "taken", "No share": "taken", "No change": "same",
}  # fmt: skip


def shown(case, *, state, corrected=False, ticked=False):
    """State and label of box 1."""
    lies, staked, returned, paid, had = case.split()
    staked, returned, paid = int(staked), int(returned), int(paid)
    net = returned + paid - staked
    moved = difference(net, None if had == "-" else Had(1, int(had)), lies)
    payment = Paid(1, "wins", staked, returned, paid, net, [], ticked, moved, lies, corrected)
    game = SimpleNamespace(bank="house" if lies == "box" else "pot", words={})
    view = View("", (1,), (BoxView(1, state, "Its own", ""),), (), (), None, 0, True)
    ground = SimpleNamespace(spell=lambda units: spell(units, 0), denominations=(5,), score="")
    results = SimpleNamespace(payments=[payment], reasons=[], board=None)
    (box,) = Felt(game, None, view, "settled", (), results, ground).boxes()
    return box["state"], box["label"]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_box_says_what_is_due_and_what_was_done(row):
    case, first, later, ticked = row
    for label, corrected in ((first, False), (later, True)):
        for state in ("shown", "folded", "ruled"):
            own = label == "." or (state != "shown" and not label.endswith("!"))
            word = label.removesuffix("!")
            expected = (state, "Its own") if own else (STATES[word], word)
            assert shown(case, state=state, corrected=corrected) == expected
            assert shown(case, state=state, corrected=corrected, ticked=True) == ("done", ticked)


def test_a_round_that_is_open_is_never_called_none():
    view = View("", (1,), (), (), (), None, 0, False)
    game = SimpleNamespace(bank="pot", words={})
    headlines = {
        moment: Felt(game, None, view, moment, (), None, SimpleNamespace()).dealer()["headline"]
        for moment in ("open", "held", "settled")
    }
    assert headlines == {"open": "", "held": "", "settled": "No round open"}
