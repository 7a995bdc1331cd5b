"""Slips and counts inspected: each against its entries, and the numbers of slips against the slips."""

from django.db import connection
from django.db.models import Max

from audit.comparing import Apart, differences, one_by_one, readings, surplus

from ..models import Count, Slip, SlipNumber
from .rounds import person, terminal, terminal_names
from .wording import WORDING

# Without the salt: see `slip_digests` in sql/slips.sql.
_COLUMNS = (
    "pk", "kind", "year", "number", "table_id", "session_id", "denominations", "exchanged", "units", "status",
    "requested_by_id", "requested_at", "issued_by_id", "issued_at", "carried_by_id", "received_by_id",
    "received_with_id", "received_at", "voided_by_id", "approved_by_id", "voided_at", "out_id", "back_id", "prints",
)  # fmt: skip
_PEOPLE = (
    "requested_by_id", "issued_by_id", "carried_by_id", "received_by_id", "received_with_id", "voided_by_id",
    "approved_by_id",
)  # fmt: skip


def look_at_slips(after, upto, state):
    rows = {
        f"slip:{row['pk']}": row
        for row in Slip.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*_COLUMNS)
    }
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, reason FROM slip_digests(%s)", [[row["pk"] for row in rows.values()]])
            reasons = dict(cursor.fetchall())
        for row in rows.values():
            row["reason"] = reasons[row["pk"]]
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _slip(ref, row, said[ref])))


def _slip(ref, row, said):
    events = {each.event: each for each in said[::-1]}
    requested, issued, received, returned, voided = (
        events.get(f"slip.{step}") for step in ("requested", "issued", "received", "returned", "voided")
    )
    if requested is None:
        yield surplus(ref, "tables_slip", "The slip")
        return
    ended = returned or voided
    last = received or ended or issued or requested
    expected = {
        "table_id": requested.chain,
        "session_id": requested.facts["session"],
        "exchanged": requested.facts.get("exchanged"),
        **{name: requested.facts[name] for name in ("kind", "year", "number", "denominations", "units")},
        "status": last.event.removeprefix("slip.").upper(),
        "requested_by_id": requested.facts["requester"],
        "requested_at": Apart(requested.at),
        "issued_by_id": issued and issued.facts["issuer"],
        "issued_at": issued and Apart(issued.at),
        "carried_by_id": issued and issued.facts.get("carrier"),
        "out_id": issued and issued.facts.get("movement"),
        "received_by_id": received and received.facts["receiver"],
        "received_with_id": received and received.facts["witness"],
        "received_at": received and Apart(received.at),
        "back_id": last.facts.get("movement") if received or returned else None,
        "voided_by_id": ended and ended.facts["requester"],
        "approved_by_id": ended and ended.facts["approver"],
        "voided_at": ended and Apart(ended.at),
        "reason": ended and ended.facts["reason"],
        "prints": sum(each.event == "slip.printed" for each in said),
    }
    stands = {
        "table_id": f"table:{row['table_id']}",
        "session_id": f"session:{row['session_id']}",
        **{name: row[name] and f"movement:{row[name]}" for name in ("out_id", "back_id")},
        **{name: person(row[name]) for name in _PEOPLE},
    }
    yield from differences(ref, "tables_slip", "", expected, row | stands)


def look_at_counts(after, upto, state):
    counts = {f"count:{each.pk}": each for each in Count.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")}
    said = readings(counts)
    terminals = terminal_names()
    return len(counts), list(one_by_one(counts.items(), lambda ref, row: _count(ref, row, said[ref], terminals)))


def _count(ref, count, said, terminals):
    entered = next((each for each in said if each.event == "count.entered"), None)
    if entered is None:
        yield surplus(ref, "tables_count", "The count")
        return
    names = ("of", "part", "attempt", "place", "denominations", "units")
    yield from differences(
        ref,
        "tables_count",
        "",
        {
            **{name: entered.facts[name] for name in names},
            "by_id": entered.by,
            "terminal_id": terminals.get(entered.terminal, entered.terminal),
            "at": Apart(entered.at),
        },
        {
            **{name: getattr(count, name) for name in names},
            "by_id": person(count.by_id),
            "terminal_id": terminal(count.terminal_id),
            "at": count.at,
        },
    )


def look_at_numbers(after, upto, state):
    """The last number of each kind and year is that of its newest slip, which has an entry."""
    numbers = list(SlipNumber.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk"))
    newest = {
        (kind, year): number
        for kind, year, number in Slip.objects.order_by().values_list("kind", "year").annotate(Max("number"))
    }
    pairs = [(WORDING("slip_number", number=each.pk), each) for each in numbers]
    return len(numbers), list(one_by_one(pairs, lambda ref, each: _number(ref, each, newest)))


def _number(ref, number, newest):
    last = newest.get((number.kind, number.year))
    if last is None:
        yield surplus(ref, "tables_slipnumber", WORDING("slip_number:surplus", kind=number.kind, year=number.year))
        return
    yield from differences(ref, "tables_slipnumber", "", {"last": last}, {"last": number.last}, source="the slips say")
