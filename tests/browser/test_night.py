"""A night of four tables in the browser: opened, filled, credited, carried on, a chip missing, closed."""

import os

import pytest
from django.db import transaction

from payouts import ledger
from tables.models import Round, Session, Slip
from tables.people import staff

from ..support import factories, waiting
from ..support.looks import SIZES, violations
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]
OPENER = {100: 100, 500: 100, 2500: 100, 10000: 50, 50000: 20, 100000: 10}
# Who runs each table, and who counts with them.
HANDS = {"T1": ("clara", "anna"), "T2": ("clara", "boris"), "T3": ("frank", "greta"), "G4": ("karl", "nils")}
FILL, CREDIT = {100: 40, 500: 40, 2500: 10}, {100000: 5}


class Floor:
    """The pages of all who work that night, each in a browser of their own."""

    def __init__(self, browser, live_stack):
        self.browser, self.live, self.pages = browser, live_stack, {}
        self.shown = 0

    def at(self, login, path):
        if login not in self.pages:
            self.pages[login] = new_page(self.browser)
            self.pages[login].set_viewport_size({"width": 1280, "height": 800})
            enter(self.pages[login], self.live, login, path)
        else:
            self.pages[login].goto(self.live.url(path))
        return self.pages[login]

    def look(self, page, name):
        """Nothing is cut off or hard to read; with PICTURES set, the page in pictures."""
        assert violations(page) == []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if folder := os.environ.get("PICTURES"):
                page.screenshot(path=f"{folder}/night-{self.shown:02}-{name}-{width}.png")
        page.set_viewport_size({"width": 1280, "height": 800})
        self.shown += 1

    def sign(self, page, login):
        page.locator("[data-login]").fill(login)
        page.locator("[data-password]").fill(self.live.logins[login])

    def count(self, page, chips, words, *, second=""):
        """One count, typed; what is typed stays in the page until all chips have a number."""
        expect(page.locator("h1")).to_contain_text(words)
        if second:
            self.sign(page, second)
        fields = {page.locator(f"[data-chip='{value}']"): str(chips.get(value, 0)) for value in sorted(OPENER)[::-1]}
        for field, number in fields.items():
            field.fill(number)
        # The page's script, where it comes late, takes the focus from the field that is being filled.
        for field, number in fields.items():
            if field.input_value() != number:
                field.fill(number)
        page.locator("#send").click()

    def table(self, code):
        with self.live.in_process():
            return factories.table(code)

    def session(self, code):
        with self.live.in_process():
            return Session.objects.filter(table__code=code).latest("pk")


@pytest.fixture
def floor(page, live_stack):
    """Four tables of three pits, closed the evening before."""
    night = Floor(page.context.browser, live_stack)
    with live_stack.in_process():
        for code in HANDS:
            factories.close_session(factories.table(code), OPENER, reason="As opened.")
    yield night
    for each in night.pages.values():
        each.context.close()


def open_table(night, code, chips, reason=""):
    boss, other = HANDS[code]
    page = night.at(boss, f"/tables/{night.table(code).pk}/session/")
    page.get_by_role("button", name="Begin to open").click()
    night.count(page, chips, "Opening: First count")
    expect(page.locator(".sealed")).to_contain_text("You’ve counted.")
    night.count(page, chips, "Opening: Second count", second=other)
    expect(page.locator("h1")).to_contain_text("Opening: Comparison")
    if reason:
        night.look(page, "opener-compared")
        page.locator("[name=reason]").fill(reason)
    night.sign(page, other)
    page.locator("#send").click()
    expect(page.get_by_role("button", name="Call the last round")).to_be_visible()
    with night.live.in_process(), transaction.atomic():
        staff.sign_on(staff=factories.person(other), table=factories.table(code), actor=factories.actor(boss))


def move_chips(night, code, kind, chips):
    """A slip from the pit boss's request to the last count."""
    boss, croupier = HANDS[code]
    page = night.at(boss, f"/tables/{night.table(code).pk}/slips/new/")
    if kind == "credit":
        page.get_by_label("Credit: chips to the cage").check()
    for value, number in chips.items():
        page.locator(f"[data-of=denominations][data-chip='{value}']").fill(str(number))
    page.get_by_role("button", name="Ask for").click()
    expect(page.locator(".slip .steps .next")).to_be_visible()
    with night.live.in_process():
        slip = Slip.objects.latest("pk")
    return slip, page, croupier


