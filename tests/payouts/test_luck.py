"""A table that drifts is told from one that had luck: bets against fractions, closed forms, laws, and table-years."""

import json
import math
from fractions import Fraction
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.split.sheet import STARTING_TABLE
from payouts.luck import (
    DAYS,
    FIRST_DAY,
    LEAST,
    SHARES,
    Bets,
    Box,
    Observation,
    Tally,
    after,
    alarms,
    band,
    deviation,
    next_day,
    observation,
    purse,
    rarity,
    tally,
    together,
)

from ..support import proof, split_nets, table_years

BILLION = 10**9
# A round that loses much seldom and one that wins much seldom; each has a mean of exactly 0.
DISTRIBUTIONS = {
    "a coin": {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)},
    "seldom a large win": {Fraction(-1, 4): Fraction(8, 9), Fraction(2): Fraction(1, 9)},
    "seldom a large loss": {Fraction(-4): Fraction(1, 10), Fraction(0): Fraction(1, 2), Fraction(1): Fraction(4, 10)},
}


def seen(excess, least=-1, most=200):
    return Observation(Fraction(excess), Fraction(least), Fraction(most))


def exact_purse(days):
    """The purse after some gaming days of rounds, by fractions alone and as the docstring says it."""
    part = Fraction(1, len(SHARES))
    bettors = [part * Fraction(1, 2)] * len(SHARES)
    for rounds in days:
        bettors = [held + part * Fraction(1, 2 * DAYS) for held in bettors]
        for each in rounds:
            bettors = [
                held * (1 + share * each.excess / -each.least) for held, share in zip(bettors, SHARES, strict=True)
            ]
    return sum(bettors) + Fraction(DAYS - len(days), 2 * DAYS)


def bets_on(days):
    bets = None
    for rounds in days:
        bets = FIRST_DAY if bets is None else next_day(bets)
        for each in rounds:
            bets = after(bets, each)
    return bets


def held(bets):
    """The whole purse as a float, from the integers that are kept."""
    return sum(math.exp(log / BILLION) for log in bets.logs) + (DAYS - bets.days) / (2 * DAYS)


def test_two_rounds_by_hand():
    # 367/732 of the purse lie with four bettors. A loss of half of the least leaves 11, 17, 19 and 59/3 of 20 parts.
    first = after(FIRST_DAY, seen("-0.5"))
    at_table = Fraction(367, 732)
    assert exact_purse([[seen("-0.5")]]) == 1 - at_table + at_table * Fraction(200, 240)
    assert (purse(first), first.highest, rarity(first)) == ("0.92", 0, 1)
    # A win of twice the least then: 14/5, 8/5, 6/5 and 16/15 of that.
    second = after(first, seen("2"))
    mean = sum(
        Fraction(*a) * Fraction(*b)
        for a, b in zip([(11, 20), (17, 20), (19, 20), (59, 60)], [(14, 5), (8, 5), (6, 5), (16, 15)], strict=True)
    )
    assert exact_purse([[seen("-0.5"), seen("2")]]) == 1 - at_table + at_table * mean * Fraction(1, 4)
    assert purse(second) == "1.14"
    assert not alarms(second)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_purse_of_an_honest_table_has_a_mean_of_exactly_one(name):
    chances = DISTRIBUTIONS[name]
    assert sum(chances.values()) == 1
    assert sum(value * chance for value, chance in chances.items()) == 0
    least, most = min(chances), max(chances)
    mean, mean_of_bets, spans = Fraction(0), 0.0, [(0, 2), (2, 4), (4, 5)]
    for course in product(chances, repeat=5):
        rounds = [seen(value, least, most) for value in course]
        days = [rounds[start:end] for start, end in spans]
        chance = math.prod([chances[value] for value in course], start=Fraction(1))
        exact = exact_purse(days)
        kept = held(bets_on(days))
        assert float(exact) * (1 - 1e-7) <= kept <= exact * (1 + Fraction(1, 10**14))
        mean += chance * exact
        mean_of_bets += float(chance) * kept
    assert mean == 1
    assert 1 - 1e-7 <= mean_of_bets <= 1


