"""The grade of a report of a period: FINAL, or an ESTIMATE with its reason."""

import datetime as dt
from typing import NamedTuple

from django.db.models.functions import Now

from casino import gaming_day
from casino.models import Casino
from payouts.winning import Grade

from ..models import GamingDay
from . import queries
from .wording import WORDING

# No transaction stands still for more than 10 s (settings), so by then all that was written in the period is there.
SETTLES = dt.timedelta(minutes=1)


class Graded(NamedTuple):
    """A grade, and the reason in a sentence."""

    grade: Grade
    why: str

    @property
    def is_final(self):
        return self.grade == Grade.FINAL


def today():
    """The present gaming day, by the clocks of the database and the casino."""
    casino = _now()
    return gaming_day.gaming_day(casino.now, zone=casino.time_zone, starts=casino.day_starts_at)


def of(period, since=None):
    """The present grade of a report of a period.

    :param since: the first day of its figures, if that is not the period's.
    :raises Refused: `report_to_come` for one that has not begun.
    """
    casino = _now()
    if period.first > gaming_day.gaming_day(casino.now, zone=casino.time_zone, starts=casino.day_starts_at):
        raise WORDING.refused("report_to_come", period=period.words())
    days = GamingDay.objects.filter(date__range=(since or period.first, period.last))
    waiting = list(days.running().order_by("date"))
    if waiting:
        if len(waiting) > 1:
            return Graded(Grade.ESTIMATE, WORDING("estimate:days", day=waiting[0], more=len(waiting) - 1))
        return Graded(Grade.ESTIMATE, WORDING("estimate:day", day=waiting[0]))
    if casino.now < queries.bounds(period, casino)[1] + SETTLES:
        return Graded(Grade.ESTIMATE, WORDING("estimate:running"))
    closed = days.count()
    if not closed:
        return Graded(Grade.FINAL, WORDING("final:closed"))
    return Graded(Grade.FINAL, WORDING("final:days" if closed > 1 else "final:day"))


def final(period, since=None):
    """Refuse a period for which no file can be given.

    :raises Refused: `report_not_final`, or as `of`.
    """
    graded = of(period, since)
    if not graded.is_final:
        raise WORDING.refused("report_not_final", period=period.words(), rule=graded.why)
    return graded


def _now():
    return Casino.objects.annotate(now=Now()).get()
