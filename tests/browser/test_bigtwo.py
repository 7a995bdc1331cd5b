"""Big Two dealt by hand at the terminal: recorded rounds of four, entered as they are played, with their taps."""

import re

import pytest

from casino.games.bigtwo import BIGTWO

from ..games.test_bigtwo_unseen import MOST_TAPS, ROUNDS, VALUES, carried
from ..support import factories
from ..support.hands import Keyboard, Mouse, Scanner
from ..support.terminal import enter, moment, part, rows, scan, step

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


@pytest.fixture
def series(live_stack):
    """Opens a recorded round at Nils's table, those of its series before it played; gives its start and actions."""

    def open_round(number):
        table = live_stack.lay_out("nils", "bigtwo", VALUES)
        with live_stack.in_process():
            for dealt in ROUNDS[:number]:
                before = factories.open_round(table, dealt.seats)
                factories.act_all(before, dealt.actions)
                factories.close(before)
            opened = factories.open_round(table, ROUNDS[number].seats)
        (start, actions, _) = list(carried(VALUES, ROUNDS[: number + 1]))[-1]
        return opened, start, actions

    return open_round


def enter_all(page, state, actions, does):
    for number, action in enumerate(actions, 1):
        does.act(*action)
        step(page, number)
        state = BIGTWO.act(state, action)
    return state


def line(live_stack, round_):
    ((text,),) = rows(live_stack, "SELECT text::jsonb - 'id' FROM tables_line WHERE round_id = %s", round_.pk)
    return text


def test_a_recorded_round_of_four_is_dealt_by_hand_in_ninety_taps(page, live_stack, series):
    opened, state, actions = series(2)
    does = Mouse(page)
    enter(page, live_stack, "nils")
    expect(page.locator("[data-state=live]")).to_be_attached()
    final = enter_all(page, state, actions, does)
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    assert does.counted[0] <= MOST_TAPS
    assert line(live_stack, opened) == BIGTWO.facts(final)


def test_by_keys_who_plays_next_takes_a_letter_and_a_number(page, live_stack, series):
    _, state, actions = series(2)
    upto = [number for number, action in enumerate(actions, 1) if action.kind == "passes"][1]
    enter(page, live_stack, "nils")
    expect(page.locator("[data-state=live]")).to_be_attached()
    enter_all(page, state, actions[:upto], Keyboard(page))
    live_stack.clear("nils")


@pytest.mark.proof
def test_by_scanner_no_card_is_tapped(page, live_stack, series):
    opened, state, actions = series(0)
    does = Scanner(page)
    enter(page, live_stack, "nils")
    expect(page.locator("[data-state=live]")).to_be_attached()
    told = page.locator("[data-message]")
    # Nobody knows who leads: a card that comes first belongs to no box.
    scan(page, *actions[0].arguments["cards"][:1])
    expect(told).to_contain_text("No box is chosen for this card.")
    final = enter_all(page, state, actions, does)
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    leads = sum(action.kind == "play" for action in actions)
    others = sum(action.kind in {"pass", "passes", "bomb"} for action in actions)
    taps, keys, scans = does.counted
    assert (keys, scans) == (0, sum(len(action.arguments.get("cards", ())) for action in actions))
    assert taps <= leads + others + 2
    assert line(live_stack, opened) == BIGTWO.facts(final)


def test_cards_that_come_while_a_play_is_on_its_way_belong_to_the_next(page, live_stack, series):
    _, state, _ = series(0)
    enter(page, live_stack, "nils")
    expect(page.locator("[data-state=live]")).to_be_attached()
    page.locator("[data-pick='4']").click()
    Mouse(page).cards(["3d"])
    page.locator(".go").click()
    step(page, 1)
    scan(page, "4d", "5d", "6d")
    step(page, 4)
    expect(part(page, "box-4")).to_contain_text("12 cards")
    expect(part(page, "box-1")).to_contain_text("12 cards")
    expect(part(page, "box-4")).to_have_class(re.compile(r"\bring\b"))
    # A card that does not beat what lies there is refused with the clause, and taken back.
    Mouse(page).cards(["4h"])
    expect(page.locator("[data-message]")).to_contain_text("doesn’t beat")
    page.keyboard.press("Backspace")
    Mouse(page).cards(["7d"])
    step(page, 5)
    assert state.sheet.unseen
