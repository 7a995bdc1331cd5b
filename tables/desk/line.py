"""The log as a line: what the auditor saw before, what came since, where exceptions lie and how far it is anchored.

Only geometry: its template draws it, and the figures beside it say the same.
"""

import datetime as dt

from audit import log, visits
from casino import gaming_day
from casino.models import Casino

from .standing import ago
from .wording import WORDING

WIDTH = 902
# What was seen before is a strip at the left, at most an eighth of the line.
BEFORE = 113
END = 899
# Names of days stand at least this far apart.
APART = 74
MOST_DAYS = 60


def drawn(standing, span, exceptions):
    """The line from the last visit to now."""
    since, size = span.since, max(standing.size, span.since.size + 1)
    seen = bool(since.visit)
    left = BEFORE if seen and since.size else 0

    def place(leaf):
        return round(left + (END - left) * (min(max(leaf, since.size), size) - since.size) / (size - since.size), 1)

    ticks = []
    # Of days that begin at the same entry, only the last has entries.
    for leaf, name in {leaf: name for name, leaf in _days(span)}.items():
        at = place(leaf)
        if leaf < size and (not ticks or at - ticks[-1]["x"] >= APART):
            ticks.append({"x": at, "text_x": at + 10, "name": name})
    ends_anchored = standing.anchored > since.size
    if seen:
        visited = WORDING("visited", at=span.reader.moment(dt.datetime.fromisoformat(since.visit.at)))
    else:
        visited = WORDING("visited:never", days=visits.FIRST.days)
    if standing.anchored:
        anchored = WORDING("line.anchored", ago=ago(standing.anchored_seconds))
    else:
        anchored = WORDING("line.anchored:nothing")
    return {
        "left": left,
        "width": END - left,
        "seen": seen,
        "first_days": visits.FIRST.days,
        "visited": visited,
        "anchored": anchored,
        "anchored_x": place(standing.anchored) if ends_anchored else None,
        "ticks": ticks,
        "diamonds": [{"x": place(each["leaf"]), "alone": each["alone"]} for each in exceptions],
        "since": since.size,
        "size": standing.size,
        "middle": round((left + END) / 2, 1),
    }


def _days(span):
    """The gaming days that begin in the span, each with its first leaf."""
    casino, period = Casino.objects.get(), span.period()
    zone, starts = casino.time_zone, casino.day_starts_at
    days = [period.last - dt.timedelta(ago_) for ago_ in range(min(period.days, MOST_DAYS) - 1, -1, -1)]
    if len(days) > 12:
        days = days[:: len(days) // 12]
    begin = [log.spell_time(gaming_day.begins(day, zone=zone, starts=starts)) for day in days]
    for day, leaf in zip(days, visits.first_leaves(begin), strict=True):
        yield f"{day.day} {day:%b}", max(leaf, span.since.size)
