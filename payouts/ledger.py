"""The ledger: settlements and movements with their transfers, written once, in sets (design: Money)."""

import json
from collections import Counter
from typing import Any, NamedTuple

from django.db.models import Q, Sum

from audit import log

from . import circulation
from .adjudication import NewPayment, NewTransfer
from .models import MOST_UNITS, Account, Movement, Snapshot, Transfer
from .wording import WORDING


class NewSettlement(NamedTuple):
    """A settlement still to be written; `key` is `round:81:1`, `result` what the game says of the line."""

    round_key: str
    table_key: str
    generation: int
    line_ordinal: int
    sheet_digest: str
    business_date: object
    result: dict[str, Any]
    payments: list[NewPayment]
    transfers: list[NewTransfer]

    @property
    def key(self):
        return f"{self.round_key}:{self.generation}"


def start_accounts(kinds, owner):
    """Make the accounts of a table or of the house, once.

    :returns: kind to `Account`.
    """
    return {kind: Account.objects.create(kind=kind, owner=owner) for kind in kinds}


def transfer_facts(transfers, refs):
    """Transfers as the log writes them, in the order of their keys; `refs` maps account ids to their names."""
    return [
        {
            "key": transfer.key,
            "debit": refs[transfer.debit],
            "credit": refs[transfer.credit],
            "units": transfer.units,
            "reason": transfer.reason,
        }
        for transfer in sorted(transfers, key=lambda transfer: transfer.key)
    ]


def rows(settlements):
    """Settlements, their payments and their transfers: three JSON arrays, as `write_settlements` takes them."""
    headers, payments, transfers = [], [], []
    for place, new in enumerate(settlements, 1):
        date = new.business_date.isoformat()
        headers.append(
            {
                "key": new.key,
                "round_key": new.round_key,
                "table_key": new.table_key,
                "generation": new.generation,
                "line_ordinal": new.line_ordinal,
                "sheet_digest": new.sheet_digest,
                "business_date": date,
                "result": log.canonical(new.result),
            }
        )
        payments += [{"place": place, **payment.facts(), "clauses": payment.clauses} for payment in new.payments]
        transfers += [{"place": place, **transfer._asdict(), "business_date": date} for transfer in new.transfers]
    return [json.dumps(part) for part in (headers, payments, transfers)]


def move(*, kind, subject, number, debit, credit, denominations, business_date, actor, chain, people=None, **more):
    """Move chips between cage, float, drop box, tip box and count room: one movement, one transfer, one entry.

    :param denominations: chip value in units to the number of chips.
    :param people: the two who answer for it, if they are others than the `actor` and whoever signed.
    :param more: further facts of its entry.
    :raises ValueError: if it moves nothing.
    :raises Refused: `amount_wrong` (422) if it is more than one transfer carries.
    """
    units = sum(int(value) * count for value, count in denominations.items())
    if units <= 0:
        raise ValueError(f"A movement of {units} moves nothing.")
    if units > MOST_UNITS:
        raise WORDING.refused("amount_wrong", units=units, kind=kind, most=MOST_UNITS)
    requester, approver = people or (actor.by, actor.approved_by)
    movement = Movement.objects.create(
        key=f"{subject}:{kind}:{number}",
        kind=kind,
        subject=subject,
        number=number,
        denominations=denominations,
        business_date=business_date,
        requested_by=requester,
        approved_by=approver,
    )
    transfer = NewTransfer(f"{movement.key}:1", debit.pk, credit.pk, units, kind)
    Transfer.objects.create(
        key=transfer.key,
        movement=movement,
        debit=debit,
        credit=credit,
        units=units,
        business_date=business_date,
        reason=kind,
    )
    log.record(
        "movement.made",
        f"movement:{movement.pk}",
        chain=chain,
        actor=actor,
        facts={
            "kind": kind,
            "number": number,
            "denominations": denominations,
            "people": [person.ref for person in (requester, approver) if person],
            "business_date": business_date.isoformat(),
            **more,
            "transfer": transfer_facts([transfer], {debit.pk: debit.ref, credit.pk: credit.ref})[0],
        },
    )
    return movement


def balance(account):
    """What an account holds, in units."""
    return Account.objects.with_balance().get(pk=account.pk).balance_units


def has_moved(account):
    """Whether anything came into an account or went out of it since its newest snapshot."""
    transfers = Transfer.objects.filter(Q(debit=account) | Q(credit=account))
    last = Snapshot.objects.filter(account=account).order_by("upto").last()
    return (transfers.filter(pk__gt=last.upto_id) if last else transfers).exists()


def balances():
    """What the accounts hold, in units, added up by kind; a kind without accounts holds nothing."""
    sums: Counter[str] = Counter()
    for account in Account.objects.with_balance():
        sums[account.kind] += account.balance_units
    return sums


