"""Cases: what has to be cleared up, by whom and until when, and how two people decided it.

A table that closes, or a drop box that is counted, with a variance above what the house lets pass opens one, in the
same transaction; so does a dispute. Its owner is a pit boss; a step that the log records gives it to another boss of
the table's pit, more time or the reference of a recording. Whoever decides says whether the cause was found and what it
was, and a second person signs, who signed neither the closing nor the count: so one of the two had no part in it, even
in a house with two pit bosses. The ruling on a dispute decides its case. The decision ends the alarm of a variance.

A pit boss opens a case about a void round, or an investigation of a session, and owns it: one for each round or
session.
"""

import datetime as dt
import re

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from audit import log
from casino import settings_of_house
from casino.games.reading import shown
from casino.roles import Right, Role

from ..models import Action, Case, Dispute, DropBox, Intervention, Line, Posting, Round, Session, Table
from . import alarms, grounds
from .wording import WORDING

KIND, STATUS, OUTCOME = Case.Kind, Case.Status, Case.Outcome
CAUSES = (OUTCOME.FOUND, OUTCOME.NOT_FOUND)
"""How a case ends; that of a dispute ends by its ruling."""
VARIANCES = (KIND.VARIANCE, KIND.DROP_VARIANCE)
"""What is about units, counted less what should have been there."""
_SIGNED_IT = {
    KIND.VARIANCE: "signed_closing:closing",
    KIND.DROP_VARIANCE: "signed_closing:count",
    KIND.VOID: "signed_closing:void",
    KIND.INVESTIGATION: "signed_closing:session",
}
MOST_DAYS = 90
"""So far ahead a case may be due at most."""


def open_variance(session, units, actor):
    """Open the case of a session that has just closed with a variance; two have signed, and its table is locked.

    Its owner is the longest posted pit boss of the table's pit who did not sign; if there is none, the one who signed.

    :param units: what was counted less what should have been there.
    """
    signers = (actor.by, actor.approved_by)
    able = _able([*_bosses(session.table), *signers], session.table)
    owner = next((each for each in able if each not in signers), next(iter(able), actor.by))
    return _open(KIND.VARIANCE, session, units, owner, actor)


def open_drop_variance(drop_box, units, actor):
    """Open the case of a drop box that has just been counted with a variance; its table is locked.

    Its owner is whoever took the box off: a pit boss of the table, who is not of the count team.
    """
    return _open(KIND.DROP_VARIANCE, drop_box, units, drop_box.removed_by, actor)


def open_dispute(dispute, dealers, actor):
    """Open the case of a dispute that has just been raised; its round is locked.

    Its owner is who raised it, if that is a pit boss of the table. Else it is the pit boss who signed for the table's
    opening, or the one posted longest to its pit; if there is another, nobody who dealt the round.

    :param dealers: the ids of those who dealt the round.
    """
    session, table = dispute.round.session, dispute.round.table
    near = [actor.by, *filter(None, (session.opened_by, session.opened_with)), *_bosses(table)]
    able = _able(near, table)
    free = [each for each in able if each.pk not in dealers]
    return _open(KIND.DISPUTE, dispute, None, next(iter(free or able), actor.by), actor)


def open_void(*, round_id, question, actor):
    """Open the case of a void round: who opens it, owns it.

    A round voided by a correction, after it was settled, is not a void round: it has the correction's reason.

    :param question: what is to be found out, in a sentence.
    :raises Refused: `round_not_void`, `case_opened`; `question_missing`, `question_wrong` (422).
    """
    table = _table(rounds=round_id)
    round_ = Round.objects.select_related("session").get(pk=round_id)
    round_.table = table
    if round_.status != Round.Status.VOIDED:
        raise WORDING.refused(
            "round_not_void", round=round_, status=round_.get_status_display(), detail={"status": round_.status}
        )
    return _asked(KIND.VOID, round_, question, actor)


