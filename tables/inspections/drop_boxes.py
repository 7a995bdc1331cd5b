"""Drop boxes inspected, each against its entries; their buy-ins are looked at with their movements."""

from django.db import connection

from audit.comparing import Apart, differences, one_by_one, readings, surplus

from ..models import DropBox
from .rounds import person

_PEOPLE = (
    "mounted_by_id", "mounted_with_id", "removed_by_id", "removed_with_id", "counted_by_id", "counted_with_id",
)  # fmt: skip
# Without the salt: see `drop_box_digests` in sql/drop_boxes.sql.
_COLUMNS = (
    "pk", "number", "seal", "table_id", "session_id", "business_date", "status", "mounted_at", "removed_at",
    "removed_seal", "counted_at", "cash_units", "recorded_units", *_PEOPLE,
)  # fmt: skip


def look(after, upto, state):
    drop_boxes = DropBox.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {f"drop_box:{row['pk']}": row for row in drop_boxes.values(*_COLUMNS)}
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, reason FROM drop_box_digests(%s)", [[row["pk"] for row in rows.values()]])
            for pk, reason in cursor.fetchall():
                rows[f"drop_box:{pk}"]["reason"] = reason
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _drop_box(ref, row, said[ref])))


def _drop_box(ref, row, said):
    events = {each.event: each for each in said[::-1]}
    mounted, removed, counted = (events.get(f"drop_box.{step}") for step in ("mounted", "removed", "counted"))
    agreed = events.get("count.agreed")
    if mounted is None:
        yield surplus(ref, "tables_dropbox", "The drop box")
        return

    def signer(entry, place):
        return entry and entry.facts["people"][place]

    expected = {
        "number": mounted.facts["number"],
        "seal": mounted.facts["seal"],
        "table_id": mounted.chain,
        "session_id": mounted.facts["session"],
        "business_date": mounted.facts["business_date"],
        "status": "COUNTED" if counted else "REMOVED" if removed else "MOUNTED",
        "mounted_by_id": signer(mounted, 0),
        "mounted_with_id": signer(mounted, 1),
        "mounted_at": Apart(mounted.at),
        "removed_by_id": signer(removed, 0),
        "removed_with_id": signer(removed, 1),
        "removed_at": removed and Apart(removed.at),
        "removed_seal": removed and removed.facts["seal"],
        "counted_by_id": signer(counted, 0),
        "counted_with_id": signer(counted, 1),
        "counted_at": counted and Apart(counted.at),
        "cash_units": counted and counted.facts["units"],
        "recorded_units": counted and counted.facts["recorded"],
        "reason": agreed and agreed.facts.get("reason"),
    }
    stands = {
        "table_id": f"table:{row['table_id']}",
        "business_date": row["business_date"].isoformat(),
        "session_id": f"session:{row['session_id']}",
        **{name: person(row[name]) for name in _PEOPLE},
    }
    yield from differences(ref, "tables_dropbox", "", expected, row | stands)
