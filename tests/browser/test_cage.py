"""The cage on its pages, by keyboard alone: chips sold and issued, the cage counted blind by two, the shift closed."""

import os

import pytest

from payouts import ledger
from tables.verbs import cage

from ..support import factories
from ..support.looks import SIZES, THEMES, violations
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


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


def fits(page):
    assert not violations(page, THEMES)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def shot(page, name):
    if folder := os.environ.get("PICTURES"):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/cage-{name}-{width}.png", full_page=True)


def keys_to(page, selector):
    """Tab until the focus is there."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"No way to {selector} by keyboard.")


def write(page, selector, text):
    keys_to(page, selector)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def sign(page, live_stack, login):
    write(page, "[data-login]", login)
    write(page, "[data-password]", live_stack.logins[login])


def count(page, chips):
    expect(page.locator("[data-chip]").first).to_be_focused()
    for value in page.locator("[data-chip]").evaluate_all("all => all.map((each) => each.dataset.chip)"):
        page.keyboard.type(str(chips.get(value, 0)))
        page.keyboard.press("Enter")


def test_the_cage_sells_issues_counts_and_closes_by_keyboard_alone(desk, live_stack):
    hugo = desk("hugo", "/cage/")
    david = desk("david", "/cage/")
    fits(hugo)
    shot(hugo, "open")
    shot(david, "auditor")
    expect(david.locator("[data-test=in-circulation]")).to_have_text("0")
    # Chips are sold: the sum, and two who sign.
    write(hugo, "#sum", "1250.50")
    sign(hugo, live_stack, "hugo")
    hugo.keyboard.press("Enter")
    expect(hugo.locator("[data-wrong-whole]")).to_contain_text("One person can’t both ask and sign")
    sign(hugo, live_stack, "clara")
    hugo.keyboard.press("Enter")
    expect(hugo.locator("[data-test=totals]")).to_contain_text("1\u2009250.50")
    # The auditor's page follows by itself.
    expect(david.locator("[data-test=in-circulation]")).to_have_text("1\u2009250.50")
    # Chips are issued, by the chip.
    keys_to(hugo, "[name=kind]")
    for _ in range(2):
        hugo.keyboard.press("ArrowDown")
    hugo.keyboard.press("Tab")
    sign_at = hugo.locator("[data-test=totals]")
    write(hugo, "[data-chip='100000']", "20")
    expect(hugo.get_by_role("button", name="Issue 20\u2009000")).to_be_visible()
    shot(hugo, "issue")
    fits(hugo)
    sign(hugo, live_stack, "clara")
    hugo.keyboard.press("Enter")
    expect(sign_at).to_contain_text("1\u2009615\u2009000")
    # Two count, the second blind, and the cage is one chip of 5 short.
    with live_stack.in_process():
        books = ledger.balances()["cage"]
    chips = {"100": books // 100 % 100_000 - 5, "100000": books // 10_000_000 * 100}
    assert books % 100 == 50  # half a euro was sold
    olga = desk("olga", "/cage/count/")
    fits(olga)
    count(olga, chips)
    expect(olga.locator("h1")).to_contain_text("Second count")
    expect(olga.locator(".sealed")).to_contain_text("You’ve counted.")
    expect(hugo.locator("[data-test=count]")).to_contain_text("has counted. Have a second person count now.")
    keys_to(hugo, "a[href='/cage/count/']")
    hugo.keyboard.press("Enter")
    expect(hugo.locator("h1")).to_contain_text("Second count")
    fits(hugo)
    shot(hugo, "count")
    count(hugo, chips)
    expect(hugo.locator("h1")).to_contain_text("Comparison")
    expect(hugo.locator("[data-test=variance]")).to_have_text("\u22125.50")
    fits(hugo)
    shot(hugo, "compare")
    expect(olga.locator(".remark-line")).to_contain_text("The cashier signs now")
    write(hugo, "[name=reason]", "A chip of 5 was not found")
    sign(hugo, live_stack, "olga")
    hugo.keyboard.press("Enter")
    expect(hugo.locator(".nothing")).to_contain_text("No shift of the cage is open.")
    keys_to(hugo, ".slip-row")
    hugo.keyboard.press("Enter")
    expect(hugo.locator("[data-test=variance]")).to_have_text("\u22125.50")
    expect(hugo.locator("[data-test=reason]")).to_contain_text("A chip of 5 was not found")
    fits(hugo)
    shot(hugo, "closed")
    keys_to(hugo, "button.go")
    hugo.keyboard.press("Enter")
    expect(hugo.get_by_role("heading", name="Open", exact=True)).to_be_visible()
    with live_stack.in_process():
        assert cage.running() is not None
        assert factories.person("olga").is_active
