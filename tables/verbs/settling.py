"""Settling what is due: lease, then table by table one transaction each, mostly in one call (design: Settlement).

The round's row is the task. A worker leases up to 100 due rounds, so that a second worker takes others; when a lease
runs out, they are due again. Each round is settled exactly once, because its row is locked and checked again, and
because the settlement's key is unique; how often a doorbell rings does not matter.

A round of a lost lease goes alone from then on, so that one that kills its worker takes no others with it. If its
worker is lost again, that proves nothing against it: the machine, the database or a person may have ended the worker.
It has failed only if another round could be settled since. So any number of workers lost in a row holds no round, while
a round that kills whoever touches it is held once others went past it eight times. Until then it is tried again and
again, after all others.
"""

import json
import logging
import math
import time
from itertools import groupby
from typing import NamedTuple

from django.db import connection, transaction

from audit import log
from casino import bell, outages
from casino.games.game import Wager
from payouts import adjudication, ledger
from payouts.models import Account, Movement, Settlement

from ..models import Round, Session, Table
from . import dates, grounds, interventions, payments, rounds
from .wording import WORDING

logger = logging.getLogger(__name__)

BATCH, AT_A_TABLE = 100, 20
LEASE = "10 seconds"
LONG = "30 seconds"
BACKOFF_SECONDS = (1, 2, 4, 8, 15)
MAX_FAILURES = 8


class Due(NamedTuple):
    """A leased round; `more`: others were due besides those that were leased with it."""

    table_id: int
    round_id: int
    more: bool


class _Row(NamedTuple):
    """What settling one round needs."""

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
    entered_late: bool

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
    while leased := lease():
        settled += _settle_leased(leased)
        if not leased[0].more or time.monotonic() >= until:
            break
    return settled


def lease():
    """Take due rounds for 10 s, committed before anything else happens.

    Rounds of a lost lease go one at a time when no others are due, those lost alone last: a worker that replaces a lost
    one first shows that it lives, and whatever ends workers again does not hit the same rounds. If others are due all
    the time, one that has waited long goes in between.
    """
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM lease_due(%s, %s, %s, %s)", [BATCH, AT_A_TABLE, LEASE, LONG])
            rows = cursor.fetchall()
        failed = [round_id for _, round_id, failed, _ in rows if failed]
        if not failed:
            return [Due(table_id, round_id, more) for table_id, round_id, _, more in rows]
        _blame(*failed)


def try_now(*, standing, actor):
    """Let a worker take at once a closed round that waits for its next try.

    It settles as it would have later: no entry of the log says who was in a hurry.

    :raises Refused: `round_wrong_moment`, `round_held`, and `round_in_work` while a worker's lease of it runs.
    """
    waiting = standing.round
    if waiting.status != Round.Status.CLOSED:
        raise grounds.wrong_moment(waiting, WORDING("round_as_it_is"), rule=WORDING("tried_when_closed"))
    if waiting.held_at:
        raise rounds.held(waiting)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_round SET next_at = least(next_at, now())"
            " WHERE id = %s AND status = 'CLOSED' AND (leases = 0 OR next_at <= now()) RETURNING id",
            [waiting.pk],
        )
        if not cursor.fetchall():
            raise WORDING.refused("round_in_work", round=waiting)
    transaction.on_commit(bell.ring, robust=True)
    waiting.refresh_from_db()
    return waiting


