"""What a correction may set in a line of Big Two: the hands as dealt, the cards of each play, a void round."""

from collections.abc import Iterator, Mapping

from casino.games import lines
from casino.games.bigtwo.course import HAND
from casino.games.bigtwo.irregularities import RULED_BY
from casino.games.game import COUNTS_AS_PLAYED, Field, Json, Slot
from casino.phrases import phrases

_LABELS = phrases(
    "bigtwo.slot",
    {
        "dealt": "Cards dealt",
        "played": "Play",
        "of_box": "Box {box}: cards dealt",
        "play_of_box": "Box {box}: play {play}",
        "void": "Round void under",
    },
)
_DEALT = Field("cards", "cards", _LABELS["dealt"], HAND, HAND, clause="bigtwo.1")
_PLAYED = Field("cards", "cards", _LABELS["played"], 1, 5, clause="bigtwo.7")
_VOID = Field("clause", "choice", _LABELS["void"], options=(*RULED_BY, COUNTS_AS_PLAYED), optional=True)


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """All that was entered; a pass stays a pass, since every later turn depends on it. Other forms have no slots."""
    return tuple(_slots(line)) if line.get("deal") is not None else ()


def _slots(line: Mapping[str, Json]) -> Iterator[Slot]:
    for player in line["seats"]:
        path = f"deal.{player}"
        field = _DEALT._replace(name=player)
        yield Slot(path, field, _LABELS["of_box"].format(box=player), lines.at(line, path), int(player))
    for index, play in enumerate(line["plays"]):
        if play["cards"]:
            path, player = f"plays[{index}].cards", play["player"]
            label = _LABELS["play_of_box"].format(box=player, play=index + 1)
            yield Slot(path, _PLAYED, label, lines.at(line, path), int(player))
    yield Slot("void.clause", _VOID, _VOID.label, lines.at(line, "void.clause"))
