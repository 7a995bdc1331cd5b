"""A dispute is about a clause, and each clause of a game is offered once, under its heading in the rules."""

import csv
from pathlib import Path

import pytest

from casino.games import registry
from tables.words import disputes

ROWS = csv.DictReader((Path(__file__).parents[2] / "games" / "chapters.csv").read_text().splitlines(), delimiter=";")
OF_RULES = [(row["heading"], set(row["clauses"].split())) for row in ROWS]
"""The headings of the rules, each with its clauses."""


@pytest.mark.parametrize("game", registry.GAMES.values(), ids=registry.GAMES)
def test_each_clause_of_a_game_stands_once_under_its_heading_in_the_rules(game):
    chapters = disputes.chapters(game)
    under = [(chapter["label"], [clause["value"] for clause in chapter["clauses"]]) for chapter in chapters]
    offered = [clause for _, clauses in under for clause in clauses]
    assert offered == list(game.clauses)
    assert [(label, set(clauses)) for label, clauses in under] == [
        (heading, clauses & set(game.clauses)) for heading, clauses in OF_RULES if clauses & set(game.clauses)
    ]
    assert set(game.chapters) <= set(game.clauses)


def test_what_a_round_names_stands_first_and_nowhere_else():
    game = registry.GAMES["split"]
    first, *others = disputes.chapters(game, {"split.17", "house.4"})
    assert (first["label"], [each["value"] for each in first["clauses"]]) == (
        "Named in this round", ["split.17", "house.4"],
    )  # fmt: skip
    assert not {"split.17", "house.4"} & {each["value"] for chapter in others for each in chapter["clauses"]}
