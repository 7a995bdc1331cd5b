"""A gaming day in the browser: what keeps it open, two sign it, and a figure leads to its movement in two clicks."""

import os

import pytest

from payouts import ledger
from payouts.models import Account
from tables.models import GamingDay, Session

from ..support import factories
from ..support.looks import SIZES, look
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def test_a_day_is_finished_signed_and_read(page, live_stack):
    with live_stack.in_process():
        at = factories.table("T1")
        factories.settled_round(at)
        box = factories.mount(at)
        factories.buy_in(at, 123_400)
        factories.slip(factories.table("T2"))
        day = GamingDay.objects.get()
    clara = new_page(page.context.browser)
    clara.set_viewport_size({"width": 1280, "height": 800})
    enter(clara, live_stack, "clara", "/days/")
    clara.wait_for_url(f"**/days/{day.pk}/")
    expect(clara.locator("[data-test=grade]")).to_contain_text("ESTIMATE")
    look(clara, "day-open")
    with live_stack.in_process():
        left = Session.objects.running().count() + 3
        first = at.sessions.get()
    expect(clara.locator("[data-test=obstacles] li")).to_have_count(left)
    clara.keyboard.press("1")
    clara.wait_for_url(f"**/sessions/{first.pk}/")
    expect(clara.locator("h1")).to_contain_text(at.name)
    with live_stack.in_process():
        factories.void_slip(factories.table("T2").slips.get())
        factories.take_off(box)
        factories.counted_drop(box, {"50000": 2, "10000": 2, "2000": 1, "1000": 1})
        factories.close_session(at, factories.pile(ledger.balance(at.float_account) - 100))
        factories.end_day()
    clara.goto(live_stack.url(f"/days/{day.pk}/"))
    expect(clara.locator("[data-test=obstacles]")).to_have_count(0)
    look(clara, "day-ready")
    clara.locator("[data-login]").fill("hugo")
    clara.locator("[data-password]").fill(live_stack.logins["hugo"])
    clara.locator("form .btn.go").click()
    expect(clara.locator("[data-test=grade]")).to_contain_text("FINAL")
    expect(clara.locator("[data-test=signed]")).to_contain_text("Hugo")
    look(clara, "day-final")
    clara.emulate_media(media="print")
    if folder := os.environ.get("PICTURES"):
        clara.pdf(path=f"{folder}/day.pdf", prefer_css_page_size=True)
    expect(clara.locator(".watch")).to_be_hidden()
    expect(clara.locator(".signs p")).to_have_count(2)
    clara.emulate_media(media="screen")
    clara.locator("[data-test=tables] tr", has_text=at.name).locator("[data-figure=drop] a").click()
    expect(clara.locator("[data-test=sittings]")).to_be_visible()
    look(clara, "day-table")
    part = clara.locator("[data-test=part]", has=clara.locator("th", has_text="Variance"))
    part.get_by_role("link", name="Drop box").click()
    clara.wait_for_url(f"**/drop-boxes/{box.pk}/")
    expect(clara.locator("[data-test=cash]")).to_be_visible()
    with live_stack.in_process():
        assert ledger.balance(Account.objects.get(kind="float", owner=at.ref)) == 0


def test_every_way_from_the_tables_is_on_the_screen(page, live_stack):
    for login in ("clara", "hugo", "ida"):
        theirs = new_page(page.context.browser)
        enter(theirs, live_stack, login, "/")
        for width, height in SIZES:
            theirs.set_viewport_size({"width": width, "height": height})
            ways = theirs.locator(".doors").locator("a, button").all()
            ends = [way.bounding_box() for way in ways]
            assert len(ways) >= 5
            assert all(end["x"] >= 0 and end["x"] + end["width"] <= width for end in ends), (login, width)
        theirs.context.close()
