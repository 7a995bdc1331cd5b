"""Pots by house.1 and house.3: what is staked, raked, shared and given back, to the unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import pot
from casino.games.game import Pay, Wager
from casino.games.leaflets import Row
from casino.games.pot import Terms
from casino.games.reading import MAXIMUM_UNITS, FaultError, read_values

amounts = st.integers(1, MAXIMUM_UNITS)
chips = st.integers(1, 1000)


def sheet(**values):
    return pot.terms(read_values(pot.parameters(8), values, "Genpoker"))


def test_a_sheet_left_empty_stakes_ten_units_and_rakes_nothing():
    assert pot.values(sheet()) == {"chip": 1, "stake": 10, "rake_percent": 0, "rake_cap": None}
    assert sheet() == Terms(10)


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        ("chip", 1, MAXIMUM_UNITS // 8),
        ("stake", 1, MAXIMUM_UNITS // 8),
        ("rake_percent", 0, 99),
        ("rake_cap", 1, MAXIMUM_UNITS),
    ],
)
def test_what_a_sheet_sets_runs_from_the_lowest_to_the_highest(name, lowest, highest):
    for value in (lowest, highest):
        assert pot.values(sheet(**{name: value}))[name] == value
    for value in (lowest - 1, highest + 1):
        with pytest.raises(FaultError, match=rf"it runs from {lowest} to {highest}\.$"):
            sheet(**{name: value})


@given(amounts, st.integers(0, 99), st.none() | amounts, chips)
def test_the_rake_is_the_percentage_at_most_its_cap_rounded_down_to_the_chip(staked, percent, cap, chip):
    raked = staked - Terms(10, percent, cap, chip).pot_units(staked)
    assert raked % chip == 0
    assert 100 * raked <= staked * percent
    assert cap is None or raked <= cap
    more = raked + chip
    assert staked * percent < 100 * more or (cap is not None and cap < more)


@given(amounts, st.lists(st.text(min_size=1), min_size=1, max_size=8, unique=True), chips)
def test_shares_are_equal_but_for_one_chip_each_to_the_first(count, winners, chip):
    shares = pot.share(count * chip, winners, chip)
    assert list(shares) == winners
    assert sum(shares.values()) == count * chip
    assert [*shares.values()] == sorted(shares.values(), reverse=True)
    assert max(shares.values()) - min(shares.values()) in {0, chip}
    assert not any(units % chip for units in shares.values())


def test_a_pot_that_is_not_whole_chips_is_not_shared():
    with pytest.raises(ValueError, match=r"^A pot of 2850 is not whole chips of 100\.$"):
        pot.share(2850, ["1", "2"], 100)


@pytest.mark.parametrize(
    ("values", "stake"),
    [({"chip": 25}, 25), ({"chip": 3}, 12), ({"chip": 5}, 10), ({"chip": 25, "stake": None}, 25)],
)
def test_a_stake_left_out_is_ten_units_or_the_next_multiple_of_the_chip(values, stake):
    assert sheet(**values) == Terms(stake, chip_units=values["chip"])


def test_a_stake_that_no_chips_pay_is_refused():
    refused = r"^Stake of each player is 130; it must be a multiple of the smallest chip, 100\.$"
    with pytest.raises(FaultError, match=refused) as caught:
        sheet(chip=100, stake=130)
    assert caught.value.fault.path == "stake"


STAKED = (Wager(3, 2, "ante", 10), Wager(4, 5, "ante", 30), Wager(6, 2, "call", 20))


@pytest.mark.parametrize(
    ("shares", "wagers", "pays"),
    [
        ({"2": 50}, STAKED, [(3, 2, 10, 20), (4, 5, 0, 0), (6, 2, 20, 0)]),
        ({"2": 15}, STAKED, [(3, 2, 10, 0), (4, 5, 0, 0), (6, 2, 5, 0)]),
        ({"2": 30, "5": 31}, STAKED, [(3, 2, 10, 0), (4, 5, 30, 1), (6, 2, 20, 0)]),
        ({"1": 8, "5": 0, "7": 9}, STAKED, [(3, 2, 0, 0), (4, 5, 0, 0), (6, 2, 0, 0), (7, 1, 0, 8), (8, 7, 0, 9)]),
        ({"1": 8}, (), [(1, 1, 0, 8)]),
    ],
    ids=["won", "less than was staked", "two winners", "winners without a wager", "no wagers"],
)
def test_a_share_comes_back_on_the_wagers_and_the_rest_of_it_is_paid_once(shares, wagers, pays):
    paid = pot.pay_shares(shares, wagers)
    assert [(pay.ordinal, pay.box, pay.returned_units, pay.paid_units) for pay in paid] == pays
    assert tuple(pay[:4] for pay in paid[: len(wagers)]) == wagers
    assert all(pay[2:4] == ("share", 0) for pay in paid[len(wagers) :])


def test_a_void_round_gives_back_what_was_staked():
    assert pot.pay_back(STAKED[:1]) == (Pay(3, 2, "ante", 10, 10, 0),)


@pytest.mark.parametrize(
    ("terms", "rake"),
    [
        (Terms(25), [("Rake", "none")]),
        (Terms(25, 5), [("Rake", "5 % of the pot"), ("Rake, most", "no limit")]),
        (Terms(25, 5, 70, 5), [("Rake", "5 % of the pot"), ("Rake, most", 70)]),
    ],
)
def test_players_read_of_the_stake_and_of_a_rake_if_there_is_one_as_the_house_s(terms, rake):
    stake, chip, *raked = pot.rows(terms, "Ante of each player")
    assert stake == Row("Ante of each player", 25, "house.3", house=True)
    assert chip == Row("Smallest chip", terms.chip_units, "house.5", house=True)
    assert raked == [Row(*row, "house.3", house=True) for row in rake]
    staked, in_chips = pot.sentences(terms)
    assert (staked.clause, in_chips.clause) == ("house.3", "house.5")
    assert ("rake is rounded down" in in_chips.text) == bool(terms.rake_percent)
    assert staked.house
    assert in_chips.house
