"""A setting is changed on its page by two people and withdrawn before its moment."""

import pytest

from ..support import factories
from ..support.looks import violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def sign(form, login, password=None):
    form.get_by_label("Login").fill(login)
    form.get_by_label("Password").fill(password or factories.signature(login)["password"])


def test_a_setting_is_changed_and_a_change_to_come_is_withdrawn(page, live_stack):
    with live_stack.in_process():
        signature = factories.signature("ida")
    enter(page, live_stack, "clara", "/settings/")
    section = page.locator("[data-test=closer_variance_units]")
    expect(section.locator("[data-test=value]")).to_have_text("0 EUR")
    section.locator("summary").last.click()
    section.get_by_label("New value, EUR").fill("50.5")
    sign(section, "ida", "wrong")
    section.get_by_role("button", name="Change it").click()
    expect(section.locator("[data-path=signature]")).to_contain_text("is wrong")
    sign(section, "ida", signature["password"])
    section.get_by_role("button", name="Change it").click()
    expect(section.locator("[data-test=value]")).to_have_text("50.50 EUR")
    assert not violations(page)
    section.locator("summary").last.click()
    section.get_by_label("New value, EUR").fill("75")
    section.get_by_label("From").select_option(index=1)
    sign(section, "ida", signature["password"])
    section.get_by_role("button", name="Change it").click()
    expect(section.locator("[data-test=coming]")).to_contain_text("75 EUR")
    section.locator("summary").first.click()
    assert not violations(page)
    sign(section.locator("details").first, "ida", signature["password"])
    section.get_by_role("button", name="Withdraw the change").click()
    expect(section.locator("[data-test=coming]")).to_have_count(0)
    expect(section.locator("[data-test=value]")).to_have_text("50.50 EUR")
