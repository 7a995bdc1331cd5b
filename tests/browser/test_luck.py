"""Luck told apart: from the reports to a table's drawings, and from the alarm on the floor."""

import pytest

from tables.verbs import luck, rulesheets

from ..support import factories
from ..support.factories import FLUSH_WINS, FOLDS, settled_round, table
from ..support.looks import look
from ..support.terminal import enter
from ..tables.verbs.test_luck import nights

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
SIZES = ((1280, 800), (768, 1024))


def test_a_table_that_lost_is_found_from_the_reports_and_from_the_floor(page, live_stack):
    with live_stack.in_process():
        one = table("T1")
        factories.computed_edge(rulesheets.in_force(one))
        factories.set_setting(10, name="luck_once_in")
        (first, *_) = nights(one, [FOLDS] * 3, [FOLDS, FLUSH_WINS], [FOLDS] * 2, [FLUSH_WINS] * 3, [FOLDS], [FOLDS] * 4)
        day = first[0].session.business_date
        month = f"{day:%Y-%m}"
        factories.open_session(one, factories.pile(2_000_000))
        factories.sign_on(factories.person("anna"), one)
        for _ in range(8):
            settled_round(one, FLUSH_WINS)
        luck.keep_up()
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, live_stack, "clara", "/reports/")
    page.get_by_role("link", name="Luck told apart").click()
    page.goto(live_stack.url(f"/luck/?period={month}"))
    expect(page.locator("[data-test=tables]")).to_contain_text("Split 1")
    look(page, "luck-all", SIZES)
    page.locator("[data-test=tables]").get_by_role("link", name="Split 1").click()
    expect(page.get_by_role("img", name="Win summed up over the span")).to_be_visible()
    expect(page.get_by_role("img", name="Deviation of each gaming day")).to_be_visible()
    look(page, "luck", SIZES)
    page.goto(live_stack.url(f"/reports/master-game/{day}/"))
    lanes = page.get_by_role("img", name="Win against expected")
    expect(lanes).to_be_visible()
    expect(lanes).to_contain_text("0.63 sd high")
    look(page, "luck-master-game", SIZES)
    page.locator("#of-why-all-deviation").click()
    expect(page.locator("[data-test=why]:visible")).to_contain_text("Standard deviation")
    look(page, "luck-deviation", SIZES)
    page.locator("[data-test=why]:visible").get_by_role("link", name="Luck told apart").click()
    page.locator("[data-test=tables]").get_by_role("link", name="Split 1").click()
    expect(page.get_by_role("img", name="Win of the day summed up round by round")).to_be_visible()
    look(page, "luck-day", SIZES)
    page.goto(live_stack.url(f"/reports/statistics/{day}/"))
    expect(page.get_by_role("img", name="Win against expected in the year until then")).to_be_visible()
    look(page, "luck-statistics", SIZES)
    page.goto(live_stack.url(f"/luck/tables/{one.pk}/?period={month}"))
    page.get_by_role("link", name="Last 30 days").click()
    expect(page.locator("[data-test=alarm]")).to_contain_text("no proof against anybody")
    look(page, "luck-alarm", SIZES)
    page.goto(live_stack.url("/"))
    expect(page.locator("[data-test=luck]").first).to_contain_text("expected")
    expect(page.get_by_text("Split 1 lost more than luck explains").first).to_be_visible()
    look(page, "luck-floor", SIZES)
