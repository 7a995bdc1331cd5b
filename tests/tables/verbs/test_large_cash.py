"""Buy-ins of a box add up over a gaming day: an alarm before they are to be reported, and a list without names."""

import re

import pytest

from payouts import ledger
from tables.models import Alarm
from tables.verbs import buy_ins

from ...support import factories
from ...support.factories import buy_in, client, mount, table, take_off

pytestmark = pytest.mark.usefixtures("seeded_db")


def alarms():
    return [(each.box, each.value, each.bound) for each in Alarm.objects.filter(kind="large_cash").order_by("pk")]


def bought(units, *, box=2, of="T1"):
    buy_in(table(of), units, box=box, signed=True)


def test_an_alarm_comes_before_the_sum_is_reached_and_another_when_it_is():
    mount(table())
    bought(700_000)
    bought(700_000, box=3)
    assert alarms() == []
    bought(100_000)
    assert alarms() == [(2, 800_000, 1_000_000)]
    bought(100_000)
    assert len(alarms()) == 1
    bought(100_000)
    bought(100_000)
    assert alarms() == [(2, 800_000, 1_000_000), (2, 1_000_000, 1_000_000)]
    assert buy_ins.of_day(table(), 2, table().sessions.get().business_date) == 1_100_000
    alarm = Alarm.objects.earliest("pk")
    assert factories.take(alarm).over_at is not None


def test_one_buy_in_past_both_alarms_once():
    mount(table())
    bought(2_000_000)
    assert alarms() == [(2, 2_000_000, 1_000_000)]


def test_a_box_adds_up_over_drop_boxes_and_sessions_of_the_day_and_over_no_tables():
    first = mount(table())
    bought(500_000)
    take_off(first)
    chips = {100: ledger.balance(table().float_account) // 100}
    factories.carry_session(table(), chips)
    mount(table(), "102")
    mount(table("T2"), "103")
    bought(400_000, of="T2")
    assert alarms() == []
    bought(300_000)
    assert alarms() == [(2, 800_000, 1_000_000)]


def test_the_list_has_box_table_time_and_sum():
    mount(table())
    bought(700_000, box=3)
    bought(850_000)
    bought(1_200_000, box=5)
    page = re.sub(r"[ \n]+", " ", client("clara").get("/large-cash/").content.decode())
    rows = re.findall(r"<td>Split 1</td><td>(\d)</td>", page)
    assert rows == ["5", "2"]
    assert "12\u2009000" in page
    assert page.count("near</td>") == 1
    assert client("anna").get("/large-cash/").status_code == 404


def test_the_list_is_read_over_rest_by_table_and_box_and_nobody_s_name():
    mount(table())
    bought(800_000)
    answer = client("clara").get("/api/v1/large-cash/").json()
    (box,) = answer["boxes"]
    assert (answer["near"], answer["large"]) == (800_000, 1_000_000)
    assert set(box) == {"table", "business_date", "box", "units", "last_at", "reported"}
    assert (box["table"], box["box"], box["units"], box["reported"]) == (table().pk, 2, 800_000, False)
    # Out of her pit there is none for Frank.
    assert client("frank").get("/api/v1/large-cash/").json()["boxes"] == []
    assert client("anna").get("/api/v1/large-cash/").status_code == 403
