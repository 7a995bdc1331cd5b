"""Why alarms stand: each kind is raised once when its reason is there, and is over when it is gone."""

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit import inspections, log, seal, sealer, status
from audit.models import Entry, Finding, Inspection
from casino.games import registry
from tables.inspections.alarms import look_at_alarms
from tables.models import Alarm, Round
from tables.people import lockout
from tables.verbs import alarms, lateness, reasons, settling
from tables.words import calls

from ...support import factories, stack, waiting

KIND = Alarm.Kind


@pytest.fixture(autouse=True)
def house(seeded_db):
    """The demo's house, which has just opened."""


@pytest.fixture
def owner(owner_connection):
    """Writes rows as they come to be with time, as the owner: no command can."""

    def write(table, change, where="true"):
        with owner_connection.transaction():
            owner_connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            owner_connection.execute(f"UPDATE {table} SET {change} WHERE {where}")
            owner_connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    return write


def raised(kind):
    """The one alarm of a kind, which the next look does not raise again."""
    assert alarms.look() == (1, 0)
    assert alarms.look() == (0, 0)
    return Alarm.objects.standing().get(kind=kind)


def over(alarm):
    """Whether the next look ends it, once."""
    assert alarms.look() == (0, 1)
    assert alarms.look() == (0, 0)
    alarm.refresh_from_db()
    said = list(Entry.objects.filter(subject=alarm.ref).order_by("seq").values_list("event", "chain_id"))
    chain = alarm.table.ref if alarm.table else "house"
    assert said == [("alarm.raised", chain), ("alarm.over", chain)]
    return alarm.over_at is not None


def row(alarm, login="clara"):
    listed = calls.listed(factories.person(login))
    return next(each for each in listed if each["key"].rpartition("-")[2] == str(alarm.pk))


def test_every_measured_kind_has_its_query_its_row_its_place_and_its_way_out():
    # What luck does not explain is measured, and over once somebody has answered for it.
    for kinds in (set(reasons.MEASURED) - {KIND.LUCK}, alarms._WAYS_OUT):
        assert set(kinds) == set(KIND) - alarms.ANSWERED - {KIND.CALL}
    assert set(calls.ORDER) == set(KIND) == {*calls._ROWS, KIND.ROUND_HELD}
    assert set(reasons.QUICK) | set(reasons.SLOW) == set(reasons.MEASURED)
    assert all(f"SELECT '{kind}'" in query for kind, query in reasons._QUERIES.items())


def test_a_held_round_is_one_row_before_its_alarm_and_with_it_until_it_is_released():
    held = factories.hold(factories.open_round(factories.table()))
    (before,) = calls.listed(factories.person("clara"))
    assert (before["key"], before["button"], before["command"]) == (f"held-{held.pk}", "Go there", "")
    # Whose words they are that held it stands behind them: the clause's, in the game's own.
    event = next(case.event for case in registry.GAMES["split"].irregularities if case.clause == "split.36")
    assert before["more"] == f"“A card lies face up.” {event}, split.36."
    alarm = raised(KIND.ROUND_HELD)
    assert (alarm.subject, alarm.table, alarm.value, alarm.bound) == (held.ref, held.table, None, None)
    (shown,) = calls.listed(factories.person("clara"))
    assert shown["key"] == before["key"]
    assert (shown["title"], shown["state"], shown["order"]) == ("Split 1 held", "held", 1)
    assert (shown["command"], shown["leads"], shown["href"]) == (
        f"alarms/{alarm.pk}/take/", "Go there", "/tables/1/terminal/",
    )  # fmt: skip
    factories.take(alarm, word="I look.")
    (shown,) = calls.listed(factories.person("clara"))
    assert (shown["state"], shown["command"], shown["button"]) == ("taken", "", "Go there")
    assert "split.36. Staff" in shown["more"]
    assert shown["more"].endswith("“I look.”")
    factories.release(held)
    assert calls.listed(factories.person("clara")) == []
    assert alarms.look() == (0, 1)


