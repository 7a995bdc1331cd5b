"""What a correction may set in a line of Dynastia."""

from collections.abc import Mapping

from casino.games import lines, showdown
from casino.games.dynastia.cards import COLOURS, HAND
from casino.games.dynastia.irregularities import RULED_BY
from casino.games.game import COUNTS_AS_PLAYED, Field, Json, Slot
from casino.phrases import phrase

_SEVEN = phrase("dynastia.slot.cards", "Seven cards")
_COLOUR = phrase("dynastia.slot.preferred", "Preferred colour")
_CARDS = Field("cards", "cards", _SEVEN, HAND, HAND, optional=True, clause="dynastia.2")
_PREFERRED = Field("preferred", "choice", _COLOUR, options=tuple(COLOURS), optional=True, clause="dynastia.2")


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """The preferred colour, every hand and the clause of a void round; the deck and the pot follow from the sheet."""
    preferred = Slot("preferred", _PREFERRED, _PREFERRED.label, lines.at(line, "preferred"))
    # A line without a pot is of a long game, in which a round can be void and count as played (house.6).
    ruled_by = RULED_BY if line.get("pot") is not None else (*RULED_BY, COUNTS_AS_PLAYED)
    return (preferred, *showdown.slots(line, _CARDS, ruled_by))
