"""Gaming days inspected, each against the entry that closes it; one that is open has none."""

from audit import log
from audit.comparing import Apart, differences, one_by_one, readings

from ..models import GamingDay
from .rounds import person

_COLUMNS = ("pk", "date", "status", "closed_by_id", "closed_with_id", "closed_at", "figures", "digest")


def look(after, upto, state):
    days = GamingDay.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {f"day:{row['pk']}": row for row in days.values(*_COLUMNS)}
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _day(ref, row, said[ref])))


def _day(ref, row, said):
    closed = next((each for each in said if each.event == "day.closed"), None)
    figures = log.canonical(closed.facts["figures"]) if closed else ""
    people = closed.facts["people"] if closed else (None, None)
    expected = {
        # No entry tells when a day begins: it has the date of what is first recorded in it.
        "date": closed.facts["date"] if closed else row["date"].isoformat(),
        "status": "CLOSED" if closed else "OPEN",
        "closed_by_id": people[0],
        "closed_with_id": people[1],
        "closed_at": closed and Apart(closed.at),
        "figures": figures,
        "digest": log.digest(figures) if closed else "",
    }
    stands = {
        "date": row["date"].isoformat(),
        "closed_by_id": person(row["closed_by_id"]),
        "closed_with_id": person(row["closed_with_id"]),
    }
    yield from differences(ref, "tables_gamingday", "", expected, row | stands)