def test_few_honest_tables_ever_get_far():
    """Ville's inequality on every course of twelve throws of a coin, looked at after each."""
    rounds = {value: seen(value) for value in (-1, 1)}
    highest = []
    level = [FIRST_DAY]
    for _ in range(12):
        level = [after(bets, each) for bets in level for each in rounds.values()]
    highest = [bets.highest for bets in level]
    for limit in (2, 5, 10, 50):
        reached = sum(top >= math.log(limit) * BILLION for top in highest)
        assert 0 < reached <= len(highest) / limit
        assert reached == sum(alarms(bets, once_in=limit) for bets in level)


def test_one_bettor_is_walds_likelihood_ratio():
    """Of ones and zeros the bets are Wald's sequential test of p = 0.3 against 1 - (1 - share) * 0.7."""
    null = Fraction(3, 10)
    ones = [1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1]
    bets = bets_on([[Observation(x - null, -null, 1 - null) for x in ones]])
    for share, log, start in zip(SHARES, bets.logs, FIRST_DAY.logs, strict=True):
        other = 1 - (1 - share) * (1 - null)
        ratio = (other / null) ** sum(ones) * ((1 - other) / (1 - null)) ** (len(ones) - sum(ones))
        assert (log - start) / BILLION == pytest.approx(math.log(ratio), abs=1e-7)


def test_the_bets_are_the_capital_process_of_the_paper():
    """K(m), the product of 1 + bet * (X - m) for X in [0, 1] and a bet of share / m, whatever units a round is in."""
    wins = [Fraction(x, 20) for x in (3, 0, 20, 7, 1, 4, 4, 12)]
    mean = Fraction(1, 4)
    capital = [math.prod([1 + share / mean * (x - mean) for x in wins]) for share in SHARES]
    for scale in (1, 205):
        rounds = [Observation((x - mean) * scale, -mean * scale, (1 - mean) * scale) for x in wins]
        bets = bets_on([rounds])
        for log, start, expected in zip(bets.logs, FIRST_DAY.logs, capital, strict=True):
            assert math.exp((log - start) / BILLION) == pytest.approx(float(expected), abs=1e-7)
    # Stark's form of Kaplan's and Wald's bound: share * X / m + 1 - share.
    kaplan = [math.prod([share * x / mean + 1 - share for x in wins]) for share in SHARES]
    assert kaplan == capital


def test_an_empty_purse_is_never_lost_by_the_worst_rounds_of_a_year():
    bets = FIRST_DAY
    for _ in range(2_000):
        bets = after(bets, seen(-1))
    assert purse(bets) == "0.50"
    assert bets.highest == 0
    while bets.days < DAYS:
        bets = after(next_day(bets), seen(-1))
    assert 0 < held(bets) < 0.02
    with pytest.raises(ValueError, match="The purse is at the table after 366 gaming days"):
        next_day(bets)


def test_a_table_that_always_pays_is_counted_without_an_overflow():
    bets = FIRST_DAY
    for _ in range(500):
        bets = after(bets, seen(200))
    assert (purse(bets), rarity(bets), alarms(bets)) == ("1000000000.00", BILLION, True)
    # What was once an alarm stays one.
    for _ in range(500):
        bets = after(bets, seen(-1))
    assert alarms(bets)


def test_one_royal_flush_is_luck():
    royal = Box(100, 20_000, Fraction("-0.2"), Fraction(7), LEAST, Fraction(200))
    bets = after(FIRST_DAY, observation([royal]))
    assert (purse(bets), alarms(bets)) == ("7.97", False)


def test_the_alarm_is_at_a_hundred():
    assert not alarms(FIRST_DAY._replace(highest=math.floor(math.log(100) * BILLION)))
    assert alarms(FIRST_DAY._replace(highest=math.ceil(math.log(100) * BILLION)))
    assert rarity(FIRST_DAY._replace(highest=math.ceil(math.log(100) * BILLION))) == 100


