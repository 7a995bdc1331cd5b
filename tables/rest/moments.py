"""Moments in the bodies of commands: as RFC 3339 spells them, or as the casino's clocks show them."""

import datetime as dt
import re
from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from casino import clocks
from casino.models import EARLIEST, LATEST, Casino

from .wording import WORDING

_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})\Z"
)
_SHOWN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(:[0-9]{2})?\Z")


def moment(text, path):
    """The moment that the field at `path` says.

    :raises Refused: `field_wrong`, if the text is not a moment of RFC 3339 in the years that the product can read.
    """
    at = _read(_MOMENT, text)
    if at is None:
        raise WORDING.refused("field_wrong:moment", path=path, name=path)
    return at


def shown(text, path):
    """The moment that the field at `path` says, as in `moment` or as the casino's clocks show it: `2026-11-25T06:00`.

    :raises Refused: `field_wrong`; `time_twice`, with both as `times`, for one that came twice as the clocks were put
        back; `time_left_out` for one that they skipped.
    """
    at = _read(_SHOWN, text) or _read(_MOMENT, text)
    if at is None:
        raise WORDING.refused("field_wrong:shown", path=path, name=path)
    if at.tzinfo:
        return at
    zone = Casino.objects.get().time_zone
    meant = clocks.instants(at, zone=zone)
    if not meant:
        raise WORDING.refused("time_left_out", path=path, time=_time(at), date=_date(at))
    if len(meant) > 1:
        times = [moment.astimezone(ZoneInfo(zone)).isoformat() for moment in meant]
        raise WORDING.refused("time_twice", path=path, detail={"times": times}, time=_time(at), date=_date(at))
    return meant[0]


def _read(form, text):
    """The moment that a text gives in one form; None if it gives none, or lies outside the years that count."""
    if not form.match(text) or not EARLIEST.year <= int(text[:4]) < LATEST.year:
        return None
    try:
        return dt.datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def _time(at):
    return f"{at:%H:%M}"


def _date(at):
    return date_format(at, "MONTH_DAY_FORMAT")
