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
        edge_results.fail(edge_results.due(), "The machine ran out of memory. Make room for it, then try again.")
    expect(page.locator("[data-test=failed]")).to_contain_text("The machine ran out of memory.")
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
    expect(page.locator("[data-test=verdict]")).to_contain_text("the player has the edge")
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


def test_a_coefficient_is_sought_and_drafted_and_the_par_sheet_is_fetched(page, live_stack):
    with live_stack.in_process():
        with transaction.atomic():
            draft = rulesheets.draft(
                game="split", values=VALUES, coefficient_table=None, actor=factories.actor("frank")
            )
        factories.computed_edge(draft, edge_percent="17.11")
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, live_stack, "clara", f"/sheets/{draft.pk}/edge/")
    panel = page.locator("[data-test=seek]")
    panel.get_by_label("Category").select_option("flush")
    panel.get_by_label("Edge wanted").fill("101")
    panel.get_by_role("button", name="Seek it").click()
    expect(panel.locator("[data-wrong]")).to_contain_text("isn’t an edge that can be looked for")
    look(page, "edge-seek-refused", SIZES)
    panel.get_by_label("Edge wanted").fill("16.5")
    panel.get_by_role("button", name="Seek it").click()
    expect(panel).to_contain_text("Waits for the worker.")
    with live_stack.in_process():
        held = edge_results.due()
        edge_results.beat(held, 410)
    expect(panel).to_contain_text("Seeking: 41 %.")
    look(page, "edge-seeking", SIZES)
    panel.get_by_role("button", name="Stop seeking").click()
    expect(panel).to_contain_text("Stopped; nothing was kept.")
    panel.get_by_label("Category").select_option("flush")
    panel.get_by_label("Edge wanted").fill("16.5")
    panel.get_by_role("button", name="Seek it").click()
    expect(panel).to_contain_text("Waits for the worker.")
    with live_stack.in_process():
        figures = {"coefficient": "13:2", "edge_percent": "16.730000000", "program": "x"}
        edge_results.done(edge_results.due(), figures)
    # Nobody reloads.
    expect(panel).to_contain_text("Flush at 13 to 2 leaves the house 16.73 % of an ANTE. 7 to 1 would leave less")
    look(page, "edge-sought", SIZES)
    with page.expect_download() as fetched:
        page.locator("[data-test=par]").get_by_role("link", name="PDF").click()
    assert fetched.value.suggested_filename == f"par-split-{draft.version}.pdf"
    panel.get_by_role("link", name="Draft it").click()
    expect(page.locator("[name='coefficients.flush']")).to_have_value("13:2")
