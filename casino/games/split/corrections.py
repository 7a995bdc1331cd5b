"""What a correction may set in a line of Split Poker, and what it then leaves staked."""

from collections.abc import Iterator, Mapping, Sequence

from casino.games import lines
from casino.games.game import Carry, Field, Json, Slot, Wager
from casino.games.reading import MAXIMUM_UNITS
from casino.games.split.facts import ACTIONS, RULINGS, Facts
from casino.games.split.irregularities import RULED_BY
from casino.games.split.settle import wagers as wagers_of
from casino.games.split.sheet import Sheet

_VOID = Field("clause", "choice", "Round void under", options=RULED_BY, optional=True)
_DEALER: Mapping[str, Field] = {
    "cards": Field("cards", "cards", "Dealer's five cards, the open card last", 5, 5, optional=True, clause="split.5"),
    "replacement": Field("replacement", "card", "Dealer's replacement", optional=True, clause="split.13"),
    "small": Field("small", "cards", "Dealer's Small Hand", 2, 2, optional=True, clause="split.16"),
}
_BOX: Mapping[str, Field] = {
    "action": Field("action", "choice", "decision", options=ACTIONS, clause="split.6"),
    "cards": Field("cards", "cards", "five cards", 5, 5, optional=True, clause="split.5"),
    "extra": Field("extra", "cards", "two more cards", 2, 2, optional=True, clause="split.6"),
    "small": Field("small", "cards", "Small Hand as the player set it", 2, 2, optional=True, clause="split.9"),
    "buys_game": Field("buys_game", "flag", "buys the game", optional=True, clause="split.12"),
    "ruling.what": Field("what", "choice", "ruling", options=RULINGS, optional=True),
    "ruling.clause": Field("clause", "choice", "clause of the ruling", options=RULED_BY, optional=True),
}


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """All that was entered in the round, and its rulings; a box can't come in, go, or change its number."""
    return tuple(_slots(line))


def _slots(line: Mapping[str, Json]) -> Iterator[Slot]:
    for name, field in _DEALER.items():
        yield Slot(f"dealer.{name}", field, field.label, lines.at(line, f"dealer.{name}"))
    # The table's limits are not in the line; a multiple of the smallest chip is (split.23).
    chip = line.get("chip") or 1
    ante = Field("ante", "units", "ANTE", chip, MAXIMUM_UNITS, chip, clause="split.23")
    for index, box in enumerate(line["boxes"]):
        number = box["box"]
        for name, field in {"ante": ante, **_BOX}.items():
            path = f"boxes[{index}].{name}"
            yield Slot(path, field, f"Box {number}: {field.label}", lines.at(line, path), number)
    yield Slot("void.clause", _VOID, _VOID.label, lines.at(line, "void.clause"))


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
