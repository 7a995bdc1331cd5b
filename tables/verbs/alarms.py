"""Calls for a pit boss, and alarms that the rows themselves raise.

A call stands until whoever came says that it is over, also when the croupier is relieved. A variance above what the
house lets pass, and a drop box with another seal, stand until somebody takes it and so answers for it. A late slip or
case, and a drop box that nobody counts, stands as long as its reason: `look` raises and ends it. Of two who take one,
one does, and the other learns who it was.
"""

import datetime as dt
import secrets
from typing import NamedTuple

from django.db import transaction
from django.db.models import ExpressionWrapper, F, fields
from django.db.models.functions import Extract, Now

from audit import log
from casino import settings_of_house
from casino.errors import Refused

from ..models import Alarm, Case, DropBox, SignOn, Slip, Table
from . import grounds

KIND = Alarm.Kind
_WAYS_OUT = {
    KIND.SLIP_LATE: "Receive the slip, or send it back.",
    KIND.CASE_LATE: "Two people decide the case, or its owner gives it more time.",
    KIND.DROP_BOX_OVERDUE: "The count team counts the drop box.",
}
MEASURED = tuple(_WAYS_OUT)
"""Those that stand as long as their reason."""
ANSWERED = {
    KIND.OPENER_VARIANCE,
    KIND.CLOSER_VARIANCE,
    KIND.DROP_BOX_SEAL,
    KIND.DROP_BOX_SWAPPED,
    KIND.DROP_VARIANCE,
    KIND.LARGE_CASH,
}
"""Those that are over as soon as somebody has taken them."""
MAX_WORD = 200


class Reason(NamedTuple):
    """What an alarm is raised for: its kind and what it is about, at a table, with what was measured and the limit."""

    kind: str
    subject: str
    table_id: int
    value: int
    bound: int


