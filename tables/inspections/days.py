"""Gaming days inspected, each against the entry that closes it; one that is open has none. What the sessions of a
closed one came to is worked out again."""

from audit import log
from audit.comparing import Apart, differences, matched, one_by_one, readings

from ..models import GamingDay, Session, SessionFigures
from ..verbs import figures as figures_of
from .rounds import person

_COLUMNS = ("pk", "date", "status", "closed_by_id", "closed_with_id", "closed_at", "figures", "digest")
_FIGURES = tuple(field.name for field in SessionFigures._meta.fields if not field.primary_key)


def look(after, upto, state):
    days = GamingDay.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {f"day:{row['pk']}": row for row in days.values(*_COLUMNS)}
    said = readings(rows)
    written = _written(row["date"] for row in rows.values())
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _day(ref, row, said[ref], written)))


def _written(dates):
    """The figures that stand for the sessions of some days: date to session to columns."""
    written = {}
    rows = SessionFigures.objects.filter(session__business_date__in=list(dates))
    for row in rows.values("session__business_date", *_FIGURES, "session"):
        of_day = written.setdefault(row.pop("session__business_date"), {})
        of_day[row.pop("session")] = row
    return written


def _day(ref, row, said, written):
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
    came_to = {}
    if closed:
        for sitting in figures_of.sittings(Session.objects.filter(business_date=row["date"])):
            came_to[sitting.session.pk] = {
                "games": sitting.game.split(", ") if sitting.rounds or sitting.voids else [],
                "rounds": sitting.rounds,
                "stakes": sitting.stakes,
                **{name: getattr(sitting.figures, name) for name in figures_of.NAMES},
            }
    yield from matched(
        ref,
        "tables_sessionfigures",
        "the figures of session",
        came_to,
        written.get(row["date"], {}),
        str,
        "the rounds and the chips come to",
    )