def test_a_round_that_is_open_for_long_alarms_until_it_is_held_void_or_closed(owner):
    opened = factories.open_round(factories.table())
    owner("tables_round", "opened_at = now() - interval '59 minutes 50 seconds'", "status = 'OPEN'")
    assert alarms.look() == (0, 0)
    owner("tables_round", "opened_at = now() - interval '61 minutes'", "status = 'OPEN'")
    alarm = raised(KIND.ROUND_LONG)
    assert (alarm.subject, alarm.value, alarm.bound) == (opened.ref, 61, 60)
    assert row(alarm)["title"] == f"Split 1, round {opened.number} is long"
    factories.void(opened)
    assert over(alarm)


def test_a_table_whose_round_waits_for_its_settlement_alarms_once_however_many_wait(owner):
    played = [factories.play_round(factories.table(), factories.FOLDS) for _ in range(2)]
    owner("tables_round", "closed_at = closed_at - interval '11 seconds'", "status = 'CLOSED'")
    alarm = raised(KIND.SETTLEMENT_LATE)
    assert (alarm.subject, alarm.bound) == ("table:1", 10)
    assert 11 <= alarm.value < 60
    assert row(alarm)["title"] == "Split 1: settlement is late"
    # It is late by the very limit by which screens and probes say so.
    assert lateness.waiting().late
    assert settling.settle_due() == len(played)
    assert over(alarm)
    assert not lateness.waiting().late


def test_a_round_that_was_tried_too_often_alarms_until_it_is_settled():
    played = factories.play_round(factories.table(), factories.FOLDS)
    Round.objects.filter(pk=played.pk).update(failures=3)
    assert alarms.look() == (0, 0)
    with transaction.atomic():
        settling._fail(played.pk, "once more")
    alarm = raised(KIND.SETTLEMENT_RETRIED)
    assert (alarm.subject, alarm.value, alarm.bound) == (played.ref, 4, 3)
    assert row(alarm)["href"] == f"/rounds/{played.pk}/"
    Round.objects.filter(pk=played.pk).update(next_at="2026-01-01T00:00:00Z")
    settling.settle_due()
    assert over(alarm)


def test_a_table_that_is_open_for_an_hour_alarms_when_it_is_slow_or_fast_and_not_while_it_is_held(owner):
    at = factories.table()
    factories.set_setting(2, name="pace_least")
    factories.set_setting(3, name="pace_most")
    owner("tables_session", "opened_at = now() - interval '61 minutes'", "table_id = 1")
    alarm = raised(KIND.PACE)
    assert (alarm.subject, alarm.value, alarm.bound) == (at.sessions.get().ref, 0, 2)
    assert row(alarm)["title"] == "Split 1 is slow"
    assert row(alarm)["detail"].startswith("0 rounds an hour at ")
    # A void round is none, and one of more than an hour ago is none of this hour.
    factories.void(factories.open_round(at))
    for _ in range(2):
        factories.settled_round(at, factories.FOLDS)
    owner("tables_round", "opened_at = now() - interval '2 hours'", "table_id = 1 AND number = 2")
    assert alarms.look() == (0, 0)
    factories.settled_round(at, factories.FOLDS)
    assert over(alarm)
    for _ in range(2):
        factories.settled_round(at, factories.FOLDS)
    fast = raised(KIND.PACE)
    assert (fast.value, fast.bound) == (4, 3)
    assert row(fast)["title"] == "Split 1 is fast"
    held = factories.hold(factories.open_round(at))
    assert alarms.look() == (1, 1)
    factories.release(held)
    assert alarms.look() == (1, 1)
    factories.void(held)
    factories.stop_session(at)
    assert alarms.look() == (0, 1)


def test_a_float_under_its_part_of_the_opener_alarms_until_a_fill_brings_it_back():
    at = factories.table()
    factories.set_setting(99, name="float_low_percent")
    assert alarms.look() == (0, 0)
    factories.mount(at)
    factories.buy_in(at, 200_000)
    alarm = raised(KIND.FLOAT_LOW)
    assert (alarm.subject, alarm.bound) == (at.sessions.get().ref, 99)
    assert alarm.value < 99
    shown = row(alarm)
    assert (shown["title"], shown["href"]) == ("Split 1: float is low", "/tables/1/slips/new/")
    assert row(alarm, "david")["href"] == "/tables/1/session/"
    assert row(alarm, "david")["may"] is False
    factories.receive(factories.issue(factories.slip(at, chips={"10000": 20})))
    assert over(alarm)


