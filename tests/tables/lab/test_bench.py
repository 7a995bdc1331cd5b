"""What the benchmarks measure is what the product does: the limit writes the same rows as settling."""

import psycopg
import pytest

from audit import chains
from audit.models import Entry
from payouts.models import Payment, Settlement, Transfer
from tables.lab import house
from tables.lab.bench import limit, night
from tables.models import Round, Table
from tables.verbs import settling

from ...support import stack

EACH = 12


@pytest.fixture
def superuser(seeded_db):
    with psycopg.connect(stack.cluster().url("postgres", seeded_db), autocommit=True) as connection:
        yield connection


def written(table):
    """All that settling wrote for a table's rounds, in their order, without ids, keys and times."""
    rounds = {round_.ref: round_.number for round_ in Round.objects.filter(table=table)}
    of_table = {"settlement__table_key": table.ref}
    return (
        [
            (rounds[key], *rest)
            for key, *rest in Settlement.objects.filter(table_key=table.ref)
            .order_by("id")
            .values_list("round_key", "generation", "line_ordinal", "sheet_digest", "business_date", "result")
        ],
        list(
            Payment.objects.filter(**of_table)
            .order_by("settlement_id", "box")
            .values_list("box", "outcome", "staked_units", "returned_units", "paid_units", "net_units", "clauses")
        ),
        list(
            Transfer.objects.filter(**of_table)
            .order_by("settlement_id", "id")
            .values_list("debit__kind", "credit__kind", "units", "reason", "business_date")
        ),
        sorted(table.rounds.values_list("number", "status", "leases", "alone", "next_at")),
        [rounds[subject] for subject in _settled(table)],
    )


def _settled(table):
    return (
        Entry.objects.filter(chain=table.ref, event="round.settled").order_by("seq").values_list("subject", flat=True)
    )


def test_the_limit_writes_the_same_rows_as_settling(seeded_db, superuser):
    superuser.execute(limit.SCHEMA)
    one, two = (Table.objects.get(pk=pk) for pk in house.lay_out(2))
    by_limit, by_us = night.wait(superuser, [one.pk], EACH), night.wait(superuser, [two.pk], EACH)
    limit.prepare([waiting.id for waiting in by_limit])
    assert limit.settle(stack.cluster().url("casino_app", seeded_db), [[waiting.id for waiting in by_limit]]) > 0
    night.release(by_us)
    assert night.waits()
    assert settling.settle_due() == EACH
    assert not night.waits()
    assert written(one) == written(two)
    assert len(written(one)[0]) == EACH
    assert chains.verify(one.ref).seq == chains.verify(two.ref).seq
