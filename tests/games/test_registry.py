"""Every game of the house is found by its code and keeps the same things in files of the same names."""

from pathlib import Path

import pytest

import casino.games
from casino.games import registry
from casino.games.game import UNFORESEEN

FOLDER = Path(casino.games.__file__).parent
FILES = {
    "__init__",
    "explain",
    "facts",
    "irregularities",
    "leaflet",
    "payments",
    "play",
    "sentences",
    "settle",
    "sheet",
    "slots",
    "state",
    "view",
}


def test_every_folder_is_a_game_of_the_registry():
    assert {folder.name for folder in FOLDER.iterdir() if (folder / "__init__.py").exists()} == set(registry.GAMES)


@pytest.mark.parametrize(("code", "game"), registry.GAMES.items(), ids=registry.GAMES)
def test_a_game_has_the_code_of_its_folder_and_the_same_files_as_any(code, game):
    assert game.code == code
    assert {path.stem for path in (FOLDER / code).glob("*.py")} >= FILES


@pytest.mark.parametrize("game", registry.GAMES.values(), ids=registry.GAMES)
def test_the_last_irregularity_of_a_game_is_what_nobody_foresaw(game):
    assert game.irregularities[-1] is UNFORESEEN
