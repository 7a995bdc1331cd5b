"""Combinations and what beats them (bigtwo.7 to bigtwo.11).

Cards are places in ORDER, sets of cards are integers with a bit for each place: four bits a rank, from the 3 up to the
2, within a rank from diamonds up to spades. The higher bit is the higher card (bigtwo.1).
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from casino.cards import RANK_NAMES, SUIT_NAMES, VALUE, card_name, rank_plural
from casino.phrases import Phrase, phrases

RANKS = "3456789TJQKA2"
SUITS = "dchs"
ORDER: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
PLACE: dict[str, int] = {card: place for place, card in enumerate(ORDER)}
DECK = (1 << len(ORDER)) - 1

KINDS = ("single", "pair", "triple", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush")
SINGLE, PAIR, TRIPLE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH = range(len(KINDS))
_SIZES = (1, 2, 3, 5, 5, 5, 5, 5)

_DIAMONDS = sum(1 << PLACE[rank + "d"] for rank in RANKS)
_CARDS_OF_SUIT = tuple(_DIAMONDS << suit for suit in range(4))


class Combination(NamedTuple):
    """Cards played together. Of two of a size, the greater is stronger: by kind (bigtwo.7), then by `top` (bigtwo.8).

    `top` is the place of the card that decides; a triple, a full house and a four go by their rank alone.
    """

    kind: int
    top: int

    @property
    def name(self) -> str:
        """The kind as the contract writes it."""
        return KINDS[self.kind]

    @property
    def size(self) -> int:
        return _SIZES[self.kind]

    @property
    def is_bomb(self) -> bool:
        """Whether bigtwo.10 calls this a bomb, even if the sheet has no bombs."""
        return self.kind >= FOUR_OF_A_KIND


def cards_set(cards: Iterable[str]) -> int:
    """A set of distinct cards, as an integer.

    >>> cards_set(["3d", "3c"]), cards_set(["4d"])
    (3, 16)
    """
    return sum([1 << PLACE[card] for card in cards])


def combination(cards: Iterable[str]) -> Combination | None:
    """The strongest combination that uses all of these distinct cards, or None.

    >>> combination(["2s", "Ad", "Kd", "Qd", "Jd"]).name, combination(["As", "2d", "3d", "4d", "5d"])
    ('straight', None)
    """
    held = cards_set(cards)
    return strongest(held, held.bit_count())


def strongest(pool: int, size: int) -> Combination | None:
    """The strongest combination of `size` cards that a set of cards holds.

    >>> strongest(cards_set(["9d", "9h", "9s", "8d"]), 2)
    Combination(kind=1, top=27)
    """
    match size:
        case 1:
            return Combination(SINGLE, pool.bit_length() - 1) if pool else None
        case 2:
            return _of_one_rank(pool, 2, PAIR)
        case 3:
            return _of_one_rank(pool, 3, TRIPLE)
        case 5:
            return _strongest_five(pool)
    return None


def beats(new: Combination, standing: Combination, *, bombs: bool) -> bool:
    """Whether `new` may be played on `standing` (bigtwo.4, bigtwo.10).

    Only five cards make a bomb, so a combination of another size never has a bomb to beat.
    """
    if new.size == standing.size:
        return new > standing
    return bombs and new.is_bomb


def could_beat(pool: int, held: int, standing: Combination, *, bombs: bool) -> bool:
    """Whether a player with `held` unknown cards could beat what lies on the table (bigtwo.11).

    `pool` is every card not yet played, including those never dealt. Any `held` of them may be the hand, so the
    strongest combination in the pool with at most that many cards decides.
    """
    for size in {standing.size, 5}:
        best = strongest(pool, size) if held >= size else None
        if best is not None and beats(best, standing, bombs=bombs):
            return True
    return False


def _strongest_five(pool: int) -> Combination | None:
    return (
        _straight_flush(pool)
        or (_of_one_rank(pool, 4, FOUR_OF_A_KIND) if pool.bit_count() > 4 else None)
        or _full_house(pool)
        or _flush(pool)
        or _straight(pool)
    )


def _of_one_rank(pool: int, count: int, kind: int) -> Combination | None:
    """The highest rank with `count` cards. A pair goes by its higher suit; a triple or four of a rank is unique."""
    for rank in range(12, -1, -1):
        suits = pool >> 4 * rank & 15
        if suits.bit_count() >= count:
            return Combination(kind, 4 * rank + suits.bit_length() - 1)
    return None


def _full_house(pool: int) -> Combination | None:
    triple = _of_one_rank(pool, 3, FULL_HOUSE)
    if triple is None:
        return None
    others = pool & ~(15 << triple.top // 4 * 4)
    return triple if _of_one_rank(others, 2, PAIR) else None


def _flush(pool: int) -> Combination | None:
    suits = [pool & suit for suit in _CARDS_OF_SUIT]
    top = max([cards.bit_length() - 1 for cards in suits if cards.bit_count() >= 5], default=None)
    return None if top is None else Combination(FLUSH, top)


def _straight(pool: int) -> Combination | None:
    """The highest five ranks in a row with the highest card of the top rank."""
    ranks = (pool | pool >> 1 | pool >> 2 | pool >> 3) & _DIAMONDS
    lowest = _lowest_of_runs(ranks)
    if not lowest:
        return None
    rank = lowest.bit_length() // 4 + 4
    return Combination(STRAIGHT, 4 * rank + (pool >> 4 * rank & 15).bit_length() - 1)


def _straight_flush(pool: int) -> Combination | None:
    lowest = _lowest_of_runs(pool)
    return Combination(STRAIGHT_FLUSH, lowest.bit_length() - 1 + 16) if lowest else None


def _lowest_of_runs(pool: int) -> int:
    """The lowest card of each straight flush in the pool; none runs past the 2 (bigtwo.9)."""
    return pool & pool >> 4 & pool >> 8 & pool >> 12 & pool >> 16


_WITHIN = phrases(
    "bigtwo.combination",
    {
        "single": "the {card}",
        "pair": "a pair of {ranks} up to {suit}",
        "triple": "a triple of {ranks}",
        "straight": "a straight up to the {card}",
        "flush": "a flush up to the {card}",
        "full_house": "a full house of {ranks}",
        "four_of_a_kind": "four {ranks} with one card",
        "straight_flush": "a straight flush up to the {card}",
    },
)
_ANNOUNCED = phrases(
    "bigtwo.announced",
    {
        "single": "{rank} of {suit}",
        "pair": "Pair of {ranks} up to {suit}",
        "triple": "Triple of {ranks}",
        "straight": "Straight up to the {card}",
        "flush": "Flush up to the {card}",
        "full_house": "Full house of {ranks}",
        "four_of_a_kind": "Four {ranks} with one card",
        "straight_flush": "Straight flush up to the {card}",
    },
)


@cache
def describe(made: Combination) -> Phrase:
    """A combination within a sentence.

    >>> describe(combination(["9d", "9h"])), describe(combination(["2s", "Ad", "Kd", "Qd", "Jd"]))
    ('a pair of nines up to hearts', 'a straight up to the two of spades')
    """
    return _WITHIN[made.name].format(**_called(made))


@cache
def announce(made: Combination) -> Phrase:
    """A combination by itself, as a croupier announces it.

    >>> announce(combination(["9d"])), announce(combination(["9d", "9h"]))
    ('Nine of diamonds', 'Pair of nines up to hearts')
    """
    return _ANNOUNCED[made.name].format(**_called(made))


def _called(made: Combination) -> dict[str, Phrase]:
    """The values that a combination's name may use, all taken from its `top`."""
    top = ORDER[made.top]
    value = VALUE[top]
    return {"card": card_name(top), "rank": RANK_NAMES[value], "ranks": rank_plural(value), "suit": SUIT_NAMES[top[1]]}
