"""What becomes of the wagers of Presidential Poker."""

from collections.abc import Sequence

from casino.games import pot
from casino.games.game import Carry, Pay, Result, Wager
from casino.games.presidential.facts import Facts
from casino.games.presidential.sheet import Sheet


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """What becomes of each wager, in their order."""
    if facts.showdown.void is not None:
        return pot.pay_back(wagers)
    return pot.pay_shares(result.get("shares", {}), wagers)
