"""What a payment means at the table: every case, for both banks, in first and later generations, ticked or not."""

import itertools

import pytest

from casino import money
from tables.verbs import results
from tables.words import handing

# `lies`, staked, returned and paid as they stand in a `Paid`; `had` is the net for which the box was ticked before, and
# `-` where it never was. Then what is to be done, what the croupier says by the tick with its amount, what the tick
# says afterwards, and the heading of the payment with its amount and what is counted out in chips.
CASES = """
lies    staked back paid had  | verb    units | order                                                       | saying                   amount | done      | heading                     amount chips
box     100    0    0    -    | take    100   | Take 100 from box 1                                         | Box 1 taken              100    | Taken     | Taken from box 1            -100   0
box     100    100  0    -    | back    100   | Give back 100 to box 1                                      | Box 1: stakes back       100    | Paid      | Box 1: stakes go back       100    0
box     100    40   0    -    | back    40    | Give back 40 to box 1                                       | Box 1: stakes back       40     | Paid      | Box 1: stakes go back       40     0
box     100    100  150  -    | pay     150   | Hand over 150 to box 1, and give back 100 of its stakes     | Box 1 paid               150    | Paid      | Hand over to box 1          150    150
box     100    0    150  -    | pay     150   | Hand over 150 to box 1                                      | Box 1 paid               150    | Paid      | Hand over to box 1          150    150
box     0      0    0    -    | take    0     | Take 0 from box 1                                           | Box 1 taken              0      | Taken     | Taken from box 1            0      0
box     100    100  150  -100 | pay     250   | Hand over 250 to box 1                                      | Box 1: 250 handed over   .      | Paid      | Hand over to box 1          250    250
box     100    0    0    150  | collect 250   | Collect 250 from box 1                                      | Box 1: 250 collected     .      | Collected | Collect from box 1          250    250
box     100    100  0    150  | collect 150   | Collect 150 from box 1                                      | Box 1: 150 collected     .      | Collected | Collect from box 1          150    150
box     100    0    0    -100 | none    0     | .                                                           | .                        .      | Taken     | Nothing is due for box 1    0      0
box     100    100  150  150  | none    0     | .                                                           | .                        .      | Paid      | Nothing is due for box 1    0      0
pot     100    0    280  -    | pay     280   | Hand over 280 to box 1                                      | Box 1 paid               280    | Paid      | Hand over to box 1          280    280
pot     100    100  180  -    | pay     280   | Hand over 280 to box 1                                      | Box 1 paid               280    | Paid      | Hand over to box 1          280    280
pot     100    100  0    -    | pay     100   | Hand over 100 to box 1                                      | Box 1 paid               100    | Paid      | Hand over to box 1          100    100
pot     100    0    0    -    | none    0     | .                                                           | .                        .      | Taken     | Box 1 has no share          -100   0
pot     0      0    0    -    | none    0     | .                                                           | .                        .      | Taken     | Box 1 has no share          0      0
pot     100    0    280  -100 | pay     280   | Hand over 280 to box 1                                      | Box 1: 280 handed over   .      | Paid      | Hand over to box 1          280    280
pot     100    0    0    180  | collect 280   | Collect 280 from box 1                                      | Box 1: 280 collected     .      | Collected | Collect from box 1          280    280
pot     100    0    0    -100 | none    0     | .                                                           | .                        .      | Taken     | Nothing is due for box 1    0      0
nowhere 0      0    30   -    | pay     30    | Hand over 30 to box 1                                       | Box 1: 30 handed over    .      | Paid      | Hand over to box 1          30     30
nowhere 30     0    0    -    | collect 30    | Collect 30 from box 1                                       | Box 1: 30 collected      .      | Collected | Collect from box 1          30     30
nowhere 0      0    0    -    | none    0     | .                                                           | .                        .      | Taken     | Nothing is due for box 1    0      0
nowhere 30     0    30   -    | none    0     | .                                                           | .                        .      | Paid      | Nothing is due for box 1    0      0
nowhere 0      0    30   -30  | pay     60    | Hand over 60 to box 1                                       | Box 1: 60 handed over    .      | Paid      | Hand over to box 1          60     60
nowhere 30     0    0    30   | collect 60    | Collect 60 from box 1                                       | Box 1: 60 collected      .      | Collected | Collect from box 1          60     60
"""  # noqa: E501 - a table
ROWS = [[cell.strip() for cell in line.split("|")] for line in CASES.strip().splitlines()[1:]]


def spell(units):
    return money.spell(units, 0)


def payment(lies, staked, returned, paid, had=None, *, ticked=False, corrected=False):
    net = returned + paid - staked
    difference = results.difference(net, None if had is None else results.Had(1, had), lies)
    return results.Paid(1, "wins", staked, returned, paid, net, [], ticked, difference, lies, corrected)


def case_of(cells, **more):
    lies, staked, returned, paid, had = cells.split()
    return payment(lies, int(staked), int(returned), int(paid), None if had == "-" else int(had), **more)


