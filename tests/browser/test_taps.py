"""A whole round of each game by mouse, by keys and by scanner, with its taps, keys and scans (docs/figures.md).

From *Open round*, where the boxes of the round before play on, to the last box that is paid.
"""

import random
from typing import NamedTuple

import pytest

from ..games.test_bigtwo_unseen import MOST_TAPS
from ..games.test_bigtwo_unseen import ROUNDS as OF_BIG_TWO
from ..games.test_bigtwo_unseen import VALUES as BIG_TWO
from ..support import evening, factories, proof
from ..support.evening import Dealt
from ..support.hands import Keyboard, Mouse, Scanner
from ..support.terminal import enter, moment, step

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

# Six boxes, of which five meet a dealer without a game and two buy one: 25 entries. Box 5 is below the dealer, so that
# its last two cards are not looked at.
SIX_BOXES = (
    *(("ante", box, {"units": 2500}) for box in range(1, 7)),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "9d"}),
    ("fold", 1, {}),
    ("bet", 2, {}),
    ("buy", 3, {}),
    ("bet", 4, {}),
    ("bet", 5, {}),
    ("bet", 6, {}),
    ("bet", 3, {}),
    ("reveal", None, {"cards": ["Ks", "Qc", "7h", "3s"]}),
    ("take_ante", 2, {}),
    ("buy_game", 3, {}),
    ("take_ante", 4, {}),
    ("buy_game", 5, {}),
    ("take_ante", 6, {}),
    ("replacement", None, {"card": "9h"}),
    ("small_hand", None, {"cards": ["Kd", "4c"]}),
    ("show", 3, {"cards": ["Jh", "Th", "8h", "6h", "2h"], "extra": ["As", "Jc"]}),
    ("show", 5, {"cards": ["8d", "8c", "5h", "4s", "2c"]}),
)


class Whole(NamedTuple):
    """A round with those before it, and the most taps that it may take, those for the cards of Split Poker apart."""

    login: str
    game: str
    values: dict
    before: list
    round: Dealt
    most: int


def of_pot(login, name, most):
    """The first recorded round with three boxes, each in its turn; before it the deal was with the box to the right."""
    game, (values, (dealt, *_)) = evening.game_of(name), evening.evening(name)
    rules, (*others, last) = evening.sheet(game, values), dealt.seats
    _, actions = evening.play_out(game, game.start(rules, (last, *others), None), random.Random(1))
    state, left, ordered = game.start(rules, dealt.seats, None), list(dealt.actions), []
    while left:
        box = next(offer.box for offer in game.legal(state) if offer.primary)
        ordered.append(left.pop(next(index for index, action in enumerate(left) if action.box == box)))
        state = game.act(state, ordered[-1])
    return Whole(login, game.code, values, [Dealt((last, *others), actions)], Dealt(dealt.seats, ordered), most)


WHOLE = {
    "Split Poker": Whole("greta", "split", None, [], Dealt((), SIX_BOXES), 29),
    "Genpoker": of_pot("jonas", "genpoker", 32),
    "Dynastia, short": of_pot("lina", "dynastia", 32),
    "Dynastia, long": of_pot("lina", "dynastia_long", 29),
    "Presidential Poker": of_pot("mara", "presidential", 35),
    "Big Two": Whole("nils", "bigtwo", BIG_TWO, OF_BIG_TWO[:2], OF_BIG_TWO[2], MOST_TAPS),
}


def open_page(page, live_stack, whole, does):
    """The terminal before the round is opened, with its first tap to come."""
    if whole.values is None:
        live_stack.clear(whole.login)
    else:
        table = live_stack.lay_out(whole.login, whole.game, whole.values)
        with live_stack.in_process():
            for dealt in whole.before:
                before = factories.open_round(table, dealt.seats)
                factories.act_all(before, dealt.actions)
                factories.close(before)
    enter(page, live_stack, whole.login)
    expect(page.locator("[data-state=live]")).to_be_attached()
    if whole.before:
        moment(page, "settled")
        pay_all(page, does)
        # What was tapped so far does not count.
        page.reload()
        expect(page.locator("[data-state=live]")).to_be_attached()


def pay_all(page, does):
    ticks = page.locator("[data-test^='tick-']")
    for left in reversed(range(ticks.count())):
        does.go()
        expect(ticks).to_have_count(left)


def play(page, whole, does):
    does.do("open")
    moment(page, "open")
    for number, action in enumerate(whole.round.actions, 1):
        does.act(*action)
        step(page, number)
    does.do("close")
    moment(page, "settled")
    pay_all(page, does)


def cards(whole):
    entered = [
        arguments.get(name, []) for _, _, arguments in whole.round.actions for name in ("card", "cards", "extra")
    ]
    return sum(1 if isinstance(value, str) else len(value) for value in entered)


# Without `make proof` one of a game with a dealer, and one of a game with a pot: Split Poker's keys and scanner are in
# test_looks, Big Two by hand and by keys in test_bigtwo.
OFTEN = {(Mouse, "Split Poker"), (Mouse, "Genpoker")}


HANDS = ((Mouse, "mouse"), (Keyboard, "keys"), (Scanner, "scanner"))
# In short each game by one of the others, and two games by each of them.
SHORT = {(HANDS[place % 3][0], name) for place, name in enumerate(WHOLE, 1)}


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        pytest.param(hand, name, id=f"{name} by {word}", marks=() if (hand, name) in OFTEN else pytest.mark.proof)
        for hand, word in HANDS
        for name in WHOLE
        if (hand, name) in OFTEN | SHORT or proof.RUN != "short"
    ],
)
def test_a_whole_round_takes_no_more_taps_than_before(page, live_stack, hand, name):
    whole, does = WHOLE[name], hand(page)
    open_page(page, live_stack, whole, does)
    play(page, whole, does)
    taps, keys, scans = does.counted
    print(f"\n{name}: {taps} taps, {keys} keys, {scans} scans; {cards(whole)} cards")
    most = whole.most + cards(whole) if whole.game == "split" else whole.most
    if hand is Mouse:
        assert (taps <= most, keys, scans) == (True, 0, 0)
    elif hand is Keyboard:
        assert (taps, scans) == (0, 0)
    else:
        # No tap for a card.
        assert (taps <= most - cards(whole), keys, scans) == (True, 0, cards(whole))
