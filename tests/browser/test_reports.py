"""Reports in the browser: a period is chosen, a figure leads to what it is made of, and the file is taken."""

import hashlib
import os
import re
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
    david.get_by_role("searchbox").fill("MGR")
    david.get_by_role("button", name="Find").click()
    expect(david.locator("[data-test=catalogue] a")).to_have_count(1)
    david.get_by_role("link", name="Show all").click()
    look(david, "report-list")
    david.get_by_label("From gaming day").fill(period.first.isoformat())
    david.get_by_label("To gaming day").fill(period.last.isoformat())
    david.get_by_role("button", name="Show this period").click()
    david.wait_for_url(f"**/reports/?period={period}")
    david.locator("[data-test=catalogue] a[href*=master-game]").click()
    david.wait_for_url(f"**/reports/master-game/{period}/")
    expect(david.locator("[data-test=grade]")).to_contain_text("FINAL")
    expect(david.locator("[data-test=rows] tbody tr:not(.why)")).to_have_count(2 * closed_days.DAYS)
    look(david, "report-master-game")
    look(david, "report-files-to-make")
    with david.expect_event("load"):
        david.get_by_role("button", name="Make CSV").click()
    with david.expect_download() as taken:
        david.locator("[data-test=file-csv] a").click()
    digest = hashlib.sha256(Path(taken.value.path()).read_bytes()).hexdigest()
    david.reload()
    expect(david.locator("[data-test=digest]")).to_contain_text(digest[:8])
    # The widest, whose steps stand one below the other; the others are laid out alike.
    david.goto(live_stack.url(f"/reports/fills-and-credits/{period}/"))
    look(david, "report-fills-and-credits")
    for name in ("pace", "payments", "alarms"):
        day = period.after().first if name == "alarms" else period
        david.goto(live_stack.url(f"/reports/{name}/{day}/"))
        expect(david.locator(".cx")).to_be_visible()
        look(david, f"report-{name}", sizes=((1280, 800),))
    david.goto(live_stack.url(f"/reports/hand-history/{period}/"))
    expect(david.locator("[data-test=rows] .below").first).to_contain_text("ANTE")
    look(david, "report-hand-history")
    david.goto(live_stack.url(f"/reports/master-game/{period.after().first}/"))
    expect(david.locator("[data-test=grade]")).to_contain_text("ESTIMATE")
    expect(david.get_by_role("button", name="Make CSV")).to_have_count(0)
    # A day stands by pits: T1 is open, and of the closer of T2 one person has signed.
    expect(david.locator("[data-test=by-pit] .gap").first).to_contain_text("the table is open")
    expect(david.locator("[data-test=by-pit] .gap").nth(1)).to_contain_text("one signature missing")
    expect(david.locator("[data-test=by-pit] tfoot")).to_contain_text("Counted")
    look(david, "report-estimate")
    david.goto(live_stack.url(f"/reports/master-game/{period.last}/"))
    look(david, "report-by-pit")
    first = david.locator("[data-test=line-table]").first
    opened = david.locator("[data-test=why]:visible")
    expect(opened).to_have_count(0)
    first.locator("a[href$=-win]").click()
    expect(opened).to_have_count(1)
    expect(opened).to_contain_text("Opener")
    assert re.fullmatch(".*#why-[0-9]+-win", david.url)
    look(david, "report-why")
    opened.get_by_role("link", name="entries").click()
    # These nights were made now: the log has them by its own clock, so that the search finds none of that day.
    expect(david.get_by_label("From gaming day")).to_have_value(period.last.isoformat())
    david.go_back()
    opened.get_by_role("link", name="rounds").click()
    david.wait_for_url(f"**/reports/hand-history/{period.last}/?table=T1")
    david.goto(live_stack.url(f"/reports/master-game/{period}/"))
    david.emulate_media(media="print")
    if folder := os.environ.get("PICTURES"):
        david.pdf(path=f"{folder}/report.pdf", prefer_css_page_size=True)
    expect(david.locator(".watch")).to_be_hidden()
    david.emulate_media(media="screen")
    david.locator("[data-test=rows] tbody tr").first.locator("td.n a").first.click()
    david.wait_for_url("**/days/*/tables/*/")


def test_files_are_made_for_everybody_and_a_program_gets_a_token(page, live_stack):
    with live_stack.in_process():
        period = closed_days.closed()
    ida = new_page(page.context.browser)
    ida.set_viewport_size({"width": 1280, "height": 800})
    enter(ida, live_stack, "ida", f"/reports/count-sheets/{period}/")
    for form in ("XLSX", "PDF"):
        with ida.expect_event("load"):
            ida.get_by_role("button", name=f"Make {form}").click()
    with ida.expect_download() as taken:
        ida.locator("[data-test=file-pdf] a").click()
    assert Path(taken.value.path()).read_bytes().startswith(b"%PDF-")
    with ida.expect_download() as taken:
        ida.locator("[data-test=file-xlsx] a").click()
    assert Path(taken.value.path()).read_bytes().startswith(b"PK")
    # What the log has of it came with its button, without another look.
    expect(ida.locator(".given")).to_contain_text("PDF: entry")
    ida.goto(live_stack.url("/reports/files/"))
    expect(ida.locator("[data-test=files] tbody tr").first).to_contain_text("Count sheets")
    ida.locator("summary", has_text="Give a token").click()
    ida.get_by_label("Name of the program").fill("accounting")
    form = ida.locator("form[data-token]")
    form.get_by_label("Login").fill("frank")
    form.get_by_label("Password").fill("wrong")
    form.get_by_role("button", name="Give the token").click()
    expect(form.locator("[data-wrong], [data-wrong-whole]").filter(has_text="wrong")).to_be_visible()
    look(ida, "report-files")
    form.get_by_label("Password").fill(live_stack.logins["frank"])
    form.get_by_role("button", name="Give the token").click()
    token = ida.locator("[data-test=token]")
    expect(token).to_have_text(re.compile("^[A-Za-z0-9_-]{43}$"))
    shown = {"Authorization": f"Reports {token.text_content()}"}
    answer = ida.request.get(live_stack.url(f"/reports/count-sheets/{period}.csv"), headers=shown)
    assert answer.ok
    with ida.expect_event("load"):
        ida.get_by_role("button", name="I’ve copied it").click()
    expect(ida.locator("[data-test=token-accounting]")).to_contain_text("given")


ASKED = {
    "stiff sheets of yesterday": "Count sheets",
    "numbers missing of fills": "Slip numbers unused, void or missing",
    "who may void rounds": "Access review",
    "MGR": "Master game report",
    "what was corrected after the day was closed": "Adjustments to the master game report",
}


def test_somebody_new_finds_what_an_inspector_asks_for(page, live_stack):
    with live_stack.in_process():
        period = closed_days.closed()
    david = new_page(page.context.browser)
    david.set_viewport_size({"width": 1280, "height": 800})
    enter(david, live_stack, "david", f"/reports/pace/{period.last}/")
    for words, title in ASKED.items():
        # From the page of whichever report is open.
        david.locator("aside").get_by_role("searchbox").or_(david.get_by_role("searchbox")).first.fill(words)
        david.get_by_role("button", name="Find").click()
        david.locator("[data-test=catalogue] a").first.click()
        expect(david.locator("h1")).to_contain_text(title)
        expect(david.locator("h1")).to_contain_text(period.last.strftime("%B %Y"))
        if title == "Access review":
            david.get_by_text("What each role may do").click()
            expect(david.locator("[data-test=roles] tr", has_text="void, correct")).to_contain_text("pit boss")
            look(david, "report-access-review")
