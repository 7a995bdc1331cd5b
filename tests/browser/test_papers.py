"""A round from paper entered by two on its page, and the terminal that goes on with it."""

import datetime as dt
import os
from zoneinfo import ZoneInfo

import pytest

from casino.models import Casino
from tables.models import Table

from ..support import factories
from ..support.chip_nights import pile
from ..support.looks import SIZES, THEMES, check, violations
from ..support.terminal import enter, moment, new_page, part, round_id, rows

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def fits(page, name):
    assert not violations(page, THEMES)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture(page, f"{name}-{width}")


def picture(page, name):
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/paper-{name}.png", full_page=True)


def write(page, fields):
    for selector, text in fields.items():
        page.locator(selector).fill(text)


def sign(page, live_stack, login):
    write(page, {"[data-login]": login, "[data-password]": live_stack.logins[login]})
    page.keyboard.press("Enter")


def test_two_enter_a_round_from_paper_and_the_terminal_says_so_until_the_next(page, live_stack):
    with live_stack.in_process():
        table, zone = factories.table("T1"), ZoneInfo(Casino.objects.get().time_zone)
    enter(page, live_stack, "anna", f"/tables/{table.pk}/terminal/")
    page.locator("#do-menu").click()
    part(page, "paper-round").click()
    now = dt.datetime.now(zone)
    write(page, {"[name=number]": "p 1", "[name=time]": f"{now:%H%M%S}"})
    sign(page, live_stack, "clara")
    expect(page.locator("[data-path=paper]")).to_contain_text("This can’t be the number on a paper.")
    fits(page, "refused")
    write(page, {"[name=number]": "p-000412"})
    sign(page, live_stack, "clara")
    moment(page, "open")
    expect(part(page, "paper")).to_have_text(f"From paper P-000412{now.day} {now:%B, %H:%M}")
    expect(page.locator("[data-clock]")).to_have_count(0)
    check(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        picture(page, f"terminal-{width}")
    clara = new_page(page.context.browser)
    enter(clara, live_stack, "clara", f"/tables/{table.pk}/terminal/")
    clara.locator("#do-actions").click()
    clara.locator("#actions a").click()
    expect(clara.locator(".facts").first).to_contain_text("P-000412")
    fits(clara, "round")
    clara.goto(live_stack.url(f"/tables/{table.pk}/paper-rounds/new/"))
    expect(part(clara, "missing")).to_contain_text("is open. Close it or void it")
    fits(clara, "missing")
    clara.context.close()
    with live_stack.in_process():
        factories.void(table.rounds.latest("pk"), clause="house.4")


def test_who_played_and_who_dealt_are_asked_where_the_game_names_them(page, live_stack):
    live_stack.clear("jonas")
    with live_stack.in_process():
        [table] = Table.objects.filter(sign_ons__staff__login="jonas", sign_ons__signed_off_at=None)
        zone, boss = ZoneInfo(Casino.objects.get().time_zone), factories.boss_of(table).login
    enter(page, live_stack, "jonas", f"/tables/{table.pk}/paper-rounds/new/")
    for seat in page.locator("[name=seats]:checked").all():
        seat.uncheck(force=True)
    expect(page.locator("[name=dealer]:enabled")).to_have_count(0)
    for box in (2, 4, 7):
        page.locator(f"[name=seats][value='{box}']").check(force=True)
    page.locator("[name=dealer][value='4']").check(force=True)
    fits(page, "seats")
    write(page, {"[name=number]": "413", "[name=time]": f"{dt.datetime.now(zone):%H:%M:%S}"})
    sign(page, live_stack, boss)
    moment(page, "open")
    assert rows(live_stack, "SELECT seats, paper FROM tables_round WHERE id = %s", round_id(page)) == [
        ([7, 2, 4], "413")
    ]


def test_a_paper_of_a_closed_session_goes_on_at_a_terminal_of_its_own(page, live_stack):
    with live_stack.in_process():
        table, zone = factories.table("T2"), ZoneInfo(Casino.objects.get().time_zone)
        session = table.sessions.get()
        factories.close_session(table, pile(factories.ledger.balance(table.float_account) - 500))
    at = (session.opened_at + dt.timedelta(seconds=1)).astimezone(zone)
    enter(page, live_stack, "clara", f"/tables/{table.pk}/paper-rounds/new/")
    expect(part(page, "closed")).to_contain_text("Also of closed sessions")
    fits(page, "closed")
    write(page, {"[name=number]": "p-77", "[name=time]": f"{at:%H%M%S}"})
    sign(page, live_stack, "frank")
    page.wait_for_url(live_stack.url(f"/sessions/{session.pk}/paper/"))
    moment(page, "open")
    expect(part(page, "paper")).to_contain_text("From paper P-77")
    with live_stack.in_process():
        late = table.rounds.get(paper="P-77")
        factories.act_all(late, factories.FOLDS)
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    check(page)
    picture(page, "late")
    expect(page.get_by_role("button", name="Next round")).to_have_count(0)
    page.goto(live_stack.url(f"/sessions/{session.pk}/"))
    expect(part(page, "from-paper")).to_be_visible()
