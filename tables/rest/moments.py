"""Moments in the bodies of commands: as RFC 3339 spells them, or as the casino's clocks show them."""

import datetime as dt
import re
from zoneinfo import ZoneInfo

from casino import clocks
from casino.errors import Refused
from casino.models import EARLIEST, LATEST, Casino

_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})\Z"
)
_SHOWN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(:[0-9]{2})?\Z")


def moment(text, path):
    """The moment that the field at `path` says.

    :raises Refused: `field_wrong`, if the text is no moment of RFC 3339 in the years that the product can read.
    """
    return _read(_MOMENT, text, path, "Send one such as 2026-11-25T06:00:00+01:00.")


def shown(text, path):
    """The moment that the field at `path` says, as in `moment` or as the casino's clocks show it: `2026-11-25T06:00`.

    :raises Refused: `field_wrong`; `time_twice`, with both as `times`, for one that came twice as the clocks were put
        back; `time_left_out` for one that they never showed.
    """
    if not _SHOWN.match(text):
        return _read(_MOMENT, text, path, "Send one such as 2026-11-25T06:00 or 2026-11-25T06:00:00+01:00.")
    local = _read(_SHOWN, text, path, "Send one such as 2026-11-25T06:00.")
    zone = Casino.objects.get().time_zone
    meant = clocks.instants(local, zone=zone)
    if not meant:
        raise Refused(
            "time_left_out",
            f"The clocks never showed {local:%H:%M} on {local.day} {local:%B}: they were put forward.",
            status=422,
            path=path,
            way_out="Enter the time as the clocks showed it then.",
        )
    if len(meant) > 1:
        raise Refused(
            "time_twice",
            f"The clocks showed {local:%H:%M} twice on {local.day} {local:%B}: they were put back.",
            status=422,
            path=path,
            way_out="Say which of the two it was, the first or the second.",
            detail={"times": [at.astimezone(ZoneInfo(zone)).isoformat() for at in meant]},
        )
    return meant[0]


def _read(form, text, path, way_out):
    try:
        if not form.match(text) or not EARLIEST.year <= int(text[:4]) < LATEST.year:
            raise ValueError
        return dt.datetime.fromisoformat(text.upper())
    except ValueError:
        raise Refused("field_wrong", f"{path} is no moment.", status=422, path=path, way_out=way_out) from None
