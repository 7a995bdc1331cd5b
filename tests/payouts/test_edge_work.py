"""The worker of the house edge with the program that computes: stopped, and refused. What it computes is a proof of
`test_edge.py`, which has the tables."""

import subprocess
import sys
import threading

import pytest
from django.conf import settings

from casino.courtesy import Courtesy, ThisMachine, Used
from casino.games.split.sheet import STARTING_TABLE
from payouts import edge_results, edge_work
from payouts.edge_results import STATUS
from payouts.models import EdgeResult

from ..support import waiting

# Its result does not come with the product.
RULES = {
    "game": "split",
    "version": 1,
    "parameters": {},
    "limits": {},
    "coefficients": STARTING_TABLE | {"royal_flush": "101:1"},
}


@pytest.fixture(autouse=True)
def kept(monkeypatch):
    """Compiled code and tables stand where those of the other tests do, not in the work tree's data."""
    monkeypatch.setattr(settings, "DATA_DIR", settings.EDGE_CODE.parent.parent)


def test_a_worker_stops_at_its_next_step_once_a_result_is_cancelled(fresh_db):
    edge_results.ask(RULES)
    worker = threading.Thread(target=_work)
    worker.start()
    waiting.until(lambda: EdgeResult.objects.get().status == STATUS.COMPUTING)
    edge_results.cancel(RULES)
    worker.join()
    assert EdgeResult.objects.get().status == STATUS.CANCELLED


class Busy(ThisMachine):
    """This machine beside others that keep all of it busy."""

    def __init__(self):
        super().__init__()
        self.asleep = threading.Event()

    def used(self):
        own = super().used().own
        return Used(own + self.processors * self.clock(), own)

    def sleep(self, seconds):
        self.asleep.set()
        super().sleep(seconds)


def test_a_worker_that_stands_aside_beats_and_is_stopped(fresh_db):
    edge_results.ask(RULES)
    machine = Busy()
    worker = threading.Thread(target=_work, args=[lambda heart: Courtesy(heart, machine=machine)])
    worker.start()
    assert machine.asleep.wait(waiting.PATIENCE)
    beat_at = EdgeResult.objects.get().beat_at
    waiting.until(lambda: EdgeResult.objects.get().beat_at > beat_at)
    assert EdgeResult.objects.get().status == STATUS.COMPUTING
    edge_results.cancel(RULES)
    worker.join(waiting.PATIENCE)
    assert not worker.is_alive()
    assert EdgeResult.objects.get().status == STATUS.CANCELLED


POOL = """
import os, time, django
django.setup()
from celery import signals
from payouts import tasks
pid = os.fork()
if not pid:
    while not tasks.is_closing():
        time.sleep(0.01)
    os._exit(7)
assert not tasks.is_closing()
signals.worker_shutting_down.send(sender=None)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_the_pool_of_a_worker_that_is_to_end_hears_of_it():
    """What its pool computes stands aside no longer, so that it ends as soon as before."""
    given = [sys.executable, "-c", POOL]
    done = subprocess.run(
        given, cwd=settings.BASE_DIR, check=True, capture_output=True, text=True, timeout=waiting.PATIENCE
    )
    assert done.stdout.split() == ["7"]


def _work(courtesy=None):
    from django.db import connection

    try:
        edge_work.compute_due(within=1, courtesy=courtesy)
    finally:
        connection.close()


def test_what_the_program_refuses_is_said_in_the_row(fresh_db):
    given = edge_results.inputs(RULES) | {"coefficients": {"pair": "none"}}
    EdgeResult.objects.create(key=edge_results.key(given), inputs=given)
    edge_work.compute_due(within=600)
    row = EdgeResult.objects.get()
    assert row.status == STATUS.FAILED
    assert row.failure


def test_a_sheet_by_which_a_lower_small_hand_wins_more_has_no_edge_and_its_row_says_why(fresh_db):
    rules = RULES | {"coefficients": dict.fromkeys(STARTING_TABLE, "1:3")}
    edge_results.ask(rules)
    edge_work.compute_due(within=600)
    rows = EdgeResult.objects.all()
    assert {row.status for row in rows} == {STATUS.FAILED}
    for row in rows:
        assert row.failure.startswith("A pair is paid 1:3 on the BET with both hands above, and 1:1 on the ANTE")


def test_what_is_sought_of_no_sheet_is_said_in_the_row(fresh_db):
    given = edge_results.inputs(RULES) | {"seek": {"category": "flush", "edge_percent": "20.00"}}
    given |= {"coefficients": {"pair": "none"}}
    EdgeResult.objects.create(key=edge_results.key(given), inputs=given)
    edge_work.compute_due(within=600)
    row = EdgeResult.objects.get()
    assert (row.status, row.figures) == (STATUS.FAILED, None)
    assert row.failure


def test_a_worker_seeks_until_it_is_stopped(fresh_db):
    edge_results.seek(RULES, "flush", "20")
    worker = threading.Thread(target=_work)
    worker.start()
    waiting.until(lambda: EdgeResult.objects.get().status == STATUS.COMPUTING)
    edge_results.cancel(RULES)
    worker.join()
    assert EdgeResult.objects.get().status == STATUS.CANCELLED


def test_a_category_between_neighbours_without_a_half_has_no_coefficient(fresh_db):
    """Nothing is solved for it."""
    ratios = STARTING_TABLE | {"pair": "5:3", "two_pair": "5:3", "three_of_a_kind": "7:4"}
    # A chip of 1 takes something at both limits of the table.
    assert len(edge_results.seek(RULES | {"coefficients": ratios}, "two_pair", "20")) == 2
    assert edge_work.compute_due(within=60) == 2
    for row in EdgeResult.objects.all():
        assert (row.status, row.figures["coefficient"], row.figures["edge_percent"]) == (STATUS.DONE, None, None)
