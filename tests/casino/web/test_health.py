"""`/readyz` and the alarm: broker and database away or silent, nobody waits, and settlement that is late is said."""

import http.client
import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from casino.running import stack as product
from casino.web import health
from tables.models import Round
from tables.verbs import lateness, settling

from ...support import factories, faulty, stack, waiting
from ...tables.terminal.test_live import Client
from ..test_logs import lines

BLIND = "ALARM: nobody can say whether settlement is late"


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """A stack of its own whose lines can be cut, in which settlement is late after two seconds."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock():
        with stack.django_on(database):
            factories.set_setting(2, name="settlement_seconds")
        with faulty.FaultyStack(database) as running:
            yield running


def readyz(floor):
    """(status, what was found), as a probe asks: without a login."""
    floor.keep_running()
    probe = http.client.HTTPConnection("127.0.0.1", floor.port, timeout=waiting.PATIENCE)
    begun = time.monotonic()
    probe.request("GET", "/readyz")
    answer = probe.getresponse()
    found = json.loads(answer.read())
    print(f"/readyz: {answer.status} after {time.monotonic() - begun:.1f} s")
    return answer.status, found


def until(floor, status, **states):
    """What is found once the answer has that status and the parts are in these states."""

    def found():
        given, told = readyz(floor)
        return given == status and all(told[name].get("state") == state for name, state in states.items()) and told

    return waiting.until(found)


def well(floor):
    """What is found once all is well: the demo's own entries are sealed, too."""
    return until(floor, 200)


def test_all_is_well_and_a_probe_learns_no_more_than_it_needs(floor):
    found = well(floor)
    told = found.pop("log")
    assert (told.pop("ok"), told.pop("state")) == (True, "sealed")
    assert set(told) == {"unsealed", "unsealed_seconds", "anchored_seconds", "unanchored_seconds"}
    nothing = {"due": 0, "oldest_seconds": 0, "held": 0, "held_by_system": 0}
    up = {"ok": True, "state": "up"}
    told = found.pop("inspection")
    assert (told["ok"], told["open"], set(told)) == (True, 0, {"ok", "state", "open", "looked_seconds"})
    assert found == {"ok": True, "database": up, "broker": up, "settlement": {"ok": True} | nothing}


def test_a_broker_that_is_killed_or_hangs_is_told_apart_and_nobody_waits_for_it(floor):
    """It hangs until its own end: each answer meanwhile came although nobody had anything from it."""
    os.kill(floor.broker.process.pid, signal.SIGSTOP)
    try:
        assert not until(floor, 503, broker="silent", database="up")["ok"]
    finally:
        os.kill(floor.broker.process.pid, signal.SIGCONT)
    until(floor, 200, broker="up")
    os.kill(floor.broker.process.pid, signal.SIGKILL)
    floor.broker.process.wait()
    until(floor, 503, broker="down")
    floor.broker.start()
    until(floor, 200, broker="up")


def test_while_the_worker_does_nothing_the_alarm_is_raised_once_said_on_the_screens_and_taken_back(floor):
    anna, ida = Client(floor, "anna"), Client(floor, "ida")
    terminal, admin = "/tables/1/terminal/felt/", "/admin/house/"
    assert b'data-test="late"' not in ida.send("GET", admin)[1]
    os.killpg(floor.worker.process.pid, signal.SIGSTOP)
    try:
        closed = anna.play(1)
        # The worker that stands still is the sealer, too, so that other parts may be the first to miss it.
        found = waiting.until(lambda: not (told := readyz(floor)[1])["settlement"]["ok"] and told)
        assert (found["ok"], found["settlement"]["due"]) == (False, 1)
        assert found["settlement"]["oldest_seconds"] > 2
        until(floor, 503)
        for client, path in ((anna, terminal), (ida, admin)):
            told = client.send("GET", path)[1].decode()
            assert "Settlement is late: 1 round has been waiting for " in told
        told = anna.send("GET", terminal)[1].decode()
        assert "Tell the pit boss. Once T1-00001 is settled, you’ll find its amounts on its page." in told
        assert f'href="/rounds/{closed["id"]}/"' in told
        alarms = waiting.until(lambda: said(floor, "ALARM: "))
    finally:
        os.killpg(floor.worker.process.pid, signal.SIGCONT)
    anna.until_settled(closed)
    waiting.until(lambda: said(floor, "ALARM over: "))
    assert [line["level"] for line in alarms + said(floor, "ALARM over: ")] == ["error", "warning"]
    assert said(floor, "ALARM: ") == alarms
    well(floor)
    assert b'data-test="late"' not in anna.send("GET", terminal)[1]
    assert b'data-test="late"' not in ida.send("GET", admin)[1]


def said(floor, begins):
    return [line for line in lines(floor.web) if line["event"].startswith(begins)]


def test_a_web_process_whose_servers_are_lost_lives_and_says_what_is_missing(floor):
    """Nobody listens where database and broker were, then somebody who takes connections and is silent."""
    lines_to = {"database": floor.database_line, "broker": floor.broker_line}
    well(floor)
    for how, state in (("down", "down"), ("hung", "silent"), ("normal", "up")):
        for line in lines_to.values():
            line.be(how)

        def stands(state=state):
            status, told = readyz(floor)
            states = {told[name]["state"] for name in lines_to}
            return states == {state} and (status == 200) == told["settlement"]["ok"] == (state == "up")

        waiting.until(stands)
        waiting.until(lambda: product.web_answers("127.0.0.1", floor.port))
        if state == "down":
            waiting.until(lambda: said(floor, BLIND))


