"""What is staked in Split Poker, and what becomes of it: what `settle.verdict` decided, carried over to the wagers."""

from collections.abc import Sequence

from casino.games.game import Carry, Handed, Pay, Result, Wager
from casino.games.split.facts import Facts
from casino.games.split.settle import wagers as wagers_of
from casino.games.split.sheet import Sheet
from casino.games.split.state import Box, State
from casino.money import EVEN, paid_units


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


def paying(sheet: Sheet, boxes: Sequence[int]) -> tuple[int, ...]:
    """The order of paying, from the dealer's right; the sheet's order, in which boxes are asked, begins at the left."""
    return tuple(sorted(boxes, reverse=sheet.box_order == "ascending"))


def handed(state: State) -> tuple[Handed, ...]:
    """What each finished box has come to (split.12, house.7)."""
    done = ((box.number, handed_units(state, box)) for box in state.boxes)
    return tuple(Handed(number, units) for number, units in done if units is not None)


def handed_units(state: State, box: Box) -> int | None:
    """What a box has come to: all is swept once it folds or shows a Big Hand below; without the game it is paid before
    the replacement. None while its stakes lie on it; a ruling moves nothing by itself."""
    if box.ruling is not None:
        return box.handed_units
    staked = {stake.kind: stake.units for stake in state.stakes if stake.box == box.number}
    if box.folded or state.is_below(box):
        return -sum(staked.values())
    if box.buys_game is False and state.replacement is not None:
        return ante_payment(state, box) - staked.get("cards_fee", 0)
    return None


def ante_payment(state: State, box: Box) -> int:
    """What a box that does not buy the game is paid on its ANTE (split.11)."""
    sheet = state.sheet
    return paid_units(box.ante_units, EVEN, chip_units=sheet.chip_units, cap_units=sheet.max_payment_units)
