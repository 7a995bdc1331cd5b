"""docs/controls.md tells the truth: each place and each test that it names is there, and no requirement is left out.

`asvs_5_0.csv` has the requirements of levels 1 and 2 with their levels, as OWASP/ASVS lists them for 5.0.0.
"""

import ast
import csv
import functools
import re
from pathlib import Path

import pytest

from casino import controls
from casino.controls import Verdict

from ..support import stack

PAGE = stack.BASE_DIR / "docs" / "controls.md"
STANDARDS = controls.standards()
REQUIREMENTS = [
    pytest.param(requirement, id=f"{standard.code} {requirement.id}")
    for standard in STANDARDS
    for requirement in standard.requirements
]


@functools.cache
def names_of(path):
    """The names of a file's tests, as pytest finds them."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name for node in functions if node.name.startswith("test_")}


def is_a_test(name):
    file, _, function = name.partition("::")
    path = stack.BASE_DIR / file
    return file.startswith("tests/") and path.is_file() and function in names_of(path)


def test_the_page_is_what_the_standards_say():
    assert PAGE.read_text("utf-8") == controls.document(), "manage.py controls > docs/controls.md writes it anew."


def test_a_test_or_a_place_that_is_gone_is_noticed():
    assert is_a_test("tests/casino/test_controls.py::test_the_page_is_what_the_standards_say")
    assert not is_a_test("tests/casino/test_controls.py::test_that_is_gone")
    assert not is_a_test("tests/casino/test_controls.py::is_a_test")
    assert not is_a_test("tests/casino/test_gone.py::test_that_is_gone")
    assert controls.is_there("casino/roles.py::RIGHTS")
    assert controls.is_there("tables/sql/rounds.sql::round_moves")
    for gone in ("casino/gone.py", "casino/roles.py::GONE", "tables/sql/rounds.sql::gone", "casino/gone.py::RIGHTS"):
        assert not controls.is_there(gone)


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_a_requirement_names_only_what_is_there(requirement):
    assert [place for place in requirement.where if not controls.is_there(place)] == []
    assert [name for name in requirement.tests if not is_a_test(name)] == []


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_a_verdict_has_its_grounds(requirement):
    """What is held has a place and a test, or says why there is nothing to try; what is not says what is missing."""
    verdict = Verdict(requirement.verdict)
    assert bool(requirement.gaps) == (verdict != Verdict.HELD)
    assert bool(requirement.where) == (verdict != Verdict.MISSING)
    if verdict == Verdict.HELD:
        assert bool(requirement.tests) != bool(requirement.untested)
    if verdict == Verdict.MISSING:
        assert not requirement.tests
    if verdict == Verdict.PARTLY:
        assert requirement.tests or requirement.why
    for cell in (requirement.asks, requirement.why, requirement.untested):
        assert "|" not in cell


def test_each_requirement_stands_once():
    for standard in STANDARDS:
        ids = standard.ids()
        assert sorted({each for each in ids if ids.count(each) > 1}) == [], standard.code


def test_no_requirement_of_asvs_is_left_out_and_each_has_its_level():
    (asvs,) = [standard for standard in STANDARDS if standard.code == "asvs"]
    with (Path(__file__).parent / "asvs_5_0.csv").open(encoding="utf-8") as file:
        levels = {row["requirement"]: int(row["level"]) for row in csv.DictReader(file)}
    assert len(levels) == 253
    assert set(asvs.ids()) == levels.keys()
    assert {each.id: each.level for each in asvs.requirements}.items() <= levels.items()
    assert not asvs.not_found


def test_every_section_of_the_other_standards_is_answered():
    """N.J.A.C. 13:69D-1.21 to 1.34, all 31 regulations of COMAR 36.05.03, each chapter and appendix of GLI-19."""
    answered = {standard.code: " ".join(standard.ids()) for standard in STANDARDS}
    wanted = {
        "njac": [f"1.{number}" for number in range(21, 35)],
        "comar": [f".{number:02}" for number in range(1, 32)],
        "cfr": [f"543.{number}" for number in (8, 10, 12, 13, 14, 15, 17, 18, 20, 24)],
        "gli": [
            f"{chapter}.{number}"
            for chapter, numbers in {"2": (2, 9), "4": (1, 18), "A": (1, 8), "B": (1, 9)}.items()
            for number in range(numbers[0], numbers[1] + 1)
        ],
    }
    for code, numbers in wanted.items():
        for number in numbers:
            assert re.search(rf"(?<![\w.]){re.escape(number)}(?!\d)", answered[code]), (code, number)


def test_every_gap_is_cited_and_every_citation_is_a_gap():
    cited = {gap for standard in STANDARDS for requirement in standard.requirements for gap in requirement.gaps}
    assert cited == controls.gaps().keys()


def test_every_standard_names_its_sources():
    for standard in STANDARDS:
        assert standard.sources
        for source in standard.sources:
            assert source.title
            assert source.address.startswith("https://")
            assert source.date
