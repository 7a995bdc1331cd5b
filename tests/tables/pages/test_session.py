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

SIZES = ((1280, 800), (1024, 768), (800, 1280), (390, 844))
ALL = {"clara", "hugo", "david", "ida"}


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """The sessions of T1, closed with a 5 too many, and of T2, open after a settled round."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        one, two = factories.table("T1"), factories.table("T2")
        factories.settled_round(one)
        factories.void(factories.open_round(one))
        factories.ticked(factories.settled_round(two))
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
    assert (told["counted"], told["won"], told["variance"], told["rake"]) == ("−90", "−95", "+5", [])
    assert "Win by the count, FINAL" in read("david", path(floor["closed"]))
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
    mark = "The variance of \u22125 is more than the house’s limit of 4.99."
    assert shown("david", above)["closing"]["marks"] == [mark]
    assert mark in read("david", path(above))
    factories.open_session(one, OPENER)
    assert shown("david", factories.close_session(one, OPENER))["closing"]["marks"] == [
        "The opener differs by \u22125 from the closer before it, more than the house’s limit of 0."
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
    assert "isn’t sealed yet up to here" in words
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
    # The floor alone tells it, as long as the table is played at.
    for address in (path(floor["open"]), f"/tables/{floor['open'].table_id}/terminal/"):
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
                assert page["stops"] == (login == "clara" and name == "open")
                assert page["count"] is None
                assert "Clara Conrad" in answer.content.decode()
    assert factories.client("clara").get("/sessions/999999/").status_code == 404
    assert Client().get(path(floor["open"])).headers["Location"] == f"/login/?next={path(floor['open'])}"


def test_the_table_s_address_leads_to_its_open_session_or_to_the_opening_count(floor):
    running, closed = floor["open"], floor["closed"]
    there = factories.client("hugo").get(f"/tables/{running.table_id}/session/")
    assert there.headers["Location"] == path(running)
    address = f"/tables/{closed.table_id}/session/"
    page = factories.client("clara").get(address).context["page"]
    assert page["opens"]
    assert not factories.client("david").get(address).context["page"]["opens"]
    last = Session.objects.filter(table=closed.table_id).latest("pk")
    assert page["last"]["id"] == last.pk
    assert shown("clara", last)["opens_next"]
    assert not shown("david", last)["opens_next"]
    assert "Split 1 is closed. Its pit boss opens it." in read("david", address)


def counted(login, session, again=""):
    return factories.client(login).get(f"{path(session)}count/{again}")


def test_the_count_is_blind_until_both_are_in_and_then_both_are_compared(seeded_db):
    one = factories.table("T1")
    stopped = factories.stop_session(one)
    page = counted("anna", stopped).context["page"]
    assert (page["moment"], page["phase"], page["other"], page["signs"]) == ("count", "First count", None, False)
    assert [phase["label"] for phase in page["phases"]] == [
        "Last round", "First count", "Second count", "Comparison", "Signatures",
    ]  # fmt: skip
    factories.count_session(stopped, OPENER | {500: 77}, by="anna")
    for login in ("anna", "clara", "hugo"):
        floor = f"/floor/tables/{one.pk}/" if login == "clara" else "/"
        for address in (path(stopped), f"{path(stopped)}count/", floor, f"/tables/{one.pk}/terminal/"):
            answer = factories.client(login).get(address, follow=True)
            words = answer.content.decode()
            assert not re.search(r"\b77\b|53.?100|52.?985", words), (login, address)
    assert counted("anna", stopped).context["page"]["signs"]  # the second counts at this screen
    page = counted("clara", stopped).context["page"]
    assert (page["phase"], page["signs"], page["other"]["own"]) == ("Second count", False, False)
    assert counted("hugo", stopped).context["page"]["signs"]  # one of the two is the pit boss
    assert counted("david", stopped).status_code == 404
    terminal = factories.client("anna").get(f"/tables/{one.pk}/terminal/").content.decode()
    assert f'href="{path(stopped)}count/"' in terminal
    assert "The last round has been called." in terminal
    assert "Table closing" in terminal
    factories.count_session(stopped, OPENER, by="clara")
    page = counted("clara", stopped).context["page"]
    assert (page["moment"], page["equal"], page["against"], page["again"]) == ("compare", False, [], True)
    assert [row["numbers"] for row in page["lists"][0]["rows"] if not row["equal"]] == [[77, 100]]
    assert counted("clara", stopped, "?again=1").context["page"]["phase"] == "First count"
    for login in ("anna", "clara"):
        factories.count_session(stopped, OPENER | {500: 101}, by=login)
    page = counted("clara", stopped).context["page"]
    (against,) = page["against"]
    assert (against["expected"], against["difference"], against["outside"]) == ("53\u2009100", "+5", True)
    assert (page["equal"], page["wants_reason"], page["runs"], page["again"]) == (True, True, True, False)
    assert not counted("anna", stopped).context["page"]["runs"]
    factories.sign_session(stopped, signed_with="anna", reason="Found under the tray.")
    assert counted("clara", stopped).headers["Location"] == path(stopped)
    assert counted("anna", stopped).headers["Location"] == "/"
    assert "Closer: “Found under the tray.”" in read("clara", path(stopped))


def test_a_wrong_second_person_at_a_count_is_told_who_counts(seeded_db):
    stopped = factories.stop_session(factories.table("T1"))
    body = {"denominations": {"100": 100}, "signature": factories.signature("david")}
    answer = factories.send(factories.client("clara"), f"/api/v1/sessions/{stopped.pk}/counts/", body)
    assert (answer.status_code, answer.json()["code"]) == (403, "signature_without_right")
    assert answer.json()["way_out"].startswith("Have a croupier of the pit, a pit boss or somebody from the cage count")


def test_after_two_counts_that_differ_a_pit_boss_chooses_and_sees_what_each_comes_to(seeded_db):
    begun_after(factories.close_session(factories.table("T1"), OPENER))
    begun = Session.objects.latest("pk")
    for _ in range(2):
        for login, fives in (("anna", 99), ("clara", 100)):
            factories.count_session(begun, OPENER | {500: fives}, by=login)
    page = counted("clara", begun).context["page"]
    assert (page["title"], page["decides"], page["again"]) == ("Opening", True, False)
    assert [each["difference"] for each in page["against"]] == ["−5", "0"]
    assert "Last closer" in read("clara", f"{path(begun)}count/")


def begun_after(closed):
    return factories.begin_session(closed.table)


def test_what_is_under_way_is_told_in_place_of_the_last_round(floor):
    opened = factories.open_round(floor["open"].table)
    page = shown("clara", floor["open"])
    assert not page["stops"]
    assert page["under_way"] == {
        "text": f"Round {opened} is still open. Close or void it first.", "round": opened.pk, "slip": None,
    }  # fmt: skip
    assert shown("david", floor["open"])["under_way"] is None
    factories.void(opened)


def test_the_list_of_tables_the_terminal_and_the_back_office_lead_to_it(floor):
    table = floor["open"].table_id
    link = f'href="/tables/{table}/session/"'
    for login, address, led in (
        ("clara", f"/floor/tables/{table}/", True),
        ("hugo", "/", True),
        ("clara", f"/tables/{table}/terminal/", True),
        ("boris", f"/tables/{table}/terminal/", False),
    ):
        assert (link in factories.client(login).get(address).content.decode()) == led, (login, address)
    back = factories.client("david").get(f"/admin/tables/session/{floor['open'].pk}/change/").content.decode()
    assert f'href="{path(floor["open"])}"' in back


def pot_table():
    """A table of Genpoker with a settled round, of which 5.00 are the house's."""
    values, dealt = evening.evening("genpoker")
    table = factories.table_of("genpoker", values | {"rake_percent": 50, "rake_cap": 500})
    opened = factories.open_round(table, dealt[0].seats)
    for action in dealt[0].actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    factories.close(opened)
    return table, opened