@pytest.mark.parametrize(
    ("each", "message"),
    [
        (seen("-1.01"), "An excess of -101/100 is not possible where -1 is least."),
        (seen(0, least=0), "An excess of 0 is not possible where 0 is least."),
    ],
)
def test_a_round_that_cannot_be_is_refused(each, message):
    with pytest.raises(ValueError, match=message):
        after(FIRST_DAY, each)


def test_a_box_beyond_its_limits_is_refused():
    box = Box(100, -501, Fraction("-0.2"), Fraction(7), LEAST, Fraction(200))
    with pytest.raises(ValueError, match=r"A box won -501/100 ANTE; between -5 and 200 is possible."):
        observation([box])
    with pytest.raises(ValueError, match=r"A round without a box shows nothing of luck."):
        observation([])


def test_the_least_and_the_most_of_a_box_are_those_of_the_rules():
    """A box that bought cards and the game and lies below; the highest coefficient on BET."""
    line = {
        "game": "split",
        "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"], "replacement": "Kh", "small": ["Qd", "3d"]},
        "boxes": [
            {"box": 1, "ante": 1, "action": "buy_bet", "buys_game": True, "cards": ["3s", "4s", "6d", "7d", "8h"]}
            | {"extra": ["Jc", "Tc"], "small": ["3s", "4s"]},
            {"box": 2, "ante": 1, "action": "bet", "buys_game": True, "cards": ["3h", "4h", "5h", "6h", "7s"]}
            | {"extra": ["Jd", "Td"]},
        ],
    }
    facts = split_nets.SPLIT.read(line)
    assert split_nets.SPLIT.settle(facts)["boxes"][0]["net"] == LEAST
    assert 2 * int(STARTING_TABLE["royal_flush"].removesuffix(":1")) == table_years.MOST


def test_boxes_with_large_antes_weigh_no_more_in_a_bet():
    box = Box(100, -100, Fraction("-0.2"), Fraction(7), LEAST, Fraction(200))
    rich = box._replace(ante_units=100_000, net_units=100_000)
    assert observation([box, rich]).excess == Fraction("0.2")
    assert observation([box, rich]) == observation([rich, box])


excesses = st.fractions(min_value=-1, max_value=40, max_denominator=1000)
rounds_of_a_day = st.lists(excesses.map(seen), max_size=5)


@settings(max_examples=proof.examples(100))
@given(st.lists(rounds_of_a_day, min_size=1, max_size=3))
def test_the_purse_is_what_fractions_say_and_never_more(days):
    bets = bets_on(days)
    exact = exact_purse(days)
    assert 0 < held(bets) <= exact * (1 + Fraction(1, 10**12))
    assert held(bets) == pytest.approx(float(exact), rel=1e-7)
    assert bets.highest >= 0


@settings(max_examples=proof.examples(100))
@given(rounds_of_a_day.filter(lambda rounds: len(rounds) < 5))
def test_the_order_of_a_days_rounds_does_not_matter(rounds):
    assert len({bets_on([[], order]).logs for order in permutations(rounds)}) == 1


@settings(max_examples=proof.examples(100))
@given(st.lists(rounds_of_a_day, min_size=1, max_size=3), rounds_of_a_day)
def test_bets_are_kept_as_json_and_go_on(days, more):
    bets = bets_on(days)
    days_begun, logs, highest = json.loads(json.dumps(bets))
    kept = Bets(days_begun, tuple(logs), highest)
    assert kept == bets
    for each in more:
        bets, kept = after(bets, each), after(kept, each)
    assert kept == bets


@settings(max_examples=proof.examples(100))
@given(rounds_of_a_day, excesses, excesses)
def test_who_wins_more_has_no_smaller_purse(rounds, one, other):
    before = bets_on([rounds])
    less, more = (after(before, seen(each)) for each in sorted([one, other]))
    assert all(a <= b for a, b in zip(less.logs, more.logs, strict=True))
    assert less.highest <= more.highest


