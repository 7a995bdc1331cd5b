"""Questions to the pit as primitives for their page and for the auditor's desk: what was asked about what, until when,
what was answered, and what may be done."""

import datetime as dt

from django.db.models import Case, Count, IntegerField, Q, Value, When
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from audit import history
from audit.models import Entry
from casino.roles import Right

from ..models import Question
from ..people import access
from ..verbs import grounds
from ..verbs.questions import KINDS
from .console import CONSOLE
from .timeline import Reader

STATUS = Question.Status
NEWEST = 20
"""How many settled questions the page lists."""
_PEOPLE = ("table", "asked_by", "answered_by", "settled_by")
_PAGES = {"round": "round", "session": "session", "slip": "slip", "case": "case", "dispute": "dispute", "day": "day"}
# What is called by more than its own name, or by its number.
_SAYS = {
    "round": "about.round",
    "session": "about.session",
    "table": "about.table",
    "day": "about.day",
    "report_file": "about.report",
}


def within_reach(staff, right):
    """The questions at whose table a person holds a right, and those of the whole house if they hold it anywhere."""
    everywhere, pits, _ = access.extent(staff, right)
    near = Q() if everywhere else Q(table__pit__in=pits) | (Q(table=None) if pits else Q(pk=None))
    return Question.objects.filter(near)


def waiting(staff):
    """How many questions wait for a person's answer, and how many are late; None for a person who answers none."""
    if not staff.has_perm(Right.ANSWER_QUESTION):
        return None
    near = within_reach(staff, Right.ANSWER_QUESTION).filter(status=STATUS.ASKED)
    return near.aggregate(waiting=Count("pk"), late=Count("pk", filter=Q(due_at__lte=Now())))


def shown(staff, about=""):
    """The page of questions.

    :param about: what the form asks about, if the address says so.
    """
    near = within_reach(staff, Right.READ_QUESTIONS).select_related(*_PEOPLE)
    rows = [*_current(near), *near.filter(status=STATUS.SETTLED).order_by("-settled_at", "-pk")[:NEWEST]]
    page = _page(rows, staff)
    counted = {name: sum(row["state"] == name for row in page["rows"]) for name in ("late", "asked", "answered")}
    return page | counted | {"asks": staff.has_perm(Right.ASK_PIT), "about": about[:60], "most": grounds.MAX_REASON}


def on_desk(staff):
    """The questions on an auditor's desk: all that are not settled, those that wait for the auditor first."""
    near = within_reach(staff, Right.READ_QUESTIONS).select_related(*_PEOPLE)
    return _page(_current(near), staff) | {"most": grounds.MAX_REASON}


def _current(near):
    """The questions neither settled nor asked again: the answered ones, which wait for an auditor; then by time."""
    first = Case(When(status=STATUS.ANSWERED, then=Value(0)), default=Value(1), output_field=IntegerField())
    return near.exclude(status=STATUS.SETTLED).filter(followed_by=None).order_by(first, "due_at", "pk")


def _page(questions, staff):
    questions, reader, now = list(questions), Reader.of(staff), timezone.now()
    earlier = _earlier(questions)
    subjects = _subjects({question.subject for question in questions}, staff)
    return {
        "zone": reader.zone.key,
        "rows": [
            _row(each, subjects.get(each.subject, (each.subject, "")), _before(each, earlier), staff, reader, now)
            for each in questions
        ],
    }


def _row(question, subject, before, staff, reader, now):
    late = question.status == STATUS.ASKED and question.due_at <= now
    label, to = subject
    asks = staff.has_perm(Right.ASK_PIT)
    answers = staff.has_perm(Right.ANSWER_QUESTION, question.table)
    return {
        "id": question.pk,
        "about": label,
        "to": to,
        "table": question.table.code if question.table else "House",
        "state": "late" if late else question.status.lower(),
        "clock": _clock(question, late, reader, now),
        "said": [said for each in (*before, question) for said in _said(each, reader)],
        "may_answer": question.status == STATUS.ASKED and answers and question.asked_by_id != staff.pk,
        "may_settle": question.status == STATUS.ANSWERED and asks and question.answered_by_id != staff.pk,
        "may_ask_again": question.status == STATUS.ANSWERED and asks,
    }


def _earlier(questions):
    """Those that some questions follow, and those that these follow, by their keys."""
    earlier, wanted = {}, {question.follows_id for question in questions} - {None}
    while wanted:
        before = Question.objects.select_related(*_PEOPLE).in_bulk(wanted)
        earlier |= before
        wanted = {question.follows_id for question in before.values()} - {None}
    return earlier


def _before(question, earlier):
    """What was asked about the same before, the first first."""
    before = []
    while question.follows_id:
        question = earlier[question.follows_id]
        before.insert(0, question)
    return before


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
    """How much time a question has left, in words."""
    if question.status == STATUS.SETTLED:
        return CONSOLE("question.settled", at=reader.moment(question.settled_at))
    if question.status == STATUS.ANSWERED:
        return CONSOLE("question.answered", at=reader.moment(question.answered_at))
    hours, minutes = divmod(abs(question.due_at - now) // dt.timedelta(minutes=1), 60)
    span = CONSOLE("span.hours", hours=hours, minutes=minutes)
    return CONSOLE("question.late" if late else "question.due", span=span)


def _subjects(subjects, staff):
    """What questions are about, each in words and with its page, if its readers may open that."""
    numbers = {}
    for subject in subjects:
        kind, _, number = subject.partition(":")
        if "/" not in subject:
            numbers.setdefault(kind, []).append(int(number))
    named = _entries({subject for subject in subjects if "/" in subject}, staff)
    for kind, keys in numbers.items():
        # A round's name has its table's.
        rows = KINDS[kind][0].objects.select_related("table") if kind == "round" else KINDS[kind][0].objects
        for row in rows.in_bulk(keys).values():
            to = reverse(_PAGES[kind], args=[row.pk]) if kind in _PAGES else ""
            named[row.ref] = _called(kind, row), to
    return named


def _called(kind, row):
    if kind not in _SAYS:
        return str(row)
    return CONSOLE(_SAYS[kind], name=row.pk if kind == "session" else row)


def _entries(subjects, staff):
    """Entries of the log that questions are about: what happened and, for whoever may read it, the page."""
    if not subjects:
        return {}
    named, wanted = {}, Q(pk=None)
    for subject in subjects:
        chain, _, seq = subject.partition("/")
        wanted |= Q(chain_id=chain, seq=seq)
    for entry in Entry.objects.filter(wanted):
        subject = f"{entry.chain_id}/{entry.seq}"
        to = reverse("admin:audit_entry_change", args=[entry.pk]) if staff.has_perm(Right.READ_LOG) else ""
        what = history.WORDS.get(entry.event, entry.event)
        named[subject] = CONSOLE("about.entry", chain=entry.chain_id, number=entry.seq, what=what), to
    return named
