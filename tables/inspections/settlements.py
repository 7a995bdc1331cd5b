"""What was settled, inspected: settlements, payments, ticks and transfers, against the round's entries."""

from collections import defaultdict
from typing import Any, NamedTuple

from audit import log
from audit.comparing import Apart, Difference, differences, matched
from casino.games import registry
from payouts.models import Account, Payment, PaymentTick, Settlement, Transfer

from .wording import WORDING


class Rows(NamedTuple):
    """The money of some rounds: settlements by the round's reference, the rest by the settlement's id."""

    settlements: dict[str, list[Any]]
    payments: dict[int, list[Any]]
    ticks: dict[int, Any]
    transfers: dict[int, list[Any]]
    accounts: dict[int, str]
    keys: dict[int, str]
    transfer_keys: dict[int, str]

    @classmethod
    def of(cls, rounds):
        settled = list(
            Settlement.objects.filter(round_key__in=[each.ref for each in rounds])
            .defer("made_in")
            .order_by("generation")
        )
        pks = [each.pk for each in settled]
        payments = list(Payment.objects.filter(settlement__in=pks).order_by("box"))
        transfers = list(Transfer.objects.filter(settlement__in=pks).order_by("key"))
        reversed_ = {each.reverses_id for each in transfers} - {None}
        ticks = PaymentTick.objects.filter(payment__in=[each.pk for each in payments])
        elsewhere = {each.settlement_id for each in rounds} - {None, *pks}
        return cls(
            _grouped(settled, "round_key"),
            _grouped(payments, "settlement_id"),
            {tick.payment_id: tick for tick in ticks},
            _grouped(transfers, "settlement_id"),
            {account.pk: account.ref for account in Account.objects.all()},
            dict(Settlement.objects.filter(pk__in=[*pks, *elsewhere]).values_list("pk", "key")),
            dict(Transfer.objects.filter(pk__in=reversed_).values_list("pk", "key")),
        )


def _grouped(rows, name):
    grouped = defaultdict(list)
    for row in rows:
        grouped[getattr(row, name)].append(row)
    return grouped


def differ(round_, said, lines, rows):
    """How the settlements of a round differ from its entries.

    :param lines: the entries that made its lines, in order.
    """
    ref = round_.ref
    entries = {each.facts["generation"]: each for each in said if each.event == "round.settled"}
    ticked = {each.facts["payment"]: each for each in said if each.event in {"payment.ticked", "payment.left"}}
    stand = {each.generation: each for each in rows.settlements[ref]}
    yield from matched(
        ref,
        "payouts_settlement",
        "Settlement",
        {generation: _expected(round_, each, lines) for generation, each in entries.items()},
        {generation: _actual(settlement) for generation, settlement in stand.items()},
        str,
    )
    payments = [payment for settlement in stand.values() for payment in rows.payments[settlement.pk]]
    for generation in sorted(entries.keys() & stand.keys()):
        yield from _of_generation(ref, entries[generation], stand[generation], lines, rows)
    yield from _ticks(ref, ticked, payments, stand, rows)


def _line(entry, lines):
    """The number and the text of the line that a settlement settled: the newest at that time."""
    made = [each for each in lines if each.seq < entry.seq]
    return len(made), made[-1].facts["round"]


def _expected(round_, entry, lines):
    ordinal, _ = _line(entry, lines)
    generation = entry.facts["generation"]
    expected = {
        "key": f"{round_.ref}:{generation}",
        "table_key": entry.chain,
        "line_ordinal": ordinal,
        "sheet_digest": entry.facts["sheet"],
        "result": log.canonical(entry.facts["result"]),
        "begun_at": Apart(entry.at),
    }
    if "business_date" in entry.facts:
        expected["business_date"] = entry.facts["business_date"]
    elif generation == 1:
        expected["business_date"] = round_.session.business_date.isoformat()
    return expected


def _actual(settlement):
    return {
        "key": settlement.key,
        "table_key": settlement.table_key,
        "line_ordinal": settlement.line_ordinal,
        "sheet_digest": settlement.sheet_digest,
        "result": settlement.result,
        "begun_at": settlement.begun_at,
        "business_date": settlement.business_date.isoformat(),
    }


def _of_generation(ref, entry, settlement, lines, rows):
    _, line = _line(entry, lines)
    game = registry.GAMES[line["game"]]
    clauses = {outcome.box: list(outcome.clauses) for outcome in game.outcomes(game.read(line), entry.facts["result"])}
    yield from matched(
        ref,
        "payouts_payment",
        WORDING("payment", generation=settlement.generation),
        {
            each["box"]: {
                "outcome": each["outcome"],
                "staked_units": each["staked"],
                "returned_units": each["returned"],
                "paid_units": each["paid"],
                "net_units": each["net"],
                "clauses": clauses.get(each["box"]),
            }
            for each in entry.facts["payments"]
        },
        {
            payment.box: {
                "outcome": payment.outcome,
                "staked_units": payment.staked_units,
                "returned_units": payment.returned_units,
                "paid_units": payment.paid_units,
                "net_units": payment.net_units,
                "clauses": payment.clauses,
            }
            for payment in rows.payments[settlement.pk]
        },
        str,
    )
    date, mark = settlement.business_date, f"{settlement.key}:r:"
    yield from matched(
        ref,
        "payouts_transfer",
        "Transfer",
        {
            each["key"]: {
                "debit_id": each["debit"],
                "credit_id": each["credit"],
                "units": each["units"],
                "reason": each["reason"],
                "business_date": date,
                "movement_id": None,
                "reverses_id": each["key"].removeprefix(mark) if each["key"].startswith(mark) else None,
            }
            for each in entry.facts["transfers"]
        },
        {
            transfer.key: {
                "debit_id": rows.accounts.get(transfer.debit_id),
                "credit_id": rows.accounts.get(transfer.credit_id),
                "units": transfer.units,
                "reason": transfer.reason,
                "business_date": transfer.business_date,
                "movement_id": transfer.movement_id,
                "reverses_id": rows.transfer_keys.get(transfer.reverses_id, transfer.reverses_id),
            }
            for transfer in rows.transfers[settlement.pk]
        },
        str,
    )


def _ticks(ref, ticked, payments, stand, rows):
    generations = {settlement.pk: generation for generation, settlement in stand.items()}
    actual = {f"payment:{each.pk}": each for each in payments if each.pk in rows.ticks}
    for key in sorted(ticked.keys() | actual.keys()):
        if key not in actual or key not in ticked:
            sentence = WORDING("ticked" if key in actual else "unticked", payment=key)
            yield Difference(ref, "payouts_paymenttick", sentence)
            continue
        entry, payment = ticked[key], actual[key]
        tick = rows.ticks[payment.pk]
        yield from differences(
            ref,
            "payouts_paymenttick",
            key,
            {
                "payment_id": (entry.facts["generation"], entry.facts["box"]),
                "by_id": entry.by,
                "at": Apart(entry.at),
                "left_with_id": entry.facts.get("approver"),
            },
            {
                "payment_id": (generations[payment.settlement_id], payment.box),
                "by_id": f"staff:{tick.by_id}",
                "at": tick.at,
                "left_with_id": tick.left_with_id and f"staff:{tick.left_with_id}",
            },
        )
