"""The games of the house. A sixth one is a module that keeps `game.Game` and a line here."""

from typing import Any

from casino.games import bigtwo, dynastia, genpoker, presidential, split
from casino.games.game import Game

GAMES: dict[str, Game[Any, Any, Any]] = {
    "split": split,
    "genpoker": genpoker,
    "dynastia": dynastia,
    "presidential": presidential,
    "bigtwo": bigtwo,
}
