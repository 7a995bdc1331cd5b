"""Questions to the pit over REST, on their page, on the auditor's desk and on the floor."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit import history
from audit.models import Entry
from casino.running import embedded
from tables.models import Question, Round
from tables.people import footing
from tables.verbs.questions import KINDS
from tables.words import questions as words

from ...support import factories, stack
from ...support.factories import client, person, send, table

QUESTIONS, PAGE = "/api/v1/questions/", "/questions/"
OWNERS = ("ALTER TABLE tables_question DISABLE TRIGGER {}", "ALTER TABLE tables_question ENABLE ALWAYS TRIGGER {}")


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """One database with a row of nearly everything. Clara is the pit boss of T1, Frank of another pit."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.furnish()
        yield


def ask(subject, text="Who held the cards?"):
    answer = send(client("david"), QUESTIONS, {"subject": subject, "words": text})
    assert answer.status_code == 201, answer.content
    return answer.json()


def step(login, question, what, **body):
    return send(client(login), f"{QUESTIONS}{question['id']}/{what}/", body)


def late(question):
    """Let its time be over; the owner alone can."""
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        for trigger in ("moves", "logged"):
            owner.execute(OWNERS[0].format(trigger))
        owner.execute(
            "UPDATE tables_question SET due_at = now() - interval '90 minutes' WHERE id = %s", [question["id"]]
        )
        for trigger in ("moves", "logged"):
            owner.execute(OWNERS[1].format(trigger))


def test_an_auditor_asks_the_pit_answers_and_the_auditor_accepts(floor):
    asked = ask(Round.objects.filter(table=table("T1")).first().ref)
    assert (asked["status"], asked["table"], asked["answer"]) == ("ASKED", table("T1").pk, None)
    answered = step("clara", asked, "answer", words="Anna.").json()
    assert (answered["status"], answered["answer"], answered["answered_by"]) == (
        "ANSWERED",
        "Anna.",
        person("clara").pk,
    )
    again = step("david", asked, "again", words="And who dealt?")
    assert (again.status_code, again.json()["follows"]) == (201, asked["id"])
    step("clara", again.json(), "answer", words="Anna, too.")
    settled = step("david", again.json(), "settle")
    assert (settled.status_code, settled.json()["status"]) == (200, "SETTLED")
    assert client("david").get(f"{QUESTIONS}{asked['id']}/").json()["status"] == "ANSWERED"
    listed = {each["id"] for each in client("david").get(QUESTIONS).json()["questions"]}
    assert (asked["id"] in listed, again.json()["id"] in listed) == (False, True)


def test_a_question_about_a_table_out_of_reach_is_not_there_and_one_of_the_house_is_every_pit_boss_s(floor):
    here, house = ask(table("T1").ref), ask("house/1")
    listed = {
        login: {each["id"] for each in client(login).get(QUESTIONS).json()["questions"]} for login in ("clara", "frank")
    }
    assert {here["id"], house["id"]} <= listed["clara"]
    assert (here["id"] in listed["frank"], house["id"] in listed["frank"]) == (False, True)
    for what in ("", "answer/"):
        path = f"{QUESTIONS}{here['id']}/{what}"
        gone = send(client("frank"), path, {"words": "x"}) if what else client("frank").get(path)
        assert gone.status_code == 404
    assert step("frank", house, "answer", words="So it was.").status_code == 200
    assert step("david", here, "answer", words="So it was.").status_code == 403


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({"subject": "round:999999", "words": "Why?"}, "subject_unknown", "subject"),
        ({"subject": "patron:1", "words": "Why?"}, "subject_wrong", "subject"),
        ({"subject": "house/1", "words": " "}, "words_missing", "words"),
        ({"subject": "house/1", "words": "x" * 501}, "words_wrong", "words"),
    ],
)
def test_a_refusal_says_what_is_wrong_where_and_what_to_do(floor, body, code, path):
    before = Question.objects.count()
    answer = send(client("david"), QUESTIONS, body)
    assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (422, code, path)
    assert answer.json()["way_out"]
    assert Question.objects.count() == before


def test_the_body_of_a_question_is_read_strictly(floor):
    for body in (
        {"subject": "house/1"},
        {"subject": 1, "words": "Why?"},
        {"subject": "house/1", "words": "x", "by": 1},
    ):
        assert send(client("david"), QUESTIONS, body).status_code == 422


