"""Whether a table's results drift from what is expected, or somebody was just lucky: pure, round by round.

Two figures answer. A `Tally` says by how many standard deviations the win differs from the expected one: good for a
look at a span that was chosen before, worth nothing for somebody who looks every day until it is unusual. `Bets` may be
looked at after each round, for ever: imagine somebody who bets, round by round, that the boxes win more than expected.
If they don't, nobody gets rich by such bets: of 100 honest table-years at most one ever turns a purse of 1 into 100
(Ville's inequality), whatever the distribution of a round and whenever somebody looks. So a purse of 100 is an alarm at
1 in 100.

The bets are those of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (Journal of the
Royal Statistical Society B 86, 2024; arXiv 2010.09686): a round multiplies what a bettor has by `1 + share * excess /
-least`, which is never below 0 and has a mean of at most 1 where the mean of the excess is at most 0. Four bettors hold
a part of the purse, each with its own share of SHARES: a large share notices a large drift within few rounds, a small
one a small drift within many. Large payments count in full: however skewed they are, a lost bet costs its share at
most, and cutting them would hide a drift made of few, large payments.

A bettor who lost for nine months has nothing left when the table begins to drift in the tenth. So half of the purse is
bet from the first gaming day on, and of the other half a part of DAYS comes to the table each gaming day, to be bet
from then on (bets begun one after the other, as in Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework
for sequential change detection", arXiv 2203.03532, here within one purse). What waits is part of the purse. The whole
purse is one test of one table-year.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

SHARES = (Fraction(9, 10), Fraction(3, 10), Fraction(1, 10), Fraction(1, 30))
"""The part of what it has that each bettor stakes on a round: below 1, so that no purse is ever empty."""

DAYS = 366
"""The gaming days of a table-year at most."""

LEAST = Fraction(-5)
"""A box's least net in Split Poker, in ANTE: ANTE, BET of 2, the fee for two cards and that for the game."""

CUT = Fraction(14)
"""Where a box's win ends, in ANTE, for bets that the house wins too much (docs/luck.md, "The other side")."""

_BILLION = 10**9
_MOST_SHOWN = 10**9


class Box(NamedTuple):
    """A box of a settled round. `expected`, `variance`, `least` and `most` are of its net per ANTE.

    They are what was known once the dealer's open card lay, by the sheet in force: nothing later may enter them.
    """

    ante_units: int
    net_units: int
    expected: Fraction
    variance: Fraction
    least: Fraction
    most: Fraction


class Observation(NamedTuple):
    """A round as one number: what its boxes won beyond the expected, and the bounds of that, in ANTE."""

    excess: Fraction
    least: Fraction
    most: Fraction

    def mirrored(self) -> "Observation":
        """The same round for whoever bets that the house wins too much."""
        return Observation(-self.excess, -self.most, -self.least)


def observation(boxes: Sequence[Box]) -> Observation:
    """The mean over the boxes of a round: they share the dealer's hand, so a round is one observation, not several.

    >>> box = Box(500, 1000, Fraction("-0.2"), Fraction(7), LEAST, Fraction(200))
    >>> observation([box, box._replace(ante_units=100, net_units=-300)])
    Observation(excess=Fraction(-3, 10), least=Fraction(-24, 5), most=Fraction(1001, 5))

    :raises ValueError: if there is no box, or one won less than its least or more than its most.
    """
    if not boxes:
        raise ValueError("A round without a box shows nothing of luck.")
    for box in boxes:
        if not box.least <= _in_ante(box) <= box.most:
            raise ValueError(f"A box won {_in_ante(box)} ANTE; between {box.least} and {box.most} is possible.")
    expected = _mean([box.expected for box in boxes])
    return Observation(
        _mean([_in_ante(box) for box in boxes]) - expected,
        _mean([box.least for box in boxes]) - expected,
        _mean([box.most for box in boxes]) - expected,
    )


def _in_ante(box: Box) -> Fraction:
    return Fraction(box.net_units, box.ante_units)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) * Fraction(1, len(values))


class Bets(NamedTuple):
    """How the bets stand: plain integers, to be kept in a row.

    `days` have begun. `logs` are the natural logarithms of what each bettor has at the table, and `highest` that of the
    whole purse when it was largest, in billionths, rounded down: the bettors bear what that loses. The rounds of a
    gaming day come to the same `logs` in whatever order they are added.
    """

    days: int
    logs: tuple[int, ...]
    highest: int


def next_day(bets: Bets) -> Bets:
    """Bring the next part of the purse to the table; what earlier rounds came to is untouched.

    :raises ValueError: after DAYS gaming days, when a new year's bets begin.
    """
    if bets.days == DAYS:
        raise ValueError(f"The purse is at the table after {DAYS} gaming days; a new year begins with FIRST_DAY.")
    part = math.log(Fraction(1, 2 * DAYS * len(bets.logs)))
    logs = tuple([_billionths(_sum([_nats(log), part])) for log in bets.logs])
    return bets._replace(days=bets.days + 1, logs=logs)


