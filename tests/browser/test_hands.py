"""The terminal in several hands and browsers at once: onlookers, relief, the slower of two, a broken line."""

import re

import pytest
from django.conf import settings

from ..support.looks import check
from ..support.terminal import (
    actions,
    deal,
    enter,
    moment,
    new_page,
    part,
    pause,
    play,
    press,
    round_id,
    rows,
    sit_down,
    step,
)

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

OPENED = (("ante", 1, {"units": 2500}), ("close_betting", None, {}), ("open_card", None, {"card": "9d"}))


def test_who_only_watches_sees_the_same_felt_live_and_without_buttons(page, browser, live_stack):
    onlooker = new_page(browser)
    enter(onlooker, live_stack, "frank")
    onlooker.locator(".tile", has_text="Split 3").get_by_role("link", name="Split 3", exact=True).click()
    onlooker.get_by_role("link", name="Terminal", exact=True).click()
    expect(onlooker.locator("[data-state=live]")).to_be_attached()
    expect(onlooker.get_by_text("You’re watching")).to_be_visible()

    sit_down(page, live_stack, "greta")
    page.get_by_role("button", name="Add 25").click()
    press(page, "ANTE on box 1", 1)
    step(onlooker, 1)
    expect(part(onlooker, "box-1")).to_contain_text("25")
    expect(onlooker.locator(".does")).to_have_count(0)
    check(onlooker)
    expect(onlooker.get_by_role("button", name="Undo")).to_have_count(0)
    onlooker.context.close()


