"""What contracts/adjudicate.md demands of a line of `bigtwo`: every rule, its code, its path and its words."""

import copy
import csv
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games.bigtwo import BIGTWO
from casino.games.bigtwo.facts import Compare, Deal, Left
from casino.games.bigtwo.sheet import Options, Sheet
from casino.games.game import Fault
from tests.support.bigtwo_rounds import DEALS, plays_of

LINES = {
    "DEAL": {
        "id": 1,
        "game": "bigtwo",
        "seats": ["N", "W"],
        "options": {},
        "deal": DEALS["two"],
        "plays": plays_of("N 3c; W 5h; N -"),
    },
    "LEFT": {"seats": ["N", "W"], "options": {}, "left": {"N": [], "W": ["3c", "4d"]}},
    "COMPARE": {"compare": [["9d", "9c"], ["8s"]], "options": {}},
}
OUT = "OUT"
CODES = {"missing_field", "bad_field", "bad_card", "card_duplicate", "wrong_card_count"}
FAULTS = list(
    csv.DictReader(
        (Path(__file__).parent / "bigtwo_faults.csv").read_text().splitlines(),
        delimiter="|",
        quoting=csv.QUOTE_NONE,
    )
)


def changed(line, changes):
    """A copy of the line with values put in or, by "OUT", taken out, at paths as the contract writes them."""
    line = copy.deepcopy(line)
    for path, value in changes.items():
        steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
        place = line
        for step in steps[:-1]:
            place = place[step]
        if value == OUT:
            del place[steps[-1]]
        else:
            place[steps[-1]] = value
    return line


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: f"{row['line']} {row['changes']}")
def test_a_line_that_breaks_a_rule_is_refused_with_its_code_words_and_path(row):
    line = changed(LINES[row["line"]], json.loads(row["changes"]))
    assert BIGTWO.read(line) == Fault(row["code"], row["message"], row["path"])


def test_the_faults_show_every_code_that_a_line_of_big_two_can_give():
    assert {row["code"] for row in FAULTS} == CODES


@pytest.mark.parametrize(
    ("name", "changes", "form"),
    [
        pytest.param("DEAL", {}, Deal, id="a deal"),
        pytest.param("DEAL", {"plays": []}, Deal, id="nobody has played"),
        pytest.param("DEAL", {"void": {"clause": "house.2"}}, Deal, id="a void round"),
        pytest.param("DEAL", {"first_round": False}, Deal, id="a later round that the lowest card leads"),
        pytest.param("DEAL", {"left": None, "compare": None}, Deal, id="null is left out"),
        pytest.param("DEAL", {"plays[0].cards": ["3c", "3c"]}, Deal, id="a card twice in a play is for the rules"),
        pytest.param("DEAL", {"plays[0].cards": ["3d"] * 9}, Deal, id="as is any number of cards"),
        pytest.param("LEFT", {"options.first_player": "round_winner"}, Left, id="an option that a form doesn't use"),
        pytest.param("LEFT", {"seats": ["W", "N"]}, Left, id="left"),
        pytest.param("COMPARE", {"compare[1]": []}, Compare, id="no combination compares too"),
    ],
)
def test_a_line_that_keeps_the_rules_is_read(name, changes, form):
    assert isinstance(BIGTWO.read(changed(LINES[name], changes)), form)


