"""A showdown of Genpoker as contracts/adjudicate.md writes it, checked: what `settle` may rely on."""

from collections.abc import Mapping

from casino.games import showdown
from casino.games.game import Fault, Json
from casino.games.genpoker.cards import SIXTY_FOUR
from casino.games.genpoker.sheet import CLAUSES, PLAYERS
from casino.games.reading import FaultError, check_names
from casino.games.showdown import Showdown, Showing

Facts = Showdown

_SHOWING = Showing(
    SIXTY_FOUR, 5, PLAYERS, "a card is a number and a colour, as 3R, and of #6 also a nation from 01 to 16, as 6R-07"
)


def read(line: Mapping[str, Json]) -> Facts | Fault:
    """A line of contracts/adjudicate.md, checked; `id` and `game` are the caller's.

    >>> read({"hands": [{"player": "A", "cards": ["6R"]}]}).message
    '1 hand, not 2 to 8.'
    """
    try:
        check_names(line, showdown.LINE_FIELDS, "The line", "")
        void = showdown.read_void(line, CLAUSES)
        hands = showdown.read_hands(line.get("hands"), _SHOWING, optional=void is not None, judged=void is None)
        pot_units, chip_units = showdown.read_pot(line)
        return Facts(pot_units, hands, void, chip_units)
    except FaultError as error:
        return error.fault
