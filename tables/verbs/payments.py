"""Payments handed over: the croupier ticks each box of a settled round."""

from audit import log
from casino.errors import Refused
from payouts.models import PaymentTick

from ..models import Round
from . import grounds, handovers, rounds


def tick(*, round_id, generation, box, actor):
    """Put on record that a box has got what the newest generation says, once.

    :raises Refused: `round_wrong_moment` before settlement, `stale_version` if a correction came between,
        `box_unknown`, `ticked_already`.
    """
    paid = rounds.lock(round_id)
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
    handovers.close_disputes(paid, actor=actor)
    return paid
