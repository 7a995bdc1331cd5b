"""Every game of the house is found by its code and keeps the same things in files of the same names."""

from pathlib import Path

import pytest

import casino.games
from casino.games import registry
from casino.games.game import UNFORESEEN

PLAYED_BETWEEN_BOXES = [code for code, game in registry.GAMES.items() if game.seats]
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


@pytest.mark.parametrize("code", PLAYED_BETWEEN_BOXES)
def test_boxes_lie_where_people_sit_whoever_deals(code):
    game = registry.GAMES[code]
    for seats in ((1, 2, 4), (4, 1, 2), (2, 4, 1)):
        seen = game.view(game.start(game.sheet({}), seats, None))
        assert seen.places == (1, 2, 4)
        assert [box.number for box in seen.boxes] == [1, 2, 4]


def test_the_dealer_pays_from_his_right_the_other_way_round_than_he_asks():
    split = registry.GAMES["split"]
    for order, boxes in (("ascending", (5, 3, 2)), ("descending", (2, 3, 5))):
        assert split.paying(split.sheet({"box_order": order}), (3, 2, 5)) == boxes
    others = [game for code, game in registry.GAMES.items() if code != "split"]
    assert all(game.paying(game.sheet({}), (3, 2, 5)) == (2, 3, 5) for game in others)
