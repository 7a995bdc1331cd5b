"""What a session leaves to the one after it: credits on their way, disputes that wait for their ruling, rounds in which
a correction has left something to hand over or to collect, and uncounted drop boxes.

Its closing form names them and the log records them, as references: `slip:12`, `dispute:3`, `round:81`, `drop_box:7`.
What the session before left and nobody has done since is listed again.
"""

from ..models import Dispute, DropBox, Round, Slip
from . import payments


def of(session, before):
    """The references of what is unfinished in a session, and of what the session `before`, if any, left to it."""
    left = [ref for ref in (before.unfinished if before else ()) if waits(ref)]
    own = [slip.ref for slip in session.slips.running().order_by("pk")]
    own += [dispute.ref for dispute in _disputes(round__session=session).order_by("pk")]
    own += [round_.ref for round_, _ in payments.outstanding_of(session.rounds)]
    own += [drop_box.ref for drop_box in session.drop_boxes.waiting().order_by("pk")]
    return [*left, *(ref for ref in own if ref not in left)]


def waits(ref):
    """Whether something that a session left is still to be done."""
    kind, _, number = ref.partition(":")
    if kind == "slip":
        return Slip.objects.running().filter(pk=number).exists()
    if kind == "dispute":
        return _disputes(pk=number).exists()
    if kind == "drop_box":
        return DropBox.objects.waiting().filter(pk=number).exists()
    return bool(payments.outstanding(Round.objects.get(pk=number)))


def _disputes(**which):
    return Dispute.objects.filter(status=Dispute.Status.OPEN, **which)
