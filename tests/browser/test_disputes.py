"""A dispute in a real Chromium: raised at the terminal, found in the admin, looked at, ruled on and handed over."""

import os

import pytest

from payouts.models import Settlement
from tables.models import Case, Dispute, Round

from ..support import factories, waiting
from ..support.terminal import enter
from .test_round import replace_last_card, sign

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


@pytest.fixture
def settled(live_stack, page):
    """A round at T1 that the live worker has settled, in the live stack's database."""
    with live_stack.in_process():
        closed = factories.play_round(factories.table("T1"))
        done = waiting.until(
            lambda: Round.objects.filter(pk=closed.pk, status=Round.Status.SETTLED).select_related("table").first()
        )
        yield factories.ticked(done)


def fits(page, name):
    """Nothing is cut off or hard to read; with PICTURES set, the page in pictures."""
    for width, height in ((1280, 800), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/dispute-{name}-{width}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})


def raise_at_the_terminal(page, live_stack, statement):
    enter(page, live_stack, "anna", "/")
    page.locator('[data-test="dispute"]').click()
    sheet = page.locator('[data-test="dispute-sheet"]')
    expect(sheet.locator("[data-submit]")).to_have_text("Choose what it’s about")
    sheet.get_by_role("radio", name="A clause").check()
    expect(sheet.locator("[data-submit]")).to_have_text("Choose the clause")
    sheet.get_by_role("radio", name="Ranking").check()
    sheet.get_by_role("checkbox", name="1").check()
    sheet.get_by_role("checkbox", name="2").check()
    sheet.get_by_role("checkbox", name="2").uncheck()
    sheet.locator("[name=statement]").fill(statement)
    sheet.get_by_role("button", name="Raise the dispute").click()
    expect(sheet).to_be_hidden()


def test_a_dispute_goes_from_the_terminal_to_the_pit_boss_and_back_as_money_to_collect(page, live_stack, settled):
    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    raise_at_the_terminal(page, live_stack, "It was the eight of hearts.")
    raised = waiting.until(lambda: Dispute.objects.filter(round=settled).first())
    assert (raised.about, raised.boxes, raised.statement) == ("ranking", [1], "It was the eight of hearts.")

    # The terminal would still ask for its felt and be given a cookie.
    page.goto("about:blank")
    page.context.clear_cookies()
    enter(page, live_stack, "clara", "/admin/house/")
    page.get_by_role("link", name=f"Dispute {raised.pk}").click()
    expect(page.locator('[data-test="statement"]')).to_have_text("It was the eight of hearts.")
    stage = page.locator('[data-test="stage"]')
    expect(stage).to_contain_text("After action 9 of 9")
    stage.get_by_role("link", name="Back").click()
    expect(stage).to_contain_text("After action 8 of 9")

    changed = page.get_by_role("radio", name="Upheld, with the changes shown")
    expect(changed).to_be_disabled()
    expect(page.locator(".where b")).to_have_text(str(Case.objects.get(subject=raised.ref)))
    page.locator(".term summary").click()
    page.locator("[name=video]").fill("Frau Adler")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator('[data-path="video"] [data-wrong]')).to_contain_text("isn’t a reference to a recording")
    page.locator("[name=video]").fill("C3-20:24:28")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator('[data-test="video"]')).to_have_text("C3-20:24:28")
    fits(page, "open")
    page.locator("[data-open-what-if]").click()
    replace_last_card(page, "eight of hearts")
    page.get_by_role("button", name="Show what changes").click()
    expect(page.locator('[data-test="would-be-1"]')).to_contain_text("Collect 130 from box 1")
    expect(page.locator('[data-test="would-be-house"]')).to_contain_text("+130")
    expect(page.locator("#sign")).to_be_hidden()
    changed.check()
    expect(page.locator("[data-moved]")).to_contain_text("Collect 130 from box 1")
    search_clauses(page)
    page.locator("#reason").fill("The camera shows the heart.")
    sign(page, "frank", "wrong")
    expect(page.locator("[data-wrong-whole]")).to_contain_text("password of the signature is wrong")
    assert Settlement.objects.filter(round_key=settled.ref).count() == 1
    sign(page, "frank", live_stack.logins["frank"])
    expect(page.locator('[data-test="ruling-due"]')).to_contain_text("Collect 130 from box 1")
    expect(page.locator('[data-test="ruling"]')).to_contain_text("Upheld")
    fits(page, "ruled")
    raised.refresh_from_db()
    assert (raised.status, raised.line.ordinal) == ("RULED", 2)
    assert said == []


def search_clauses(page):
    """By keyboard: words leave the clauses that have them all, and Enter goes on to the list."""
    clause, said = page.locator("#clause"), page.locator("#rule output")
    whole = clause.locator("option").count()
    page.get_by_label("Search the clauses").fill("SPLIT.17 big")
    expect(clause).to_have_value("split.17")
    expect(said).to_contain_text("Big Hand")
    page.get_by_label("Search the clauses").fill("neither here nor there")
    expect(clause.locator("option")).to_have_count(1)
    expect(said).to_have_text("None has these words")
    page.get_by_label("Search the clauses").fill("big hand")
    page.keyboard.press("Enter")
    expect(clause).to_be_focused()
    assert 1 < clause.locator("option").count() < whole
    page.keyboard.type("split.17")
    expect(clause).to_have_value("split.17")


def test_a_dispute_raised_on_the_round_s_page_is_refused_and_changes_nothing(page, live_stack, settled):
    enter(page, live_stack, "clara", f"/rounds/{settled.pk}/")
    page.get_by_role("link", name="Dispute", exact=True).click()
    form = page.locator("#raise-form")
    form.locator("[name=about]").select_option("payment")
    form.locator("[name=statement]").fill("I was paid too little.")
    page.get_by_role("button", name="Raise the dispute").click()
    # It leads to its page.
    page.get_by_role("radio", name="Refused").check()
    expect(page.locator("[data-stays]")).to_contain_text("nothing is paid")
    page.locator("#clause").select_option("split.22")
    page.locator("#reason").fill("Five to one on 20 is 100.")
    sign(page, "frank", live_stack.logins["frank"])
    expect(page.locator('[data-test="ruling"]')).to_contain_text("Refused")
    assert Dispute.objects.get(round=settled).status == "CLOSED"
    assert Settlement.objects.filter(round_key=settled.ref).count() == 1