def test_the_rake_of_a_pot_is_told_beside_the_float(seeded_db):
    table, _ = pot_table()
    settling.settle_due()
    closed = factories.close_session(table, {100: 101}, rake={100: 2, 500: 1})
    told = shown("clara", closed)["closing"]
    assert (told["counted"], told["won"], told["variance"]) == ("+1", "0", "+1")
    assert [(row["label"], row["amount"]) for row in told["rake"]] == [
        ("Rake by the rounds", "+5"), ("Rake counted", "+7"), ("Rake variance", "+2"),
    ]  # fmt: skip
    assert {row["value"]: row["rake"] for row in told["chips"] if row["rake"]} == {"1": 2, "5": 1}
    assert told["marks"] == [
        "The variance of +1 is more than the house’s limit of 0.",
        "The rake’s variance of +2 is more than the house’s limit of 0.",
    ]
    words = read("clara", path(closed))
    assert "Rake by the rounds +5 Rake counted +7 Rake variance +2" in words
    assert "The rake lies apart and isn’t part of the win." in words


def test_the_rake_of_before_is_told_apart_and_was_not_counted(seeded_db):
    table, closed = pot_table()
    factories.settled_before_slots(closed)
    told = shown("clara", factories.close_session(table, {100: 100}))["closing"]
    assert [(row["label"], row["amount"]) for row in told["rake"]] == [("Rake of before, not counted", "+5")]
    assert told["raked"] == 0


