"""Undo brings the ring back to the box of which something was taken back; and a key that does nothing says so."""

import re

import pytest

from tables.models import SignOn

from ..support import factories
from ..support.terminal import deal, enter, moment, part, press, step, type_cards

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

RING = re.compile(r"\bring\b")
STIRS = re.compile(r"\bstir\b")


def ringed(page, box):
    expect(part(page, f"box-{box}")).to_have_class(RING)
    expect(page.locator(".box.ring")).to_have_count(1)


def undo(page, number):
    page.keyboard.press("z")
    step(page, number)


def test_each_of_ten_undos_brings_the_ring_back_to_its_box(page, live_stack):
    deal(page, live_stack, "anna")
    page.get_by_role("button", name="Add 25").click()
    ringed(page, 1)
    for number in range(1, 7):
        page.keyboard.press("Enter")
        step(page, number)
    boxes = [1, 2, 3, 4, 5, 6]
    for box in (3, 5):
        page.locator(f"[data-pick='{box}']").click()
        press(page, f"Box {box} takes ANTE back", len(boxes) + 1)
        ringed(page, box)
        page.get_by_role("button", name="Add 25").click()
        page.keyboard.press("Enter")
        step(page, len(boxes) + 2)
        boxes += [box, box]
    assert len(boxes) == 10
    for number, box in enumerate(reversed(boxes), 11):
        undo(page, number)
        ringed(page, box)
    # What is entered next goes to the box that was undone last, and then on as before.
    page.get_by_role("button", name="Add 25").click()
    press(page, "ANTE on box 1", 21)
    ringed(page, 2)


@pytest.mark.parametrize(
    ("login", "moves"),
    [
        ("jonas", [("ante", 1, {}), ("ante", 2, {})]),
        ("mara", [("ante", 1, {}), ("ante", 2, {})]),
        ("lina", [("bottom", None, {"card": "3R"}), ("stand", 1, {}), ("draw", 2, {"count": 2})]),
        ("nils", [("play", 2, {"cards": ["9c"]}), ("play", 1, {"cards": ["Tc"]}), ("play", 3, {"cards": ["Jc"]})]),
    ],
)
def test_in_the_house_s_games_too(page, live_stack, login, moves):
    live_stack.clear(login)
    with live_stack.in_process():
        table = SignOn.objects.select_related("table").get(staff__login=login, signed_off_at=None).table
        opened = factories.open_round(table, (1, 2, 3))
        factories.act_all(opened, moves[:-1])
    enter(page, live_stack, login)
    expect(page.locator("[data-state=live]")).to_be_attached()
    with live_stack.in_process():
        factories.act_all(opened, moves[-1:])
    step(page, len(moves))
    boxes = [box for _, box, _ in moves if box][-2:]
    for number, box in enumerate(reversed(boxes), len(moves) + 1):
        undo(page, number)
        ringed(page, box)
    live_stack.clear(login)


def test_enter_that_does_nothing_says_why(page, live_stack):
    opened = (("ante", 1, {"units": 2500}), ("close_betting", None, {}), ("open_card", None, {"card": "9d"}))
    deal(page, live_stack, "greta", *opened)
    status = page.locator("[data-stir]")
    # A guest's decision takes its own letter.
    page.locator("[data-pick='1']").click()
    page.keyboard.press("Enter")
    expect(page.locator(".does .stir").first).to_be_visible()
    expect(status).to_have_text("Enter does nothing here.")
    page.keyboard.press("b")
    step(page, 4)
    type_cards(page, "9s Ac")
    page.keyboard.press("Enter")
    gold = page.locator(".go")
    expect(gold).to_have_class(STIRS)
    expect(status).to_have_text("2 cards missing")
    moment(page, "open")
    step(page, 4)
