"""The strength of a Big Hand of five cards (split.2) and of a Small Hand of two (split.3), and hands in words.

A hand is first counted: one integer that holds how often each rank and each suit occurs. Adding a card is adding its
integer, so the 21 settings of seven cards are 21 subtractions.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from casino.cards import RANK_NAMES, RANKS, SUITS, VALUE, rank_name, rank_plural
from casino.games.sentences import in_a_row
from casino.phrases import Phrase, phrase, phrases

CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
) = range(10)
_CATEGORY_OF_COUNTS = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR_OF_A_KIND,
}
_WHEEL = (14, 5, 4, 3, 2)

# Three bits for each rank hold its count, 0 to 4; above them three bits for each suit, 0 to 7.
_SUITS_SHIFT = 3 * len(RANKS)
_RANKS_MASK = (1 << _SUITS_SHIFT) - 1
_COUNT = {card: 1 << 3 * RANKS.index(card[0]) | 1 << _SUITS_SHIFT + 3 * SUITS.index(card[1]) for card in VALUE}
_FLUSHES = frozenset(5 << 3 * suit for suit in range(len(SUITS)))
_PAIRS_OF_SEVEN = tuple(combinations(range(7), 2))


class Strength(NamedTuple):
    """How strong a Big Hand is: the greater, the better; equal is a stand-off.

    `ranks` name all five cards: each rank once, the more frequent first; in a straight only its highest.
    """

    category: int
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """The category as contracts and sheets write it."""
        return CATEGORIES[self.category]


class SmallStrength(NamedTuple):
    """How strong a Small Hand is (split.3): the greater, the better."""

    paired: bool
    high: int
    low: int


def strength(cards: Iterable[str]) -> Strength:
    """The strength of five different cards (split.2).

    >>> strength(["9h", "9c", "As", "Kd", "2d"])
    Strength(category=1, ranks=(9, 14, 13, 2))
    >>> strength(["5h", "4c", "3s", "2d", "Ad"]) < strength(["6h", "5c", "4s", "3d", "2d"])
    True
    """
    count = sum(map(_COUNT.__getitem__, cards))
    return _strength(count & _RANKS_MASK, count >> _SUITS_SHIFT in _FLUSHES)


def small_strength(cards: Sequence[str]) -> SmallStrength:
    """The strength of two cards: a pair, then the higher rank, then the other (split.3).

    >>> small_strength(["4d", "Kd"])
    SmallStrength(paired=False, high=13, low=4)
    """
    first, second = VALUE[cards[0]], VALUE[cards[1]]
    return SmallStrength(first == second, max(first, second), min(first, second))


def best_setting(seven: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The house's way: the best Big Hand and, among equal ones, the best Small Hand (split.9).

    A Big Hand's strength names the ranks of all its five cards, so equal Big Hands of the same seven leave the same
    ranks over: their Small Hands are equal too, and the first one found stands.

    >>> best_setting(["Kd", "3s", "4s", "5s", "6s", "8s", "Ah"])
    (('3s', '4s', '5s', '6s', '8s'), ('Kd', 'Ah'))
    """
    counts = [_COUNT[card] for card in seven]
    whole = sum(counts)
    left = [whole - counts[first] - counts[second] for first, second in _PAIRS_OF_SEVEN]
    if _holds_flush(whole >> _SUITS_SHIFT):
        strengths = [_strength(count & _RANKS_MASK, count >> _SUITS_SHIFT in _FLUSHES) for count in left]
    else:
        strengths = [_strength(count & _RANKS_MASK) for count in left]
    first, second = _PAIRS_OF_SEVEN[strengths.index(max(strengths))]
    return (
        (*seven[:first], *seven[first + 1 : second], *seven[second + 1 :]),
        (seven[first], seven[second]),
    )


@cache
def _holds_flush(suits_count: int) -> bool:
    return any(suits_count >> 3 * suit & 7 >= 5 for suit in range(len(SUITS)))


