"""What a croupier would complain of on a screen: cut off, covered, too small to tap, hard to read."""

from axe_playwright_python.base import AXE_SCRIPT

SIZES = ((1280, 800), (1024, 768), (800, 1280))
THEMES = ("dark", "light")

# What ends in an ellipsis is not cut: the newest actions, and what an undo takes back. They stand in full in Actions.
_DEFECTS = """() => {
    const found = [];
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".vh")
        && getComputedStyle(element).clipPath === "none";
    const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(shown);
    const name = (element) => `${element.className?.baseVal ?? element.className} "${
        (element.getAttribute("aria-label") || element.innerText || "").trim().slice(0, 40)}"`.replace(/\\s+/g, " ");
    const within = (inner, outer, what) => {
        const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
        if (a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1)
            found.push(`${what}: ${name(inner)} sticks out of ${name(outer)}`);
    };
    const apart = (elements, what) => elements.forEach((one, index) => elements.slice(index + 1).forEach((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
            found.push(`${what}: ${name(one)} and ${name(other)} overlap`);
    }));
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth) found.push(`scrolls sideways by ${page.scrollWidth - innerWidth}`);
    if (page.scrollHeight > innerHeight) found.push(`scrolls down by ${page.scrollHeight - innerHeight}`);
    const popover = document.querySelector(":popover-open");
    const stage = popover ?? document.body;
    for (const box of all(".box")) {
        within(box, document.querySelector(".felt"), "felt");
        const parts = [...box.children].filter((part) => shown(part) && !part.matches(".pick"));
        parts.forEach((part) => within(part, box, "box"));
        apart(parts, "box");
    }
    apart(all(".dealer, .box"), "felt");
    apart(all(".dealer > *"), "dealer");
    all(".dealer > *").forEach((part) => within(part, document.querySelector(".felt"), "dealer"));
    apart(all(".top > *"), "top");
    all(".entry > *:not(.refusal)").forEach((part) => within(part, document.querySelector(".entry"), "dock"));
    apart(all(".entry > *:not(.refusal)"), "dock");
    apart(all(".slots > *"), "slots");
    for (const part of all("b, dd, dt, p, li, h2, span, button, label, legend", stage)) {
        if (part.matches(".slot")) continue;
        const { overflowX, textOverflow } = getComputedStyle(part);
        if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth && overflowX !== "auto"
            && textOverflow !== "ellipsis") found.push(`cut: ${name(part)}`);
    }
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const tapped = "button:not(.pick), a, .pill, .case, select, textarea, input:not([type=radio], [type=checkbox])";
    for (const button of all(tapped, stage)) {
        const box = button.getBoundingClientRect();
        const least = button.matches(".key") ? 56 : 44;
        if (Math.min(box.width, box.height) < least - 0.5)
            found.push(`small: ${name(button)} ${Math.round(box.width)}x${Math.round(box.height)}`);
        // What a popover scrolls to is not lost.
        if (popover && popover.scrollHeight > popover.clientHeight) continue;
        if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
            found.push(`off the screen: ${name(button)}`);
        for (const [x, y] of [[0.5, 0.5], [0.06, 0.5], [0.94, 0.5], [0.5, 0.1], [0.5, 0.9]]) {
            const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
            if (!hit || !(button.contains(hit) || hit.contains(button))) {
                found.push(`covered: ${name(button)} by ${hit && name(hit)}`);
                break;
            }
        }
    }
    const gold = all(".go");
    if (gold.length > 1) found.push(`${gold.length} gold buttons`);
    if (all(".box.ring").length > 1) found.push("two rings");
    return [...new Set(found)];
}"""


def violations(page, themes=THEMES):
    """What axe-core finds on the page in each theme of the system; the one that it had is given back."""
    found = []
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        if not page.evaluate("() => Boolean(window.axe)"):
            page.evaluate(AXE_SCRIPT)
        # Nothing on its way from one colour to the other.
        page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
        results = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        found += [
            f"{theme} {violation['id']}: {' '.join(node['html'].split())[:120]}"
            for violation in results["violations"]
            for node in violation["nodes"]
        ]
    page.emulate_media(color_scheme="no-override")
    return found


def defects(page, sizes=SIZES):
    """What is wrong with the page as it stands, at each size; the size that it had is given back."""
    before = page.viewport_size
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}x{height} {defect}" for defect in page.evaluate(_DEFECTS)]
    page.set_viewport_size(before)
    return found


def check(page, sizes=SIZES, themes=THEMES):
    """Fails with all that is wrong with the page as it stands."""
    found = defects(page, sizes) + violations(page, themes)
    assert not found, "\n".join(found[:20])
