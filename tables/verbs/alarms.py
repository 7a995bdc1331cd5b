"""Calls for a pit boss, and alarms that the rows themselves raise.

A call stands until whoever came says that it is over, even if the croupier is relieved. An alarm about a variance above
what the house lets pass, or about a drop box with another seal, stands until somebody takes it and so answers for it;
that of a variance with a case is over at the latest when two have decided the case. That a table lost more than luck
explains is raised once for each of its years, unless a correction ends it before somebody takes it. All others stand as
long as their reason (`reasons.py`): `look` raises and ends them. If two people take one at once, one gets it and the
other learns who did. An alarm that nobody takes for long goes to the pit bosses of all pits.
"""

import datetime as dt
import logging

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from audit import log
from audit.models import Chain
from casino import outages, settings_of_house
from casino.games.reading import shown

from ..models import Alarm, SignOn, Table
from ..people import access, footing
from . import grounds, reasons
from .wording import WORDING

logger = logging.getLogger(__name__)
KIND = Alarm.Kind
_WAYS_OUT = {
    KIND.SLIP_LATE: "alarm:slip_late",
    KIND.CASE_LATE: "alarm:case_late",
    KIND.DROP_BOX_OVERDUE: "alarm:drop_box_overdue",
    KIND.ROUND_HELD: "alarm:round_held",
    KIND.ROUND_LONG: "alarm:round_long",
    KIND.SETTLEMENT_LATE: "alarm:settlement_late",
    KIND.SETTLEMENT_RETRIED: "alarm:settlement_retried",
    KIND.PACE: "alarm:pace",
    KIND.FLOAT_LOW: "alarm:float_low",
    KIND.VOID_RATE: "alarm:void_rate",
    KIND.CORRECTION_RATE: "alarm:correction_rate",
    KIND.SEAL_LATE: "alarm:seal_late",
    KIND.LOG_DAMAGED: "alarm:log_damaged",
    KIND.LOCK_OUT: "alarm:lock_out",
    KIND.BREAK_DUE: "alarm:break_due",
}
ANSWERED = {
    KIND.OPENER_VARIANCE,
    KIND.CLOSER_VARIANCE,
    KIND.DROP_BOX_SEAL,
    KIND.DROP_BOX_SWAPPED,
    KIND.DROP_VARIANCE,
    KIND.LARGE_CASH,
    KIND.LUCK,
}
"""Those that are over as soon as somebody has taken them."""
OF_CASES = (KIND.CLOSER_VARIANCE, KIND.DROP_VARIANCE)
"""Those of a variance that has a case."""
MAX_WORD = 200
DAYS = 7
"""So many days the list of alarms goes back."""
MOST_LISTED = 500


def call(*, table_id, reason, actor):
    """Call the pit boss to a table.

    :param reason: one of `Alarm.Reason`.
    :raises Refused: `call_reason_unknown` (422); `terminal_needed` (403) for a person who is neither signed on here nor
        at one of the table's terminals; `called_already`.
    """
    if reason not in Alarm.Reason.values:
        raise WORDING.refused("call_reason_unknown", reason=shown(reason), reasons=", ".join(Alarm.Reason.values))
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    here = SignOn.objects.filter(table=table, staff=actor.by, signed_off_at=None).exists()
    if not here and not (actor.terminal and actor.terminal.table_id == table.pk):
        raise WORDING.refused("terminal_needed", table=table)
    stands = Alarm.objects.standing().filter(kind=Alarm.Kind.CALL, subject=table.ref).first()
    if stands:
        raise WORDING.refused("called_already", table=table, detail={"alarm": stands.pk})
    alarm = Alarm.objects.create(
        kind=Alarm.Kind.CALL, subject=table.ref, table=table, reason=reason, raised_by=actor.by
    )
    _record("alarm.raised", alarm, actor, kind=alarm.kind, of=alarm.subject, reason=alarm.reason)
    return alarm


def take(*, alarm_id, word, actor):
    """Come, or answer for it: one person does, once; `word` is what they say, "" for nothing.

    :raises Refused: `alarm_taken` with who came; `alarm_over`; `word_wrong`.
    """
    alarm = _locked(alarm_id)
    # If an alarm is over as soon as it is taken, whoever is late learns who took it.
    if alarm.kind not in ANSWERED:
        _refuse_over(alarm)
    if alarm.taken_by_id is not None:
        raise WORDING.refused(
            "alarm_taken:call" if alarm.kind == KIND.CALL else "alarm_taken",
            staff=alarm.taken_by_id,
            detail={"alarm": alarm.pk, "staff": alarm.taken_by_id},
        )
    # Its case may have ended it before anybody took it.
    _refuse_over(alarm)
    alarm.word = grounds.checked_reason(word, needed=False, name="word", most=MAX_WORD)
    alarm.salt = log.salt(alarm.word) if alarm.word else ""
    alarm.taken_by, alarm.taken_at = actor.by, Now()
    alarm.save(update_fields=["word", "salt", "taken_by", "taken_at"])
    digest = grounds.salted(alarm.salt, alarm.word) if alarm.word else None
    _record("alarm.taken", alarm, actor, word=digest)
    return _over(alarm, actor) if alarm.kind in ANSWERED else alarm


def vary(session, part, variance, bound):
    """Raise the alarm of a session whose opener or closer differs from what should be there by more than the house lets
    pass.

    :param part: `opener` or `closer`, which two have just signed for; the session's table is locked.
    :param variance: what was counted less what should be there, and `bound` what passes, in units.
    """
    stand(f"{part}_variance", session.ref, session.table, value=variance, bound=bound)


