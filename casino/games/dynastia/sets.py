"""What a hand of Dynastia is worth, and which of two is better (dynastia.4 to dynastia.10)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.games.dynastia.cards import CARDS_OF, NUMBER


class Strength(NamedTuple):
    """How strong a hand is: the greater, the better; the parts are compared in the order of DECIDES.

    `lowest` and `others` hold numbers below zero, since the lower number wins. `in_colour` says for each number of the
    set, going up, whether it is held in the preferred colour; `others` are the preferred cards that the set doesn't
    use, going up. Without a set all but `others` is empty.
    """

    has_set: bool
    lowest: int
    length: int
    preferred: int
    in_colour: tuple[bool, ...]
    others: tuple[int, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the best set; () without one."""
        return tuple(range(-self.lowest, self.length - self.lowest))

    @property
    def worth(self) -> int:
        """What the set is worth in the long game (dynastia.12), 0 without one (dynastia.10)."""
        return sum(self.numbers)

    @property
    def name(self) -> str:
        """The set as the contract and the croupier name it: `2-3-4`, or `none`."""
        return "-".join(map(str, self.numbers)) or "none"


DECIDES: tuple[str, ...] = (
    "dynastia.10",  # a set before none
    "dynastia.5",  # the lower start
    "dynastia.6",  # the longer set
    "dynastia.7",  # more cards of the preferred colour in it
    "dynastia.8",  # going up, the first number that only one holds in it
    "dynastia.9",  # the other cards
)
"""The clause by which each part of a Strength decides."""


def _best(held: int) -> tuple[int, ...]:
    """The run of two to six numbers that starts lowest, at its full length (dynastia.4); bit n says that n is held."""
    for start in CARDS_OF:
        end = start
        while held >> end & 1:
            end += 1
        if end - start >= 2:
            return tuple(range(start, end))
    return ()


_BEST: Mapping[int, tuple[int, ...]] = {held: _best(held) for held in range(0, 128, 2)}


def strength(cards: Sequence[str], preferred: str) -> Strength:
    """What a hand is worth when `preferred` is the colour of the bottom card.

    >>> strength(["3B", "1R", "2R", "3R", "6R", "6B", "6B"], "R")
    Strength(has_set=True, lowest=-1, length=3, preferred=3, in_colour=(True, True, True), others=(-6,))
    >>> strength(["1R", "3B", "5B", "5R", "5R", "5B", "5B"], "R").others
    (-1, -5, -5)
    """
    held = 0
    favoured = []
    for card in cards:
        number = NUMBER[card]
        held |= 1 << number
        if card[1] == preferred:
            favoured.append(number)
    best = _BEST[held]
    favoured.sort()
    if not best:
        return Strength(False, 0, 0, 0, (), tuple([-number for number in favoured]))
    in_colour = []
    for number in best:
        # A number held in both colours uses the preferred one (dynastia.7).
        is_favoured = number in favoured
        in_colour.append(is_favoured)
        if is_favoured:
            favoured.remove(number)
    return Strength(
        True, -best[0], len(best), sum(in_colour), tuple(in_colour), tuple([-number for number in favoured])
    )


def decides(better: Strength, worse: Strength) -> str:
    """The clause that puts one hand before another.

    :raises ValueError: if they are equal.

    >>> low, long = strength(["2R", "3R", *["6B"] * 5], "R"), strength(["3R", "4R", "5R", *["6B"] * 4], "R")
    >>> decides(low, long)
    'dynastia.5'
    """
    for clause, one, other in zip(DECIDES, better, worse, strict=True):
        if one != other:
            return clause
    raise ValueError(f"The hands are equal: {better}.")
