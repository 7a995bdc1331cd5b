"""A correction on the round's page in a real Chromium: seen before it is signed, done once, handed over, ticked."""

import datetime as dt

import pytest
from django.db import transaction
from django.utils import timezone

from payouts.models import Settlement
from tables.models import Round

from ..support import factories, waiting
from ..support.looks import violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
BOX_1 = '[data-path="boxes[0].cards"]'


@pytest.fixture
def settled(live_stack, page):
    """A round at T1 that the live worker has settled, in the live stack's database."""
    with live_stack.in_process():
        closed = factories.play_round(factories.table("T1"))
        yield waiting.until(
            lambda: Round.objects.filter(pk=closed.pk, status=Round.Status.SETTLED).select_related("table").first()
        )


def read(page, live_stack, login, round_):
    """The round's page with its form."""
    enter(page, live_stack, login, f"/rounds/{round_.pk}/")
    page.get_by_role("link", name="Correct").click()


def test_a_round_that_is_not_settled_says_why_and_is_tried_at_once(page, live_stack):
    # No worker sees it before its next try is late enough for this test.
    with live_stack.in_process(), transaction.atomic():
        closed = factories.play_round(factories.table("T1"))
        late = timezone.now() + dt.timedelta(hours=1)
        Round.objects.filter(pk=closed.pk).update(failures=2, failure="KeyError: <'rules'>", next_at=late)
    enter(page, live_stack, "clara", f"/rounds/{closed.pk}/")
    settlement = page.locator("[data-test=settlement]")
    expect(settlement).to_contain_text("2 of 8; then it’s held")
    expect(settlement).to_contain_text("What stopped it last: KeyError: <'rules'>")
    assert not violations(page)
    with page.expect_event("load"):
        settlement.get_by_role("button", name="Try now").click()
    with live_stack.in_process():
        assert waiting.until(lambda: Round.objects.filter(pk=closed.pk, status=Round.Status.SETTLED).exists())
    page.reload()
    expect(settlement).to_have_count(0)


def replace_last_card(page, name):
    page.locator(BOX_1).locator("[data-drawn] button").nth(4).click()
    page.locator("#deck").get_by_role("button", name=name).click()


def see(page):
    page.get_by_role("button", name="Show what changes").click()


def sign(page, login, password):
    page.locator("#sign [data-login]").fill(login)
    page.locator("#sign [data-password]").fill(password)
    page.locator("#send").click()


def test_a_card_is_corrected_by_two_people_and_the_difference_collected(page, live_stack, settled):
    read(page, live_stack, "anna", settled)
    page.get_by_role("button", name="Paid, box 1").click()
    expect(page.locator('[data-test="payment-1-1"] .ticked')).to_have_text("Paid")
    page.get_by_role("link", name="Correct").click()
    # The round's other cards are marked in the deck, and chosen all the same they are refused at the field.
    replace_last_card(page, "ace of clubs")
    page.get_by_label("Reason").fill("It was the eight of hearts.")
    see(page)
    expect(page.locator(BOX_1).locator(".wrong")).to_contain_text("ace of clubs already lies")
    expect(page.locator("#sign")).to_be_hidden()

    replace_last_card(page, "eight of hearts")
    see(page)
    preview = page.locator('[data-test="preview"]')
    expect(preview).to_contain_text("3♠ 4♠ 5♠ 6♠ 8♠ → 3♠ 4♠ 5♠ 6♠ 8♥")
    expect(page.locator('[data-test="would-be-1"]')).to_contain_text("Collect 130 from box 1")
    # Its stakes were swept when it folded, and stay so.
    expect(page.locator('[data-test="would-be-2"]')).not_to_contain_text("never ticked")
    expect(preview).to_contain_text("The second person is a pit boss of this pit.")

    sign(page, "clara", "wrong")
    expect(page.locator("[data-wrong-whole]")).to_contain_text("password of the signature is wrong")
    expect(page.locator("#sign [data-password]")).to_have_value("")
    assert Settlement.objects.filter(round_key=settled.ref).count() == 1

    sign(page, "clara", live_stack.logins["clara"])
    expect(page.locator('[data-test="due"]')).to_contain_text("Collect 130 from box 1")
    expect(page.locator('[data-test="payment-2-1"]')).to_contain_text("−130")
    expect(page.locator('[data-test="generation-1"]')).to_contain_text("reversed")
    page.get_by_role("button", name="Collected, box 1").click()
    expect(page.locator('[data-test="payment-2-1"] .ticked')).to_have_text("Collected")
    assert Settlement.objects.filter(round_key=settled.ref).count() == 2


def test_a_correction_whose_answer_is_lost_is_signed_again_and_done_once(page, live_stack, settled):
    read(page, live_stack, "clara", settled)
    page.locator('[data-path="boxes[1].ante"] input').fill("10")
    page.get_by_label("Reason").fill("The ANTE was 10.")
    see(page)
    keys = []

    def lose_the_first_answer(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/corrections/", lose_the_first_answer)
    sign(page, "anna", live_stack.logins["anna"])
    expect(page.locator("[data-refusal]")).to_contain_text("No answer came")
    expect(page.locator("#sign [data-password]")).to_have_value("")
    sign(page, "anna", live_stack.logins["anna"])
    expect(page.locator('[data-test="payment-2-2"]')).to_contain_text("−10")
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert Settlement.objects.filter(round_key=settled.ref).count() == 2


def test_a_closed_round_that_is_held_is_released_on_its_page(page, live_stack):
    with live_stack.in_process():
        with transaction.atomic():
            closed = factories.play_round(factories.table("T2"))
            factories.hold(closed)
        factories.open_round(factories.table("T2"))
    enter(page, live_stack, "clara")
    # The table has gone on: its terminal shows the next round.
    page.locator(".calls li", has_text="Split 2 held").get_by_role("link", name="Go there").click()
    form = page.locator("#release")
    form.get_by_label("Reason").fill("The card was seen by nobody.")
    form.get_by_label("Login").fill("clara")
    form.get_by_label("Password").fill("wrong")
    assert not violations(page)
    form.get_by_role("button", name="Release the round").click()
    expect(form.get_by_role("alert")).to_contain_text("wrong")
    form.get_by_label("Password").fill(live_stack.logins["clara"])
    form.get_by_role("button", name="Release the round").click()
    expect(form).to_have_count(0)
    with live_stack.in_process():
        assert waiting.until(lambda: Round.objects.filter(pk=closed.pk, status=Round.Status.SETTLED).exists())
