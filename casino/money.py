"""Amounts are integers of the currency's smallest unit; a ratio is two integers. Nothing here is ever a float."""

from collections.abc import Collection
from fractions import Fraction
from math import gcd
from typing import NamedTuple


class Units(int):
    """An amount among other values of a sentence, so that whoever puts it into words spells it in the currency.

    An exact amount that is not a whole number of units is a `Fraction` there.
    """


class Ratio(NamedTuple):
    """A coefficient `n:d`: a stake is paid n for each d (split.23).

    >>> str(Ratio(3, 2))
    '3:2'
    """

    numerator: int
    denominator: int

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}"


EVEN = Ratio(1, 1)


def paid_units(stake_units: int, ratio: Ratio, *, chip_units: int, cap_units: int | None) -> int:
    """What a winning stake is paid: the ratio, then the cap (split.24), then down to the smallest chip (split.23).

    The house keeps the fraction.

    >>> paid_units(25, Ratio(3, 2), chip_units=5, cap_units=None)
    35
    >>> paid_units(20, Ratio(100, 1), chip_units=5, cap_units=1234)
    1230
    """
    units = stake_units * ratio.numerator // ratio.denominator
    if cap_units is not None:
        units = min(units, cap_units)
    return whole_chips(units, chip_units)


def whole_chips(units: int, chip_units: int) -> int:
    """An amount down to the chip (house.5); the caller says who keeps the rest.

    >>> whole_chips(2850, 100), whole_chips(99, 100)
    (2800, 0)
    """
    return units - units % chip_units


def spell(units: int, decimals: int) -> str:
    """An amount as people read it: thin spaces for thousands, a true minus, decimals only where there are any.

    >>> spell(-123456700, 2), spell(150, 2), spell(5, 0), spell(0, 2)
    ('−1\u2009234\u2009567', '1.50', '5', '0')
    """
    whole, part = divmod(abs(units), 10**decimals)
    text = f"{whole:,}".replace(",", "\u2009")
    if part:
        text += f".{part:0{decimals}d}"
    return f"\u2212{text}" if units < 0 else text


def spell_exact(amount: Fraction, decimals: int) -> str:
    """An amount with a part of a unit: all decimals, then the part as a fraction.

    >>> spell_exact(Fraction(400, 3), 0), spell_exact(Fraction(400, 3), 2), spell_exact(Fraction(200), 2)
    ('133 and 1/3', '1.33 and 1/3', '2')
    """
    whole, part = divmod(amount.numerator, amount.denominator)
    if not part:
        return spell(whole, decimals)
    major, minor = divmod(whole, 10**decimals)
    digits = f".{minor:0{decimals}d}" if decimals else ""
    return f"{spell(major, 0)}{digits} and {part}/{amount.denominator}"


class NoChipsError(ValueError):
    """An amount that no chips of a set add up to."""


def chips(units: int, denominations: Collection[int]) -> tuple[tuple[int, int], ...]:
    """An amount in chips as (denomination, count): as many of the largest as possible, then of the next.

    >>> chips(750, (1, 5, 25, 100, 500))
    ((500, 1), (100, 2), (25, 2))
    >>> chips(600, (200, 500))
    ((200, 3),)

    :raises NoChipsError: if no chips of these values add up to it.
    """
    tally = _tally(units, tuple(sorted(denominations, reverse=True)))
    if tally is None:
        raise NoChipsError(f"No chips of {', '.join(map(str, denominations))} add up to {units}.")
    return tally


def covered(units: int, denominations: Collection[int]) -> tuple[tuple[tuple[int, int], ...], int]:
    """The part of an amount that chips can make, as `chips` gives it, and the rest, which predates house.5.

    >>> covered(2850, (100, 500, 2500))
    (((2500, 1), (100, 3)), 50)
    """
    rest = units % min(denominations)
    return chips(units - rest, denominations), rest


def _tally(units: int, largest_first: tuple[int, ...]) -> tuple[tuple[int, int], ...] | None:
    if not largest_first:
        return None if units else ()
    largest, *others = largest_first
    if units % gcd(*largest_first):
        return None
    for count in range(units // largest, -1, -1):
        rest = _tally(units - count * largest, tuple(others))
        if rest is not None:
            return ((largest, count), *rest) if count else rest
    return None
