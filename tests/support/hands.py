"""What a croupier's hands do at a terminal: by mouse, by keys alone, or with a scanner; each tap, key and scan counts.

They know what the page offers, never a game: `does.act("bet", 3)` takes whatever taps or keys it needs.
"""

import json
import re

from casino.money import spell
from tables.verbs.fold import CARDS

from .terminal import expect, part, pause, scan, type_cards

# What the browser itself saw: a tap on a label counts once, though its input is clicked too, and a scan not at all.
COUNT = """
window.counted = { taps: 0, keys: 0 };
addEventListener("pointerdown", (event) => event.isTrusted && window.counted.taps++, true);
addEventListener("keydown", (event) => event.isTrusted && window.counted.keys++, true);
"""


class Mouse:
    """Taps only: chips, boxes, cards of the grid, buttons."""

    def __init__(self, page):
        self.page = page
        page.add_init_script(COUNT)
        self.scans = 0

    @property
    def counted(self):
        """The taps, keys and scans since the page was loaded."""
        return (*self.page.evaluate("[counted.taps, counted.keys]"), self.scans)

    def act(self, kind, box=None, arguments=None):
        """Do an action that the page offers, entering all that it takes."""
        name = kind if box is None else f"{kind}-{box}"
        offer = self._offer(kind, box)
        values = [(field, arguments[field["name"]]) for field in offer["fields"] if field["name"] in (arguments or {})]
        if box is not None and not self.page.locator(f".box.ring[data-box='{box}']").count():
            self.pick(box)
        if offer["quick"]:
            self.tap(*values[0])
            return
        is_gold = self.page.locator(f".go[data-test='{name}']").count()
        # Chips are on the table and need no button before them; cards go to the gold one.
        if any(field["kind"] != "units" for field, _ in values) and not is_gold:
            self.do(name)
        for _, units in (one for one in values if one[0]["kind"] == "units"):
            self.stake(units)
        self.cards([card for field, value in values if field["kind"] in CARDS for card in _list(value)])
        if not offer["at_once"]:
            self.do(name)

    def _offer(self, kind, box):
        return next(offer for offer in self._client["offers"] if (offer["kind"], offer["box"]) == (kind, box))

    @property
    def _client(self):
        return json.loads(self.page.locator("#term").get_attribute("data-client"))

    def stake(self, units):
        """Tap the chips of an amount, the largest first; none if it stands there from the box before."""
        if self.page.locator("[data-stake]").inner_text() == spell(units, self._client["decimals"]):
            return
        for coin in reversed(self.page.locator("[data-chip]").all()):
            count, units = divmod(units, int(coin.get_attribute("data-chip")))
            for _ in range(count):
                self.chip(coin)

    def chip(self, coin):
        coin.click()

    def pick(self, box):
        self.page.locator(f"[data-pick='{box}']").click()

    def cards(self, cards):
        for card in cards:
            self.page.locator(f"[data-card='{card}']").click()

    def tap(self, field, value):
        index = next(index for index, tap in enumerate(field["taps"]) if str(tap["value"]) == str(value))
        part(self.page, f"field-{field['name']}").locator(f"[data-tap='{index}']").click()

    def do(self, name):
        part(self.page, name).click()

    def go(self):
        self.page.locator(".go").click()


class Keyboard(Mouse):
    """Not a single tap; each key is the one that the screen names."""

    def chip(self, coin):
        self.page.keyboard.press(coin.locator("kbd").inner_text())

    def pick(self, box):
        self.page.keyboard.press(str(box))
        pause(self.page)

    def cards(self, cards):
        keys = [self.page.locator(f"[data-card='{card}']").get_attribute("data-keys") for card in cards]
        if keys:
            type_cards(self.page, " ".join(keys))

    def tap(self, field, value):
        panel = part(self.page, f"field-{field['name']}")
        letter = panel.locator("kbd")
        # Among cards a number is asked for by its letter.
        if letter.count() and letter.is_visible():
            self.page.keyboard.press(letter.inner_text())
            expect(panel).to_have_class(re.compile(r"\basked\b"))
        self.page.keyboard.press(str(value))

    def do(self, name):
        button = part(self.page, name)
        expect(button).to_be_enabled()
        key = button.locator("kbd").inner_text()
        self.page.keyboard.press("Enter" if key == "↵" else key)

    def go(self):
        expect(self.page.locator(".go")).to_be_enabled()
        self.page.keyboard.press("Enter")


class Scanner(Mouse):
    """Cards come from a scanner, whose Enters press nothing; all else is tapped."""

    def cards(self, cards):
        if not cards:
            return
        self.scans += len(cards)
        for before, card in zip([None, *cards], cards, strict=False):
            # A card with copies counts once until a hand has had time to lay down the next.
            if card == before:
                self.page.wait_for_timeout(750)
            scan(self.page, self.page.locator(f"[data-card='{card}']").get_attribute("data-keys"))
        # A hand takes longer from the scanner to the keys than a second Enter of the scanner's.
        pause(self.page)


class ScannerAndKeys(Scanner, Keyboard):
    """Cards come from a scanner, and everything else is done by keys."""


def _list(value):
    return value if isinstance(value, list) else [value]
