"""Rounds over the database: opened, acted in, closed, settled; the money and the log that they leave."""

import json

from audit.models import Entry
from payouts.models import Account, Payment, Settlement, Transfer
from tables.models import Round
from tables.verbs import settling

from ...support import factories


def test_a_closed_round_is_settled_once_and_the_money_stands(seeded_db):
    closed = factories.play_round(factories.table("T1"))
    assert closed.status == Round.Status.CLOSED
    assert settling.settle_due() == 1
    assert settling.settle_due() == 0
    closed.refresh_from_db()
    assert closed.status == Round.Status.SETTLED
    assert list(Payment.objects.values_list("box", "outcome", "net_units")) == [
        (1, "win_bet", 10000),
        (2, "fold", -500),
    ]
    key = f"round:{closed.pk}:1"
    assert sorted(Transfer.objects.filter(settlement__key=key).values_list("key", "units", "reason")) == [
        (f"{key}:2", 500, "wager"),
        (f"{key}:3", 10000, "wager"),
    ]
    assert Settlement.objects.get().generation == 1
    assert sum(account.balance_units for account in Account.objects.with_balance()) == 0
    told = [json.loads(entry.body) for entry in Entry.objects.filter(subject=closed.ref).order_by("seq")]
    assert [entry["event"] for entry in told] == ["round.opened", *["round.acted"] * 9, "round.closed", "round.settled"]
