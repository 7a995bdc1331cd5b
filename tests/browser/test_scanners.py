"""A scanner with signs around its codes: set and tried on the pit boss's page, then cards are dealt with it."""

import pytest
from django.conf import settings
from django.db import transaction

from tables.people import terminals

from ..support import factories
from ..support.looks import violations
from ..support.terminal import deal, enter, moment, new_page, pause, scan, step

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

# After this long a card that is read again is read anew: see TWICE_MS of scanner.js.
LATER_MS = 800
MOVES = (("ante", 1, {"units": 2500}), ("close_betting", None, {}))


@pytest.fixture
def terminal(live_stack, page):
    """This browser is a terminal of the first table."""
    with live_stack.in_process():
        row, token = enrolled()
    page.context.add_cookies([{"name": settings.TERMINAL_COOKIE_NAME, "value": token, "url": live_stack.base_url}])
    return row


def enrolled():
    with transaction.atomic():
        name = f"T1-{factories.table().terminals.count()}"
        return terminals.enrol(table_id=1, name=name, actor=factories.actor("clara"))


def test_a_scanner_is_tried_and_set_and_then_deals(page, live_stack, terminal):
    boss = new_page(page.context.browser)
    enter(boss, live_stack, "clara", "/tables/1/enrol/")
    boss.get_by_role("link", name=f"Scanner of {terminal.name}").click()
    read = boss.locator("[data-read]")
    expect(read).to_contain_text("Scan a card")
    scan(boss, "9d")
    expect(read).to_have_text("The nine of diamonds")
    boss.get_by_label("Before each card").fill("]C1")
    boss.get_by_label("After each card").fill("#")
    # Scanned into the card's field: what stands around the code is left out, and the next field follows.
    boss.get_by_label("nine of diamonds").fill("]C1D09#")
    pause(boss)
    boss.get_by_label("nine of diamonds").press("Enter")
    expect(boss.get_by_label("nine of diamonds")).to_have_value("D09")
    boss.evaluate("document.activeElement.blur()")
    scan(boss, "]C1D09#")
    expect(read).to_have_text("The nine of diamonds")
    scan(boss, "9d")
    expect(read).to_have_text("It doesn’t begin and end as this scanner’s cards do.")
    scan(boss, "]C19d#")
    expect(read).to_have_text("It isn’t a card of this deck.")
    assert not violations(boss)
    boss.get_by_role("button", name="Set the scanner").click()
    expect(boss.locator("[data-done]")).to_contain_text("Set.")
    boss.get_by_role("button", name="Set the scanner").click()
    expect(boss.get_by_role("alert")).to_contain_text("is already set like this")
    boss.get_by_label("ten of diamonds").fill("D09")
    boss.get_by_role("button", name="Set the scanner").click()
    expect(boss.get_by_role("alert")).to_contain_text("D09 is the")
    boss.context.close()

    deal(page, live_stack, "anna", *MOVES)
    told = page.locator(".refusal")
    scan(page, "9d")
    expect(told).to_contain_text("doesn’t begin and end as this scanner’s cards do")
    scan(page, "]C1D09#")
    expect(page.locator("[data-slots] [data-slot]")).to_have_count(1)
    page.keyboard.press("Backspace")
    # A card without a code of its own, read twice within a moment: it counts once.
    scan(page, "]C1Kh#", "]C1Kh#")
    expect(told).to_contain_text("The king of hearts was read twice.")
    expect(page.locator("[data-slots] [data-slot]")).to_have_count(1)
    # What is wrong with a card is said of a second read, too.
    pause(page)
    page.keyboard.press("Enter")
    step(page, 3)
    page.locator("[data-pick='1']").click()
    page.keyboard.press("b")
    step(page, 4)
    pause(page, LATER_MS)
    scan(page, "]C1Kh#", "]C1Kh#")
    expect(told).to_contain_text("The king of hearts lies on the table already: Dealer.")
    moment(page, "open")
