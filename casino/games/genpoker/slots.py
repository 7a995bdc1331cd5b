"""What a correction may set in a line of Genpoker."""

from collections.abc import Mapping

from casino.games import showdown
from casino.games.game import Field, Json, Slot
from casino.games.genpoker.irregularities import RULED_BY
from casino.phrases import phrase

_CARDS = Field("cards", "cards", phrase("genpoker.field.cards", "Five cards"), 5, 5, clause="genpoker.3")


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """The cards that were shown, and the clause of a void round."""
    return tuple(showdown.slots(line, _CARDS, RULED_BY))
