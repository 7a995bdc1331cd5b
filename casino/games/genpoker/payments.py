"""What becomes of the stakes of Genpoker."""

from collections.abc import Sequence

from casino.games import pot
from casino.games.game import Carry, Pay, Result, Wager
from casino.games.genpoker.facts import Facts
from casino.games.genpoker.sheet import Sheet


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """What becomes of each stake, in their order."""
    if facts.void is not None:
        return pot.pay_back(wagers)
    return pot.pay_shares(result.get("shares", {}), wagers)
