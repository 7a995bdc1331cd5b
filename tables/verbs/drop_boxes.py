"""Drop boxes: mounted at a table and taken off by two people, with what is printed on box and seal.

The cash of a table's buy-ins goes into the box that is mounted. The box is taken off while its session runs, by
schedule or as the table closes; a table closes without one. Whoever takes it off enters number and seal again: another
box is refused; another seal is recorded and raises an alarm, since somebody was at the box.
"""

import re

from django.db.models.functions import Now

from audit import log
from payouts import ledger
from payouts.models import Movement

from ..models import Alarm, DropBox, Session, Table
from ..models.drop_boxes import PRINTED
from . import alarms, grounds
from .wording import WORDING

STATUS = DropBox.Status
_WRONG_MOMENTS = {
    STATUS.MOUNTED: "drop_box_wrong_moment:mounted",
    STATUS.REMOVED: "drop_box_wrong_moment:removed",
    STATUS.COUNTED: "drop_box_wrong_moment:counted",
}
_MISREAD = {"number": "number_wrong", "seal": "seal_wrong"}


def mounted(table):
    """The drop box that is mounted at a table, or None."""
    return DropBox.objects.filter(table=table, status=STATUS.MOUNTED).first()


def drop(session):
    """The cash counted in a session's drop boxes, in units; None while any of them is not counted."""
    if session.drop_boxes.waiting().exists():
        return None
    refs = (drop_box.ref for drop_box in session.drop_boxes.all())
    return ledger.movement_units(session.ref, *refs)[Movement.Kind.DROP]


def mount(*, table_id, number, seal, actor):
    """Two people mount a drop box at a table that is open.

    :param number: what is printed on the box; `seal`, what is printed on its seal.
    :param actor: `approved_by` is the second person.
    :raises Refused: `session_closed`; `drop_box_mounted` where one is; `drop_box_elsewhere` for one that is mounted at
        another table or not counted yet; `same_person`, `number_wrong`, `seal_wrong` (422).
    """
    table = Table.objects.select_for_update(no_key=True, of=("self",)).get(pk=table_id)
    session = Session.objects.select_for_update(no_key=True).filter(table=table, status=Session.Status.OPEN).first()
    if session is None:
        raise grounds.not_open(table, WORDING("opened_first"))
    grounds.two_people(actor)
    number, seal = _printed("number", number), _printed("seal", seal)
    hangs = mounted(table)
    if hangs:
        raise is_mounted(hangs)
    elsewhere = DropBox.objects.waiting().filter(number=number).select_related("table").first()
    if elsewhere:
        raise WORDING.refused(
            "drop_box_elsewhere",
            drop_box=elsewhere,
            table=elsewhere.table,
            status=elsewhere.get_status_display(),
            detail={"drop_box": elsewhere.pk},
        )
    drop_box = DropBox.objects.create(
        number=number,
        seal=seal,
        table=table,
        session=session,
        business_date=session.business_date,
        mounted_by=actor.by,
        mounted_with=actor.approved_by,
    )
    date = session.business_date.isoformat()
    _record("drop_box.mounted", drop_box, actor, seal, session=session.ref, business_date=date)
    return drop_box


def remove(*, drop_box_id, number, seal, actor):
    """Two people take a drop box off its table. A seal other than the recorded one is recorded too, with an alarm.

    :param number: what is printed on the box that they have in hand; `seal`, what is printed on its seal.
    :raises Refused: `drop_box_wrong_moment`; `same_person`, `drop_box_other`, `number_wrong`, `seal_wrong` (422).
    """
    drop_box = locked(drop_box_id, STATUS.MOUNTED)
    grounds.two_people(actor)
    number, seal = _printed("number", number), _printed("seal", seal)
    if number != drop_box.number:
        raise WORDING.refused("drop_box_other", number=number, table=drop_box.table)
    drop_box.status, drop_box.removed_at, drop_box.removed_seal = STATUS.REMOVED, Now(), seal
    drop_box.removed_by, drop_box.removed_with = actor.by, actor.approved_by
    drop_box.save(update_fields=["status", "removed_by", "removed_with", "removed_at", "removed_seal"])
    _record("drop_box.removed", drop_box, actor, seal)
    if seal != drop_box.seal:
        alarms.stand(Alarm.Kind.DROP_BOX_SEAL, drop_box.ref, drop_box.table)
    return drop_box


def alarm_swapped(drop_box_id):
    """Raise the alarm that another box hangs where a drop box was mounted, unless it stands already. It follows a
    refusal with `drop_box_other`, once that command is rolled back."""
    drop_box = locked(drop_box_id, STATUS.MOUNTED)
    kind = Alarm.Kind.DROP_BOX_SWAPPED
    if not Alarm.objects.standing().filter(kind=kind, subject=drop_box.ref).exists():
        alarms.stand(kind, drop_box.ref, drop_box.table)


def is_mounted(drop_box):
    """The refusal of a command that needs a table without a drop box."""
    return WORDING.refused(
        "drop_box_mounted", drop_box=drop_box, table=drop_box.table, detail={"drop_box": drop_box.pk}
    )


def locked(drop_box_id, status):
    """A drop box locked after its table.

    :raises Refused: `drop_box_wrong_moment`, if it has another status than this.
    """
    table_id = DropBox.objects.values_list("table_id", flat=True).get(pk=drop_box_id)
    table = Table.objects.select_for_update(no_key=True, of=("self",)).get(pk=table_id)
    drop_box = DropBox.objects.select_for_update(no_key=True).get(pk=drop_box_id)
    drop_box.table = table
    if drop_box.status != status:
        raise WORDING.refused(
            _WRONG_MOMENTS[drop_box.status], drop_box=drop_box, table=table, detail={"drop_box": drop_box.pk}
        )
    return drop_box


def _printed(name, text):
    text = text.strip().upper()
    if not re.fullmatch(PRINTED, text):
        raise WORDING.refused(_MISREAD[name])
    return text


def _record(event, drop_box, actor, seal, **more):
    facts = {
        "drop_box": drop_box.ref,
        "number": drop_box.number,
        "seal": seal,
        "people": [actor.ref, actor.approver],
        **more,
    }
    log.record(event, drop_box.ref, chain=drop_box.table.ref, actor=actor, facts=facts)
