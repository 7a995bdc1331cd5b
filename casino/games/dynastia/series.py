"""The long game: scores over the rounds of a series, and the money that moves once, with its last round (dynastia.12).

What goes from round to round is `{"totals": {"3": "49/2"}, "rounds_left": 2}`; `rounds_left` is None if a target
ends the series.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from casino.games import pot
from casino.games.dynastia.facts import Facts
from casino.games.dynastia.sheet import Sheet
from casino.games.game import COUNTS_AS_PLAYED, Carry, Goal, Result
from casino.money import whole_chips


class Series(NamedTuple):
    """Each player's total, in seat order; `rounds_left` counts those still to be scored."""

    totals: Mapping[str, Fraction]
    rounds_left: int | None

    @property
    def highest(self) -> Fraction:
        return max(self.totals.values())

    @property
    def best(self) -> list[str]:
        """Who has the highest total, in seat order."""
        return [player for player, total in self.totals.items() if total == self.highest]

    def scored(self, result: Result, void: str | None = None) -> "Series":
        """The series with a round's scores; a round `void` by house.6 has none, by another clause it is replayed."""
        if void is not None and void != COUNTS_AS_PLAYED:
            return self
        scores = result.get("scores", {})
        totals = {player: total + Fraction(scores.get(player, 0)) for player, total in self.totals.items()}
        return Series(totals, None if self.rounds_left is None else self.rounds_left - 1)

    def is_over(self, sheet: Sheet) -> bool:
        """Whether the agreed rounds are played or somebody has reached the agreed target."""
        if self.rounds_left is None:
            return sheet.target is not None and self.highest >= sheet.target
        return self.rounds_left <= 0


class Reckoning(NamedTuple):
    """What each player pays at the end of a series, and what the best receive of it."""

    owed: Mapping[str, int]
    shares: Mapping[str, int]


def goal(sheet: Sheet, seats: Sequence[int]) -> Goal | None:
    """The agreed rounds of a long game, as many as players if none are agreed, or its target (dynastia.12)."""
    if not sheet.is_long:
        return None
    return Goal(target=sheet.target) if sheet.target is not None else Goal(rounds=sheet.rounds or len(seats))


def series(sheet: Sheet, players: Iterable[str], carry: Carry) -> Series:
    """The series before a round: what the round before left, or a new one."""
    players = tuple(players)
    if carry is None:
        rounds = None if sheet.target is not None else sheet.rounds or len(players)
        return Series(dict.fromkeys(players, Fraction(0)), rounds)
    return Series({player: Fraction(carry["totals"][player]) for player in players}, carry["rounds_left"])


def reckoning(sheet: Sheet, ended: Series) -> Reckoning:
    """Each player pays for every point behind the best total, down to the chip; several best share it (house.5).

    >>> from casino.games.dynastia.sheet import sheet
    >>> ended = Series({"1": Fraction(49, 2), "2": Fraction(30), "3": Fraction(30)}, 0)
    >>> reckoning(sheet({"price": 3}), ended)
    Reckoning(owed={'1': 16}, shares={'2': 8, '3': 8})
    >>> reckoning(sheet({"chip": 5, "price": 5}), ended)
    Reckoning(owed={'1': 25}, shares={'2': 15, '3': 10})
    """
    chip_units = sheet.terms.chip_units
    due = {
        player: whole_chips(sheet.price_units * (ended.highest - total) // 1, chip_units)
        for player, total in ended.totals.items()
    }
    owed = {player: units for player, units in due.items() if units}
    return Reckoning(owed, pot.share(sum(owed.values()), ended.best, chip_units))


def reckoned(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Reckoning | None:
    """The end of the series that a round is part of; None while it goes on."""
    after = series(sheet, facts.showdown.players, carry).scored(result, facts.void)
    return reckoning(sheet, after) if after.is_over(sheet) else None


def carry(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Carry:
    """What the next round of a long game starts with; a short game ends with its round."""
    if not sheet.is_long:
        return None
    after = series(sheet, facts.showdown.players, carry).scored(result, facts.void)
    return None if after.is_over(sheet) else {"totals": _spelled(after), "rounds_left": after.rounds_left}


def totals(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Mapping[str, str]:
    """The scores of a long game up to this round; a short game adds nothing up."""
    if not sheet.is_long:
        return {}
    return _spelled(series(sheet, facts.showdown.players, carry).scored(result, facts.void))


def _spelled(series: Series) -> dict[str, str]:
    return {player: str(total) for player, total in series.totals.items()}