def holdings():
    """Where the house's chips are, for `circulation`."""
    held, issued = balances(), Account.Kind.ISSUED
    said = Transfer.objects.filter(Q(debit__kind=issued) | Q(credit__kind=issued)).exists()
    return circulation.Holdings(
        issued=-held[issued] if said else None,
        cage=held[Account.Kind.CAGE],
        floats=held[Account.Kind.FLOAT],
        transit=held[Account.Kind.TRANSIT],
        rake=held[Account.Kind.RAKE],
    )


def snapshot(*, accounts, subject):
    """Note what the accounts of a table hold, whose session `subject` closes.

    The caller keeps everybody else from these accounts until the end of the transaction: what is not seen now counts as
    later.
    """
    newest = Transfer.objects.latest("pk")
    for account in accounts:
        Snapshot.objects.create(account=account, subject=subject, upto=newest, units=balance(account))


def movement_units(*subjects):
    """The sum of movements of a session and its slips, by kind, in units; a variance is below 0 if the float lacked
    chips. An opener's difference from the closer before it is the cage's variance, and no part of this."""
    units = dict.fromkeys(Movement.Kind.values, 0)
    for transfer in Transfer.objects.filter(movement__subject__in=subjects).select_related("debit", "credit"):
        varies = transfer.reason == Movement.Kind.VARIANCE
        if varies and Account.Kind.FLOAT not in {transfer.debit.kind, transfer.credit.kind}:
            continue
        lacked = varies and transfer.credit.kind == Account.Kind.FLOAT
        units[transfer.reason] += -transfer.units if lacked else transfer.units
    return units


def rake_variance(subject):
    """What was counted in the rake slot of a session's table less what its rounds left there, in units."""
    transfers = Transfer.objects.filter(movement__subject=subject, reason=Movement.Kind.VARIANCE)
    rake = Account.Kind.RAKE
    surplus, shortage = (transfers.filter(**{f"{end}__kind": rake}) for end in ("debit", "credit"))
    return sum(transfer.units for transfer in surplus) - sum(transfer.units for transfer in shortage)


def explained_units(account, *subjects):
    """What the variance gave back to an account for rounds from paper, in units: above 0 if they brought chips."""
    corrections = Transfer.objects.filter(movement__subject__in=subjects, reason=Movement.Kind.CORRECTION)
    variance = Account.Kind.VARIANCE
    brought = corrections.filter(debit__kind=variance, credit=account)
    took = corrections.filter(debit=account, credit__kind=variance)
    return sum(transfer.units for transfer in brought) - sum(transfer.units for transfer in took)


def of_session(account, subject):
    """The transfers of a session `subject`: those between an account's snapshot of the session before and its own. A
    running session has none yet, so everything until now belongs to it."""
    snapshots = Snapshot.objects.filter(account=account).order_by("upto")
    closing = snapshots.filter(subject=subject).first()
    transfers = Transfer.objects.all()
    if closing:
        transfers = transfers.filter(pk__lte=closing.upto_id)
        snapshots = snapshots.filter(upto__lt=closing.upto_id)
    before = snapshots.last()
    if before:
        transfers = transfers.filter(pk__gt=before.upto_id)
    return transfers


def corrected_units(account, subject):
    """What moved into a table's account for corrections, less what moved out of it, in units: of the session `subject`,
    by the kind of account on the other side. Corrections while the table was closed moved to or from the cage, and
    rounds that were entered late to or from the variance: they belong to no session.
    """
    return _corrected(of_session(account, subject), account)


def _corrected(transfers, account):
    corrected = transfers.filter(reason=Movement.Kind.CORRECTION).order_by()
    units: Counter[str] = Counter()
    for end, other, sign in (("debit", "credit", 1), ("credit", "debit", -1)):
        rows = corrected.filter(**{end: account}).values_list(f"{other}__kind").annotate(units=Sum("units"))
        for kind, moved in rows:
            units[kind] += sign * moved
    return units


def settlement_units(*, debit, credit, account, subject):
    """The sum of what settlements moved from `credit` to `debit`, less what went back, in units: of the session
    `subject`, with what was moved for corrections."""
    transfers = of_session(account, subject)
    settled = transfers.filter(movement=None)

    def total(**way):
        return settled.filter(**way).aggregate(units=Sum("units", default=0))["units"]

    corrected = sum(_corrected(transfers, debit).values())
    return total(debit=debit, credit=credit) - total(debit=credit, credit=debit) + corrected


def settlement_units_by_round(*, debit, credit, account, subject):
    """What `settlement_units` adds up, by the keys of the rounds; without what the cage took or gave."""
    settled = of_session(account, subject).filter(movement=None, debit__in=(debit, credit), credit__in=(debit, credit))
    rows = settled.values_list("settlement__round_key").annotate(
        back=Sum("units", filter=Q(debit=credit, credit=debit), default=0),
        gone=Sum("units", filter=Q(debit=debit, credit=credit), default=0),
    )
    return {key: gone - back for key, back, gone in rows.order_by("settlement__round_key")}
