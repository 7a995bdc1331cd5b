"""The 18 classes of hands in Genpoker and their tie-breaks, as the table of rules/genpoker.md lists them."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from casino.phrases import Phrase, phrases


class Shape(NamedTuple):
    """What ranks a hand: its numbers, lowest first, how many cards its commoner colour has, its couples of #6.

    Nations are equal and so are colours (genpoker.1, genpoker.16).
    """

    numbers: tuple[int, ...]
    of_one_colour: int
    couples: int

    @property
    def one_colour(self) -> bool:
        return self.of_one_colour == 5

    @property
    def total(self) -> int:
        return sum(self.numbers)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards its groups of one number have, the largest first: (3, 2) is a full house."""
        return tuple(count for count, _ in self._groups)

    @property
    def groups(self) -> tuple[int, ...]:
        """The numbers of its groups, the largest group first; of equal groups, the lower number first.

        >>> shape(["5R", "6R-01", "5B", "6R-02", "1B"]).groups
        (5, 6, 1)
        """
        return tuple(number for _, number in self._groups)

    @property
    def _groups(self) -> list[tuple[int, int]]:
        return sorted(
            [(count, number) for number, count in Counter(self.numbers).items()],
            key=lambda group: (-group[0], group[1]),
        )


AMERICA = (1, 2, 3, 4, 5)
ANCESTORS = (2, 3, 4, 5, 6)


class Tie(NamedTuple):
    """What breaks a tie inside a class, in words and as a value; the lower value wins."""

    words: str
    value: Callable[[Shape], int]


class Class(NamedTuple):
    """One row of the rule table; `ties` are tried in order, after which hands are equal."""

    clause: str
    name: str
    is_held: Callable[[Shape], bool]
    ties: tuple[Tie, ...] = ()

    @property
    def words(self) -> Phrase:
        """The class as a sentence names it."""
        return _WORDS[self.name]

    @property
    def held(self) -> Phrase:
        """The class after "has", with an article if it takes one: a flush, but children."""
        return _HELD[self.name]


_WORDS = phrases(
    "genpoker.class",
    {
        "america": "America",
        "ancestors": "ancestors",
        "straight": "straight",
        "grandparents": "grandparents",
        "xx_century": "XX century",
        "two_countries": "two countries",
        "victorian": "Victorian",
        "europe": "Europe",
        "children": "children",
        "parents": "parents",
        "country": "country",
        "four_of_a_kind": "four of a kind",
        "full_house": "full house",
        "flush": "flush",
        "three_of_a_kind": "three of a kind",
        "two_pair": "two pair",
        "pair": "pair",
        "high_card": "high card",
    },
)
_HELD = phrases(
    "genpoker.held",
    {
        "america": "America",
        "ancestors": "ancestors",
        "straight": "a straight",
        "grandparents": "grandparents",
        "xx_century": "XX century",
        "two_countries": "two countries",
        "victorian": "Victorian",
        "europe": "Europe",
        "children": "children",
        "parents": "parents",
        "country": "a country",
        "four_of_a_kind": "four of a kind",
        "full_house": "a full house",
        "flush": "a flush",
        "three_of_a_kind": "three of a kind",
        "two_pair": "two pair",
        "pair": "a pair",
        "high_card": "a high card",
    },
)
_HANDS = phrases(
    "genpoker.hand",
    {
        "america": "America",
        "ancestors": "Ancestors",
        "straight": "Straight from {number}",
        "grandparents": "Grandparents",
        "xx_century": "XX century",
        "two_countries": "Two countries with a {number}",
        "victorian": "Victorian, {more}-{fewer}",
        "europe": "Europe, {more}-{fewer}",
        "children": "Children",
        "parents": "Parents",
        "country": "Country",
        "four_of_a_kind": "Four {number}s with a {other}",
        "full_house": "Full house, {number}s and {other}s",
        "flush": "Flush",
        "three_of_a_kind": "Three {number}s",
        "two_pair": "Two pair, {number}s and {other}s",
        "pair": "Pair of {number}s",
        "high_card": "High card, {numbers}",
    },
)
_TIES = phrases(
    "genpoker.tie",
    {
        "total": "The lower total of all five wins",
        "fifth": "The lower fifth card wins",
        "colour": "More cards of one colour win",
        "start": "The straight that starts lower wins",
        "beside_couple": "The hand with the lowest card beside the couple wins",
        "four": "The lower four of a kind wins",
        "three": "The lower three of a kind wins",
        "pair": "The lower pair wins",
        "lowest": "The hand with the lowest card wins",
        "beside_three": "The hand with the lowest card beside the three wins",
        "lowest_pair": "The hand with the lowest pair wins",
        "other_pair": "Of the other pairs the lower wins",
        "beside_pair": "The hand with the lowest card beside the pair wins",
        "second": "Of the second lowest cards the lower wins",
        "third": "Of the third lowest cards the lower wins",
        "fourth": "Of the fourth lowest cards the lower wins",
        "highest": "Of the highest cards the lower wins",
    },
)

