"""Whole rounds by mouse, by keyboard and by scanner, each on a screen of its own size, looked at in each phase."""

import re

import pytest

from ..support.hands import Keyboard, Mouse, ScannerAndKeys
from ..support.looks import THEMES, check
from ..support.terminal import deal, moment, part, play, round_id, rows, scan, step

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

OPENED = (("ante", 1, {"units": 2500}), ("close_betting", None, {}), ("open_card", None, {"card": "9d"}))
REVEALED = (("bet", 1, {}), ("reveal", None, {"cards": ["9s", "Ac", "7h", "3s"]}))
DONE = re.compile(r"\bdone\b")
SHOWING = (*OPENED, *REVEALED, ("small_hand", None, {"cards": ["Kd", "4c"]}))


HANDS = [(Mouse, (1280, 800), "anna"), (Keyboard, (1024, 768), "boris"), (ScannerAndKeys, (800, 1280), "greta")]


@pytest.mark.parametrize(("hand", "size", "login"), HANDS, ids=["mouse", "keyboard", "scanner"])
def test_a_whole_round_by_one_kind_of_hand_on_one_size_of_screen(page, live_stack, hand, size, login):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    deal(page, live_stack, login)
    does = hand(page)

    def look():
        """Each size is looked at by one of the three; what axe-core looks at is the same on all."""
        check(page, [size], THEMES if hand is Mouse else ())

    look()
    for box in (1, 2, 3):
        does.act("ante", box, {"units": 2500})
        step(page, box)
    look()
    does.do("close_betting")
    step(page, 4)
    look()
    does.cards(["9d"])
    does.go()
    step(page, 5)
    look()
    for number, name in enumerate(("bet-1", "fold-2", "buy-3"), 6):
        does.do(name)
        step(page, number)
    look()
    does.do("bet-3")
    step(page, 9)
    does.cards(["9s", "Ac", "7h"])
    look()
    does.cards(["3s"])
    does.go()
    step(page, 10)
    does.cards(["Kd", "4c"])
    does.go()
    step(page, 11)
    does.cards(["Qh", "Th", "8h", "6h", "2h", "As", "Jc"])
    look()
    does.go()
    step(page, 12)
    does.cards(["Jh", "Jd", "5h", "5c", "8s", "Qd", "4h"])
    does.go()
    step(page, 13)
    look()
    does.go()
    moment(page, "settled")
    look()
    expect(part(page, "box-2")).to_have_class(DONE)
    for box in (3, 1):
        does.go()
        expect(part(page, f"box-{box}")).to_have_class(DONE)
    look()
    payments = rows(
        live_stack,
        "SELECT box, outcome, net_units FROM payouts_payment p"
        " JOIN payouts_settlement s ON s.id = p.settlement_id WHERE s.round_key = %s ORDER BY box",
        f"round:{round_id(page)}",
    )
    assert payments == [(1, "win_bet", 25000), (2, "fold", -2500), (3, "win_ante", 0)]


def test_a_scan_that_is_wrong_says_so_and_changes_nothing(page, live_stack):
    deal(page, live_stack, "greta", *OPENED)
    slots = page.locator("[data-slots] [data-slot]")
    told = page.get_by_role("alert").filter(has=page.locator("[data-message]"))

    # No card is asked for: neither 6 chooses a box, nor B bets, nor X reports, nor Enter presses what has the focus.
    page.get_by_role("button", name="Box 1 bets").focus()
    scan(page, "6b", "Xb")
    expect(told).to_contain_text("XB was scanned, but no card is asked for now.")
    expect(page.locator(":popover-open")).to_have_count(0)
    step(page, 3)

    play(page, *REVEALED[:1])
    step(page, 4)
    scan(page, "9s", "9d")
    expect(told).to_contain_text("The nine of diamonds lies on the table already: Dealer.")
    check(page, [(1280, 800)])
    # It is told until a hand answers it, however fast the next card comes.
    scan(page, "Ac")
    expect(slots).to_have_count(2)
    expect(told).to_contain_text("nine of diamonds")
    scan(page, "9s")
    expect(told).to_contain_text("The nine of spades lies on the table already: Dealer.")
    scan(page, "QR7711")
    expect(told).to_contain_text("“QR7711” was scanned, which isn’t a card of this deck.")
    # Some scanners end a line with two Enters, or hold capitals by CapsLock: the last card missing sends nothing.
    scan(page, "10h", ends=("Enter", "Enter"))
    scan(page, "KS", ends=("Enter", "Enter"), capital=("CapsLock",))
    step(page, 4)
    scan(page, "jc")
    expect(told).to_contain_text("All cards are entered; the jack of clubs is one too many.")
    expect(slots).to_have_count(4)
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    page.keyboard.press("Enter")
    step(page, 5)
    expect(page.get_by_role("img", name="ten of hearts")).to_be_visible()
    expect(page.get_by_role("img", name="king of spades")).to_be_visible()


def test_a_screen_keeps_its_light_and_the_colours_of_its_suits(page, live_stack):
    page.emulate_media(color_scheme="light")
    deal(page, live_stack, "greta", *SHOWING)

    def colour(hue):
        return page.locator(f".key.hue-{hue}:not(.used)").first.evaluate("(key) => getComputedStyle(key).color")

    dark, light = "rgb(14, 21, 18)", "rgb(251, 252, 250)"
    assert len({colour(hue) for hue in ("spades", "hearts", "diamonds", "clubs")}) == 4
    expect(page.locator("body")).to_have_css("background-color", light)
    # By keys alone: the menu, its first choice, the next one.
    for key in (".", "Tab", "ArrowRight", "Tab", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("radio", name="Dim")).to_be_checked()
    expect(page.locator("body")).to_have_css("background-color", dark)
    expect(page.locator("html")).to_have_attribute("data-deck", "two")
    assert colour("diamonds") == colour("hearts") != colour("spades") == colour("clubs")
    check(page)
    page.keyboard.press("Escape")

    # It is there before the first picture, on every page of this device, and with the menu's choice as it was.
    page.add_init_script(
        """new MutationObserver((_, watch) => {
            if (!document.body) return;
            window.first = document.documentElement.dataset.theme;
            watch.disconnect();
        }).observe(document, { childList: true, subtree: true });"""
    )
    page.reload()
    assert page.evaluate("() => window.first") == "dark"
    expect(page.locator("body")).to_have_css("background-color", dark)
    assert colour("diamonds") == colour("hearts")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("radio", name="Dim")).to_be_checked()
    expect(page.get_by_role("radio", name="Two")).to_be_checked()
    page.locator("label.pill", has_text="Same as the system").click()
    expect(page.locator("body")).to_have_css("background-color", light)
    page.goto(live_stack.url("/login/"))
    expect(page.locator("html")).to_have_attribute("data-deck", "two")
    expect(page.locator("html")).to_have_attribute("data-theme", "")
