"""Calls and alarms inspected: each against its entries."""

from django.db import connection

from audit import log
from audit.comparing import Apart, differences, one_by_one, readings, surplus

from ..models import Alarm
from .rounds import person

# Without the salt: see `alarm_digests` in sql/alarms.sql.
_COLUMNS = (
    "pk", "kind", "subject", "table_id", "reason", "box", "value", "bound", "raised_at", "raised_by_id", "taken_by_id",
    "taken_at", "over_at",
)  # fmt: skip


def look_at_alarms(after, upto, state):
    rows = {
        f"alarm:{row['pk']}": row
        for row in Alarm.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*_COLUMNS)
    }
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, word FROM alarm_digests(%s)", [[row["pk"] for row in rows.values()]])
            words = dict(cursor.fetchall())
        for row in rows.values():
            row["word"] = words[row["pk"]]
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _alarm(ref, row, said[ref])))


def _alarm(ref, row, said):
    events = {each.event: each for each in said[::-1]}
    raised, taken, over = (events.get(f"alarm.{name}") for name in ("raised", "taken", "over"))
    if raised is None:
        yield surplus(ref, "tables_alarm", "The alarm")
        return
    expected = {
        "kind": raised.facts["kind"],
        "subject": raised.facts["of"],
        "table_id": raised.chain,
        "reason": raised.facts.get("reason"),
        "box": raised.facts.get("box"),
        "value": raised.facts.get("value"),
        "bound": raised.facts.get("limit"),
        "raised_at": Apart(raised.at),
        "raised_by_id": None if raised.by == log.SYSTEM.ref else raised.by,
        "taken_by_id": taken and taken.by,
        "taken_at": taken and Apart(taken.at),
        "word": taken and taken.facts.get("word"),
        "over_at": over and Apart(over.at),
    }
    stands = {
        "table_id": f"table:{row['table_id']}" if row["table_id"] else log.HOUSE,
        "raised_by_id": person(row["raised_by_id"]),
        "taken_by_id": person(row["taken_by_id"]),
    }
    yield from differences(ref, "tables_alarm", "", expected, row | stands)