def test_a_command_whose_answer_is_lost_is_done_once(page, live_stack):
    sit_down(page, live_stack, "greta")
    before = int(page.locator("#term").get_attribute("data-version"))
    keys = []

    def lose_the_first_answer(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/actions/", lose_the_first_answer)
    page.get_by_role("button", name="Add 25").click()
    page.get_by_role("button", name=re.compile("^ANTE on box")).click()
    expect(page.get_by_role("alert").filter(has_text="not confirmed")).to_be_visible()
    step(page, before + 1)
    expect(page.get_by_role("alert").filter(has_text="not confirmed")).to_be_hidden()
    assert len(keys) == 2
    assert len(set(keys)) == 1
    count = rows(live_stack, "SELECT count(*) FROM tables_action WHERE round_id = %s", round_id(page))
    assert count == [(before + 1,)]


def test_two_browsers_at_one_table_see_each_step_at_once(page, browser, live_stack):
    deal(page, live_stack, "boris")
    other = new_page(browser)
    sit_down(other, live_stack, "boris")
    play(page, ("ante", 1, {"units": 2500}), ("ante", 2, {"units": 2500}), ("close_betting", None, {}))
    play(other, ("open_card", None, {"card": "9d"}))
    step(page, 4)
    press(other, "Box 1 bets", 5)
    step(page, 5)
    expect(part(page, "box-1")).to_contain_text("Bet")
    # What is read in the meantime stays open, and where it was.
    page.set_viewport_size({"width": 1280, "height": 340})
    page.keyboard.press("v")
    popover = part(page, "actions-sheet")
    expect(popover).to_be_visible()
    page.wait_for_function("() => document.getElementById('actions').scrollTop > 20")
    popover.evaluate("(node) => { node.scrollTop = 10; }")
    press(other, "Undo: Box 1 bets", 6)
    step(page, 6)
    expect(popover).to_be_visible()
    pause(page)
    assert popover.evaluate("(node) => node.scrollTop") == 10
    other.context.close()


def test_the_slower_of_two_commands_gets_the_word_beside_the_new_state(page, browser, live_stack):
    deal(page, live_stack, "boris")
    other = new_page(browser)
    sit_down(other, live_stack, "boris")
    press_stake(page, 1, 1)
    step(other, 1)
    arrived = []

    def late(route):
        """The first command of the one arrives after that of the other."""
        if not arrived:
            arrived.append(True)
            press_stake(other, 2, 2)
        route.continue_()

    page.route("**/actions/", late)
    page.get_by_role("button", name="Add 5", exact=True).click()
    page.get_by_role("button", name="ANTE on box 2").click()
    word = page.get_by_role("alert").filter(has_text="was entered at another screen just now")
    expect(word).to_contain_text("“ANTE on box 2: 25”")
    expect(word).to_contain_text("Look again.")
    expect(part(page, "box-2")).to_contain_text("25")
    # The next step of anybody takes the message away.
    press_stake(other, 3, 3)
    step(page, 3)
    expect(word).to_be_hidden()
    assert len(actions(live_stack, page)) == 3
    other.context.close()


def test_an_enter_meant_for_cards_does_not_close_the_round_that_another_screen_ended(page, browser, live_stack):
    revealed = ("reveal", None, {"cards": ["9s", "Ac", "7h", "3s"]})
    deal(page, live_stack, "boris", *OPENED, ("bet", 1, {}), revealed, ("small_hand", None, {"cards": ["Kd", "4c"]}))
    other = new_page(browser)
    sit_down(other, live_stack, "boris")
    # Enter comes as soon as the page shows what the other's step has made of the button, as from a hand that was
    # already on its way.
    page.evaluate(
        """() => {
            window.entered = new Promise((entered) => {
                const watch = new MutationObserver(() => {
                    const gold = document.querySelector(".go[aria-disabled=true]");
                    if (!gold?.innerText.includes("Close round")) return;
                    watch.disconnect();
                    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
                    entered(true);
                });
                const all = { childList: true, subtree: true, attributes: true, characterData: true };
                watch.observe(document.body, all);
            });
        }"""
    )
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    play(other, ("show", 1, {"cards": ["Qh", "Th", "8h", "6h", "2h"], "extra": ["As", "Jc"]}))
    step(page, 7)
    assert page.evaluate("() => window.entered")
    # It rests for a moment and can be pressed then; the Enter of before has sent nothing.
    expect(page.get_by_role("button", name="Close round")).to_be_enabled()
    moment(page, "open")
    assert sent == []
    page.keyboard.press("Enter")
    moment(page, "settled")
    other.context.close()


def press_stake(page, box, number):
    """25 on a box; action `number`."""
    page.get_by_role("button", name=f"Choose box {box}").click()
    if page.locator("[data-stake]").inner_text() != "25":
        page.get_by_role("button", name="Add 25").click()
    press(page, f"ANTE on box {box}", number)


def test_who_was_offline_finds_the_same_round_and_sends_nothing_twice(page, browser, live_stack):
    deal(page, live_stack, "boris")
    other = new_page(browser)
    sit_down(other, live_stack, "boris")
    press_stake(page, 1, 1)
    page.context.set_offline(True)
    expect(page.get_by_role("alert").filter(has_text="Disconnected")).to_be_visible()
    page.get_by_role("button", name="ANTE on box 2").click()
    expect(page.get_by_role("alert").filter(has_text="is kept and sent once")).to_be_visible()
    check(page)
    step(other, 1)
    page.context.set_offline(False)
    step(page, 2)
    step(other, 2)
    expect(page.locator("#offline")).to_be_hidden()
    assert page.locator("#term").get_attribute("data-round") == other.locator("#term").get_attribute("data-round")
    assert actions(live_stack, page) == [("ante", None)] * 2
    other.context.close()


def test_a_relief_in_the_middle_of_a_round(page, browser, live_stack):
    deal(page, live_stack, "anna", *OPENED)
    played = round_id(page)
    relief = new_page(browser)
    enter(relief, live_stack, "boris")
    expect(relief.locator("[data-state=live]")).to_be_attached()
    relief.get_by_role("button", name="Menu").click()
    relief.get_by_role("button", name="Sign off").click()
    expect(relief.get_by_text("Nobody is signed on")).to_be_visible()
    check(relief)
    relief.goto(live_stack.url("/"))
    relief.get_by_role("link", name=re.compile("Split 1.*Relieve Staff", re.S)).click()
    expect(relief.get_by_text("This browser isn’t a terminal of Split 1. Relieve Staff")).to_be_visible()
    expect(relief.get_by_role("button", name="Relieve Staff")).to_have_count(0)

    boss = new_page(browser)
    enter(boss, live_stack, "clara", "/tables/1/enrol/")
    boss.get_by_text("Make this browser a terminal").click()
    boss.get_by_label("Name").fill("T1-left")
    boss.get_by_role("button", name="Enrol this browser").click()
    expect(boss.get_by_text("This browser is the terminal T1-left")).to_be_visible()
    token = next(cookie for cookie in boss.context.cookies() if cookie["name"] == settings.TERMINAL_COOKIE_NAME)
    relief.context.add_cookies([token])
    page.context.add_cookies([token])
    boss.context.close()

    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    relief.get_by_role("button", name="Relieve Staff").click()
    moment(relief, "open")
    expect(page.get_by_text(re.compile(r"Staff \d+ took over"))).to_be_visible()
    # What was meant for the round does not take the table back, however late it comes.
    expect(page.get_by_role("button", name="Relieve Staff")).to_be_visible()
    check(page)
    for key in ("Enter", "9", "s", "Enter"):
        page.keyboard.press(key)
        pause(page)
    assert sent == []
    moment(page, "away")
    expect(page.locator("[data-box]")).to_have_count(0)
    assert round_id(relief) == played
    press(relief, "Box 1 bets", 4)
    by = rows(
        live_stack,
        "SELECT s.login, t.name FROM tables_action a JOIN casino_staff s ON s.id = a.by_id"
        " LEFT JOIN tables_terminal t ON t.id = a.terminal_id WHERE round_id = %s ORDER BY ordinal",
        played,
    )
    assert by == [("anna", None)] * 3 + [("boris", "T1-left")]
    relief.context.close()


def test_who_was_logged_out_is_told_why_and_comes_back_to_the_round(page, live_stack):
    deal(page, live_stack, "greta")
    page.context.clear_cookies()
    page.get_by_role("button", name="Add 25").click()
    page.get_by_role("button", name="ANTE on box 1").click()
    expect(page.get_by_text("You were logged out. Log in and look at the round.")).to_be_visible()
    page.get_by_label("Login").fill("greta")
    page.get_by_label("Password").fill(live_stack.logins["greta"])
    page.get_by_role("button", name="Log in").click()
    moment(page, "open")
    step(page, 0)
