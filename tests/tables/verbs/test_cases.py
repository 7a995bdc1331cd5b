"""Cases: a variance opens one with an owner and a clock, and two people decide it once."""

import datetime as dt
import hashlib
import json
import threading

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from audit import verify_export
from audit.models import Entry
from casino.errors import Refused
from casino.models import Setting
from casino.roles import Role
from tables.management.commands.seed_demo import OPENER
from tables.models import Alarm, Case
from tables.people import staff
from tables.verbs import alarms
from tables.words import calls, floor

from ...support import factories
from ...support.factories import actor, person, refused

LACKS = OPENER | {100: OPENER[100] - 7}


@pytest.fixture
def one(seeded_db):
    return factories.table("T1")


@pytest.fixture
def case(one):
    """The case of Split 1, which closed with 7 too few; Clara and Hugo signed."""
    factories.close_session(one, LACKS, reason="Looked for.")
    return Case.objects.get()


decide, move = factories.decide_case, factories.move_case


def entries(case):
    bodies = Entry.objects.filter(subject=case.ref).order_by("seq").values_list("body", flat=True)
    return [(body["event"], body["facts"]) for body in map(json.loads, bodies)]


def test_a_variance_above_what_passes_opens_a_case_of_the_pit_boss_who_signed(case, one):
    session = one.sessions.get()
    assert (str(case), case.subject, case.units) == (f"V-{session.business_date.year}-000001", session.ref, -700)
    assert (case.owner.login, case.status) == ("clara", "OPEN")
    assert case.due_at - case.opened_at == pytest.approx(dt.timedelta(hours=72), abs=dt.timedelta(minutes=5))
    ((event, facts),) = entries(case)
    assert event == "case.opened"
    assert (facts["of"], facts["units"], facts["owner"], facts["number"]) == (session.ref, -700, case.owner.ref, 1)


def test_it_goes_to_a_pit_boss_of_the_pit_who_did_not_sign_the_closing_where_there_is_one(one):
    factories.newcomer("salonboss", Role.PIT_BOSS, pit="S")
    second, _ = (factories.newcomer(login, Role.PIT_BOSS) for login in ("second", "third"))
    factories.close_session(one, LACKS, reason="Looked for.")
    assert Case.objects.get(kind="variance").owner == second


def test_a_count_that_fits_opens_none_and_neither_does_what_the_house_lets_pass(one):
    factories.close_session(one, OPENER)
    factories.set_setting(700)
    factories.open_session(one, OPENER)
    factories.close_session(one, LACKS)
    assert not Case.objects.exists()


def test_an_opener_that_differs_alarms_and_is_no_case(one):
    factories.close_session(one, OPENER)
    factories.open_session(one, LACKS)
    assert not Case.objects.exists()


def test_each_case_of_a_year_has_the_next_number(one):
    for code in ("T1", "T2", "T3"):
        factories.close_session(factories.table(code), LACKS)
    assert sorted(Case.objects.values_list("number", flat=True)) == [1, 2, 3]


BOSSES = {"T1": "clara", "T2": "clara", "T3": "frank", "G1": "karl", "G4": "karl"}


def test_tables_that_close_at_once_share_no_number_and_leave_none_out(one):
    stopped = {code: factories.stop_session(factories.table(code)) for code in BOSSES}
    for code, boss in BOSSES.items():
        for login in (boss, "hugo"):
            factories.count_session(stopped[code], {100: 1}, by=login)
    gate, failed = threading.Barrier(len(BOSSES)), []

    def close(session, boss):
        gate.wait()
        try:
            factories.sign_session(session, by=boss, reason="All at once.")
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=close, args=(stopped[code], boss)) for code, boss in BOSSES.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(Case.objects.values_list("number", flat=True)) == list(range(1, len(BOSSES) + 1))


def test_two_decide_it_once_and_the_log_has_no_word_of_the_reason(case):
    decided = decide(case)
    case.refresh_from_db()
    assert (case.status, case.outcome, case.reason) == ("DECIDED", "not_found", "Camera 4 looked at.")
    assert (decided.decided_by.login, decided.approved_by.login) == ("clara", "frank")
    event, facts = entries(case)[-1]
    assert event == "case.decided"
    assert len(facts["reason"]) == 64
    assert facts["requester"] != facts["approver"]
    refusal = refused("case_decided", decide, case, outcome="found")
    assert "V-" in refusal.message
    refused("case_decided", move, case, owner=person("frank"))


def test_a_decision_takes_somebody_who_did_not_sign_the_closing(case):
    refusal = refused("signed_closing", decide, case, signed_with="hugo")
    assert refusal.path == "signature"
    assert "didn’t sign" in refusal.way_out
    refused("same_person", decide, case, signed_with="clara")
    assert refused("outcome_unknown", decide, case, outcome="lost").path == "outcome"
    assert refused("reason_missing", decide, case, reason=" ").path == "reason"
    case.refresh_from_db()
    assert case.status == "OPEN"


