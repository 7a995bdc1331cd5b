"""Settling what is due: lease, then table by table one transaction each (design: Settlement).

The round's row is the task. A worker leases up to 100 due rounds, so that a second worker takes others; a lease that
runs out makes them due again. Each round is settled exactly once, because its row is locked and looked at again, and
because the settlement's key is unique; how often a doorbell rings does not matter.

A round of a lost lease goes alone from then on, so that one that kills its worker takes no others with it. That its
worker was lost again proves nothing against it: the machine, the database or a person may have ended that worker. It
has failed only if another round could be settled since, so workers lost in a row hold no round, however many they are,
while one that kills whoever touches it is held when others went past it eight times. Until then it is tried again
and again, after all others.
"""

import json
import logging
import math
import time
from itertools import groupby
from typing import NamedTuple

from django.db import connection, transaction

from audit import log
from casino import outages
from casino.games.game import Wager
from payouts import adjudication, ledger
from payouts.models import Settlement

from ..models import Session
from . import interventions, sessions

logger = logging.getLogger(__name__)

BATCH, AT_A_TABLE = 100, 20
LEASE = "10 seconds"
LONG = "30 seconds"
BACKOFF_SECONDS = (1, 2, 4, 8, 15)
MAX_FAILURES = 8


class Due(NamedTuple):
    """A leased round."""

    table_id: int
    round_id: int


class _Row(NamedTuple):
    """What settling one round needs, read under its lock."""

    round_id: int
    table_id: int
    business_date: object
    rules: str
    digest: str
    carry: str | None
    line_ordinal: int
    line: str
    wagers: str
    float_id: int
    patrons_id: int
    pot_id: int
    rake_id: int

    @property
    def ref(self):
        return f"round:{self.round_id}"

    @property
    def accounts(self):
        return adjudication.Accounts(self.float_id, self.patrons_id, self.pot_id, self.rake_id)


def settle_due(within=math.inf):
    """Settle until nothing is due; begin nothing new after `within` seconds.

    :returns: how many rounds were settled.
    """
    settled, until = 0, time.monotonic() + within
    while time.monotonic() < until and (leased := lease()):
        for table_id, rounds in groupby(sorted(leased), key=lambda due: due.table_id):
            settled += _settle_table(table_id, [due.round_id for due in rounds])
    return settled


def lease():
    """Take due rounds for 10 s, committed before anything else happens.

    Rounds of a lost lease go one at a time when no others are due, those that were lost alone last: a worker that comes
    in place of a lost one shows first that it lives, and whatever ends workers again does not meet the same rounds.
    Where others are due all the time, one that has waited for long goes between them.
    """
    while _blame_one():
        pass
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM lease_rounds(%s, %s, %s, %s)", [BATCH, AT_A_TABLE, LEASE, LONG])
        return [Due(*row) for row in cursor.fetchall()]


# A round whose lease ran out while it went alone, and after that another round's settlement began. `next_at` is when
# its lease ran out; an earlier settlement would not show that workers live without this round.
_TO_BLAME = """
    SELECT id FROM tables_round
    WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= now() AND alone AND leases > 0
    AND next_at < (SELECT begun_at FROM payouts_settlement WHERE generation = 1 ORDER BY id DESC LIMIT 1)
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED"""


