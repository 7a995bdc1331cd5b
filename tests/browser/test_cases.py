"""A case on its pages: given more time, refused to whoever signed the closing, decided, by two pit bosses."""

import os

import pytest

from ..support import factories
from ..support.looks import SIZES, THEMES, violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def fits(page, name):
    assert not violations(page, THEMES)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/case-{name}-{width}.png")
    page.set_viewport_size({"width": 1280, "height": 800})


def sign(page, live_stack, login):
    page.locator("[data-login]").fill(login)
    page.locator("[data-password]").fill(live_stack.logins[login])
    page.get_by_role("button", name="Decide V").click()


def test_a_case_gets_more_time_and_is_decided_by_two(page, live_stack):
    with live_stack.in_process():
        for code in ("T1", "T2"):
            factories.vary_session(factories.table(code))
    enter(page, live_stack, "clara", "/")
    page.get_by_role("link", name="Cases").click()
    expect(page.locator(".nothing")).to_have_text("Choose a case.")
    fits(page, "list")
    page.locator(".slip-row", has_text="000001").click()
    expect(page.locator("[data-test=units]")).to_have_text("−1")
    page.locator("summary", has_text="the time").click()
    fits(page, "waits")
    before = page.locator("[data-test=clock]").text_content()
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("[data-refusal]")).to_contain_text("already has this owner, this time and this video")
    page.get_by_label("Due").select_option(index=4)
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("[data-test=clock]")).not_to_have_text(before)
    page.get_by_label("Cause not found").check()
    page.get_by_label("What it was").fill("Camera 4 looked at, the counts asked again.")
    sign(page, live_stack, "hugo")
    expect(page.locator("[data-wrong-whole]")).to_contain_text("signed the closing")
    fits(page, "refused")
    sign(page, live_stack, "frank")
    expect(page.locator("[data-test=decision]")).to_contain_text("Cause not found.")
    expect(page.locator("[data-test=decision]")).to_be_in_viewport()
    expect(page.locator("main form")).to_have_count(0)
    fits(page, "decided")
    page.get_by_role("link", name="Session ").click()
    expect(page.locator("[data-test=case]")).to_contain_text("V-")
    fits(page, "form")


def test_a_case_about_a_void_round_is_opened_on_its_page_decided_by_two_and_has_its_file(page, live_stack):
    with live_stack.in_process():
        round_ = factories.void_round(factories.table("T1"))
        name = str(round_)
    enter(page, live_stack, "clara", f"/rounds/{round_.pk}/")
    page.get_by_text("Open a case").click()
    page.get_by_label("What has to be found out").fill("Whether the ante was put back.")
    fits(page, "void-asked")
    page.get_by_role("button", name="Open the case").click()
    expect(page.locator("[data-test=question]")).to_contain_text("Whether the ante was put back.")
    page.locator(".case .facts").get_by_role("link", name=name).click()
    expect(page.locator("[data-test=asked]")).to_contain_text("VO-")
    fits(page, "void-round")
    page.goto(live_stack.url(f"/sessions/{round_.session_id}/"))
    page.get_by_text("Investigate this session").click()
    page.get_by_label("What has to be found out").fill("Why so many rounds were void.")
    fits(page, "session-asked")
    page.get_by_role("button", name="Open the investigation").click()
    expect(page.locator("[data-test=question]")).to_contain_text("so many rounds")
    fits(page, "investigation")
    page.locator(".slip-row", has_text="VO-").click()
    expect(page.locator("#case-head")).to_contain_text("VO-")
    page.get_by_label("Cause found").check()
    page.get_by_label("What it was").fill("The camera shows the ante put back.")
    sign(page, live_stack, "frank")
    expect(page.locator("[data-test=decision]")).to_contain_text("The camera shows the ante put back.")
    with page.expect_download() as download:
        page.get_by_role("link", name="Case file, PDF").click()
    assert download.value.suggested_filename.startswith("VO-")
