"""A round of Dynastia as contracts/adjudicate.md writes it, checked: what `settle` may rely on."""

from collections.abc import Mapping
from typing import NamedTuple

from casino.games import showdown
from casino.games.dynastia.cards import COLOURS, DECKS, HAND, PLAYERS, PLAYERS_OF, fits
from casino.games.dynastia.sheet import CLAUSES
from casino.games.game import Fault, Json
from casino.games.reading import FaultError, check_names, read_choice, shown
from casino.games.showdown import Showdown, Showing

_LINE_FIELDS = showdown.LINE_FIELDS | {"deck", "preferred"}
_COLOURS = tuple(COLOURS)
_SHOWING: Mapping[int, Showing] = {
    size: Showing(deck, HAND, PLAYERS, "a card is a number from 1 to 6 and a colour, R or B, as 3R")
    for size, deck in DECKS.items()
}


class Facts(NamedTuple):
    """All that a settlement depends on. `preferred` is a key of COLOURS; only a void round leaves it out."""

    deck: int
    preferred: str | None
    showdown: Showdown

    @property
    def void(self) -> str | None:
        """The clause of a round ruled void."""
        return self.showdown.void


def read(line: Mapping[str, Json]) -> Facts | Fault:
    """A line of contracts/adjudicate.md, checked; `id` and `game` are the caller's.

    >>> read({"preferred": "R", "hands": [{"player": "A", "cards": ["7R"]}, {"player": "B"}]}).path
    'hands[0].cards[0]'
    """
    try:
        return _line(line)
    except FaultError as error:
        return error.fault


def _line(line: Mapping[str, Json]) -> Facts:
    check_names(line, _LINE_FIELDS, "The line", "")
    void = showdown.read_void(line, CLAUSES)
    value = line.get("hands")
    size = _deck(line.get("deck"), len(value) if isinstance(value, list | tuple) else 0)
    hands = showdown.read_hands(value, _SHOWING[size], optional=void is not None, judged=void is None)
    pot_units, chip_units = showdown.read_pot(line)
    return Facts(size, _preferred(line, void), Showdown(pot_units, hands, void, chip_units))


def _deck(size: Json, players: int) -> int:
    """The named deck, if it is for that number of players, else the one of dynastia.1."""
    if size is None:
        return 72 if players == PLAYERS[1] else 64
    # 64.0 and True are not numbers of cards, though Python may find them among the keys.
    if size.__class__ is not int or size not in DECKS:
        raise FaultError("bad_field", f"The deck is {shown(size)}; it is one of 64, 72.", "deck")
    deck: int = size
    if PLAYERS[0] <= players <= PLAYERS[1] and not fits(deck, players):
        fewest, most = PLAYERS_OF[deck]
        message = f"The deck of {deck} cards is for {fewest} to {most} players; there are {players}."
        raise FaultError("bad_field", message, "deck")
    return deck


def _preferred(line: Mapping[str, Json], void: str | None) -> str | None:
    preferred = line.get("preferred")
    if preferred is None:
        if void is None:
            raise FaultError("missing_field", "The preferred colour is missing.", "preferred")
        return None
    return read_choice(preferred, _COLOURS, "The preferred colour", "preferred")
