"""The README's picture of the terminal, taken at a running product.

`python -m tests.support.picture docs/terminal.png` takes it.

Before it `make up`; PORT and DATA_DIR as there. It plays a round at Split 3 and stops at the third box to pay.
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

from playwright.sync_api import sync_playwright

from .terminal import begin, expect, moment, part, play, step

ANTES = {1: 5000, 2: 2500, 3: 7500, 4: 10000, 5: 5000}
HANDS = {
    1: (["Ts", "Td", "7d", "4s", "2c"], ["Ah", "Qs"]),
    3: (["Qh", "Th", "8h", "6h", "2h"], ["As", "Jc"]),
    4: (["Kh", "Tc", "8d", "6c", "3d"], ["2s", "4d"]),
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
    *(("show", box, {"cards": cards, "extra": extra}) for box, (cards, extra) in HANDS.items()),
)


def take(page, stack, path):
    """The terminal at 1280 by 800 when box 3 is to be paid."""
    begin(page, stack, "greta")
    play(page, *MOVES)
    step(page, len(MOVES))
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    for box in (1, 2):
        part(page, f"tick-{box}").click()
        expect(part(page, f"tick-{box}")).to_have_count(0)
    page.mouse.move(640, 2)
    page.screenshot(path=path)


def main(path):
    logins = Path(os.environ.get("DATA_DIR", "var")) / "demo-logins.json"
    passwords = {person["login"]: person["password"] for person in json.loads(logins.read_text())}
    stack = SimpleNamespace(base_url=f"http://localhost:{os.environ.get('PORT', '8000')}", logins=passwords)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        take(chromium.new_page(viewport={"width": 1280, "height": 800}, color_scheme="dark"), stack, path)
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
