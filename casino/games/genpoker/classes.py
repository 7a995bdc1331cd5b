"""The 18 classes of hands in Genpoker and their tie-breaks, as the table of rules/genpoker.md lists them."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple


class Shape(NamedTuple):
    """All of a hand that ranks it: its numbers, lowest first, the cards of its commoner colour, its couples of #6.

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
        """The numbers of its groups, those of most cards first, of as many cards the lower number first.

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
    """One row of the rule table; `ties` in their order, after which hands are equal."""

    clause: str
    name: str
    words: str
    is_held: Callable[[Shape], bool]
    ties: tuple[Tie, ...] = ()


_TOTAL = Tie("The lower total of all five wins", lambda hand: hand.total)
_FIFTH = "The lower fifth card wins"
_COLOUR = Tie("More cards of one colour win", lambda hand: -hand.of_one_colour)

CLASSES: tuple[Class, ...] = (
    Class("genpoker.11", "america", "America", lambda hand: hand.numbers == AMERICA and hand.one_colour),
    Class("genpoker.12", "ancestors", "ancestors", lambda hand: hand.numbers == ANCESTORS and hand.one_colour),
    Class(
        "genpoker.13",
        "straight",
        "straight",
        lambda hand: hand.numbers in (AMERICA, ANCESTORS),
        (Tie("The lower start wins", lambda hand: hand.numbers[0]),),
    ),
    Class("genpoker.14", "grandparents", "grandparents", lambda hand: hand.numbers.count(3) == 4),
    Class("genpoker.15", "xx_century", "XX century", lambda hand: hand.numbers.count(4) == 5),
    Class(
        "genpoker.16",
        "two_countries",
        "two countries",
        lambda hand: hand.couples == 2,
        (Tie(_FIFTH, lambda hand: hand.numbers[0]),),
    ),
    Class("genpoker.17", "victorian", "Victorian", lambda hand: hand.numbers.count(5) == 5, (_COLOUR,)),
    Class("genpoker.18", "europe", "Europe", lambda hand: hand.numbers.count(6) == 5, (_COLOUR,)),
    Class("genpoker.19", "children", "children", lambda hand: hand.numbers.count(1) == 2),
    Class("genpoker.20", "parents", "parents", lambda hand: hand.numbers.count(2) == 2),
    Class(
        "genpoker.21",
        "country",
        "country",
        lambda hand: hand.couples == 1,
        # The couple are the two highest, so that the lowest of the other three is the lowest of all.
        (Tie("The lowest of the other three decides", lambda hand: hand.numbers[0]), _TOTAL),
    ),
    Class(
        "genpoker.22",
        "four_of_a_kind",
        "four of a kind",
        lambda hand: hand.counts == (4, 1),
        (Tie("The lower four wins", lambda hand: hand.groups[0]), Tie(_FIFTH, lambda hand: hand.groups[1])),
    ),
    Class(
        "genpoker.23",
        "full_house",
        "full house",
        lambda hand: hand.counts == (3, 2),
        (
            Tie("The lower three wins", lambda hand: hand.groups[0]),
            Tie("The lower pair wins", lambda hand: hand.groups[1]),
        ),
    ),
    Class(
        "genpoker.24",
        "flush",
        "flush",
        lambda hand: hand.one_colour,
        (Tie("The lower lowest card wins", lambda hand: hand.numbers[0]), _TOTAL),
    ),
    Class(
        "genpoker.25",
        "three_of_a_kind",
        "three of a kind",
        lambda hand: hand.counts == (3, 1, 1),
        (
            Tie("The lower three wins", lambda hand: hand.groups[0]),
            Tie("The lowest of the other two decides", lambda hand: hand.groups[1]),
            _TOTAL,
        ),
    ),
    Class(
        "genpoker.26",
        "two_pair",
        "two pair",
        lambda hand: hand.counts == (2, 2, 1),
        (
            Tie("The lower of the lower-numbered pairs wins", lambda hand: hand.groups[0]),
            Tie("The lower of the other pairs wins", lambda hand: hand.groups[1]),
            Tie(_FIFTH, lambda hand: hand.groups[2]),
        ),
    ),
    Class(
        "genpoker.27",
        "pair",
        "pair",
        lambda hand: hand.counts == (2, 1, 1, 1),
        (
            Tie("The lower pair wins", lambda hand: hand.groups[0]),
            Tie("The lowest of the other three decides", lambda hand: hand.groups[1]),
            _TOTAL,
        ),
    ),
    Class(
        "genpoker.28",
        "high_card",
        "high card",
        lambda hand: True,
        (
            Tie("The lowest card decides", lambda hand: hand.numbers[0]),
            Tie("The next lowest decides", lambda hand: hand.numbers[1]),
            Tie("The third lowest decides", lambda hand: hand.numbers[2]),
            Tie("The fourth lowest decides", lambda hand: hand.numbers[3]),
            Tie("The highest card decides", lambda hand: hand.numbers[4]),
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
    """By the first class that the hand satisfies (genpoker.5); the deck has fewer shapes than the cache has room."""
    place, best = next((place, one) for place, one in enumerate(CLASSES) if one.is_held(hand))
    return Strength(-place, tuple(-tie.value(hand) for tie in best.ties))


def describe(hand: Shape) -> str:
    """What a hand makes, as a croupier announces it.

    >>> describe(shape(["5R", "5R", "5R", "5B", "5R"])), describe(shape(["5R", "4R", "5B", "4R", "1B"]))
    ('Victorian, 4-1', 'Two pair, 4s and 5s')
    """
    hand_class = ranked(hand).hand_class
    first, *others = hand.groups
    match hand_class.name:
        case "straight":
            return f"Straight from {hand.numbers[0]}"
        case "two_countries":
            return f"Two countries with a {hand.numbers[0]}"
        case "victorian" | "europe":
            return f"{hand_class.words}, {hand.of_one_colour}-{5 - hand.of_one_colour}"
        case "four_of_a_kind":
            return f"Four {first}s with a {others[0]}"
        case "full_house":
            return f"Full house, {first}s and {others[0]}s"
        case "three_of_a_kind":
            return f"Three {first}s"
        case "two_pair":
            return f"Two pair, {first}s and {others[0]}s"
        case "pair":
            return f"Pair of {first}s"
        case "high_card":
            return "High card, " + "-".join(map(str, hand.numbers))
    return hand_class.words[0].upper() + hand_class.words[1:]