def after(bets: Bets, observation: Observation) -> Bets:
    """The bets after one more round.

    >>> lost = after(FIRST_DAY, Observation(Fraction(-12, 5), Fraction(-24, 5), Fraction(200)))
    >>> won = after(FIRST_DAY, Observation(Fraction(24, 5), Fraction(-24, 5), Fraction(200)))
    >>> purse(lost), purse(FIRST_DAY), purse(won)
    ('0.92', '1.00', '1.17')

    :raises ValueError: if the round's excess can't be below 0, or is lower than it can be.
    """
    if not observation.least < 0 or observation.excess < observation.least:
        raise ValueError(f"An excess of {observation.excess} is not possible where {observation.least} is least.")
    part = Fraction(observation.excess, -observation.least)
    logs = tuple(
        [log + _billionths(math.log1p(share * part)) for log, share in zip(bets.logs, SHARES, strict=True)],
    )
    bets = bets._replace(logs=logs)
    return bets._replace(highest=max(bets.highest, _billionths(_log_purse(bets))))


def alarms(bets: Bets, *, once_in: int = 100) -> bool:
    """Whether the purse was ever so large that at most one in `once_in` honest table-years makes it so.

    >>> alarms(FIRST_DAY)
    False
    """
    return bets.highest >= _BILLION * math.log(once_in)


def purse(bets: Bets) -> str:
    """What the purse of 1 has become, with two places; 1,000,000,000 stands for all above it."""
    return f"{math.exp(min(_log_purse(bets), math.log(_MOST_SHOWN))):.2f}"


def rarity(bets: Bets) -> int:
    """At most one in this many honest table-years ever gets so far; 1 says nothing, and 1,000,000,000 is the highest.

    >>> rarity(FIRST_DAY), rarity(FIRST_DAY._replace(highest=4_700_000_000))
    (1, 109)
    """
    return min(_MOST_SHOWN, math.floor(math.exp(min(_nats(bets.highest), math.log(_MOST_SHOWN) + 1))))


def _log_purse(bets: Bets) -> float:
    logs = [_nats(log) for log in bets.logs]
    waiting = DAYS - bets.days
    return _sum([*logs, math.log(Fraction(waiting, 2 * DAYS))] if waiting else logs)


def _sum(logs: Sequence[float]) -> float:
    """The logarithm of the sum, without a number that is too large."""
    highest = max(logs)
    return highest + math.log(math.fsum([math.exp(log - highest) for log in logs]))


def _nats(billionths: int) -> float:
    return billionths * math.pow(10, -9)


def _billionths(log: float) -> int:
    """Round down, by a thousandth more than the error that a float may have."""
    return math.floor(log * _BILLION - Fraction(1, 1000))


FIRST_DAY = next_day(Bets(0, (_billionths(math.log(Fraction(1, 2 * len(SHARES)))),) * len(SHARES), 0))
"""The bets of a table-year before its first round."""


class Tally(NamedTuple):
    """What rounds brought the house, and what was expected of them; `variance` is of the sum, in units squared."""

    rounds: int
    win_units: int
    expected_units: Fraction
    variance: Fraction


def tally(boxes: Sequence[Box], covariance: Fraction) -> Tally:
    """One round; `covariance` is that of the nets of two of its boxes, per ANTE of each: they share the dealer's hand.

    >>> box = Box(500, 1000, Fraction("-0.2"), Fraction(7), LEAST, Fraction(200))
    >>> tally([box, box._replace(ante_units=100, net_units=-300)], Fraction(1))
    Tally(rounds=1, win_units=-700, expected_units=Fraction(120, 1), variance=Fraction(1920000, 1))
    """
    antes = sum([box.ante_units for box in boxes])
    squares = sum([box.ante_units**2 for box in boxes])
    return Tally(
        1,
        -sum([box.net_units for box in boxes]),
        -sum([box.ante_units * box.expected for box in boxes], Fraction(0)),
        sum([box.ante_units**2 * box.variance for box in boxes], Fraction(0)) + (antes**2 - squares) * covariance,
    )


def together(tallies: Iterable[Tally]) -> Tally:
    """The tally of all: rounds are dealt from packs shuffled anew, so sums and variances add up."""
    rounds, win, expected, variance = 0, 0, Fraction(0), Fraction(0)
    for each in tallies:
        rounds += each.rounds
        win += each.win_units
        expected += each.expected_units
        variance += each.variance
    return Tally(rounds, win, expected, variance)


def deviation(tally: Tally) -> str | None:
    """By how many standard deviations the house won more than expected, with two places; None if nothing varies.

    >>> deviation(Tally(100, 1_500, Fraction(2_121), Fraction(72_000)))
    '-2.31'
    """
    if not tally.variance:
        return None
    difference = tally.win_units - tally.expected_units
    hundredths = (math.isqrt(math.floor(Fraction(40_000 * difference**2, tally.variance))) + 1) // 2
    sign = "-" if difference < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


def band(tally: Tally) -> tuple[int, int]:
    """The win within two standard deviations of the expected, in units, outward to whole ones.

    >>> band(Tally(100, 1_500, Fraction(2_121), Fraction(72_000)))
    (1584, 2658)
    """
    square = math.ceil(4 * tally.variance)
    two = math.isqrt(square - 1) + 1 if square else 0
    return math.floor(tally.expected_units) - two, math.ceil(tally.expected_units) + two
