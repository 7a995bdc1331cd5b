"""What a session leaves to the one after it, in words with a link each."""

from django.urls import reverse

from ..models import Dispute, DropBox, Round, Slip
from ..verbs import payments, unfinished
from . import handing
from .console import CONSOLE


def listed(refs, spell):
    """A line for each reference: what it is, where it leads, and `done` if that was done since.

    :param spell: units as an amount.
    """
    lines = []
    for ref in refs:
        kind, _, number = ref.partition(":")
        text = _TEXTS[kind](number, spell)
        lines.append({"text": text, "url": reverse(kind, args=[number]), "done": not unfinished.waits(ref)})
    return lines


def _slip(number, spell):
    slip = Slip.objects.select_related("table").get(pk=number)
    return CONSOLE("left.slip", slip=slip, status=slip.get_status_display(), amount=spell(slip.units))


def _dispute(number, spell):
    dispute = Dispute.objects.select_related("round__table").get(pk=number)
    return CONSOLE("left.dispute", dispute=dispute, round=dispute.round)


def _round(number, spell):
    round_ = Round.objects.select_related("table", "sheet", "settlement").get(pk=number)
    orders = [handing.order(paid, spell, within=True) for paid in payments.outstanding(round_)]
    return "; ".join([CONSOLE("left.round", round=round_), *orders])


def _drop_box(number, spell):
    return CONSOLE("left.drop_box", drop_box=DropBox.objects.get(pk=number))


_TEXTS = {"slip": _slip, "dispute": _dispute, "drop_box": _drop_box, "round": _round}
