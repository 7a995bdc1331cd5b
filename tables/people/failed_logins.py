"""Failed logins of names that nobody has: counted by the minute, and one entry of the log for each minute that had any.

So a flood of them is no flood of the log. No name is kept: whoever mistypes may have typed a password.
"""

import datetime as dt

from django.db import connection, transaction

from audit import log

from ..models import FailedLogins

SUBJECT = "logins"
# A minute's row stays that long, so that nobody counts in a minute that has its entry.
KEPT = dt.timedelta(hours=1)


def count():
    """Count one in the minute that it is; once the minute has its entry, in the next."""
    counted = None
    with connection.cursor() as cursor:
        while counted is None:
            cursor.execute(
                "INSERT INTO tables_failedlogins AS counted (minute, number)"
                " SELECT greatest(date_trunc('minute', clock_timestamp()),"
                "  max(minute) FILTER (WHERE is_logged) + interval '1 minute'), 1 FROM tables_failedlogins"
                " ON CONFLICT (minute) DO UPDATE SET number = counted.number + 1 WHERE NOT counted.is_logged"
                " RETURNING minute"
            )
            counted = cursor.fetchone()


def record():
    """Write the entry of each minute that is over; of several who do this at once one does.

    :returns: of how many minutes.
    """
    with transaction.atomic():
        over = list(FailedLogins.objects.over().select_for_update(skip_locked=True).order_by("minute"))
        if over:
            log.record_all(log.HOUSE, [_record(minute) for minute in over])
            FailedLogins.objects.filter(pk__in=[minute.pk for minute in over]).update(is_logged=True)
        FailedLogins.objects.long_over(KEPT).delete()
    return len(over)


def _record(row):
    facts = {"minute": log.spell_time(row.minute), "number": row.number}
    return log.Record("login.failed", SUBJECT, facts)
