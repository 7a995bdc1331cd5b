"""A whole shift of two pit bosses in the browser: six tables, all five games, a call, a held round, a fill, a dispute
upheld and one refused, a relief, a variance; each sees on their own floor what there is to see to."""

import os
import random

import pytest
from django.conf import settings
from django.db import transaction

from payouts import ledger
from tables.management.commands.seed_demo import OPENER
from tables.models import Case, Dispute, Round, Series, SignOn
from tables.verbs import fold, payments, series, standing

from ..support import evening, factories, waiting
from ..support.looks import SIZES, THEMES, check, violations
from ..support.terminal import moment
from . import test_night as night
from .test_disputes import raise_at_the_terminal
from .test_round import replace_last_card, sign

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]
SPLIT = ("T1", "T2")
# Tables of the other games, each with the boxes of a round.
HOUSE = {"G1": (1, 2), "G2": (1, 2), "G3": (1, 2), "G4": (1, 2)}
HANDS = {
    **night.HANDS,
    "G1": ("karl", "jonas"),
    "G2": ("karl", "lina"),
    "G3": ("karl", "mara"),
    "G4": ("karl", "nils"),
}


class Floor(night.Floor):
    """The pages of all who work that day; `look` takes both themes. `rake` lies in the slot of the table in hand."""

    def __init__(self, browser, live_stack):
        super().__init__(browser, live_stack)
        self.rake = {}

    def look(self, page, name):
        assert violations(page) == [], "\n".join(violations(page))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            for theme in THEMES if "PICTURES" in os.environ else ():
                page.emulate_media(color_scheme=theme)
                picture = f"{os.environ['PICTURES']}/shift-{self.shown:02}-{name}-{width}-{theme}.png"
                page.screenshot(path=picture, full_page=True)
        page.emulate_media(color_scheme="no-override")
        page.set_viewport_size({"width": 1280, "height": 800})
        self.shown += 1

    def count(self, page, chips, words, *, second=""):
        """A count of the float, and of the rake slot where there is one."""
        expect(page.locator("h1")).to_contain_text(words)
        if second:
            self.sign(page, second)
        for part, counted in (("denominations", chips), ("rake", self.rake)):
            for field in page.locator(f"[data-part={part}]").all():
                field.fill(str(counted.get(int(field.get_attribute("data-chip")), 0)))
        page.locator("#send").click()

    def floor_of(self, login):
        """Somebody's floor, once it is live."""
        page = self.at(login, "/")
        expect(page.locator("[data-link-state=live]")).to_be_visible()
        return page


@pytest.fixture
def shift(page, live_stack, monkeypatch):
    """All tables are closed; the two pit bosses have six of them."""
    monkeypatch.setattr(night, "HANDS", HANDS)
    day = Floor(page.context.browser, live_stack)
    with live_stack.in_process():
        for code in (*SPLIT, *HOUSE):
            factories.close_session(factories.table(code), OPENER)
    yield day
    for each in day.pages.values():
        each.context.close()


def tile(page, day, code):
    return page.locator("[data-test=tile]", has=page.get_by_text(day.table(code).name, exact=True))


def needs(page, words):
    """The rows of what needs a person that say so."""
    return page.locator(".calls li", has_text=words)


def actions_of(opened, seats):
    """What may happen in a round up to its end."""
    folded, chance = fold.of(opened), random.Random(1)
    if folded.game.code != "bigtwo":
        return evening.play_out(folded.game, folded.state, chance)[1]
    # The house's table sees no hand.
    values = {"chip": 100, "price": 500}
    seen = evening.play_out(folded.game, folded.game.start(folded.game.sheet(values), seats, None), chance)[1]
    return evening.unseen(values, [evening.Dealt(seats, seen)])[1][0].actions


def settled(day, code):
    """A round of the table's game, dealt by its croupier, settled by the worker and handed over."""
    with day.live.in_process():
        table = factories.table(code)
        opened = factories.open_round(table, HOUSE.get(code, ()))
        if code in HOUSE:
            for action in actions_of(opened, HOUSE[code]):
                factories.do(opened, action.kind, action.box, **action.arguments)
        else:
            factories.act_all(opened)
        number = factories.close(opened).pk
        waiting.until(lambda: Round.objects.get(pk=number).status == Round.Status.SETTLED)
        for running in Series.objects.filter(table=table, status="OPEN"):
            with transaction.atomic():
                series.end(table_id=running.table_id, actor=factories.dealing(table))
        return factories.ticked(Round.objects.select_related("table").get(pk=number))