@cache
def _strength(ranks_count: int, flush: bool = False) -> Strength:
    """There are 7,462 different hands, so the cache holds all of them and no more."""
    counts = sorted(
        ((ranks_count >> 3 * index & 7, index + 2) for index in range(len(RANKS)) if ranks_count >> 3 * index & 7),
        reverse=True,
    )
    ranks = tuple(rank for _, rank in counts)
    category = _CATEGORY_OF_COUNTS[tuple(count for count, _ in counts)]
    if category != HIGH_CARD:
        return Strength(category, ranks)
    if ranks == _WHEEL or ranks[0] - ranks[4] == 4:
        top = 5 if ranks == _WHEEL else ranks[0]
        if not flush:
            return Strength(STRAIGHT, (top,))
        return Strength(ROYAL_FLUSH if top == 14 else STRAIGHT_FLUSH, (top,))
    return Strength(FLUSH if flush else HIGH_CARD, ranks)


_CATEGORY_NAMES = phrases(
    "poker.category",
    {
        "high_card": "High card",
        "pair": "Pair",
        "two_pair": "Two pair",
        "three_of_a_kind": "Three of a kind",
        "straight": "Straight",
        "flush": "Flush",
        "full_house": "Full house",
        "four_of_a_kind": "Four of a kind",
        "straight_flush": "Straight flush",
        "royal_flush": "Royal flush",
    },
)
_HANDS = phrases(
    "poker",
    {
        "high_card": "{rank} high",
        "pair": "Pair of {ranks}",
        "two_pair": "Two pair, {ranks} and {lower}",
        "three_of_a_kind": "Three of a kind, {ranks}",
        "straight": "Straight, {rank} high",
        "flush": "Flush, {rank} high",
        "full_house": "Full house, {ranks} over {lower}",
        "four_of_a_kind": "Four of a kind, {ranks}",
        "straight_flush": "Straight flush, {rank} high",
        "royal_flush": "Royal flush",
    },
)
_WITH = phrase("poker.with", "{hand} with {kickers}")
_UNPAIRED = phrase("poker.small_hand", "{high}, {low}")


@cache
def describe(hand: Strength) -> Phrase:
    """A Big Hand as it is announced; within a sentence it is `describe(hand).within()`.

    >>> describe(strength(["Jh", "5c", "Js", "5d", "Ad"])), describe(strength(["Qh", "2h", "3h", "4h", "6h"]))
    ('Two pair, jacks and fives', 'Flush, queen high')
    """
    sentence, first = _HANDS[hand.name], hand.ranks[0]
    match hand.category:
        case 0:
            return sentence.format(rank=RANK_NAMES[first])
        case 2 | 6:
            return sentence.format(ranks=rank_plural(first), lower=rank_plural(hand.ranks[1]))
        case 1 | 3 | 7:
            return sentence.format(ranks=rank_plural(first))
        case 9:
            return sentence
        case _:
            return sentence.format(rank=rank_name(first))


_ANNOUNCED = {HIGH_CARD: 1, PAIR: 1, TWO_PAIR: 2, THREE_OF_A_KIND: 1, FLUSH: 1, FOUR_OF_A_KIND: 1}
"""How many of a strength's ranks `describe` names, where it does not name them all."""


def describe_fully(hand: Strength) -> Phrase:
    """A Big Hand with the ranks of all its cards, to tell apart two hands that are announced alike.

    >>> describe_fully(strength(["9h", "9c", "As", "Kd", "2d"]))
    'Pair of nines with ace, king, two'
    """
    kickers = hand.ranks[_ANNOUNCED.get(hand.category, len(hand.ranks)) :]
    if not kickers:
        return describe(hand)
    return _WITH.format(hand=describe(hand), kickers=in_a_row([rank_name(rank) for rank in kickers]))


@cache
def describe_small(hand: SmallStrength) -> Phrase:
    """A Small Hand as it is announced.

    >>> describe_small(small_strength(["Jd", "As"])), describe_small(small_strength(["7d", "7s"]))
    ('Ace, jack', 'Pair of sevens')
    """
    if hand.paired:
        return _HANDS["pair"].format(ranks=rank_plural(hand.high))
    return _UNPAIRED.format(high=RANK_NAMES[hand.high], low=rank_name(hand.low))


def category_name(category: str) -> Phrase:
    """A category in words.

    >>> category_name("three_of_a_kind")
    'Three of a kind'
    """
    return _CATEGORY_NAMES[category]
