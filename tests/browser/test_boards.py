"""Scoreboards after the rounds of a series, and Big Two's screens by hand, looked at on each size of screen."""

import random
import re

import pytest

from casino.games import registry

from ..games.test_bigtwo_unseen import ROUNDS, VALUES
from ..support import evening, factories
from ..support.looks import SIZES, check
from ..support.terminal import enter, moment, part, step

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def play(live_stack, table, dealt, most=None):
    with live_stack.in_process():
        opened = factories.open_round(table, dealt.seats)
        factories.act_all(opened, dealt.actions[:most])
        if most is None:
            factories.close(opened)


def test_big_two_shows_points_with_their_reason_places_and_rounds_left(page, live_stack):
    page.set_viewport_size({"width": 1280, "height": 800})
    table = live_stack.lay_out("nils", "bigtwo", VALUES)
    play(live_stack, table, ROUNDS[0])
    enter(page, live_stack, "nils")
    moment(page, "settled")
    board = part(page, "board")
    expect(board.get_by_role("heading")).to_have_text("Box 2 is ahead with 0 points; 4 rounds to play")
    expect(board.get_by_role("listitem").first).to_have_text(re.compile(r"1st\s*Box 2\s*0\s*Out first\s*0 in all"))
    expect(part(page, "result-1")).to_contain_text("9 cards left")
    expect(part(page, "result-1").locator(".num")).to_have_text("+9")
    expect(part(page, "box-1")).to_contain_text("9 in all, 4th")
    expect(page.get_by_text("“Box two is ahead with zero points; four rounds to play.”")).to_be_visible()
    # As many words beside the icons as there is room for.
    for name, word in (("Call pit boss", ".long"), ("Report", ".word")):
        expect(page.get_by_role("button", name=name).locator(word)).to_have_css("position", "static")
    check(page, SIZES)
    # A box's whole explanation lies over the standings until it is tapped again.
    for shown in (True, False):
        page.locator("[data-pick='1']").click()
        expect(part(page, "explanation-1")).to_be_visible(visible=shown)
        expect(board).to_be_visible(visible=not shown)
    why = part(page, "explanation-1")
    expect(why.locator("h2")).to_have_text("Points of box 1")
    expect(why.locator(".big")).to_have_text("+9")
    expect(why.locator(".aloud")).to_have_text("“Box one, fourth with nine cards: nine points.”")

    play(live_stack, table, ROUNDS[1], most=1)
    step(page, 1)
    expect(page.get_by_text("Who plays next?")).to_be_visible()
    check(page, SIZES)
    live_stack.clear("nils")


@pytest.mark.parametrize("seats", [(2, 3, 5, 6, 9), tuple(range(1, 11))], ids=["five", "ten"])
def test_a_long_game_of_dynastia_shows_the_same_and_no_stakes(page, live_stack, seats):
    page.set_viewport_size({"width": 1280, "height": 800})
    values, _ = evening.evening("dynastia_long")
    game = registry.GAMES["dynastia"]
    table = live_stack.lay_out("lina", "dynastia", values)
    _, actions = evening.play_out(game, game.start(evening.sheet(game, values), seats, None), random.Random(3))
    play(live_stack, table, evening.Dealt(seats, actions))
    enter(page, live_stack, "lina")
    moment(page, "settled")
    expect(part(page, "board").get_by_role("listitem")).to_have_count(len(seats))
    expect(part(page, "board").get_by_role("heading")).to_contain_text("3 rounds to play")
    phases = page.get_by_role("list", name="Phase").get_by_role("listitem")
    assert [text.strip() for text in phases.all_inner_texts()] == ["Bottom card", "Exchange", "Show", "Pay"]
    check(page, SIZES)