def test_the_slot_is_counted_below_the_float_blind_as_it_is_and_compared_beside_it(seeded_db):
    table, _ = pot_table()
    settling.settle_due()
    stopped = factories.stop_session(table)
    page = counted("anna", stopped).context["page"]
    assert (page["slot"], page["asked"], page["state"]) == (True, 12, "count-1-1-rake")
    factories.count_session(stopped, {100: 100}, by="anna", rake={100: 77})
    for login in ("anna", "clara", "hugo"):
        words = counted(login, stopped).content.decode()
        assert "Rake slot" in words
        assert not re.search(r"\b77\b", words), login
    factories.count_session(stopped, {100: 100}, by="clara", rake={100: 5})
    page = counted("clara", stopped).context["page"]
    closer, rake = page["lists"]
    assert (page["equal"], [row["equal"] for row in closer["rows"]]) == (False, [True])
    assert (rake["rows"][0]["numbers"], rake["totals"], rake["differs"]) == ([77, 5], ["77", "5"], "72")
    for login in ("anna", "clara"):
        factories.count_session(stopped, {100: 100}, by=login, rake={100: 7})
    page = counted("clara", stopped).context["page"]
    (against,) = page["against"]
    assert (against["difference"], page["wants_reason"]) == ("0", True)
    assert against["slot"] == {"counted": "7", "expected": "5", "difference": "+2", "outside": True}


def test_counts_without_a_rake_that_came_later_are_told_to_be_made_again(seeded_db):
    table, earlier = pot_table()
    settling.settle_due()
    factories.close_session(table, {100: 100})
    factories.open_session(table, {100: 100})
    stopped = factories.stop_session(table)
    assert not counted("anna", stopped).context["page"]["slot"]
    for attempt in (1, 2):
        factories.count_session(stopped, {100: 100}, by="anna")
        factories.count_session(stopped, {100: 100 - attempt}, by="clara")
    factories.void_later(earlier)
    answer = counted("clara", stopped)
    assert (answer.context["page"]["against"], answer.context["page"]["again"]) == ([], False)
    assert "Rake moved after these counts." in answer.content.decode()


