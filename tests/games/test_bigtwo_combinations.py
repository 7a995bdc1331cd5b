"""Combinations against a second opinion, and bigtwo.11 against brute force: every pool of small decks."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.bigtwo.combinations import (
    DECK as WHOLE_DECK,
)
from casino.games.bigtwo.combinations import (
    KINDS,
    ORDER,
    beats,
    cards_set,
    combination,
    could_beat,
    describe,
    strongest,
)
from tests.support import proof
from tests.support.bigtwo_rounds import DECK, combinations_of, may_go_on, value

SMALL_DECKS = {
    "fours, full houses, flushes and straight flushes": [
        *("3d", "3c", "3h", "3s", "4d", "4s"),
        *("5d", "6d", "7d", "7s", "8d", "8c"),
    ],
    "the top of the order, no row goes round": ["Td", "Jd", "Jc", "Qd", "Kd", "Ad", "Ac", "2d", "2s", "3d", "4d", "5c"],
    "flushes of two suits": ["3d", "5d", "7d", "9d", "Jd", "Kd", "3s", "4s", "5s", "7s", "9s", "2s"],
}


@st.composite
def neighbours(draw, most=9):
    """Cards of few ranks and suits, so that many combinations are among them."""
    first = draw(st.integers(0, 9))
    suits = draw(st.integers(1, 4))
    near = [card for card in DECK if first <= DECK.index(card) // 4 < first + 6 and DECK.index(card) % 4 < suits]
    return draw(st.lists(st.sampled_from(near), min_size=1, max_size=most, unique=True))


def test_the_order_is_that_of_the_rules():
    assert list(ORDER) == DECK
    assert cards_set(ORDER) == WHOLE_DECK == 2**52 - 1


@pytest.mark.parametrize("deck", [DECK[:24], DECK[28:]], ids=["3 to 8", "T to 2"])
def test_all_fives_of_six_ranks_make_what_the_second_opinion_says(deck):
    """And go by the same card; a full house and a four by its rank."""
    for cards in combinations(deck, 5):
        made, found = combination(cards), value(cards)
        assert (made and made.name) == (found and found[0]), cards
        if found:
            rank, suit = divmod(made.top, 4)
            assert rank == found[1][0], cards
            assert suit == found[1][1] or found[0] in ("full_house", "four_of_a_kind"), cards


@pytest.mark.parametrize("size", range(7))
def test_no_cards_hold_no_combination(size):
    assert strongest(0, size) is None


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9d", "the nine of diamonds"),
        ("9d 9h", "a pair of nines up to hearts"),
        ("9d 9h 9s", "a triple of nines"),
        ("9d Th Js Qd Kc", "a straight up to the king of clubs"),
        ("9d 2d Jd Qd Kd", "a flush up to the two of diamonds"),
        ("9d 9h 9s Kd Kc", "a full house of nines"),
        ("9d 9h 9s 9c Kc", "four nines with one card"),
        ("9h Th Jh Qh Kh", "a straight flush up to the king of hearts"),
    ],
)
def test_a_combination_is_told_in_words(cards, words):
    assert describe(combination(cards.split())) == words


@settings(max_examples=proof.examples(300))
@given(neighbours(), st.permutations(range(5)))
def test_a_combination_is_the_same_in_any_order_and_as_the_second_opinion_says(cards, order):
    for some in [tuple(cards), *combinations_of(cards)[:60]]:
        made, found = combination(some), value(some)
        assert (made and made.name) == (found and found[0])
        if len(some) == 5:
            assert combination([some[index] for index in order]) == made


@settings(max_examples=proof.examples(300))
@given(neighbours(7), neighbours(7), st.booleans())
def test_what_may_be_played_on_what_is_as_the_second_opinion_says(cards, others, bombs):
    for new in combinations_of(cards):
        for standing in combinations_of([card for card in others if card not in new])[:25]:
            found = beats(combination(new), combination(standing), bombs=bombs)
            assert found == may_go_on(new, standing, bombs=bombs), (new, standing)


@settings(max_examples=proof.examples(100))
@given(st.lists(neighbours(), min_size=3, max_size=3))
def test_combinations_of_one_size_are_a_total_preorder(hands):
    """Distinct cards never tie; for three of a size whichever beats is transitive."""
    of_size = {}
    for cards in hands:
        for some in combinations_of(cards):
            of_size.setdefault(len(some), []).append(combination(some))
    for made in of_size.values():
        first, second, third = (made * 3)[:3]
        assert not any(beats(first, first, bombs=bombs) for bombs in (False, True))
        assert (first > second) + (second > first) + (first == second) == 1
        assert not (first >= second >= third) or first >= third


@settings(max_examples=proof.examples(300))
@given(neighbours())
def test_the_strongest_of_a_pool_is_the_strongest_of_all_its_combinations(pool):
    held = cards_set(pool)
    for size in (1, 2, 3, 4, 5, 6):
        made = [combination(some) for some in combinations(pool, size)]
        assert strongest(held, size) == max((found for found in made if found), default=None)


# bigtwo.11: could a player of whom only the number of cards is known beat what lies there?


def chance(pool, held, standing, *, bombs):
    """Brute force: any hand of so many cards of the pool, any play of it."""
    return any(
        may_go_on(some, standing, bombs=bombs)
        for hand in combinations(pool, min(held, len(pool)))
        for some in combinations_of(hand)
    )


@settings(max_examples=proof.examples(150))
@given(neighbours(8), neighbours(), st.integers(1, 8), st.booleans(), st.data())
def test_a_turn_is_skipped_when_no_hand_of_the_pool_could_beat_the_table(pool, others, held, bombs, data):
    standing = data.draw(st.sampled_from(combinations_of(others)))
    pool = [card for card in pool if card not in standing]
    held = min(held, len(pool))
    found = could_beat(cards_set(pool), held, combination(standing), bombs=bombs)
    assert found == chance(pool, held, standing, bombs=bombs)


@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS)
@pytest.mark.parametrize("bombs", [False, True], ids=["no bombs", "bombs"])
def test_in_every_pool_of_a_small_deck_brute_force_agrees(deck, bombs):
    """All pools that the table leaves, all numbers of cards held; on the table some forty combinations of the deck."""
    every = combinations_of(deck)
    for standing in every[:: max(1, len(every) // 40)]:
        made, lying = combination(standing), cards_set(standing)
        beating = [(cards_set(some), len(some)) for some in every if may_go_on(some, standing, bombs=bombs)]
        rest = [card for card in deck if card not in standing]
        for count in range(len(rest) + 1):
            for pool in map(cards_set, combinations(rest, count)):
                assert not pool & lying
                least = min((size for some, size in beating if not some & ~pool), default=99)
                for held in range(1, 7):
                    assert could_beat(pool, held, made, bombs=bombs) == (least <= held)


@pytest.mark.proof
def test_every_five_cards_of_the_deck_have_the_kind_that_counting_says():
    """Nine straights of 1,024 each, 36 of them of one suit; flushes, full houses and fours as in any deck of 52. In
    short the hands that have one of the sevens, which is in five of the straights."""
    bits = [1 << place for place in range(52)]
    seven = bits.pop(4 * 4 + 2)
    counted = {
        "straight_flush": 5,
        "four_of_a_kind": 48 + 12,
        "full_house": 12 * (3 * 6 + 3 * 4),
        "flush": 495 - 5,
        "straight": 5 * 256 - 5,
    }
    with_it = Counter(_kind(seven + sum(four)) for four in combinations(bits, 4))
    assert with_it == {**counted, None: 249_900 - sum(counted.values())}
    if proof.RUN == "whole":
        assert with_it + Counter(_kind(sum(five)) for five in combinations(bits, 5)) == {
            "straight_flush": 36,
            "four_of_a_kind": 624,
            "full_house": 3744,
            "flush": 4 * 1287 - 36,
            "straight": 9 * 1024 - 36,
            None: 2_598_960 - 36 - 624 - 3744 - 5112 - 9180,
        }


def _kind(five):
    made = strongest(five, 5)
    return made and KINDS[made.kind]
