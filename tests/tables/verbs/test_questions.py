"""Questions of auditors to the pit: asked, answered once by somebody else, then settled or asked again."""

import hashlib

import pytest

from audit import history
from audit.models import Entry
from casino.errors import Refused
from tables.models import Case, Dispute, DropBox, GamingDay, Question, ReportFile, Round, Session, Slip
from tables.verbs import questions

from ...support import factories, stack
from ...support.factories import actor, person, refused

WORDS = "Who held the cards of box 3?"


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """One database with a row of nearly everything."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.furnish()
        yield


def asked(**changes):
    return factories.question(**changes)


def said(question):
    """The entries of a question, in their order: (event, facts, chain, by)."""
    entries = Entry.objects.filter(subject=question.ref).order_by("seq")
    return [(each.event, history.facts(each), each.chain_id, each.by) for each in entries]


def test_a_question_is_asked_answered_and_settled_with_hashes_of_its_words_in_the_log_of_its_table(floor):
    at = factories.table("T1")
    question = asked(subject=f"round:{Round.objects.filter(table=at).first().pk}", words=f"  {WORDS} ")
    factories.answer_question(question)
    factories.settle_question(question)
    question.refresh_from_db()
    assert (question.status, question.words, question.answer) == ("SETTLED", WORDS, "Anna held them.")
    people = [question.asked_by.login, question.answered_by.login, question.settled_by.login]
    assert people == ["david", "clara", "david"]
    assert question.asked_at < question.answered_at < question.settled_at
    assert (question.due_at - question.asked_at).total_seconds() == pytest.approx(24 * 3600, abs=5)
    entries = said(question)
    assert [event for event, *_ in entries] == ["question.asked", "question.answered", "question.settled"]
    assert {chain for *_, chain, _ in entries} == {at.ref}
    words, answer = (
        hashlib.sha256((salt + text).encode()).hexdigest()
        for salt, text in ((question.salt, WORDS), (question.answer_salt, "Anna held them."))
    )
    assert (entries[0][1]["words"], entries[1][1]["answer"]) == (words, answer)
    assert (entries[0][1]["of"], "follows" in entries[0][1]) == (question.subject, False)
    assert not Entry.objects.filter(subject=question.ref, body__contains="Anna").exists()


def test_the_house_says_how_long_the_pit_has(floor):
    factories.set_setting(3, name="question_hours")
    question = asked()
    factories.set_setting(24, name="question_hours")
    assert (question.due_at - question.asked_at).total_seconds() == pytest.approx(3 * 3600, abs=5)


def test_a_question_is_about_whatever_the_desk_shows_and_of_its_table(floor):
    round_, slip = Round.objects.first(), Slip.objects.first()
    case, box, dispute = Case.objects.first(), DropBox.objects.first(), Dispute.objects.first()
    session, day, file = Session.objects.first(), GamingDay.objects.first(), factories.report_file()
    of_table = Entry.objects.exclude(chain_id="house").first()
    tables = {
        round_.ref: round_.table_id,
        session.ref: session.table_id,
        slip.ref: slip.table_id,
        case.ref: case.table_id,
        box.ref: box.table_id,
        dispute.ref: dispute.round.table_id,
        round_.table.ref: round_.table_id,
        f"day:{day.pk}": None,
        file.ref: None,
        "house/1": None,
        f"{of_table.chain_id}/{of_table.seq}": int(of_table.chain_id.partition(":")[2]),
    }
    assert ReportFile.objects.filter(pk=file.pk).exists()
    for subject, table in tables.items():
        question = asked(subject=subject)
        assert (question.subject, question.table_id) == (subject, table)
        assert said(question)[0][2] == (f"table:{table}" if table else "house")


def test_a_question_names_what_it_is_about_as_its_page_and_paper_do(floor):
    round_, slip, case = Round.objects.first(), Slip.objects.first(), Case.objects.first()
    code, session = round_.table.code, Session.objects.first()
    names = {
        str(round_): round_.ref,
        f"{code.lower()}-{round_.number}": round_.ref,
        f"Round {round_}": round_.ref,
        str(slip): slip.ref,
        f"slip {slip}": slip.ref,
        str(case): case.ref,
        f"Session {session.pk}": session.ref,
        f"dispute {Dispute.objects.first().pk}": Dispute.objects.first().ref,
    }
    assert {name: asked(subject=name).subject for name in names} == names


@pytest.mark.parametrize(
    ("code", "wrong"),
    {
        "subject_unknown of a round": "T1-99999",
        "subject_unknown of a table": "ZZ-1",
        "subject_unknown of a slip": "F-2026-999999",
        "subject_unknown of a case": "DV-1999-1",
        "subject_unknown of a letter": "Q-2026-1",
        "subject_wrong of other letters": "\u017fession 1",
        "subject_wrong of a patron": "patron 1",
        # Boxes are mounted again and again: their number names many.
        "subject_wrong of a drop box": "drop box 101",
        "subject_wrong": "round",
        "subject_wrong of a kind": "patron:1",
        "subject_wrong of zero": "round:0",
        "subject_wrong of other digits": "round:\u0661",
        "subject_wrong of lines": "round:1\n",
        "subject_wrong of a chain": "table:1/0",
        "subject_unknown": "round:999999999",
        "subject_unknown of an entry": "house/999999999",
        "subject_unknown of a chain": "table:999999/1",
        "subject_unknown of a big number": "round:999999999999999999",
    }.items(),
)
def test_what_names_nothing_is_asked_about_by_nobody(floor, code, wrong):
    refused(code.split()[0], questions.ask, subject=wrong, words=WORDS, actor=actor("david"))


@pytest.mark.parametrize(("code", "words"), [("words_missing", " \t"), ("words_wrong", "x" * 501)])
def test_a_question_and_an_answer_are_in_words(floor, code, words):
    question = asked()
    refused(code, questions.ask, subject="house/1", words=words, actor=actor("david"))
    refused(code, questions.answer, question_id=question.pk, words=words, actor=actor("clara"))
    factories.answer_question(question)
    refused(code, questions.ask_again, question_id=question.pk, words=words, actor=actor("david"))


def test_a_question_is_answered_once_and_settled_once_and_neither_before_its_time(floor):
    question = asked()
    late = {"question_id": question.pk, "actor": actor("david")}
    refused("question_wrong_moment", questions.settle, **late)
    refused("question_wrong_moment", questions.ask_again, words=WORDS, **late)
    factories.answer_question(question)
    answer = {"question_id": question.pk, "words": "Another answer.", "actor": actor("clara")}
    refused("question_wrong_moment", questions.answer, **answer)
    factories.settle_question(question)
    refused("question_wrong_moment", questions.settle, **late)
    refused("question_wrong_moment", questions.ask_again, words=WORDS, **late)


def test_who_asks_does_not_answer_and_who_answers_does_not_settle(floor):
    question = asked()
    own = {"question_id": question.pk, "words": "I did.", "actor": actor("david")}
    refused("own_question", questions.answer, **own)
    factories.answer_question(question)
    refused("own_answer", questions.settle, question_id=question.pk, actor=actor("clara"))


def test_what_is_asked_again_names_the_one_before_which_then_stays_as_it_is(floor):
    question = asked(subject=factories.table("T1").ref)
    factories.answer_question(question)
    again = factories.ask_again(question)
    assert (again.follows, again.subject, again.table_id) == (question, question.subject, question.table_id)
    assert said(again)[0][1]["follows"] == question.ref
    for verb, more in ((questions.settle, {}), (questions.ask_again, {"words": WORDS})):
        refusal = refused("question_asked_again", verb, question_id=question.pk, actor=actor("david"), **more)
        assert refusal.detail == {"question": again.pk}
    factories.answer_question(again)
    factories.settle_question(again)
    assert Question.objects.get(pk=question.pk).status == "ANSWERED"


def test_of_two_who_answer_at_once_one_does(floor):
    question = asked()
    answers = factories.at_once(
        lambda: factories.answer_question(question, words="One."),
        lambda: factories.answer_question(question, by="frank", words="Two."),
    )
    assert [answer.code for answer in answers if isinstance(answer, Refused)] == ["question_wrong_moment"]
    assert [event for event, *_ in said(question)] == ["question.asked", "question.answered"]
    assert person("david").pk == question.asked_by_id
