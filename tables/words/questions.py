"""Questions to the pit as primitives for their page and for the auditor's desk: what was asked about what, until when,
what was answered, and what may be done."""

import datetime as dt

from django.db.models import Case, Count, IntegerField, Q, Value, When
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from audit.models import Entry
from casino.roles import Right

from ..models import Question
from ..people import access
from ..verbs import grounds
from ..verbs.questions import KINDS
from .timeline import Reader

STATUS = Question.Status
NEWEST = 20
"""How many settled questions the page lists."""
_PEOPLE = ("table", "asked_by", "answered_by", "settled_by", "follows")
_PAGES = {"round": "round", "session": "session", "slip": "slip", "case": "case", "dispute": "dispute", "day": "day"}
_KINDS = {"drop_box": "Drop box", "day": "Gaming day", "report_file": "Report"}


def within_reach(staff, right):
    """The questions at whose table a person holds a right, and those of the whole house where they hold it at all."""
    everywhere, pits, _ = access.extent(staff, right)
    near = Q() if everywhere else Q(table__pit__in=pits) | (Q(table=None) if pits else Q(pk=None))
    return Question.objects.filter(near)


def waiting(staff):
    """How many questions wait for a person's answer, and how many of them are late; None for who answers none."""
    if not staff.has_perm(Right.ANSWER_QUESTION):
        return None
    near = within_reach(staff, Right.ANSWER_QUESTION).filter(status=STATUS.ASKED)
    return near.aggregate(waiting=Count("pk"), late=Count("pk", filter=Q(due_at__lte=Now())))


def shown(staff, about=""):
    """The page of questions.

    :param about: what the form asks about, where the address says so.
    """
    near = within_reach(staff, Right.READ_QUESTIONS).select_related(*_PEOPLE)
    rows = [*_current(near), *near.filter(status=STATUS.SETTLED).order_by("-settled_at", "-pk")[:NEWEST]]
    page = _page(rows, staff)
    counted = {name: sum(row["state"] == name for row in page["rows"]) for name in ("late", "asked", "answered")}
    return page | counted | {"asks": staff.has_perm(Right.ASK_PIT), "about": about[:60], "most": grounds.MAX_REASON}


def on_desk(staff):
    """What an auditor's desk shows of it: all that is not settled, what waits for the auditor first."""
    near = within_reach(staff, Right.READ_QUESTIONS).select_related(*_PEOPLE)
    return _page(_current(near), staff) | {"most": grounds.MAX_REASON}


def _current(near):
    """What is not settled nor asked again: the answered ones, which wait for an auditor, and then by their time."""
    first = Case(When(status=STATUS.ANSWERED, then=Value(0)), default=Value(1), output_field=IntegerField())
    return near.exclude(status=STATUS.SETTLED).filter(followed_by=None).order_by(first, "due_at", "pk")


def _page(questions, staff):
    reader, now = Reader.of(staff), timezone.now()
    return {"zone": reader.zone.key, "rows": [_row(each, staff, reader, now) for each in questions]}


def _row(question, staff, reader, now):
    late = question.status == STATUS.ASKED and question.due_at <= now
    label, to = _subject(question.subject)
    asks = staff.has_perm(Right.ASK_PIT)
    answers = staff.has_perm(Right.ANSWER_QUESTION, question.table) if question.table else staff.has_perm(
        Right.ANSWER_QUESTION
    )  # fmt: skip
    return {
        "id": question.pk,
        "about": label,
        "to": to,
        "table": question.table.code if question.table else "House",
        "state": "late" if late else question.status.lower(),
        "clock": _clock(question, late, reader, now),
        "said": [*_before(question, reader), *_said(question, reader)],
        "may_answer": question.status == STATUS.ASKED and answers and question.asked_by_id != staff.pk,
        "may_settle": question.status == STATUS.ANSWERED and asks and question.answered_by_id != staff.pk,
        "may_ask_again": question.status == STATUS.ANSWERED and asks,
    }


def _before(question, reader):
    """What was said before it was asked again, the first first."""
    said = []
    while question.follows_id:
        question = Question.objects.select_related(*_PEOPLE).get(pk=question.follows_id)
        said = [*_said(question, reader), *said]
    return said


def _said(question, reader):
    at = reader.moment(question.asked_at)
    yield {"who": reader.person(question.asked_by), "did": "asked", "at": at, "words": question.words}
    if question.answered_by:
        at = reader.moment(question.answered_at)
        yield {"who": reader.person(question.answered_by), "did": "answered", "at": at, "words": question.answer}
    if question.settled_by:
        at = reader.moment(question.settled_at)
        yield {"who": reader.person(question.settled_by), "did": "accepted the answer", "at": at, "words": ""}


def _clock(question, late, reader, now):
    """How it stands with time, in words."""
    if question.status == STATUS.SETTLED:
        return f"Settled {reader.moment(question.settled_at)}"
    if question.status == STATUS.ANSWERED:
        return f"Answered {reader.moment(question.answered_at)}"
    left = abs(question.due_at - now) // dt.timedelta(minutes=1)
    span = f"{left // 60} h {left % 60:02d} min"
    return f"Late by {span}" if late else f"Due in {span}"


def _subject(subject):
    """What a question is about, in words, and the page of it."""
    kind, _, number = subject.partition(":")
    if "/" in subject:
        chain, _, seq = subject.partition("/")
        entry = Entry.objects.filter(chain_id=chain, seq=seq).first()
        return f"Entry {subject}", reverse("admin:audit_entry_change", args=[entry.pk]) if entry else ""
    row = KINDS[kind][0].objects.filter(pk=number).first()
    name = kind.replace("_", " ").capitalize()
    words = f"{_KINDS.get(kind, name)} {row}" if kind in {*_KINDS, "round", "table"} else str(row)
    if kind in {"session", "dispute"}:
        words = f"{name} {number}"
    return words, reverse(_PAGES[kind], args=[number]) if kind in _PAGES else ""
