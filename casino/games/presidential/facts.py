"""A round of Presidential Poker as contracts/adjudicate.md writes it, checked: what `settle` may rely on."""

from collections.abc import Mapping
from typing import NamedTuple

from casino.games.game import Fault, Json
from casino.games.presidential.hands import CARDS
from casino.games.presidential.pack import InvalidDeckError, Pack, load
from casino.games.presidential.sheet import CLAUSES, PLAYERS
from casino.games.reading import FaultError, check_names, shown
from casino.games.showdown import (
    LINE_FIELDS,
    Hand,
    Showdown,
    Showing,
    read_hands,
    read_player,
    read_pot,
    read_void,
)

_LINE_FIELDS = LINE_FIELDS | {"deck_file", "dropped"}
_FORM = "a card is named as in the deck file, like 3-dark-yellow"


class Facts(NamedTuple):
    """All that a settlement depends on. `dropped` are players out of the betting, whose cards nobody sees."""

    pack: Pack
    showdown: Showdown
    dropped: tuple[str, ...]

    @property
    def met(self) -> bool:
        """Whether hands meet at a showdown; else one player is left, whose bet nobody met (presidential.6)."""
        return len(self.showdown.hands) > 1

    @property
    def everybody(self) -> Showdown:
        """All players, with those who dropped as if they held closed cards: a void round has an outcome for each."""
        out = (Hand(player, None) for player in self.dropped)
        return self.showdown._replace(hands=(*self.showdown.hands, *out))


def read(line: Mapping[str, Json]) -> Facts | Fault:
    """A line of contracts/adjudicate.md, checked; `id` and `game` are the caller's.

    >>> read({"hands": [{"player": "A"}, {"player": "B"}]})
    Fault(code='missing_field', message='The cards of A are missing.', path='hands[0].cards')
    """
    try:
        return _line(line)
    except FaultError as error:
        return error.fault


def _line(line: Mapping[str, Json]) -> Facts:
    check_names(line, _LINE_FIELDS, "The line", "")
    void = read_void(line, CLAUSES)
    pack = _pack(line.get("deck_file"))
    value = line.get("hands")
    alone = isinstance(value, list | tuple) and len(value) == 1
    showing = Showing(pack.deck, CARDS, (1, PLAYERS[1]), _FORM)
    hands = read_hands(value, showing, optional=void is not None or alone, judged=void is None)
    dropped = _dropped(line.get("dropped"), {hand.player for hand in hands})
    count = len(hands) + len(dropped)
    fewest, most = PLAYERS
    # A void round may leave the hands out; the players who dropped are then fewer than played.
    if not (fewest if hands or void is None else 0) <= count <= most:
        where = "dropped" if dropped else "hands"
        there = "There is 1 player" if count == 1 else f"There are {count} players"
        raise FaultError("bad_field", f"{there}; there are {fewest} to {most}.", where)
    pot_units, chip_units = read_pot(line)
    return Facts(pack, Showdown(pot_units, hands, void, chip_units), dropped)


def _pack(path: Json) -> Pack:
    if path is not None and (not isinstance(path, str) or not path):
        raise FaultError("bad_field", f"The deck file is {shown(path)}, not a path.", "deck_file")
    try:
        return load(path)
    except InvalidDeckError as error:
        raise FaultError("deck_invalid", str(error), "deck_file") from error


def _dropped(value: Json, names: set[str]) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise FaultError("bad_field", f"The players who dropped are {shown(value)}, not a list of names.", "dropped")
    dropped = []
    for index, name in enumerate(value):
        if name is None:
            raise FaultError("bad_field", "A player who dropped is null, not a name.", f"dropped[{index}]")
        dropped.append(read_player(name, names, f"dropped[{index}]"))
    return tuple(dropped)