def _blame(round_id):
    """Count a failure of a round that lost its worker alone, unless somebody did so meanwhile."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT FROM tables_round WHERE id = %s AND alone AND leases > 0 AND next_at <= now() FOR NO KEY UPDATE",
            [round_id],
        )
        if cursor.fetchall():
            _fail(round_id, "its worker was lost with this round alone and others were settled since", leases=1)


def _settle_leased(leased):
    """Settle rounds of several tables in one call that commits table by table; then what it left, table by table."""
    round_ids, settled = [due.round_id for due in leased], 0
    # A call within a transaction could not commit.
    if len({due.table_id for due in leased}) > 1 and not connection.in_atomic_block:
        try:
            settled = _settle_together(round_ids)
        except Exception as error:
            if outages.out_of_reach(error):
                raise
            settled = Round.objects.filter(pk__in=round_ids, status=Round.Status.SETTLED).count()
    if settled < len(round_ids):
        for table_id, rounds in groupby(sorted(leased), key=lambda due: due.table_id):
            settled += _settle_table(table_id, [due.round_id for due in rounds])
    return settled


def _settle_together(round_ids):
    """Read all, work all out, and write it table by table.

    :returns: how many rounds were settled; a table's rounds are left if one of them is not as it was read.
    """
    rows = [row for row in read(round_ids, Round.Status.CLOSED) if not row.entered_late]
    rows.sort(key=lambda row: row.table_id)
    counts, chains, lines = [], [], []
    for table_id, of_table in groupby(rows, key=lambda row: row.table_id):
        pairs = [(row, settlement_of(row, generation=1)) for row in of_table]
        chain, addition = log.addition(f"table:{table_id}", [record_of(*pair) for pair in pairs])
        counts.append(len(pairs))
        chains.append(chain)
        lines.append([*ledger.rows([settlement for _, settlement in pairs]), addition])
    if not rows:
        return 0
    # JSON has no newline of its own; an array of texts would be escaped character by character.
    headers, payments, transfers, entries = map("\n".join, zip(*lines, strict=True))
    rounds = [row.round_id for row in rows], Round.Status.CLOSED, [row.line_ordinal for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(
            "CALL settle_tables(0, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [*rounds, counts, headers, payments, transfers, chains, entries],
        )
        return cursor.fetchone()[0]


def _settle_table(table_id, round_ids):
    """Settle rounds of one table together; if that fails, one by one, so that a bad one fails alone."""
    try:
        return _settle(table_id, round_ids)
    except Exception as error:
        if outages.out_of_reach(error):
            raise  # not a round's failure: the lease runs out and they are due again
        if len(round_ids) == 1:
            with transaction.atomic():
                _fail(round_ids[0], f"{type(error).__name__}: {error}")
            return 0
    return sum(_settle_table(table_id, [round_id]) for round_id in round_ids)


def _settle(table_id, round_ids):
    """Settle rounds of one table together, but each that was entered late by itself: the variance gives back what it
    moved before the next one is written."""
    settled = 0
    while round_ids and (rows := read(round_ids, Round.Status.CLOSED)):
        taken = [row for row in rows if row.entered_late][:1] or rows
        if taken[0].entered_late:
            written = _settle_late(taken[0])
        else:
            settlements = [settlement_of(row, generation=1) for row in taken]
            written = _write(table_id, taken, settlements, Round.Status.CLOSED)
        if written:
            settled += len(taken)
            round_ids = [row.round_id for row in rows if row not in taken]
    return settled


def _settle_late(row):
    """Settle a round from paper whose session is closed.

    Its chips were counted with the closer, so what it moves is a part of that variance: the variance takes or gives it
    in the same step, and float and rake slot stay as they are. Whoever entered it answers for that, and for its
    payments, which the boxes had when it was played.

    :returns: False if it is no longer as it was read; nothing is written then.
    """
    settlement = settlement_of(row, generation=1)
    with transaction.atomic():
        dates.hold(row.business_date)
        # Whoever closes the table's next session locks the chain first and then the accounts.
        Table.objects.select_for_update(no_key=True).get(pk=row.table_id)
        if not _write(row.table_id, [row], [settlement], Round.Status.CLOSED):
            return False
        round_ = Round.objects.select_related("table", "settlement", "opened_by", "opened_with").get(pk=row.round_id)
        two = log.Actor(round_.opened_by, round_.opened_with)
        _even(row, settlement, two, Account.Kind.VARIANCE)
        payments.tick_all(round_, actor=two)
    return True


def _write(table_id, rows, settlements, state):
    """Write the settlements of rounds of one table, and their entries, if the rounds are in that state still.

    :returns: False if they are not; nothing is written then.
    :raises IntegrityError: if any of the rounds' generations is settled already (unique key); nothing is written.
    """
    chain = f"table:{table_id}"
    addition = log.addition(chain, map(record_of, rows, settlements))
    rounds = [row.round_id for row in rows], state, [row.line_ordinal for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT settle_rounds(%s, %s, %s, %s, %s, %s, %s, %s)", [*rounds, *ledger.rows(settlements), *addition]
        )
        return cursor.fetchone()[0]


def settle_again(round_id, actor):
    """Settle the newest line of a settled round as its next generation: what the last one moved is reversed.

    Within the transaction of the correction, which has locked the round. The business date is that of the table's
    session. A table without a session is closed and stays without chips: the cage takes or gives what the correction
    moves there in the same step, and the date is that of whatever begins now.

    :param actor: the two who correct it.
    """
    (row,) = read([round_id], Round.Status.SETTLED)
    last = Settlement.objects.filter(round_key=row.ref).latest("generation")
    running = Session.objects.running().filter(table_id=row.table_id).first()
    date = running.business_date if running else dates.today()
    settlement = settlement_of(row._replace(business_date=date), last.generation + 1)
    settlement.transfers.extend(_reversals(settlement.key, last))
    if not _write(row.table_id, [row], [settlement], Round.Status.SETTLED):
        raise RuntimeError(f"{row.ref} is not locked by its correction.")
    if not running:
        _even(row, settlement, actor, Account.Kind.CAGE)


def _even(row, settlement, actor, kind):
    """Let the cage take what a correction left in float and rake slot of a closed table, or give what it took; for a
    round that was entered late, the variance does so.

    :param kind: the kind of the account that does so.
    """
    other = Account.objects.get(kind=kind)
    for account_id in (row.float_id, row.rake_id):
        added = sum(
            transfer.units * ((transfer.debit == account_id) - (transfer.credit == account_id))
            for transfer in settlement.transfers
        )
        if added:
            account = Account.objects.get(pk=account_id)
            ledger.move(
                kind=Movement.Kind.CORRECTION,
                subject=row.ref,
                number=Movement.objects.filter(subject=row.ref).count() + 1,
                debit=other if added > 0 else account,
                credit=account if added > 0 else other,
                denominations={"1": abs(added)},
                business_date=settlement.business_date,
                actor=actor,
                chain=settlement.table_key,
            )


def _reversals(key, settlement):
    """The mirror of each transfer that a settlement made of its own."""
    return [
        ledger.NewTransfer(
            f"{key}:r:{transfer.key}", transfer.credit_id, transfer.debit_id, transfer.units, "reversal", transfer.pk
        )
        for transfer in settlement.transfers.filter(reverses=None).order_by("key")
    ]


def record_of(row, settlement):
    """What the log is to write of a settlement.

    Correcting a round from before its table had a rake slot takes back what went into the house's rake.
    """
    refs = {
        row.float_id: f"float:table:{row.table_id}",
        row.patrons_id: f"patrons:table:{row.table_id}",
        row.pot_id: f"pot:table:{row.table_id}",
        row.rake_id: f"rake:table:{row.table_id}",
    }
    others = {end for each in settlement.transfers for end in (each.debit, each.credit)} - refs.keys()
    if others:
        refs |= {account.pk: account.ref for account in Account.objects.filter(pk__in=others)}
    later = {"business_date": settlement.business_date.isoformat()} if settlement.generation > 1 else {}
    return log.Record(
        "round.settled",
        row.ref,
        later
        | {
            "generation": settlement.generation,
            "sheet": settlement.sheet_digest,
            "round": json.loads(row.line) if row.line_ordinal > 1 else None,
            "result": settlement.result,
            "payments": [payment.facts() for payment in settlement.payments],
            "transfers": ledger.transfer_facts(settlement.transfers, refs),
        },
    )


def read(round_ids, state):
    """What settling needs of those rounds that are in this state and not held, in the order of their numbers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM read_rounds(%s, %s)", [round_ids, state])
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
            "UPDATE tables_round SET failures = least(failures, 1000) + 1, failure = %s, leases = %s, alone = false,"
            " next_at = now() + make_interval(secs => (%s::int[])[least(failures + 1, %s)])"
            " WHERE id = %s AND status = 'CLOSED' AND held_at IS NULL RETURNING failures",
            [reason.partition("\n")[0][:200], leases, list(BACKOFF_SECONDS), len(BACKOFF_SECONDS), round_id],
        )
        row = cursor.fetchone()
    if row is None:
        return
    (failures,) = row
    logger.warning("Round %s was not settled (failure %s): %s", round_id, failures, reason)
    if failures >= MAX_FAILURES:
        interventions.hold_by_system(round_id)
        logger.error("ALARM: round %s could not be settled %s times and is held", round_id, failures)