def test_the_page_says_before_the_decision_who_had_a_part(case):
    assert "You had a part" in factories.client("clara").get(f"/cases/{case.pk}/").content.decode()
    boss = factories.newcomer("second", Role.PIT_BOSS)
    assert "You had a part" not in factories.client(boss.login).get(f"/cases/{case.pk}/").content.decode()


def needs(login):
    """What the floor shows somebody that needs a person, as where it leads."""
    return [row["href"] for row in floor.shown(person(login))["needs"]]


def test_the_alarm_of_a_variance_leads_to_its_case_and_is_over_with_it(case):
    there = f"/cases/{case.pk}/"
    assert needs("clara") == [there]
    (row,) = calls.listed(person("clara"))
    assert row["detail"].endswith(f", {case}")
    decide(case)
    assert (needs("clara"), Alarm.objects.standing().count()) == ([], 0)
    last = Entry.objects.filter(chain=case.table.ref).order_by("seq").values_list("event", flat=True)
    assert list(last)[-2:] == ["case.decided", "alarm.over"]
    follow([json.loads(body) for body in Entry.objects.order_by("pk").values_list("body", flat=True)])


def test_who_takes_the_alarm_of_a_variance_leaves_its_case_to_be_decided(case):
    with transaction.atomic():
        alarms.take(alarm_id=Alarm.objects.get().pk, word="", actor=actor("clara"))
    assert needs("clara") == [f"/cases/{case.pk}/"]
    decide(case)
    assert needs("clara") == []


@pytest.mark.parametrize(
    "change",
    [
        "decided_by_id = {clara}, approved_by_id = {clara}",
        "decided_by_id = {frank}, approved_by_id = {hugo}",
        "decided_by_id = {frank}, approved_by_id = {clara}",
    ],
)
def test_the_database_refuses_one_person_alone_and_whoever_signed_the_closing(case, change):
    people = {login: person(login).pk for login in ("clara", "frank", "hugo")}
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_case SET status = 'DECIDED', outcome = 'found', reason = 'x', salt = 'y',"
            f" decided_at = now(), {change.format(**people)}"
        )


def test_it_goes_to_another_pit_boss_of_the_pit_and_gets_another_time(case):
    karl = person("karl")
    assert refused("owner_wrong", move, case, owner=karl).path == "owner"
    with transaction.atomic():
        factories.staff.post(staff=karl, role="pit_boss", pit=case.table.pit, actor=actor("ida", "frank"))
    later = timezone.now() + dt.timedelta(days=7)
    move(case, owner=person("karl"), due_at=later)
    case.refresh_from_db()
    assert (case.owner.login, case.due_at) == ("karl", later)
    event, facts = entries(case)[-1]
    assert (event, facts["owner"]) == ("case.moved", karl.ref)
    refused("move_empty", move, case, owner=person("karl"))
    for wrong in (timezone.now() - dt.timedelta(minutes=1), timezone.now() + dt.timedelta(days=91)):
        assert refused("due_wrong", move, case, due_at=wrong).path == "due_at"


def test_a_late_case_alarms_until_it_is_decided_or_has_more_time(one, owner_clock):
    case = owner_clock
    assert alarms.look() == (1, 0)
    alarm = Alarm.objects.standing().get(kind="case_late")
    assert (alarm.subject, alarm.table, alarm.value >= alarm.bound) == (case.ref, one, True)
    assert alarms.look() == (0, 0)
    with pytest.raises(Refused) as refusal, transaction.atomic():
        alarms.end(alarm_id=alarm.pk, actor=actor("clara"))
    assert "more time" in refusal.value.way_out
    move(case, due_at=timezone.now() + dt.timedelta(days=1))
    assert alarms.look() == (0, 1)


@pytest.fixture
def owner_clock(case, owner_connection):
    """The case, whose time was over an hour ago: guards are off for that."""
    owner_connection.execute("ALTER TABLE tables_case DISABLE TRIGGER USER")
    owner_connection.execute(
        "UPDATE tables_case SET opened_at = opened_at - interval '3 days', due_at = now() - interval '1 hour'"
    )
    owner_connection.execute("ALTER TABLE tables_case ENABLE ALWAYS TRIGGER moves")
    owner_connection.execute("ALTER TABLE tables_case ENABLE ALWAYS TRIGGER timed")
    case.refresh_from_db()
    return case