def _blame_one():
    """Count a failure of one round that lost its worker alone; False where there is no such round."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_TO_BLAME)
        row = cursor.fetchone()
        if row:
            _fail(*row, "its worker was lost with this round alone and others were settled since", leases=1)
    return row is not None


def _settle_table(table_id, round_ids):
    """Settle rounds of one table together; if that fails, one by one, so that a bad one fails alone."""
    try:
        return _settle(table_id, round_ids)
    except Exception as error:
        if outages.out_of_reach(error):
            raise  # no round's failure: the lease runs out and they are due again
        if len(round_ids) == 1:
            with transaction.atomic():
                _fail(round_ids[0], f"{type(error).__name__}: {error}")
            return 0
    return sum(_settle_table(table_id, [round_id]) for round_id in round_ids)


def _settle(table_id, round_ids):
    with transaction.atomic():
        rows = take(round_ids)
        if not rows:
            return 0
        _write(table_id, rows, [settlement_of(row, generation=1) for row in rows])
    return len(rows)


def _write(table_id, rows, settlements):
    """Write the settlements of rounds of one table, and their entries.

    :raises IntegrityError: if any of the rounds' generations is settled already (unique key); nothing is written.
    """
    chain, round_ids = f"table:{table_id}", [row.round_id for row in rows]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM settle_rounds(%s, %s, %s, %s, %s)", [round_ids, *ledger.rows(settlements), chain])
        head = log.Head(*cursor.fetchone())
    log.append(chain, head, map(record_of, rows, settlements))


def settle_again(round_id):
    """Settle the newest line of a settled round as its next generation: what the last one moved is reversed.

    Within the transaction of the correction, which has locked the round. The business date is that of the table's open
    session, else the gaming day of now.
    """
    (row,) = read([round_id])
    last = Settlement.objects.filter(round_key=row.ref).latest("generation")
    running = Session.objects.filter(table_id=row.table_id, status=Session.Status.OPEN).first()
    date = running.business_date if running else sessions.business_date()
    settlement = settlement_of(row._replace(business_date=date), last.generation + 1)
    settlement.transfers.extend(_reversals(settlement.key, last))
    _write(row.table_id, [row], [settlement])


def _reversals(key, settlement):
    """The mirror of each transfer that a settlement made of its own."""
    return [
        ledger.NewTransfer(
            f"{key}:r:{transfer.key}", transfer.credit_id, transfer.debit_id, transfer.units, "reversal", transfer.pk
        )
        for transfer in settlement.transfers.filter(reverses=None).order_by("key")
    ]


def record_of(row, settlement):
    """What the log is to write of a settlement."""
    refs = {
        row.float_id: f"float:table:{row.table_id}",
        row.patrons_id: f"patrons:table:{row.table_id}",
        row.pot_id: f"pot:table:{row.table_id}",
        row.rake_id: "rake:house",
    }
    return log.Record(
        "round.settled",
        row.ref,
        {
            "generation": settlement.generation,
            "sheet": settlement.sheet_digest,
            "round": json.loads(row.line) if row.line_ordinal > 1 else None,
            "result": settlement.result,
            "payments": [payment.facts() for payment in settlement.payments],
            "transfers": ledger.transfer_facts(settlement.transfers, refs),
        },
    )


def take(round_ids):
    """What settling needs of those rounds that are still to be settled, locked, in the order of their numbers."""
    return _rows("SELECT * FROM take_rounds(%s)", round_ids)


def read(round_ids):
    """The same of rounds that are locked already, each with its newest line."""
    return _rows("SELECT * FROM read_rounds(%s)", round_ids)


def _rows(statement, round_ids):
    with connection.cursor() as cursor:
        cursor.execute(statement, [round_ids])
        return [_Row(*row) for row in cursor.fetchall()]


def settlement_of(row, generation):
    """One round's settlement, from its line, its stakes and its sheet alone."""
    adjudicated = adjudication.adjudicate(
        json.loads(row.line),
        [Wager(**wager) for wager in json.loads(row.wagers)],
        adjudication.sheet_of(row.rules),
        row.carry and json.loads(row.carry),
        row.accounts,
        f"{row.ref}:{generation}",
    )
    return ledger.NewSettlement(
        round_key=row.ref,
        table_key=f"table:{row.table_id}",
        generation=generation,
        line_ordinal=row.line_ordinal,
        sheet_digest=row.digest,
        business_date=row.business_date,
        **adjudicated._asdict(),
    )


def _fail(round_id, reason, leases=0):
    """Count a failure of this very round: it waits longer each time, and after the eighth it is held with an alarm.

    :param leases: 1 if it is to go alone the next time too.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_round SET failures = least(failures, 1000) + 1, leases = %s, alone = false,"
            " next_at = now() + make_interval(secs => (%s::int[])[least(failures + 1, %s)])"
            " WHERE id = %s AND status = 'CLOSED' AND held_at IS NULL RETURNING failures",
            [leases, list(BACKOFF_SECONDS), len(BACKOFF_SECONDS), round_id],
        )
        row = cursor.fetchone()
    if row is None:
        return
    (failures,) = row
    logger.warning("Round %s was not settled (failure %s): %s", round_id, failures, reason)
    if failures >= MAX_FAILURES:
        interventions.hold_by_system(round_id)
        logger.error("ALARM: round %s could not be settled %s times and is held", round_id, failures)
