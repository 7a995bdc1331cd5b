"""What a correction may set in a line of Presidential Poker."""

from collections.abc import Mapping

from casino.games import showdown
from casino.games.game import Field, Json, Slot
from casino.games.presidential.hands import CARDS
from casino.games.presidential.irregularities import RULED_BY
from casino.phrases import phrase

_SEVEN = phrase("presidential.slot.cards", "Seven cards")


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """Each player's cards, and the clause of a void round; who dropped stays out."""
    alone = len(line.get("hands") or ()) == 1
    cards = Field("cards", "cards", _SEVEN, CARDS, CARDS, clause="presidential.5", optional=alone)
    return tuple(showdown.slots(line, cards, RULED_BY))
