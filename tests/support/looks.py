"""What a croupier would complain about on a screen: cut off, covered, too small to tap, hard to read."""

import os
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT

SIZES = ((1280, 800), (1024, 768), (800, 1280))
WITH_PHONE = (*SIZES, (412, 915))
THEMES = ("dark", "light")

_DEFECTS = Path(__file__).with_suffix(".js").read_text("utf-8")


def violations(page, themes=THEMES):
    """What axe-core finds on the page in each theme of the system; the page then gets its own theme back."""
    found = []
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        if not page.evaluate("() => Boolean(window.axe)"):
            page.evaluate(AXE_SCRIPT)
        # Let no colour be in transition.
        page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
        results = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        found += [
            f"{theme} {violation['id']}: {' '.join(node['html'].split())[:120]}"
            for violation in results["violations"]
            for node in violation["nodes"]
        ]
    page.emulate_media(color_scheme="no-override")
    return found


def defects(page, sizes=SIZES, *, scrolls=False):
    """What is wrong with the page as it stands, at each size; the page then gets its own size back.

    :param scrolls: whether it may be longer than the screen, and is looked at in its whole length.
    """
    before = page.viewport_size
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        if scrolls:
            whole = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": whole})
        # The page's script fits the bar to it.
        page.evaluate("() => new Promise((over) => requestAnimationFrame(() => requestAnimationFrame(over)))")
        found += [f"{width}x{height} {defect}" for defect in page.evaluate(_DEFECTS)]
    page.set_viewport_size(before)
    return found


def check(page, sizes=SIZES, themes=THEMES):
    """Fail with all that is wrong with the page as it stands."""
    found = defects(page, sizes) + violations(page, themes)
    assert not found, "\n".join(found[:20])


def look(page, name, sizes=SIZES):
    """Fail if axe finds something or the page is wider than a size; with PICTURES set, take pictures of the page."""
    assert violations(page) == []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        if folder := os.environ.get("PICTURES"):
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                page.screenshot(path=f"{folder}/{name}-{width}-{theme}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})
