"""Three settlers that are wrong in the ways that matter, to check that `manage.py faults` catches them.

Each runs as the worker's Celery application in place of the product's; `python -m tests.support.broken_settlers` is a
croupier whose close hands the round to such a worker.
"""

import os
import sys

import django

django.setup()

from django.db import connection, transaction  # noqa: E402 - models need the set-up
from django.db.models.functions import Now  # noqa: E402

from audit import log  # noqa: E402
from casino.celery import app  # noqa: E402
from payouts import ledger  # noqa: E402
from tables import tasks  # noqa: E402
from tables.lab.faults import croupier  # noqa: E402
from tables.lab.faults.house import Settler  # noqa: E402
from tables.models import Round  # noqa: E402
from tables.verbs import rounds, settling  # noqa: E402


def written(settlements):
    """Write settlements with only their payments and transfers; return their ids."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT write_settlements(%s, %s, %s)", ledger.rows(settlements))
        return cursor.fetchone()[0]


def mark_settled(rows, ids):
    for row, made in zip(rows, ids, strict=True):
        Round.objects.filter(pk=row.round_id, status="CLOSED").update(
            status="SETTLED", settlement=made, settled_at=Now(), next_at=None
        )


def settle_paying_first(table_id, round_ids):
    """Commit the money, and mark the rounds only then: the message comes again when the worker is lost."""
    with transaction.atomic():
        rows = settling.read(round_ids, "CLOSED")
        settlements = [settling.settlement_of(row, generation=1) for row in rows]
        ids = written(settlements)
        log.record_all(f"table:{table_id}", list(map(settling.record_of, rows, settlements)))
    if rows:
        with transaction.atomic():
            mark_settled(rows, ids)
    return len(rows)


def settle_without_looking():
    """Read what is due and settle it, without a lease, a lock or a check whether another did so meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_id, array_agg(id) FROM tables_round WHERE status = 'CLOSED' GROUP BY table_id")
        due = cursor.fetchall()
    for table_id, round_ids in due:
        rows = settling.read(round_ids, "CLOSED")
        with transaction.atomic():
            settlements = [settling.settlement_of(row, generation=1) for row in rows]
            mark_settled(rows, written(settlements))
            log.record_all(f"table:{table_id}", list(map(settling.record_of, rows, settlements)))


@app.task(name="tests.support.broken_settlers.settle_one")
def settle_one(table_id, round_id):
    """Settle as the message says: no row says that anything is due."""
    settling._settle(table_id, [round_id])


def close_handing_over(close=rounds.close, **arguments):
    closed = close(**arguments)
    transaction.on_commit(lambda: settle_one.apply_async([closed.table_id, closed.pk]), robust=True)
    return closed


# What would refuse a second settlement and its transfers: unique keys, and that the round takes the very settlement.
NO_KEYS = """
DROP TRIGGER taken ON payouts_settlement;
DO $$
DECLARE found record;
BEGIN
    FOR found IN SELECT conrelid::regclass AS of, conname FROM pg_constraint WHERE contype = 'u'
        AND conrelid IN ('payouts_settlement'::regclass, 'payouts_transfer'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.of, found.conname);
    END LOOP;
END $$
"""
# The triggers that let a settlement be written only together with the round that takes it.
NO_GUARDS = """
DROP TRIGGER taken ON payouts_settlement;
DROP TRIGGER takes_settlement ON tables_round;
"""
BROKEN = "BROKEN_SETTLER"
PAYING_FIRST = Settler(app="tests.support.broken_settlers", environment={BROKEN: "paying first"}, schema=NO_GUARDS)
NO_UNIQUE_KEY = Settler(app="tests.support.broken_settlers", environment={BROKEN: "no unique key"}, schema=NO_KEYS)
MESSAGE_ONLY = Settler(
    app="tests.support.broken_settlers", croupier="tests.support.broken_settlers", environment={BROKEN: "message only"}
)

# As the worker of `tables/lab/faults/control.py`.
app.conf.worker_enable_remote_control = True

match os.environ.get(BROKEN):
    case "paying first":
        settling._settle = settle_paying_first
    case "no unique key":
        tasks.settle_due.run = settle_without_looking
    case "message only":
        tasks.settle_due.run = lambda: None
        rounds.close = close_handing_over

if __name__ == "__main__":
    croupier.work(*sys.argv[1:])
