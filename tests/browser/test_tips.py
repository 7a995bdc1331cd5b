"""Buy-ins and tips at the terminal, by two keys and an amount, and the count of a day's tips, by keyboard alone."""

import pytest

from tables.models import BuyIn
from tables.verbs import tips

from ..support import factories
from ..support.looks import check
from ..support.terminal import deal, expect, part, pause, sign, step, type_cards
from .test_drop_boxes import desk, fits, keys_to, write
from .test_drop_boxes import sign as sign_on_page

pytestmark = pytest.mark.browser
__all__ = ["desk"]
OPENED = (("ante", 1, {"units": 2500}), ("close_betting", None, {}))


def last_tip(live_stack):
    with live_stack.in_process():
        return tips.taken(factories.table().sessions.get()).last().denominations["1"]


def test_a_buy_in_is_a_box_and_an_amount_and_a_tip_an_amount(page, live_stack):
    deal(page, live_stack, "anna")
    buying, tipping = part(page, "buy-in-sheet"), part(page, "tip-sheet")
    page.keyboard.press("+")
    expect(buying.locator("[data-submit]")).to_have_text("Choose the box")
    # However fast it is typed: the first digit is the box, the others are the amount.
    page.keyboard.type("2300")
    expect(buying.locator("[data-submit]")).to_have_text("Sell chips for 300")
    page.keyboard.press("Enter")
    # What is wrong stands in the sheet, which stays.
    expect(buying.get_by_role("alert")).to_contain_text("No drop box is mounted")
    seen = page.locator("#term").get_attribute("data-seq")
    with live_stack.in_process():
        factories.mount(factories.table())
    expect(page.locator("#term")).not_to_have_attribute("data-seq", seen)
    # A new felt has come, and what was entered is there with the focus.
    expect(buying.get_by_label("Cash, EUR")).to_be_focused()
    page.keyboard.press("Enter")
    expect(buying).to_be_hidden()
    # Above what one may enter the pit boss signs in the same sheet; another amount needs that no more.
    page.keyboard.press("+")
    page.keyboard.type("6")
    pause(page)
    page.keyboard.type("2500")
    page.keyboard.press("Enter")
    expect(buying.get_by_role("alert")).to_contain_text("needs a pit boss’s signature")
    expect(buying.get_by_label("Pit boss, login")).to_be_visible()
    check(page)
    sign(buying.locator("form"), live_stack, "clara")
    page.keyboard.press("Enter")
    expect(buying).to_be_hidden()
    with live_stack.in_process():
        bought = list(BuyIn.objects.order_by("pk").values_list("box", "units", "approved_by__login"))
    assert bought == [(2, 30_000, None), (6, 250_000, "clara")]
    page.keyboard.press("-")
    expect(tipping.locator("[data-submit]")).to_have_text("Enter the amount")
    expect(tipping.get_by_label("Chips, EUR")).to_be_focused()
    page.keyboard.type("2.50")
    page.keyboard.press("Enter")
    expect(tipping.get_by_role("alert")).to_contain_text("The chips of Split 1 can’t add up to")
    # By hand alone: the chips of the table add up.
    tipping.get_by_role("button", name="Clear").click()
    for chip in ("Add 5", "Add 5", "Add 25"):
        tipping.get_by_role("button", name=chip, exact=True).click()
    expect(tipping.locator("[data-submit]")).to_have_text("Into the tip box: 35")
    check(page)
    tipping.locator("[data-submit]").click()
    expect(tipping).to_be_hidden()
    assert last_tip(live_stack) == 3_500


def test_while_cards_are_entered_the_same_keys_open_them_and_the_round_goes_on(page, live_stack):
    deal(page, live_stack, "anna", *OPENED)
    step(page, 2)
    page.keyboard.type("-1")
    pause(page)
    page.keyboard.press("Enter")
    expect(part(page, "tip-sheet")).to_be_hidden()
    assert last_tip(live_stack) == 100
    type_cards(page, "9d")
    page.keyboard.press("Enter")
    step(page, 3)
    buying = part(page, "buy-in-sheet")
    # What was given up isn't there the next time: the digits that follow would be added to it.
    for _ in range(2):
        part(page, "buy-in").click()
        page.keyboard.type("250")
        expect(buying.locator("[data-submit]")).to_have_text("Sell chips for 50")
        page.keyboard.press("Escape")
        expect(buying).to_be_hidden()


def count(page, chips):
    for value in (100_000, 50_000, 10_000, 2_500, 500, 100):
        write(page, f"[data-chip='{value}']", str(chips.get(value, 0)))


def test_the_tips_of_a_day_are_counted_by_two(desk, live_stack):
    with live_stack.in_process():
        day = tips.number_of(factories.day_with_tips(5_500))
    olga = desk("olga", "/tips/")
    keys_to(olga, f"[href='/tips/{day}/']")
    # News that come to the page in between leave her where she is.
    olga.evaluate("document.activeElement.dataset.old = 1")
    olga.evaluate("document.dispatchEvent(new Event('loggedin'))")
    expect(olga.locator("[data-old]")).to_have_count(0)
    expect(olga.locator(f"[href='/tips/{day}/']")).to_be_focused()
    olga.keyboard.press("Enter")
    expect(olga.locator("[data-test=entered]")).to_have_text("Nobody has counted yet.")
    fits(olga, "tips")
    keys_to(olga, f"[href='/tips/{day}/count/']")
    olga.keyboard.press("Enter")
    expect(olga.locator("h1")).to_contain_text("First count")
    fits(olga, "tips-count")
    count(olga, {2_500: 2, 500: 1})
    olga.keyboard.press("Enter")
    expect(olga.locator(".sealed")).to_contain_text("You’ve counted.")
    petra = desk("petra", f"/tips/{day}/count/")
    count(petra, {2_500: 2, 500: 1})
    petra.keyboard.press("Enter")
    expect(petra.locator("[data-test=expected]")).to_have_text("55")
    fits(petra, "tips-compare")
    sign_on_page(petra, live_stack, "olga")
    petra.wait_for_url(f"**/tips/{day}/")
    expect(petra.locator("[data-test=variance]")).to_have_text("0")
    fits(petra, "tips-counted")
    anna = desk("anna", "/tables/1/tip/")
    rows = anna.locator("[data-test=tips] tbody tr")
    before = rows.count()
    write(anna, "#sum", "5")
    anna.keyboard.press("Enter")
    expect(rows).to_have_count(before + 1)
    fits(anna, "tip")
