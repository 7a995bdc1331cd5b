"""How the boxes of a series stand after a round: points with their reason, totals, places, and what is left to play."""

import json
import math
from fractions import Fraction

import pytest

from casino.games import registry
from casino.games.bigtwo import BIGTWO
from casino.games.boards import points
from casino.games.dynastia import DYNASTIA
from tables.words import boards
from tests.support import evening
from tests.support.bigtwo_rounds import DEALS, dealt, play, read, table
from tests.support.evening import sheet

TWO = {2: DEALS["two"]["N"], 1: DEALS["two"]["W"]}
WINS = ("2 3c 4d 5d 6h 7s", "1 -", "2 8c 8d 8h", "1 -", "2 Ks Kd", "1 -", "2 2s 2h", "1 -", "2 Jd")


def board(game, line, rules, carry):
    facts = game.read(json.loads(json.dumps(line)))
    return game.board(facts, game.settle(facts), rules, carry)


def rows(shown):
    return [(row.box, row.place, points(row.points), row.reason, points(row.total)) for row in shown.standings]


def after(carry=None, line=None, **values):
    state = play(dealt(table(carry=carry, **values), TWO), *WINS)
    return board(BIGTWO, BIGTWO.facts(state) | (line or {}), state.sheet, carry)


@pytest.mark.parametrize(
    ("values", "winner", "loser"),
    [
        ({}, (2, 1, "0", "Out first", "0"), (1, 2, "13", "13 cards left", "13")),
        ({"multiplier": "10-13"}, (2, 1, "0", "Out first", "0"), (1, 2, "39", "13 cards left, times 3", "39")),
        ({"base": "one"}, (2, 1, "0", "Out first", "0"), (1, 2, "1", "13 cards left, one point", "1")),
        ({"base": "ranks"}, (2, 1, "0", "Out first", "0"), (1, 2, "85", "13 cards left, ranks 85", "85")),
        (
            {"scoring": "winner_takes_all"},
            (2, 1, "13", "Out first", "13"),
            (1, 2, "\u221213", "13 cards left, paid to box 2", "\u221213"),
        ),
        (
            {"scoring": "pay_higher"},
            (2, 1, "13", "Out first", "13"),
            (1, 2, "\u221213", "13 cards left, paid to each ahead", "\u221213"),
        ),
    ],
)
def test_big_two_says_why_each_box_has_its_points(values, winner, loser):
    assert rows(after(**values)) == [winner, loser]


def test_the_totals_make_the_places_not_the_round():
    shown = after({"leader": 1, "totals": {"1": 2, "2": 20}, "rounds_left": 3})
    assert [(row.box, row.place) for row in shown.standings] == [(1, 1), (2, 2)]
    assert shown.rounds_left == 2
    assert boards.ahead(shown) == "Box 1 is ahead with 15 points; 2 rounds to play"


@pytest.mark.parametrize(
    ("totals", "rounds_left", "text"),
    [
        ({"1": 0, "2": 13}, 2, "Boxes 1 and 2 are ahead with 13 points; 1 round to play"),
        ({"1": 0, "2": 13}, 1, "Boxes 1 and 2 win with 13 points"),
        ({"1": 0, "2": 0}, 1, "Box 2 wins with 0 points"),
    ],
)
def test_who_is_ahead_and_what_is_left_is_said(totals, rounds_left, text):
    assert boards.ahead(after({"leader": 1, "totals": totals, "rounds_left": rounds_left})) == text


def test_a_round_that_gives_no_points_has_no_board():
    assert after(line={"void": {"clause": "house.4"}}) is None
    assert after(line={"plays": []}) is None
    values, rounds = evening.evening("dynastia")
    line = _line(DYNASTIA, values, rounds[0], None)[0]
    assert board(DYNASTIA, line, sheet(DYNASTIA, values), None) is None


def _line(game, values, dealt_round, carry):
    state = game.start(sheet(game, values), dealt_round.seats, carry)
    for action in dealt_round.actions:
        state = game.act(state, action)
    line = game.facts(state)
    facts = game.read(json.loads(json.dumps(line)))
    return line, game.carry(facts, game.settle(facts), sheet(game, values), carry)


@pytest.mark.parametrize("name", ["dynastia_long", "bigtwo"])
def test_the_board_agrees_with_the_result_and_the_totals_of_every_round(name):
    game = evening.game_of(name)
    values, rounds = evening.evening(name)
    rules, carry = sheet(game, values), None
    for dealt_round in rounds:
        line, following = _line(game, values, dealt_round, carry)
        facts = game.read(json.loads(json.dumps(line)))
        result = game.settle(facts)
        shown = game.board(facts, result, rules, carry)
        points = result["scores"] if name == "dynastia_long" else result["net"]
        assert {str(row.box): row.points for row in shown.standings} == {
            box: Fraction(number) for box, number in points.items()
        }
        totals = game.totals(facts, result, rules, carry)
        assert {str(row.box): row.total for row in shown.standings} == {
            box: Fraction(number) for box, number in totals.items()
        }
        assert all(row.reason for row in shown.standings)
        assert shown.rounds_left == (following["rounds_left"] if following else 0)
        assert boards.primitives(shown)["rows"]
        carry = following


def test_a_long_game_says_which_sets_are_added_up():
    values, rounds = evening.evening("dynastia_long")
    line, _ = _line(DYNASTIA, values, rounds[0], None)
    facts = read_dynastia(line)
    result = DYNASTIA.settle(facts)
    for row in board(DYNASTIA, line, sheet(DYNASTIA, values), None).standings:
        name, _, worths = row.reason.partition(": ")
        assert name in {result["hands"][str(row.box)]["class"], "No set"}
        if not worths:
            assert row.points == (int(result["scores"][str(row.box)]))
        elif "shared" not in worths:
            terms = [term.split(" \u00d7 ") for term in worths.split(" + ")]
            assert sum(math.prod(map(int, term)) for term in terms) == row.points


def read_dynastia(line):
    return DYNASTIA.read(json.loads(json.dumps(line)))


def test_a_target_is_what_is_left_until_somebody_reaches_it():
    values, rounds = evening.evening("dynastia_long")
    own = {name: value for name, value in values.items() if name != "rounds"} | {"target": 10_000}
    line, _ = _line(DYNASTIA, own, rounds[0], None)
    shown = board(DYNASTIA, line, sheet(DYNASTIA, own), None)
    assert shown.target == 10_000
    assert boards.ahead(shown).endswith("; to 10 000") or boards.ahead(shown).endswith("; to 10000")
    reached = board(DYNASTIA, line, sheet(DYNASTIA, own | {"target": 1}), None)
    assert " win" in boards.ahead(reached)


def test_games_without_a_series_have_no_board():
    for code in ("split", "genpoker", "presidential"):
        assert registry.GAMES[code].board(None, {}, None, None) is None
    assert read({"compare": [["4d"], ["3d"]]})
