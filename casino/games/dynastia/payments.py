"""What is staked in Dynastia and what becomes of it: the pot of a short game, the points of a long one."""

from collections.abc import Mapping, Sequence

from casino.games import pot
from casino.games.dynastia.facts import Facts
from casino.games.dynastia.series import reckoned
from casino.games.dynastia.settle import settle
from casino.games.dynastia.sheet import Sheet
from casino.games.game import Carry, Pay, Result, Wager

POINTS = "points"


def points(owed: Mapping[str, int]) -> tuple[Wager, ...]:
    """A wager for each box that pays at the end of a long game."""
    return tuple(Wager(ordinal, int(player), POINTS, units) for ordinal, (player, units) in enumerate(owed.items(), 1))


def stakes(facts: Facts, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Wager, ...]:
    """No card changes the stakes of a short game; the points that a long one pays are calculated anew."""
    if not sheet.is_long:
        return tuple(wagers)
    end = reckoned(facts, settle(facts), sheet, carry)
    owed = {wager.box: wager for wager in points(end.owed if end else {})}
    remaining = [wager._replace(units=owed.pop(wager.box).units) for wager in wagers if wager.box in owed]
    highest = max((wager.ordinal for wager in wagers), default=0)
    new = [wager._replace(ordinal=ordinal) for ordinal, wager in enumerate(owed.values(), highest + 1)]
    return (*remaining, *new)


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """The pot to the best hands, or at the end of a long game the points to the best totals.

    :raises ValueError: if the wagers are not those that the result is about.
    """
    if sheet.is_long:
        end = reckoned(facts, result, sheet, carry)
        owed = end.owed if end else {}
        if {str(wager.box): wager.units for wager in wagers} != owed:
            raise ValueError(f"The points on the table are {wagers}; the series pays {owed}.")
        return pot.pay_shares(end.shares if end else {}, wagers)
    if facts.void is not None:
        return pot.pay_back(wagers)
    pot_units = sheet.terms.pot_units(sum(wager.units for wager in wagers))
    if pot_units != facts.showdown.pot_units:
        raise ValueError(f"The wagers make a pot of {pot_units}; that of the round is {facts.showdown.pot_units}.")
    return pot.pay_shares(result["shares"], wagers)
