"""What a table won in a session, by its chips: pure, from what was counted and moved, and nothing else.

`win = closer + drop + credits - opener - fills`. It equals what the rounds moved into the float and out of it, plus the
variances of the closer and of the drop: each is what was counted less what the books say. A difference between an
opener and the closer before it belongs to the cage, and is in neither.

At a pot the rounds move nothing into the float or out of it, so a win there is the closer's variance alone. The rake
lies apart, is counted apart and is not part of any win: what was counted is what the rounds left in the rake slot plus
its own variance.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from .wording import WORDING


class Grade(StrEnum):
    """How much a figure is worth."""

    FINAL = "FINAL"
    ESTIMATE = "ESTIMATE"


class Chips(NamedTuple):
    """What a session's chips came to, in units; None, which is not 0, if not counted yet."""

    opener: int | None
    fills: int
    credits: int
    drop: int | None
    closer: int | None


class Win(NamedTuple):
    """`units` is None if something is not counted; `reason` says what."""

    units: int | None
    grade: Grade
    reason: str = ""


_UNCOUNTED = {
    "opener": "opener_uncounted",
    "closer": "closer_uncounted",
    "drop": "drop_uncounted",
}


def win(chips: Chips) -> Win:
    """What the table won.

    >>> win(Chips(opener=4_000_000, fills=1_000_000, credits=500_000, drop=1_250_000, closer=3_871_000))
    Win(units=621000, grade=<Grade.FINAL: 'FINAL'>, reason='')
    >>> win(Chips(opener=4_000_000, fills=0, credits=0, drop=None, closer=None))
    Win(units=None, grade=<Grade.ESTIMATE: 'ESTIMATE'>, reason='The closer isn’t counted. The drop isn’t counted.')
    """
    opener, fills, credits, drop, closer = chips
    if opener is None or drop is None or closer is None:
        missing = [WORDING(_UNCOUNTED[name]) for name in _UNCOUNTED if getattr(chips, name) is None]
        return Win(None, Grade.ESTIMATE, " ".join(missing))
    return Win(closer + drop + credits - opener - fills, Grade.FINAL)


def together(wins: Iterable[Win]) -> Win:
    """The sum of several wins: of those that are known, with the worst grade of all.

    >>> together([Win(621_000, Grade.FINAL), Win(-9_500, Grade.ESTIMATE, "The net of the rounds that are settled.")])
    Win(units=611500, grade=<Grade.ESTIMATE: 'ESTIMATE'>, reason='The net of the rounds that are settled.')
    >>> together([]).units is None
    True
    """
    wins = list(wins)
    known = [won.units for won in wins if won.units is not None]
    final = bool(wins) and all(won.grade == Grade.FINAL for won in wins)
    reasons = dict.fromkeys(won.reason for won in wins if won.reason)
    return Win(sum(known) if known else None, Grade.FINAL if final else Grade.ESTIMATE, " ".join(reasons))
