"""What corrections leave to be handed over or collected at the table, and the disputes that end when it is done."""

from django.db.models.functions import Now

from audit import log
from payouts.models import PaymentTick, Settlement

from .models import Dispute


def outstanding(round_):
    """Box to net units that the newest generation leaves to be handed over (or below 0, collected), nobody having
    ticked it; {} where the round was settled once at most.

    It counts from what was ticked last, or where nobody ticked, from the generation before.
    """
    nets = {}
    ticked = {}
    settlements = list(Settlement.objects.filter(round_key=round_.ref).order_by("generation"))
    if len(settlements) < 2:
        return {}
    for settlement in settlements:
        nets[settlement.generation] = {payment.box: payment.net_units for payment in settlement.payments.all()}
    newest, before = settlements[-1].generation, settlements[-2].generation
    ticks = PaymentTick.objects.filter(payment__settlement__in=settlements).select_related("payment__settlement")
    for tick in sorted(ticks, key=lambda tick: tick.payment.settlement.generation):
        ticked[tick.payment.box] = tick.payment.net_units if tick.payment.settlement.generation < newest else None
    found = {}
    for box, net in nets[newest].items():
        had = ticked.get(box, nets[before].get(box, net))
        if had is not None and net != had:
            found[box] = net - had
    return found


def close_disputes(round_, *, by, terminal=None):
    """Close disputes that were ruled on: at once where nothing was changed, else when nothing is left to hand over.
    The round is locked."""
    ruled = list(round_.disputes.filter(status=Dispute.Status.RULED))
    left = outstanding(round_) if ruled else {}
    for dispute in ruled:
        if dispute.line_id and left:
            continue
        round_.disputes.filter(pk=dispute.pk).update(status=Dispute.Status.CLOSED, closed_at=Now())
        log.record(
            "dispute.closed",
            round_.ref,
            chain=round_.table.ref,
            by=by.ref,
            terminal=terminal and terminal.name,
            facts={"dispute": dispute.ref, "generation": round_.settlement and round_.settlement.generation},
        )
