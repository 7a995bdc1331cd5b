"""Alarms that the rows raise and end by themselves: once, whoever looks, and as long as their reason stands."""

import json

import pytest

from audit.models import Entry
from tables.management.commands.seed_demo import OPENER
from tables.models import Alarm
from tables.verbs import alarms
from tables.words import calls

from ...support import factories


@pytest.fixture
def aged(seeded_db, owner_connection):
    """Sets a time of a slip back, that at which its chips set out, as the owner: no command can."""

    def age(slip, minutes, moment="issued_at"):
        owner_connection.execute("ALTER TABLE tables_slip DISABLE TRIGGER USER")
        owner_connection.execute(
            f"UPDATE tables_slip SET {moment} = now() - make_interval(mins => %s, secs => 5) WHERE id = %s",
            [minutes, slip.pk],
        )
        owner_connection.execute("ALTER TABLE tables_slip ENABLE ALWAYS TRIGGER moves")
        return slip

    return age


def on_its_way(kind="fill", table=None):
    return factories.issue(factories.slip(table or factories.table(), kind))


def entries(alarm):
    return [
        (entry.chain_id, entry.event, json.loads(entry.body)["by"], json.loads(entry.body)["facts"])
        for entry in Entry.objects.filter(subject=alarm.ref).order_by("seq")
    ]


@pytest.mark.parametrize("kind", ["fill", "credit", "change"])
def test_a_slip_alarms_once_when_it_is_late_until_it_is_received(aged, kind):
    slip = on_its_way(kind)
    assert alarms.look() == (0, 0)
    aged(slip, 14)
    assert alarms.look() == (0, 0)
    aged(slip, 16)
    assert [alarms.look(), alarms.look()] == [(1, 0), (0, 0)]
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.table, alarm.raised_by) == ("slip_late", slip.ref, slip.table, None)
    assert (alarm.value, alarm.bound) == (16, 15)
    factories.take(alarm, word="The carrier waits at the lift.")
    assert alarms.look() == (0, 0)
    factories.receive(slip)
    assert [alarms.look(), alarms.look()] == [(0, 1), (0, 0)]
    alarm.refresh_from_db()
    raised, taken, over = entries(alarm)
    facts = {"alarm": alarm.ref, "kind": "slip_late", "of": slip.ref, "value": 16, "limit": 15}
    assert raised == ("table:1", "alarm.raised", "system", facts)
    assert taken[1:3] == ("alarm.taken", factories.person("clara").ref)
    assert over == ("table:1", "alarm.over", "system", {"alarm": alarm.ref})


def test_what_is_sent_back_is_over_though_nobody_took_it(aged):
    slip = aged(on_its_way(), 20)
    alarms.look()
    factories.send_back(slip)
    assert alarms.look() == (0, 1)
    assert Alarm.objects.get().taken_by is None


def test_a_slip_that_only_was_asked_for_is_never_late(aged):
    aged(factories.slip(factories.table()), 1000, "requested_at")
    assert alarms.look() == (0, 0)


def test_the_house_sets_how_long_a_slip_may_be_on_its_way(aged):
    factories.set_setting(5, name="slip_minutes")
    slip = aged(on_its_way(), 5)
    assert alarms.look() == (1, 0)
    assert Alarm.objects.get().bound == 5
    # Who takes the limit up takes the alarm away, and both are entries of the log.
    factories.set_setting(6, name="slip_minutes")
    assert alarms.look() == (0, 1)
    aged(slip, 6)
    assert alarms.look() == (1, 0)


def test_two_who_look_at_once_raise_it_once_and_end_it_once(aged):
    slips = [aged(on_its_way(), 16), aged(on_its_way(table=factories.table("T2")), 16)]
    assert sorted(map(sum, zip(*factories.at_once(alarms.look, alarms.look), strict=True))) == [0, 2]
    assert Alarm.objects.standing().count() == 2
    for slip in slips:
        factories.send_back(slip)
    assert sorted(map(sum, zip(*factories.at_once(alarms.look, alarms.look), strict=True))) == [0, 2]
    assert Entry.objects.filter(event="alarm.over").count() == 2


def test_nobody_says_of_it_that_it_is_over(aged):
    slip = aged(on_its_way(), 16)
    alarms.look()
    alarm = factories.take(Alarm.objects.get())
    refused = factories.refused("alarm_measured", alarms.end, alarm_id=alarm.pk, actor=factories.actor("clara"))
    assert refused.way_out == "Receive the slip, or send it back."
    refused = factories.refused("alarm_taken", alarms.take, alarm_id=alarm.pk, word="", actor=factories.actor("frank"))
    assert refused.message == f"Staff {factories.person('clara').pk} has already taken this alarm."
    assert Alarm.objects.standing().get().subject == slip.ref


def test_the_pit_boss_sees_it_first_and_is_led_to_the_slip(aged):
    slip = aged(on_its_way(), 16)
    alarms.look()
    clara = factories.client("clara")
    shown = clara.get("/calls/").content.decode()
    assert f"{slip} is late" in shown
    assert "limit 15 min" in shown
    assert "I’ll handle it" in shown
    assert f'href="/slips/{slip.pk}/"' in shown
    page = clara.get(f"/slips/{slip.pk}/").content.decode()
    assert "late, limit 15 min" in page
    assert "slip-row is-late" in page
    late = clara.get("/api/v1/alarms/").json()["alarms"][0]
    assert (late["kind"], late["of"], late["value"], late["limit"], late["raised_by"]) == (
        "slip_late", slip.ref, 16, 15, None,
    )  # fmt: skip
    factories.take(Alarm.objects.get())
    shown = clara.get("/calls/").content.decode()
    assert "Clara" in shown
    assert "Go there" in shown


def test_an_opener_and_a_closer_outside_what_the_house_lets_pass_alarm_until_somebody_takes_it(seeded_db):
    table = factories.table("T1")
    closed = factories.close_session(table, OPENER | {500: 99})
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.value, alarm.bound) == ("closer_variance", closed.ref, -500, 0)
    assert alarms.look() == (0, 0)
    refusal = factories.refused("alarm_measured", alarms.end, alarm_id=alarm.pk, actor=factories.actor("clara"))
    assert refusal.way_out == "Take it: then it’s over."
    factories.take(alarm, word="The camera shows it.")
    alarm.refresh_from_db()
    assert (alarm.taken_by.login, bool(alarm.over_at)) == ("clara", True)
    assert [event for _, event, *_ in entries(alarm)] == ["alarm.raised", "alarm.taken", "alarm.over"]
    refusal = factories.refused("alarm_taken", alarms.take, alarm_id=alarm.pk, word="", actor=factories.actor("clara"))
    assert refusal.detail["staff"] == factories.person("clara").pk
    factories.refused("alarm_over", alarms.end, alarm_id=alarm.pk, actor=factories.actor("clara"))

    opened = factories.open_session(table, OPENER)
    alarm = Alarm.objects.standing().get()
    assert (alarm.kind, alarm.subject, alarm.value) == ("opener_variance", opened.ref, 500)
    row = next(row for row in calls.listed(factories.person("clara")) if row["key"] == f"alarm-{alarm.pk}")
    assert (row["title"], row["href"]) == ("Split 1, opener +5", f"/sessions/{opened.pk}/")
    assert row["detail"].endswith("allowed 0")


def test_what_the_house_lets_pass_does_not_alarm(seeded_db):
    factories.set_setting(500)
    factories.set_setting(500, name="opener_variance_units")
    table = factories.table("T1")
    factories.close_session(table, OPENER | {500: 99})
    factories.open_session(table, OPENER)
    assert not Alarm.objects.exists()
