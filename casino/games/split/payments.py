"""What is staked in Split Poker, and what becomes of it: what `settle.verdict` decided, carried over to the wagers."""

from collections.abc import Sequence

from casino.games.game import Carry, Pay, Result, Wager
from casino.games.split.facts import Facts
from casino.games.split.settle import wagers as wagers_of
from casino.games.split.sheet import Sheet


def stakes(facts: Facts, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Wager, ...]:
    """Every box's stakes by its ANTE, its decision and whether it bought the game (split.4, split.6, split.12).

    A wager that an earlier correction took out finds its ordinal again if `wagers` still names it.
    """
    staked = {(box.number, kind): units for box in facts.boxes for kind, units in wagers_of(box)}
    remaining = []
    for wager in wagers:
        units = staked.pop((wager.box, wager.kind), None)
        if units is not None:
            remaining.append(wager._replace(units=units))
    highest = max((wager.ordinal for wager in wagers), default=0)
    new = [Wager(ordinal, *key, units) for ordinal, (key, units) in enumerate(staked.items(), highest + 1)]
    return (*remaining, *new)


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """What becomes of each wager, in their order.

    :raises ValueError: if the wagers are not exactly those of the result.
    """
    rows = {(box["box"], row["kind"]): row for box in result["boxes"] for row in box["wagers"]}
    pays = []
    for wager in wagers:
        row = rows.pop((wager.box, wager.kind), None)
        if row is None:
            raise ValueError(f"The result has no further {wager.kind} of box {wager.box}.")
        if row["stake"] != wager.units:
            raise ValueError(
                f"The {wager.kind} of box {wager.box} is {wager.units} on the table and {row['stake']} in the result."
            )
        pays.append(Pay(wager.ordinal, wager.box, wager.kind, wager.units, row["returned"], row["paid"]))
    if rows:
        box, kind = next(iter(rows))
        raise ValueError(f"The {kind} of box {box} is in the result, but not on the table.")
    return tuple(pays)
