"""The house edge of a draft is computed while somebody looks, is stopped, fails, and stands beside that in force."""

import pytest
from django.db import transaction

from payouts import edge_results
from tables.models import RuleSheet
from tables.verbs import rulesheets

from ..support import edges, factories
from ..support.looks import look
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
SIZES = ((1280, 800), (768, 1024))
VALUES = {"coefficients": factories.RATIOS | {"flush": "6:1", "full_house": "8:1", "four_of_a_kind": "25:1"}}


def test_the_edge_of_a_draft_is_computed_while_somebody_looks(page, live_stack):
    with live_stack.in_process():
        factories.computed_edge(RuleSheet.objects.get(game="split"))
        with transaction.atomic():
            draft = rulesheets.draft(
                game="split", values=VALUES, coefficient_table=None, actor=factories.actor("frank")
            )
        rules = rulesheets.rules_of(draft)
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, live_stack, "clara", f"/sheets/{draft.pk}/")
    page.get_by_role("link", name="House edge").click()
    expect(page.locator("[data-test=unasked]")).to_be_visible()
    page.get_by_role("button", name="Compute it").click()
    running = page.locator("[data-test=running]")
    expect(running).to_contain_text("Waiting for the worker")
    with live_stack.in_process():
        held = edge_results.due()
        edge_results.beat(held, 630)
    expect(running).to_contain_text("Computing: 63 %")
    look(page, "edge-computing", SIZES)
    page.get_by_role("button", name="Stop computing").click()
    expect(page.locator("[data-test=stopped]")).to_be_visible()
    page.get_by_role("button", name="Compute it again").click()
    expect(running).to_be_visible()
    with live_stack.in_process():
        edge_results.fail(edge_results.due(), "The memory of the machine was full. Make room for it, then try again.")
    expect(page.locator("[data-test=failed]")).to_contain_text("The memory of the machine was full.")
    look(page, "edge-failed", SIZES)
    page.get_by_role("button", name="Compute it again").click()
    expect(running).to_be_visible()
    with live_stack.in_process():
        edge_results.done(edge_results.due(), edges.figures("17.11"))
    # Nobody reloads: the page looks by itself.
    expect(page.locator("[data-test=percent]")).to_contain_text("17.11")
    expect(page.locator("footer")).to_contain_text("Within the casino’s band of 0.5 to 30 %")
    page.locator("[data-test=figures] summary").click()
    look(page, "edge", SIZES)
    # Who reads sheets reads it, and has nothing computed.
    enter(page, live_stack, "david", f"/sheets/{draft.pk}/edge/")
    expect(page.locator("[data-test=percent]")).to_contain_text("17.11")
    with live_stack.in_process():
        assert edge_results.of(rules)[None].tries == 1


def test_the_edge_of_the_player_and_two_antes(page, live_stack):
    with live_stack.in_process():
        with transaction.atomic():
            values = VALUES | {"max_payment": 5_000, "unseen_cards": "house_way"}
            draft = rulesheets.draft(
                game="split", values=values, coefficient_table=None, actor=factories.actor("frank")
            )
        factories.computed_edge(draft, edge_percent="-59.88")
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, live_stack, "clara", f"/sheets/{draft.pk}/edge/")
    expect(page.locator("[data-test=verdict]")).to_contain_text("The player has the edge")
    page.locator(".antes a").last.click()
    expect(page.locator(".antes a").last).to_have_attribute("aria-current", "true")
    look(page, "edge-of-the-player", SIZES)
    with live_stack.in_process():
        sheet = factories.published_sheet("genpoker", {"chip": 50, "stake": 500, "rake_percent": 5})
    page.goto(live_stack.url(f"/sheets/{sheet.pk}/edge/"))
    expect(page.locator("[data-test=rake]")).to_contain_text("it keeps 5 % of each pot")
    expect(page.locator("[data-test=frequencies] tbody tr")).to_have_count(18)
    look(page, "edge-of-pots", SIZES)
    for game, rows in (("presidential", 17), ("bigtwo", 12), ("dynastia", 32)):
        with live_stack.in_process():
            sheet = RuleSheet.objects.filter(game=game).first()
        page.goto(live_stack.url(f"/sheets/{sheet.pk}/edge/"))
        expect(page.locator("[data-test=frequencies] tbody tr")).to_have_count(rows)
        look(page, f"edge-of-{game}", SIZES)
