"""Ranking and penalty points when a round is over (bigtwo.6, bigtwo.12 to bigtwo.14)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.games.bigtwo.combinations import RANKS
from casino.games.bigtwo.sheet import Options
from casino.games.game import Json

MULTIPLIED: Mapping[str, tuple[tuple[int, int], ...]] = {
    "none": (),
    "8-10-13": ((13, 4), (10, 3), (8, 2)),
    "10-13": ((13, 3), (10, 2)),
}
"""bigtwo.13: from how many cards left the penalty is taken how many times, the most first."""


class Penalty(NamedTuple):
    """A player's points: the base of bigtwo.12 times `factor` (bigtwo.13)."""

    base: int
    factor: int

    @property
    def points(self) -> int:
        return self.base * self.factor


def penalty(options: Options, left: Sequence[str]) -> Penalty:
    """The penalty for the cards that a player has left; the winner has none.

    >>> penalty(Options(base="ranks", multiplier="8-10-13"), ["3d", "4d", "5d", "6d", "7d", "8d", "9d", "2s"])
    Penalty(base=41, factor=2)
    """
    match options.base:
        case "cards":
            base = len(left)
        case "ranks":
            base = sum([RANKS.index(card[0]) + 1 for card in left])
        case _:
            base = 1 if left else 0
    factors = (factor for fewest, factor in MULTIPLIED[options.multiplier] if len(left) >= fewest)
    return Penalty(base, next(factors, 1))


def ranking(left: Mapping[str, int]) -> list[list[str]]:
    """Groups of players with equally many cards left, the fewest first, within a group in the order given.

    >>> ranking({"N": 4, "W": 0, "S": 4, "E": 1})
    [['W'], ['E'], ['N', 'S']]
    """
    return [[player for player in left if left[player] == count] for count in sorted(set(left.values()))]


def nets(scoring: str, left: Mapping[str, int], points: Mapping[str, int]) -> dict[str, int]:
    """Each player's points received less points paid; in `cumulative`, the points added to their total (bigtwo.14).

    >>> nets("pay_higher", {"N": 0, "W": 2, "S": 5}, {"N": 0, "W": 2, "S": 5})
    {'N': 7, 'W': 3, 'S': -10}
    """
    if scoring == "cumulative":
        return dict(points)
    receives = dict.fromkeys(left, 0)
    for player, count in left.items():
        for other in left:
            if left[other] < count if scoring == "pay_higher" else left[other] == 0 < count:
                receives[other] += points[player]
                receives[player] -= points[player]
    return receives


def settled(options: Options, left: Mapping[str, Sequence[str]]) -> dict[str, Json]:
    """The part of the contract's answer that only a finished round has, from the cards left."""
    counts = {player: len(cards) for player, cards in left.items()}
    points = {player: penalty(options, cards).points for player, cards in left.items()}
    return {"ranking": ranking(counts), "points": points, "net": nets(options.scoring, counts, points)}
