"""How often each set is the best of seven cards, as they are dealt."""

from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from math import comb

from casino.games.dynastia.cards import CARDS_OF, DECKS, HAND, NUMBER
from casino.games.dynastia.sentences import set_words
from casino.games.dynastia.sets import strength
from casino.games.dynastia.sheet import Sheet
from casino.games.frequencies import Class, Frequencies
from casino.phrases import phrase

_CARDS = phrase("dynastia.frequencies", "Seven cards of {size}, before the exchange")


@lru_cache(maxsize=2)
def counted(size: int) -> dict[str, int]:
    """How many hands of a deck have each best set, from best to worst, with `none` at the end.

    The numbers held decide (dynastia.4): for each choice of numbers, count the hands with no others, less those that
    lack one of them.

    >>> sum(counted(64).values()) == comb(64, 7)
    True
    """
    copies = DECKS[size].copies
    cards_of = {number: sum([copies[card] for card in copies if NUMBER[card] == number]) for number in CARDS_OF}
    hands: dict[tuple[int, ...], int] = {}
    best = {}
    for held in _subsets(tuple(cards_of)):
        within = comb(sum([cards_of[number] for number in held]), HAND)
        hands[held] = within - sum([hands[part] for part in _subsets(held) if part != held])
        strong = strength([f"{number}R" for number in held], "R")
        best[held] = (strong.has_set, strong.lowest, strong.length), strong.name
    counts: dict[str, int] = {}
    for held in sorted(hands, key=lambda held: best[held][0], reverse=True):
        _, name = best[held]
        counts[name] = counts.get(name, 0) + hands[held]
    return counts


def _subsets(numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(numbers, count) for count in range(len(numbers) + 1)))


def frequencies(sheet: Sheet) -> tuple[Frequencies, ...]:
    """Frequencies of both decks: which one is used depends on the number of players (dynastia.1)."""
    return tuple([_of_deck(size) for size in DECKS])


def _of_deck(size: int) -> Frequencies:
    hands = comb(size, HAND)
    classes = [
        Class(
            set_words(name),
            "dynastia.4" if name != "none" else "dynastia.10",
            Fraction(count, hands),
        )
        for name, count in counted(size).items()
    ]
    return Frequencies(_CARDS.format(size=size), hands, tuple(classes))
