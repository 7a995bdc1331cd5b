"""The pages that a croupier opens beside the terminal, in German and in words of 140 %, on each size of screen: nothing
is English, nothing is cut, nothing covers anything."""

import os

import pytest
from django.urls import reverse

from casino.models import Staff

from ..support import factories, pseudo
from ..support.german import english
from ..support.looks import SIZES, defects
from ..support.screens import Screens

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.browser

# The words of a page, or of what lies over it, that are seen, and those that are heard.
WORDS = """() => [...(document.querySelector(":popover-open, dialog:modal") ?? document.body).querySelectorAll("*")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("script, style"))
    .flatMap((one) => [
        ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
        ...["aria-label", "title", "placeholder", "alt"].map((name) => one.getAttribute(name)),
    ])
    .filter(Boolean)"""
FULL = {"10000": 2, "500": 40}


class Look:
    """Looks at pages as somebody reads them, and keeps what is wrong."""

    def __init__(self, page, login, language):
        self.page, self.language, self.faults = page, language, []
        self.screens = Screens(page, login)
        Staff.objects.filter(login=login).update(language=language)

    def __call__(self, what, name=None, *args, typed=()):
        """A page by the name of its address, or the one that stands there already, with what is typed into it."""
        if name:
            self.screens.go(reverse(name, args=args))
        for selector, text in typed:
            self.page.locator(selector).first.fill(text)
        self.faults += [f"{what} {defect}" for defect in defects(self.page, scrolls=True)]
        if self.language == "de":
            self.faults += [f"{what} English: {words}" for words in english(self.page.evaluate(WORDS))]
        if folder := os.environ.get("PICTURES"):
            for width, height in SIZES:
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.screenshot(path=f"{folder}/{what}-{self.language}-{width}.png", full_page=True)


def own_pages(look):
    # Only who has just logged in may change their keys.
    look.screens.client.post(
        reverse("login"), {"username": "anna", "password": factories.signature("anna")["password"]}
    )
    look("account", "account")
    look("keys-none", "keys")
    factories.add_app("anna")
    look("keys", "keys")
    look("nothing", "sheet", 1)


def cash(look, table):
    look("buy-in-missing", "buy-in", table.pk)
    look("tip-none", "tip", table.pk)
    drop_box = factories.mount(table)
    look("drop-box", "drop_box", drop_box.pk)
    factories.buy_in(table, 25_000)
    factories.tip(table, 500)
    look("buy-in", "buy-in", table.pk, typed=[("#sum", "12500")])
    look("tip", "tip", table.pk, typed=[("#sum", "7.5")])
    factories.take_off(drop_box, seal="S-9")
    look("drop-box-off", "drop_box", drop_box.pk)
    factories.counted_drop(drop_box, {"5000": 5})
    look("drop-box-counted", "drop_box", drop_box.pk)


def chips(look, table):
    look("slips-none", "slips")
    fill = factories.slip(table, chips=FULL)
    look("slip-requested", "slip", fill.pk)
    factories.issue(fill)
    look("slip-count", "slip", fill.pk, typed=[("[data-chip='500']", "40")])
    factories.count_slip(fill, chips={"500": 39, "10000": 2})
    look("slip-signs", "slip", fill.pk)
    factories.count_slip(fill, chips={"500": 38, "10000": 2})
    look("slip-differs", "slip", fill.pk)
    factories.receive(fill)
    look("slip-received", "slip", fill.pk)
    change = factories.slip(table, "change")
    look("change", "slip", change.pk)
    factories.void_slip(change)
    credit = factories.slip(table, "credit")
    look("credit", "slip", credit.pk)
    factories.issue(credit)
    look("credit-issued", "slip", credit.pk)
    factories.receive(credit)
    look("slips", "slips")


def counts(look, table):
    session = factories.stop_session(table)
    rake = {100: 3}
    chip = {str(units): 100 for units in table.chip_set.denominations}
    look("count-first", "session-count", session.pk, typed=[("[data-chip='500']", "40"), ("[data-chip='100']", "x")])
    look.page.locator("#send").click()
    look("count-wrong")
    factories.count_session(session, chip, by="anna", rake=rake)
    look("count-own", "session-count", session.pk)
    factories.count_session(session, chip | {"500": 101}, by="clara", rake=rake)
    look("count-differs", "session-count", session.pk)
    factories.count_session(session, chip, by="clara", rake=rake)
    look("count-second", "session-count", session.pk)
    factories.count_session(session, chip, by="anna", rake=rake)
    look("count-compared", "session-count", session.pk)


def logged_out(look):
    """The warning and the dialog that lie over every page of the back office's people."""
    last = "localStorage.active = `${document.querySelector('#idle').dataset.staff} ${Date.now() - %s}`;"
    look.screens.go(reverse("account"))
    for what, ago in (("idle-soon", "27_000"), ("idle", "90_000")):
        look.page.evaluate(f"() => {{ {last % ago} document.querySelector('#idle').dataset.seconds = 3600; }}")
        look.page.evaluate(
            "() => { document.querySelector('#idle').dataset.seconds = 30;"
            " document.dispatchEvent(new Event('visibilitychange')); }"
        )
        look(what)


def walk(page, language):
    table, raked = factories.table(), factories.raked_table()
    look = Look(page, "anna", language)
    own_pages(look)
    cash(look, table)
    chips(look, table)
    counts(look, raked)
    boss = Look(page, "clara", language)
    logged_out(boss)
    return look.faults + boss.faults


def test_in_german_nothing_is_english_and_nothing_is_cut(seeded_db, page):
    faults = walk(page, "de")
    assert not faults, "\n".join(faults[:40])


def test_with_words_of_140_percent_nothing_is_cut(seeded_db, page, tmp_path):
    with pseudo.spoken(tmp_path) as language:
        faults = walk(page, language)
    assert not faults, "\n".join(faults[:40])
