"""Movements of chips inspected, each with its transfer, against its entry."""

from audit.comparing import Apart, differences, one_by_one, readings, surplus
from payouts.models import Account, Movement, Transfer

from .rounds import person


def look(after, upto, state):
    movements = Movement.objects.filter(pk__gt=after, pk__lte=upto).defer("made_in").order_by("pk")
    rows = {f"movement:{each.pk}": each for each in movements}
    said = readings(rows)
    pks = [each.pk for each in rows.values()]
    transfers = {each.movement_id: each for each in Transfer.objects.filter(movement__in=pks)}
    ends = {pk for each in transfers.values() for pk in (each.debit_id, each.credit_id)}
    accounts = {account.pk: account.ref for account in Account.objects.filter(pk__in=ends)}
    return len(rows), list(
        one_by_one(rows.items(), lambda ref, row: _movement(ref, row, said[ref], transfers.get(row.pk), accounts))
    )


def _movement(ref, movement, said, transfer, accounts):
    entry = next((each for each in said if each.event == "movement.made"), None)
    if entry is None:
        yield surplus(ref, "payouts_movement", "The movement")
        return
    facts, moved = entry.facts, entry.facts["transfer"]
    key = moved["key"].rpartition(":")[0]
    requested_by, approved_by = facts["people"]
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
