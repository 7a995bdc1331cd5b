"""Rounds over the database: opened, acted in, closed, settled; the money and the log that they leave."""

import json

import pytest
from django.db import transaction

from audit.models import Entry
from casino.errors import Refused
from casino.models import Staff
from payouts.models import Account, Payment, Settlement, Transfer
from tables import rounds, settling
from tables.models import Round, Table


def do(round_, kind, box=None, **arguments):
    with transaction.atomic():
        rounds.act(
            round_id=round_.pk,
            version=rounds.fold(round_).version,
            kind=kind,
            box=box,
            arguments=arguments,
            by=Staff.objects.get(login="anna"),
        )


@pytest.fixture
def opened(seeded_db):
    with transaction.atomic():
        return rounds.open_round(table_id=Table.objects.get(code="T1").pk, by=Staff.objects.get(login="anna"))


def play(opened):
    do(opened, "ante", 1, units=1000)
    do(opened, "ante", 2, units=500)
    do(opened, "close_betting")
    do(opened, "open_card", card="2s")
    do(opened, "bet", 1)
    do(opened, "fold", 2)
    do(opened, "reveal", cards=["9s", "9d", "Ac", "Kh"])
    do(opened, "small_hand", cards=["Kd", "4c"])
    do(opened, "show", 1, cards=["3s", "4s", "5s", "6s", "8s"], extra=["Ah", "Ad"])
    with transaction.atomic():
        return rounds.close(round_id=opened.pk, version=9, by=Staff.objects.get(login="anna"))


def test_a_closed_round_is_settled_once_and_the_money_stands(opened):
    closed = play(opened)
    assert closed.status == Round.Status.CLOSED
    assert settling.settle_due() == 1
    assert settling.settle_due() == 0
    closed.refresh_from_db()
    assert closed.status == Round.Status.SETTLED
    assert list(Payment.objects.values_list("box", "outcome", "net_units")) == [(1, "win_bet", 10000), (2, "fold", -500)]
    key = f"round:{closed.pk}:1"
    assert sorted(Transfer.objects.filter(settlement__key=key).values_list("key", "units", "reason")) == [
        (f"{key}:2", 500, "wager"),
        (f"{key}:3", 10000, "wager"),
    ]
    assert Settlement.objects.get().generation == 1
    assert sum(account.balance_units for account in Account.objects.with_balance()) == 0
    told = [json.loads(body) for body in Entry.objects.filter(subject=closed.ref).order_by("seq").values_list("body", flat=True)]
    assert [entry["event"] for entry in told] == ["round.opened", *["round.acted"] * 9, "round.closed", "round.settled"]