def call_and_come(day):
    clara, anna = day.floor_of("clara"), day.at("anna", "/")
    expect(anna.locator("[data-state=live]")).to_be_attached()
    anna.keyboard.press("y")
    expect(anna.get_by_role("dialog", name="Why are you calling the pit boss?")).to_be_visible()
    anna.keyboard.press("7")
    row = needs(clara, "Split 1 calls: equipment")
    expect(row).to_have_count(1)
    expect(needs(day.floor_of("karl"), "Split 1 calls")).to_have_count(0)
    day.look(clara, "called")
    row.get_by_label("Note on").fill("Their scanner is dirty.")
    row.get_by_role("button", name="On my way").click()
    expect(anna.locator("[data-test=called]")).to_contain_text("is on the way")
    row.get_by_role("button", name="Done").click()
    expect(row).to_have_count(0)
    expect(anna.get_by_role("button", name="Call pit boss")).to_be_visible()


def hold_and_release(day):
    """Boris exposes a card; Clara comes from the floor in two taps and lets the round go on."""
    clara = day.floor_of("clara")
    with day.live.in_process():
        opened = factories.open_round(factories.table("T2"))
        factories.act_all(opened, factories.FLUSH_WINS[:2])
    expect(tile(clara, day, "T2")).to_have_attribute("data-state", "playing")
    with day.live.in_process():
        factories.hold(opened)
    expect(tile(clara, day, "T2")).to_have_attribute("data-state", "held")
    row = needs(clara, "Split 2 held")
    day.look(clara, "held")
    row.get_by_label("Note on").fill("On my way.")
    row.get_by_role("button", name="I’ll handle it").click()
    row = needs(clara, "On my way.")
    expect(row).to_have_count(1)
    row.get_by_role("link", name="Go there").click()
    moment(clara, "held")
    check(clara)
    clara.keyboard.press("r")
    release = clara.locator("#release-form")
    release.locator("[name=reason]").fill("The camera shows which card it was.")
    release.locator("[name='signature.login']").fill("clara")
    release.locator("[type=password]").fill(day.live.logins["clara"])
    clara.keyboard.press("Enter")
    moment(clara, "open")
    with day.live.in_process():
        factories.act_all(opened, factories.FLUSH_WINS[2:])
        factories.close(opened)
        waiting.until(lambda: Round.objects.get(pk=opened.pk).status == Round.Status.SETTLED)
        factories.ticked(Round.objects.get(pk=opened.pk))
    clara = day.floor_of("clara")
    expect(needs(clara, "Split 2 held")).to_have_count(0)
    expect(tile(clara, day, "T2")).to_have_attribute("data-state", "idle")


def uphold(day, round_):
    """Anna raises what her box says, Clara rules with the changes shown, and Frank signs."""
    raise_at_the_terminal(day.at("anna", "/"), day.live, "It was the eight of hearts.")
    clara = day.floor_of("clara")
    row = needs(clara, "Dispute, Split 1")
    expect(row).to_have_count(1)
    day.look(clara, "disputed")
    row.get_by_role("link", name="Go there").click()
    clara.wait_for_url("**/disputes/*/")
    clara.locator("[data-open-what-if]").click()
    replace_last_card(clara, "eight of hearts")
    clara.get_by_role("button", name="Show what changes").click()
    clara.get_by_role("radio", name="Upheld, with the changes shown").check()
    clara.locator("#clause").select_option("split.17")
    clara.locator("#reason").fill("The camera shows the heart.")
    sign(clara, "frank", day.live.logins["frank"])
    expect(clara.locator("[data-test=ruling-due]")).to_contain_text("Collect 130 from box 1")
    day.look(clara, "upheld")
    with day.live.in_process(), transaction.atomic():
        corrected = standing.locked(round_.pk)
        for box in corrected.round.settlement.payments.values_list("box", flat=True):
            payments.tick(standing=corrected, generation=2, box=box, actor=factories.actor("anna"))


def refuse(day, round_):
    """Karl refuses what was raised at Genpoker, and Frank signs; Clara, of another pit, does not see it."""
    with day.live.in_process():
        raised = factories.contest(round_)
    karl = day.floor_of("karl")
    expect(needs(karl, f"Dispute, {round_.table.name}")).to_have_count(1)
    assert day.pages["clara"].request.get(day.live.url(f"/disputes/{raised.pk}/")).status == 404
    needs(karl, f"Dispute, {round_.table.name}").get_by_role("link", name="Go there").click()
    karl.wait_for_url("**/disputes/*/")
    karl.get_by_role("radio", name="Refused").check()
    karl.locator("#clause").select_option(index=1)
    karl.locator("#reason").fill("The hands were read aloud.")
    sign(karl, "frank", day.live.logins["frank"])
    expect(karl.locator("[data-test=ruling]")).to_contain_text("Refused")
    day.look(karl, "refused")
    with day.live.in_process():
        assert Dispute.objects.get(pk=raised.pk).status == Dispute.Status.CLOSED


