"""The games of the house. A sixth one is a value of `game.Game` and a line here."""

from typing import Any

from casino.games.bigtwo import BIGTWO
from casino.games.dynastia import DYNASTIA
from casino.games.game import Game
from casino.games.genpoker import GENPOKER
from casino.games.presidential import PRESIDENTIAL
from casino.games.split import SPLIT

GAMES: dict[str, Game[Any, Any, Any]] = {
    SPLIT.code: SPLIT,
    GENPOKER.code: GENPOKER,
    DYNASTIA.code: DYNASTIA,
    PRESIDENTIAL.code: PRESIDENTIAL,
    BIGTWO.code: BIGTWO,
}
