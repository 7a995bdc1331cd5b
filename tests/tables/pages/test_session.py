"""The pages of a session: a blind count, and the closing form, in words, in the browser and on paper."""

import html
import io
import json
import re
from urllib.parse import urlsplit

import pytest
from django.test import Client

from audit import keys, seal
from audit.models import Checkpoint, Entry
from tables.management.commands.seed_demo import OPENER
from tables.models import Session
from tables.verbs import settling

from ...support import evening, factories, looks, stack
from ..verbs.test_sessions import LEFT

SIZES = ((1280, 800), (800, 1280), (390, 844))
ALL = {"clara", "hugo", "david", "ida"}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """The sessions of T1, closed with a 5 too many, and of T2, open after a settled round."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        one, two = factories.table("T1"), factories.table("T2")
        factories.settled_round(one)
        factories.void(factories.open_round(one))
        factories.settled_round(two)
        yield {"closed": factories.close_session(one, LEFT | {500: 102}), "open": two.sessions.get()}


def path(session):
    return f"/sessions/{session.pk}/"


def shown(login, session):
    return factories.client(login).get(path(session)).context["page"]


def read(login, address):
    """A page's words as people read them."""
    content = factories.client(login).get(address).content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", content)).split())


def test_the_closing_form_tells_how_the_count_and_the_rounds_differ(floor):
    told = shown("david", floor["closed"])["closing"]
    assert {row["label"]: row["amount"] for row in told["money"]} == {
        "Closer": "+53\u2009010", "Drop": "0", "Credits": "0", "Opener": "−53\u2009100", "Fills": "0",
    }  # fmt: skip
    assert (told["counted"], told["won"], told["variance"], told["rake"]) == ("−90", "−95", "+5", 0)
    assert {row["value"]: (row["opener"], row["closer"]) for row in told["chips"]} == {
        "1": (100, 100), "5": (100, 102), "25": (100, 100), "100": (100, 99), "500": (40, 40), "1\u2009000": (20, 20),
    }  # fmt: skip


def test_the_closing_form_marks_what_is_above_what_the_house_let_pass_then(seeded_db):
    one, two = factories.table("T1"), factories.table("T2")
    factories.set_setting(500)
    passes = factories.close_session(one, OPENER | {500: 101})
    factories.set_setting(499)
    assert shown("david", passes)["closing"]["marks"] == []
    above = factories.close_session(two, OPENER | {500: 99})
    mark = "The variance of \u22125 is above what the house lets pass: 4.99."
    assert shown("david", above)["closing"]["marks"] == [mark]
    assert mark in read("david", path(above))
    factories.open_session(one, OPENER)
    assert shown("david", factories.close_session(one, OPENER))["closing"]["marks"] == [
        "The opener differs by \u22125 from the closer before it, more than the house lets pass: 0."
    ]
    factories.set_setting(1000, name="opener_variance_units")
    factories.open_session(two, OPENER)
    assert shown("david", factories.close_session(two, OPENER))["closing"]["marks"] == []


def test_the_closing_form_names_the_rounds_the_signers_and_the_head_of_the_chain(floor):
    closed = floor["closed"]
    words = read("clara", path(closed))
    date = closed.business_date
    for said in (
        f"{date.day} {date:%B %Y}",
        "2, 1 of them void",
        "T1-00001 to T1-00002",
        f"Staff {closed.closed_by_id}, Clara Conrad and Staff {closed.closed_with_id}, Hugo Hahn",
        "Casino Demo, Main floor",
    ):
        assert said in words
    # The next entry names the hash on the form as that of the one before it.
    factories.open_session(closed.table, OPENER)
    entry = shown("clara", closed)["closing"]["entry"]
    following = Entry.objects.get(chain=closed.table.ref, seq=entry["seq"] + 1)
    assert json.loads(following.body)["prev"] == entry["digest"].replace(" ", "")
    assert "not sealed yet up to here" in words
    factories.close_session(closed.table, OPENER)


