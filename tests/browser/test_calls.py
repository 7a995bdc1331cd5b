"""The pit boss is called at the terminal by one key and comes by one key, each screen without a reload."""

import pytest

from tables.models import Alarm, Round

from ..support import factories
from ..support.looks import SIZES, THEMES, check, violations
from ..support.terminal import deal, enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


@pytest.fixture
def pit(page, live_stack):
    """The pit boss's page beside the terminal."""
    beside = new_page(page.context.browser)
    enter(beside, live_stack, "clara")
    yield beside
    beside.context.close()


def row(pit, table="Split 1"):
    return pit.locator(".calls li", has_text=table)


def test_a_call_comes_to_the_pit_boss_at_once_and_stays_until_it_is_over(page, pit, live_stack):
    expect(pit.locator(".calls .none")).to_be_visible()
    deal(page, live_stack, "anna")
    check(page, SIZES, THEMES)
    page.keyboard.press("y")
    reasons = page.get_by_role("dialog", name="Why are you calling the pit boss?")
    expect(reasons.get_by_role("button")).to_have_count(8)
    check(page, SIZES, THEMES)
    # A second thought; then by keyboard: the digit is the reason's, not a box.
    page.keyboard.press("Escape")
    expect(reasons).to_be_hidden()
    page.keyboard.press("y")
    expect(reasons).to_be_visible()
    page.keyboard.press("7")
    expect(reasons).to_have_count(0)
    called = page.locator("[data-test=called]")
    expect(called).to_contain_text("Pit boss called")
    expect(called).to_contain_text("equipment")
    # Where there is no room for the long words the short one stands in their place, never both.
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = "all => all.map((each) => each.getBoundingClientRect().width > 1)"
        assert called.locator("b > span").evaluate_all(seen).count(True) == 1, width
    expect(row(pit)).to_contain_text("Split 1 calls: equipment")
    check(page, SIZES, THEMES)
    assert not violations(pit)
    # What was typed outlasts what comes from elsewhere.
    row(pit).get_by_label("Note on").fill("Swapped the scanner")
    with live_stack.in_process():
        factories.call(factories.table("T2"))
    expect(row(pit, "Split 2")).to_be_visible()
    expect(row(pit).get_by_label("Note on")).to_have_value("Swapped the scanner")
    row(pit).get_by_role("button", name="On my way").click()
    expect(called).to_contain_text("is on the way")
    expect(row(pit)).to_contain_text("Swapped the scanner")
    check(page, SIZES, THEMES)
    row(pit).get_by_role("button", name="Done").click()
    expect(called).to_have_count(0)
    expect(row(pit)).to_have_count(0)
    expect(page.get_by_role("button", name="Call pit boss")).to_be_visible()

    # On the pages beside the terminal, too; where somebody types, its key is a letter.
    page.goto(live_stack.url("/account/"))
    page.get_by_label("Current password").press("y")
    expect(page.get_by_role("button", name="Call pit boss")).to_be_enabled()
    assert not violations(page)
    page.locator("h1, h2").first.click()
    page.keyboard.press("y")
    expect(page.get_by_role("dialog", name="Why are you calling the pit boss?")).to_be_visible()
    assert not violations(page, THEMES)
    page.get_by_role("button", name="Player’s question").click()
    expect(page.locator(".corner")).to_contain_text("Pit boss called")
    expect(row(pit)).to_contain_text("Split 1 calls: player's question")
    row(pit).get_by_role("button", name="On my way").click()
    expect(row(pit).get_by_role("button", name="Done")).to_be_visible()
    expect(page.locator(".corner")).to_contain_text("is on the way")
    row(pit).get_by_role("button", name="Done").click()
    expect(row(pit)).to_have_count(0)
    expect(page.get_by_role("button", name="Call pit boss")).to_be_enabled()


def test_who_is_late_learns_who_came(page, live_stack):
    with live_stack.in_process():
        call = factories.call(factories.table("T3"))
        clara = factories.person("clara")
    # The page stays as it was loaded.
    page.route("**/floor/now/", lambda route: route.abort())
    enter(page, live_stack, "frank")
    expect(row(page, "Split 3")).to_be_visible()
    with live_stack.in_process():
        factories.take(call)
    row(page, "Split 3").get_by_role("button", name="On my way").click()
    expect(row(page, "Split 3").get_by_role("alert")).to_contain_text(
        f"Staff {clara.pk} is already on the way to this call."
    )


def test_a_held_round_stands_in_the_list_with_the_way_to_it(page, live_stack):
    with live_stack.in_process():
        opened = Round.objects.filter(table__code="T1", status="OPEN").first()
        held = factories.hold(opened or factories.open_round(factories.table("T1")))
    enter(page, live_stack, "clara", f"/rounds/{held.pk}/")
    expect(row(page)).to_contain_text("Split 1 held")
    expect(row(page)).to_contain_text("split.36")
    assert not violations(page)
    row(page).get_by_role("link", name="Split 1 held").click()
    expect(page.locator("#term")).to_have_attribute("data-moment", "held")


def test_who_reads_no_floor_has_no_list(page, live_stack):
    enter(page, live_stack, "hugo")
    expect(page.locator(".tiles")).to_be_visible()
    expect(page.locator(".calls")).to_have_count(0)


def test_the_second_count_of_a_closing_fits_the_screen_with_a_call_above_it(pit, live_stack):
    with live_stack.in_process():
        stopped = factories.stop_session(factories.table("T2"))
        factories.count_session(stopped, {"100": 5}, by="clara")
        factories.call(factories.table("T1"))
    pit.goto(live_stack.url(f"/sessions/{stopped.pk}/count/"))
    expect(row(pit, "Split 1 calls")).to_be_visible()
    for width, height in ((1280, 800), (1024, 768), (768, 1024)):
        pit.set_viewport_size({"width": width, "height": height})
        for part in (pit.locator("#count [data-login]"), pit.locator("[data-key='-1']"), pit.locator("#send")):
            expect(part).to_be_in_viewport(ratio=1)
        assert pit.evaluate("document.documentElement.scrollHeight") <= height
        parts = pit.locator("#count :is(.lay, .dock)")
        hidden = parts.evaluate_all("all => all.map((each) => each.scrollHeight - each.clientHeight)")
        assert hidden == [0, 0], (width, hidden)
    assert not violations(pit, THEMES)
    # Counts that differ are made again, whatever else happens at the table meanwhile.
    with live_stack.in_process():
        factories.count_session(stopped, {"100": 6}, by="hugo")
    pit.get_by_role("link", name="Count again").click()
    expect(pit.locator("#count")).to_be_visible()
    with live_stack.in_process():
        call = Alarm.objects.filter(table__code="T2", over_at=None).first() or factories.call(factories.table("T2"))
        factories.take(call)
    expect(pit.locator(".calls li.is-taken", has_text="Split 2")).to_be_visible()
    expect(pit.locator("#count")).to_be_visible()
    # The comparison, with all that whoever closes has to fill in.
    with live_stack.in_process():
        for login in ("clara", "hugo"):
            factories.count_session(stopped, {"100": 5}, by=login)
    expect(pit.locator("#sign")).to_be_visible()
    expect(row(pit, "Split 1 calls")).to_be_visible()
    for width, height in ((1280, 800), (1024, 768)):
        pit.set_viewport_size({"width": width, "height": height})
        for part in ("[name=reason]", "[data-login]", "[data-password]", "#send"):
            expect(pit.locator(f"#sign {part}")).to_be_in_viewport(ratio=1)