def test_fills_and_credits_stand_on_the_closing_form_and_a_credit_on_its_way_is_carried_over(seeded_db):
    table = factories.table("T1")
    received = factories.receive(factories.issue(factories.slip(table)))
    on_its_way = factories.issue(factories.slip(table, "credit"))
    assert (received.units, on_its_way.units) == (40_000, 40_000)
    closing = shown("clara", factories.close_session(table, {100: 100}))["closing"]
    money = {row["label"]: row["amount"] for row in closing["money"]}
    assert (money["Fills"], money["Credits"]) == ("−400", "+400")
    assert closing["carried"] == [
        {"text": f"{on_its_way}, on its way: 400", "url": f"/slips/{on_its_way.pk}/", "done": False}
    ]


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


def fill(page, chips, part="denominations"):
    """Every chip counted by keyboard alone: a number, then Enter."""
    for value in sorted(chips, reverse=True):
        page.locator(f"[data-chip='{value}'][data-part={part}]:focus").wait_for()
        page.keyboard.type(str(chips[value]))
        page.keyboard.press("Enter")


def second(page, login, password):
    page.locator("[data-login]").fill(login)
    page.locator("[data-password]").fill(password)


def fits(page, sizes=SIZES):
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # What is to be done next is seen without scrolling.
        for box in [button.bounding_box() for button in page.locator(".counting .go").all()]:
            assert box["y"] + box["height"] <= height
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
    page.locator("[data-test=under-way]").get_by_role("link", name="Its page").click()
    page.get_by_text("The patron has left").click()
    left = page.locator("[data-left]")
    left.get_by_label("Login").fill("anna")
    left.get_by_label("Password").fill(password)
    fits(page, SIZES[:3])
    left.get_by_role("button", name="Say that the patron of box 1 has left").click()
    expect(page.locator("[data-test=payment-1-1]")).to_contain_text("Not handed over: the patron has left")
    go(path(table.sessions.get()))
    page.get_by_role("button", name="Call the last round").click()
    expect(page.locator("h1")).to_contain_text("Closing: First count")
    fits(page)
    # What is no number of chips is not in, and nothing is sent.
    page.locator("[data-chip='100000']").fill("1o")
    page.locator("#send").click()
    expect(page.locator('[data-path="denominations.100000"]')).to_contain_text("That isn’t a number of chips")
    page.get_by_role("button", name="Start over").click()
    # On the keys of the page: a stack, and one less.
    for key in ("+20", "+1", "−1"):
        page.get_by_role("button", name=key).click()
    expect(page.locator("[data-chip='100000']")).to_have_value("20")
    expect(page.locator("[data-test=done]")).to_have_text("1 of 6 chips")
    page.get_by_role("button", name="Start over").click()
    fill(page, LEFT | {500: 100})
    expect(page.locator("h1")).to_contain_text("Closing: Second count")
    expect(page.locator(".sealed")).to_contain_text("You’ve counted.")
    fits(page)
    # The second counts at the same screen, and signs; a wrong signature is told, and nothing is lost.
    second(page, "anna", "wrong")
    page.locator("[data-chip='100000']").focus()
    fill(page, LEFT | {500: 100})
    expect(page.locator("[data-wrong-whole]")).to_contain_text("password of the signature is wrong")
    expect(page.locator("[data-test=total]")).to_have_text("53\u2009000")
    page.locator("[data-password]").fill(password)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Closing: Comparison")
    expect(page.locator("[data-test=variance]")).to_have_text("−5")
    fits(page)
    second(page, "anna", password)
    page.locator("#send").click()
    assert table.sessions.get().status == "CLOSING"  # the reason is missing
    page.locator("[name=reason]").fill("Not found.")
    page.locator("[data-password]").fill(password)
    page.locator("#send").click()
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
    begin = page.get_by_role("button", name="Begin to open Split 1")
    expect(begin).to_be_visible()
    fits(page)
    begin.click()
    expect(page.locator("h1")).to_contain_text("Opening: First count")
    for login in ("anna", "clara"):
        factories.count_session(table.sessions.running().get(), OPENER, by=login)
    page.reload()
    expect(page.locator("[data-test=expected]")).to_have_text("53\u2009000")
    page.locator("[name=reason]").fill("The cage filled it up.")
    second(page, "anna", password)
    page.locator("#send").click()
    expect(page.get_by_role("heading", name="Close Split 1")).to_be_visible()
    assert [session.status for session in table.sessions.order_by("pk")] == ["CLOSED", "OPEN"]
    assert said == []


