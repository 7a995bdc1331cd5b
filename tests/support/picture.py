"""The pictures in the README and in the guides, taken at a running product.

`python -m tests.support.picture docs` takes them all.

Before it `make up`; PORT and DATA_DIR as there. It plays a round at Split 3, up to the moment when box 3 is to be paid,
and one of Presidential Poker; looks at the first one in the back office; and closes Split 1 with a chip of 5 too few.
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import django
from playwright.sync_api import sync_playwright

from . import evening, waiting
from .terminal import begin, expect, log_in, moment, part, pause, play, step, type_cards

ANTES = {1: 5000, 2: 2500, 3: 7500, 4: 10000, 5: 5000}
HANDS = {
    1: (["Ts", "Td", "7d", "4s", "2c"], ["Ah", "Qs"]),
    3: (["Qh", "Th", "8h", "6h", "2h"], ["As", "Jc"]),
    # Below the dealer: its two unseen cards are not looked at.
    4: (["Kh", "Tc", "8d", "6c", "3d"], None),
    5: (["Jh", "Jd", "5h", "5c", "8s"], ["Qd", "4h"]),
}
MOVES = (
    *(("ante", box, {"units": units}) for box, units in ANTES.items()),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "9d"}),
    ("bet", 1, {}),
    ("fold", 2, {}),
    ("buy", 3, {}),
    ("bet", 4, {}),
    ("bet", 5, {}),
    ("bet", 3, {}),
    ("reveal", None, {"cards": ["9s", "Ac", "7h", "3s"]}),
    ("small_hand", None, {"cards": ["Kd", "4c"]}),
    *(("show", box, {"cards": cards} | ({"extra": extra} if extra else {})) for box, (cards, extra) in HANDS.items()),
)


def of_split(page, stack, folder):
    """Box 4 decides, box 1 shows, box 3 is to be paid."""
    begin(page, stack, "greta")
    page.set_viewport_size({"width": 1280, "height": 800})
    play(page, *MOVES[:10])
    step(page, 10)
    shoot(page, folder / "terminal-deciding.png")

    shows = next(index for index, (kind, _, _) in enumerate(MOVES) if kind == "show")
    play(page, *MOVES[10:shows])
    step(page, shows)
    page.set_viewport_size({"width": 1024, "height": 768})
    type_cards(page, "10s 10d")
    page.keyboard.press("7")
    pause(page)
    shoot(page, folder / "terminal-cards.png")

    page.set_viewport_size({"width": 1280, "height": 800})
    play(page, *MOVES[shows:])
    step(page, len(MOVES))
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    # Paid from the dealer's right; boxes 2 and 4 were taken in the round.
    part(page, "tick-5").click()
    expect(part(page, "tick-5")).to_have_count(0)
    shoot(page, folder / "terminal.png")


def of_presidential(page, stack, folder):
    """Who is left shows, and who takes the pot is to be paid."""
    _, (dealt, *_) = evening.evening("presidential")
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(page, stack, "mara", seats=dealt.seats)
    play(page, *dealt.actions)
    step(page, len(dealt.actions))
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    shoot(page, folder / "presidential.png")


def of_the_back_office(page, stack, folder):
    """Split 3's round, as an auditor looks it up."""
    page.emulate_media(color_scheme="light")
    log_in(page, stack, "david")
    page.set_viewport_size({"width": 1280, "height": 820})
    page.goto(f"{stack.base_url}/admin/audit/entry/")
    page.get_by_label("Round or subject").fill("T3-00001")
    page.get_by_role("button", name="Search").click()
    found = page.locator('[data-test="found"]').get_by_role("link", name="T3-00001").first
    expect(found).to_be_visible()
    shoot(page, folder / "history.png")
    found.click()
    expect(page.locator('[data-state="proven"]').first).to_be_attached()
    page.set_viewport_size({"width": 1280, "height": 900})
    shoot(page, folder / "admin.png")


def of_the_guests(page, stack, folder):
    """The upper part of Split 1's rules."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 827, "height": 1000})
    page.goto(f"{stack.base_url}/tables/1/rules/")
    shoot(page, folder / "rules.png")


def of_a_closing(page, stack, folder):
    """Split 1's closing form, whole."""
    page.emulate_media(color_scheme="light")
    log_in(page, stack, "david")
    page.goto(f"{stack.base_url}/tables/1/session/")
    page.get_by_role("link", name="Closing form of").click()
    expect(page.get_by_role("heading", name="Log", exact=True)).to_be_visible()
    page.set_viewport_size({"width": 1100, "height": page.evaluate("document.documentElement.scrollHeight")})
    shoot(page, folder / "closing-form.png")


def shoot(page, path):
    page.mouse.move(640, 2)
    page.screenshot(path=path)


def close_split_1():
    """Split 1 pays 100 and gets 5 in a round, and closes without a chip of 5."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from tables.management.commands.seed_demo import OPENER
    from tables.models import Round

    from . import factories

    played = factories.play_round(factories.table("T1"))
    settled = Round.objects.filter(pk=played.pk, status=Round.Status.SETTLED)
    factories.ticked(waiting.until(settled.first))
    factories.close_session(played.table, OPENER | {10_000: OPENER[10_000] - 1}, reason="Trays searched twice.")


def main(folder):
    logins = Path(os.environ.get("DATA_DIR", "var")) / "demo-logins.json"
    passwords = {person["login"]: person["password"] for person in json.loads(logins.read_text())}
    stack = SimpleNamespace(base_url=f"http://localhost:{os.environ.get('PORT', '8000')}", logins=passwords)
    close_split_1()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        for take in (of_split, of_presidential, of_the_back_office, of_the_guests, of_a_closing):
            page = chromium.new_context(color_scheme="dark").new_page()
            take(page, stack, Path(folder))
            page.context.close()
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
