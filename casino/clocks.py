"""Wall clocks: which instants are meant by what the clocks of a zone show."""

import datetime as dt
from zoneinfo import ZoneInfo


def instants(shown, *, zone):
    """The instants, in UTC, at which the clocks of a zone show a time: none if the time was skipped when they were put
    forward, two if it came twice when they were put back, else one.

    :param shown: a naive datetime; `zone` an IANA name.

    >>> [str(at) for at in instants(dt.datetime(2026, 11, 20, 21, 5), zone="Europe/Berlin")]
    ['2026-11-20 20:05:00+00:00']
    >>> [str(at) for at in instants(dt.datetime(2026, 10, 25, 2, 30), zone="Europe/Berlin")]
    ['2026-10-25 00:30:00+00:00', '2026-10-25 01:30:00+00:00']
    >>> instants(dt.datetime(2026, 3, 29, 2, 30), zone="Europe/Berlin")
    []
    """
    local = ZoneInfo(zone)
    meant = {shown.replace(tzinfo=local, fold=fold).astimezone(dt.UTC) for fold in (0, 1)}
    return sorted(at for at in meant if at.astimezone(local).replace(tzinfo=None) == shown)
