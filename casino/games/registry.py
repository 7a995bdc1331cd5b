"""The games of the house. A sixth one is a value of `game.Game` and a line here."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from casino import phrases
from casino.games.bigtwo import BIGTWO
from casino.games.dynastia import DYNASTIA
from casino.games.game import Fault, Game, Json, Parameter
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


def catalogue() -> Iterator[tuple[str, str]]:
    """Every sentence of the games with its context, including those of leaflets, which are made from a sheet."""
    for game in GAMES.values():
        for sheet in sheets(game):
            game.leaflet(sheet)
    yield from phrases.catalogue()


def sheets(game: Game[Any, Any, Any]) -> Iterator[Any]:
    """Sheets of a game with each combination of its choices, each count at both ends, with and without limits."""
    ways = {parameter.name: _ways(parameter) for parameter in game.parameters}
    for values in product(*ways.values()):
        sheet = game.sheet({name: value for name, value in zip(ways, values, strict=True) if value is not _AS_IT_IS})
        if not isinstance(sheet, Fault):
            yield sheet


_AS_IT_IS = object()


def _ways(parameter: Parameter) -> tuple[Json, ...]:
    if parameter.kind == "choice":
        return parameter.options
    if parameter.kind == "count":
        return (_AS_IT_IS, parameter.minimum, parameter.maximum)
    if parameter.optional:
        return (_AS_IT_IS, parameter.minimum or 1)
    return (_AS_IT_IS,)
