"""Cases: what has to be cleared up, by whom and until when, and how two people decided it.

A table that closes, or a drop box that is counted, with a variance above what the house lets pass opens one, in the
same transaction. Its owner is a pit boss; it goes to another of the table's pit, or gets more time, by a step that the
log tells of. Who decides says whether the cause was found and what it was, and a second person signs who signed neither
the closing nor the count.
"""

import datetime as dt
import secrets

from django.db.models.functions import Now
from django.utils import timezone

from audit import log
from casino import settings_of_house
from casino.errors import Refused
from casino.roles import Right

from ..models import Case, DropBox, Session, Table
from . import grounds

KIND, STATUS, OUTCOME = Case.Kind, Case.Status, Case.Outcome
MOST_DAYS = 90
"""So far ahead a case may be due at most."""


def open_variance(session, units, actor):
    """Open the case of a session that has just closed with a variance; two have signed, and its table is locked.

    Its owner is the pit boss who signed.

    :param units: what was counted less what should have been there.
    """
    signers = (actor.by, actor.approved_by)
    owner = next((each for each in signers if each.has_perm(Right.RUN_CASE, session.table)), actor.by)
    return _open(KIND.VARIANCE, session, units, owner, actor)


def open_drop_variance(drop_box, units, actor):
    """Open the case of a drop box that has just been counted with a variance; its table is locked.

    Its owner is who took the box off: a pit boss of the table, and not of the count team.
    """
    return _open(KIND.DROP_VARIANCE, drop_box, units, drop_box.removed_by, actor)


def _open(kind, subject, units, owner, actor):
    """:param subject: the session or the drop box, which has a table and a business date."""
    case = Case.objects.create(
        kind=kind,
        year=subject.business_date.year,
        table=subject.table,
        subject=subject.ref,
        units=units,
        owner=owner,
        due_at=timezone.now() + dt.timedelta(hours=settings_of_house.value("case_hours")),
    )
    case.refresh_from_db(fields=["number", "due_at"])
    _record(
        "case.opened",
        case,
        actor,
        kind=case.kind,
        number=case.number,
        year=case.year,
        of=case.subject,
        units=case.units,
        owner=case.owner.ref,
        due=log.spell_time(case.due_at),
    )
    return case


def about(case):
    """The session or the drop box that a case is about."""
    if case.kind == KIND.DROP_VARIANCE:
        return DropBox.objects.select_related("counted_by", "counted_with").get(pk=case.subject_id)
    return Session.objects.select_related("closed_by", "closed_with").get(pk=case.subject_id)


def signers(case):
    """The two who signed the closing, or the count of the drop, that a case is about."""
    subject = about(case)
    if case.kind == KIND.DROP_VARIANCE:
        return subject.counted_by, subject.counted_with
    return subject.closed_by, subject.closed_with


def move(*, case_id, owner=None, due_at=None, actor):
    """Give a case to another owner, or more or less time: what is left out stays.

    :raises Refused: `case_decided`, `move_empty`; `owner_wrong`, `due_wrong` (422).
    """
    case = _locked(case_id)
    facts = {}
    if owner is not None and owner.pk != case.owner_id:
        if not owner.is_active or not owner.has_perm(Right.RUN_CASE, case.table):
            raise Refused(
                "owner_wrong",
                f"{owner.ref} runs no cases of {case.table}.",
                status=422,
                path="owner",
                way_out="Name a pit boss of the table's pit.",
            )
        case.owner, facts["owner"] = owner, owner.ref
    if due_at is not None and due_at != case.due_at:
        now = timezone.now()
        if not now < due_at <= now + dt.timedelta(days=MOST_DAYS):
            raise Refused(
                "due_wrong",
                f"A case is due within {MOST_DAYS} days.",
                status=422,
                path="due_at",
                way_out="Name a time that is to come, and no later than that.",
            )
        case.due_at, facts["due"] = due_at, log.spell_time(due_at)
    if not facts:
        raise Refused(
            "move_empty",
            f"{case} has this owner and this time already.",
            way_out="Name another owner, or another time.",
        )
    case.save(update_fields=["owner", "due_at"])
    _record("case.moved", case, actor, **facts)
    return case


def decide(*, case_id, outcome, reason, actor):
    """Say what came of a case, once, by two people.

    :param outcome: `found` or `not_found`, of the cause; `reason` says what it was, or what was looked at.
    :raises Refused: `case_decided`; `same_person`, `signed_closing`, `outcome_unknown`, `reason_missing`,
        `reason_wrong` (422).
    """
    case = _locked(case_id)
    if outcome not in OUTCOME.values:
        raise Refused(
            "outcome_unknown",
            f"A case does not end as {outcome!r}.",
            status=422,
            path="outcome",
            way_out=f"One of: {', '.join(OUTCOME.values)}.",
        )
    grounds.two_people(actor)
    if actor.approved_by in signers(case):
        what = "count" if case.kind == KIND.DROP_VARIANCE else "closing"
        raise Refused(
            "signed_closing",
            f"The second person signed the {what} that this case is about.",
            status=422,
            path="signature",
            way_out=f"Somebody signs who did not sign the {what}.",
        )
    case.reason = grounds.checked_reason(reason, needed=True)
    case.salt, case.outcome, case.status = secrets.token_hex(16), outcome, STATUS.DECIDED
    case.decided_by, case.approved_by, case.decided_at = actor.by, actor.approved_by, Now()
    case.save(
        update_fields=["reason", "salt", "outcome", "status", "decided_by", "approved_by", "decided_at"],
    )
    _record(
        "case.decided",
        case,
        actor,
        outcome=case.outcome,
        reason=grounds.salted(case.salt, case.reason),
        requester=actor.ref,
        approver=actor.approver,
    )
    return case


def _locked(case_id):
    """A case that waits, locked after its table.

    :raises Refused: `case_decided`.
    """
    table_id = Case.objects.values_list("table_id", flat=True).get(pk=case_id)
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("pit").get(pk=table_id)
    case = Case.objects.select_for_update(no_key=True, of=("self",)).select_related("owner").get(pk=case_id)
    case.table = table
    if case.status == STATUS.DECIDED:
        raise Refused(
            "case_decided",
            f"{case} is decided.",
            way_out="Look again: what was decided stands.",
            detail={"case": case.pk},
        )
    return case


def _record(event, case, actor, **facts):
    log.record(event, case.ref, chain=case.table.ref, actor=actor, facts={"case": case.ref, **facts})
