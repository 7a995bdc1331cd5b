"""A rule sheet is read in words, published by a second person, and put in force at a table by two, from a moment on."""

import datetime as dt
import re

import pytest
from django.db import transaction
from django.utils import timezone

from casino import money
from tables.models import Round
from tables.verbs import rulesheets

from ..support import factories, waiting
from ..support.looks import violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
VALUES = {"chip": 100, "ante_minimum": 200, "ante_maximum": 20_000, "max_payment": 1_000}


def test_a_draft_is_published_and_put_in_force_from_a_moment_on(page, live_stack):
    with live_stack.in_process():
        closed = factories.play_round(factories.table("T1"), factories.FLUSH_WINS)
        waiting.until(lambda: Round.objects.filter(pk=closed.pk, status="SETTLED").exists())
        paid = Round.objects.get(pk=closed.pk).settlement.payments.get(box=1).paid_units
        with transaction.atomic():
            frank = factories.actor("frank")
            sheet = rulesheets.draft(game="split", values=VALUES, coefficient_table=None, actor=frank)
    enter(page, live_stack, "clara", "/sheets/")
    assert not violations(page)
    page.get_by_role("link", name="Split Poker 2").click()
    expect(page.locator("[data-test=compared] h2")).to_contain_text("3 values changed")
    assert not violations(page)
    page.get_by_role("link", name="Try it").click()
    expect(page.locator("[data-test=difference]")).to_have_text(money.spell(1000 - paid, 2))
    assert not violations(page)
    page.get_by_role("link", name="The rule sheet").click()
    page.get_by_role("button", name="Publish it").click()
    form = page.locator(f"form[data-to='/api/v1/sheets/{sheet.pk}/in-force/']")
    day = (timezone.now() + dt.timedelta(days=2)).date()
    form.get_by_label("From").fill(f"{day}T20:00")
    form.get_by_label("Login").fill("ida")
    with live_stack.in_process():
        password = factories.signature("ida")["password"]
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Put it in force").click()
    expect(page.locator("[data-path=tables] [data-wrong]")).to_have_text(re.compile("No table is named"))
    form.get_by_label("Split 1").check()
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Put it in force").click()
    expect(page.locator("[data-test=coming]")).to_contain_text("20:00:00")
    assert not violations(page)
