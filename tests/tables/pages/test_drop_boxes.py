"""The pages of drop boxes and buy-ins: what is to be done, by whom, and nothing before both have counted."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import DropBox
from tables.words import calls
from tables.words import drop_boxes as words

from ...support import factories
from ...support.factories import client, person, table

pytestmark = pytest.mark.usefixtures("seeded_db")


def text(login, path):
    answer = client(login).get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return re.sub(r"[ \n]+", " ", answer.content.decode())


def full():
    drop_box = factories.mount(table())
    factories.buy_in(table(), 123_400)
    return drop_box


def test_the_list_has_what_is_mounted_and_what_waits_and_where_one_can_be_mounted():
    assert "none waits to be counted" in text("olga", "/drop-boxes/")
    page = text("clara", "/drop-boxes/")
    assert f'href="/tables/{table().pk}/drop-boxes/new/"' in page
    drop_box = full()
    page = text("clara", "/drop-boxes/")
    assert f'href="/tables/{table().pk}/drop-boxes/new/"' not in page
    assert "Drop box 101" in page
    factories.take_off(drop_box)
    for login in ("anna", "clara", "hugo", "olga", "david", "ida"):
        assert "Not counted" in text(login, "/drop-boxes/")
    factories.counted_drop(drop_box, {"50000": 2})
    assert "Counted" in text("clara", "/drop-boxes/")


def test_a_seal_is_on_no_page_before_the_box_is_off():
    drop_box = factories.mount(table(), seal="SECRET-1")
    assert "SECRET-1" not in text("clara", f"/drop-boxes/{drop_box.pk}/")
    factories.take_off(drop_box, seal="OTHER-2")
    page = text("clara", f"/drop-boxes/{drop_box.pk}/")
    assert "Another seal." in page
    assert "SECRET-1" in page


def test_the_count_is_for_the_count_team_and_blind():
    drop_box = factories.take_off(full())
    path = f"/drop-boxes/{drop_box.pk}/count/"
    assert client("clara").get(path).status_code == 404
    factories.count_drop(drop_box, {"50000": 2}, by="olga")
    for login in ("olga", "petra"):
        page = text(login, path)
        assert "1\u2009234" not in page
        assert "1\u2009000" not in page
        assert "1\u2009234" not in text(login, f"/drop-boxes/{drop_box.pk}/")
    factories.count_drop(drop_box, {"50000": 2}, by="petra")
    page = text("petra", path)
    assert "Recorded at the table" in page
    assert "1\u2009234" in page
    factories.sign_drop(drop_box, reason="Two notes are gone.")
    assert client("olga").get(path).headers["Location"] == f"/drop-boxes/{drop_box.pk}/"
    page = text("clara", f"/drop-boxes/{drop_box.pk}/")
    assert "Two notes are gone." in page
    assert "\u2212234" in page


def test_the_page_of_a_buy_in_says_what_is_missing_and_what_was_sold():
    path = f"/tables/{table().pk}/buy-in/"
    assert "No drop box is mounted, so no chips can be sold for cash." in text("anna", path)
    full()
    page = text("anna", path)
    assert 'name="box" value="6"' in page
    assert "1\u2009234" in page
    factories.take_off(DropBox.objects.get())
    factories.stop_session(table())
    assert "no chips can be sold" in text("anna", path)


def test_the_session_s_page_leads_to_its_drop_box_and_its_form_says_why_the_win_is_not_known():
    session = table().sessions.get()
    assert "Without one, no chips can be sold" in text("clara", f"/sessions/{session.pk}/")
    drop_box = full()
    assert f'href="/drop-boxes/{drop_box.pk}/"' in text("clara", f"/sessions/{session.pk}/")
    factories.take_off(drop_box)
    factories.close_session(table(), {100: 100})
    page = text("clara", f"/sessions/{session.pk}/")
    assert "Win by the count, ESTIMATE" in page
    assert "The drop isn’t counted." in page
    assert "Drop box 101, not counted" in page
    factories.counted_drop(drop_box, {"50000": 2})
    page = text("clara", f"/sessions/{session.pk}/")
    assert "Win by the count, FINAL" in page


def test_a_page_hears_of_what_happens_to_a_box():
    before = words.standing(person("olga"))
    drop_box = full()
    mounted = words.standing(person("olga"))
    assert before != mounted
    factories.take_off(drop_box)
    off = words.standing(person("olga"))
    factories.count_drop(drop_box, {}, by="olga")
    assert words.standing(person("olga")) != off != mounted
    assert words.standing(factories.stranger()) is None


def asked():
    """The queries by which the pit boss's list of what waits is made, and its titles."""
    with CaptureQueriesContext(connection) as queries:
        rows = calls.listed(person("clara"))
    return [query["sql"] for query in queries if "tables_dropbox" in query["sql"]], [row["title"] for row in rows]


def test_boxes_with_another_seal_or_a_variance_are_on_the_pit_boss_s_list_by_one_query():
    drop_box = full()
    factories.take_off(drop_box, seal="S-9")
    factories.counted_drop(drop_box, {"50000": 2})
    factories.take_off(factories.mount(table("T2"), "202"), seal="S-9")
    queries, titles = asked()
    assert sorted(titles) == [
        "Split 1, Drop box 101 \u2212234",
        "Split 1, Drop box 101: another seal",
        "Split 2, Drop box 202: another seal",
    ]
    assert len(queries) == 1
