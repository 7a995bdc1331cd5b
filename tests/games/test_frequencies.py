"""How often dealt hands fall into each class: shares against counts of another kind, samples against their errors."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, prod

import pytest

from casino.games.bigtwo import frequencies as bigtwo
from casino.games.bigtwo.combinations import ORDER, combination
from casino.games.dynastia import frequencies as dynastia
from casino.games.dynastia.cards import CARDS_OF
from casino.games.dynastia.sets import strength
from casino.games.presidential import frequencies as presidential
from casino.games.presidential.hands import CLASSES
from casino.games.registry import GAMES

from ..support import dealt_hands, proof

POT = [game for game in GAMES.values() if game.bank == "pot"]
TABLES = [(game, dealt) for game in POT for dealt in game.frequencies(game.sheet({}))]


def within(counts, shares, times=5):
    """Whether a sample of other hands lies within so many standard errors of each share; a hand more or less is one."""
    hands = sum(counts.values())
    for name, share in shares.items():
        expected = hands * share
        assert abs(counts[name] - expected) <= times * float(expected * (1 - share)) ** 0.5 + 1, name


def presidential_shares():
    (dealt,) = presidential.frequencies(GAMES["presidential"].sheet({}))
    return {name: each.share for name, each in zip(CLASSES, dealt.classes, strict=True)}


def test_each_game_for_a_pot_has_its_shares_and_split_poker_none():
    assert {game.code for game, _ in TABLES} == {"genpoker", "dynastia", "presidential", "bigtwo"}
    assert GAMES["split"].frequencies(GAMES["split"].sheet({})) == ()


@pytest.mark.parametrize(("game", "dealt"), TABLES, ids=[dealt.cards for _, dealt in TABLES])
def test_shares_add_up_and_each_class_has_a_clause_of_its_game(game, dealt):
    assert sum(each.share for each in dealt.classes) == 1
    assert {each.clause for each in dealt.classes} <= set(game.clauses)
    assert len({each.name for each in dealt.classes}) == len(dealt.classes)
    errors = [each for each in dealt.classes if each.error is not None]
    assert bool(errors) == bool(dealt.sample)
    for each in errors:
        assert float(each.error) == pytest.approx(float(each.share * (1 - each.share) / dealt.sample) ** 0.5, abs=1e-8)
    for each in dealt.classes:
        assert each.error is not None or (each.share * dealt.hands).denominator == 1


@pytest.mark.parametrize("size", [64, 72])
def test_sets_of_dynastia_are_as_many_as_all_choices_of_how_often_a_number_is_held(size):
    cards_of = [*[*CARDS_OF.values()][:5], CARDS_OF[6] - 72 + size]
    counts = Counter()
    for first_five in _spreads(cards_of[:5], 7):
        spread = (*first_five, 7 - sum(first_five))
        cards = [f"{number}R" for number, count in enumerate(spread, 1) for _ in range(count)]
        counts[strength(cards, "R").name] += prod(map(comb, cards_of, spread))
    assert counts == dynastia.counted(size)
    assert counts.total() == comb(size, 7)


def _spreads(cards_of, left):
    if not cards_of:
        yield ()
        return
    for count in range(min(cards_of[0], left) + 1):
        for rest in _spreads(cards_of[1:], left - count):
            yield (count, *rest)


def test_a_deck_that_a_house_loaded_has_no_shares():
    game = GAMES["presidential"]
    assert game.frequencies(game.sheet({})._replace(deck="printed")) == ()


def test_samples_of_other_hands_lie_within_their_errors():
    counted = {name: Fraction(count, presidential.HANDS) for name, count in presidential.COUNTED.items()}
    shares = presidential_shares()
    assert counted.items() <= shares.items()
    within(dealt_hands.presidential_sampled(10_000, seed=1), shares)
    strongest, _ = bigtwo.frequencies(GAMES["bigtwo"].sheet({}))
    within(dealt_hands.bigtwo_sampled(10_000, seed=1), {each.name: each.share for each in strongest.classes})
    assert sum(presidential.SAMPLED.values()) <= presidential.SAMPLE
    assert sum(bigtwo.STRONGEST.values()) == bigtwo.SAMPLE


@pytest.mark.proof
def test_combinations_of_big_two_are_as_many_as_all_choices_of_five_cards():
    """In short those that have the 3 of diamonds, of which each combination has so many as its ranks and suits say."""
    short = proof.size(0, 1)
    counts = Counter()
    for cards in combinations(ORDER[short:], 5 - short):
        made = combination((*ORDER[:short], *cards))
        counts[bigtwo.NONE if made is None else bigtwo.NAMES[made.kind]] += 1
    assert counts.total() == comb(52 - short, 5 - short)
    whole = {**bigtwo.FIVES, bigtwo.NONE: comb(52, 5) - sum(bigtwo.FIVES.values())}
    # With the 3 of diamonds: one straight of nine, in one suit of four; else 5 of 52 of all hands.
    with_it = {
        "straight flush": 1,
        "straight": 4**4 - 1,
        "flush": comb(12, 4) - 1,
        **{name: whole[name] * 5 // 52 for name in ("full house", "four of a kind with one card")},
    }
    with_it[bigtwo.NONE] = comb(51, 4) - sum(with_it.values())
    assert counts == proof.size(whole, with_it)


@pytest.mark.proof
def test_what_is_counted_and_sampled_of_presidential_poker_and_big_two_comes_out_again():
    """In the whole form exactly; in short the first hands of each sample, and the first symbols of the fours."""
    if proof.size(2, 1) == 2:
        assert dealt_hands.presidential_counted() == presidential.COUNTED
        sample = dealt_hands.presidential_sampled(presidential.SAMPLE)
        assert {name: sample[name] for name in presidential.SAMPLED} == presidential.SAMPLED
        assert dealt_hands.bigtwo_sampled(bigtwo.SAMPLE) == bigtwo.STRONGEST
        return
    fours = dealt_hands.presidential_counted(symbols=3)
    assert all(fours[name] <= count for name, count in presidential.COUNTED.items())
    within(dealt_hands.presidential_sampled(100_000), presidential_shares())