_TOTAL = Tie(_TIES["total"], lambda hand: hand.total)
_FIFTH = _TIES["fifth"]
_COLOUR = Tie(_TIES["colour"], lambda hand: -hand.of_one_colour)

CLASSES: tuple[Class, ...] = (
    Class("genpoker.11", "america", lambda hand: hand.numbers == AMERICA and hand.one_colour),
    Class("genpoker.12", "ancestors", lambda hand: hand.numbers == ANCESTORS and hand.one_colour),
    Class(
        "genpoker.13",
        "straight",
        lambda hand: hand.numbers in (AMERICA, ANCESTORS),
        (Tie(_TIES["start"], lambda hand: hand.numbers[0]),),
    ),
    Class("genpoker.14", "grandparents", lambda hand: hand.numbers.count(3) == 4),
    Class("genpoker.15", "xx_century", lambda hand: hand.numbers.count(4) == 5),
    Class(
        "genpoker.16",
        "two_countries",
        lambda hand: hand.couples == 2,
        (Tie(_FIFTH, lambda hand: hand.numbers[0]),),
    ),
    Class("genpoker.17", "victorian", lambda hand: hand.numbers.count(5) == 5, (_COLOUR,)),
    Class("genpoker.18", "europe", lambda hand: hand.numbers.count(6) == 5, (_COLOUR,)),
    Class("genpoker.19", "children", lambda hand: hand.numbers.count(1) == 2),
    Class("genpoker.20", "parents", lambda hand: hand.numbers.count(2) == 2),
    Class(
        "genpoker.21",
        "country",
        lambda hand: hand.couples == 1,
        # The couple is the two highest cards, so the lowest of the other three is the lowest of all.
        (Tie(_TIES["beside_couple"], lambda hand: hand.numbers[0]), _TOTAL),
    ),
    Class(
        "genpoker.22",
        "four_of_a_kind",
        lambda hand: hand.counts == (4, 1),
        (Tie(_TIES["four"], lambda hand: hand.groups[0]), Tie(_FIFTH, lambda hand: hand.groups[1])),
    ),
    Class(
        "genpoker.23",
        "full_house",
        lambda hand: hand.counts == (3, 2),
        (
            Tie(_TIES["three"], lambda hand: hand.groups[0]),
            Tie(_TIES["pair"], lambda hand: hand.groups[1]),
        ),
    ),
    Class(
        "genpoker.24",
        "flush",
        lambda hand: hand.one_colour,
        (Tie(_TIES["lowest"], lambda hand: hand.numbers[0]), _TOTAL),
    ),
    Class(
        "genpoker.25",
        "three_of_a_kind",
        lambda hand: hand.counts == (3, 1, 1),
        (
            Tie(_TIES["three"], lambda hand: hand.groups[0]),
            Tie(_TIES["beside_three"], lambda hand: hand.groups[1]),
            _TOTAL,
        ),
    ),
    Class(
        "genpoker.26",
        "two_pair",
        lambda hand: hand.counts == (2, 2, 1),
        (
            Tie(_TIES["lowest_pair"], lambda hand: hand.groups[0]),
            Tie(_TIES["other_pair"], lambda hand: hand.groups[1]),
            Tie(_FIFTH, lambda hand: hand.groups[2]),
        ),
    ),
    Class(
        "genpoker.27",
        "pair",
        lambda hand: hand.counts == (2, 1, 1, 1),
        (
            Tie(_TIES["pair"], lambda hand: hand.groups[0]),
            Tie(_TIES["beside_pair"], lambda hand: hand.groups[1]),
            _TOTAL,
        ),
    ),
    Class(
        "genpoker.28",
        "high_card",
        lambda hand: True,
        (
            Tie(_TIES["lowest"], lambda hand: hand.numbers[0]),
            Tie(_TIES["second"], lambda hand: hand.numbers[1]),
            Tie(_TIES["third"], lambda hand: hand.numbers[2]),
            Tie(_TIES["fourth"], lambda hand: hand.numbers[3]),
            Tie(_TIES["highest"], lambda hand: hand.numbers[4]),
        ),
    ),
)
"""Best first; a hand counts as the first class that it satisfies (genpoker.5)."""


