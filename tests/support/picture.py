"""The pictures in the README and in the guides, taken at a running product.

`python -m tests.support.picture docs` takes them all.

Before it `make up`; PORT and DATA_DIR as there. It shows a floor on which Split 2 is held and Split 1 calls, and the
cage with what it sold; closes Split 1 with a chip of 5 too few; plays a round at Split 3, up to the moment when box 3
is to be paid, and one of Presidential Poker; looks at the first one in the back office; and fills in a form of Ida's.
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import django
from playwright.sync_api import sync_playwright

from casino import controls

from ..test_architecture import LAYERS, ROOMS
from . import evening
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
    type_cards(page, "10s 10d")
    page.keyboard.press("7")
    pause(page)
    shoot(page, folder / "terminal-cards.png")

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


def of_the_players(page, stack, folder):
    """The upper part of Split 1's rules."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{stack.base_url}/tables/1/rules/")
    shoot(page, folder / "rules.png")


def of_the_floor(page, stack, folder):
    """What needs a person at Clara's tables."""
    log_in(page, stack, "clara")
    page.set_viewport_size({"width": 1280, "height": 836})
    expect(page.get_by_text("Split 2 held").first).to_be_visible()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    shoot(page, folder / "floor.png")


def of_the_cage(page, stack, folder):
    """An open shift with what was sold and cashed in it, and a slip that waits."""
    page.emulate_media(color_scheme="light")
    log_in(page, stack, "hugo")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto(f"{stack.base_url}/cage/")
    expect(page.get_by_text("Chips in circulation").first).to_be_visible()
    shoot(page, folder / "cage.png")


def of_a_new_person(page, stack, folder):
    """The form by which Ida adds a person, as a second one is about to sign it."""
    page.emulate_media(color_scheme="light")
    log_in(page, stack, "ida")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{stack.base_url}/staff/")
    page.get_by_text("Add a person", exact=True).click()
    page.locator("[name=login]").fill("sara")
    page.locator("[name=name]").fill("Sara Seidel")
    page.locator("[name=pit]").select_option(label="Main floor")
    page.locator("[name=second_login]").fill("clara")
    page.locator("[name=second_password]").fill("not hers")
    shoot(page, folder / "new-person.png")


def of_a_closing(page, stack, folder):
    """Split 1's closing form, whole."""
    page.emulate_media(color_scheme="light")
    log_in(page, stack, "david")
    page.goto(f"{stack.base_url}/tables/1/session/")
    page.get_by_role("link", name="Closing form of").click()
    expect(page.get_by_role("heading", name="Log", exact=True)).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": page.evaluate("document.documentElement.scrollHeight")})
    shoot(page, folder / "closing-form.png")


ROOMS_SAY = {
    "tables": "the floor",
    "payouts": "the money",
    "audit": "the memory",
    "casino": "the ground",
    "models": "the rows",
    "people": "who may, and from where",
    "verbs": "what changes rows",
    "inspections": "rows held against the log",
    "words": "a round told to people",
    "reports": "read over gaming days",
    "desk": "the auditor’s",
    "rest": "doors",
    "core": "games, cards, money: pure",
    "web": "REST’s edge",
    "running": "the stack, backup",
    "lab": "benches, faults",
    "management": "commands",
}
"""What stands in a room, in a few words; the others' names say it."""
IN_NO_ROOM = {
    "casino": "settings, staff, roles",
    "audit": "log, tree, seal, exports",
    "payouts": "accounts, settlements, payments",
}


def of_the_rooms(page, stack, folder):
    """The rooms of the code as `tests/test_architecture.py` keeps them: each may use what is on its left and below."""
    layers = []
    for layer in reversed(LAYERS):
        floors = [[name for name in floor if name != "migrations"] for floor in ROOMS[layer]]
        boxes = "".join(_room(layer, [name for name in floor if name or len(floor) == 1]) for floor in floors if floor)
        layers.append(f"<section><h2>{layer}<small>{ROOMS_SAY[layer]}</small></h2>{boxes}</section>")
    page.set_viewport_size({"width": 1280, "height": 100})
    page.set_content(
        f"<style>{DRAWN}</style>{''.join(layers)}<p>A room may use those on its left and all below it.</p>"
    )
    page.screenshot(path=folder / "rooms.png", full_page=True)


