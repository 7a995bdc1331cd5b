"""A game with seats and a pot at the terminal, in a real Chromium on the real processes."""

import re

import pytest

from ..support.terminal import enter, moment, part, round_id, rows, seat, step, type_cards

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

AMERICA = "1R2R3R4R5R"
TWO_COUNTRIES = "6R076B076R086B083B"
AMERICA_IN_BLACK = "1B2B3B4B5B"


def sit_down(page, live_stack):
    """Jonas at Genpoker, and no round open."""
    live_stack.clear("jonas")
    enter(page, live_stack, "jonas")
    expect(page.locator("[data-state=live]")).to_be_attached()


def dealer(page):
    return part(page, "seats-form").locator("[name=dealer]:checked")


def open_round(page):
    page.get_by_role("button", name=re.compile("Open round|Next round")).click()
    moment(page, "open")


def stake_all(page, count):
    for number in range(1, count + 1):
        page.keyboard.press("Enter")
        step(page, number)


def test_a_pot_is_played_settled_and_handed_over(page, live_stack):
    sit_down(page, live_stack)
    seat(page, 2)
    expect(page.get_by_role("button", name="Choose at least 2 boxes")).to_be_visible()
    seat(page, 2, 4, 7)
    expect(dealer(page)).to_have_attribute("value", "7")
    open_round(page)
    assert rows(live_stack, "SELECT seats FROM tables_round WHERE id = %s", round_id(page)) == [([2, 4, 7],)]

    expect(part(page, "box-2")).to_have_class(re.compile(r"\bring\b"))
    stake_all(page, 3)
    expect(part(page, "pot")).to_contain_text("60")
    # A number is entered by one key or one tap.
    page.keyboard.press("2")
    step(page, 4)
    expect(part(page, "box-4")).to_have_class(re.compile(r"\bring\b"))
    page.keyboard.press("s")
    step(page, 5)
    part(page, "field-count").get_by_role("button", name="3").click()
    step(page, 6)
    expect(part(page, "box-2")).to_contain_text("2 exchanged")
    expect(part(page, "box-7")).to_contain_text("3 exchanged")

    expect(page.get_by_role("button", name="red 4, 4 left")).to_be_visible()
    type_cards(page, AMERICA[:8])
    expect(page.get_by_role("button", name="1 card missing")).to_be_visible()
    expect(page.get_by_role("button", name="red 1, lies in Box 2")).to_be_disabled()
    expect(page.get_by_role("button", name="red 4, 3 left")).to_be_visible()
    # The last card of a hand shows it.
    page.get_by_role("button", name="red 5, 8 left").click()
    step(page, 7)
    expect(part(page, "box-2")).to_contain_text("America")
    expect(page.get_by_text("Ahead: America")).to_be_visible()
    type_cards(page, TWO_COUNTRIES)
    step(page, 8)
    type_cards(page, AMERICA_IN_BLACK[:4] + "4R4R5R")
    step(page, 9)
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")

    # The stake of 20 and 37 on top: all that the pot gives.
    expect(part(page, "result-2")).to_contain_text("Takes the pot")
    expect(part(page, "result-2")).to_contain_text("genpoker.11")
    expect(part(page, "result-2").locator(".num")).to_have_text("57")
    expect(part(page, "result-4").locator(".num")).to_have_text("−20")
    expect(page.get_by_role("heading", name="Hand over to box 2")).to_be_visible()
    expect(part(page, "rake")).to_have_text(re.compile("Rake 3, handed over 57"))
    # Who lost has nothing to get: the next round waits for the winner alone.
    expect(page.get_by_role("button", name=re.compile("^Box [47]"))).to_have_count(0)
    page.get_by_role("button", name="Box 2 paid").click()
    expect(part(page, "box-2")).to_have_class(re.compile(r"\bdone\b"))
    expect(page.get_by_role("button", name="Next round")).to_have_class(re.compile(r"\bgo\b"))

    payments = rows(
        live_stack,
        "SELECT box, outcome, staked_units, returned_units, paid_units FROM payouts_payment p"
        " JOIN payouts_settlement s ON s.id = p.settlement_id WHERE s.round_key = %s ORDER BY box",
        f"round:{round_id(page)}",
    )
    assert payments == [(2, "win", 2000, 2000, 3700), (4, "lose", 2000, 0, 0), (7, "lose", 2000, 0, 0)]

    # The same boxes play on, and the deal goes to the left.
    expect(dealer(page)).to_have_attribute("value", "2")
    expect(page.get_by_role("button", name="Next round")).to_be_enabled()
    page.keyboard.press("Enter")
    moment(page, "open")
    assert rows(live_stack, "SELECT seats FROM tables_round WHERE id = %s", round_id(page)) == [([4, 7, 2],)]


def test_another_dealer_and_other_boxes_are_chosen(page, live_stack):
    sit_down(page, live_stack)
    seat(page, 1, 2, 3, 4, 5, 6, 7, 8)
    part(page, "seats-form").locator("[name=dealer][value='3']").check(force=True)
    seat(page, 1, 3, 8)
    expect(dealer(page)).to_have_attribute("value", "3")
    open_round(page)
    assert rows(live_stack, "SELECT seats FROM tables_round WHERE id = %s", round_id(page)) == [([8, 1, 3],)]


def test_a_card_of_which_all_copies_lie_is_refused_by_the_grid(page, live_stack):
    sit_down(page, live_stack)
    seat(page, 1, 2)
    open_round(page)
    stake_all(page, 2)
    for number in (3, 4):
        page.keyboard.press("s")
        step(page, number)
    type_cards(page, "3R3R3B3B1R")
    step(page, 5)
    expect(page.get_by_role("button", name="red 3, lies in Box")).to_be_disabled()
    type_cards(page, "3R1R")
    expect(page.get_by_role("button", name="5 cards missing")).to_be_visible()
    page.keyboard.press("v")
    expect(part(page, "action-5")).to_contain_text("3♀ 3♀ 3♂ 3♂ 1♀")


def test_a_void_round_gives_every_stake_back(page, live_stack):
    sit_down(page, live_stack)
    seat(page, 3, 5)
    open_round(page)
    stake_all(page, 2)
    page.keyboard.press("x")
    sheet = part(page, "report-sheet")
    sheet.get_by_role("radio", name=re.compile("house.4")).check(force=True)
    sheet.get_by_label("What happened, in a line").fill("The deck fell to the floor.")
    sheet.get_by_role("button", name="Hold the round").click()
    moment(page, "held")
    page.keyboard.press("o")
    form = page.locator("#void-form")
    form.get_by_label("Clause").select_option("house.4")
    form.get_by_label("Reason").fill("The deck fell to the floor.")
    form.locator("[name='signature.login']").fill("karl")
    form.locator("[type=password]").fill(live_stack.logins["karl"])
    page.keyboard.press("Enter")
    moment(page, "void")
    for box in (3, 5):
        expect(part(page, f"result-{box}")).to_contain_text("Goes back")
        expect(part(page, f"result-{box}").locator(".num")).to_have_text("20")
    assert rows(
        live_stack, "SELECT count(*) FROM payouts_settlement WHERE round_key = %s", f"round:{round_id(page)}"
    ) == [(0,)]
