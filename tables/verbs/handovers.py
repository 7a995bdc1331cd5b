"""What corrections leave to be handed over or collected at the table, and the disputes that end when it is done."""

from django.db.models.functions import Now

from audit import log
from payouts.models import Settlement

from ..models import Dispute
from . import results


def outstanding(round_):
    """The payments of a corrected round that are still to be handed over or collected; () where none was corrected."""
    # Asked anew: the round at hand may be older than its newest settlement.
    settlement = Settlement.objects.filter(round_key=round_.ref).order_by("generation").last()
    if settlement is None or settlement.generation == 1:
        return ()
    left = (paid for paid in results.payments(settlement) if not paid.ticked and paid.due)
    return tuple(paid for paid in left if paid.difference != 0)


def close_disputes(round_, *, actor):
    """Close disputes that were ruled on: at once where nothing was changed, else when nothing is left to hand over.
    The round is locked."""
    ruled = list(round_.disputes.filter(status=Dispute.Status.RULED))
    left = outstanding(round_) if ruled else ()
    for dispute in ruled:
        if dispute.line_id and left:
            continue
        round_.disputes.filter(pk=dispute.pk).update(status=Dispute.Status.CLOSED, closed_at=Now())
        log.record(
            "dispute.closed",
            round_.ref,
            chain=round_.table.ref,
            actor=actor,
            facts={"dispute": dispute.ref, "generation": round_.settlement and round_.settlement.generation},
        )
