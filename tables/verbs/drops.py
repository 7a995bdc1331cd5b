"""The count of a drop: two of the count team empty a drop box and count its cash, the second blind to the first.

What the table recorded is shown when both counts are in. If the counts differ, they are made again, once; then a pit
boss says which one stands. The cash goes to the count room, and what it is above or below the buy-ins is the variance
of the drop: together they empty the account of the table's drop boxes after the last box.
"""

from typing import NamedTuple

from django.db.models import Sum
from django.db.models.functions import Now

from audit import log
from casino import settings_of_house
from casino.models import Casino
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Alarm, Count, DropBox
from . import alarms, cases, counts, drop_boxes, grounds
from .sessions import ATTEMPTS, Standing, wants_reason
from .wording import WORDING

STATUS, PART = DropBox.Status, Count.Part.DROP
_PAPER = "#e4dcc4"
_KIND = Account.Kind


class Cash(NamedTuple):
    """The notes and coins of the house, in the form of a chip set."""

    denominations: list[int]
    colours: list[str]


class Bag(NamedTuple):
    """What is in a drop box as something to count, in the place of a table; it stands in its table's chain."""

    chip_set: Cash
    ref: str
    name: str

    def __str__(self):
        return self.name


def bag(drop_box):
    """The cash of a drop box, to be counted by the notes and coins of the house."""
    values = sorted(Casino.objects.get().cash_denominations)
    return Bag(Cash(values, [_PAPER] * len(values)), drop_box.table.ref, str(drop_box))


def recorded(drop_box):
    """What the buy-ins of a drop box come to, in units."""
    return drop_box.buy_ins.aggregate(units=Sum("units", default=0))["units"]


def standing(drop_box):
    """How far the count of a drop box is; None if it is still mounted or is counted."""
    if drop_box.status != STATUS.REMOVED:
        return None
    entered = counts.last(drop_box.ref, PART)
    if len(entered) < 2:
        return Standing(PART, entered, equal=False, decides=False)
    equal = counts.agreed(entered)
    return Standing(
        PART,
        entered,
        equal,
        decides=not equal and entered[0].attempt >= ATTEMPTS,
        expected=recorded(drop_box),
        bound=settings_of_house.value("drop_variance_units"),
    )


def count(*, drop_box_id, denominations, actor):
    """Count the cash of a drop box, as one of two people.

    :param denominations: note or coin in units to how many there are; none for an empty box.
    :returns: the drop box and the counts of this attempt.
    :raises Refused: `drop_box_wrong_moment`; `counted_already`; `counted_twice` when the counts differed twice;
        `cash_unknown`, `count_wrong` (422).
    """
    drop_box = drop_boxes.locked(drop_box_id, STATUS.REMOVED)
    stands = standing(drop_box)
    if stands.both and stands.entered[0].attempt >= ATTEMPTS:
        raise WORDING.refused("counted_twice:drop_equal" if stands.equal else "counted_twice:drop", drop_box=drop_box)
    entered = counts.enter(
        of=drop_box.ref, part=PART, table=bag(drop_box), denominations=denominations, actor=actor, piece="cash"
    )
    return drop_box, entered


def sign(*, drop_box_id, place=None, reason="", actor):
    """Two people sign for what was counted: the cash goes to the count room.

    :param place: which count stands after they differed twice, the first or the second; one of the two who sign is then
        a pit boss, which the door checks.
    :param actor: `approved_by` is who signs too.
    :raises Refused: `drop_box_wrong_moment`; `count_missing`, `counts_differ` until there is something to sign for;
        `same_person`, `place_missing`, `reason_wrong`, `reason_missing` (422): see `sessions.wants_reason`;
        `amount_wrong` (422), as `ledger.move`.
    """
    drop_box = drop_boxes.locked(drop_box_id, STATUS.REMOVED)
    grounds.two_people(actor)
    stands = standing(drop_box)
    counted = stands.choice(place, what=drop_box, way_out=WORDING("counted_by_count_team"))
    signers = (actor.by, actor.approved_by)
    reason = grounds.checked_reason(reason, needed=wants_reason(stands, counted, signers))
    salt = log.salt(reason) if reason else ""
    variance = stands.difference(counted)
    counts.record_agreed(
        counted,
        table=drop_box.table,
        signers=signers,
        actor=actor,
        reason=grounds.salted(salt, reason) if reason else None,
        expected=stands.expected,
        variance=variance,
    )
    _empty(drop_box, counted, variance, actor)
    drop_box.status, drop_box.counted_at = STATUS.COUNTED, Now()
    drop_box.counted_by, drop_box.counted_with = signers
    drop_box.cash_units, drop_box.recorded_units = counted.units, stands.expected
    drop_box.reason, drop_box.salt = reason, salt
    drop_box.save(
        update_fields=[
            "status", "counted_by", "counted_with", "counted_at", "cash_units", "recorded_units", "reason", "salt",
        ],
    )  # fmt: skip
    facts = {
        "drop_box": drop_box.ref,
        "cash": counted.denominations,
        "units": counted.units,
        "recorded": stands.expected,
        "variance": variance,
        "people": [actor.ref, actor.approver],
    }
    log.record("drop_box.counted", drop_box.ref, chain=drop_box.table.ref, actor=actor, facts=facts)
    if stands.outside(counted):
        alarms.stand(Alarm.Kind.DROP_VARIANCE, drop_box.ref, drop_box.table, value=variance, bound=stands.bound)
        cases.open_drop_variance(drop_box, variance, actor)
    return drop_box


def _empty(drop_box, counted, variance, actor):
    """Move the cash that was counted, and its difference from the buy-ins."""
    box = Account.objects.get(kind=_KIND.DROP_BOX, owner=drop_box.table.ref)
    varied, room = (Account.objects.get(kind=kind, owner=log.HOUSE) for kind in (_KIND.VARIANCE, _KIND.COUNT_ROOM))
    ends = (box, varied) if variance > 0 else (varied, box)
    steps = (
        (Movement.Kind.VARIANCE, {"1": abs(variance)} if variance else {}, *ends),
        (Movement.Kind.DROP, counted.denominations, room, box),
    )
    for kind, cash, debit, credit in steps:
        if cash:
            ledger.move(
                kind=kind,
                subject=drop_box.ref,
                number=1,
                debit=debit,
                credit=credit,
                denominations=cash,
                business_date=drop_box.business_date,
                actor=actor,
                chain=drop_box.table.ref,
            )
