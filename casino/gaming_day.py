"""The gaming day: from one morning's start to the next, as a date. The SQL function `gaming_day` is its twin."""

import bisect
import datetime as dt
from zoneinfo import ZoneInfo

DAY = dt.timedelta(days=1)


def gaming_day(at, *, zone, starts):
    """The gaming day of an instant: its local wall-clock time less the day's start, as a date.

    :param at: an aware datetime; `zone` an IANA name; `starts` a `datetime.time`.

    >>> gaming_day(dt.datetime(2026, 11, 21, 4, 59, tzinfo=dt.UTC), zone="Europe/Berlin", starts=dt.time(6))
    datetime.date(2026, 11, 20)
    """
    local = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return (local - dt.timedelta(hours=starts.hour, minutes=starts.minute, seconds=starts.second)).date()


def begins(day, *, zone, starts):
    """The first instant of a gaming day, in UTC; if the clocks are put forward past the day's start, the moment after.

    >>> begins(dt.date(2026, 11, 20), zone="Europe/Berlin", starts=dt.time(6)).isoformat()
    '2026-11-20T05:00:00+00:00'
    >>> begins(dt.date(2026, 3, 29), zone="Europe/Berlin", starts=dt.time(2, 30)).isoformat()
    '2026-03-29T01:00:00+00:00'
    """
    start = dt.datetime.combine(day, starts, ZoneInfo(zone)).astimezone(dt.UTC)
    before = start - dt.timedelta(hours=3)
    seconds = range(int((start - before).total_seconds()) + 1)
    return before + dt.timedelta(
        seconds=bisect.bisect_left(
            seconds,
            day,
            key=lambda second: gaming_day(before + dt.timedelta(seconds=second), zone=zone, starts=starts),
        )
    )