def stand(kind, subject, table, **measured):
    """Raise an alarm of the product's own, about something at a table that is locked; `measured` are `value`, `bound`
    and `box`, where there are any."""
    _record_raised(Alarm.objects.create(kind=kind, subject=subject, table=table, **measured))


def settle(subject, actor):
    """End the alarm, if nobody took it, of a variance whose case has just been decided; its table is locked."""
    for alarm in Alarm.objects.standing().filter(kind__in=OF_CASES, subject=subject).select_related("table"):
        _over(alarm, actor)


def end(*, alarm_id, actor):
    """Say that a call which somebody has taken is over.

    :raises Refused: `alarm_not_taken`, `alarm_over`; `alarm_measured` for anything but a call.
    """
    alarm = _locked(alarm_id)
    _refuse_over(alarm)
    if alarm.kind != KIND.CALL:
        raise WORDING.refused(
            "alarm_measured",
            way_out=WORDING(_WAYS_OUT.get(alarm.kind, "alarm:take")),
            detail={"alarm": alarm.pk},
        )
    if alarm.taken_by_id is None:
        raise WORDING.refused("alarm_not_taken")
    return _over(alarm, actor)


def _over(alarm, actor):
    alarm.over_at = Now()
    alarm.save(update_fields=["over_at"])
    _record("alarm.over", alarm, actor)
    return alarm


def look(kinds=reasons.MEASURED):
    """Raise each alarm whose reason stands, and end those whose reason is gone; return how many of both.

    One statement finds all reasons. Each alarm is written in a transaction of its own, under its table's lock, where
    its reason is checked once more: two workers that look at once raise it once, and the next look does what a crash
    left undone.
    """
    now = {reason.key: reason for reason in reasons.standing(kinds)}
    standing = set(Alarm.objects.standing().filter(kind__in=kinds).values_list("kind", "subject"))
    raised = sum(_each(_raise, reason) for key, reason in now.items() if key not in standing)
    return raised, sum(_each(_pass, *key) for key in sorted(standing - now.keys()))


def _each(write, *what):
    """Write one alarm; if it is refused, log that: the next look tries it again, and the others are still looked at."""
    try:
        return write(*what)
    except DatabaseError as error:
        if outages.out_of_reach(error):
            raise
        logger.exception("The alarm of %s could not be written", what)
        return False


def _raise(reason):
    with transaction.atomic():
        if reason.table_id is None:
            # The entry locks the house's chain anyway; another worker that looks waits here.
            Chain.objects.select_for_update(no_key=True).get(key=log.HOUSE)
        else:
            Table.objects.select_for_update(no_key=True).get(pk=reason.table_id)
        stands = Alarm.objects.standing().filter(kind=reason.kind, subject=reason.subject).exists()
        now = None if stands else _now(reason.kind, reason.subject)
        if now:
            _record_raised(Alarm.objects.create(**now._asdict()))
    return now is not None


def _now(kind, subject):
    """The reason of a kind about a subject as it stands now; None if it is gone."""
    return next((reason for reason in reasons.standing([kind]) if reason.subject == subject), None)


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
        Table.objects.select_for_update(no_key=True, of=["self"]).filter(alarms__in=alarms).first()
        alarm = alarms.select_for_update(no_key=True, of=["self"]).select_related("table").first()
        over = alarm is not None and _now(kind, subject) is None
        if over:
            _over(alarm, log.SYSTEM)
    return over


def _locked(alarm_id):
    return Alarm.objects.select_for_update(no_key=True, of=["self"]).select_related("table").get(pk=alarm_id)


def within(staff, right, patience=None):
    """The calls and alarms that a person reaches by a right: those of their tables and of the house, and those to which
    nobody came for so long that they concern everybody who has the right anywhere.

    :param patience: the setting `alarm_escalation_minutes`, if the caller has read it.
    """
    if not staff.has_perm(right):
        return Alarm.objects.none()
    reached = Alarm.objects.filter(Q(table__in=access.tables(staff, right)) | Q(table=None))
    return reached | Alarm.objects.untaken_for(patience or settings_of_house.value("alarm_escalation_minutes"))


def of_last_days(staff, right, **only):
    """The newest calls and alarms of the last days within somebody's reach, the newest first.

    :param only: `kind` and `table`, where the list is narrowed to one.
    """
    raised = within(staff, right).filter(raised_at__gte=Now() - dt.timedelta(days=DAYS), **only)
    return raised.select_related("table", "raised_by", "taken_by").order_by("-raised_at", "-pk")[:MOST_LISTED]


def still(staff, right, alarm_id):
    """Lock the table of an alarm, if it has one, and ask again whether the person reaches it.

    :raises Refused: `not_your_right` (403) if not.
    """
    Table.objects.select_for_update(no_key=True, of=["self"]).filter(alarms=alarm_id).first()
    footing.forget(staff)
    if not within(staff, right).filter(pk=alarm_id).exists():
        raise access.not_your_right()


def _refuse_over(alarm):
    """:raises Refused: `alarm_over`, if it is."""
    if alarm.over_at:
        raise WORDING.refused(
            "alarm_over:call" if alarm.kind == KIND.CALL else "alarm_over", detail={"alarm": alarm.pk}
        )


def _record(event, alarm, actor, **facts):
    chain = alarm.table.ref if alarm.table else log.HOUSE
    log.record(event, alarm.ref, chain=chain, actor=actor, facts={"alarm": alarm.ref, **facts})
