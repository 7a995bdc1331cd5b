"""What a report of a period is worth: FINAL, or an ESTIMATE with its reason."""

import datetime as dt
from typing import NamedTuple

from django.db.models.functions import Now

from casino import gaming_day
from casino.errors import Refused
from casino.models import Casino
from payouts.winning import Grade

from ..models import GamingDay
from . import queries

# No transaction stands still for longer than 10 s (settings), so what was written before a period was over is there.
SETTLES = dt.timedelta(minutes=1)


class Graded(NamedTuple):
    """A grade, and in a sentence why it is that."""

    grade: Grade
    why: str

    @property
    def is_final(self):
        return self.grade == Grade.FINAL


def today():
    """The gaming day of now, by the clock of the database and of the casino."""
    casino = _now()
    return gaming_day.gaming_day(casino.now, zone=casino.time_zone, starts=casino.day_starts_at)


def of(period, since=None):
    """What a report of a period is worth now.

    :param since: the first day of which its figures are, where that is not the period's.
    :raises Refused: `report_to_come` for one that has not begun.
    """
    casino = _now()
    if period.first > gaming_day.gaming_day(casino.now, zone=casino.time_zone, starts=casino.day_starts_at):
        raise Refused(
            "report_to_come", f"{period.words()} has not begun yet.", way_out="Ask for a period that has begun."
        )
    days = GamingDay.objects.filter(date__range=(since or period.first, period.last))
    waiting = list(days.running().order_by("date"))
    if waiting:
        more = f", and {len(waiting) - 1} more" if len(waiting) > 1 else ""
        return Graded(Grade.ESTIMATE, f"Gaming day {waiting[0]} is not closed{more}.")
    if casino.now < queries.bounds(period, casino)[1] + SETTLES:
        return Graded(Grade.ESTIMATE, "The period is not over.")
    closed = days.count()
    if not closed:
        return Graded(Grade.FINAL, "The period is over, and no table was open in it.")
    return Graded(Grade.FINAL, f"{'Each gaming day' if closed > 1 else 'The gaming day'} is closed, signed by two.")


def final(period, since=None):
    """Refuse a period of which no file can be given.

    :raises Refused: `report_not_final`, or as `of`.
    """
    graded = of(period, since)
    if not graded.is_final:
        raise Refused(
            "report_not_final",
            f"There is no file of {period.words()} yet. {graded.why}",
            way_out="Read it on the screen as an ESTIMATE, or ask again when each gaming day in it is closed.",
        )
    return graded


def _now():
    return Casino.objects.annotate(now=Now()).get()
