"""What the product paid, beside what `adjudicate` says of the file's own lines."""

from collections import Counter
from itertools import zip_longest
from typing import NamedTuple

from django.db import connection
from django.db.models import Prefetch

from audit import chains, log
from casino import adjudicate
from payouts.models import Account, Settlement, Transfer
from tables.models import Round


class Comparison(NamedTuple):
    """What was compared, and the differences as sentences."""

    payments: int
    transfers: int
    chains: int
    differences: list[str]


class Times(NamedTuple):
    """How long rounds waited from close to settled, in seconds."""

    median: float
    p99: float


def compare(recording, places, tick):
    """Compare every round of the file with its settlement, every account with its sum, every chain with its entries.

    `tick(done, of)` is called after each table.
    """
    counted, differences = Counter(), []
    for index, place in enumerate(places):
        differences += _table(recording.lines[index :: len(places)], place.table, counted)
        tick(index + 1, len(places))
    keys = [log.HOUSE, *(place.table.ref for place in places)]
    for key in keys:
        try:
            chains.verify(key)
        except chains.Broken as broken:
            differences.append(str(broken))
    return Comparison(counted["payments"], counted["transfers"], len(keys), differences)


def times(places):
    """The times from close to settlement of the night's rounds, by the database's clock.

    They run from `closed_at`, when the transaction that closed the round began, to the settlement's entry in the log,
    which is stamped after everything else in the settling transaction is written. `settled_at` would flatter: it is
    when that transaction, of up to a hundred rounds, began. The stamp only leaves out writing the entries, and the
    commit.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY waited),"
            " percentile_disc(0.99) WITHIN GROUP (ORDER BY waited)"
            " FROM (SELECT extract(epoch FROM entry.at::timestamptz - r.closed_at)::float AS waited"
            "       FROM tables_round r JOIN audit_entry entry"
            "       ON entry.subject = 'round:' || r.id AND entry.event = 'round.settled'"
            "       WHERE r.table_id = ANY(%s)) settled",
            [[place.table.pk for place in places]],
        )
        return Times(*cursor.fetchone())


def _table(lines, table, counted):
    """The differences of one table."""
    settlements = {}
    paid = Settlement.objects.filter(table_key=table.ref).order_by("generation")
    moved = Transfer.objects.select_related("debit", "credit")
    for settlement in paid.prefetch_related("payments", Prefetch("transfers", moved)):
        settlements.setdefault(settlement.round_key, []).append(settlement)
    house_net, differences = 0, []
    for line, round_ in zip_longest(
        lines, Round.objects.filter(table=table).order_by("number").select_related("table")
    ):
        if line is None:
            differences.append(f"{round_}: no line of the file has this round.")
            continue
        answer, _ = adjudicate.answer(line.data, line.number)
        house_net += answer["house_net"]
        if round_ is None:
            differences.append(f"Line {line.number}: it was not played.")
            continue
        generations = settlements.get(round_.ref, [])
        name = f"Line {line.number} ({round_})"
        if round_.status != Round.Status.SETTLED or len(generations) != 1:
            held = ", held" if round_.held_at else ""
            differences.append(f"{name}: {round_.get_status_display()}{held}, settled {len(generations)} times.")
            continue
        differences += [f"{name}, {what}" for what in _settlement(generations[0], answer, counted)]
    return differences + _balances(table, house_net)


def _settlement(settlement, answer, counted):
    """Where a settlement differs from the answer."""
    rights = {box["box"]: _payment(box) for box in answer["boxes"]}
    paid = {
        payment.box: {
            "outcome": payment.outcome,
            "staked": payment.staked_units,
            "returned": payment.returned_units,
            "paid": payment.paid_units,
            "net": payment.net_units,
            "clauses": payment.clauses,
        }
        for payment in settlement.payments.all()
    }
    counted["payments"] += len(paid)
    for box in sorted(rights.keys() | paid.keys()):
        stored, right = paid.get(box, {}), rights.get(box, {})
        for what in stored.keys() | right.keys():
            if stored.get(what) != right.get(what):
                yield f"box {box}: {what} is {stored.get(what)}, by adjudicate {right.get(what)}."
    transfers = sorted(
        (transfer.debit.ref, transfer.credit.ref, transfer.units) for transfer in settlement.transfers.all()
    )
    counted["transfers"] += len(transfers)
    due = sorted(_due(answer, settlement.table_key))
    if transfers != due:
        yield f"transfers: {transfers} were made, its payments come to {due}."


def _payment(box):
    staked, returned, paid = (sum(wager[what] for wager in box["wagers"]) for what in ("stake", "returned", "paid"))
    units = {"staked": staked, "returned": returned, "paid": paid}
    return {"outcome": box["outcome"], **units, "net": box["net"], "clauses": box["clauses"]}


def _due(answer, table):
    """The transfers that an answer comes to, (debit, credit, units): one for each wager whose net is not 0."""
    floats, patrons = f"float:{table}", f"patrons:{table}"
    for box in answer["boxes"]:
        for wager in box["wagers"]:
            net = wager["returned"] + wager["paid"] - wager["stake"]
            if net:
                yield (patrons, floats, net) if net > 0 else (floats, patrons, -net)


def _balances(table, house_net):
    """Whether a table's accounts hold what its rounds come to, and its float also what else was moved there."""
    balance = {
        account.kind: account.balance_units for account in Account.objects.with_balance().filter(owner=table.ref)
    }
    movements = Transfer.objects.filter(movement__isnull=False)
    chips = sum(movements.filter(debit=table.float_account_id).values_list("units", flat=True))
    chips -= sum(movements.filter(credit=table.float_account_id).values_list("units", flat=True))
    right = {Account.Kind.FLOAT: chips + house_net, Account.Kind.PATRONS: -house_net, Account.Kind.POT: 0}
    return [
        f"{table.code}: its {kind} holds {balance[kind]} units, its rounds come to {units}."
        for kind, units in right.items()
        if balance[kind] != units
    ]