@settings(max_examples=proof.examples(100))
@given(excesses)
def test_a_round_mirrored_twice_is_itself(value):
    each = seen(value)
    assert each.mirrored().mirrored() == each
    assert after(FIRST_DAY, each.mirrored()).days == 1


def test_a_tally_by_hand():
    """Two boxes of 5 and 1: 25 * 7 + 1 * 7 + 2 * 5 * 1 * 2 = 202; expected is 6 * 0.2 of a unit each hundred."""
    box = Box(500, -500, Fraction("-0.2"), Fraction(7), LEAST, Fraction(200))
    one = tally([box, box._replace(ante_units=100, net_units=-100)], Fraction(2))
    assert one == Tally(1, 600, Fraction(120), Fraction(2_020_000))
    hundred = together([one] * 100)
    assert hundred == Tally(100, 60_000, Fraction(12_000), Fraction(202_000_000))
    # 48,000 above the expected, where a standard deviation is 14,212.67.
    assert deviation(hundred) == "3.38"
    assert band(hundred) == (12_000 - 28_426, 12_000 + 28_426)
    assert deviation(hundred._replace(win_units=-36_000)) == "-3.38"
    assert deviation(hundred._replace(win_units=12_000)) == "0.00"
    assert deviation(together([])) is None
    assert band(together([])) == (0, 0)


tallies = st.builds(
    Tally,
    st.integers(0, 1000),
    st.integers(-(10**12), 10**12),
    st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**9),
    st.fractions(min_value=0, max_value=10**15, max_denominator=10**9),
)


@settings(max_examples=proof.examples(100))
@given(st.lists(tallies, max_size=6), st.integers(0, 6))
def test_tallies_add_up_in_any_grouping(parts, cut):
    assert together([together(parts[:cut]), together(parts[cut:])]) == together(parts)
    assert together(parts[::-1]) == together(parts)


@settings(max_examples=proof.examples(100))
@given(tallies.filter(lambda each: each.variance > 0))
def test_the_deviation_and_the_band_agree(each):
    low, high = band(each)
    exact = (each.win_units - each.expected_units) / Fraction(math.isqrt(math.ceil(each.variance * 10**50)), 10**25)
    assert abs(float(deviation(each)) - float(exact)) <= 0.005001 + abs(float(exact)) * 1e-9
    assert low <= each.expected_units <= high
    if not low <= each.win_units <= high:
        assert abs(exact) > 2 - Fraction(1, 10**6)
    assert (high - low) ** 2 >= 16 * each.variance


def test_the_thousands_of_tables_bet_as_this_module_does():
    rounds = table_years.played(3)
    chance = np.random.default_rng(24)
    days = [rounds.lines[chance.integers(0, len(rounds.lines), 100)] for _ in range(3)]
    logs = np.full(len(SHARES), -np.log(2 * len(SHARES)))
    shares = np.array([float(share) for share in SHARES])
    bets = Bets(0, tuple(math.floor(log * BILLION) for log in logs), 0)
    for lines in days:
        bets = next_day(bets)
        logs = np.logaddexp(logs, -np.log(2 * DAYS * len(SHARES)))
        for line in lines:
            each = (Fraction(float(part[line])) for part in rounds[:3])
            bets = after(bets, Observation(*each))
            logs += np.log1p(shares * rounds.excess[line] / -rounds.least[line])
    assert np.array(bets.logs) / BILLION == pytest.approx(logs, abs=1e-6)


def test_what_is_drawn_has_no_drift_and_the_boxes_share_the_dealer():
    one, three = table_years.played(1), table_years.played(3)
    for rounds in (one, three, table_years.played(1, cut=14)):
        assert abs(np.mean(rounds.excess[rounds.lines])) < 1e-12
    assert 2.5 < one.standard_deviation < 2.8
    independent = one.standard_deviation / math.sqrt(3)
    assert three.standard_deviation > 1.1 * independent


