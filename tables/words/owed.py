"""What earlier rounds of a running session still have to hand over after a correction, for the table's screen."""

from ..models import Round
from ..verbs import payments
from . import handing, timeline


def of(newest):
    """The corrected rounds before the newest one in which a box has not what the correction says, in words."""
    corrected = Round.objects.filter(
        session=newest.session_id,
        settlement__table_key=newest.table.ref,  # by its index of what was corrected
        settlement__generation__gt=1,
        settlement__payments__tick=None,
    )
    corrected = corrected.exclude(pk=newest.pk).select_related("table", "sheet", "settlement").distinct()
    owing = [(round_, _boxes(round_)) for round_ in corrected.order_by("number")]
    return [{"id": round_.pk, "number": str(round_), "boxes": boxes} for round_, boxes in owing if boxes]


def _boxes(round_):
    words = timeline.words(round_)
    orders = [handing.order(paid, words.amount) for paid in payments.outstanding(round_)]
    return [text[0].lower() + text[1:] for text in orders]
