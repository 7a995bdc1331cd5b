"""How fast the terminal is to the eye: from a press to the updated screen, and what a first visit loads.

In a browser, on a stack of its own, at one table: whole rounds of Split Poker as a croupier presses them. A press is
timed from the moment that the browser reports it until the felt that it brought is painted.
"""

import shutil
import statistics
import time

from django.core.management.base import CommandError

from casino.lab.product import HOST, percentile
from casino.running.progress import Progress

from . import terminals

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
STILL = 0.5
"""Seconds that a hand needs between two presses; the terminal takes none sooner where its felt changed under it."""
# A round: the button that is pressed, and what is typed before it.
STEPS = (
    ("ANTE on box 1", ""),
    ("ANTE on box 2", ""),
    ("ANTE on box 3", ""),
    ("ANTE on box 4", ""),
    ("ANTE on box 5", ""),
    ("ANTE on box 6", ""),
    ("Close antes", ""),
    ("Enter", "9d"),
    ("Box 1 bets", ""),
    ("Box 2 bets", ""),
    ("Box 3 bets", ""),
    ("Box 4 folds", ""),
    ("Box 5 folds", ""),
    ("Box 6 folds", ""),
    ("Enter", "9sAc7h3s"),
    ("Enter", "Kd4c"),
    ("Enter", "QhTh8h6h2h"),
    ("Enter", "AsJc"),
    ("Enter", "KhJh8s6c2c"),
    ("Enter", "KsJs8d6d2d"),
    ("Close round", ""),
)
# Counts each press, and each felt that came with it once it is painted.
WATCH = """() => {
    const version = () => { const { seq, version, moment } = document.getElementById("term").dataset; return seq; };
    window.times = [];
    let pressed = null, was = version();
    const press = (event) => { pressed = event.timeStamp; };
    addEventListener("keydown", press, true);
    addEventListener("click", press, true);
    new MutationObserver(() => {
        if (version() === was) return;
        was = version();
        const from = pressed;
        pressed = null;
        if (from !== null) requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - from)));
    }).observe(document.getElementById("screen"), { subtree: true, childList: true, attributes: true });
}"""


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")


def run(out, *, rounds):
    """:raises CommandError: if there is no browser, or no Playwright to drive it."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise CommandError("Playwright is not installed; `make tools` installs it.") from None
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise CommandError(f"There is no browser; one of {', '.join(BROWSERS)} does.")
    progress = Progress(out._out)
    progress.say("Starting a stack of its own ...")
    with Table() as table, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        context.add_cookies([table.cookie])
        page = context.new_page()
        for words in ("first visit", "visit with what it kept"):
            loaded = _visit(page, table.address)
            size = sum(loaded.values()) / 1000
            progress.say(f"{words}: {len(loaded)} requests, {size:.1f} kB over the wire")
            for path, size in sorted(loaded.items(), key=lambda one: -one[1]):
                progress.say(f"  {size / 1000:>6.1f} kB  {path}")
        page.evaluate(WATCH)
        for _ in range(rounds):
            _deal(page)
        times = [seconds / 1000 for seconds in page.evaluate("window.times")]
        chromium.close()
    median, tail = statistics.median(times), percentile(times, 90)
    progress.say(
        f"press to updated screen: {len(times)} x  median {1000 * median:.0f} ms  p90 {1000 * tail:.0f} ms"
        f"  most {1000 * max(times):.0f} ms"
    )


class Table(terminals.Product):
    """A house of one table, with its croupier logged in."""

    def __init__(self):
        super().__init__(1)

    def seat(self):
        self.croupier = terminals.Croupier(self.port, "b1", terminals.PASSWORD)
        number = self.croupier.table["id"]
        self.address = f"http://{HOST}:{self.port}/tables/{number}/terminal/"
        name, morsel = next(item for item in self.croupier.cookies.items() if "session" in item[0])
        self.cookie = {"name": name, "value": morsel.value, "domain": HOST, "path": "/"}


def _visit(page, address):
    """What a visit loads: path -> bytes over the wire, including the stream, which has no end."""
    loaded = {}

    def begun(request):
        loaded[request.url.split("/", 3)[3]] = 0

    def ended(request):
        sizes = request.sizes()
        loaded[request.url.split("/", 3)[3]] = sizes["responseHeadersSize"] + sizes["responseBodySize"]

    page.on("request", begun)
    page.on("requestfinished", ended)
    page.goto(address)
    page.locator("[data-state=live]").wait_for(state="attached")
    page.remove_listener("request", begun)
    page.remove_listener("requestfinished", ended)
    return loaded


def _deal(page):
    """Each box of the last round is paid, then a round is opened, dealt and settled."""
    while page.locator("#term").get_attribute("data-moment") != "open":
        _press(page, "Enter")
    for name, cards in STEPS:
        if name == "ANTE on box 1":
            page.get_by_role("button", name="Add 25").click()
        for letter in cards:
            page.keyboard.press(letter)
            time.sleep(STILL / 5)
        _press(page, name)
    page.locator("#term[data-moment=settled]").wait_for()


def _press(page, name):
    was = page.locator("#term").get_attribute("data-seq")
    time.sleep(STILL)
    if name == "Enter":
        page.keyboard.press(name)
    else:
        page.get_by_role("button", name=name).first.click()
    page.wait_for_function("(was) => document.getElementById('term').dataset.seq !== was", arg=was)
