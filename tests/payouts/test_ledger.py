"""Movements of chips, and what a session's come to."""

import pytest
from django.db import IntegrityError, transaction

from payouts import ledger
from payouts.models import Account, Movement, Transfer
from tables.management.commands.seed_demo import OPENER
from tables.verbs import settling

from ..support.factories import FLUSH_WINS, FOLDS, actor, close_session, play_round, settled_round, table


@pytest.fixture
def session(seeded_db):
    return table("T1").sessions.get()


def drop(session, number, denominations):
    at = session.table
    with transaction.atomic():
        return ledger.move(
            kind="drop",
            subject=session.ref,
            number=number,
            debit=Account.objects.get(kind="count_room"),
            credit=at.float_account,
            denominations=denominations,
            business_date=session.business_date,
            actor=actor("clara", "hugo"),
            chain=at.ref,
        )


def test_a_movement_of_no_chips_is_none(session):
    before = Movement.objects.count()
    with pytest.raises(ValueError, match="A movement of 0 moves nothing"):
        drop(session, 1, {"100": 0})
    assert Movement.objects.count() == before


def test_a_single_unit_is_a_movement_where_there_is_a_chip_of_it(session):
    with pytest.raises(IntegrityError, match="its chips are not whole chips of the table's set"):
        drop(session, 1, {"1": 1})


def test_movements_of_a_kind_add_up(session):
    before = ledger.balance(session.table.float_account)
    for number, denominations in enumerate(({"500": 1}, {"500": 4, "10000": 2}), 1):
        moved = drop(session, number, denominations)
        assert Transfer.objects.get(movement=moved).key == f"{session.ref}:drop:{number}:1"
    assert ledger.balance(session.table.float_account) == before - 22_500
    units = ledger.movement_units(session.ref)
    assert units.pop("opener") == sum(value * count for value, count in OPENER.items())
    assert units.pop("drop") == 22_500
    assert set(units.values()) == {0}


def test_what_moved_one_way_alone_is_won(session):
    at = session.table
    round_ = settled_round(at, FOLDS)
    close_session(at, OPENER)
    lost = sum(Transfer.objects.filter(reason="wager").values_list("units", flat=True))
    accounts = {"account": at.float_account, "subject": session.ref}
    assert ledger.settlement_units(debit=at.float_account, credit=at.patrons_account, **accounts) == lost > 0
    assert ledger.settlement_units(debit=at.patrons_account, credit=at.float_account, **accounts) == -lost
    for debit, credit, units in (
        (at.float_account, at.patrons_account, lost),
        (at.patrons_account, at.float_account, -lost),
    ):
        by_round = ledger.settlement_units_by_round(debit=debit, credit=credit, **accounts)
        assert by_round == {round_.ref: units}


def test_settlements_written_together_each_have_their_own_payments_and_transfers(session):
    rounds = [play_round(session.table, moves) for moves in (FOLDS, FLUSH_WINS, FOLDS)]
    assert settling.settle_due() == 3
    for round_ in rounds:
        round_.refresh_from_db()
    assert len({round_.settled_at for round_ in rounds}) == 1  # not one by one, as if together failed
    counted = [(each.settlement.payments.count(), each.settlement.transfers.count()) for each in rounds]
    assert counted == [(1, 1), (2, 2), (1, 1)]