def call(*, table_id, actor):
    """Call the pit boss to a table.

    :raises Refused: `terminal_needed` (403) for who is neither signed on here nor at one of the table's terminals;
        `called_already`.
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    here = SignOn.objects.filter(table=table, staff=actor.by, signed_off_at=None).exists()
    if not here and not (actor.terminal and actor.terminal.table_id == table.pk):
        raise Refused(
            "terminal_needed",
            f"This browser is not a terminal of {table}.",
            status=403,
            way_out="Call at the table.",
        )
    stands = Alarm.objects.standing().filter(kind=Alarm.Kind.CALL, subject=table.ref).first()
    if stands:
        raise Refused(
            "called_already",
            f"The pit boss was called to {table} already.",
            way_out="The call stays until somebody came and says that it is over.",
            detail={"alarm": stands.pk},
        )
    alarm = Alarm.objects.create(kind=Alarm.Kind.CALL, subject=table.ref, table=table, raised_by=actor.by)
    _record("alarm.raised", alarm, actor, kind=alarm.kind, of=alarm.subject)
    return alarm


def take(*, alarm_id, word, actor):
    """Come, or answer for it: one person does, once; `word` is what they say, "" for nothing.

    :raises Refused: `alarm_taken` with who came; `alarm_over`; `word_wrong`.
    """
    alarm = _locked(alarm_id)
    # Of what is over as soon as it is taken who is late learns by whom.
    if alarm.kind not in ANSWERED:
        _refuse_over(alarm)
    if alarm.taken_by_id is not None:
        raise Refused(
            "alarm_taken",
            f"Staff {alarm.taken_by_id} {'came' if alarm.kind == KIND.CALL else 'took it'} already.",
            way_out="Look again.",
            detail={"alarm": alarm.pk, "staff": alarm.taken_by_id},
        )
    alarm.word = grounds.checked_reason(word, needed=False, name="word", most=MAX_WORD)
    alarm.salt = secrets.token_hex(16) if alarm.word else ""
    alarm.taken_by, alarm.taken_at = actor.by, Now()
    alarm.save(update_fields=["word", "salt", "taken_by", "taken_at"])
    digest = grounds.salted(alarm.salt, alarm.word) if alarm.word else None
    _record("alarm.taken", alarm, actor, word=digest)
    return _over(alarm, actor) if alarm.kind in ANSWERED else alarm


def vary(session, part, variance, bound):
    """Raise the alarm of a session whose opener or closer is further from what should be there than the house lets
    pass.

    :param part: `opener` or `closer`, which two have just signed for; the session's table is locked.
    :param variance: what was counted less what should be there, and `bound` what passes, in units.
    """
    stand(f"{part}_variance", session.ref, session.table, value=variance, bound=bound)


def stand(kind, subject, table, **measured):
    """Raise an alarm of the product's own, about something at a table that is locked; `measured` are `value`, `bound`
    and `box`, where there are any."""
    _record_raised(Alarm.objects.create(kind=kind, subject=subject, table=table, **measured))


def end(*, alarm_id, actor):
    """Say that a call which somebody has taken is over.

    :raises Refused: `alarm_not_taken`, `alarm_over`; `alarm_measured` for what is no call.
    """
    alarm = _locked(alarm_id)
    _refuse_over(alarm)
    if alarm.kind != KIND.CALL:
        raise Refused(
            "alarm_measured",
            "This alarm is over when its reason is gone.",
            way_out=_WAYS_OUT.get(alarm.kind, "Take it."),
            detail={"alarm": alarm.pk},
        )
    if alarm.taken_by_id is None:
        raise Refused("alarm_not_taken", "Nobody has come to this call yet.", way_out="Take it first.")
    return _over(alarm, actor)


def _over(alarm, actor):
    alarm.over_at = Now()
    alarm.save(update_fields=["over_at"])
    _record("alarm.over", alarm, actor)
    return alarm


def look():
    """Raise each alarm of what waits for too long, and end those whose reason is gone; gives how many of both.

    One query a kind finds them. Each is written in a transaction of its own, behind its table's lock, where it is
    looked for once more: two who look at once raise it once, and what a crash left undone the next look does.
    """
    reasons = {(reason.kind, reason.subject): reason for reason in _reasons()}
    standing = set(Alarm.objects.standing().filter(kind__in=MEASURED).values_list("kind", "subject"))
    raised = sum(_raise(reasons[key]) for key in reasons.keys() - standing)
    return raised, sum(_pass(*key) for key in standing - reasons.keys())


def _reasons(**only):
    """Why alarms have to stand now; `only` narrows the slips, cases and drop boxes."""
    yield from _late_slips(only)
    yield from _late_cases(only)
    limit = settings_of_house.value("drop_box_hours")
    age = ExpressionWrapper(Now() - F("removed_at"), output_field=fields.DurationField())
    waiting = DropBox.objects.filter(status=DropBox.Status.REMOVED, **only)
    waiting = waiting.filter(removed_at__lte=Now() - dt.timedelta(hours=limit))
    for drop_box in waiting.annotate(seconds=Extract(age, "epoch")).order_by("pk"):
        hours = int(drop_box.seconds) // 3600
        yield Reason(KIND.DROP_BOX_OVERDUE, drop_box.ref, drop_box.table_id, hours, limit)


def _late_slips(only):
    limit = settings_of_house.value("slip_minutes")
    age = ExpressionWrapper(Now() - F("issued_at"), output_field=fields.DurationField())
    late = Slip.objects.filter(status=Slip.Status.ISSUED, issued_at__lte=Now() - dt.timedelta(minutes=limit), **only)
    for slip in late.annotate(seconds=Extract(age, "epoch")).order_by("pk"):
        yield Reason(KIND.SLIP_LATE, slip.ref, slip.table_id, int(slip.seconds) // 60, limit)


def _late_cases(only):
    age = ExpressionWrapper(Now() - F("opened_at"), output_field=fields.DurationField())
    for case in Case.objects.waiting().filter(due_at__lte=Now(), **only).annotate(age=age).order_by("pk"):
        ages = (case.age, case.due_at - case.opened_at)
        yield Reason(KIND.CASE_LATE, case.ref, case.table_id, *(each // dt.timedelta(minutes=1) for each in ages))


def _raise(reason):
    with transaction.atomic():
        table = Table.objects.select_for_update(no_key=True).get(pk=reason.table_id)
        stands = Alarm.objects.standing().filter(kind=reason.kind, subject=reason.subject).exists()
        if stands or (reason.kind, reason.subject) not in {each[:2] for each in _reasons(table=table)}:
            return False
        _record_raised(Alarm.objects.create(**reason._asdict()))
    return True


def _record_raised(alarm):
    facts = {
        "kind": alarm.kind,
        "of": alarm.subject,
        "value": alarm.value,
        "limit": alarm.bound,
        "box": alarm.box,
    }
    _record("alarm.raised", alarm, log.SYSTEM, **facts)


def _pass(kind, subject):
    """End the alarm of a kind about a subject."""
    with transaction.atomic():
        alarms = Alarm.objects.standing().filter(kind=kind, subject=subject)
        table = Table.objects.select_for_update(no_key=True, of=["self"]).filter(alarms__in=alarms).first()
        alarm = alarms.select_for_update(no_key=True, of=["self"]).select_related("table").first()
        if alarm is None or (kind, subject) in {each[:2] for each in _reasons(table=table)}:
            return False
        _over(alarm, log.SYSTEM)
    return True


def _locked(alarm_id):
    return Alarm.objects.select_for_update(no_key=True, of=["self"]).select_related("table").get(pk=alarm_id)


def _refuse_over(alarm):
    """:raises Refused: `alarm_over`, if it is."""
    if alarm.over_at:
        raise Refused(
            "alarm_over",
            f"This {alarm.noun} is over.",
            way_out="Look again.",
            detail={"alarm": alarm.pk},
        )


def _record(event, alarm, actor, **facts):
    log.record(event, alarm.ref, chain=alarm.table.ref, actor=actor, facts={"alarm": alarm.ref, **facts})
