"""The pages of gaming days: who reads them, what keeps one open and the way there, and figures that lead on."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts import ledger
from payouts.winning import Grade
from tables.management.commands.seed_demo import OPENER
from tables.models import GamingDay
from tables.people import access
from tables.verbs import floor
from tables.words import days as words

from ...support import factories
from ...support.factories import client, person, table

pytestmark = pytest.mark.usefixtures("seeded_db")


def text(login, path):
    answer = client(login).get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return re.sub(r"[ \n]+", " ", answer.content.decode())


def shown(day, login="clara"):
    return words.shown(day, person(login))


def test_who_answers_for_a_day_reads_it_and_nobody_else():
    day = GamingDay.objects.get()
    for login in ("clara", "frank", "hugo", "david", "ida"):
        assert f"Gaming day {day}" in text(login, f"/days/{day.pk}/")
    for login in ("anna", "olga"):
        for path in ("/days/", f"/days/{day.pk}/", f"/days/{day.pk}/tables/{table().pk}/"):
            assert client(login).get(path).status_code == 404


def test_the_way_to_the_days_leads_to_the_first_that_is_open():
    assert client("clara").get("/days/").headers["Location"] == f"/days/{GamingDay.objects.get().pk}/"
    earlier = factories.idle_day()
    assert client("clara").get("/days/").headers["Location"] == f"/days/{earlier.pk}/"


def test_each_thing_that_keeps_a_day_open_has_its_way_and_the_first_nine_a_key():
    day, earlier = GamingDay.objects.get(), factories.idle_day()
    slip, box = factories.slip(table()), factories.mount(table("T2"))
    factories.tip(table(), 500)
    left = shown(day)["obstacles"]
    ways = [each["to"] for each in left if each["to"]]
    assert {each["words"]: each["pit"] for each in left if not each["to"]} == {
        f"{other} isn’t closed yet.": other.pit.name
        for other in (table(code) for code in ("G1", "G2", "G3", "G4", "T3"))
    }
    assert [f"/days/{earlier.pk}/", "/cage/"] == [ways[0], ways[-1]]
    assert {f"/slips/{slip.pk}/", f"/drop-boxes/{box.pk}/", f"/tips/{day.pk}/", "/sessions/1/"} <= set(ways)
    assert [each["key"] for each in left if each["to"]] == [str(place) for place in range(1, len(ways) + 1)]
    assert [each["key"] for each in shown(day, "ida")["obstacles"]][:10] == [*"123456789", ""]
    for way in ways:
        assert client("clara").get(way).status_code == 200, way


def test_a_missing_count_is_no_0_and_in_no_sum():
    factories.close_session(table(), factories.pile(ledger.balance(table().float_account)))
    page = shown(GamingDay.objects.get())
    (floor,) = (pit for pit in page["pits"] if pit["name"] == table().pit.name)
    closers = [next(cell for cell in each["cells"] if cell["name"] == "closer") for each in (floor, *floor["tables"])]
    assert [cell["text"] for cell in closers] == ["53\u2009100", "53\u2009100", None]
    assert [cell["of"] for cell in closers] == ["1 of 2", "", ""]
    assert page["why"] == "6 of 7 tables not counted"


def test_the_variance_of_a_closed_session_stands_in_the_day_before_the_table_is_closed_again():
    at, day = table(), GamingDay.objects.get()
    factories.close_session(at, factories.pile(ledger.balance(at.float_account) - 500))
    second = factories.open_session(at, OPENER)
    page = shown(day)
    (floor,) = (pit for pit in page["pits"] if pit["name"] == at.pit.name)

    def variance(of):
        return next((cell["text"], cell["of"]) for cell in of["cells"] if cell["name"] == "variance")

    assert [variance(each) for each in (floor, *floor["tables"])] == [("−5", "1 of 3"), ("−5", "1 of 2"), (None, "")]
    assert variance(page["all"]) == ("−5", "1 of 8")
    of_table = words.of_table(day, at, person("clara"))
    assert variance(of_table) == ("−5", "1 of 2")
    assert [variance(sitting) for sitting in of_table["sittings"]] == [("−5", ""), (None, "")]
    assert of_table["sittings"][-1]["to_rounds"] == f"/sessions/{second.pk}/rounds/"
    assert words.of_table(day, at, person("hugo"))["sittings"][-1]["to_rounds"] == f"/sessions/{second.pk}/"


def test_each_figure_leads_to_its_table_and_from_there_to_what_it_is_made_of():
    drop_box = factories.mount(table())
    factories.buy_in(table(), 123_400)
    day = GamingDay.objects.get()
    of_table = f"/days/{day.pk}/tables/{table().pk}/"
    assert f'href="{of_table}">1\u2009234</a>' in text("david", f"/days/{day.pk}/")
    page = text("david", of_table)
    assert f"Drop box {drop_box.number} isn’t counted." in page
    (sold,) = (part for part in words.of_table(day, table(), person("david"))["parts"] if part["label"] == "Buy-ins")
    (row,) = sold["rows"]
    assert (row["to"], row["amount"]) == (f"/sessions/{drop_box.session_id}/", "1\u2009234")
    assert client("david").get("/days/1/tables/99999/").status_code == 404


def test_a_closed_day_says_who_signed_and_what_its_digest_is():
    day = factories.close_day(factories.end_day())
    day.refresh_from_db()
    page = text("david", f"/days/{day.pk}/")
    assert "FINAL" in page
    assert "Hugo Hahn" in page
    assert day.digest[:8] in page
    assert "Close the day" not in text("clara", f"/days/{day.pk}/")


def test_more_tables_take_no_more_queries():
    day = GamingDay.objects.get()
    factories.close_session(table(), factories.pile(ledger.balance(table().float_account)))
    with CaptureQueriesContext(connection) as before:
        shown(day)
    for code in ("T2", "T3", "G1"):
        factories.close_session(table(code), factories.pile(ledger.balance(table(code).float_account)))
    with CaptureQueriesContext(connection) as after:
        shown(day)
    assert len(after) <= len(before)


def test_the_hold_of_several_is_their_win_of_their_drop_those_without_a_drop_too():
    drop_box = factories.mount(table())
    factories.buy_in(table(), 10_000)
    factories.settled_round(table("T2"))
    day = factories.end_day()
    drop_box.refresh_from_db()
    page = shown(day)
    (floor,) = (pit for pit in page["pits"] if pit["name"] == table().pit.name)
    one, two, both = ({cell["name"]: cell["text"] for cell in each["cells"]} for each in (*floor["tables"], floor))
    # T2 lost without a drop: it has no hold, and its loss is in that of both.
    assert (one["win"], one["drop"], one["hold"]) == ("0", "100", "0.0")
    assert (two["win"], two["drop"], two["hold"]) == ("−95", "0", "")
    assert (both["win"], both["drop"], both["hold"]) == ("−95", "100", "−95.0")
    assert [(fact["label"], fact["value"]) for fact in page["facts"][:2]] == [("Win", "−95"), ("Drop", "100")]


def cell(of, name):
    """A figure of a row: its text, its grade and what stands below it."""
    return next((each["text"], each["grade"], each["of"]) for each in of["cells"] if each["name"] == name)


def test_an_open_table_has_the_floor_s_estimate_for_those_who_read_its_floor():
    at, day = table(), GamingDay.objects.get()
    factories.settled_round(at)
    factories.raked_table()
    box = factories.mount(at)
    factories.take_off(box)
    factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    factories.open_session(at, OPENER)
    factories.settled_round(at)
    factories.stop_session(table("T2"))

    def rows(login):
        return {each["name"]: each for pit in shown(day, login)["pits"] for each in (pit, *pit["tables"])}

    seen = rows("david")
    assert cell(seen[at.name], "win") == ("−95", "ESTIMATE", "1 of 2 sessions")
    places = {place.name: place for place in floor.now(access.EVERYWHERE).places}
    assert (places[at.name].day.units, places[at.name].day.grade) == (-9_500, Grade.ESTIMATE)
    assert "The closer is being counted." in seen[table("T2").name]["why"]
    assert "The players play for a pot: the float wins nothing." in seen["Genpoker 1"]["why"]
    assert cell(seen[table("T3").name], "win") == ("0", "ESTIMATE", "")
    (win,) = (fact for fact in shown(day, "david")["facts"] if fact["label"].startswith("Win"))
    assert win == {"label": "Win, 1 of 8 complete", "value": "−95", "grade": "ESTIMATE"}
    assert cell(shown(day, "david")["all"], "win") == ("−95", "ESTIMATE", "1 of 8 complete")
    # A pit boss has that of the own pit alone, and the cage, which counts, none.
    assert cell(rows("clara")[at.name], "win") == cell(seen[at.name], "win")
    assert cell(rows("frank")[at.name], "win") == cell(rows("hugo")[at.name], "win") == (None, "", "")
    assert cell(rows("frank")[table("T3").name], "win") == ("0", "ESTIMATE", "")
    factories.counted_drop(box, {"20000": 2})
    (first, second) = words.of_table(day, at, person("clara"))["sittings"]
    assert [cell(each, "win")[1] for each in (first, second)] == ["FINAL", "ESTIMATE"]


def test_two_openers_are_said_to_be_two_and_void_rounds_stand_apart_as_on_the_floor():
    at, day = table(), GamingDay.objects.get()
    factories.settled_round(at)
    factories.void(factories.open_round(at))
    factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    factories.open_session(at, OPENER)
    page = shown(day)
    (pit,) = (pit for pit in page["pits"] if pit["name"] == at.pit.name)
    row = next(each for each in pit["tables"] if each["name"] == at.name)
    assert [cell(each, "opener") for each in (row, pit)] == [
        ("106\u2009200", "", "2\u00a0openers"), ("159\u2009300", "", "3\u00a0openers"),
    ]  # fmt: skip
    assert [(each["rounds"], each["voids"]) for each in (row, pit, page["all"])] == [(1, 1)] * 3
    (place,) = (place for place in floor.now(access.EVERYWHERE).places if place.name == at.name)
    assert (place.pace, sum(place.paces)) == (1, 1)
    answer = text("clara", f"/days/{day.pk}/")
    assert "void rounds stand apart" in answer
    assert "2\u00a0openers</a>" in answer
