"""What earlier rounds of a running session still have to hand over after a correction, for the table's screen."""

from ..models import Round
from ..verbs import payments
from . import handing, timeline


def of(newest):
    """The earlier corrected rounds in which a box does not yet have what the correction says, in words."""
    rounds = Round.objects.filter(
        session=newest.session_id,
        settlement__table_key=newest.table.ref,  # by its index of what was corrected
    )
    owing = payments.outstanding_of(rounds.exclude(pk=newest.pk))
    return [{"id": round_.pk, "number": str(round_), "boxes": _boxes(round_, due)} for round_, due in owing]


def _boxes(round_, due):
    words = timeline.words(round_)
    return [handing.order(paid, words.amount, within=True) for paid in due]
