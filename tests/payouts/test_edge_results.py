"""Results of the house edge: by what they depend on, asked for once, held by one worker, and kept."""

import datetime as dt

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError

from casino.errors import Refused
from casino.games.split.sheet import STARTING_TABLE
from payouts import edge_results
from payouts.edge_results import STATUS
from payouts.models import EdgeResult

from ..support import edges

NOW = dt.timedelta(0)
FRACTIONS = STARTING_TABLE | {"pair": "1:1", "two_pair": "3:2", "three_of_a_kind": "7:4"}


def rules(*, coefficients=None, parameters=None, **limits):
    """The `rules` of a sheet as it is published."""
    limits = {"chip": 1, "ante_minimum": 10, "ante_maximum": 1000, "boxes": 6} | limits
    return {
        "game": "split",
        "version": 3,
        "parameters": {"small_hand_loss_pays": "even", "unseen_cards": "small_hand"} | (parameters or {}),
        "limits": limits,
        "coefficients": coefficients or STARTING_TABLE,
    }


UNSHIPPED = rules(coefficients=STARTING_TABLE | {"royal_flush": "99:1"})
"""A sheet whose result does not come with the product."""

# fmt: off
ANTES = [
    (rules(), (None,)),
    (rules(max_payment=200_000), (None,)),
    # A royal flush on a BET of 2,000 pays 200,000; on one of 20 it pays 2,000.
    (rules(max_payment=199_999), (10, 1000)),
    (rules(max_payment=2_000), (10, 1000)),
    (rules(max_payment=199_999, ante_minimum=1000), (1000,)),
    (rules(coefficients=FRACTIONS, chip=10), (None, 10, 1000)),
    # Two chips of BET for each of ANTE: 3 to 2 always comes to whole chips, 7 to 4 does where the ANTE is two chips.
    (rules(coefficients=STARTING_TABLE | {"two_pair": "3:2"}, chip=10), (None,)),
    (rules(coefficients=FRACTIONS, chip=10, ante_minimum=20), (None,)),
    (rules(coefficients=FRACTIONS, chip=10, ante_minimum=20, parameters={"small_hand_loss_pays": "coefficient"}),
     (None, 20, 1000)),
    (rules(coefficients=FRACTIONS, chip=10, ante_maximum=10), (10,)),
]
# fmt: on


@pytest.mark.parametrize(("sheet", "antes"), ANTES)
def test_an_edge_depends_on_the_ante_where_cap_or_chip_change_a_payment(sheet, antes):
    assert edge_results.antes(sheet) == antes
    for ante in antes:
        given = edge_results.inputs(sheet, ante)
        assert edge_results.inputs(edge_results.rules_of(given), given.get("ante")) == given


def test_a_result_is_of_all_sheets_whose_payments_are_the_same():
    one = edge_results.keys(rules())
    assert one == edge_results.keys(rules(boxes=1, ante_maximum=500, chip=5) | {"version": 9})
    assert one == edge_results.keys({"game": "split", "version": 1, "parameters": {}, "limits": {}, "coefficients": {}})
    for other in (
        rules(coefficients=STARTING_TABLE | {"royal_flush": "101:1"}),
        rules(parameters={"unseen_cards": "house_way"}),
        rules(parameters={"small_hand_loss_pays": "coefficient"}),
    ):
        assert edge_results.keys(other) != one
    capped = edge_results.keys(rules(max_payment=2_000))
    # At the lowest ANTE nothing comes to more than the cap.
    assert capped[10] == one[None] != capped[1000]
    assert edge_results.inputs(rules(max_payment=2_000), 1000)["ante"] == 1000


@pytest.mark.django_db
def test_a_result_is_asked_for_once_computed_and_kept():
    assert edge_results.of(UNSHIPPED) == {None: None}
    assert edge_results.due() is None
    (asked,) = edge_results.ask(UNSHIPPED).values()
    assert (asked.status, edge_results.left(asked)) == (STATUS.ASKED, None)
    edge_results.ask(UNSHIPPED)
    held = edge_results.due()
    assert (held.status, held.tries, held.progress) == (STATUS.COMPUTING, 1, 0)
    assert held.begun_at == held.beat_at
    assert edge_results.due() is None
    assert edge_results.beat(held, 400)
    assert edge_results.done(held, edges.figures())
    assert not edge_results.beat(held, 500)
    (row,) = edge_results.of(UNSHIPPED).values()
    assert (row.status, row.progress, row.figures["edge_percent"]) == (STATUS.DONE, 1000, "22.430000000")
    assert edge_results.ask(UNSHIPPED) == {None: row}
    assert EdgeResult.objects.get().status == STATUS.DONE
    with pytest.raises(Refused, match="isn’t being computed"):
        edge_results.cancel(UNSHIPPED)
    with pytest.raises(IntegrityError, match="what is computed stays"), transaction.atomic():
        EdgeResult.objects.update(figures={})


@pytest.mark.django_db
def test_results_are_taken_one_after_the_other():
    sheets = [rules(coefficients=STARTING_TABLE | {"royal_flush": f"{ratio}:1"}) for ratio in (101, 102)]
    keys = [edge_results.ask(sheet)[None].pk for sheet in sheets]
    assert {edge_results.due().pk, edge_results.due().pk} == set(keys)
    assert edge_results.due() is None


