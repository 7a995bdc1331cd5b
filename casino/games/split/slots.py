"""What a correction may set in a line of Split Poker."""

from collections.abc import Iterator, Mapping

from casino.games import lines
from casino.games.game import Field, Json, Slot
from casino.games.reading import MAXIMUM_UNITS
from casino.games.split.facts import ACTIONS, RULINGS
from casino.games.split.irregularities import RULED_BY

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
