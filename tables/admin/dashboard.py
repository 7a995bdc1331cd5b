"""What stands on the admin's first page before its list of pages."""

import datetime as dt

from audit import status
from casino.roles import Right

from ..verbs import lateness
from ..words.disputes import queue
from ..words.lateness import spelled
from ..words.timeline import Reader
from . import inspections
from .exports import lasted


def fill(request, context):
    """Fill the admin's first page above its list of pages: late settlement, for everybody; the state of the log, for
    its readers; the findings of inspections, for those who may ask for one; and the disputes that wait, at tables
    within reach."""
    waiting = lateness.waiting()
    if waiting.late:
        context["late"] = spelled(waiting)
    if request.user.has_perm(Right.READ_LOG):
        context["log"] = _log()
    if request.user.has_perm(Right.INSPECT):
        context["inspection"] = inspections.summary()
    if request.user.has_perm(Right.READ_FLOOR):
        context["disputes"] = queue(request.user, Reader.in_full())
    return context


def _log():
    """How the log stands, for the admin's first page."""
    state = status.of_log()
    since, ago = (
        lasted(dt.timedelta(seconds=seconds or 0)) for seconds in (state["unsealed_seconds"], state["anchored_seconds"])
    )
    return state | {"unsealed_for": since, "anchored_ago": ago}
