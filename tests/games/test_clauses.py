"""Every clause of every rule file stands in a case table, or in `clauses.csv` with the test that shows it."""

import csv
import importlib
import json
import re
from pathlib import Path

from casino import adjudicate
from casino.games import registry
from tests.games import (
    test_bigtwo_cases,
    test_dynastia_cases,
    test_genpoker_cases,
    test_presidential_cases,
    test_split_cases,
)

SHOWN = {
    row["clause"]: row["tested by"]
    for row in csv.DictReader(Path(__file__).with_name("clauses.csv").read_text().splitlines())
}
"""Clauses of cards, of the deal and of the table, on which no answer to a line turns."""

LINES = [
    *(test_split_cases.line_of(case) for case in test_split_cases.CASES),
    *(test_genpoker_cases.line_of(case) for case in test_genpoker_cases.CASES),
    *(test_dynastia_cases.line_of(case) for case in test_dynastia_cases.CASES),
    *(test_presidential_cases.line_of(case) for case in test_presidential_cases.CASES),
    *(test_bigtwo_cases.compare_line(case) for case in test_bigtwo_cases.CASES),
    *(test_bigtwo_cases.line_of(case) for case in test_bigtwo_cases.PLAYS),
    *(test_bigtwo_cases.points_line(case) for case in test_bigtwo_cases.POINTS),
]


def cited(line):
    """The clauses in the answer to a line and in its explanation."""
    answer, ok = adjudicate.answer(json.dumps(line).encode(), 1, explain=True)
    assert ok, answer
    return set(re.findall(r'"([a-z]+\.[0-9]+)"', json.dumps(answer)))


def test_every_clause_is_cited_by_a_case_or_shown_by_a_test():
    by_cases = set().union(*map(cited, LINES))
    assert not by_cases & SHOWN.keys()
    assert by_cases | SHOWN.keys() == {clause for game in registry.GAMES.values() for clause in game.clauses}


def test_what_shows_a_clause_exists():
    for place in SHOWN.values():
        module, name = place.split("::")
        assert callable(getattr(importlib.import_module(f"tests.games.{module}"), name)), place
