"""Reports in the browser: a period is chosen, a figure leads to what it is made of, and the file is taken."""

import hashlib
import os
from pathlib import Path

import pytest

from ..support import closed_days
from ..support.looks import look
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def test_a_period_is_chosen_its_report_read_and_its_file_taken(page, live_stack):
    with live_stack.in_process():
        period = closed_days.furnished()
    david = new_page(page.context.browser)
    david.set_viewport_size({"width": 1280, "height": 800})
    enter(david, live_stack, "david", "/reports/")
    look(david, "report-list")
    david.get_by_label("From gaming day").fill(period.first.isoformat())
    david.get_by_label("To gaming day").fill(period.last.isoformat())
    david.get_by_role("button", name="Show this period").click()
    david.wait_for_url(f"**/reports/?period={period}")
    david.locator("[data-test=catalogue] a", has_text="Master game report").click()
    david.wait_for_url(f"**/reports/master-game/{period}/")
    expect(david.locator("[data-test=grade]")).to_contain_text("FINAL")
    expect(david.locator("[data-test=rows] tbody tr")).to_have_count(2 * closed_days.DAYS)
    look(david, "report-master-game")
    with david.expect_download() as taken:
        david.locator("[data-test=csv]").click()
    digest = hashlib.sha256(Path(taken.value.path()).read_bytes()).hexdigest()
    david.reload()
    expect(david.locator("[data-test=digest]")).to_contain_text(digest[:8])
    # The widest, whose steps stand one below the other; the others are laid out alike.
    david.goto(live_stack.url(f"/reports/fills-and-credits/{period}/"))
    look(david, "report-fills-and-credits")
    david.goto(live_stack.url(f"/reports/master-game/{period.after().first}/"))
    expect(david.locator("[data-test=grade]")).to_contain_text("ESTIMATE")
    expect(david.locator("[data-test=csv]")).to_have_count(0)
    look(david, "report-estimate")
    david.goto(live_stack.url(f"/reports/master-game/{period}/"))
    david.emulate_media(media="print")
    if folder := os.environ.get("PICTURES"):
        david.pdf(path=f"{folder}/report.pdf", prefer_css_page_size=True)
    expect(david.locator(".watch")).to_be_hidden()
    david.emulate_media(media="screen")
    david.locator("[data-test=rows] tbody tr").first.locator("td.n a").first.click()
    david.wait_for_url("**/days/*/tables/*/")
