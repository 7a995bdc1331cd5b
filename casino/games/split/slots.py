"""What a correction may set in a line of Split Poker."""

from collections.abc import Iterator, Mapping

from casino.games import lines
from casino.games.game import Field, Json, Slot
from casino.games.reading import MAXIMUM_UNITS
from casino.games.split.facts import ACTIONS, RULINGS
from casino.games.split.irregularities import RULED_BY
from casino.phrases import phrase, phrases

_LABELS = phrases(
    "split.slot",
    {
        "dealer": "Dealer’s five cards, the open card last",
        "replacement": "Dealer’s replacement",
        "dealer_small": "Dealer’s Small Hand",
        "ante": "ANTE",
        "action": "decision",
        "cards": "five cards",
        "extra": "two more cards",
        "small": "Small Hand as the player set it",
        "buys_game": "buys the game",
        "ruling": "ruling",
        "clause": "clause of the ruling",
        "void": "Round void under",
    },
)
_OF_BOX = phrase("split.slot.box", "Box {box}: {what}")
_VOID = Field("clause", "choice", _LABELS["void"], options=RULED_BY, optional=True)
_DEALER: Mapping[str, Field] = {
    "cards": Field("cards", "cards", _LABELS["dealer"], 5, 5, optional=True, clause="split.5"),
    "replacement": Field("replacement", "card", _LABELS["replacement"], optional=True, clause="split.13"),
    "small": Field("small", "cards", _LABELS["dealer_small"], 2, 2, optional=True, clause="split.16"),
}
_BOX: Mapping[str, Field] = {
    "action": Field("action", "choice", _LABELS["action"], options=ACTIONS, clause="split.6"),
    "cards": Field("cards", "cards", _LABELS["cards"], 5, 5, optional=True, clause="split.5"),
    "extra": Field("extra", "cards", _LABELS["extra"], 2, 2, optional=True, clause="split.6"),
    "small": Field("small", "cards", _LABELS["small"], 2, 2, optional=True, clause="split.9"),
    "buys_game": Field("buys_game", "flag", _LABELS["buys_game"], optional=True, clause="split.12"),
    "ruling.what": Field("what", "choice", _LABELS["ruling"], options=RULINGS, optional=True),
    "ruling.clause": Field("clause", "choice", _LABELS["clause"], options=RULED_BY, optional=True),
}


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """All that was entered in the round, and its rulings; a box can't be added, removed or renumbered."""
    return tuple(_slots(line))


def _slots(line: Mapping[str, Json]) -> Iterator[Slot]:
    for name, field in _DEALER.items():
        yield Slot(f"dealer.{name}", field, field.label, lines.at(line, f"dealer.{name}"))
    # The table's limits are not in the line; a multiple of the smallest chip is (split.23).
    chip = line.get("chip") or 1
    ante = Field("ante", "units", _LABELS["ante"], chip, MAXIMUM_UNITS, chip, clause="split.23")
    for index, box in enumerate(line["boxes"]):
        number = box["box"]
        for name, field in {"ante": ante, **_BOX}.items():
            path = f"boxes[{index}].{name}"
            yield Slot(path, field, _OF_BOX.format(box=number, what=field.label), lines.at(line, path), number)
    yield Slot("void.clause", _VOID, _VOID.label, lines.at(line, "void.clause"))
