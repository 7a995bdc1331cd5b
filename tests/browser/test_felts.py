"""Every phase of every game, from the fewest boxes to the most, measured on each size of screen.

The harshest there is at once: a table's longest name, a round of two hours, a hand-over in four kinds of chips. Rounds
are played by the product's verbs, and the page is loaded once for each state.
"""

import random
from itertools import pairwise

import pytest
from django.utils import translation

from casino import money
from casino.games.game import Action
from casino.models import Staff
from tables.models import Round
from tables.terminal.wording import WORDING
from tables.verbs import rulesheets, series, settling

from ..support import evening, factories, play, proof, pseudo
from ..support.german import english
from ..support.looks import defects
from ..support.screens import Screens

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

NAME = "Presidential Poker 3, upper floor, south"
HELD = "A card lies face up on the floor. "
# What a refusal says of a card that is entered twice, by the language: that it was played, or where it lies.
REFUSED = {
    "en-gb": ("was used before", "lies on the table already: {places}."),
    "de": ("ist schon gespielt", "liegt schon auf dem Tisch: {places}."),
}
# What is said in English whatever the language: the games' own names and what people entered.
IN_ENGLISH = (NAME, HELD.strip(), "Back office")
UNSEEN, UNSEEN_ROUNDS = evening.unseen(*evening.evening("bigtwo"))
SHEETS = {
    "split": {"chip": 100, "ante_minimum": 1000, "ante_maximum": 10000},
    "genpoker": {"chip": 100, "rake_percent": 5, "rake_cap": 100},
    "presidential": {"chip": 100, "rake_percent": 5, "rake_cap": 100, "bet_minimum": 4400},
    "dynastia": {"chip": 100, "rake_percent": 5, "rake_cap": 100},
    "dynastia_long": {"chip": 100, "game": "long", "price": 100, "rounds": 4},
    "bigtwo": {"chip": 100, "price": 1300, "bombs": "on", "hands": "entered"},
    "bigtwo_unseen": UNSEEN,
}
BOXES = {name: (1, 6) if name == "split" else evening.game_of(name).seats for name in SHEETS}
FULLEST = [(name, most) for name, (_, most) in BOXES.items()]
ALL = [(name, boxes) for name, (least, most) in BOXES.items() for boxes in range(least, most + 1)]


def case(cases):
    return pytest.mark.parametrize(("name", "boxes"), cases, ids=[f"{name}-{boxes}" for name, boxes in cases])


def table_of(name, boxes):
    """A table with the longest name, at which so many boxes play for what four kinds of chips pay."""
    values = dict(SHEETS[name])
    if name == "split":
        values["boxes"] = boxes
    elif "rake_cap" in values:
        chips = factories.table().chip_set.denominations
        pots = range(3000, 10000, 100)
        values["stake"] = next(stake for stake in pots if len(money.chips(stake * boxes - 100, chips)) > 3)
    return factories.new_table(factories.published_sheet(name.partition("_")[0], values), NAME)


def round_of(name, boxes, sheet):
    """Who sits in a round, and what happens in it."""
    if name == "bigtwo_unseen":
        return next(dealt for dealt in UNSEEN_ROUNDS if len(dealt.seats) == boxes)
    game = evening.game_of(name)
    seats = tuple(range(1, boxes + 1)) if game.seats else ()
    state, antes = game.start(sheet, seats, None), ()
    if name == "split":
        units = {box: 4300 + 700 * box for box in range(1, boxes + 1)}
        antes = (*(Action("ante", box, {"units": units[box]}) for box in units), Action("close_betting", None, {}))
        state = play.fold(game, state, antes)
    _, actions = evening.play_out(game, state, random.Random(f"{name} {boxes}"))
    return evening.Dealt(seats, antes + actions)


