"""Chips of an amount always add up to it; what no chip pays is never dropped silently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.money import NoChipsError, chips, covered, whole_chips

SETS = [(1, 5, 25, 100, 500), (100, 500, 2500), (2, 5), (100, 250), (7, 9, 10), (6, 10, 15), (3,)]
"""Sets whose larger chips are multiples of the smaller, and others, where taking the largest may lead astray."""


def reachable(highest, denominations):
    """The amounts up to the highest that some chips add up to, from the smallest up."""
    amounts = [True]
    for units in range(1, highest + 1):
        amounts.append(any(units >= one and amounts[units - one] for one in denominations))
    return amounts


@pytest.mark.parametrize("denominations", SETS)
def test_chips_add_up_to_every_amount_that_any_chips_add_up_to(denominations):
    for units, possible in enumerate(reachable(max(denominations) + 700, denominations)):
        if possible:
            tally = chips(units, denominations)
            assert sum(value * count for value, count in tally) == units
            assert all(count > 0 for _, count in tally)
            assert [value for value, _ in tally] == sorted({value for value, _ in tally} & {*denominations})[::-1]
        else:
            with pytest.raises(NoChipsError, match=f"^No chips of .* add up to {units}[.]$"):
                chips(units, denominations)


@pytest.mark.parametrize("denominations", SETS[:2])
def test_of_multiples_the_chips_are_the_fewest(denominations):
    fewest = [0]
    for units in range(1, 1500):
        ways = [fewest[units - one] for one in denominations if one <= units and fewest[units - one] is not None]
        fewest.append(min(ways) + 1 if ways else None)
        if ways:
            assert sum(count for _, count in chips(units, denominations)) == fewest[units]


@given(st.integers(0, 10**12), st.sampled_from(SETS))
def test_what_chips_cover_and_the_rest_are_the_amount(units, denominations):
    tally, rest = covered(units, denominations)
    assert sum(value * count for value, count in tally) + rest == units
    assert 0 <= rest < min(denominations)


@given(st.integers(0, 10**12), st.integers(1, 10**6))
def test_an_amount_down_to_the_chip_loses_less_than_one(units, chip):
    down = whole_chips(units, chip)
    assert down % chip == 0
    assert 0 <= units - down < chip