def test_what_is_late_says_so_on_the_desk_on_the_floor_and_on_the_page(floor):
    question = ask(table("T1").ref, "Why is the float so small?")
    late(question)
    waits = words.waiting(person("clara"))
    assert waits == {
        "waiting": Question.objects.filter(status="ASKED").count(),
        "late": Question.objects.filter(status="ASKED", due_at__lt=dt.datetime.now(dt.UTC)).count(),
    }
    assert waits["late"] == 1
    for login, path in (("clara", "/"), ("clara", PAGE), ("david", PAGE), ("david", "/desk/")):
        shown = client(login).get(path).content.decode()
        assert ("1 late" if path == "/" else "Late by 1 h 30 min") in shown, path
    assert "Why is the float so small?" in client("clara").get(PAGE).content.decode()
    assert "Why is the float so small?" not in client("frank").get(PAGE).content.decode()
    step("clara", question, "answer", words="A fill is on its way.")
    assert words.waiting(person("clara"))["late"] == 0
    assert "Late by" not in client("david").get("/desk/").content.decode()


@pytest.fixture
def of_every_kind(floor):
    """What questions may be about at T1 and in the house: {subject: what it is called}."""
    at, rows = table("T1"), {}
    factories.report_file()
    for kind, (model, of) in KINDS.items():
        row = (model.objects.filter(**{of: at.pk}) if of else model.objects.all()).first()
        called = {"session": f"Session {row.pk}", "round": f"Round {row}", "table": f"Table {row}"}
        called |= {"day": f"Gaming day {row}", "report_file": f"Report {row}"}
        rows[row.ref] = called.get(kind, str(row))
    entry = Entry.objects.filter(chain=at.ref).first()
    return rows | {f"{at.ref}/{entry.seq}": f"Entry {at.ref}/{entry.seq}, {history.WORDS[entry.event]}"}


def test_what_a_question_is_about_has_its_name_and_leads_where_its_reader_may_go(of_every_kind):
    asked = {ask(subject)["id"]: name for subject, name in of_every_kind.items()}
    for login in ("clara", "david", "ida"):
        shown = {row["id"]: row for row in words.shown(person(login))["rows"]}
        assert {number: shown[number]["about"] for number in asked} == asked
        ways = [shown[number]["to"] for number in asked if shown[number]["to"]]
        assert {client(login).get(way, follow=True).status_code for way in ways} == {200}
        assert client(login).get(PAGE).status_code == 200
        assert len(ways) == (7 if login == "david" else 6)


def test_many_questions_take_as_many_queries_as_few(of_every_kind, django_assert_max_num_queries):
    # As a request knows them, with their footing.
    david = footing.person(person("david").pk)
    for subject in of_every_kind:
        ask(subject)
    with CaptureQueriesContext(connection) as queries:
        words.on_desk(david)
    few = len(queries)
    assert few > len(KINDS)
    for subject in of_every_kind:
        question = ask(subject)
        step("clara", question, "answer", words="So it was.")
        step("david", question, "again", words="And then?")
    with django_assert_max_num_queries(few + 1):
        words.on_desk(david)


def test_the_page_offers_what_the_reader_may_do(floor):
    question = ask(table("T1").ref)
    ways = {name: f"{QUESTIONS}{question['id']}/{name}/" for name in ("answer", "settle", "again")}

    def offered(login):
        shown = client(login).get(PAGE).content.decode()
        return {name for name, way in ways.items() if way in shown}

    assert (offered("clara"), offered("david"), offered("frank")) == ({"answer"}, set(), set())
    step("clara", question, "answer", words="<b>So it was.</b>")
    assert (offered("clara"), offered("david")) == (set(), {"settle", "again"})
    assert "&lt;b&gt;So it was." in client("david").get(PAGE).content.decode()
    step("david", question, "settle")
    assert offered("david") == set()
    assert 'value="round:12"' in client("david").get(f"{PAGE}?about=round:12").content.decode()


def test_the_page_is_for_who_reads_questions_and_an_auditor_s_look_is_an_entry(floor):
    looks = Entry.objects.filter(event="records.read", body__contains='"what":"questions"')
    before = looks.count()
    for login, status in {"david": 200, "clara": 200, "ida": 200, "hugo": 404, "anna": 404}.items():
        assert client(login).get(PAGE).status_code == status
    assert [entry.by for entry in looks.order_by("pk")][before:] == [person("david").ref]