def both(corrected):
    """A payment before and after its tick: the tick changes nothing of what it means."""
    return [{"ticked": ticked, "corrected": corrected} for ticked in (False, True)]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_every_case(row):
    case, due, order, saying, done, heading = ("" if cell == "." else cell for cell in row)
    for more in both(corrected=False):
        paid = case_of(case, **more)
        verb, units = due.split()
        assert handing.of(paid)[:2] == (verb, int(units))
        assert handing.order(paid, spell) == order
        assert handing.done(paid) == done
        words, amount, chips = heading.rsplit(maxsplit=2)
        assert (handing.heading(paid), handing.amount(paid), handing.chips(paid)) == (words, int(amount), int(chips))
        # Only where there is something to do does the croupier say that it is done.
        words, amount = saying.rsplit(maxsplit=1)
        assert paid.due == (words != ".")
        if paid.due:
            assert handing.saying(paid, spell) == (words, "" if amount == "." else amount)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_later_generation_says_that_it_corrects_and_means_the_same(row):
    for more in both(corrected=True):
        first, later = case_of(row[0]), case_of(row[0], **more)
        assert handing.of(later) == handing.of(first)
        if not handing.of(later).further:
            assert handing.heading(later) == handing.heading(first)
        elif handing.of(later).verb == "none":
            assert handing.heading(later) == "Corrected: nothing changes for box 1"
        else:
            heading = handing.heading(first)
            assert handing.heading(later) == f"Corrected: {heading[0].lower()}{heading[1:]}"


def every_payment():
    sums = (0, 30, 100)
    for lies, staked, returned, paid, had in itertools.product(
        ("box", "pot", "nowhere"), sums, sums, sums, (None, -130, -30, 0, 100)
    ):
        if returned <= staked:
            yield payment(lies, staked, returned, paid, had)


def test_what_is_handed_is_what_the_verbs_say_is_left():
    """By the sign of the units left, and by the pot: of a box's own stakes only what is paid is counted out."""
    for paid in every_payment():
        due, left = handing.of(paid), paid.left_units
        assert due.units >= 0
        if due.further or due.share:
            assert (due.verb, due.units) == ("pay" if left > 0 else "collect" if left < 0 else "none", abs(left))
        elif due.verb == "none":
            assert (paid.lies, left) == ("pot", 0)
        else:
            assert left == {"pay": due.units + due.stakes_back, "back": due.units, "take": 0}[due.verb] - paid.staked


def test_what_moves_is_due_and_what_is_due_has_words():
    for paid in every_payment():
        if handing.order(paid, spell):
            assert paid.due
        if paid.due:
            assert handing.saying(paid, spell)[0].startswith("Box 1")


def test_the_parts_of_a_payment_come_to_its_net():
    for paid in every_payment():
        parts = dict(handing.parts(paid))
        staked, net = parts.pop("Staked"), parts.pop("Net")
        assert sum(parts.values()) - staked == net == paid.net


# What a box is due that was done with in the round itself, by what it was handed there: nothing, or a difference.
IN_ROUND = """
staked back paid handed | due | heading                 amount
100    0    0    -100   | 0   | Box 1 taken in the round -100
300    300  100  100    | 0   | Box 1 paid in the round  100
400    300  100  0      | 0   | Box 1 paid in the round  100
100    100  0    -100   | 100 | Hand over to box 1       100
300    0    0    100    | 400 | Collect from box 1       400
"""


@pytest.mark.parametrize("row", IN_ROUND.strip().splitlines()[1:])
def test_what_was_handed_over_in_the_round_is_asked_for_no_second_time(row):
    sums, due, heading = (cell.strip() for cell in row.split("|"))
    staked, returned, paid, handed = map(int, sums.split())
    net = returned + paid - staked
    more = {"difference": net - handed, "since": 0}
    of_box = results.Paid(1, "wins", staked, returned, paid, net, [], ticked=False, **more)
    assert (of_box.due, of_box.done_in_round) == (due != "0", due == "0")
    words, amount = heading.rsplit(maxsplit=1)
    assert (handing.heading(of_box), handing.amount(of_box)) == (words, int(amount))
    assert handing.chips(of_box) == int(due)
    corrected = of_box._replace(corrected=True)
    assert not corrected.done_in_round
    assert handing.heading(corrected).startswith("Corrected: ")


@pytest.mark.parametrize(("returned", "paid", "had"), itertools.product((0, 30, 40), (0, 150), (None, -40, 60)))
def test_of_the_float_leaves_and_comes_all_that_moves_fees_too(returned, paid, had):
    """Of 40 staked 10 are a fee that goes back only where the round is void."""
    of_box = payment("box", 40, returned, paid, had)
    leaves, comes = handing.of_float(of_box)
    assert min(leaves, comes) >= 0
    assert leaves - comes == (of_box.net if had is None else of_box.difference)
    if had is None:
        assert (leaves, comes) == (paid, 40 - returned)
