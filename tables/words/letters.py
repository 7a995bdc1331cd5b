"""Every letter of the terminal's keyboard, and two signs: when they may be pressed and what they do then.

Letters that may be pressed at the same time differ. The actions of a game take a letter of their label that is free
(`tables/terminal/buttons.py`), a card is typed by the `keys` of its face (`casino/games/decks.py`). What is not a
letter - Enter, arrows, `?`, `.` - is answered in `tables/static/tables/keys.js`, digits in `terminal.js` beside it.
"""

from enum import StrEnum, unique


@unique
class Always(StrEnum):
    """Keys at any time: neither a chip nor the beginning of a card."""

    UNDO = "Z"
    ACTIONS = "V"
    REPORT = "X"
    DISPUTE = "M"
    CALL = "Y"


@unique
class Chips(StrEnum):
    """Keys at any time, too, for chips outside of rounds: signs, since each letter left is a player's decision in some
    game."""

    BUY_IN = "+"
    TIP = "-"


@unique
class Pause(StrEnum):
    """Keys while the game offers no action: before, between and after rounds, and while one is held."""

    # It also leaves an amendment, beside the chips or cards that are entered again.
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
    """Keys while an amount is entered, beside the chips."""

    LAST = "L"


@unique
class Cards(StrEnum):
    """Keys while cards are entered, beside their own letters. `terminal.js` answers them."""

    PLAYER_SETS = "P"
