"""Wrong logins and signatures, counted by the minute in the whole house: their number, never a name.

For those with names that nobody has, the log gets one entry a minute, so that a flood of them does not flood the log.
No name is kept: whoever mistyped may have typed a password.
"""

import datetime as dt

from django.db import connection, transaction
from django.db.models import Sum

from audit import log
from casino.models import WrongLogins, this_minute

SUBJECT = "logins"
# A minute's row stays this long, so that nobody counts in a minute that has its entry.
KEPT = dt.timedelta(hours=1)


def count(*, unknown):
    """Count one in the current minute or, once that has its entry, in the next.

    :param unknown: nobody has its name. Counting it takes as much work as counting one that somebody has.
    """
    counted = None
    with connection.cursor() as cursor:
        while counted is None:
            cursor.execute(
                "INSERT INTO casino_wronglogins AS counted (minute, number, unknown)"
                " SELECT greatest(date_trunc('minute', clock_timestamp()),"
                "  max(minute) FILTER (WHERE is_logged) + interval '1 minute'), 1, %s FROM casino_wronglogins"
                " ON CONFLICT (minute) DO UPDATE"
                "  SET number = counted.number + 1, unknown = counted.unknown + excluded.unknown"
                "  WHERE NOT counted.is_logged"
                " RETURNING minute",
                [int(unknown)],
            )
            counted = cursor.fetchone()


def in_this_minute():
    """How many there were in the whole house this minute, with names that somebody or nobody has."""
    minutes = WrongLogins.objects.filter(minute__gte=this_minute())
    return minutes.aggregate(sum=Sum("number", default=0))["sum"]


def record():
    """Write the entry of each minute that is over; if several do this at once, one succeeds.

    :returns: for how many minutes.
    """
    with transaction.atomic():
        over = list(WrongLogins.objects.over().select_for_update(skip_locked=True).order_by("minute"))
        if over:
            log.record_all(log.HOUSE, [_record(minute) for minute in over])
            WrongLogins.objects.filter(pk__in=[minute.pk for minute in over]).update(is_logged=True)
        WrongLogins.objects.long_over(KEPT).delete()
    return len(over)


def _record(row):
    facts = {"minute": log.spell_time(row.minute), "number": row.unknown}
    return log.Record("login.failed", SUBJECT, facts)
