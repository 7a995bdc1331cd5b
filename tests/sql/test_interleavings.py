"""Two transactions of the app's role step by step in every order: no balance loses a transfer, whoever waits for whom.

They go through SQL alone, as somebody with the app's password could: the product's verbs lock the table first.
"""

import itertools
from concurrent.futures import ThreadPoolExecutor
from string import Template

import psycopg
import pytest
from django.db import connections

from casino.running import embedded
from tables.models import Slip

from ..support import attacks, factories, proof, stack, waiting
from ..support.floor import Floor

SERIES_ENDED = "UPDATE tables_series SET status = 'CLOSED', closed_at = now() WHERE table_id = $table2;"
# Each account's balance and the sum of its transfers where they differ, and pots that are not empty.
LOST = """
    SELECT owner, kind, account_balance(id), total FROM (
        SELECT a.*, (SELECT coalesce(sum(CASE a.id WHEN debit_id THEN units ELSE -units END), 0)
                     FROM payouts_transfer WHERE a.id IN (debit_id, credit_id)) AS total
        FROM payouts_account a) account
    WHERE account_balance(id) <> total OR total <> 0 AND kind = 'pot'
"""


def closed(number):
    """The session of table 1 or 2 closed with what its float holds, in steps."""
    float_, session = {1: ("$float", "$session1"), 2: ("$float2", "$session2")}[number]
    key = f"session:{session}:closer:1"
    chips = f"jsonb_build_object('100', account_balance({float_}) / 100)"
    return (
        attacks.stopped(f"id = {session}"),
        attacks.both_counted(session=session, chips=chips, units=f"account_balance({float_})")
        + attacks.movement(
            id="950", key=f"'{key}'", kind="'closer'", number="1", subject=f"'session:{session}'", denominations=chips
        )
        + attacks.moved(
            key=f"'{key}:1'", movement_id="950", reason="'closer'", debit_id=attacks.CAGE, credit_id=float_,
            units=f"account_balance({float_})",
        ),
        attacks.snapshot(f"owner = 'table:$table{number}'", subject=f"'session:{session}'"),
        "UPDATE tables_session SET status = 'CLOSED', closed_at = now(), closed_by_id = $clara, closed_with_id = $anna"
        f" WHERE id = {session}",
        attacks.evidence("movement.made", "movement:950", f"table:$table{number}") + "COMMIT",
    )  # fmt: skip


DROP = (attacks.movement(), attacks.moved(), attacks.MOVEMENT_IN_LOG + "COMMIT")
# The credit of the first table, which Hugo has counted, comes to the cage: Clara counts second.
CREDIT = (
    attacks.counted(of="'slip:$credit'", part="'credit'"),
    attacks.carried("credit_received", attacks.CAGE, attacks.TRANSIT, name="credit"),
    attacks.step(
        "credit", status="'RECEIVED'", received_by_id="$hugo", received_with_id="$clara", received_at="now()",
        back_id="910",
    ),
    attacks.SLIP_IN_LOG + "COMMIT",
)  # fmt: skip
SLIP = (attacks.number_of(), attacks.slip(), "COMMIT")
OTHER_SLIP = (attacks.number_of(), attacks.slip(id="901"), "COMMIT")
CORRECTION = (
    attacks.line(id="900") + attacks.settlement() + attacks.REVERSALS,
    attacks.transfer() + attacks.payment() + attacks.taken(),
    attacks.SETTLED_IN_LOG + "COMMIT",
)
SETTLEMENT = (
    attacks.first() + attacks.transfer(key="'round:$closed:1:1'", debit_id="$float2", credit_id="$patrons2"),
    attacks.payment() + attacks.taken("closed"),
    attacks.evidence("round.settled", "round:$closed", "table:$table2") + "COMMIT",
)
PAIRS = {
    "a drop and a closing": (DROP, closed(1)),
    "a correction and a closing": (CORRECTION, closed(1)),
    "a settlement and a closing": (SETTLEMENT, closed(2)),
    "a credit that comes and a closing": (CREDIT, closed(1)),
    "a slip and a closing": (SLIP, closed(1)),
    "a slip and a slip": (SLIP, OTHER_SLIP),
    "a drop and a credit that comes": (DROP, CREDIT),
    "a drop and a correction": (DROP, CORRECTION),
    "a closing and a closing": (closed(1), closed(1)),
}


@pytest.fixture(scope="module")
def furnished(django_test_environment, django_db_blocker):
    """A database with something of everything that can be cloned, and its ids by name."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        floor = Floor(database)
        on_their_way()
        (session2,) = floor.as_owner(f"SELECT id FROM tables_session WHERE table_id = {floor.names['table2']}")[0]
        floor.run(embedded.APP, SERIES_ENDED)
        for connection in (*floor.connections.values(), *connections.all()):
            connection.close()
        yield database, floor.names | {"session2": session2}


def on_their_way():
    """Nothing but a credit is under way at the first table: it set out, and the first has counted it. No drop box hangs
    there, which would keep the table from closing."""
    factories.take_off(factories.table().drop_boxes.get())
    factories.send_back(Slip.objects.get(kind="fill"))
    factories.count_slip(factories.issue(Slip.objects.get(kind="credit")))


class Side:
    """One transaction: its steps are sent one after another, each when its turn comes and the one before is over."""

    def __init__(self, database, steps):
        self.connection = stack.cluster().connect(embedded.APP, database)
        self.connection.execute("BEGIN")
        self.steps = list(steps)
        self.sent = None
        self.refused = False

    def turn(self, thread, watcher):
        """Send the next step, and wait until it is over or waits for the other side."""
        if self.sent is None and self.steps and not self.refused:
            self.sent = thread.submit(self.connection.execute, self.steps.pop(0))
        waits = ["SELECT 1 FROM pg_locks WHERE NOT granted AND pid = %s", [self.connection.info.backend_pid]]
        waiting.until(lambda: self.ended() or watcher.execute(*waits).fetchone())

    def ended(self):
        if self.sent is None:
            return True
        if not self.sent.done():
            return False
        try:
            self.sent.result()
        except psycopg.Error:
            self.refused = True
            self.connection.rollback()
        self.sent = None
        return True


def play(database, order, sides):
    with stack.cluster().connect(embedded.OWNER, database) as watcher, ThreadPoolExecutor(2) as thread:
        for number in order:
            sides[number].turn(thread, watcher)
        while any(side.sent or (side.steps and not side.refused) for side in sides):
            for side in sides:
                side.turn(thread, watcher)
        for side in sides:
            side.connection.close()
        return watcher.execute(LOST).fetchall()


def played(furnished, pair, every):
    """Play a pair of transactions in orders of their steps, each on a clone of its own."""
    database, names = furnished
    first, second = ([Template(step).substitute(names) for step in steps] for steps in PAIRS[pair])
    turns = range(len(first) + len(second))
    ended = set()
    for chosen in list(itertools.combinations(turns, len(first)))[::every]:
        order = [0 if place in chosen else 1 for place in turns]
        with stack.clone(database) as copy:
            sides = Side(copy, first), Side(copy, second)
            assert play(copy, order, sides) == [], order
            ended.add(tuple(not side.refused for side in sides))
    assert (False, False) not in ended, "in some order each refuses the other"


@pytest.mark.parametrize("pair", PAIRS)
def test_no_order_of_steps_loses_money(furnished, pair):
    played(furnished, pair, every=9)


@pytest.mark.proof
@pytest.mark.parametrize("pair", PAIRS)
def test_of_all_orders_of_steps_none_loses_money(furnished, pair):
    played(furnished, pair, every=proof.size(1, 6))
