"""A drop box from its mounting to its count on its pages, by keyboard alone, and the buy-ins between."""

import os

import pytest

from tables.models import DropBox

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


def fits(page, name):
    assert not violations(page, THEMES)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/drop-{name}-{width}.png", full_page=True)


def keys_to(page, selector):
    """Tab until the focus is there."""
    for _ in range(80):
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
    page.keyboard.press("Enter")


def count(page, notes):
    for value in (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100):
        write(page, f"[data-chip='{value}']", str(notes.get(value, 0)))


def test_a_box_is_mounted_bought_into_taken_off_and_counted_by_two(desk, live_stack):
    with live_stack.in_process():
        table = factories.table("T1").pk
    clara = desk("clara", f"/tables/{table}/drop-boxes/new/")
    fits(clara, "mount")
    write(clara, "[name=number]", "t-17")
    write(clara, "[name=seal]", "s-1")
    sign(clara, live_stack, "hugo")
    expect(clara.locator("#drop-box-head")).to_have_text("Drop box T-17")
    fits(clara, "mounted")
    anna = desk("anna", f"/tables/{table}/buy-in/")
    keys_to(anna, "[name=box]")
    anna.keyboard.press("ArrowRight")
    write(anna, "#sum", "3000")
    expect(anna.locator(".sign")).to_be_visible()
    fits(anna, "buy-in-signed")
    write(anna, "#sum", "250.50")
    expect(anna.locator(".sign")).to_be_hidden()
    anna.keyboard.press("Enter")
    expect(anna.locator('[data-path="units"]')).to_contain_text("The chips of Split 1 can’t add up to")
    write(anna, "#sum", "250")
    anna.keyboard.press("Enter")
    expect(anna.locator("[data-test=bought]")).to_contain_text("250")
    fits(anna, "buy-in")
    write(clara, "[name=number]", "T-17")
    write(clara, "[name=seal]", "S-2")
    sign(clara, live_stack, "frank")
    expect(clara.locator(".alarm")).to_contain_text("Another seal.")
    fits(clara, "off")
    with live_stack.in_process():
        drop_box = DropBox.objects.get().pk
    olga = desk("olga", f"/drop-boxes/{drop_box}/")
    fits(olga, "to-count")
    keys_to(olga, f"[href='/drop-boxes/{drop_box}/count/']")
    olga.keyboard.press("Enter")
    expect(olga.locator("h1")).to_contain_text("First count")
    fits(olga, "count")
    count(olga, {20000: 1, 5000: 1})
    olga.keyboard.press("Enter")
    expect(olga.locator(".sealed")).to_contain_text("You’ve counted.")
    petra = desk("petra", f"/drop-boxes/{drop_box}/count/")
    count(petra, {20000: 1, 5000: 1})
    petra.keyboard.press("Enter")
    expect(petra.locator("[data-test=expected]")).to_have_text("250")
    fits(petra, "compare")
    sign(petra, live_stack, "olga")
    petra.wait_for_url(f"**/drop-boxes/{drop_box}/")
    expect(petra.locator("[data-test=variance]")).to_have_text("0")
    fits(petra, "counted")
