"""A person joins by two, sets their password with the code that is shown once, leaves and returns."""

import pytest
from django.db import transaction

from tables.people import terminals

from ..support import factories
from ..support.looks import violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

PASSWORD = "velvet-otter-41"


def sign(form, signature):
    form.locator("[name=second_login]").fill(signature["login"])
    form.locator("[name=second_password]").fill(signature["password"])


def test_a_person_joins_sets_a_password_leaves_and_returns(page, browser, live_stack):
    with live_stack.in_process():
        clara, ida = factories.signature("clara"), factories.signature("ida")
    enter(page, live_stack, "ida", "/staff/")
    assert not violations(page)
    page.get_by_text("Add a person").click()
    form = page.locator("form").filter(has=page.get_by_role("button", name="Add them"))
    for signature in (ida, clara):
        form.locator("[name=login]").fill("carl")
        form.locator("[name=name]").fill("Carl Conrad")
        form.locator("[name=pit]").select_option(label="House games")
        sign(form, signature)
        form.get_by_role("button", name="Add them").click()
        if signature is ida:
            expect(page.get_by_role("alert")).to_contain_text("One person can’t both ask and sign")
            assert not violations(page)
    code = page.locator("[data-test=code]").inner_text()
    assert not violations(page)
    elsewhere = browser.new_context()
    first = elsewhere.new_page()
    first.goto(live_stack.url("/login/"))
    first.get_by_role("link", name="I have a one-time code").click()
    first.get_by_label("Login").fill("carl")
    first.get_by_label("One-time code").fill(code.lower())
    first.get_by_label("New password", exact=True).fill(PASSWORD)
    first.get_by_label("New password again").fill(PASSWORD)
    assert not violations(first)
    first.get_by_role("button", name="Set password").click()
    expect(first.get_by_role("status")).to_contain_text("Your password is set")
    first.get_by_label("Login").fill("carl")
    first.get_by_label("Password").fill(PASSWORD)
    first.get_by_role("button", name="Log in").click()
    expect(first.get_by_role("button", name="Log in")).to_have_count(0)
    page.goto(live_stack.url("/staff/"))
    page.get_by_role("link", name="Carl Conrad").click()
    for act, button, state in (
        ("Leave", "Let them leave", "Left"),
        ("Return", "Let them return", "Has a one-time code"),
    ):
        page.locator("summary").filter(has_text=act).click()
        assert not violations(page)
        form = page.locator("form").filter(has=page.get_by_role("button", name=button))
        sign(form, clara)
        form.get_by_role("button", name=button).click()
        expect(page.locator("[data-test=state]")).to_have_text(state)
    first.goto(live_stack.url("/account/"))
    assert "/login/" in first.url
    page.goto(live_stack.url("/staff/review/"))
    assert not violations(page)
    elsewhere.close()


def test_a_terminal_is_renamed_on_its_page(page, live_stack):
    with live_stack.in_process(), transaction.atomic():
        terminals.enrol(table_id=factories.table("T1").pk, name="T1-left", actor=factories.actor("clara"))
    enter(page, live_stack, "ida", "/staff/")
    page.get_by_role("link", name="Terminals", exact=True).click()
    assert not violations(page)
    page.get_by_role("link", name="T1-left").click()
    page.locator("summary").filter(has_text="Rename").click()
    assert not violations(page)
    page.get_by_label("New name").fill("T1-near")
    page.get_by_role("button", name="Rename T1-left").click()
    expect(page.get_by_role("status")).to_contain_text("Renamed.")
    expect(page.get_by_role("heading", level=1)).to_contain_text("T1-near")
    expect(page.get_by_role("table")).to_contain_text("T1-left became T1-near")
