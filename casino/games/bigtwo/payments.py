"""When points become money, and who pays whom (bigtwo.14).

In `cumulative` money moves once, with the last round: each pays the price for every point above the best total. In the
other scorings every round is paid by itself. Either way a player pays or receives, never both.
"""

from collections.abc import Mapping, Sequence

from casino.games import pot
from casino.games.bigtwo.facts import Facts
from casino.games.bigtwo.series import Score, boxes_of, score
from casino.games.bigtwo.settle import counts_as_played, is_over, settle
from casino.games.bigtwo.sheet import Sheet
from casino.games.game import Carry, Pay, Result, Wager

WAGER = "points"


def moves(sheet: Sheet, scoring: str, seats: Sequence[str], net: Mapping[str, int], before: Score) -> dict[int, int]:
    """What each box receives when a round is over (negative: pays); boxes that do neither are left out.

    `seats` are in seat order from the dealer's left, so that odd chips go by house.1; `net` is the round's.

    >>> from casino.games.bigtwo.sheet import Options
    >>> sheet = Sheet(Options(), 5, 3)
    >>> moves(sheet, "cumulative", ["1", "2", "3"], {"1": 0, "2": 4, "3": 9}, Score(1, {"1": 8, "2": 4, "3": 4}, 1))
    {1: 8, 2: 7, 3: -15}
    >>> moves(sheet, "cumulative", ["1", "2", "3"], {"1": 0, "2": 4, "3": 9}, Score(1, {"1": 8, "2": 4, "3": 4}, 2))
    {}
    """
    price = sheet.price_units
    if scoring != "cumulative":
        units = {seat: price * net[seat] for seat in seats}
    elif before.rounds_left > 1:
        return {}
    else:
        units = _above_the_best({seat: price * (before.totals[seat] + net[seat]) for seat in seats}, sheet.chip_units)
    return {int(seat): received for seat, received in units.items() if received}


def _above_the_best(totals: Mapping[str, int], chip_units: int) -> dict[str, int]:
    """Each player pays their excess over the lowest total; those with the lowest share it in chips (house.1)."""
    least = min(totals.values())
    best = [seat for seat, total in totals.items() if total == least]
    shares = pot.share(sum(totals.values()) - least * len(totals), best, chip_units)
    return {seat: shares.get(seat, least - total) for seat, total in totals.items()}


def stakes(facts: Facts, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Wager, ...]:
    """One wager for each box that pays; it keeps its ordinal as long as the box pays anything."""
    paying = {box: -units for box, units in _moves(facts, settle(facts), sheet, carry).items() if units < 0}
    remaining = [wager._replace(units=paying.pop(wager.box)) for wager in wagers if wager.box in paying]
    highest = max((wager.ordinal for wager in wagers), default=0)
    new = [Wager(ordinal, box, WAGER, units) for ordinal, (box, units) in enumerate(paying.items(), highest + 1)]
    return (*remaining, *new)


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """Take the wagers of those who pay, then list what each other box receives.

    :raises ValueError: if the wagers are not exactly what the result makes boxes pay.
    """
    units = _moves(facts, result, sheet, carry)
    paying = {box: -due for box, due in units.items() if due < 0}
    staked = {wager.box: wager.units for wager in wagers}
    if staked != paying:
        raise ValueError(f"The table has {staked} of points and the result {paying}.")
    highest = max((wager.ordinal for wager in wagers), default=0)
    received = {box: due for box, due in units.items() if due > 0}
    return (
        *(Pay(*wager, 0, 0) for wager in wagers),
        *(Pay(ordinal, box, WAGER, 0, 0, due) for ordinal, (box, due) in enumerate(received.items(), highest + 1)),
    )


def _moves(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> dict[int, int]:
    boxes = boxes_of(facts)
    if is_over(result):
        net = result["net"]
    elif counts_as_played(facts):
        net = dict.fromkeys(boxes, 0)
    else:
        return {}
    return moves(sheet, facts.options.scoring, boxes, net, score(sheet, boxes, carry))
