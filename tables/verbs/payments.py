"""Payments handed over: the croupier ticks each box of a settled round; what a correction leaves is ticked again.

A dispute that changed something ends when nothing is left to hand over or to collect.
"""

from django.db.models.functions import Now

from audit import log
from casino.errors import Refused
from payouts.models import PaymentTick, Settlement

from ..models import Dispute, Round
from . import grounds, results


def tick(*, standing, generation, box, actor):
    """Put on record that a box has got what the newest generation says, once.

    :raises Refused: `round_wrong_moment` before settlement, `stale_version` if a correction came between,
        `box_unknown`, `ticked_already`.
    """
    paid = standing.round
    if paid.status != Round.Status.SETTLED:
        raise grounds.wrong_moment(paid, "Payments are ticked when the round is settled.")
    settlement = paid.settlement
    if generation != settlement.generation:
        raise Refused(
            "stale_version",
            f"Round {paid} was corrected: you saw generation {generation}, there is {settlement.generation}.",
            path="generation",
            way_out="Look at the payments as they are now.",
            detail={"generation": settlement.generation},
        )
    payment = settlement.payments.filter(box=box).first()
    if payment is None:
        raise Refused(
            "box_unknown",
            f"Box {box} was not in play.",
            status=422,
            path="box",
            way_out=f"In play: {', '.join(str(other.box) for other in settlement.payments.all())}.",
        )
    if PaymentTick.objects.filter(payment=payment).exists():
        raise Refused("ticked_already", f"Box {box} is ticked already.", path="box", way_out="Go on with the next box.")
    PaymentTick.objects.create(payment=payment, by=actor.by)
    log.record(
        "payment.ticked",
        paid.ref,
        chain=paid.table.ref,
        actor=actor,
        facts={"payment": f"payment:{payment.pk}", "generation": generation, "box": box},
    )
    close_disputes(paid, actor=actor)
    return paid


def outstanding(round_):
    """The payments of a corrected round that are still to be handed over or collected; () where none was corrected."""
    # Asked anew: the round at hand may be older than its newest settlement.
    settlement = Settlement.objects.filter(round_key=round_.ref).order_by("generation").last()
    if settlement is None or settlement.generation == 1:
        return ()
    handed = round_.lines.values_list("handed", flat=True).first()
    return tuple(paid for paid in results.payments(settlement, handed) if not paid.ticked and paid.due)


def close_disputes(round_, *, actor):
    """Close disputes that were ruled on: at once where nothing was changed, else when nothing is outstanding. The
    round is locked."""
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