def open_investigation(*, session_id, question, actor):
    """Open the investigation of a session, which may be closed or go on: who opens it, owns it.

    :param question: what is to be found out, in a sentence.
    :raises Refused: `case_opened`; `question_missing`, `question_wrong` (422).
    """
    table = _table(sessions=session_id)
    session = Session.objects.get(pk=session_id)
    session.table = table
    return _asked(KIND.INVESTIGATION, session, question, actor)


def _asked(kind, subject, question, actor):
    """Open a case that a person asks for; the table is locked, so if two do so at once, one succeeds."""
    opened = Case.objects.filter(kind=kind, subject=subject.ref).first()
    if opened:
        raise WORDING.refused(
            "case_opened", case=opened, status=opened.get_status_display(), detail={"case": opened.pk}
        )
    return _open(kind, subject, None, actor.by, actor, grounds.checked_reason(question, needed=True, name="question"))


def _bosses(table):
    """The pit bosses who are posted to a table's pit or to all, the longest first."""
    bosses = Posting.objects.filter(Q(pit=table.pit_id) | Q(pit=None), role=Role.PIT_BOSS, ended_at=None)
    return [each.staff for each in bosses.select_related("staff").order_by("posted_at", "pk")]


def _able(people, table):
    """Those of these people who may run a case of the table."""
    return [each for each in people if each and each.is_active and each.has_perm(Right.RUN_CASE, table)]


def _open(kind, subject, units, owner, actor, question=""):
    """:param subject: the session or the drop box, which has a table and a business date, the round or the dispute."""
    round_ = subject.round if kind == KIND.DISPUTE else subject if kind == KIND.VOID else None
    hours = settings_of_house.value("dispute_hours" if kind == KIND.DISPUTE else "case_hours")
    case = Case.objects.create(
        kind=kind,
        year=(round_.session if round_ else subject).business_date.year,
        table=(round_ or subject).table,
        subject=subject.ref,
        units=units,
        question=question,
        question_salt=log.salt(question) if question else "",
        owner=owner,
        due_at=timezone.now() + dt.timedelta(hours=hours),
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
        question=grounds.salted(case.question_salt, case.question) if case.question else None,
        owner=case.owner.ref,
        due=log.spell_time(case.due_at),
    )
    return case


def of_dispute(dispute):
    """A dispute's case, locked; None for a dispute from before there were cases."""
    return Case.objects.select_for_update(no_key=True, of=("self",)).filter(subject=dispute.ref).first()


def decide_dispute(case, dispute, actor):
    """Decide the case of a dispute that has just been ruled on, by the same people; both are locked."""
    case.table = dispute.round.table
    case.outcome, case.status, case.decided_at = dispute.ruling, STATUS.DECIDED, dispute.ruled_at
    case.decided_by, case.approved_by = dispute.ruled_by, dispute.approved_by
    case.save(update_fields=["outcome", "status", "decided_by", "approved_by", "decided_at"])
    approver = dispute.approved_by and dispute.approved_by.ref
    _record("case.decided", case, actor, outcome=case.outcome, requester=actor.ref, approver=approver)


def about(case):
    """The session, the drop box, the dispute or the round that a case is about."""
    if case.kind == KIND.DISPUTE:
        return Dispute.objects.select_related("round__table").get(pk=case.subject_id)
    if case.kind == KIND.DROP_VARIANCE:
        return DropBox.objects.select_related("counted_by", "counted_with").get(pk=case.subject_id)
    if case.kind == KIND.VOID:
        return Round.objects.select_related("table", "session", "sheet").get(pk=case.subject_id)
    people = ("opened_by", "opened_with", "closed_by", "closed_with")
    return Session.objects.select_related(*people).get(pk=case.subject_id)


def void_of(round_):
    """The intervention by which two people voided a round."""
    voids = round_.interventions.filter(kind=Intervention.Kind.VOIDED)
    return voids.select_related("by", "approved_by").get()


def signers(case):
    """Who signed what a case is about: the closing, the count of the drop, the void, or a session's opening and, if it
    is closed, its closing."""
    subject = about(case)
    if case.kind == KIND.DROP_VARIANCE:
        return subject.counted_by, subject.counted_with
    if case.kind == KIND.VOID:
        void = void_of(subject)
        return void.by, void.approved_by
    closing = subject.closed_by, subject.closed_with
    if case.kind == KIND.INVESTIGATION:
        both = (subject.opened_by, subject.opened_with, *closing)
        return tuple(dict.fromkeys(person for person in both if person))
    return closing


