"""A rule sheet is drafted on a form, read in words, published by a second person, put in force at a table by two from a
moment on, and withdrawn before it."""

import datetime as dt
import re

import pytest
from django.utils import timezone

from casino import money
from tables.models import Round, RuleSheet

from ..support import factories, waiting
from ..support.looks import violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
VALUES = {"ante_minimum": "2.50", "ante_maximum": "150", "max_payment": "10"}


def test_a_sheet_is_drafted_published_put_in_force_from_a_moment_on_and_withdrawn(page, live_stack):
    with live_stack.in_process():
        closed = factories.play_round(factories.table("T1"), factories.FLUSH_WINS)
        waiting.until(lambda: Round.objects.filter(pk=closed.pk, status="SETTLED").exists())
        paid = Round.objects.get(pk=closed.pk).settlement.payments.get(box=1).paid_units
        password = factories.signature("ida")["password"]
    enter(page, live_stack, "ida", "/sheets/")
    page.get_by_role("link", name="New draft of Split Poker").click()
    for path, text in VALUES.items():
        page.locator(f"[name={path}]").fill(text)
    page.get_by_role("button", name="Compare it").click()
    expect(page.locator("[data-path=ante_minimum] [data-wrong]")).to_contain_text("2.50; it must be a multiple")
    page.locator("[name=ante_minimum]").fill("2")
    page.get_by_role("button", name="Compare it").click()
    expect(page.locator("[data-test=compared] h2")).to_contain_text("3 values changed")
    expect(page.locator("[data-test=leaflet]")).to_contain_text("ANTE, least")
    assert not violations(page)
    # What is saved is what was compared.
    page.locator("[name=ante_maximum]").fill("200")
    expect(page.get_by_role("button", name="Save the draft")).to_have_count(0)
    page.get_by_role("button", name="Compare it").click()
    page.get_by_role("button", name="Save the draft").click()
    page.wait_for_url(re.compile(r"/sheets/[0-9]+/$"))
    with live_stack.in_process():
        sheet = RuleSheet.objects.get(status="DRAFT")
    enter(page, live_stack, "clara", "/sheets/")
    assert not violations(page)
    page.get_by_role("link", name="Split Poker 2").click()
    expect(page.locator("[data-test=compared] h2")).to_contain_text("3 values changed")
    assert not violations(page)
    page.get_by_role("link", name="Try it").click()
    expect(page.locator("[data-test=difference]")).to_have_text(money.spell(1000 - paid, 2))
    assert not violations(page)
    page.get_by_role("link", name="The rule sheet").click()
    expect(page.get_by_role("button", name="Publish it")).to_have_count(0)
    page.get_by_role("link", name="Have it computed").click()
    expect(page.get_by_role("button", name="Compute it")).to_be_visible()
    with live_stack.in_process():
        factories.computed_edge(sheet, edge_percent="35.5")
    page.get_by_role("link", name="The rule sheet").click()
    expect(page.locator("[data-test=edge-note]")).to_contain_text("Outside the casino’s band of 0.5 to 30 %")
    assert not violations(page)
    page.get_by_label("Why it’s published all the same").fill("A trial of one week.")
    page.get_by_role("button", name="Publish it").click()
    expect(page.locator("[data-test=pinned]")).to_contain_text("35.50 % of the ANTE, outside")
    form = page.locator(f"form[data-to='/api/v1/sheets/{sheet.pk}/in-force/']")
    day = (timezone.now() + dt.timedelta(days=2)).date()
    form.get_by_label("From").select_option("Another moment")
    form.locator("[name=from_at]").fill(f"{day}T20:00")
    form.get_by_label("Login").fill("ida")
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Put it in force").click()
    expect(page.locator("[data-path=tables] [data-wrong]")).to_have_text(re.compile("You chose no table"))
    form.get_by_label("Split 1").check()
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Put it in force").click()
    expect(page.locator("[data-test=coming]")).to_contain_text("20:00:00")
    page.locator("summary", has_text="Withdraw").click()
    assert not violations(page)
    form = page.locator(f"form[data-to='/api/v1/sheets/{sheet.pk}/withdraw/']")
    form.get_by_label("Login").fill("ida")
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Withdraw it").click()
    expect(page.locator("[data-test=withdrawn]")).to_contain_text("20:00:00")
    expect(page.locator("[data-test=coming]")).to_have_count(0)
