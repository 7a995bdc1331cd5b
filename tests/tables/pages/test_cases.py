"""The pages of cases: an alarm is told once, and people are told by name and by what they were."""

import re

import pytest
from django.urls import reverse

from payouts import ledger
from tables.models import Alarm
from tables.verbs import alarms

from ...support import factories
from ...support.factories import client, person

UNSEEN = re.compile(r'<li [^>]*data-test="([^"]*)"[^>]*hidden>')
pytestmark = pytest.mark.usefixtures("seeded_db")


def test_the_alarm_of_a_case_is_told_at_the_case_and_not_above_it_once_more():
    at = factories.table()
    case = factories.vary_session(at)
    factories.call(at)
    alarms.look()
    alarm = Alarm.objects.get(kind="closer_variance")
    answer = client("clara").get(reverse("cases"))
    (row,) = answer.context["listed"]["groups"][0]["rows"]
    assert (row["id"], row["alarm"]) == (case.pk, "Nobody is looking into it yet")
    rows = f"{reverse('calls')}?cases={case.pk}"
    assert f'data-rows="{rows}"' in answer.content.decode()
    # It is there for the tone, unseen; the call stands as ever.
    for page in (answer, client("clara").get(rows)):
        assert UNSEEN.findall(page.content.decode()) == [f"alarm-{alarm.pk}"]
    page = client("clara").get(reverse("case", args=[case.pk])).content.decode()
    assert f'data-to="/api/v1/alarms/{alarm.pk}/take/"' in page
    assert UNSEEN.findall(client("clara").get(reverse("calls")).content.decode()) == []
    factories.take(alarm)
    assert client("clara").get(reverse("case", args=[case.pk])).context["alarm"] is None


def test_people_stand_in_a_case_by_name_and_by_what_they_were():
    case = factories.vary_session(factories.table())
    facts = {
        fact["label"]: fact["value"]
        for fact in client("david").get(reverse("case", args=[case.pk])).context["case"]["facts"]
    }
    assert facts["Owner"] == f"{case.owner.named} (pit boss)"
    assert f"{person('clara').named} (pit boss)" in facts["Closing signed by"]
    assert f"{person('hugo').named} (cage)" in facts["Closing signed by"]


def test_names_are_read_where_no_guest_looks_on_and_numbers_at_a_table():
    at = factories.table()
    settled, slip = factories.settled_round(at), factories.slip(at)
    factories.close_session(factories.table("T2"), factories.pile(ledger.balance(factories.table("T2").float_account)))
    anna, clara = person("anna"), person("clara")
    for login, path in (("hugo", f"/rounds/{settled.pk}/"), ("hugo", f"/slips/{slip.pk}/"), ("hugo", "/")):
        assert (anna if path == "/" or "rounds" in path else clara).named in client(login).get(path).content.decode(), (
            path
        )
    for path in (f"/rounds/{settled.pk}/", f"/slips/{slip.pk}/", f"/tables/{at.pk}/terminal/"):
        page = client("anna").get(path).content.decode()
        assert "Staff" in page, path
        assert {each.name for each in (anna, clara) if each.name in page} == set(), path
