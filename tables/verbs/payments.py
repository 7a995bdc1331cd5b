"""Payments handed over: the croupier ticks each box of a settled round; what a correction leaves is ticked again, by
the cage if the table is closed.

If a patron has left without it, two people say so: the box then counts as finished, but not as paid. A dispute that
changed something ends when nothing is left to hand over or to collect.
"""

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from audit import log
from casino.roles import Right
from payouts.models import Payment, PaymentTick, Settlement

from ..models import Dispute, Round, Session
from . import grounds, results
from .wording import WORDING


def right_to_tick(table):
    """The right to hand over what is due at a table: the croupier's, or the cage's while the table is closed."""
    is_open = Session.objects.running().filter(table=table).exists()
    return Right.ACT if is_open else Right.TICK_AT_CAGE


def tick(*, standing, generation, box, actor):
    """Put on record that a box has got what the newest generation says, once.

    :raises Refused: `round_wrong_moment` before settlement, `stale_version` if a correction came between,
        `box_unknown`, `ticked_already`.
    """
    paid, payment = standing.round, _open(standing.round, generation, box)
    PaymentTick.objects.create(payment=payment, by=actor.by)
    _record("payment.ticked", paid, payment, generation, actor)
    close_disputes(paid, actor=actor)
    return paid


def tick_all(paid, *, actor):
    """Put on record that each box had its payment before the round was entered: from paper, after its session was
    closed."""
    for payment in paid.settlement.payments.order_by("box"):
        PaymentTick.objects.create(payment=payment, by=actor.by)
        _record("payment.ticked", paid, payment, paid.settlement.generation, actor)


def leave(*, standing, generation, box, actor):
    """Put on record that a box has not got, or not given, what the newest generation says: its patron has left.

    :param actor: `approved_by` is the second person who says so.
    :raises Refused: as `tick`; `same_person` (422); `nothing_due` if nothing was to be handed over or collected.
    """
    grounds.two_people(actor)
    paid, payment = standing.round, _open(standing.round, generation, box)
    if box not in {each.box for each in _due(paid)}:
        raise WORDING.refused("nothing_due", box=box, round=paid)
    PaymentTick.objects.create(payment=payment, by=actor.by, left_with=actor.approved_by)
    _record("payment.left", paid, payment, generation, actor, requester=actor.ref, approver=actor.approver)
    close_disputes(paid, actor=actor)
    return paid


def _open(paid, generation, box):
    """The payment of a box in the newest generation, which nobody has ticked."""
    if paid.status != Round.Status.SETTLED:
        raise grounds.wrong_moment(paid, WORDING("ticked_when_settled"))
    settlement = paid.settlement
    if generation != settlement.generation:
        raise WORDING.refused(
            "stale_version:generation",
            detail={"generation": settlement.generation},
            round=paid,
            seen=generation,
            newest=settlement.generation,
        )
    payment = settlement.payments.filter(box=box).first()
    if payment is None:
        boxes = ", ".join(str(other.box) for other in settlement.payments.all())
        raise WORDING.refused("box_unknown:payment", box=box, boxes=boxes)
    if PaymentTick.objects.filter(payment=payment).exists():
        raise WORDING.refused("ticked_already", box=box)
    return payment


def _record(event, paid, payment, generation, actor, **more):
    facts = {"payment": f"payment:{payment.pk}", "generation": generation, "box": payment.box, **more}
    log.record(event, paid.ref, chain=paid.table.ref, actor=actor, facts=facts)


def outstanding(round_):
    """The payments of a corrected round that are still to be handed over or collected; () if it was not corrected."""
    # Read anew: the round at hand may be older than its newest settlement.
    settlement = Settlement.objects.filter(round_key=round_.ref).order_by("generation").last()
    return () if settlement is None or settlement.generation == 1 else _due(round_, settlement)


def outstanding_of(rounds):
    """The corrected ones of some rounds in which something is outstanding: pairs of round and payments."""
    corrected = rounds.filter(settlement__generation__gt=1, settlement__payments__tick=None)
    corrected = corrected.select_related("table", "sheet", "settlement").distinct().order_by("number")
    pairs = [(round_, outstanding(round_)) for round_ in corrected]
    return [(round_, due) for round_, due in pairs if due]


def _due(round_, settlement=None):
    """The payments of a round's newest generation that are due and not ticked."""
    handed = round_.lines.values_list("handed", flat=True).first()
    paid = results.payments(settlement or round_.settlement, handed)
    return tuple(each for each in paid if each.due and not each.ticked)


def unticked(session):
    """The rounds of a session, as first settled, in which a payment waits for its tick: pairs of round and payments.

    What a correction has left is not among these: see `outstanding`.
    """
    waiting = Payment.objects.filter(settlement=OuterRef("settlement"), tick=None)
    rounds = session.rounds.filter(Exists(waiting), settlement__generation=1).select_related("table", "settlement")
    rounds = rounds.prefetch_related("lines", "settlement__payments__tick", "settlement__transfers")
    for round_ in rounds.order_by("number"):
        ticks = [payment.tick for payment in round_.settlement.payments.all() if hasattr(payment, "tick")]
        handed = next((line.handed for line in round_.lines.all()), None)
        paid = results.payments_beside(round_.settlement, ticks, handed)
        due = [each for each in paid if each.due and not each.ticked]
        if due:
            yield round_, due


def close_disputes(round_, *, actor):
    """Close disputes that were ruled on: at once if nothing was changed, else when nothing is outstanding. The round is
    locked."""
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