def decide(day):
    """The variance of Split 2 has a case; Clara says what became of it, and Frank signs."""
    with day.live.in_process():
        case = Case.objects.get(kind="variance", status="OPEN")
    clara = day.floor_of("clara")
    alarm = needs(clara, "Split 2, closer −5")
    alarm.get_by_label("Note on").fill("I ask the cage.")
    alarm.get_by_role("button", name="I’ll look into it").click()
    expect(alarm).to_have_count(0)
    row = needs(clara, str(case))
    expect(row).to_have_count(1)
    row.locator("a.what").click()
    clara.wait_for_url(f"**/cases/{case.pk}/")
    day.look(clara, "case")
    form = clara.locator("form[data-to$='/decide/']")
    form.locator("[name=outcome][value=not_found]").check(force=True)
    form.locator("[name=reason]").fill("Searched for, and not found.")
    form.locator("[data-login]").fill("frank")
    form.locator("[data-password]").fill(day.live.logins["frank"])
    form.locator("button").last.click()
    expect(clara.locator("[data-test=decision]")).to_contain_text("Searched for, and not found.")
    day.look(clara, "decided")


def relieve(day):
    """Clara asks Erik to take Split 1 over in two taps; he signs on at its terminal, and Anna is off."""
    clara, anna = day.at("clara", "/tables/1/enrol/"), day.at("anna", "/")
    clara.get_by_text("Make this browser a terminal").click()
    clara.get_by_label("Name").fill("T1-left")
    clara.get_by_role("button", name="Enrol this browser").click()
    expect(clara.get_by_text("This browser is the terminal T1-left")).to_be_visible()
    token = next(each for each in clara.context.cookies() if each["name"] == settings.TERMINAL_COOKIE_NAME)
    erik = day.at("erik", "/")
    erik.context.add_cookies([token])
    with day.live.in_process():
        number, table = factories.person("erik").pk, factories.table("T1")
    clara = day.at("clara", "/floor/people/")
    expect(clara.locator("[data-link-state=live]")).to_be_visible()
    seat = clara.locator(f"[data-test=seat-{table.pk}]")
    seat.get_by_role("button", name="Relieve").click()
    clara.get_by_role("button", name=f"Staff {number}").click()
    expect(seat.locator("[data-test=relief]")).to_be_visible()
    expect(anna.locator("[data-test=relief]")).to_be_visible()
    day.look(clara, "relief")
    erik = day.at("erik", "/")
    day.look(erik, "asked-to-relieve")
    erik.get_by_role("button", name="Relieve Staff").click()
    expect(erik.locator("#term")).to_be_visible()
    expect(seat).to_contain_text(f"Staff {number}")
    expect(seat.locator("[data-test=relief]")).to_have_count(0)
    with day.live.in_process():
        assert SignOn.objects.get(table=table, signed_off_at=None).staff_id == number


def in_chips(units):
    return {int(value): count for value, count in factories.pile(units).items()}


def close(day, code, *, short=0):
    with day.live.in_process():
        table = factories.table(code)
        chips = in_chips(ledger.balance(table.float_account) - short)
        day.rake = in_chips(ledger.balance(table.rake_account))
    page = night.close_table(day, code, chips, reason="Not found: 5." if short else "")
    page.locator("#send").click()
    expect(page.locator("[data-test=won]")).to_be_visible()


def test_a_shift_of_two_pit_bosses_from_the_first_opener_to_the_last_closer(shift):
    day = shift
    clara, karl = day.floor_of("clara"), day.floor_of("karl")
    expect(clara.locator("[data-test=tile]")).to_have_count(len(SPLIT))
    expect(tile(clara, day, "T1")).to_have_attribute("data-state", "closed")
    for code in (*SPLIT, *HOUSE):
        night.open_table(day, code, OPENER)
    clara, karl = day.floor_of("clara"), day.floor_of("karl")
    for code in HOUSE:
        expect(tile(karl, day, code)).to_have_attribute("data-state", "idle")
    played = {code: settled(day, code) for code in (*SPLIT, *HOUSE)}
    for code, page in (*((code, clara) for code in SPLIT), *((code, karl) for code in HOUSE)):
        expect(tile(page, day, code)).to_contain_text(f"Round {played[code].number} over")
    day.look(karl, "all-games")
    call_and_come(day)
    hold_and_release(day)
    night.fill_table(day, "T1")
    uphold(day, played["T1"])
    refuse(day, played["G1"])
    relieve(day)
    close(day, "T2", short=500)
    decide(day)
    for code in ("T1", *HOUSE):
        close(day, code)
    clara = day.floor_of("clara")
    for code in SPLIT:
        expect(tile(clara, day, code)).to_have_attribute("data-state", "closed")
    expect(clara.locator(".calls .none")).to_be_visible()
    day.look(clara, "over")
    clara.goto(day.live.url("/alarms/"))
    expect(clara.locator("main")).to_contain_text("Their scanner is dirty.")
    expect(clara.locator("main")).to_contain_text("On my way.")
    day.look(clara, "last-days")
