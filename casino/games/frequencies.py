"""How often hands as they are dealt fall into each class of a game: counted over all of them, or sampled."""

import math
from fractions import Fraction
from typing import NamedTuple

_BILLION = 10**9


class Class(NamedTuple):
    """A class of hands as a croupier calls it, its clause, its share of all hands and the standard error of that share;
    an `error` of None means counted, not sampled."""

    name: str
    clause: str
    share: Fraction
    error: Fraction | None = None


class Frequencies(NamedTuple):
    """Classes of hands, best first. `hands` is how many hands there are; shares add up to 1. `sample` is how many hands
    were looked at for the shares that have an error."""

    cards: str
    hands: int
    classes: tuple[Class, ...]
    sample: int = 0


def error(share: Fraction, sample: int) -> Fraction:
    """The standard error of a share that was sampled, to a billionth above.

    >>> float(error(Fraction(1, 4), 10_000))
    0.004330128
    """
    square = share * (1 - share) * Fraction(_BILLION**2, sample)
    return Fraction(math.isqrt(math.ceil(square)) + 1, _BILLION)