def test_left_out_values_are_the_contracts_defaults():
    spelled = {
        "first_player": "lowest_card",
        "bombs": False,
        "auto_skip": False,
        "base": "cards",
        "multiplier": "none",
        "scoring": "cumulative",
    }
    line = LINES["DEAL"]
    for options in (spelled, dict.fromkeys(spelled), None):
        assert BIGTWO.read({**line, "options": options}) == BIGTWO.read(line)
    assert BIGTWO.read({**line, "first_round": True, "leader": None, "void": None}) == BIGTWO.read(line)
    assert Options()._asdict() == spelled


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(["As", "N"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text() | st.sampled_from(["N", "clause"]), inner),
    max_leaves=8,
)
PLACES = [
    *(("DEAL", place) for place in ("seats", "seats[0]", "options", "options.bombs", "options.base", "deal", "deal.W")),
    *(("DEAL", place) for place in ("deal.W[3]", "plays", "plays[0]", "plays[0].player", "plays[0].cards", "void")),
    *(("DEAL", place) for place in ("plays[0].cards[0]", "leader", "first_round")),
    *(("LEFT", place) for place in ("left", "left.N", "left.W", "left.W[0]")),
    *(("COMPARE", place) for place in ("compare", "compare[0]", "compare[0][0]")),
]


@given(st.sampled_from(PLACES), JSON.filter(lambda value: value != OUT))
def test_whatever_stands_in_a_field_the_line_is_read_or_refused_with_a_code_of_the_contract(place, value):
    name, path = place
    found = BIGTWO.read(changed(LINES[name], {path: value}))
    if isinstance(found, Fault):
        assert found.code in CODES
        assert found.message.endswith(".")
    else:
        result = BIGTWO.settle(found)
        assert result["game"] == "bigtwo"
        assert BIGTWO.explain(found, result)


# The rule sheet's values.


@pytest.mark.parametrize(
    ("values", "message", "path"),
    [
        ({"stake": 5}, 'A Big Two sheet has no value "stake".', "stake"),
        ({"rounds": 5}, "Rounds of a series is 5; it is one of 5, 10, 20.", "rounds"),
        ({"price": 0}, "Price of a point is 0; it runs from 1 to 1000000000000.", "price"),
        ({"bombs": True}, "Bombs is true; it is one of off, on.", "bombs"),
    ],
)
def test_a_sheet_that_breaks_a_rule_is_refused(values, message, path):
    assert BIGTWO.sheet(values) == Fault("bad_field", message, path)


def test_a_sheet_left_empty_is_the_defaults():
    assert BIGTWO.values(BIGTWO.sheet({})) == {parameter.name: parameter.default for parameter in BIGTWO.parameters}


def test_a_sheet_survives_spelling_out_and_reading():
    given = {parameter.name: parameter.options[-1] for parameter in BIGTWO.parameters if parameter.options}
    sheet = BIGTWO.sheet({**given, "chip": 5, "price": 25})
    assert isinstance(sheet, Sheet)
    assert BIGTWO.values(sheet) == {**given, "chip": 5, "price": 25}
    assert BIGTWO.sheet(BIGTWO.values(sheet)) == sheet


def test_every_parameter_names_a_clause_and_every_choice_has_its_word():
    assert {parameter.clause for parameter in BIGTWO.parameters} <= set(BIGTWO.clauses)
    choices = {choice for parameter in BIGTWO.parameters for choice in parameter.options}
    assert choices - set(BIGTWO.words) == {"5", "10", "20"}


def test_the_irregularities_end_with_the_one_of_every_game():
    assert [listed.clause for listed in BIGTWO.irregularities] == ["house.2", "house.4"]


def test_a_void_round_may_leave_out_hands_and_plays_and_have_what_it_is_void_for():
    line = {"seats": ["1", "2"], "void": {"clause": "house.4"}}
    facts = BIGTWO.read({**line, "deal": {"1": None, "2": ["3d", "3d"]}})
    assert not isinstance(facts, Fault), facts
    assert (facts.hands, facts.plays) == (((), ("3d", "3d")), ())
    fault = BIGTWO.read({**line, "deal": {"1": ["3d", "1x"]}})
    assert (fault.code, fault.path) == ("bad_card", "deal.1[1]")


def test_an_option_that_is_null_is_left_out_and_the_next_is_read():
    fault = BIGTWO.read({"compare": [["3d"], ["4d"]], "options": {"bombs": None, "base": 7}})
    assert (fault.code, fault.path) == ("bad_field", "options.base")
