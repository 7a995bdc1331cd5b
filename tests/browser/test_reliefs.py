"""Relief in two taps, in the browser: who deals and who comes hear of it at once, and the page of people follows."""

import pytest

from tables.models import SignOn

from ..support import factories
from ..support.looks import WITH_PHONE, look
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def test_a_relief_takes_two_taps_and_both_croupiers_hear_of_it_at_once(page, browser, live_stack):
    with live_stack.in_process():
        table = factories.table("T1")
        anna, hilda = factories.person("anna"), factories.newcomer("hilda")
        factories.newcomer("carl")
    enter(page, live_stack, "clara")
    page.get_by_role("link", name="People").click()
    expect(page.locator("[data-link-state=live]")).to_be_visible()
    look(page, "people-quiet", WITH_PHONE)
    dealing = browser.new_context().new_page()
    enter(dealing, live_stack, "anna")
    expect(dealing.locator("#term")).to_be_visible()
    seat = page.locator("[data-test=seat-1]")
    seat.get_by_role("button", name="Relieve").click()
    choice = page.get_by_role("button", name=f"Staff {hilda.pk}")
    expect(choice).to_be_visible()
    expect(page.locator("#relieve-1 [data-test=sign-on]")).to_contain_text("Split 1 has no terminal")
    look(page, "people-choices", WITH_PHONE)
    choice.click()
    expect(seat.locator("[data-test=relief]")).to_be_visible()
    expect(dealing.locator("[data-test=relief]")).to_have_text(
        f"Staff {hilda.pk} is coming to relieve you. When they sign on at this table’s terminal, you’re signed off.",
        use_inner_text=True,
    )
    look(page, "people-asked", WITH_PHONE)
    look(dealing, "people-terminal", WITH_PHONE)
    with live_stack.in_process():
        assert SignOn.objects.get(table=table, signed_off_at=None).staff == anna
        factories.sign_on(hilda, table)
    expect(seat.locator("[data-test=relief]")).to_have_count(0)
    expect(seat).to_contain_text(f"Staff {hilda.pk}, Hilda")
    expect(dealing.locator("[data-test=relief]")).to_have_count(0)
    expect(page.locator(f"[data-test=free-{anna.pk}]")).to_be_visible()
    # The same two taps on the page of the table, by keyboard; and withdrawn again.
    page.goto(live_stack.url(f"/floor/tables/{table.pk}/"))
    page.get_by_role("button", name="Relieve").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#relieve-1")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-test=relief]")).to_be_visible()
    look(page, "people-of-table", WITH_PHONE)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Relieve")).to_be_visible()
