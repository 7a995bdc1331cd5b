"""The pages of tips: what is to be counted and by whom, and nothing before both have counted."""

import itertools
import re

import pytest
from django.db import transaction

from casino.roles import Role
from tables.models import GamingDay
from tables.people import staff
from tables.verbs import tips
from tables.words import tips as words

from ...support import factories
from ...support.factories import client, person, table

pytestmark = pytest.mark.usefixtures("seeded_db")


def text(login, path):
    answer = client(login).get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return re.sub(r"[ \n]+", " ", answer.content.decode())


def of(date):
    return f"/tips/{tips.number_of(date)}/"


def test_the_list_has_the_days_that_wait_those_with_open_tables_and_those_counted():
    assert "No tips were entered yet." in text("olga", "/tips/")
    due = factories.day_with_tips(123_400)
    factories.tip(table(), 500)
    for login in ("clara", "frank", "hugo", "olga", "david", "ida"):
        page = text(login, "/tips/")
        assert "Not counted" in page
        assert "tables are open" in page
        assert "1\u2009234" not in page
    assert "Split 1" in text("clara", of(table().sessions.get().business_date))
    factories.counted_tips(due, {"50000": 2})
    assert "1\u2009000" in text("clara", "/tips/")


def test_the_count_is_for_the_count_team_and_blind():
    date = factories.day_with_tips(123_400)
    path = f"{of(date)}count/"
    assert client("clara").get(path).status_code == 404
    factories.count_tips(date, {"50000": 2}, by="olga")
    for login in ("olga", "petra"):
        for page in (text(login, path), text(login, of(date))):
            assert "1\u2009234" not in page
            assert "1\u2009000" not in page
    assert "One person has counted." in text("petra", of(date))
    factories.count_tips(date, {"50000": 2}, by="petra")
    page = text("petra", path)
    assert "Entered at the tables" in page
    assert "1\u2009234" in page
    factories.sign_tips(date, reason="Two chips are gone.")
    assert client("olga").get(path).headers["Location"] == of(date)
    page = text("clara", of(date))
    assert "Two chips are gone." in page
    assert "\u2212234" in page


def test_days_that_are_not_there():
    today = GamingDay.objects.get().pk
    for path in ("/tips/99999/", "/tips/0/", "/tips/99999999999999999999/", f"/tips/{today}/"):
        assert client("olga").get(path).status_code == 404
    assert client("olga").get(f"/tips/{today}/count/").headers["Location"] == "/tips/"
    assert client("olga").get("/tips/99999/count/").status_code == 404


def test_the_croupier_s_page_has_the_tips_of_the_session():
    path = f"/tables/{table().pk}/tip/"
    assert "In this session" not in text("anna", path)
    factories.tip(table(), 123_400)
    assert "1\u2009234" in text("anna", path)
    factories.stop_session(table())
    assert "no tips can be entered" in text("anna", path)


def test_who_may_count_is_not_told_what_the_account_of_the_tips_holds():
    factories.day_with_tips(123_400)
    page = "/admin/payouts/account/?kind__exact=tips"
    assert "1\u2009234" in text("hugo", page)
    with transaction.atomic():
        staff.post(staff=person("hugo"), role=Role.COUNT_TEAM, pit=None, actor=factories.actor("ida", "frank"))
    assert "1\u2009234" in text("david", page)
    assert "1\u2009234" not in text("hugo", page)


def test_a_page_hears_of_what_happens_to_a_day():
    seen = [words.standing(person("olga"))]
    date = factories.day_with_tips()
    seen.append(words.standing(person("olga")))
    factories.count_tips(date, {}, by="olga")
    seen.append(words.standing(person("olga")))
    factories.count_tips(date, {}, by="petra")
    factories.sign_tips(date, reason="Empty.")
    seen.append(words.standing(person("olga")))
    assert all(one != other for one, other in itertools.pairwise(seen))
    assert words.standing(person("anna")) is None