class Strength(NamedTuple):
    """Compares as hands do: the greater one wins, equal ones split. `ties` are the class's values, negated."""

    height: int
    ties: tuple[int, ...]

    @property
    def hand_class(self) -> Class:
        return CLASSES[-self.height]


def shape(cards: Sequence[str]) -> Shape:
    """What ranks five cards.

    >>> shape(["6R-01", "6B-01", "4R", "4B", "5R"])
    Shape(numbers=(4, 4, 5, 6, 6), of_one_colour=3, couples=1)
    """
    nations = [card[3:] for card in cards if len(card) > 2]
    red = sum([card[1] == "R" for card in cards])
    couples = len(nations) - len(set(nations))
    return Shape(tuple(sorted([int(card[0]) for card in cards])), max(red, 5 - red), couples)


def strength(cards: Sequence[str]) -> Strength:
    """How five cards rank.

    >>> strength(["6R-01", "6B-01", "4R", "4B", "5R"]).hand_class.name
    'country'
    """
    return ranked(shape(cards))


@lru_cache(maxsize=1024)
def ranked(hand: Shape) -> Strength:
    """The strength, by the first class that the hand satisfies (genpoker.5); the cache has room for every shape."""
    place, best = next((place, one) for place, one in enumerate(CLASSES) if one.is_held(hand))
    return Strength(-place, tuple(-tie.value(hand) for tie in best.ties))


def describe(hand: Shape) -> Phrase:
    """What a hand makes, as a croupier announces it.

    >>> describe(shape(["5R", "5R", "5R", "5B", "5R"])), describe(shape(["5R", "4R", "5B", "4R", "1B"]))
    ('Victorian, 4-1', 'Two pair, 4s and 5s')
    """
    hand_class = ranked(hand).hand_class
    sentence = _HANDS[hand_class.name]
    match hand_class.name:
        case "straight" | "two_countries":
            return sentence.format(number=hand.numbers[0])
        case "victorian" | "europe":
            return sentence.format(more=hand.of_one_colour, fewer=5 - hand.of_one_colour)
        case "four_of_a_kind" | "full_house" | "two_pair":
            return sentence.format(number=hand.groups[0], other=hand.groups[1])
        case "three_of_a_kind" | "pair":
            return sentence.format(number=hand.groups[0])
        case "high_card":
            return sentence.format(numbers="-".join(map(str, hand.numbers)))
    return sentence
