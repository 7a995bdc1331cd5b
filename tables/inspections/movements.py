"""Movements of chips inspected against their entries, each with its transfer and the facts of a buy-in."""

from audit.comparing import Apart, differences, one_by_one, readings, surplus
from payouts.models import Account, Movement, Transfer

from ..models import BuyIn
from .rounds import person


def look(after, upto, state):
    movements = Movement.objects.filter(pk__gt=after, pk__lte=upto).defer("made_in").order_by("pk")
    rows = {f"movement:{each.pk}": each for each in movements}
    said = readings(rows)
    pks = [each.pk for each in rows.values()]
    transfers = {each.movement_id: each for each in Transfer.objects.filter(movement__in=pks)}
    bought = BuyIn.objects.in_bulk(pks)
    ends = {pk for each in transfers.values() for pk in (each.debit_id, each.credit_id)}
    accounts = {account.pk: account.ref for account in Account.objects.filter(pk__in=ends)}
    return len(rows), list(
        one_by_one(
            rows.items(),
            lambda ref, row: [
                *_movement(ref, row, said[ref], transfers.get(row.pk), accounts),
                *_buy_in(ref, bought.get(row.pk), said[ref]),
            ],
        )
    )


def _buy_in(ref, buy_in, said):
    """Compare what a buy-in has beyond its movement."""
    entry = next((each for each in said if each.event == "movement.made"), None)
    facts = entry.facts if entry and entry.facts["kind"] == Movement.Kind.BUY_IN else {}
    people = [*facts.get("people", []), None, None]
    names = ("drop_box_id", "session_id", "box", "units", "by_id", "approved_by_id")
    moved = facts.get("transfer", {})
    expected = (
        facts.get("drop_box"),
        moved and moved["key"].partition(":buy_in:")[0],
        facts.get("box"),
        moved.get("units"),
        *people[:2],
    )
    stands = buy_in and (
        f"drop_box:{buy_in.drop_box_id}",
        f"session:{buy_in.session_id}",
        buy_in.box,
        buy_in.units,
        person(buy_in.by_id),
        person(buy_in.approved_by_id),
    )
    if facts or buy_in:
        stands = stands or [None] * len(names)
        pairs = (dict(zip(names, values, strict=True)) for values in (expected, stands))
        yield from differences(ref, "tables_buyin", "Buy-in", *pairs)


def _movement(ref, movement, said, transfer, accounts):
    entry = next((each for each in said if each.event == "movement.made"), None)
    if entry is None:
        yield surplus(ref, "payouts_movement", "The movement")
        return
    facts, moved = entry.facts, entry.facts["transfer"]
    key = moved["key"].rpartition(":")[0]
    requested_by, approved_by = [*facts["people"], None][:2]
    yield from differences(
        ref,
        "payouts_movement",
        "",
        {
            "key": key,
            "kind": facts["kind"],
            "subject": key.removesuffix(f":{facts['kind']}:{facts['number']}"),
            "number": facts["number"],
            "denominations": facts["denominations"],
            "business_date": facts["business_date"],
            "requested_by_id": requested_by,
            "approved_by_id": approved_by,
            "begun_at": Apart(entry.at),
        },
        {
            "key": movement.key,
            "kind": movement.kind,
            "subject": movement.subject,
            "number": movement.number,
            "denominations": movement.denominations,
            "business_date": movement.business_date.isoformat(),
            "requested_by_id": person(movement.requested_by_id),
            "approved_by_id": person(movement.approved_by_id),
            "begun_at": movement.begun_at,
        },
    )
    yield from differences(
        ref,
        "payouts_transfer",
        "Transfer",
        {
            "key": moved["key"],
            "debit_id": moved["debit"],
            "credit_id": moved["credit"],
            "units": moved["units"],
            "reason": moved["reason"],
            "business_date": facts["business_date"],
            "settlement_id": None,
            "reverses_id": None,
        },
        {
            "key": transfer and transfer.key,
            "debit_id": transfer and accounts.get(transfer.debit_id),
            "credit_id": transfer and accounts.get(transfer.credit_id),
            "units": transfer and transfer.units,
            "reason": transfer and transfer.reason,
            "business_date": transfer and transfer.business_date.isoformat(),
            "settlement_id": transfer and transfer.settlement_id,
            "reverses_id": transfer and transfer.reverses_id,
        },
    )
