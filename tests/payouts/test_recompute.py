"""What an outsider needs is in the log: lines, results, payments and transfers recomputed from the entries alone."""

import json
from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from audit import verify_export as verifier
from audit.log import Actor
from audit.models import Entry
from casino.games import registry
from casino.models import Staff
from payouts.models import Account, Payment, Transfer
from tables.models import Round, Table
from tables.verbs import rounds, rulesheets, settling, standing
from tests.audit.test_log import verify
from tests.support import play, proof

PROJECT = Path(__file__).resolve().parents[2]


def recompute(bodies):
    """Settle entries again as the auditor does with --resettle.

    :returns: payments as (round, generation, box, outcome, staked, returned, paid, net), and transfers as
        (key, debit, credit, units, reason).
    """
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    payments, transfers = set(), set()
    for body in bodies:
        paid, moved = resettling.take(json.loads(body))
        payments |= set(paid)
        transfers |= set(moved)
    resettling.finish()
    return payments, transfers


def enter(table, actions):
    """Play actions through the verbs, close, and give the round."""
    anna = Staff.objects.get(login="anna")
    with transaction.atomic():
        opened = rounds.open_round(table_id=table.pk, actor=Actor(anna))
    for version, (kind, box, arguments) in enumerate(actions):
        with transaction.atomic():
            rounds.act(
                standing=standing.locked(opened.pk),
                version=version,
                kind=kind,
                box=box,
                arguments=arguments,
                actor=Actor(anna),
            )
    with transaction.atomic():
        return rounds.close(standing=standing.locked(opened.pk), version=len(actions), actor=Actor(anna))


def play_and_recompute(rounds_played):
    """Play random rounds, settle each, and hold what the database has against what its log alone gives."""
    table = Table.objects.get(code="T1")
    game = registry.GAMES["split"]
    start = game.start(rulesheets.checked(rulesheets.in_force(table)), (), None)

    @settings(max_examples=rounds_played, database=None)
    @given(data=st.data())
    def play_one(data):
        closed = enter(table, play.finish(data.draw, game, start, rulings=True).actions)
        assert settling.settle_due() == 1
        closed.refresh_from_db()
        assert closed.status == Round.Status.SETTLED

    play_one()
    assert verify("house") > 0
    assert verify(table.ref) > 0
    payments, transfers = recompute(Entry.objects.order_by("id").values_list("body", flat=True))
    columns = ("box", "outcome", "staked_units", "returned_units", "paid_units", "net_units")
    stored = Payment.objects.values_list("settlement__round_key", "settlement__generation", *columns)
    assert set(stored) == payments
    stored = Transfer.objects.select_related("debit", "credit")
    assert {(t.key, t.debit.ref, t.credit.ref, t.units, t.reason) for t in stored} == transfers
    assert sum(account.balance_units for account in Account.objects.with_balance()) == 0
    return len(payments), len(transfers)


def test_everything_follows_from_the_log_alone(seeded_db):
    payments, transfers = play_and_recompute(5)
    assert payments > 0
    assert transfers > 0


@pytest.mark.proof
def test_a_thousand_rounds_follow_from_the_log_alone(seeded_db):
    count = proof.size(1000, 40)
    payments, transfers = play_and_recompute(count)
    print(f"\n{count:,} rounds: {payments} payments and {transfers} transfers recomputed from the log, 0 differences")
