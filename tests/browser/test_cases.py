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
    page.get_by_role("button", name="Decide V-").click()


def test_a_case_gets_more_time_and_is_decided_by_two(page, live_stack):
    with live_stack.in_process():
        for code in ("T1", "T2"):
            factories.vary_session(factories.table(code))
    enter(page, live_stack, "clara", "/")
    page.get_by_role("link", name="Cases").click()
    expect(page.locator(".nothing")).to_have_text("Choose a case.")
    fits(page, "list")
    page.get_by_role("link", name="000001").click()
    expect(page.locator("[data-test=units]")).to_have_text("−1")
    page.locator("summary", has_text="more time").click()
    fits(page, "waits")
    before = page.locator("[data-test=clock]").text_content()
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("[data-refusal]")).to_contain_text("this owner, this time and this video already")
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
    expect(page.locator("main form")).to_have_count(0)
    fits(page, "decided")
    page.get_by_role("link", name="Session ").click()
    expect(page.locator("[data-test=case]")).to_contain_text("V-")
    fits(page, "form")
