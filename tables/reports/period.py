"""Periods of gaming days, as addresses write them."""

import calendar
import datetime as dt
import re
from typing import NamedTuple

from casino.gaming_day import DAY

from .wording import WORDING

MOST_DAYS = 366
YEARS = range(2000, 9000)
"""As of every moment of the house."""
_WRITTEN = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")


class Period(NamedTuple):
    """Gaming days from a first to a last one. As text it is as short as possible: a day, a month, a year, or the two
    days.

    >>> str(Period(dt.date(2026, 2, 1), dt.date(2026, 2, 28)))
    '2026-02'
    """

    first: dt.date
    last: dt.date

    @classmethod
    def of(cls, text):
        """The period that a text gives.

        >>> Period.of("2026-11")
        Period(first=datetime.date(2026, 11, 1), last=datetime.date(2026, 11, 30))
        >>> str(Period.of("2026-11-01..2026-11-15")), str(Period.of("2026-11-01..2026-11-30"))
        ('2026-11-01..2026-11-15', '2026-11')

        :raises Refused: `report_period_wrong`, `report_period_long` (422).
        """
        first, dots, last = text.partition("..")
        try:
            period = cls(_days(first)[0], _days(last if dots else first)[1])
        except ValueError:
            period = None
        if period is None or period.first > period.last:
            raise WORDING.refused("report_period_wrong", period=text[:40])
        if period.days > MOST_DAYS:
            raise WORDING.refused("report_period_long", period=text, days=period.days, most=MOST_DAYS)
        return period

    def __str__(self):
        first, last = self.first.isoformat(), self.last.isoformat()
        for written in (first, first[:7], first[:4]):
            if _days(written) == self:
                return written
        return f"{first}..{last}"

    @property
    def days(self):
        return (self.last - self.first).days + 1

    def words(self):
        """The period in words.

        >>> [Period.of(text).words() for text in ("2026-11-21", "2026-11", "2026", "2026-11-01..2026-11-15")]
        ['21 November 2026', 'November 2026', '2026', '1 November 2026 to 15 November 2026']
        """
        written = str(self)
        if len(written) == 4:
            return written
        if len(written) == 7:
            return f"{self.first:%B %Y}"
        first, last = (f"{day.day} {day:%B %Y}" for day in self)
        return first if first == last else f"{first} to {last}"

    def before(self):
        """The period before this one: the day, month or year, else as many days.

        >>> [str(Period.of(text).before()) for text in ("2026-11-21", "2026-03", "2026", "2026-11-11..2026-11-15")]
        ['2026-11-20', '2026-02', '2025', '2026-11-06..2026-11-10']
        """
        return self._beside(self.first - DAY)

    def after(self):
        """The period after this one.

        >>> str(Period.of("2026-12").after()), str(Period.of("2026-11-21").after())
        ('2027-01', '2026-11-22')
        """
        return self._beside(self.last + DAY)

    def _beside(self, day):
        """The period of this one's length that ends, or begins, with a day."""
        written = str(self)
        if len(written) < 10:
            return Period(*_days(day.isoformat()[: len(written)]))
        rest = dt.timedelta(self.days - 1)
        return Period(day - rest, day) if day < self.first else Period(day, day + rest)


def _days(written):
    """The first and the last day of a day, a month or a year.

    :raises ValueError: if it is none of these.
    """
    match = _WRITTEN.fullmatch(written)
    if match is None:
        raise ValueError(written)
    year, month, day = (None if part is None else int(part) for part in match.groups())
    if year not in YEARS:
        raise ValueError(written)
    if day is not None:
        return (dt.date(year, month, day),) * 2
    first, last = (1, 12) if month is None else (month, month)
    return dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1])