def has_part(person, case):
    """Whether somebody signed what a case is about, or dealt in the session that is investigated: opened, acted in or
    closed a round of it."""
    if person in signers(case):
        return True
    if case.kind != KIND.INVESTIGATION:
        return False
    rounds = Round.objects.filter(session=case.subject_id)
    return (
        rounds.filter(opened_by=person).exists()
        or Action.objects.filter(round__in=rounds, by=person).exists()
        or Line.objects.filter(round__in=rounds, ordinal=1, by=person).exists()
    )


def move(*, case_id, owner=None, due_at=None, video=None, actor):
    """Give a case another owner, more or less time, or the reference of its recording; what is left out stays.

    :param video: the reference under which the house finds the recording; "" for none.
    :raises Refused: `case_decided`, `move_empty`; `owner_wrong`, `due_wrong`, `video_wrong` (422).
    """
    case = _locked(case_id)
    facts = {}
    if owner is not None and owner.pk != case.owner_id:
        if not owner.is_active or not owner.has_perm(Right.RUN_CASE, case.table):
            raise WORDING.refused("owner_wrong", staff=owner.pk, table=case.table)
        case.owner, facts["owner"] = owner, owner.ref
    if due_at is not None and due_at != case.due_at:
        now = timezone.now()
        if not now < due_at <= now + dt.timedelta(days=MOST_DAYS):
            raise WORDING.refused("due_wrong", days=MOST_DAYS)
        case.due_at, facts["due"] = due_at, log.spell_time(due_at)
    if video is not None and video != case.video:
        if not re.fullmatch(r"[A-Za-z0-9:/.-]{0,40}", video):
            raise WORDING.refused("video_wrong", video=shown(video))
        case.video = facts["video"] = video
    if not facts:
        raise WORDING.refused("move_empty", case=case)
    case.save(update_fields=["owner", "due_at", "video"])
    _record("case.moved", case, actor, **facts)
    return case


def decide(*, case_id, outcome, reason, actor):
    """Decide a case, once, by two people.

    :param outcome: whether the cause was `found` or `not_found`; `reason` says what it was, or what was looked at.
    :raises Refused: `case_decided`, `case_of_dispute`; `same_person`, `signed_closing`, `outcome_unknown`,
        `reason_missing`, `reason_wrong` (422).
    """
    case = _locked(case_id)
    if case.kind == KIND.DISPUTE:
        raise WORDING.refused("case_of_dispute", case=case, dispute=case.subject_id)
    if outcome not in CAUSES:
        raise WORDING.refused("outcome_unknown", outcome=shown(outcome), outcomes=", ".join(CAUSES))
    grounds.two_people(actor)
    if has_part(actor.approved_by, case):
        raise WORDING.refused(_SIGNED_IT[case.kind])
    case.reason = grounds.checked_reason(reason, needed=True)
    case.salt, case.outcome, case.status = log.salt(case.reason), outcome, STATUS.DECIDED
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
    if case.kind in VARIANCES:
        alarms.settle(case.subject, actor)
    return case


def _locked(case_id):
    """An undecided case, locked after its table.

    :raises Refused: `case_decided`.
    """
    table = _table(cases=case_id)
    case = Case.objects.select_for_update(no_key=True, of=("self",)).select_related("owner").get(pk=case_id)
    case.table = table
    if case.status == STATUS.DECIDED:
        raise WORDING.refused("case_decided", case=case, detail={"case": case.pk})
    return case


def _table(**of):
    """The table of a case, a round or a session, locked."""
    return Table.objects.select_for_update(no_key=True, of=("self",)).select_related("pit").get(**of)


def _record(event, case, actor, **facts):
    log.record(event, case.ref, chain=case.table.ref, actor=actor, facts={"case": case.ref, **facts})
