"""Big Hands by split.2, Small Hands by split.3, the house's setting by split.9."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.cards import DECK_52
from casino.games.poker import (
    CATEGORIES,
    best_setting,
    describe,
    describe_fully,
    describe_small,
    small_strength,
    strength,
)


def test_all_hands_of_five_fall_into_the_categories_in_their_known_numbers():
    hands = Counter(map(strength, combinations(DECK_52, 5)))
    categories = Counter()
    for found, count in hands.items():
        categories[found.name] += count
    assert dict(categories) == {
        "high_card": 1_302_540,
        "pair": 1_098_240,
        "two_pair": 123_552,
        "three_of_a_kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full_house": 3_744,
        "four_of_a_kind": 624,
        "straight_flush": 36,
        "royal_flush": 4,
    }
    assert len(hands) == 7_462


def test_all_small_hands_are_13_pairs_and_78_others():
    hands = Counter(map(small_strength, combinations(DECK_52, 2)))
    assert Counter(hand.paired for hand in hands) == {False: 78, True: 13}
    assert sum(hands.values()) == 1_326


LADDER = """
    7c 5d 4h 3s 2c  high_card
    Kc Qd Jh Ts 8c  high_card
    Ac 6d 4h 3s 2c  high_card
    Ac Kd Qh Js 9c  high_card
    2c 2d 5h 4s 3c  pair
    2c 2d Ah Ks Qc  pair
    3c 3d 5h 4s 2c  pair
    Ac Ad 5h 4s 3c  pair
    Ac Ad 6h 3s 2c  pair
    3c 3d 2h 2s 4c  two_pair
    Kc Kd Qh Qs Ac  two_pair
    Ac Ad 2h 2s 3c  two_pair
    Ac Ad 2h 2s 4c  two_pair
    2c 2d 2h 4s 3c  three_of_a_kind
    Ac Ad Ah Ks Qc  three_of_a_kind
    5c 4d 3h 2s Ac  straight
    6c 5d 4h 3s 2c  straight
    Ac Kd Qh Js Tc  straight
    7c 5c 4c 3c 2c  flush
    Ah Kh Qh Jh 9h  flush
    2c 2d 2h 3s 3c  full_house
    2c 2d 2h As Ac  full_house
    3c 3d 3h 2s 2c  full_house
    2c 2d 2h 2s 3c  four_of_a_kind
    Ac Ad Ah As Kc  four_of_a_kind
    5d 4d 3d 2d Ad  straight_flush
    Ks Qs Js Ts 9s  straight_flush
    As Ks Qs Js Ts  royal_flush
"""


def test_hands_rise_through_the_categories_and_the_ranks_within():
    rungs = [line.rsplit(None, 1) for line in LADDER.strip().splitlines()]
    strengths = [strength(cards.split()) for cards, _ in rungs]
    assert [found.name for found in strengths] == [category for _, category in rungs]
    assert all(lower < higher for lower, higher in pairwise(strengths))
    assert list(dict.fromkeys(category for _, category in rungs)) == list(CATEGORIES)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ah Kh Qh Jh 9h", "As Ks Qs Js 9s"), ("9h 9c As Kd 2d", "9s 9d Ac Kh 2s"), ("5c 4d 3h 2s Ac", "5d 4c 3s 2h Ah")],
)
def test_suits_never_rank(one, other):
    assert strength(one.split()) == strength(other.split())


@given(st.permutations(DECK_52))
def test_the_order_of_the_cards_never_matters(pack):
    assert strength(pack[:5]) == strength(sorted(pack[:5]))
    assert small_strength(pack[:2]) == small_strength(pack[1::-1])


@given(st.permutations(DECK_52))
def test_the_house_sets_the_best_big_hand_and_the_best_small_hand_among_equal_ones(pack):
    seven = pack[:7]
    settings = [
        (strength([card for card in seven if card not in small]), small_strength(small))
        for small in combinations(seven, 2)
    ]
    big, small = best_setting(seven)
    assert sorted(big + small) == sorted(seven)
    assert (strength(big), small_strength(small)) == max(settings)


@given(st.permutations([card for card in DECK_52 if card[1] == "s"]), st.permutations(DECK_52))
def test_the_house_finds_flushes_and_straight_flushes_among_seven(spades, pack):
    seven = spades[:5] + [card for card in pack if card not in spades[:5]][:2]
    settings = [
        (strength([card for card in seven if card not in small]), small_strength(small))
        for small in combinations(seven, 2)
    ]
    big, small = best_setting(seven)
    assert (strength(big), small_strength(small)) == max(settings)


@pytest.mark.parametrize(
    ("cards", "short", "full"),
    [
        ("Ah Jd 9h 4s 2c", "Ace high", "Ace high with jack, nine, four, two"),
        ("9h 9c As Kd 2d", "Pair of nines", "Pair of nines with ace, king, two"),
        ("6h 6c As Ad 2d", "Two pair, aces and sixes", "Two pair, aces and sixes with two"),
        ("6h 6c 6s Ad 2d", "Three of a kind, sixes", "Three of a kind, sixes with ace, two"),
        ("5c 4d 3h 2s Ac", "Straight, five high", "Straight, five high"),
        ("Qh 9h 8h 4h 2h", "Flush, queen high", "Flush, queen high with nine, eight, four, two"),
        ("6h 6c 6s Ad As", "Full house, sixes over aces", "Full house, sixes over aces"),
        ("6h 6c 6s 6d As", "Four of a kind, sixes", "Four of a kind, sixes with ace"),
        ("9h 8h 7h 6h 5h", "Straight flush, nine high", "Straight flush, nine high"),
        ("Ah Kh Qh Jh Th", "Royal flush", "Royal flush"),
    ],
)
def test_a_big_hand_is_told_in_words(cards, short, full):
    found = strength(cards.split())
    assert (describe(found), describe_fully(found)) == (short, full)


@pytest.mark.parametrize(("cards", "words"), [("Jd As", "Ace, jack"), ("6d 6s", "Pair of sixes")])
def test_a_small_hand_is_told_in_words(cards, words):
    assert describe_small(small_strength(cards.split())) == words
