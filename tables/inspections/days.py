"""Gaming days inspected, each against the entry that closes it; an open one has none. What the sessions of a closed day
came to, and where the house's chips were at its end, is worked out again."""

from collections import Counter, defaultdict

from django.db.models import Sum

from audit import log
from audit.comparing import Apart, differences, matched, one_by_one, readings
from payouts.models import Account, Snapshot, Transfer

from ..models import GamingDay, HouseFigures, Session, SessionFigures
from ..verbs import figures as figures_of
from .rounds import person

_COLUMNS = ("pk", "date", "status", "closed_by_id", "closed_with_id", "closed_at", "figures", "digest")
_FIGURES = tuple(field.name for field in SessionFigures._meta.fields if not field.primary_key)
_OF_HOUSE = tuple(field.name for field in HouseFigures._meta.fields if not field.primary_key)
_KIND = Account.Kind
_KINDS = (_KIND.ISSUED, _KIND.CAGE, _KIND.TRANSIT, _KIND.RAKE, _KIND.CASH)


def look(after, upto, state):
    days = GamingDay.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {f"day:{row['pk']}": row for row in days.values(*_COLUMNS)}
    said = readings(rows)
    if not rows:
        return 0, []
    dates = [row["date"] for row in rows.values()]
    written, house = _written(dates), _House(dates)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _day(ref, row, said[ref], written, house)))


def _written(dates):
    """The figures written for the sessions of some days: date to session to columns."""
    written = {}
    rows = SessionFigures.objects.filter(session__business_date__in=list(dates))
    for row in rows.values("session__business_date", *_FIGURES, "session"):
        of_day = written.setdefault(row.pop("session__business_date"), {})
        of_day[row.pop("session")] = row
    return written


class _House:
    """Where the house's chips were at the end of some days: as it is written, and as the transfers have it."""

    def __init__(self, dates):
        self.written = {
            row.pop("day__date"): {row.pop("day"): row}
            for row in HouseFigures.objects.filter(day__date__in=dates).values("day__date", "day", *_OF_HOUSE)
        }
        last = max(dates)
        self.got, self.gave = (_moved(end, last) for end in ("debit", "credit"))
        sessions = Session.objects.filter(business_date__lte=last).order_by("business_date", "pk")
        self.sessions = list(sessions.values_list("business_date", "table_id", "pk"))

    def at_the_end(self, date):
        came = Counter({kind: sum(u for day, u in days.items() if day <= date) for kind, days in self.got.items()})
        went = Counter({kind: sum(u for day, u in days.items() if day <= date) for kind, days in self.gave.items()})
        last = {table: f"session:{number}" for day, table, number in self.sessions if day <= date}
        snapshots = Snapshot.objects.filter(subject__in=last.values(), account__kind__in=[_KIND.FLOAT, _KIND.RAKE])
        held = dict(snapshots.values_list("account__kind").annotate(Sum("units")))
        return {
            "issued": went[_KIND.ISSUED] - came[_KIND.ISSUED] if came[_KIND.ISSUED] or went[_KIND.ISSUED] else None,
            "cage": came[_KIND.CAGE] - went[_KIND.CAGE],
            "floats": held.get(_KIND.FLOAT, 0),
            "transit": came[_KIND.TRANSIT] - went[_KIND.TRANSIT],
            "rake": came[_KIND.RAKE] - went[_KIND.RAKE] + held.get(_KIND.RAKE, 0),
            "brought": self.gave[_KIND.ISSUED][date],
            "withdrawn": self.got[_KIND.ISSUED][date],
            "sold": self.got[_KIND.CASH][date],
            "cashed": self.gave[_KIND.CASH][date],
        }


def _moved(end, last):
    """What the house's accounts got (`debit`) or gave (`credit`) until a date: kind to date to units."""
    moved = defaultdict(Counter)
    # Account by account, so that tables' transfers are not read.
    accounts = list(Account.objects.filter(owner="house", kind__in=_KINDS).values_list("pk", flat=True))
    rows = Transfer.objects.filter(**{f"{end}__in": accounts}, business_date__lte=last)
    for kind, date, units in rows.values_list(f"{end}__kind", "business_date").annotate(Sum("units")):
        moved[kind][date] = units
    return moved


def _day(ref, row, said, written, house):
    closed = next((each for each in said if each.event == "day.closed"), None)
    figures = log.canonical(closed.facts["figures"]) if closed else ""
    people = closed.facts["people"] if closed else (None, None)
    expected = {
        # No entry says when a day begins: it has the date of the first thing recorded in it.
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
    yield from matched(
        ref,
        "tables_housefigures",
        "the house at the end of day",
        {row["pk"]: house.at_the_end(row["date"])} if closed else {},
        house.written.get(row["date"], {}),
        str,
        "the transfers come to",
    )
