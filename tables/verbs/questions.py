"""Questions of auditors to the pit: asked about what the desk shows, answered once, then settled or asked again.

If the subject has a table, a pit boss of that table answers, else any pit boss. Whoever asks never answers.
"""

import datetime as dt
import re

from django.db.models.functions import Now
from django.utils import timezone

from audit import log
from audit.models import Entry
from casino import settings_of_house
from casino.games.reading import shown

from ..models import Case, Dispute, DropBox, GamingDay, Question, ReportFile, Round, Session, Slip, Table
from . import grounds
from .wording import WORDING

STATUS = Question.Status
KINDS = {
    "round": (Round, "table_id"),
    "session": (Session, "table_id"),
    "slip": (Slip, "session__table_id"),
    "drop_box": (DropBox, "table_id"),
    "case": (Case, "table_id"),
    "dispute": (Dispute, "round__table_id"),
    "table": (Table, "pk"),
    "day": (GamingDay, None),
    "report_file": (ReportFile, None),
}
"""What a question may be about, and where the table of each stands; an entry is named by chain and number."""
_ROW = re.compile(r"([a-z_]{1,20}):([1-9][0-9]{0,17})\Z", re.ASCII)
_ENTRY = re.compile(r"(house|table:[1-9][0-9]{0,17})/([1-9][0-9]{0,17})\Z", re.ASCII)
# As pages and papers print them: T1-00171, F-2026-000013, Session 171.
_ROUND = re.compile(r"(?:ROUND )?([A-Z][A-Z0-9]{0,9})-([0-9]{1,9})\Z", re.ASCII)
_PAPER = re.compile(r"(?:SLIP |CASE )?([A-Z]{1,2})-([0-9]{4})-([0-9]{1,9})\Z", re.ASCII)
_NUMBERED = re.compile(r"(SESSION|DISPUTE) ([1-9][0-9]{0,17})\Z", re.ASCII)


def table_of(subject):
    """The key of a subject's table; None if it belongs to the whole house.

    :raises Refused: `subject_wrong` (422), if it is not a reference; `subject_unknown` (422), if it leads to nothing.
    """
    row, entry = _ROW.match(subject), _ENTRY.match(subject)
    if entry:
        chain, number = entry.groups()
        if Entry.objects.filter(chain_id=chain, seq=number).exists():
            return None if chain == log.HOUSE else int(chain.partition(":")[2])
    elif row and row[1] in KINDS:
        model, of = KINDS[row[1]]
        place = model.objects.filter(pk=row[2]).values_list(of or "pk", flat=True).first()
        if place is not None:
            return place if of else None
    else:
        raise WORDING.refused("subject_wrong", subject=shown(subject), kinds=", ".join(KINDS))
    raise WORDING.refused("subject_unknown", subject=subject)


def subject_of(name):
    """The log's name for what people call something: `T1-171` is `round:81`; other names stay as they are.

    :raises Refused: `subject_unknown` (422), if nothing has that name.
    """
    called = name.upper() if name.isascii() else ""
    if match := _ROUND.match(called):
        rows = Round.objects.filter(table__code=match[1], number=match[2])
    elif match := _PAPER.match(called):
        model = Slip if match[1] in Slip.LETTERS.values() else Case
        kinds = [kind for kind, letters in model.LETTERS.items() if letters == match[1]]
        rows = model.objects.filter(kind__in=kinds, year=match[2], number=match[3])
    elif match := _NUMBERED.match(called):
        return f"{match[1].lower()}:{match[2]}"
    else:
        return name
    row = rows.first()
    if row is None:
        raise WORDING.refused("subject_unknown", subject=name.upper())
    return row.ref


def ask(*, subject, words, actor):
    """Ask the pit about something of the house.

    :param subject: as people call it (`T1-00171`, `F-2026-000013`), as the log names it (`round:12`), or an entry
        (`house/7`).
    :raises Refused: `subject_wrong`, `subject_unknown`, `words_missing`, `words_wrong` (422).
    """
    subject = subject_of(subject)
    return _ask(subject, table_of(subject), words, None, actor)


def ask_again(*, question_id, words, actor):
    """Ask again about the same if an answer does not suffice; the first question then stays as it is.

    :raises Refused: `question_wrong_moment`, `question_asked_again`; `words_missing`, `words_wrong` (422).
    """
    before = _locked(question_id, STATUS.ANSWERED, WORDING("reasked_when_answered"))
    return _ask(before.subject, before.table_id, words, before, actor)


def _ask(subject, table_id, words, before, actor):
    words = grounds.checked_reason(words, needed=True, name="words", says="question")
    question = Question.objects.create(
        subject=subject,
        table_id=table_id,
        follows=before,
        words=words,
        salt=log.salt(words),
        asked_by=actor.by,
        due_at=timezone.now() + dt.timedelta(hours=settings_of_house.value("question_hours")),
    )
    _record(
        "question.asked",
        question,
        actor,
        of=question.subject,
        words=grounds.salted(question.salt, question.words),
        due=log.spell_time(question.due_at),
        follows=before and before.ref,
    )
    return question


def answer(*, question_id, words, actor):
    """Answer a question, once.

    :raises Refused: `question_wrong_moment`; `own_question`, `words_missing`, `words_wrong` (422).
    """
    question = _locked(question_id, STATUS.ASKED, WORDING("answered_once"))
    if question.asked_by_id == actor.by.pk:
        raise WORDING.refused("own_question", number=question.pk)
    question.answer = grounds.checked_reason(words, needed=True, name="words", says="answer")
    question.answer_salt, question.status = log.salt(question.answer), STATUS.ANSWERED
    question.answered_by, question.answered_at = actor.by, Now()
    question.save(update_fields=["answer", "answer_salt", "status", "answered_by", "answered_at"])
    digest = grounds.salted(question.answer_salt, question.answer)
    _record("question.answered", question, actor, answer=digest)
    return question


def settle(*, question_id, actor):
    """Accept the answer to a question.

    :raises Refused: `question_wrong_moment`, `question_asked_again`; `own_answer` (422).
    """
    question = _locked(question_id, STATUS.ANSWERED, WORDING("settled_when_answered"))
    if question.answered_by_id == actor.by.pk:
        raise WORDING.refused("own_answer", number=question.pk)
    question.status, question.settled_by, question.settled_at = STATUS.SETTLED, actor.by, Now()
    question.save(update_fields=["status", "settled_by", "settled_at"])
    _record("question.settled", question, actor)
    return question


def _locked(question_id, status, rule):
    """A question that stands at this step, locked.

    :param rule: the sentence that says at which step it must be.
    :raises Refused: `question_wrong_moment`, `question_asked_again`.
    """
    question = Question.objects.select_for_update(no_key=True).get(pk=question_id)
    if question.status != status:
        raise WORDING.refused("question_wrong_moment", status=question.get_status_display(), rule=rule)
    further = Question.objects.filter(follows=question).first()
    if further:
        raise WORDING.refused("question_asked_again", detail={"question": further.pk}, number=further.pk)
    return question


def _record(event, question, actor, **facts):
    log.record(event, question.ref, chain=question.chain, actor=actor, facts={"question": question.ref, **facts})
