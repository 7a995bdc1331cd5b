"""The floor in the browser: what happens at a table stands on its tile at once, what needs a person comes first and has
its key, and a figure leads to its rounds."""

import pytest

from ..support import factories
from ..support.looks import WITH_PHONE, look
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def tile(page, name):
    return page.locator("[data-test=tile]", has_text=name)


def test_what_happens_at_a_table_stands_on_its_tile_and_what_needs_a_person_first(page, live_stack):
    with live_stack.in_process():
        first, second = factories.table("T1"), factories.table("T2")
        contested = factories.settled_round(first)
    enter(page, live_stack, "david")
    expect(page.locator("[data-link-state=live]")).to_be_visible()
    expect(tile(page, "Split 1")).to_have_attribute("data-state", "idle")
    expect(page.locator(".calls .none")).to_be_visible()
    look(page, "floor-quiet", WITH_PHONE)
    page.goto(live_stack.url("/"))
    enter(page, live_stack, "clara")
    expect(page.locator("[data-link-state=live]")).to_be_visible()
    tile(page, "Split 2").get_by_role("link", name="Split 2", exact=True).focus()
    with live_stack.in_process():
        held = factories.open_round(second)
    expect(tile(page, "Split 2")).to_have_attribute("data-state", "playing")
    expect(tile(page, "Split 2").get_by_role("link", name="Split 2", exact=True)).to_be_focused()
    with live_stack.in_process():
        factories.hold(held)
        factories.call(first)
        factories.issue(factories.slip(first))
        factories.contest(contested)
    expect(tile(page, "Split 2")).to_have_attribute("data-state", "held")
    rows = page.locator(".calls li")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Split 2 held")
    expect(rows.nth(1)).to_contain_text("Split 1 calls")
    expect(rows.nth(2)).to_contain_text("Dispute, Split 1")
    expect(rows.nth(3)).to_contain_text("on its way")
    look(page, "floor-busy", WITH_PHONE)
    page.locator("h1").click()
    page.keyboard.press("3")
    page.wait_for_url("**/disputes/*/")
    page.go_back()
    tile(page, "Split 1").click()
    page.wait_for_url(f"**/floor/tables/{first.pk}/")
    steps = page.locator("[data-test=steps] tbody tr")
    expect(steps.last).to_be_visible()
    assert 29 <= steps.count() <= 32  # seven full hours and what has passed of this one
    look(page, "floor-table", WITH_PHONE)
    page.get_by_role("link", name="Floor", exact=True).click()
    # From the win to its rounds, and from a round to its entries.
    tile(page, "Split 1").get_by_role("link", name="win of Split 1").click()
    expect(page.locator("[data-test=rounds]")).to_be_visible()
    look(page, "floor-rounds", WITH_PHONE)
    page.get_by_role("link", name="T1-00001").click()
    expect(page.locator("[data-test=entries] tbody tr").first).to_be_visible()
    # A round in play is voided in sight of the tile: its table, the form, and a second person.
    page.goto(live_stack.url("/"))
    tile(page, "Split 2").click()
    page.get_by_role("link", name="Void round 1", exact=True).click()
    form = page.locator("#void-form")
    expect(form.get_by_label("Reason")).to_be_visible()
    look(page, "floor-void", WITH_PHONE)
    form.get_by_label("Reason").fill("Two aces of spades.")
    form.get_by_label("Login").fill("boris")
    form.get_by_label("Password").fill(live_stack.logins["boris"])
    with page.expect_event("load"):
        form.get_by_role("button", name="Void round").click()
    expect(page.get_by_text("The round is void")).to_be_visible()
    expect(page.locator("#void")).to_have_count(0)