def test_the_time_for_a_case_is_a_setting(one):
    factories.set_setting(5, name="case_hours")
    assert Setting.objects.filter(name="case_hours").exists()
    factories.close_session(one, LACKS)
    case = Case.objects.get()
    assert case.due_at - case.opened_at == pytest.approx(dt.timedelta(hours=5), abs=dt.timedelta(minutes=5))


# Cases of drops: Clara took the box off, Olga and Petra of the count team signed for its count.


@pytest.fixture
def drop_case(one):
    """The case of a drop in which 4.00 were missing."""
    drop_box = factories.mount(one)
    factories.buy_in(one, 123_400)
    factories.take_off(drop_box)
    factories.counted_drop(drop_box, {"50000": 2, "10000": 2, "1000": 3}, reason="Looked for.")
    return Case.objects.get()


def test_a_variance_of_a_drop_opens_a_case_of_who_took_the_box_off(drop_case, one):
    drop_box = one.drop_boxes.get()
    assert (str(drop_case), drop_case.kind) == (f"DV-{drop_box.business_date.year}-000001", "drop_variance")
    assert (drop_case.subject, drop_case.units, drop_case.owner.login) == (drop_box.ref, -400, "clara")
    ((event, facts),) = entries(drop_case)
    assert (event, facts["of"], facts["units"], facts["kind"]) == ("case.opened", drop_box.ref, -400, "drop_variance")


def test_the_numbers_of_each_kind_are_their_own(drop_case, one):
    factories.close_session(one, {"100": 1}, reason="Looked for.")
    assert [str(each).partition("-")[0] + str(each)[-1] for each in Case.objects.all()] == ["DV1", "V1"]


def test_who_signed_the_count_of_a_drop_does_not_approve_its_case(drop_case):
    with transaction.atomic():
        staff.post(staff=person("olga"), role=Role.PIT_BOSS, pit=drop_case.table.pit, actor=actor("ida", "frank"))
    found = refused("signed_closing", decide, drop_case, signed_with="olga")
    assert found.message == "The second person signed the count that this case is about."
    with pytest.raises(IntegrityError, match="does not approve it"), transaction.atomic():
        Case.objects.filter(pk=drop_case.pk).update(
            status="DECIDED", outcome="found", reason="x", salt="y", decided_by=person("clara"),
            approved_by=person("olga"), decided_at=timezone.now(),
        )  # fmt: skip
    assert decide(drop_case, signed_with="frank").status == "DECIDED"


def test_a_drop_that_fits_opens_no_case(one):
    drop_box = factories.mount(one)
    factories.buy_in(one, 1_000)
    factories.take_off(drop_box)
    factories.counted_drop(drop_box, {"1000": 1})
    assert not Case.objects.exists()


def test_the_page_of_a_case_of_a_drop_leads_to_its_count(drop_case):
    page = factories.client("clara").get(f"/cases/{drop_case.pk}/").content.decode()
    assert "Variance of a drop, Split 1" in page
    assert "missing when the drop was counted" in page
    assert f'href="/drop-boxes/{drop_case.subject_id}/"' in page
    assert "Said at the count" in page


def test_at_home_a_case_of_a_drop_is_about_the_count_before_it(drop_case):
    said = [json.loads(entry.body) for entry in Entry.objects.order_by("pk")]
    opened = next(entry for entry in said if entry["event"] == "case.opened")
    place = said.index(opened)
    follow(said)
    for name, value in (("of", "drop_box:99"), ("units", -300)):
        with pytest.raises(verify_export.Difference):
            follow([*said[:place], opened | {"facts": opened["facts"] | {name: value}}, *said[place + 1 :]])


def follow(entries):
    resettling = verify_export.Resettling(verify_export.load_core(settings.BASE_DIR))
    for entry in entries:
        resettling.take(entry)


def test_a_time_that_is_none_is_refused_over_rest(case):
    body = {"due_at": "", "owner": None}
    answer = factories.send(factories.client("clara"), f"/api/v1/cases/{case.pk}/move/", body)
    assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (422, "field_wrong", "due_at")


# Cases that a person opens: about a void round, and of a session.


@pytest.fixture
def void_round(one):
    """A round at Split 1 that Anna, who dealt it, and Clara voided."""
    return factories.void_round(one)


