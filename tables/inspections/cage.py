"""Shifts of the cage inspected, each against its entries."""

from django.db import connection

from audit.comparing import Apart, differences, one_by_one, readings, surplus

from ..models import CageShift
from .rounds import person

# Without the salt: see `cage_shift_digests` in sql/cage.sql.
_COLUMNS = (
    "pk", "status", "business_date", "opened_at", "opened_by_id", "counts_from", "expected_units", "closed_at",
    "closed_by_id", "closed_with_id", "denominations", "variance_units",
)  # fmt: skip


def look(after, upto, state):
    shifts = CageShift.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {f"cage_shift:{row['pk']}": row for row in shifts.values(*_COLUMNS)}
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, reason FROM cage_shift_digests(%s)", [[row["pk"] for row in rows.values()]])
            for pk, reason in cursor.fetchall():
                rows[f"cage_shift:{pk}"]["reason"] = reason
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _shift(ref, row, said[ref])))


def _shift(ref, row, said):
    # The newest entry of each: counting may begin several times.
    last = {each.event: each for each in said}
    opened, begun, closed = (last.get(f"cage.{step}") for step in ("opened", "count_begun", "closed"))
    if opened is None:
        yield surplus(ref, "tables_cageshift", "The shift of the cage")
        return
    agreed = last.get("count.agreed")

    def signer(place):
        return closed and closed.facts["signers"][place]

    expected = {
        "status": "CLOSED" if closed else "OPEN",
        "business_date": opened.facts["business_date"],
        "opened_at": Apart(opened.at),
        "opened_by_id": opened.by,
        "counts_from": begun.facts["attempt"] if begun else 0,
        "expected_units": begun and begun.facts["expected"],
        "closed_at": closed and Apart(closed.at),
        "closed_by_id": signer(0),
        "closed_with_id": signer(1),
        "denominations": closed and closed.facts["denominations"],
        "variance_units": closed and closed.facts["variance"],
        "reason": agreed and agreed.facts.get("reason"),
    }
    stands = {
        "business_date": row["business_date"].isoformat(),
        **{name: person(row[name]) for name in ("opened_by_id", "closed_by_id", "closed_with_id")},
    }
    yield from differences(ref, "tables_cageshift", "", expected, row | stands)