def of_the_controls(page, stack, folder):
    """How each standard is held, as `docs/controls.md` has it in short."""
    bars = []
    for standard in controls.standards():
        verdicts = [requirement.verdict for requirement in standard.requirements]
        counts = {verdict.value: verdicts.count(verdict) for verdict in controls.Verdict}
        counts["does not apply"] = sum(len(aside.ids) for aside in standard.not_applicable)
        counts["not found"] = sum(len(aside.ids) for aside in standard.not_found)
        parts = "".join(
            f'<i class="v{number}" style="flex-grow: {count}"><b>{count}</b> {name}</i>'
            for number, (name, count) in enumerate(counts.items())
            if count
        )
        bars.append(f"<h3>{standard.title}<small>{len(standard.ids())} requirements</small></h3><p>{parts}</p>")
    page.set_viewport_size({"width": 1280, "height": 100})
    page.set_content(f"<style>{DRAWN}</style>{''.join(bars)}")
    page.screenshot(path=folder / "controls.png", full_page=True)


def _room(layer, names):
    words = IN_NO_ROOM[layer] if names == [""] else ROOMS_SAY.get(names[0], "")
    return f"<div><b>{'<br>'.join(filter(None, names))}</b><small>{words}</small></div>"


DRAWN = """
body { margin: 24px; font: 15px sans-serif; color: #14201b; background: #fbfcfa }
section { display: flex; gap: 8px; margin-bottom: 12px; padding: 12px; border: 2px solid #7f9a8c; border-radius: 12px }
h2 { flex: 0 0 96px; margin: 0; font-size: 22px }
div { flex: 1; padding: 10px 2px; font-size: 14px; border-radius: 8px; background: #e3ece6; text-align: center }
small { display: block; margin-top: 4px; font-size: 13px; font-weight: normal; color: #46574e }
p { display: flex; gap: 3px; justify-content: center; margin: 0 }
h3 { margin: 14px 0 6px; font-size: 18px }
h3 small { display: inline; margin-left: 12px }
i { flex: 1 1 0; min-width: 76px; padding: 10px 4px; border-radius: 6px; text-align: center }
i { font-size: 13px; font-style: normal }
.v0 { background: #9fd3b4 } .v1 { background: #f2dc9b } .v2 { background: #efb3a6 }
.v3 { background: #e3e7e4 } .v4 { background: #d3d8e8 }
"""


def shoot(page, path):
    page.mouse.move(640, 2)
    page.screenshot(path=path)


def need_a_person():
    """Split 1 paid 100 and got 5, and calls; a round of Split 2 is contested, the next one held; the cage has sold."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from . import factories

    one, two = factories.table("T1"), factories.table("T2")
    factories.ticked(factories.settled_round(one))
    factories.contest(factories.ticked(factories.settled_round(two)))
    held = factories.open_round(two)
    factories.hold(held)
    factories.slip(two)
    factories.move_chips("sold", units=250_000)
    factories.move_chips("cashed", units=90_000)
    return factories.call(one, reason="player"), held


def close_split_1(call, held):
    """The pit boss has seen to both; Split 1 closes without a chip of 5."""
    from tables.management.commands.seed_demo import OPENER

    from . import factories

    factories.end(factories.take(call))
    factories.release(held)
    factories.close_session(call.table, OPENER | {10_000: OPENER[10_000] - 1}, reason="Trays searched twice.")


def main(folder):
    logins = Path(os.environ.get("DATA_DIR", "var")) / "demo-logins.json"
    passwords = {person["login"]: person["password"] for person in json.loads(logins.read_text())}
    stack = SimpleNamespace(base_url=f"http://localhost:{os.environ.get('PORT', '8000')}", logins=passwords)
    call, held = need_a_person()
    take(stack, Path(folder), of_the_floor, of_the_cage)
    close_split_1(call, held)
    take(
        stack,
        Path(folder),
        of_split,
        of_presidential,
        of_the_back_office,
        of_the_players,
        of_a_closing,
        of_a_new_person,
        of_the_rooms,
        of_the_controls,
    )


def take(stack, folder, *pictures):
    """Pictures, each in a browser of its own."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        for picture in pictures:
            page = chromium.new_context(color_scheme="dark").new_page()
            picture(page, stack, folder)
            page.context.close()
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
