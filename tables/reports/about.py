"""What a file of a report says about itself beside its rows: only what is the same each time it is made."""

import datetime as dt
from typing import NamedTuple

from casino.models import Casino

from . import queries


class About(NamedTuple):
    """Which report it is, of which period and casino, and the SHA-256 of its CSV; `decimals` are the currency's,
    `bounds` the instants at which the period begins and is over, `days` how many gaming days it has."""

    title: str
    period: str
    last: dt.date
    casino: str
    currency: str
    decimals: int
    zone: str
    starts: str
    digest: str
    called: tuple[tuple[str, str], ...]
    bounds: tuple[dt.datetime, dt.datetime]
    days: int

    @property
    def subtitle(self):
        return f"{self.period}, {self.zone}. All amounts in {self.currency}"

    @property
    def facts(self):
        """The facts, line by line: (name, value)."""
        return [
            ("Report", self.title),
            *((f"Called in {whose}", words) for whose, words in self.called),
            ("Gaming days", f"{self.period}; each begins at {self.starts}, {self.zone}"),
            ("Grade", "FINAL: each gaming day is closed, signed by two"),
            ("Casino", self.casino),
            ("Currency", self.currency),
            ("SHA-256 of the CSV", self.digest),
        ]


def of(report, period, digest):
    """What a file of a report says about itself.

    :param digest: the SHA-256 of the CSV.
    """
    casino = Casino.objects.get()
    return About(
        title=report.title,
        period=period.words(),
        last=period.last,
        casino=casino.code,
        currency=casino.currency,
        decimals=casino.currency_decimals,
        zone=casino.time_zone,
        starts=casino.day_starts_at.isoformat("minutes"),
        digest=digest,
        called=report.called,
        bounds=queries.bounds(period, casino),
        days=period.days,
    )
