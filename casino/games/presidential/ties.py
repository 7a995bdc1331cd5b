"""What decides between hands of one class: play numbers, letters, pink (presidential.31 to .36)."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from casino.games.presidential.pack import Pack


class Tie(NamedTuple):
    """A hand among hands of its class, to be compared from the left; the greater is ahead.

    `straight` is the top number of a straight, 0 without one; `group` how many equal numbers and which, (0, 0) where
    all differ; `numbers` and `letters` from high to low; `pinks` how many cards are pink.
    """

    straight: int
    group: tuple[int, int]
    numbers: tuple[int, ...]
    letters: tuple[str, ...]
    pinks: int


CLAUSES = ("presidential.31", "presidential.32", "presidential.33", "presidential.34", "presidential.35")
"""The clause of each part of a `Tie`."""

OF_NUMBERS = CLAUSES[:3]


def tie(pack: Pack, cards: Sequence[str]) -> Tie:
    """How a hand compares; a card of Kingdom V counts as the number that makes the hand greatest (presidential.36).

    >>> from casino.games.presidential.pack import house
    >>> tie(house(), "18+19-tan-man 18+19-pink-man 12-light-red 13-grey 14-grey 15-grey 16-grey".split())[:2]
    (0, (2, 19))
    """
    held = [pack.cards[card] for card in cards]
    chosen = {tuple(sorted(numbers, reverse=True)) for numbers in product(*[card.numbers for card in held])}
    straight, group, numbers = max(map(_by_numbers, chosen))
    letters = sorted([card.letter for card in held], reverse=True)
    return Tie(straight, group, numbers, tuple(letters), [card.colour for card in held].count("pink"))


def decider(first: Tie, second: Tie) -> str | None:
    """The clause that tells two hands of one class apart; None if they are equal."""
    return next((clause for clause, one, other in zip(CLAUSES, first, second, strict=True) if one != other), None)


def _by_numbers(numbers: tuple[int, ...]) -> tuple[int, tuple[int, int], tuple[int, ...]]:
    """The first three parts of a `Tie`, from numbers sorted from high to low."""
    top, low = numbers[0], numbers[-1]
    if len(set(numbers)) == len(numbers):
        return top if top - low == len(numbers) - 1 else 0, (0, 0), numbers
    return 0, max([(numbers.count(number), number) for number in numbers]), numbers