def test_the_form_bears_the_checkpoint_that_first_holds_the_closing(floor, tmp_path, settings):
    settings.LOG_KEYS, settings.ANCHOR_FILE = str(tmp_path / "keys"), str(tmp_path / "anchor")
    keys.make()
    seal.keep_up(within=5)
    first = Checkpoint.objects.order_by("size").first()
    told = shown("clara", floor["closed"])["closing"]["sealed"]
    assert (told["size"], told["root"].replace(" ", "")) == (first.size, bytes(first.root).hex())
    assert {len(group) for group in told["root"].split()} == {4}
    seal.keep_up(within=5)
    assert Checkpoint.objects.count() > 1
    assert shown("clara", floor["closed"])["closing"]["sealed"] == told
    assert f"Log sealed up to entry {first.size}, root {told['root']}" in read("clara", path(floor["closed"]))


def test_before_the_count_no_page_tells_what_the_float_should_hold(floor):
    page = shown("clara", floor["open"])
    assert (page["open"], page["closing"]) == (True, None)
    for address in (path(floor["open"]), "/", f"/tables/{floor['open'].table_id}/terminal/"):
        words = read("clara", address)
        assert not re.search(r"53 005|-95|−95|Win|ariance", words), address
    assert re.search(r"53 010.*−95.*Variance \+5", read("clara", path(floor["closed"])))


def test_the_pages_are_for_who_reads_sessions_and_the_count_for_the_table_s_pit_boss(floor):
    for login in ("anna", "boris", "greta", "frank", *ALL):
        for name, session in floor.items():
            answer = factories.client(login).get(path(session))
            assert answer.status_code == (200 if login in ALL else 404)
            if login in ALL:
                page = answer.context["page"]
                assert (page["count"] is not None) == (login == "clara" and name == "open")
                assert ("Clara Conrad" in answer.content.decode()) == (login != "hugo")
    assert factories.client("clara").get("/sessions/999999/").status_code == 404
    assert Client().get(path(floor["open"])).headers["Location"] == f"/login/?next={path(floor['open'])}"


def test_the_table_s_address_leads_to_its_open_session_or_to_the_opening_count(floor):
    running, closed = floor["open"], floor["closed"]
    there = factories.client("hugo").get(f"/tables/{running.table_id}/session/")
    assert there.headers["Location"] == path(running)
    address = f"/tables/{closed.table_id}/session/"
    page = factories.client("clara").get(address).context["page"]
    assert page["count"]["path"] == f"/api/v1/tables/{closed.table_id}/sessions/"
    last = Session.objects.filter(table=closed.table_id).latest("pk")
    assert page["last"]["id"] == last.pk
    assert shown("clara", last)["opens_next"]
    assert not shown("david", last)["opens_next"]
    assert "Split 1 is closed. Its pit boss opens it." in read("david", address)


def test_what_is_under_way_is_told_in_place_of_the_count(floor):
    opened = factories.open_round(floor["open"].table)
    page = shown("clara", floor["open"])
    assert page["count"] is None
    assert page["under_way"] == f"Round {opened} is still open. Close or void it first."
    assert shown("david", floor["open"])["under_way"] is None
    factories.void(opened)


def test_the_list_of_tables_the_terminal_and_the_back_office_lead_to_it(floor):
    table = floor["open"].table_id
    link = f'href="/tables/{table}/session/"'
    for login, address, led in (
        ("clara", "/", True),
        ("hugo", "/", True),
        ("clara", f"/tables/{table}/terminal/", True),
        ("boris", f"/tables/{table}/terminal/", False),
    ):
        assert (link in factories.client(login).get(address).content.decode()) == led, (login, address)
    back = factories.client("david").get(f"/admin/tables/session/{floor['open'].pk}/change/").content.decode()
    assert f'href="{path(floor["open"])}"' in back


def test_the_rake_of_a_pot_is_told_beside_the_float(seeded_db):
    values, dealt = evening.evening("genpoker")
    table = factories.table_of("genpoker", values | {"rake_percent": 10})
    opened = factories.open_round(table, dealt[0].seats)
    for action in dealt[0].actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    factories.close(opened)
    settling.settle_due()
    told = shown("clara", factories.close_session(table, {100: 100}))["closing"]
    assert (told["won"], told["variance"]) == ("0", "0")
    (rake,) = opened.table.pot_account.credits.filter(reason="rake").values_list("units", flat=True)
    assert told["rake"] == f"+{rake // 100}" != "+0"