class Look:
    """Looks at the states of a table as they come, and keeps what is wrong."""

    def __init__(self, page, table, language="en-gb"):
        self.page, self.table, self.screens, self.found, self.kinds = page, table, Screens(page, "anna"), [], 0
        self.language = language
        Staff.objects.filter(login="anna").update(language=language)

    def __call__(self, what):
        self.screens.show(self.table)
        self._measure(what)
        used = self.page.locator(".grid:visible .key.used")
        if used.count() and self.page.locator(".slot.now").count():
            self._refused(what, used.last)

    def each_payment(self, most):
        """What is handed over to each box, and why."""
        for pick in self.page.locator("[data-pick]:visible").all()[:most]:
            pick.dispatch_event("click")
            self.kinds = max(self.kinds, self.page.locator(".payout:visible .tally li").count())
            self._measure(f"paying box {pick.get_attribute('data-pick')}")

    def _refused(self, what, key):
        """A card that lies elsewhere: the refusal says where."""
        for letter in key.get_attribute("data-keys"):
            self.page.keyboard.press(letter)
        places = key.get_attribute("data-places")
        refusal = self.page.locator("[data-refusal]")
        expect(refusal).to_be_visible()
        if self.language in REFUSED:
            used, lies = REFUSED[self.language]
            with translation.override(self.language):
                expect(refusal).to_contain_text(used if places == WORDING("used") else lies.format(places=places))
        self._measure(f"{what}, refused")

    def _measure(self, what):
        self.found += [f"{what} {defect}" for defect in defects(self.page)]
        if self.language == "de":
            self.found += [f"{what} English: {words}" for words in self._english()]

    def _english(self):
        """What of the page's words is English, each with what stands around it."""
        words = self.page.evaluate(
            """() => [...document.querySelectorAll("#screen *")].flatMap((one) => [
                ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
                ...["aria-label", "title", "data-missing", "data-effect"].map((name) => one.getAttribute(name)),
            ]).filter(Boolean)"""
        )
        return english(words, IN_ENGLISH)


def walk(look, name, boxes, payments):
    """A round from the idle table on, state by state: the first and the last of each phase, and all that ends it."""
    look("idle")
    game, sheet = evening.game_of(name), rulesheets.checked(rulesheets.in_force(look.table))
    seats, actions = round_of(name, boxes, sheet)
    states = [game.start(sheet, seats, None)]
    for action in actions:
        states.append(play.fold(game, states[-1], [action]))
    phases = [game.view(state).phase for state in states]
    opened = factories.open_round(look.table, seats)
    for before, action, (phase, after) in zip([None, *phases], actions, pairwise(phases), strict=False):
        if phase != before or phase != after:
            look(phase)
        factories.do(opened, action.kind, action.box, **action.arguments)
    look("all entered")
    factories.hold(opened, clause="house.4", reason=HELD * 8)
    look("held")
    factories.release(opened)
    factories.close(opened)
    look("settling")
    settling.settle_due()
    look("settled")
    look.each_payment(payments)
    factories.ticked(Round.objects.get(pk=opened.pk))
    look("handed over")
    again = factories.open_round(look.table, series.ahead(look.table).seats or seats)
    factories.void(again, clause="house.4")
    look("void")


@pytest.mark.proof
@case(proof.size(ALL, FULLEST))
def test_nothing_overlaps_and_nothing_is_cut(seeded_db, page, name, boxes):
    look = Look(page, table_of(name, boxes))
    walk(look, name, boxes, payments=boxes)
    assert not look.found, "\n".join(look.found[:40])
    assert look.kinds > 3 or "rake_cap" not in SHEETS[name]


@case([("split", 6)])
def test_in_german_nothing_is_english_and_nothing_is_cut_at_a_full_table(seeded_db, page, name, boxes):
    look = Look(page, table_of(name, boxes), "de")
    walk(look, name, boxes, payments=2)
    assert not look.found, "\n".join(look.found[:40])


@pytest.mark.proof
@case(proof.size(ALL, FULLEST))
def test_in_german_nothing_is_english_and_nothing_is_cut(seeded_db, page, name, boxes):
    look = Look(page, table_of(name, boxes), "de")
    walk(look, name, boxes, payments=boxes)
    assert not look.found, "\n".join(look.found[:40])


@case([("split", 6)])
def test_with_words_of_140_percent_nothing_is_cut_at_a_full_table(seeded_db, page, tmp_path, name, boxes):
    with pseudo.spoken(tmp_path) as language:
        look = Look(page, table_of(name, boxes), language)
        walk(look, name, boxes, payments=2)
    assert not look.found, "\n".join(look.found[:40])


@pytest.mark.proof
@case(proof.size(ALL, FULLEST))
def test_with_words_of_140_percent_nothing_is_cut(seeded_db, page, tmp_path, name, boxes):
    with pseudo.spoken(tmp_path) as language:
        look = Look(page, table_of(name, boxes), language)
        walk(look, name, boxes, payments=boxes)
    assert not look.found, "\n".join(look.found[:40])