@pytest.mark.django_db
def test_what_a_killed_worker_held_is_taken_up_again_and_fails_at_last():
    edge_results.ask(UNSHIPPED)
    first = edge_results.due()
    edge_results.beat(first, 300)
    second = edge_results.due(lease=NOW)
    assert (second.tries, second.progress) == (2, 0)
    # The first was not dead: it sees that the result is another's.
    assert not edge_results.beat(first, 400)
    assert not edge_results.done(first, edges.figures())
    assert not edge_results.fail(first, "x")
    assert edge_results.due(lease=NOW).tries == edge_results.TRIES
    assert edge_results.due(lease=NOW) is None
    (failed,) = edge_results.of(UNSHIPPED).values()
    assert failed.status == STATUS.FAILED
    assert failed.failure.startswith("Its worker was ended three times before it was done, most likely because")
    # Somebody made room.
    edge_results.ask(UNSHIPPED)
    again = edge_results.due()
    assert (again.status, again.tries, again.failure) == (STATUS.COMPUTING, 1, "")


@pytest.mark.django_db
def test_a_result_is_cancelled_and_asked_for_again():
    edge_results.ask(UNSHIPPED)
    held = edge_results.due()
    edge_results.cancel(UNSHIPPED)
    assert not edge_results.beat(held, 10)
    assert edge_results.of(UNSHIPPED)[None].status == STATUS.CANCELLED
    with pytest.raises(Refused) as refused:
        edge_results.cancel(UNSHIPPED)
    assert refused.value.code == "edge_not_computing"
    assert edge_results.ask(UNSHIPPED)[None].status == STATUS.ASKED


@pytest.mark.django_db
def test_what_cannot_be_computed_says_why():
    edge_results.ask(UNSHIPPED)
    assert edge_results.fail(edge_results.due(), "x" * 600)
    assert EdgeResult.objects.get().failure == "x" * 500


@pytest.mark.parametrize(
    ("progress", "seconds", "left"), [(0, 10, None), (250, 10, 30), (999, 60, 0), (500, 7, 7), (10, 1, 99)]
)
def test_what_is_left_is_worked_out_from_what_is_done(progress, seconds, left):
    begun = dt.datetime(2026, 11, 28, 12, tzinfo=dt.UTC)
    result = EdgeResult(status=STATUS.COMPUTING, progress=progress, begun_at=begun)
    assert edge_results.left(result, begun + dt.timedelta(seconds=seconds)) == left


@pytest.mark.django_db
def test_the_clock_of_the_database_says_when_a_worker_was_last_at_work():
    edge_results.ask(UNSHIPPED)
    held = edge_results.due()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE payouts_edgeresult SET beat_at = '2001-01-01', begun_at = '2001-01-01'")
    row = EdgeResult.objects.get()
    assert row.beat_at >= held.beat_at
    assert row.begun_at == held.begun_at


@pytest.mark.django_db
def test_a_coefficient_is_sought_once_and_is_no_result_of_the_sheet():
    (asked,) = edge_results.seek(UNSHIPPED, "flush", "20").values()
    assert asked.inputs == edge_results.inputs(UNSHIPPED) | {"seek": {"category": "flush", "edge_percent": "20.00"}}
    assert edge_results.seek(UNSHIPPED, "flush", "20.0") == {None: asked}
    assert edge_results.of(UNSHIPPED) == {None: None}
    edge_results.seek(UNSHIPPED, "pair", "-0")
    assert {row.inputs["seek"]["edge_percent"] for row in edge_results.sought(UNSHIPPED)} == {"20.00", "0.00"}
    # Another sheet's are its own, and those at an ANTE are not those at any.
    capped = rules(coefficients=UNSHIPPED["coefficients"], max_payment=2_000)
    edge_results.seek(capped, "flush", "20")
    assert EdgeResult.objects.count() == 3
    assert len(edge_results.sought(UNSHIPPED)) == 2
    assert len(edge_results.sought(capped, 1000)) == 1
    assert edge_results.sought(rules(coefficients=STARTING_TABLE | {"royal_flush": "101:1"})) == []
    edge_results.cancel(UNSHIPPED)
    assert {row.status for row in edge_results.sought(UNSHIPPED)} == {STATUS.CANCELLED}
    assert edge_results.sought(capped, 1000)[0].status == STATUS.ASKED
    assert edge_results.seek(UNSHIPPED, "flush", "20")[None].status == STATUS.ASKED


@pytest.mark.parametrize(
    "text", ["", "x", "1e1", "100.01", "-101", "20.505", "+2", "2,5", "NaN", "٣", "020", " 2", "2.", ".5"]
)
def test_an_edge_that_is_sought_is_plain(text):
    with pytest.raises(Refused) as refused:
        edge_results.seek(rules(), "flush", text)
    assert (refused.value.code, refused.value.path) == ("edge_wrong", "edge")


@pytest.mark.parametrize("name", ["high_card", "", "Flush", "royal"])
def test_a_category_that_has_no_coefficient_is_refused(name):
    with pytest.raises(Refused) as refused:
        edge_results.seek(rules(), name, "20")
    assert (refused.value.code, refused.value.path) == ("category_unknown", "category")