def test_fills_and_credits_stand_on_the_closing_form_and_a_credit_on_its_way_is_carried_over(seeded_db):
    table = factories.table("T1")
    received = factories.receive(factories.issue(factories.slip(table)))
    on_its_way = factories.issue(factories.slip(table, "credit"))
    assert (received.units, on_its_way.units) == (40_000, 40_000)
    closing = shown("clara", factories.close_session(table, {100: 100}))["closing"]
    money = {row["label"]: row["amount"] for row in closing["money"]}
    assert (money["Fills"], money["Credits"]) == ("−400", "+400")
    assert [slip["text"] for slip in closing["carried"]] == [f"{on_its_way}, on its way: +400"]


@pytest.fixture
def go(page):
    """Go to an address as Clara, answered by the product without a network between."""
    clara = factories.client("clara")

    def answer(route):
        asked = route.request
        # A stream goes on; there is nobody here whom it could tell anything.
        if "/live/" in asked.url:
            return route.abort()
        headers = {"Idempotency-Key": asked.headers.get("idempotency-key", "")}
        told = {"data": asked.post_data or "", "content_type": "application/json", "headers": headers}
        got = clara.generic(asked.method, urlsplit(asked.url).path, **told)
        return route.fulfill(status=got.status_code, headers=dict(got.headers), body=got.getvalue())

    page.route("**/*", answer)
    return lambda where: page.goto(f"http://testserver{where}")


def fill(page, counts, login, password):
    for value, count in counts.items():
        page.locator(f"[data-chip='{value}']").fill(str(count))
    page.locator("[data-login]").fill(login)
    page.locator("[data-password]").fill(password)
    page.locator("#send").click()


def fits(page):
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert looks.violations(page) == []


def test_a_table_is_counted_closed_printed_and_opened_again_in_the_browser(seeded_db, page, go):
    from playwright.sync_api import expect
    from pypdf import PdfReader

    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    table, password = factories.table("T1"), factories.signature("anna")["password"]
    factories.settled_round(table)
    go(path(table.sessions.get()))
    fits(page)
    page.locator("[data-chip='500']").fill("101")
    expect(page.locator("[data-test=total]")).to_have_text("505")
    page.locator("[data-chip='500']").fill("1o1")
    expect(page.locator("[data-test=total]")).to_have_text("0")
    # Nothing is sent that is no count, and no signature that is wrong.
    fill(page, LEFT | {500: "1o1"}, "anna", password)
    fill(page, LEFT, "anna", "wrong")
    expect(page.locator("[data-wrong-whole]")).to_contain_text("password of the second person is wrong")
    expect(page.locator("[data-password]")).to_have_value("")
    fill(page, LEFT | {500: 100001}, "anna", password)
    expect(page.locator('[data-path="denominations.500"]')).to_contain_text("no number of chips")
    assert table.sessions.get().status == "OPEN"
    fill(page, LEFT | {500: 100}, "anna", password)
    expect(page.locator("[data-test=variance]")).to_have_text("−5")
    expect(page.locator("[data-test=won]")).to_have_text("−95")
    fits(page)
    for paper in ("A4", "Letter"):
        sheets = PdfReader(io.BytesIO(page.pdf(format=paper))).pages
        assert len(sheets) == 1, paper
        printed = sheets[0].extract_text()
        assert "Variance" in printed
        assert "Clara Conrad" in printed.split("Log")[-1]  # where she signs
    page.get_by_role("link", name="Open Split 1 again").click()
    fits(page)
    fill(page, OPENER, "anna", password)
    expect(page.get_by_role("heading", name="Count and close")).to_be_visible()
    assert [session.status for session in table.sessions.order_by("pk")] == ["CLOSED", "OPEN"]
    assert said == []
