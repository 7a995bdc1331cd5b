"""The page of the floor: what needs a person in its order, tiles with their figures, and how little it asks for."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts import ledger
from tables.lab import house
from tables.management.commands.seed_demo import OPENER
from tables.models import Alarm
from tables.words import floor as words

from ...support import factories
from ...support.factories import client, person, table

pytestmark = pytest.mark.usefixtures("seeded_db")
MOST_STATEMENTS = 10


def shown(login="clara"):
    return words.shown(person(login))


def tiles(login="clara"):
    return {tile["name"]: tile for pit in shown(login)["pits"] for tile in pit["tiles"]}


def text(login, path="/"):
    answer = client(login).get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return re.sub(r"[ \n]+", " ", answer.content.decode())


def test_what_needs_a_person_stands_by_its_urgency_each_with_its_age_its_way_and_its_key():
    first, second = table(), table("T2")
    contested = factories.settled_round(first)
    factories.issue(factories.slip(first))
    case = factories.vary_session(second)
    for alarm in Alarm.objects.standing():
        factories.take(alarm)
    factories.contest(contested)
    factories.call(first)
    factories.hold(factories.open_round(second))
    page = shown()
    assert [(row["key"].partition("-")[0], row["state"]) for row in page["needs"]] == [
        ("held", "held"), ("call", "new"), ("dispute", "new"), ("slip", "quiet"), ("case", "quiet"),
    ]  # fmt: skip
    assert [row["digit"] for row in page["needs"]] == [*"12345"]
    assert (page["waiting"], page["first"]["title"]) == ("3 to do, 2 under way", "Split 2 held")
    assert page["needs"][-1]["title"] == str(case)
    for row in page["needs"]:
        assert row["age"]["at"]
        assert client("clara").get(row["href"]).status_code == 200, row
    assert [(tile["name"], tile["looks"], tile["state"] == "held") for tile in tiles().values()] == [
        ("Split 1", True, False), ("Split 2", True, True),
    ]  # fmt: skip
    # Another pit's boss is asked for none of it.
    assert shown("frank")["needs"] == []


def test_a_tile_says_who_deals_since_when_what_it_won_and_how_much_that_is_worth():
    at = table()
    factories.settled_round(at)
    tile = tiles()["Split 1"]
    assert (tile["win"], tile["grade"], tile["float"]) == ("−95", "ESTIMATE", "53\u2009005")
    assert tile["dealer"] == f"Staff {person('anna').pk}, Anna Adler"
    assert (tile["game"], tile["round"], tile["pace"]["count"]) == ("Split Poker", "Round 1 over", 1)
    page = text("clara")
    assert re.search(r"−95</b> <span class=\"grade is-estimate\">ESTIMATE", page)
    assert "Win, EUR" in page
    # Chips are counted blind: from the last round on nobody learns here what should be there.
    factories.stop_session(at)
    page = text("clara")
    assert "The closer is being counted." in page
    assert "53\u2009005" not in page
    assert "−95" not in page


def test_a_tile_says_of_which_sessions_its_win_is_and_leads_to_its_rounds_and_to_what_comes_next():
    at = table()
    factories.settled_round(at)
    factories.close_session(at, factories.pile(ledger.balance(at.float_account)))
    tile = tiles()["Split 1"]
    assert (tile["win"], tile["grade"], tile["made"]) == ("−95", "FINAL", "")
    assert (tile["act"]["label"], tiles("david")["Split 1"]["act"]) == ("Open the table", None)
    session = factories.open_session(at, OPENER)
    factories.settled_round(at)
    tile = tiles()["Split 1"]
    assert (tile["win"], tile["grade"], tile["act"]) == ("−190", "ESTIMATE", None)
    assert tile["made"] == "−95 FINAL; then −95 ESTIMATE"
    assert tile["rounds"] == f"/sessions/{session.pk}/rounds/"
    assert [fact for fact in ("−190", "ESTIMATE") if fact not in text("clara")] == []
    page = words.of_table(person("clara"), at)
    assert [act["label"] for act in page["acts"]] == ["Ask for chips", "Close Split 1"]
    factories.sign_on(person("anna"), at)
    playing = factories.open_round(at)
    acts = words.of_table(person("clara"), at)["acts"]
    assert [(act["label"], act["href"]) for act in acts] == [
        (f"Void round {playing.number}", f"/rounds/{playing.pk}/#void"),
        ("Ask for chips", f"/tables/{at.pk}/slips/new/"),
        ("Close Split 1", f"/tables/{at.pk}/session/"),
    ]
    assert words.of_table(person("david"), at)["acts"] == []
    factories.void(playing)
    factories.stop_session(at)
    assert tiles()["Split 1"]["made"] == "−95 FINAL; The closer is being counted"
    assert tiles()["Split 1"]["act"]["label"] == "Count the closer"


def test_a_float_that_runs_short_is_marked():
    at = table()
    assert tiles()["Split 1"]["marks"] == []
    factories.receive(factories.issue(factories.slip(at, "credit", {"100000": 20, "50000": 35})))
    tile = tiles()["Split 1"]
    assert (tile["low"], [mark["word"] for mark in tile["marks"]]) == (True, ["Float low"])
    factories.set_setting(25, name="float_low_percent")
    assert not tiles()["Split 1"]["low"]


def test_the_floor_is_the_home_of_who_reads_it_and_croupiers_keep_their_tables():
    for login, is_floor in (("clara", True), ("david", True), ("ida", True), ("hugo", False), ("erik", False)):
        page = client(login).get("/", follow=True).content.decode()
        assert ('id="floor"' in page) == is_floor, login
    for path in ("/floor/now/", f"/floor/tables/{table().pk}/"):
        assert client("hugo").get(path).status_code == 404
        assert client("frank").get(f"/floor/tables/{table().pk}/").status_code == 404


def test_one_table_tells_its_charts_in_figures_and_leads_to_its_rounds_and_its_session():
    at = table()
    factories.settled_round(at)
    page = words.of_table(person("clara"), at)
    assert (page["rows"][-1]["rounds"], page["rows"][-1]["net"]) == (1, "−95")
    assert page["spells"][-1]["word"] == "open"
    for way in page["ways"]:
        assert client("clara").get(way["href"], follow=True).status_code == 200, way
    assert "net now −95" in text("clara", f"/floor/tables/{at.pk}/")


def test_with_fifty_tables_the_page_and_its_fragment_ask_for_little():
    house.lay_out(48)
    at = table()
    factories.settled_round(at)
    factories.contest(factories.settled_round(at))
    factories.issue(factories.slip(at))
    factories.call(at)
    factories.hold(factories.open_round(table("T2")))
    asking = client("clara")
    for path in ("/", "/floor/now/"):
        asking.get(path)
        with CaptureQueriesContext(connection) as asked:
            page = asking.get(path).content.decode()
        assert page.count('data-test="tile"') == 50
        statements = [each["sql"] for each in asked if not each["sql"].startswith(("SAVEPOINT", "RELEASE"))]
        assert len(statements) <= MOST_STATEMENTS, "\n".join(each[:150] for each in statements)
