"""What players read follows the sheet, option by option, and marks what is the house's: for every game."""

import csv
from itertools import product
from pathlib import Path

import pytest

from casino.games import registry
from casino.games.game import Fault
from casino.games.leaflets import Row

HERE = Path(__file__).parent
RULINGS = {row["clause"]: row["marked"] for row in csv.DictReader((HERE / "rulings.csv").read_text().splitlines())}
"""The clauses with a sentence that is the house's ruling, and whether all of the clause is."""
WORDS = list(csv.DictReader((HERE / "leaflet_words.csv").read_text().splitlines(), delimiter=";"))
"""What an option of a sheet makes the page say, and no other option of that parameter."""
GAMES = pytest.mark.parametrize("game", registry.GAMES.values(), ids=registry.GAMES)
NOT_PLAYED = {
    *(("split", "house.1"), ("split", "house.3"), ("split", "house.5"), ("bigtwo", "house.3")),
    *(("split", "house.6"), ("genpoker", "house.6"), ("presidential", "house.6")),
}
"""Of pots and of series, in games that have none; what chips pay in Split Poker says split.23."""
NEEDS = {
    ("split", "chip"): {"ante_minimum": 210, "ante_maximum": 2100},
    ("genpoker", "chip"): {"stake": 210},
    ("dynastia", "chip"): {"stake": 210},
    ("presidential", "chip"): {"stake": 210, "bet_minimum": 210},
    ("bigtwo", "chip"): {"price": 210},
    ("dynastia", "rounds"): {"game": "long"},
    ("dynastia", "target"): {"game": "long"},
    ("dynastia", "price"): {"game": "long"},
    **{(game, "rake_cap"): {"rake_percent": 5} for game in ("genpoker", "dynastia", "presidential")},
}
"""What else a sheet sets where a parameter has no effect by itself."""
ONE, OTHER = 30, 70
"""Two values for a number, that are no other parameter's default and fit together."""


def leaflet(game, values):
    sheet = game.sheet(values)
    assert not isinstance(sheet, Fault), sheet
    return game.leaflet(sheet)


def read(leaflet):
    """A leaflet as a text, each row as `label = value`."""
    told = [f"{item.label} = {item.value}" if isinstance(item, Row) else item.text for item in leaflet.statements()]
    return "\n".join([leaflet.lede, *told, *(rule.lead for chapter in leaflet.chapters for rule in chapter.rules)])


def sheets(game):
    """The values of a sheet for each combination of options, and of limits that may be left out."""
    ways = [
        [(parameter.name, option) for option in parameter.options]
        or [(parameter.name, value) for value in ({None, ONE} if parameter.optional else {parameter.default, ONE})]
        for parameter in game.parameters
        if parameter.options or parameter.optional or parameter.name == "rake_percent"
    ]
    return [dict(values) for values in product(*ways)]


def variants(game):
    return [leaflet(game, values) for values in sheets(game)]


@GAMES
def test_exactly_the_house_s_rulings_have_a_diamond(game):
    marked, plain = set(), set()
    for variant in variants(game):
        for item in variant.statements():
            (marked if item.house else plain).add(item.clause)
    expected = {clause: how for clause, how in RULINGS.items() if clause in game.clauses}
    expected = {clause: how for clause, how in expected.items() if (game.code, clause) not in NOT_PLAYED}
    assert {clause: "part" if clause in plain else "whole" for clause in marked - {""}} == expected


@GAMES
def test_every_clause_of_the_game_is_on_the_page_of_some_sheet_and_no_other(game):
    told = {item.clause for variant in variants(game) for item in variant.statements()}
    assert told - {""} == {clause for clause in game.clauses if (game.code, clause) not in NOT_PLAYED}


@pytest.mark.parametrize("row", WORDS, ids=lambda row: "-".join([row["game"], row["parameter"], row["option"]]))
def test_an_option_of_the_sheet_has_its_own_words(row):
    game = registry.GAMES[row["game"]]
    text = read(leaflet(game, {row["parameter"]: row["option"]}))
    others = [
        other["option"] for other in WORDS if (other["game"], other["parameter"]) == (row["game"], row["parameter"])
    ]
    for words in row["words"].split("|"):
        assert words in text
        for option in others:
            assert option == row["option"] or words not in read(leaflet(game, {row["parameter"]: option})), option


def test_every_option_of_every_game_is_tried():
    assert {(row["game"], row["parameter"], row["option"]) for row in WORDS} == {
        (game.code, parameter.name, option)
        for game in registry.GAMES.values()
        for parameter in game.parameters
        for option in parameter.options
        if (game.code, parameter.name) != ("presidential", "deck") or option == "house"
    }


@pytest.mark.parametrize(
    ("game", "parameter"),
    [
        pytest.param(game, parameter, id=f"{game.code}-{parameter.name}")
        for game in registry.GAMES.values()
        for parameter in game.parameters
        if parameter.kind in {"units", "count"}
    ],
)
def test_a_number_of_the_sheet_stands_on_the_page(game, parameter):
    one, other = (2, 3) if parameter.name == "boxes" else (ONE, OTHER)
    needed = NEEDS.get((game.code, parameter.name), {})
    said = [set(read(leaflet(game, {parameter.name: number, **needed})).splitlines()) for number in (one, other)]
    changed = [said[0] - said[1], said[1] - said[0]]
    assert [len(lines) for lines in changed] == [1, 1]
    assert all(str(number) in lines.pop() for number, lines in zip((one, other), changed, strict=True))


@GAMES
def test_a_limit_that_is_left_out_is_said(game):
    for parameter in game.parameters:
        if parameter.optional and parameter.kind == "units":
            needed = NEEDS.get((game.code, parameter.name), {})
            assert "= no limit" in read(leaflet(game, needed))


def test_a_coefficient_stands_at_its_category_and_another_than_published_is_the_house_s():
    split = registry.GAMES["split"]
    default = next(parameter.default for parameter in split.parameters if parameter.kind == "ratios")
    for changed in default:
        ratio = "1:2" if changed == "pair" else f"{2 * int(default[changed].split(':')[0]) + 1}:2"
        rows = leaflet(split, {"coefficients": default | {changed: ratio}}).listings[0].rows
        for row, category in zip(rows, default, strict=True):
            told = (ratio if category == changed else default[category]).replace(":", " to ")
            published = list(default).index(category) <= list(default).index("full_house") and category != changed
            assert row[1:] == (told, "split.21" if published else "split.22", not published), row
