"""How long closed rounds wait for their settlement, and the alarm when it is late.

The web process looks: a worker that is lost, stopped or idle can't say so, beat rings without hearing an answer, and
while the broker is away nobody hears either. Wherever people sit at tables a web process lives, and it asks the rounds
themselves. Each web process raises the alarm once, by a line of its log at ERROR, and says when it is over; screens and
`/readyz` look for themselves.
"""

import logging
import threading
import time
from typing import NamedTuple

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from casino import settings_of_house

from ..models import Round

logger = logging.getLogger(__name__)

LIMIT = "settlement_seconds"
LOOK_SECONDS = 1


class Waiting(NamedTuple):
    """The rounds that are not settled, counted.

    `due` counts closed rounds that nobody holds, also while a worker has them or after a failure; `oldest_seconds` is
    the time since the first of them was closed or released, and `late` says whether that is longer than the house
    allows. `held` rounds wait for a pit boss, `held_by_system` among them.
    """

    due: int
    oldest_seconds: int
    held: int
    held_by_system: int
    late: bool = False


def waiting():
    """Count them for all tables, by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), coalesce(max(extract(epoch FROM now() - greatest(closed_at, released.at))), 0)::int"
            " FROM tables_round LEFT JOIN LATERAL (SELECT max(at) AS at FROM tables_intervention"
            "  WHERE round_id = tables_round.id AND kind = 'released') released ON true"
            " WHERE status = 'CLOSED' AND held_at IS NULL"
        )
        due, oldest = cursor.fetchone()
        cursor.execute(
            "SELECT count(*), count(*) FILTER (WHERE holding.by_id IS NULL)"
            " FROM tables_round JOIN LATERAL (SELECT by_id FROM tables_intervention"
            "  WHERE round_id = tables_round.id AND kind = 'held' ORDER BY ordinal DESC LIMIT 1) holding ON true"
            " WHERE held_at IS NOT NULL"
        )
        held = cursor.fetchone()
    return Waiting(due, max(0, oldest), *held, late=oldest > settings_of_house.value(LIMIT))


def is_late(round_):
    """Whether a round waits longer than it may, judged from the row alone.

    A round that was held and released may count as late a moment too early; `waiting` is exact.
    """
    if round_.status != Round.Status.CLOSED or round_.held_at:
        return False
    waited = (timezone.now() - round_.closed_at).total_seconds()
    # No limit is so short: a screen asks for it only where something waits.
    return waited > settings_of_house.SETTINGS[LIMIT].least and waited > settings_of_house.value(LIMIT)


def measure():
    """What `/readyz` says of settlement; held rounds are a pit boss's work and no fault of the installation."""
    try:
        counts = waiting()
    finally:
        connection.close()
    shown = {name: count for name, count in counts._asdict().items() if name != "late"}
    return {"ok": not counts.late, **shown}


class Alarm:
    """An alarm, said once when something begins and once when it is over."""

    def __init__(self):
        self.raised = None

    def look(self):
        try:
            counts = waiting()
        except (DatabaseError, InterfaceError) as error:
            self._turn("blind", "nobody can say whether settlement is late, the database does not answer: %s", error)
        else:
            late = "settlement is late: rounds that wait: %s, the oldest for %s s"
            self._turn("late" if counts.late else None, late, counts.due, counts.oldest_seconds)
        finally:
            connection.close()

    def _turn(self, what, line, *values):
        if what and what != self.raised:
            logger.error(f"ALARM: {line}", *values)
        elif self.raised and not what:
            logger.warning("ALARM over: settlement is in time")
        self.raised = what


def watch():
    """Look for the alarm as long as this process lives; a web process calls this as it starts."""
    threading.Thread(target=_watch, name="lateness", daemon=True).start()


def _watch():
    alarm = Alarm()
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            alarm.look()
        except Exception:
            logger.exception("The alarm could not be looked for")