@pytest.mark.parametrize("kind", [KIND.VOID_RATE, KIND.CORRECTION_RATE])
def test_many_voids_or_corrections_of_a_session_alarm_once_enough_rounds_are_settled(kind):
    at = factories.table()
    factories.set_setting(3, name="rate_rounds")
    factories.set_setting(33, name=f"{kind}_percent")
    for _ in range(2):
        settled = factories.settled_round(at)
    if kind == KIND.VOID_RATE:
        factories.void(factories.open_round(at))
    else:
        factories.correct(settled, {"boxes[0].cards": ["3s", "3d", "5s", "6s", "8s"]})
    assert alarms.look() == (0, 0)
    factories.settled_round(at, factories.FOLDS)
    alarm = raised(kind)
    assert (alarm.subject, alarm.value, alarm.bound) == (at.sessions.get().ref, 34, 33)
    assert row(alarm)["detail"].startswith("34 of 100 rounds by ")
    factories.settled_round(at, factories.FOLDS)
    assert over(alarm)


def test_the_house_alarms_while_its_log_is_not_sealed_and_while_a_difference_waits_to_be_accepted(settings, tmp_path):
    settings.LOG_KEYS, settings.ANCHOR_FILE = str(stack.seed_folder() / "keys"), str(tmp_path / "checkpoints")
    factories.set_setting(1, name="seal_seconds")
    # Nothing was sealed yet: that the house is not set up, the probe says.
    waiting.until(lambda: not status.measure()["ok"])
    assert alarms.look() == (0, 0)
    seal.keep_up(within=5)
    with transaction.atomic():
        log.record_all(log.HOUSE, [log.Record("history.read", "history", {"what": "search"})])
    waiting.until(lambda: status.unsealed_seconds() > 1)
    alarm = raised(KIND.SEAL_LATE)
    assert (alarm.subject, alarm.table, alarm.bound) == ("house", None, 1)
    assert (row(alarm, "karl")["title"], row(alarm, "karl")["may"]) == ("The log isn’t sealed", True)
    seal.keep_up(within=5)
    assert over(alarm)
    factories.set_setting(3600, name="seal_seconds")
    with sealer.connected():
        inspection = inspections.begin(Inspection.Kind.ALL)
        for box in (1, 2):
            Finding.objects.create(
                inspection=inspection, subject=f"round:{box}", what="tables_round", sentence="Other."
            )
    alarm = raised(KIND.LOG_DAMAGED)
    assert (alarm.subject, alarm.value, alarm.bound) == (f"inspection:{inspection.pk}", 2, None)
    assert row(alarm)["href"] == "/alarms/"
    assert (row(alarm, "david")["href"], row(alarm, "david")["may"]) == ("/admin/audit/inspection/", False)
    for number, finding in enumerate(Finding.objects.all(), 1):
        with transaction.atomic():
            inspections.accept(findings=[finding.pk], reason="A restore.", by=factories.person("david"))
        assert alarms.look() == (0, number - 1)
    alarm.refresh_from_db()
    assert alarm.over_at
    with sealer.connected():
        assert look_at_alarms(0, alarm.pk, {}) == (2, [])


def test_a_person_who_is_locked_out_alarms_in_the_house_until_it_is_lifted(settings):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        Client().post("/login/", {"username": "anna", "password": "wrong"})
    anna = factories.person("anna")
    alarm = raised(KIND.LOCK_OUT)
    assert (alarm.subject, alarm.table, alarm.value, alarm.bound) == (anna.ref, None, 5, 5)
    assert row(alarm)["title"] == f"Staff {anna.pk}, {anna.name} is locked out"
    assert row(alarm)["href"].endswith("/enrol/")
    assert row(alarm, "karl")["may"] is True
    assert (row(alarm, "david")["may"], row(alarm, "david")["href"]) == (False, "/alarms/")
    lockout.lift(anna)
    assert over(alarm)


def test_all_are_looked_for_in_three_statements_however_many_tables_there_are():
    with CaptureQueriesContext(connection) as queries:
        assert alarms.look() == (0, 0)
    assert len(queries) <= 4
