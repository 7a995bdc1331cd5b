"""Who deals, who rests and since when: croupiers by their sign-ons, with the reliefs that are asked for.

A stint goes on from table to table, and across a time off that is shorter than the house's break.
"""

import datetime as dt
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

HOURS = 8
"""So far back the work of a shift is told."""
MINUTE = dt.timedelta(minutes=1)
# When the stint of the open sign-on `o` began: with the newest sign-on that follows a whole break. Only those of the
# last day are looked at.
STINT = """
    SELECT coalesce(max(s.signed_on_at), o.signed_on_at) FROM tables_signon s
    WHERE s.staff_id = o.staff_id AND s.signed_on_at > now() - interval '1 day' AND NOT EXISTS (
        SELECT FROM tables_signon p
        WHERE p.staff_id = s.staff_id AND p.id < s.id
            AND p.signed_off_at > s.signed_on_at - make_interval(mins => %(break_minutes)s))
"""


class Spell(NamedTuple):
    """A croupier's time at a table within the shift; `ended` is None while they deal there."""

    table: str
    begun: dt.datetime
    ended: dt.datetime | None


class Croupier(NamedTuple):
    """A croupier posted to a pit. `table` is where they deal now, `since` is since when, and `stint` since when without
    a break; `off` is when they last dealt within the day. `asked` is the relief that they are asked for."""

    id: int
    name: str
    pit_id: int | None
    table_id: int | None
    since: dt.datetime | None
    stint: dt.datetime | None
    off: dt.datetime | None
    asked: dict[str, Any] | None
    spells: list[Spell]

    def dealt(self, now, since):
        """How long they dealt since a moment."""
        times = ((max(spell.begun, since), spell.ended or now) for spell in self.spells)
        return sum((ended - begun for begun, ended in times if ended > begun), dt.timedelta())

    def breaks(self, least):
        """The times between two tables that were long enough for a break, as (begun, ended)."""
        pairs = zip(self.spells, self.spells[1:], strict=False)
        return [(one.ended, two.begun) for one, two in pairs if one.ended and two.begun - one.ended >= least]


class Seat(NamedTuple):
    """A table: who deals there, who is asked to relieve them and by whom, and the terminals at which people sign on."""

    id: int
    name: str
    pit_id: int
    pit: str
    session_id: int | None
    is_open: bool
    croupier_id: int | None
    croupier: str | None
    terminals: list[str]
    relief: dict[str, Any] | None


class People(NamedTuple):
    """The croupiers of the pits within reach, and their tables."""

    now: dt.datetime
    since: dt.datetime
    croupiers: list[Croupier]
    seats: list[Seat]


_SEATS = """
    SELECT t.id, t.name, t.pit_id, p.name, s.id, s.status = 'OPEN', o.staff_id, d.name,
        ARRAY(SELECT e.name FROM tables_terminal e WHERE e.table_id = t.id AND e.revoked_at IS NULL ORDER BY e.name),
        json_build_object('id', r.id, 'staff', r.staff_id, 'name', w.name, 'by', r.asked_by_id, 'by_name', b.name,
            'at', r.asked_at)
    FROM tables_table t JOIN tables_pit p ON p.id = t.pit_id
    LEFT JOIN tables_session s ON s.table_id = t.id AND s.status <> 'CLOSED'
    LEFT JOIN tables_signon o ON o.table_id = t.id AND o.signed_off_at IS NULL
    LEFT JOIN casino_staff d ON d.id = o.staff_id
    LEFT JOIN tables_relief r ON r.table_id = t.id AND r.ended_at IS NULL
    LEFT JOIN casino_staff w ON w.id = r.staff_id
    LEFT JOIN casino_staff b ON b.id = r.asked_by_id
    WHERE %(everywhere)s OR t.pit_id = ANY (%(pits)s) OR t.id = ANY (%(tables)s)
    ORDER BY p.code, t.code
"""
# A croupier of all pits has no pit.
_CROUPIERS = f"""
    SELECT c.id, c.name, q.pit_id, o.table_id, o.signed_on_at,
        CASE WHEN o.id IS NOT NULL THEN ({STINT}) END,
        (SELECT max(signed_off_at) FROM tables_signon
            WHERE staff_id = c.id AND signed_off_at > now() - interval '1 day'),
        json_build_object('id', r.id, 'table_id', r.table_id, 'table', rt.name, 'at', r.asked_at),
        (SELECT json_agg(json_build_array(st.name, s.signed_on_at, s.signed_off_at) ORDER BY s.id)
            FROM tables_signon s JOIN tables_table st ON st.id = s.table_id
            WHERE s.staff_id = c.id AND (s.signed_off_at IS NULL OR s.signed_off_at > %(since)s)),
        now()
    FROM (
        SELECT staff_id, CASE WHEN bool_or(pit_id IS NULL) THEN NULL ELSE min(pit_id) END AS pit_id
        FROM tables_posting
        WHERE role = 'croupier' AND ended_at IS NULL
            AND (%(everywhere)s OR pit_id IS NULL OR pit_id = ANY (%(pits)s))
        GROUP BY staff_id
    ) q JOIN casino_staff c ON c.id = q.staff_id AND c.is_active
    LEFT JOIN tables_signon o ON o.staff_id = c.id AND o.signed_off_at IS NULL
    LEFT JOIN tables_relief r ON r.staff_id = c.id AND r.ended_at IS NULL
    LEFT JOIN tables_table rt ON rt.id = r.table_id
    ORDER BY c.id
"""  # noqa: S608 - literals of this module


def now(extent, break_minutes):
    """The people as they stand now, in two statements.

    :param extent: an `access.Extent`, the tables whose people are shown.
    """
    at = timezone.now()
    since = at - dt.timedelta(hours=HOURS)
    given = {**extent._asdict(), "since": since, "break_minutes": break_minutes}
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, given)
        seats = [Seat(*row[:5], bool(row[5]), *row[6:9], _some(row[9])) for row in cursor.fetchall()]
        cursor.execute(_CROUPIERS, given)
        rows = cursor.fetchall()
    croupiers = [Croupier(*row[:7], _some(row[7]), [_spell(each) for each in row[8] or ()]) for row in rows]
    return People(rows[0][9] if rows else at, since, croupiers, seats)


def _some(relief):
    """A relief with its moment parsed, if there is one."""
    return relief | {"at": dt.datetime.fromisoformat(relief["at"])} if relief["id"] else None


def _spell(row):
    table, begun, ended = row
    return Spell(table, dt.datetime.fromisoformat(begun), ended and dt.datetime.fromisoformat(ended))