# --- Measures ---


def test_however_many_ask_a_measure_is_made_once_a_second(monkeypatch):
    monkeypatch.setattr(health, "PATIENCE_SECONDS", waiting.PATIENCE)
    made, begun = [], time.monotonic()

    def measure():
        made.append(1)
        return {"ok": True}

    kept, until = health.Kept(measure), begun + waiting.PATIENCE
    with ThreadPoolExecutor(10) as pool:
        assert list(pool.map(lambda _: kept.answer(kept.ask(), until), range(50))) == [{"ok": True}] * 50
    waiting.until(lambda: kept.answer(kept.ask(), until) and len(made) > 1)
    assert len(made) <= 1 + (time.monotonic() - begun) / health.KEPT_SECONDS


def test_a_measure_that_hangs_is_not_begun_twice_and_is_good_again_when_it_comes_back():
    goes_on, begun = threading.Event(), []

    def measure():
        begun.append(1)
        goes_on.wait(waiting.PATIENCE)
        return {"ok": True}

    kept = health.Kept(measure)
    for _ in range(3):
        assert kept.answer(kept.ask(), time.monotonic() + 0.05) == {"ok": False, "state": "silent"}
    waiting.until(lambda: begun)
    assert begun == [1]
    goes_on.set()
    assert waiting.until(lambda: kept.answer(kept.ask(), time.monotonic() + 0.05)["ok"])


# --- What waits ---


@pytest.fixture
def one(seeded_db):
    """T1, where only what was closed an hour ago is late, however slow the machine is."""
    factories.set_setting(1800, name="settlement_seconds")
    return factories.table("T1")


@pytest.fixture
def an_hour_ago(owner_connection):
    """Lets rounds have been closed then, which the database lets nobody but its owner do."""

    def closed(*rounds):
        with owner_connection.transaction():
            owner_connection.execute("ALTER TABLE tables_round DISABLE TRIGGER USER")
            owner_connection.execute(
                "UPDATE tables_round SET closed_at = closed_at - interval '1 hour' WHERE id = ANY(%s)",
                [[each.pk for each in rounds]],
            )
            owner_connection.execute("ALTER TABLE tables_round ENABLE TRIGGER USER")

    return closed


def test_what_waits_is_counted_from_its_close_or_its_release_also_while_it_is_leased(one, an_hour_ago):
    assert lateness.waiting() == (0, 0, 0, 0, False)
    played = [factories.play_round(one, factories.FOLDS) for _ in range(4)]
    factories.hold(played[2])
    factories.hold(played[3])
    an_hour_ago(played[3])
    found = lateness.waiting()
    assert (found.due, found.held, found.held_by_system, found.late) == (2, 2, 0, False)
    an_hour_ago(played[0])
    settling.lease()
    found = lateness.waiting()
    assert (found.due, found.late) == (2, True)
    assert 3600 <= found.oldest_seconds < 7200
    Round.objects.filter(pk=played[0].pk).update(failures=7, leases=0, next_at=Now())
    with transaction.atomic():
        settling._fail(played[0].pk, "for the eighth time")
    assert lateness.waiting()[2:4] == (3, 1)
    # Held an hour, released now: nobody could have settled it before.
    factories.release(played[3])
    found = lateness.waiting()
    assert (found.due, found.held, found.held_by_system, found.late) == (2, 2, 1, False)


def late_on(client, table):
    """What the terminal says of it, and whether it counted what waits in the house."""
    with CaptureQueriesContext(connection) as asked:
        shown = client.get(f"/tables/{table.pk}/terminal/").context["screen"]
    return shown["late"], any("held_by" in query["sql"] or "released.at" in query["sql"] for query in asked)


def test_a_terminal_asks_only_where_its_own_round_waits_for_too_long(one, an_hour_ago):
    anna, boris = factories.client("anna"), factories.client("boris")
    assert late_on(anna, one) == (None, False)
    closed = factories.play_round(one)
    assert late_on(anna, one) == (None, False)
    an_hour_ago(closed)
    late, asked = late_on(anna, one)
    assert late["fact"].startswith("Settlement is late: 1 round has been waiting for 60 min ")
    assert asked
    assert late_on(boris, factories.table("T2")) == (None, False)
    # It is said while the next round is played, too.
    factories.open_round(one)
    assert late_on(anna, one)[0]["id"] == closed.pk
    settling.settle_due()
    assert late_on(anna, one) == (None, False)


def test_the_alarm_is_said_once_an_episode(one, an_hour_ago, caplog):
    def looked():
        caplog.clear()
        alarm.look()
        return [(record.levelname, record.getMessage().split(":")[0]) for record in caplog.records]

    alarm, closed = lateness.Alarm(), factories.play_round(one)
    assert looked() == []
    an_hour_ago(closed)
    assert [looked(), looked()] == [[("ERROR", "ALARM")], []]
    with stack.django_on("nowhere"):
        assert [looked(), looked()] == [[("ERROR", "ALARM")], []]
    assert looked() == [("ERROR", "ALARM")]
    settling.settle_due()
    assert [looked(), looked()] == [[("WARNING", "ALARM over")], []]