def test_a_pit_boss_opens_one_case_about_a_void_round_and_nobody_who_voided_it_approves(one, void_round):
    assert refused("question_missing", factories.open_void, void_round, question=" ").path == "question"
    assert not Case.objects.exists()
    case = factories.open_void(void_round, by="frank")
    assert (str(case), case.subject) == (f"VO-{void_round.session.business_date.year}-000001", void_round.ref)
    assert (case.units, case.owner.login) == (None, "frank")
    ((event, facts),) = entries(case)
    salted = hashlib.sha256((case.question_salt + factories.QUESTION).encode()).hexdigest()
    assert (event, facts["of"], facts["question"], "units" in facts) == ("case.opened", void_round.ref, salted, False)
    again = refused("case_opened", factories.open_void, void_round)
    assert (str(case) in again.message, again.detail) == (True, {"case": case.pk})
    settled = factories.settled_round(one)
    assert refused("round_not_void", factories.open_void, settled).detail == {"status": "SETTLED"}
    assert "didn’t sign the void" in refused("signed_closing", decide, case, by="frank", signed_with="clara").way_out
    with pytest.raises(IntegrityError, match="whoever voided the round"), transaction.atomic():
        as_decided(case, by="frank", approver="anna")
    assert decide(case, by="clara", signed_with="frank").status == "DECIDED"
    assert refused("case_opened", factories.open_void, void_round).message.endswith(", decided.")


def as_decided(case, *, by, approver):
    """The case decided by rows alone."""
    Case.objects.filter(pk=case.pk).update(
        status="DECIDED", outcome="found", reason="x", salt="y", decided_by=person(by),
        approved_by=person(approver), decided_at=timezone.now(),
    )  # fmt: skip


def test_a_session_is_investigated_open_or_closed_and_nobody_who_dealt_or_signed_in_it_approves(one, void_round):
    session = one.sessions.get()
    case = factories.investigate(session, by="frank")
    assert (str(case)[:2], case.subject, session.status) == ("I-", session.ref, "OPEN")
    refused("case_opened", factories.investigate, session)
    # Clara and Hugo signed for its opening, Anna dealt.
    for login in ("clara", "hugo"):
        refused("signed_closing", decide, case, by="frank", signed_with=login)
    for login in ("hugo", "anna"):
        with pytest.raises(IntegrityError, match="opened or closed the table, or dealt"), transaction.atomic():
            as_decided(case, by="frank", approver=login)
    said = refused("signed_closing", decide, case, by="frank", signed_with="anna")
    assert said.way_out.endswith("sign: one who signed neither of them and didn’t deal there.")
    # A variance of its closing is another case about it.
    factories.close_session(one, LACKS, reason="Looked for.")
    assert sorted(Case.objects.values_list("kind", flat=True)) == ["investigation", "variance"]
    assert decide(case, by="clara", signed_with="frank").status == "DECIDED"
    follow([json.loads(entry.body) for entry in Entry.objects.order_by("pk")])


def test_the_database_opens_such_a_case_about_nothing_else(one, void_round):
    year, other = void_round.session.business_date.year, factories.table("T2")
    row = {"kind": "void", "year": year, "table": one, "subject": void_round.ref, "owner": person("clara")}
    row |= {"due_at": timezone.now() + dt.timedelta(hours=1), "question": "x", "question_salt": "y"}
    settled = factories.settled_round(one)
    session = {"kind": "investigation", "subject": void_round.session.ref}
    for wrong in (
        {"table": other}, {"year": 2001}, {"subject": settled.ref}, {"subject": "round:x"}, {"question_salt": ""},
        {"question": ""}, {"units": 5}, session | {"table": other}, session | {"year": 2001},
        session | {"subject": void_round.ref},
    ):  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic():
            Case.objects.create(**(row | wrong))
    assert Case.objects.create(**row).pk
    assert Case.objects.create(**(row | session)).pk


def test_a_case_is_opened_on_the_page_of_what_it_is_about_by_who_may(one, void_round):
    pages = f"/rounds/{void_round.pk}/", f"/sessions/{void_round.session_id}/"
    clara, auditor = factories.client("clara"), factories.client("david")
    for page, command, head in zip(
        pages, ("rounds", "sessions"), ("Open a case", "Investigate this session"), strict=True
    ):
        assert head in clara.get(page).content.decode()
        assert head not in auditor.get(page).content.decode()
        to = f"/api/v1/{command}/{page.split('/')[2]}/case/"
        assert factories.send(factories.client("frank"), to, {"question": "x"}).status_code == 404
        made = factories.send(clara, to, {"question": "Who had the cut card."})
        assert (made.status_code, made.json()["units"], made.json()["question"]) == (201, None, "Who had the cut card.")
        number = made.json()["number"]
        for reader in (clara, auditor):
            shown = reader.get(page).content.decode()
            assert (number in shown, f'data-to="{to}"' in shown) == (True, False)
        assert factories.send(clara, to, {"question": "x"}).json()["code"] == "case_opened"
        case = clara.get(f"/cases/{made.json()['id']}/").content.decode()
        assert "To be found out: “Who had the cut card.”" in case
        assert f'href="{page}"' in case
    assert str(void_round) in clara.get("/cases/").content.decode()
    assert clara.get("/floor/now/").status_code == 200