def count_slip(page, chips, night, login=""):
    for value, number in chips.items():
        page.locator(f"[data-chip='{value}']:visible").first.fill(str(number))
    if login:
        form = page.locator("form", has=page.locator("[data-chip]"))
        form.locator("[data-login]").fill(login)
        form.locator("[data-password]").fill(night.live.logins[login])
    page.get_by_role("button", name="Hand in").click()


def fill_table(night, code):
    slip, boss, croupier = move_chips(night, code, "fill", FILL)
    hugo = night.at("hugo", f"/slips/{slip.pk}/")
    hugo.get_by_role("button", name="Issue").click()
    expect(hugo.locator(".slip")).to_contain_text("On its way")
    hand = night.at(croupier, f"/slips/{slip.pk}/")
    count_slip(hand, FILL, night)
    expect(boss.get_by_role("heading", name="Second count")).to_be_visible()
    count_slip(boss, FILL, night)
    expect(boss.locator(".slip .age")).to_have_text("Received")
    night.look(boss, "fill")


def play(night, code):
    """A round is dealt, settled and handed over; what the house won."""
    with night.live.in_process():
        table = factories.table(code)
        before = ledger.balance(table.float_account)
        played = factories.play_round(table, factories.FLUSH_WINS).pk
        waiting.until(lambda: Round.objects.get(pk=played).status == Round.Status.SETTLED)
        factories.ticked(Round.objects.get(pk=played))
        return ledger.balance(table.float_account) - before


def close_table(night, code, chips, *, reason="", look=""):
    boss, other = HANDS[code]
    page = night.at(boss, f"/sessions/{night.session(code).pk}/")
    page.get_by_role("button", name="Call the last round").click()
    night.count(page, chips, "Closing: First count")
    night.count(page, chips, "Closing: Second count", second=other)
    expect(page.locator("h1")).to_contain_text("Closing: Comparison")
    if reason:
        page.locator("[name=reason]").fill(reason)
    if look:
        night.look(page, look)
    night.sign(page, other)
    return page


def test_four_tables_are_opened_filled_credited_carried_on_and_closed(floor):
    night = floor
    more = OPENER | {500: 101}
    open_table(night, "T1", more, reason="It lay under the tray.")
    for code in ("T2", "T3", "G4"):
        open_table(night, code, OPENER)
    for code in ("T1", "T2"):
        fill_table(night, code)
    filled = {value: OPENER[value] + FILL.get(value, 0) for value in OPENER}
    # A credit goes the other way: the table counts it out, the cage receives it.
    slip, boss, croupier = move_chips(night, "T3", "credit", CREDIT)
    night.look(boss, "credit")
    hand = night.at(croupier, f"/slips/{slip.pk}/")
    hand.get_by_role("button", name="Hand over").click()
    expect(boss.locator(".slip")).to_contain_text("On its way")
    hugo = night.at("hugo", f"/slips/{slip.pk}/")
    count_slip(hugo, CREDIT, night)
    expect(boss.get_by_role("heading", name="Second count")).to_be_visible()
    count_slip(boss, CREDIT, night)
    expect(hugo.locator(".slip .age")).to_have_text("Received")
    won = {100: play(night, "T1") // 100}
    # Split 1 carries on, Split 2 lacks a 5.
    more = filled | {500: filled[500] + 1, 100: filled[100] + won[100]}
    page = close_table(night, "T1", more, look="carry-compared")
    page.get_by_role("button", name="Carry on").click()
    expect(page.locator("[data-test=won]")).to_be_visible()
    expect(page.locator("[data-test=variance]")).to_have_text("0")
    night.look(page, "carried")
    assert night.session("T1").carried_from_id
    page = close_table(night, "T2", filled | {500: filled[500] - 1}, reason="Not found: 5.", look="variance-compared")
    page.locator("#send").click()
    expect(page.locator("[data-test=won]")).to_be_visible()
    expect(page.locator("[data-test=variance]")).to_have_text("−5")
    night.look(page, "variance")
    for code, chips in (
        ("T1", more),
        ("T3", OPENER | {100000: OPENER[100000] - CREDIT[100000]}),
        ("G4", OPENER),
    ):
        page = close_table(night, code, chips)
        page.locator("#send").click()
        expect(page.locator("[data-test=won]")).to_have_text("0")
    night.look(page, "closed")
    with night.live.in_process():
        for code in HANDS:
            table = factories.table(code)
            assert ledger.balance(table.float_account) == 0
            assert not table.sessions.running().exists()
