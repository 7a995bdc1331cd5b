"""Fills and credits on their pages: asked for, issued, counted and received, each by its people, without a reload."""

import os

import pytest

from tables.models import Slip

from ..support import factories
from ..support.looks import SIZES, THEMES, violations
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
CHIPS = {"100000": 8, "10000": 30, "2500": 40}


@pytest.fixture
def desk(page, live_stack):
    """Pages of several people side by side."""
    pages = []

    def of(login, path):
        beside = new_page(page.context.browser)
        pages.append(beside)
        enter(beside, live_stack, login, path)
        return beside

    yield of
    for beside in pages:
        beside.context.close()


def fill_in(page, chips, side="denominations"):
    for value, number in chips.items():
        page.locator(f"[data-of={side}][data-chip='{value}']").fill(str(number))


def fits(page):
    assert not violations(page, THEMES)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def state(page, words):
    expect(page.locator(".slip .steps .next, .slip .age").first).to_be_visible()
    expect(page.locator(".slip")).to_contain_text(words)


def shot(page, name):
    if folder := os.environ.get("PICTURES"):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{width}.png", full_page=True)


def test_a_fill_is_asked_for_issued_counted_and_received_without_a_reload(desk, live_stack):
    with live_stack.in_process():
        table = factories.table("T1")
    clara = desk("clara", f"/tables/{table.pk}/slips/new/")
    fill_in(clara, CHIPS)
    expect(clara.locator("[data-total=denominations]")).to_have_text("12\u2009000")
    fits(clara)
    shot(clara, "new")
    clara.get_by_role("button", name="Ask for").click()
    state(clara, "The cage issues the chips.")
    with live_stack.in_process():
        slip = Slip.objects.latest("pk")
    path = f"/slips/{slip.pk}/"
    hugo, anna = desk("hugo", path), desk("anna", path)
    fits(clara)
    shot(hugo, "issue")
    hugo.get_by_role("button", name="Issue").click()
    for page in (hugo, clara, anna):
        state(page, "On its way")
    # The terminal says so too, and leads there.
    terminal = desk("anna", f"/tables/{table.pk}/terminal/")
    expect(terminal.locator("[data-test=slip]")).to_contain_text(f"Count {slip} when it comes.")
    shot(terminal, "terminal")
    assert not violations(terminal)
    shot(anna, "count")
    fits(anna)
    # A button that was pressed too early counts nothing.
    anna.get_by_role("button", name="Hand in").click()
    expect(anna.locator("[data-refusal]")).to_contain_text("No chips are entered.")
    fill_in(anna, CHIPS)
    anna.get_by_role("button", name="Hand in").click()
    state(clara, "Counted")
    # The second one is blind to the first count.
    expect(clara.get_by_role("heading", name="Second count")).to_be_visible()
    expect(clara.locator("[data-test=chips] thead th")).to_have_count(3)
    fill_in(clara, CHIPS | {"2500": 39})
    shot(clara, "second")
    clara.get_by_role("button", name="Hand in").click()
    for page in (clara, anna, hugo):
        expect(page.locator(".slip .alarm")).to_contain_text("Not received.")
    fits(clara)
    shot(clara, "differs")
    fill_in(anna, CHIPS)
    anna.get_by_role("button", name="Hand in").click()
    # The pit boss signs for what they counted, at the croupier's.
    expect(anna.get_by_role("heading", name="Second count")).to_be_visible()
    fill_in(anna, CHIPS)
    anna.locator("form", has=anna.locator("[data-chip]")).locator("[data-login]").fill("clara")
    anna.locator("form", has=anna.locator("[data-chip]")).locator("[data-password]").fill(live_stack.logins["clara"])
    shot(anna, "signs")
    anna.get_by_role("button", name="Hand in").click()
    for page in (clara, anna, hugo):
        expect(page.locator(".slip .age")).to_have_text("Received")
    fits(hugo)
    shot(hugo, "received")


def test_a_slip_is_printed_on_a5_and_each_further_print_says_so(desk, live_stack):
    with live_stack.in_process():
        slip = factories.slip(factories.table("T2"))
    page = desk("hugo", f"/slips/{slip.pk}/")
    page.get_by_role("button", name="Print").click()
    expect(page.locator(".paper")).to_contain_text("First print")
    expect(page.locator(".paper")).to_contain_text(str(slip))
    shot(page, "paper")
    page.get_by_role("link", name="Back").click()
    page.get_by_role("button", name="Print again").click()
    expect(page.locator(".paper")).to_contain_text("Print 2: a copy")


def test_a_slip_is_voided_by_two_with_a_reason(desk, live_stack):
    with live_stack.in_process():
        slip = factories.slip(factories.table("T2"))
    page = desk("clara", f"/slips/{slip.pk}/")
    page.locator("summary", has_text="Void").click()
    page.get_by_label("Why").fill("Keyed twice")
    page.locator("[data-login]").fill("clara")
    page.locator("[data-password]").fill(live_stack.logins["clara"])
    page.get_by_role("button", name="Void F-").click()
    expect(page.locator("[data-wrong-whole]")).to_contain_text("Have somebody else sign.")
    shot(page, "void")
    page.locator("[data-login]").fill("hugo")
    page.locator("[data-password]").fill(live_stack.logins["hugo"])
    page.get_by_role("button", name="Void F-").click()
    expect(page.locator(".slip .age")).to_have_text("Void")
    expect(page.locator(".slip")).to_contain_text("“Keyed twice”")
    fits(page)
    shot(page, "voided")
