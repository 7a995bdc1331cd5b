"""Every letter of the terminal's keyboard and two signs, by when they may be pressed and what they do then.

Letters that may be pressed at the same time differ. The actions of a game take a letter of their label that is free
(`tables/terminal/buttons.py`), a card is typed by the `keys` of its face (`casino/games/decks.py`). What is not a
letter - Enter, arrows, `?`, `.` - is answered in `tables/static/tables/keys.js`, digits in `terminal.js` beside it.
"""

from enum import StrEnum, unique


@unique
class Always(StrEnum):
    """Beside everything else: neither a chip nor the beginning of a card."""

    UNDO = "Z"
    ACTIONS = "V"
    REPORT = "X"
    DISPUTE = "M"
    CALL = "Y"


@unique
class Chips(StrEnum):
    """Beside everything else too, for chips that no round is about: signs, since each letter that is left is a player's
    decision in some game."""

    BUY_IN = "+"
    TIP = "-"


@unique
class Pause(StrEnum):
    """Where the game offers no action: before, between and after rounds, and while one is held."""

    # Also the way back from an amendment, beside the chips or the cards that are entered again.
    NEXT = "N"
    WHO_PLAYS = "W"
    SERIES = "G"
    RELEASE = "R"
    RULE = "U"
    VOID = "O"


CHIPS = "QWERTUIOP"
"""While an amount is entered: one for each chip, the smallest first."""


@unique
class Amount(StrEnum):
    """While an amount is entered, beside the chips."""

    LAST = "L"


@unique
class Cards(StrEnum):
    """While cards are entered, beside their own letters. `terminal.js` answers to it."""

    PLAYER_SETS = "P"