def test_a_table_carries_on_with_its_chips_in_the_browser(seeded_db, page, go):
    from playwright.sync_api import expect

    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    table, password = factories.table("T1"), factories.signature("anna")["password"]
    stopped = factories.stop_session(table)
    for login in ("anna", "clara"):
        factories.count_session(stopped, LEFT | {500: 99}, by=login)
    go(f"{path(stopped)}count/")
    expect(page.locator("[data-test=formula]").first).to_contain_text("Opener")
    fits(page)
    second(page, "anna", password)
    # A kind of reason alone says too little.
    kind = page.locator("[data-kind]").first
    kind.click()
    page.get_by_role("button", name="Carry on").click()
    expect(page.locator("h1")).to_contain_text("Closing: Comparison")
    page.keyboard.type("a 5 lay under the felt.")
    page.locator("[data-password]").fill(password)
    page.get_by_role("button", name="Carry on").click()
    expect(page.locator("[data-test=won]")).to_be_visible()
    fits(page)
    closed, running = table.sessions.order_by("pk")
    assert (closed.status, running.status, running.carried_from) == ("CLOSED", "OPEN", closed)
    assert closed.closer_reason.endswith("a 5 lay under the felt.")
    assert table.sign_ons.filter(signed_off_at=None).exists()
    page.get_by_role("link", name=f"Session {running.pk}").click()
    expect(page.get_by_role("heading", name="Close Split 1")).to_be_visible()
    expect(page.get_by_role("link", name=f"Session {closed.pk}")).to_be_visible()
    fits(page)
    assert said == []


def test_a_pot_is_counted_and_closed_with_its_rake_slot_by_keyboard_alone(seeded_db, page, go):
    from playwright.sync_api import expect

    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    table, _ = pot_table()
    settling.settle_due()
    stopped, password = factories.stop_session(table), factories.signature("anna")["password"]
    chips, rake = dict.fromkeys(OPENER, 0) | {100: 100}, dict.fromkeys(OPENER, 0) | {100: 1, 500: 1}
    factories.count_session(stopped, chips, by="anna", rake=rake)
    go(f"{path(stopped)}count/")
    fits(page)
    expect(page.locator("[data-test=done]")).to_have_text("0 of 12 chips")
    fill(page, chips)
    expect(page.locator("#send")).to_have_text("Next chip rake 500")
    fits(page)
    # What is no number of chips is told at the slot, and nothing is sent.
    page.keyboard.type("1o")
    page.keyboard.press("Enter")
    expect(page.locator('[data-path="rake.100000"]')).to_contain_text("That isn’t a number of chips")
    page.keyboard.press("Control+A")
    values = sorted(rake, reverse=True)
    for value in values:
        page.locator(f"[data-chip='{value}'][data-part=rake]:focus").wait_for()
        page.keyboard.type(str(rake[value]))
        if value != values[-1]:
            page.keyboard.press("Enter")
    expect(page.locator("[data-test=total]")).to_have_text("100")
    expect(page.locator("[data-test=rake-total]")).to_have_text("6")
    expect(page.locator("#send")).to_have_text("Hand in 100, rake 6")
    fits(page)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Closing: Comparison")
    expect(page.locator("[data-test=rake-expected]")).to_have_text("5")
    expect(page.locator("[data-test=rake-variance]")).to_have_text("+1")
    expect(page.locator("[data-test=counts-rake] tfoot")).to_contain_text("6")
    fits(page)
    page.locator("[name=reason]").fill("A chip lay below the slot.")
    second(page, "anna", password)
    page.keyboard.press("Enter")
    expect(page.locator("[data-test=rake-variance]")).to_have_text("+1")
    expect(page.locator("[data-test=rake-counted]")).to_have_text("+6")
    fits(page)
    assert said == []
