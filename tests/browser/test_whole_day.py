"""A whole gaming day in the browser: a table opened, filled, played at and closed, all of it counted, the day signed by
two, and what was corrected afterwards."""

import datetime as dt
import os
from zoneinfo import ZoneInfo

import pytest

from casino.models import Casino
from payouts import ledger
from tables.management.commands.seed_demo import OPENER
from tables.models import DropBox, GamingDay, Round

from ..support import factories, waiting
from ..support.looks import SIZES, THEMES, check, violations
from ..support.terminal import moment, part, pause, post, round_id
from . import test_night as night
from .test_cage import count as count_cage
from .test_drop_boxes import count as count_cash
from .test_drop_boxes import write
from .test_round import see
from .test_tips import count as count_chips

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]
RECORDED, COUNTED, TIP = 30_000, 29_500, 2_500
"""What a patron paid, what was in the drop box, and what was given as a tip."""


class Floor(night.Floor):
    """The pages of all who work that day."""

    def look(self, page, name):
        """Nothing is cut off or hard to read; with PICTURES set, the page in pictures of both themes."""
        assert violations(page) == []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            cut_off = page.locator(".wide").evaluate_all(
                "all => all.map((each) => each.scrollWidth - each.clientWidth)"
            )
            assert not any(cut_off), (name, width, cut_off)
            for theme in THEMES if "PICTURES" in os.environ else ():
                page.emulate_media(color_scheme=theme)
                picture = f"{os.environ['PICTURES']}/whole-day-{self.shown:02}-{name}-{width}-{theme}.png"
                page.screenshot(path=picture, full_page=True)
        page.emulate_media(color_scheme="no-override")
        page.set_viewport_size({"width": 1280, "height": 800})
        self.shown += 1

    def signed(self, page, login):
        """Sign as a second person, and send it."""
        self.sign(page, login)
        page.keyboard.press("Enter")


@pytest.fixture
def floor(page, live_stack):
    """A house of which every table is closed."""
    day = Floor(page.context.browser, live_stack)
    with live_stack.in_process():
        factories.close_session(factories.table("T1"), OPENER)
        factories.close_tables()
    yield day
    for each in day.pages.values():
        each.context.close()


def mount_a_drop_box(day, table):
    clara = day.at("clara", f"/tables/{table.pk}/drop-boxes/new/")
    write(clara, "[name=number]", "T-17")
    write(clara, "[name=seal]", "S-1")
    day.signed(clara, "hugo")
    expect(clara.locator("#drop-box-head")).to_have_text("Drop box T-17")
    with day.live.in_process():
        return DropBox.objects.get(number="T-17")


