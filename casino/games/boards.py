"""The scoreboard of a series of rounds, the same for every game that has one."""

from collections.abc import Mapping
from fractions import Fraction

from casino.games.game import Board, Standing
from casino.money import spell

Numbers = Mapping[str, Fraction] | Mapping[str, int]


def board(
    points: Numbers,
    totals: Numbers,
    reasons: Mapping[str, str],
    rounds_left: int | None,
    target: int | None = None,
    *,
    fewest: bool = False,
) -> Board:
    """The boxes by their totals; `fewest` points are the best, else the most.

    >>> [row.place for row in board({"1": 0, "2": 4, "3": 4}, {"1": 9, "2": 4, "3": 4}, {}, 2, fewest=True).standings]
    [1, 1, 3]
    """
    better = sorted(totals.values(), reverse=not fewest)
    standings = [
        Standing(int(box), Fraction(points[box]), reasons.get(box, ""), Fraction(total), better.index(total) + 1)
        for box, total in totals.items()
    ]
    return Board(tuple(sorted(standings, key=lambda row: (row.place, row.box))), rounds_left, target)


def points(number: Fraction) -> str:
    """Points as people write them in every language.

    >>> points(Fraction(49, 2)), points(Fraction(-7)), points(Fraction(29, 3))
    ('24½', '−7', '9 2/3')
    """
    whole, part = divmod(number.numerator, number.denominator)
    if not part:
        return spell(whole, 0)
    return f"{spell(whole, 0)}½" if number.denominator == 2 else f"{spell(whole, 0)} {part}/{number.denominator}"
