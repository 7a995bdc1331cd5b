"""Corrections of a complete line of contracts/adjudicate.md, the same for every game: a game only lists its slots."""

import copy
import json
import re
from collections.abc import Mapping
from typing import Any

from casino.games.game import Fault, Field, Game, Json, Slot

_ONE_OF_SEVERAL = re.compile(r"(.+)\[([0-9]{1,2})\]")


def slots(game: Game[Any, Any, Any], line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """What a correction may set in a line; nothing if `read` does not accept it, such as one that no close wrote."""
    return () if isinstance(game.read(line), Fault) else game.slots(line)


def amend(game: Game[Any, Any, Any], line: Mapping[str, Json], changes: Mapping[str, Json]) -> dict[str, Json] | Fault:
    """A copy of the line, which `read` accepts, with values set at the paths of slots, or taken out by None.

    A path may go one card deeper (`boxes[0].cards[3]`). It may also name what holds several slots (`boxes[0].ruling`):
    its value is then an object of some of them, or None for all. The order of the changes doesn't matter: a list is set
    before one of its cards, an object before one of its parts.
    """
    fields = {slot.path: slot.field for slot in slots(game, line)}
    spread: dict[str, Json] = {}
    for path in sorted(changes):
        parts = _spread(fields, path, changes[path])
        if isinstance(parts, Fault):
            return parts
        spread |= parts
    amended = copy.deepcopy(dict(line))
    for path in sorted(spread):
        if not _put(amended, path, copy.deepcopy(spread[path])):
            return Fault("bad_field", f"There is no card at {path}.", path)
    facts = game.read(amended)
    return facts if isinstance(facts, Fault) else amended


def at(line: Mapping[str, Json], path: str) -> Json:
    """The value at the path of a slot or of a card in it; None if that, or what would hold it, is left out.

    >>> at({"boxes": [{"box": 1, "cards": ["As"]}]}, "boxes[0].ruling.what") is None
    True
    """
    place: Json = line
    for step in _steps(path):
        if place is None or (isinstance(step, int) and step >= len(place)):
            return None
        place = place[step] if isinstance(step, int) else place.get(step)
    return place


def _spread(fields: Mapping[str, Field], path: str, value: Json) -> dict[str, Json] | Fault:
    """One change, as changes of single slots and of cards in them."""
    within = _ONE_OF_SEVERAL.fullmatch(path)
    if path in fields or (within and within[1] in fields and fields[within[1]].kind == "cards"):
        return {path: value}
    below = [slot for slot in fields if slot.startswith(f"{path}.")]
    if not below:
        return Fault("bad_field", f"A correction can't set {json.dumps(path[:60])}.", path)
    if value is None:
        return dict.fromkeys(below)
    if not isinstance(value, Mapping) or not value:
        return Fault("bad_field", f"{path} is set by its parts: {', '.join(below)}.", path)
    spread: dict[str, Json] = {}
    for name in sorted(value):
        parts = _spread(fields, f"{path}.{name}", value[name])
        if isinstance(parts, Fault):
            return parts
        spread |= parts
    return spread


def _put(line: dict[str, Json], path: str, value: Json) -> bool:
    """Put a value in its place and say whether it had one; only a single card may have none."""
    *way, last = _steps(path)
    holder: Json = None
    place: Json = line
    for step in way:
        holder, place = place, place[step] if isinstance(step, int) else place.get(step)
        if place is None:
            if value is None or isinstance(last, int):
                return not isinstance(last, int)
            place = holder[step] = {}
    if isinstance(last, int):
        # A card taken out leaves None, so that `read` says which one is missing and the others keep their places.
        if not isinstance(place, list) or last >= len(place):
            return False
        place[last] = value
    elif value is not None:
        place[last] = value
    elif place.get(last) is not None:
        del place[last]
        if not place and isinstance(holder, dict):
            del holder[way[-1]]
    return True


def _steps(path: str) -> list[str | int]:
    """`boxes[0].cards` is boxes, 0, cards; without brackets a number is a name, as a player's in `deal.3`."""
    return [int(index) if index else name for index, name in re.findall(r"\[([0-9]+)\]|(\w+)", path)]