def test_half_a_standard_deviation_shows_and_luck_does_not():
    for boxes in (1, 3):
        rounds = table_years.played(boxes)
        assert not (table_years.first_alarms(rounds, 40, seed=1, days=10) < table_years.NEVER).any()
        alarms = table_years.first_alarms(rounds, 100, seed=2, drift=0.5, honest_days=20, days=24)
        assert np.median(alarms) <= 400


def binomial_bound(count, chance, level):
    """The smallest number that as many trials stay at or below with this probability."""
    below = 0.0
    for number in range(count + 1):
        below += math.comb(count, number) * chance**number * (1 - chance) ** (count - number)
        if below >= level:
            return number
    return count


def test_eighteen_of_a_thousand_is_the_bound():
    assert binomial_bound(1_000, 0.01, 0.99) == 18


@pytest.mark.proof
@pytest.mark.parametrize("boxes", [1, 3])
def test_honest_table_years_alarm_once_in_a_hundred_at_most(boxes):
    years = proof.size(1_000, 60)
    bound = binomial_bound(years, 0.01, 0.99)
    rounds = table_years.played(boxes)
    sides = {
        "players": rounds,
        "house": table_years.mirrored(rounds),
        "house, wins cut at 14 ANTE": table_years.mirrored(table_years.played(boxes, cut=14)),
    }
    for side, observed in sides.items():
        counted = table_years.first_alarms(observed, years, seed=1000 + boxes)
        count = int((counted < table_years.NEVER).sum())
        print(f"\n{years:,} honest years of 60,060 rounds, {boxes} box(es), {side}: {count} alarms of at most {bound}")
        assert count <= bound


@pytest.mark.proof
@pytest.mark.parametrize("boxes", [1, 3])
def test_a_drift_of_half_a_standard_deviation_is_noticed_within_400_rounds(boxes):
    tables = proof.size(1_000, 200)
    rounds = table_years.played(boxes)
    sides = {
        "players": rounds,
        "house": table_years.mirrored(rounds),
        "house, wins cut at 14 ANTE": table_years.mirrored(table_years.played(boxes, cut=14)),
    }
    print(f"\na round of {boxes} box(es) has a standard deviation of {rounds.standard_deviation:.3f} ANTE")
    for side, observed in sides.items():
        for honest_days in (0, 100, 300):
            drifted = {"seed": honest_days + boxes, "drift": 0.5, "honest_days": honest_days}
            delays = table_years.first_alarms(observed, tables, days=honest_days + 20, **drifted)
            delays = delays[delays > 0]
            within = np.mean(delays <= 400)
            print(
                f"{side}, after {honest_days} honest days: median {np.median(delays):,.0f} rounds, nine in ten by "
                f"{np.quantile(delays, 0.9):,.0f}, {within:.1%} within 400"
            )
            if side != "house":
                assert np.median(delays) <= 400
                assert within > 0.95


@pytest.mark.proof
def test_smaller_drifts_take_the_longer_and_a_plug_in_misses_late_ones():
    tables = proof.size(500, 50)
    rounds = table_years.played(3)
    medians = []
    for drift in (0.5, 0.25, 0.1, 0.05, 0.03):
        delays = table_years.first_alarms(rounds, tables, seed=7, drift=drift)
        within = np.mean(delays < table_years.NEVER)
        medians.append(np.median(delays))
        print(f"\ndrift of {drift} sd from the first day: median {medians[-1]:,.0f} rounds, {within:.1%} in the year")
    assert all(sooner < later for sooner, later in pairwise(medians))
    for honest_days in (0, 100):
        drifted = {"seed": 8, "drift": 0.5, "honest_days": honest_days, "days": honest_days + 14}
        ours = table_years.first_alarms(rounds, tables, **drifted)
        theirs = table_years.first_alarms_by_plug_in(rounds, tables, **drifted)
        print(f"after {honest_days} honest days: {np.median(ours):,.0f} rounds, aGRAPA {np.median(theirs):,.0f}")
        assert honest_days == 0 or np.median(ours) < np.median(theirs) / 4
