"""Counts of tips inspected, each against its entries; tips are looked at with their movements."""

from django.db import connection

from audit.comparing import Apart, Difference, differences, one_by_one, readings, surplus

from ..models import TipCount
from ..verbs.tips import ref
from .rounds import person
from .wording import WORDING

# Without the salt: see `tip_count_digests` in sql/tips.sql.
_COLUMNS = (
    "pk", "date", "denominations", "counted_units", "recorded_units", "counted_by_id", "counted_with_id", "counted_at",
)  # fmt: skip


def look(after, upto, state):
    counted = TipCount.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {ref(row["date"]): row for row in counted.values(*_COLUMNS)}
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, reason FROM tip_count_digests(%s)", [[row["pk"] for row in rows.values()]])
            reasons = dict(cursor.fetchall())
        rows = {name: row | {"reason": reasons[row["pk"]]} for name, row in rows.items()}
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda name, row: _count(name, row, said[name])))


def _count(name, row, said):
    events = {each.event: each for each in said[::-1]}
    counted, agreed = events.get("tips.counted"), events.get("count.agreed")
    if counted is None:
        yield surplus(name, "tables_tipcount", "The count")
        return
    expected = {
        "denominations": counted.facts["chips"],
        "counted_units": counted.facts["units"],
        "recorded_units": counted.facts["recorded"],
        "counted_by_id": counted.facts["people"][0],
        "counted_with_id": counted.facts["people"][1],
        "counted_at": Apart(counted.at),
        "reason": agreed and agreed.facts.get("reason"),
    }
    stands = {name: person(row[name]) for name in ("counted_by_id", "counted_with_id")}
    yield from differences(name, "tables_tipcount", "", expected, row | stands)


def not_there(read):
    """The counts of tips that these entries record and that are not there."""
    counted = {each.facts["date"]: each for each in read if each.event == "tips.counted"}
    there = {ref(date) for date in TipCount.objects.filter(date__in=counted).values_list("date", flat=True)}
    for each in counted.values():
        if each.subject not in there:
            yield Difference(each.subject, "tables_tipcount", WORDING("absent"))
