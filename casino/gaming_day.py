"""The gaming day: from one morning's start to the next, as a date. The SQL function `gaming_day` is its twin."""

import datetime as dt
from zoneinfo import ZoneInfo


def gaming_day(at, *, zone, starts):
    """The gaming day of an instant: its local wall-clock time less the day's start, as a date.

    :param at: an aware datetime; `zone` an IANA name; `starts` a `datetime.time`.

    >>> gaming_day(dt.datetime(2026, 11, 21, 4, 59, tzinfo=dt.UTC), zone="Europe/Berlin", starts=dt.time(6))
    datetime.date(2026, 11, 20)
    """
    local = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return (local - dt.timedelta(hours=starts.hour, minutes=starts.minute, seconds=starts.second)).date()


FUNCTION = """
CREATE FUNCTION gaming_day(at timestamptz, zone text, starts time) RETURNS date
LANGUAGE sql STABLE PARALLEL SAFE RETURN ((at AT TIME ZONE zone) - starts)::date;
"""
