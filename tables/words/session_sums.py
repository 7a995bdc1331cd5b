"""What a closed session came to, for its closing form and the files of its cases."""

from typing import NamedTuple

from payouts import ledger, winning
from payouts.models import Movement

from ..verbs import drop_boxes

KIND = Movement.Kind


class Sums(NamedTuple):
    """What moved, by kind, the drop, and the table's win in two ways: `win` by the count, `won` by the rounds.

    In units; the drop is None while one of its boxes is not counted, and so is the win.
    """

    moved: dict
    credits: int
    drop: int | None
    win: winning.Win
    won: int


def of(session):
    """The sums of a session."""
    table, kind = session.table, KIND
    moved = ledger.movement_units(session.ref, *(slip.ref for slip in session.slips.all()))
    credits, drop = moved[kind.CREDIT] - moved[kind.CREDIT_RETURNED], drop_boxes.drop(session)
    won = ledger.settlement_units(
        debit=table.float_account, credit=table.patrons_account, account=table.float_account, subject=session.ref
    )
    chips = winning.Chips(moved[kind.OPENER], moved[kind.FILL], credits, drop, moved[kind.CLOSER])
    return Sums(moved, credits, drop, winning.win(chips), won)
