"""Results of the house edge that ship with the product: those of the demo's, the replay's and the tests' sheets."""

import json
from decimal import Decimal

import pytest
from django.conf import settings

from audit import form
from casino import courtesy
from payouts import edge_results
from payouts.edge import PROGRAM, prepare

from ..support import proof

FOLDER = settings.EDGE_CODE


def lines():
    return [json.loads(line) for line in edge_results.SHIPPED.read_text("utf-8").splitlines()]


def figures(inputs):
    """The figures of these inputs, computed now, without what computing took."""
    from payouts.edge import report

    rules = edge_results.rules_of(inputs)
    made = report.figures(rules, ante_units=inputs.get("ante"), threads=courtesy.processors(), folder=prepare(FOLDER))
    return edge_results.without_spent(made)


def test_what_is_shipped_is_of_this_program_and_adds_up():
    shipped = lines()
    assert {line["inputs"]["program"] for line in shipped} == {PROGRAM}
    assert len({form.canonical(line["inputs"]) for line in shipped}) == len(shipped) > 2
    for line in shipped:
        made = line["figures"]
        parts = [Decimal(each["contribution"]) for each in made["categories"]]
        parts += [Decimal(made["rest"][name]) for name in ("ante_paid", "lost", "fees")]
        assert abs(sum(parts) - Decimal(made["expectation"])) <= Decimal("1e-8")
        assert abs(sum(Decimal(made["choices"][name]) for name in ("fold", "bet", "buy")) - 1) <= Decimal("1e-8")
        assert Decimal(made["edge_percent"]) == pytest.approx(-100 * Decimal(made["expectation"]), abs=Decimal("1e-6"))
        assert (made["program"], made["ante"]) == (PROGRAM, line["inputs"].get("ante"))
        assert edge_results.without_spent(made) == made


def test_a_shipped_result_needs_no_computing(db):
    (line, *_) = lines()
    rules = edge_results.rules_of(line["inputs"])
    assert edge_results.ask(rules)[None].status == edge_results.STATUS.DONE
    (pin,) = edge_results.pinned(rules)
    assert pin == {
        "key": edge_results.key(line["inputs"]), "ante": None, "edge": line["figures"]["edge_percent"],
    }  # fmt: skip
    assert edge_results.due() is None


@pytest.mark.proof
def test_each_shipped_result_is_computed_anew():
    shipped = lines()
    for line in shipped[: proof.size(len(shipped), 1)]:
        assert figures(line["inputs"]) == line["figures"], line["inputs"]