def buy_in_and_tip_on_the_felt(day, table):
    anna = day.at("anna", f"/tables/{table.pk}/terminal/")
    expect(anna.locator("[data-state=live]")).to_be_attached()
    anna.get_by_role("button", name="Open round").click()
    moment(anna, "open")
    anna.keyboard.press("+")
    expect(part(anna, "buy-in-sheet")).to_be_visible()
    anna.keyboard.type(f"2{RECORDED // 100}")
    expect(part(anna, "buy-in-sheet").locator("[data-submit]")).to_have_text("Sell chips for 300")
    check(anna)
    anna.keyboard.press("Enter")
    expect(part(anna, "buy-in-sheet")).to_be_hidden()
    pause(anna)
    anna.keyboard.press("-")
    expect(part(anna, "tip-sheet")).to_be_visible()
    anna.keyboard.type(str(TIP // 100))
    anna.keyboard.press("Enter")
    expect(part(anna, "tip-sheet")).to_be_hidden()
    return anna


def play(day, page, moves):
    """The open round is dealt, closed and settled, and all is handed over; gives it."""
    for kind, box, arguments in moves:
        post(page, "actions", {"kind": kind, "box": box, "arguments": arguments})
    number = round_id(page)
    post(page, "close", {})
    with day.live.in_process():
        waiting.until(lambda: Round.objects.get(pk=number).status == Round.Status.SETTLED)
        return factories.ticked(Round.objects.get(pk=number))


def enter_a_round_from_paper(day, table):
    with day.live.in_process():
        zone = ZoneInfo(Casino.objects.get().time_zone)
    anna = day.at("anna", f"/tables/{table.pk}/paper-rounds/new/")
    write(anna, "[name=number]", "P-000412")
    write(anna, "[name=time]", f"{dt.datetime.now(zone):%H%M%S}")
    day.signed(anna, "clara")
    moment(anna, "open")
    return anna


def count_the_drop(day, drop_box):
    """A note of 5 is missing, and they say so."""
    clara = day.at("clara", f"/drop-boxes/{drop_box.pk}/")
    write(clara, "[name=number]", drop_box.number)
    write(clara, "[name=seal]", drop_box.seal)
    day.signed(clara, "hugo")
    with day.live.in_process():
        waiting.until(lambda: DropBox.objects.get(pk=drop_box.pk).status == DropBox.Status.REMOVED)
    notes = {20_000: 1, 5_000: 1, 2_000: 2, 500: 1}
    for login in ("olga", "petra"):
        page = day.at(login, f"/drop-boxes/{drop_box.pk}/count/")
        count_cash(page, notes)
        page.keyboard.press("Enter")
        expect(page.locator("h1")).not_to_contain_text("First count" if login == "olga" else "Second count")
    expect(page.locator("[data-test=expected]")).to_have_text("300")
    write(page, "[name=reason]", "Looked for, not found")
    day.signed(page, "olga")
    page.wait_for_url(f"**/drop-boxes/{drop_box.pk}/")
    expect(page.locator("[data-test=variance]")).to_have_text("−5")
    day.look(page, "drop-counted")


def count_the_tips(day, number):
    for login in ("olga", "petra"):
        page = day.at(login, f"/tips/{number}/count/")
        count_chips(page, {TIP: 1})
        page.keyboard.press("Enter")
        expect(page.locator("h1")).not_to_contain_text("First count" if login == "olga" else "Second count")
    day.signed(page, "olga")
    page.wait_for_url(f"**/tips/{number}/")
    expect(page.locator("[data-test=variance]")).to_have_text("0")
    day.look(page, "tips-counted")


def count_the_cage(day):
    with day.live.in_process():
        factories.cage_shift()
        chips = factories.pile(ledger.balances()["cage"])
    olga = day.at("olga", "/cage/count/")
    count_cage(olga, chips)
    expect(olga.locator(".sealed")).to_contain_text("You’ve counted.")
    hugo = day.at("hugo", "/cage/count/")
    count_cage(hugo, chips)
    expect(hugo.locator("h1")).to_contain_text("Comparison")
    day.signed(hugo, "olga")
    expect(hugo.locator(".nothing")).to_contain_text("No shift of the cage is open.")


def correct(day, round_):
    """Two pit bosses say afterwards that a box had folded with another ANTE: nobody deals at the table any more."""
    clara = day.at("clara", f"/rounds/{round_.pk}/")
    clara.get_by_role("link", name="Correct").click()
    clara.locator('[data-path="boxes[0].ante"] input').fill("10")
    clara.get_by_label("Reason").fill("The camera shows an ANTE of 10.")
    see(clara)
    clara.locator("#sign [data-login]").fill("frank")
    clara.locator("#sign [data-password]").fill(day.live.logins["frank"])
    clara.locator("#send").click()
    expect(clara.locator('[data-test="generation-1"]')).to_contain_text("reversed")


def figure(page, table, name):
    return page.locator("[data-test=tables] tr", has_text=table.name).locator(f"[data-figure={name}]")


def test_a_day_from_its_first_count_to_what_is_corrected_after_it(floor):
    day = floor
    night.open_table(day, "T1", OPENER)
    table = day.table("T1")
    with day.live.in_process():
        gaming_day = GamingDay.objects.get(date=table.sessions.running().get().business_date)
    drop_box = mount_a_drop_box(day, table)
    night.fill_table(day, "T1")
    lost = play(day, buy_in_and_tip_on_the_felt(day, table), factories.FOLDS)
    play(day, enter_a_round_from_paper(day, table), factories.FLUSH_WINS)
    clara = day.at("clara", f"/days/{gaming_day.pk}/")
    expect(clara.locator("[data-test=obstacles]")).to_contain_text("Drop box T-17 of Split 1 hasn’t been counted yet.")
    expect(figure(clara, table, "fills")).to_contain_text("490")
    day.look(clara, "under-way")
    # The table closes one chip of 5 short; the cash, the tips and the cage are counted after.
    count_the_drop(day, drop_box)
    with day.live.in_process():
        chips = ledger.balance(table.float_account) - 500
    counted = {100_000: chips // 100_000, 100: chips % 100_000 // 100}
    page = night.close_table(day, "T1", counted, reason="Not found: 5.")
    page.locator("#send").click()
    expect(page.locator("[data-test=won]")).to_be_visible()
    expect(page.locator("[data-test=variance]")).to_have_text("−5")
    count_the_tips(day, gaming_day.pk)
    clara = day.at("clara", f"/days/{gaming_day.pk}/")
    expect(clara.locator("[data-test=obstacles] li")).to_have_count(1)
    expect(clara.locator("[data-test=obstacles]")).to_contain_text("The cage hasn’t been counted")
    day.look(clara, "cage-left")
    count_the_cage(day)
    clara = day.at("clara", f"/days/{gaming_day.pk}/")
    expect(clara.locator("[data-test=obstacles]")).to_have_count(0)
    day.look(clara, "ready")
    day.sign(clara, "hugo")
    clara.locator("form .btn.go").click()
    expect(clara.locator("[data-test=grade]")).to_contain_text("FINAL")
    expect(figure(clara, table, "drop")).to_have_text("295")
    expect(figure(clara, table, "tips")).to_have_text("25")
    expect(figure(clara, table, "variance")).to_have_text("−10")
    final = clara.locator("[data-test=tables]").inner_text()
    day.look(clara, "final")
    digest = clara.locator("[data-test=digest]").inner_text()
    correct(day, lost)
    clara = day.at("clara", f"/days/{gaming_day.pk}/")
    expect(clara.locator("[data-test=since] tbody tr")).to_have_count(1)
    expect(clara.locator("[data-test=since]")).to_contain_text("settlement 2")
    expect(clara.locator("[data-test=since]")).to_contain_text("+5")
    assert clara.locator("[data-test=digest]").inner_text() == digest
    assert clara.locator("[data-test=tables]").inner_text() == final
    day.look(clara, "corrected-since")
    clara.locator("[data-test=tables] tr", has_text=table.name).locator("th a").click()
    expect(clara.locator("[data-test=sittings]")).to_be_visible()
    day.look(clara, "table")
    clara.go_back()
    clara.emulate_media(media="print")
    if folder := os.environ.get("PICTURES"):
        clara.pdf(path=f"{folder}/whole-day.pdf", prefer_css_page_size=True)
    for hidden in (".watch", ".ways", "[data-print]"):
        expect(clara.locator(hidden)).to_be_hidden()
    expect(clara.locator(".signs p")).to_have_count(2)
    expect(clara.locator(".signs")).to_be_visible()
