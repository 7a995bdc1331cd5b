"""An alarm that nobody takes is for the pit bosses of all pits, and the list of the last days says who came when."""

import json

import pytest

from tables.models import Alarm
from tables.verbs import alarms
from tables.words import calls

from ...support import factories


@pytest.fixture
def left(seeded_db, owner_connection):
    """Lets a call or an alarm have been raised minutes ago, as the owner: no command can."""

    def since(alarm, minutes):
        owner_connection.execute("ALTER TABLE tables_alarm DISABLE TRIGGER USER")
        owner_connection.execute(
            "UPDATE tables_alarm SET raised_at = now() - make_interval(mins => %s, secs => 5) WHERE id = %s",
            [minutes, alarm.pk],
        )
        owner_connection.execute("ALTER TABLE tables_alarm ENABLE TRIGGER USER")
        return alarm

    return since


def rows(login):
    return calls.listed(factories.person(login))


def send(login, path, body=None):
    return factories.send(factories.client(login), f"/api/v1/{path}", json.dumps(body or {}))


def test_a_call_that_nobody_takes_goes_to_all_pits_and_whoever_comes_first_has_it(left):
    call = left(factories.call(factories.table()), 4)
    heard = calls.standing(factories.person("frank"))
    assert (rows("frank"), rows("clara")[0]["left"], rows("clara")[0]["more"]) == ([], False, "")
    assert send("frank", f"alarms/{call.pk}/take/").status_code == 404
    left(call, 7)
    (own,), (far,) = rows("clara"), rows("frank")
    assert own["more"] == far["more"] == "Nobody has come for 7 min"
    assert (far["left"], far["may"], far["href"]) == (True, True, "/alarms/")
    assert (own["may"], own["href"]) == (True, "/tables/1/terminal/")
    # The auditor reads it, and takes none; the croupiers and the cage have no such list.
    assert [row["may"] for row in rows("david")] == [False]
    assert rows("anna") is rows("hugo") is None
    assert send("david", f"alarms/{call.pk}/take/").status_code == 403
    assert calls.standing(factories.person("frank")) != heard
    assert 'data-test="call-' in factories.client("frank").get("/calls/").content.decode()
    assert "data-left" in factories.client("frank").get("/calls/").content.decode()
    assert "data-left" not in factories.client("david").get("/calls/").content.decode()
    answer = send("frank", f"alarms/{call.pk}/take/", {"word": "I was near."})
    assert (answer.status_code, answer.json()["taken_by"]) == (200, factories.person("frank").ref)
    late = send("karl", f"alarms/{call.pk}/take/")
    assert (late.status_code, late.json()["code"]) == (409, "alarm_taken")
    # Whoever came says that it is over, from the other pit too.
    (far,) = rows("frank")
    assert (far["left"], far["state"], far["button"], far["may"]) == (False, "taken", "Done", True)
    assert send("frank", f"alarms/{call.pk}/over/").status_code == 200
    assert rows("frank") == rows("clara") == []


def test_the_house_sets_how_long_and_a_call_that_was_taken_in_time_stays_in_its_pit(left):
    factories.set_setting(2, name="alarm_escalation_minutes")
    call = left(factories.call(factories.table()), 3)
    assert len(rows("karl")) == 1
    factories.set_setting(10, name="alarm_escalation_minutes")
    assert rows("karl") == []
    factories.take(call)
    left(call, 9)
    assert rows("karl") == []
    assert send("karl", f"alarms/{call.pk}/over/").status_code == 404


def test_the_list_of_the_last_days_says_who_took_what_after_how_long_and_how_long_it_stood(left, owner_connection):
    call = left(factories.call(factories.table()), 12)
    factories.end(factories.take(call, word="<b>Swapped</b> the scanner."))
    held = factories.hold(factories.open_round(factories.table("T2")))
    alarms.look()
    clara = factories.client("clara")
    page = clara.get("/alarms/").content.decode()
    for words in ("Call for a pit boss", "after 12 min", "lasted 12 min", "&lt;b&gt;Swapped&lt;/b&gt; the scanner."):
        assert words in page
    assert f"round {held}" in page
    assert "Stands" in page
    only = clara.get("/alarms/?kind=round_held&table=2").content.decode()
    assert "lasted 12 min" not in only
    assert f"round {held}" in only
    assert "No such call or alarm" in clara.get("/alarms/?kind=call&table=2").content.decode()
    assert "No such call" not in clara.get("/alarms/?kind=other&table=x").content.decode()
    # Of another pit nothing, but for what nobody took in time.
    frank = factories.client("frank").get("/api/v1/alarms/recent/").json()["alarms"]
    assert [alarm["id"] for alarm in frank] == [call.pk]
    recent = clara.get("/api/v1/alarms/recent/").json()["alarms"]
    assert [alarm["kind"] for alarm in recent] == ["round_held", "call"]
    of_table = clara.get("/api/v1/tables/2/alarms/").json()["alarms"]
    assert [alarm["of"] for alarm in of_table] == [held.ref]
    assert factories.client("frank").get("/api/v1/tables/2/alarms/").status_code == 404
    left(call, 8 * 24 * 60)
    assert "lasted" not in clara.get("/alarms/?kind=call").content.decode()
    assert factories.client("anna").get("/alarms/").status_code == 404
    assert Alarm.objects.count() == 2
