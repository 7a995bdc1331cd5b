"""The auditor in a real Chromium: history, a round with its proofs, and an export from asking to its verdict."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from audit import verify_export
from audit.models import Checkpoint, Entry
from tables.models import Round

from ..support import factories, waiting
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


@pytest.fixture
def settled(live_stack, page):
    """A round at T1 that the live worker has settled and sealed, in the live stack's database."""
    with live_stack.in_process():
        closed = factories.play_round(factories.table("T1"))
        done = waiting.until(
            lambda: Round.objects.filter(pk=closed.pk, status=Round.Status.SETTLED).select_related("table").first()
        )
        waiting.until(lambda: Checkpoint.objects.filter(size__gte=Entry.objects.count()).exists())
        yield done


def looked_at(page):
    """What is wrong with the page, light and large, dark and small: what axe finds in our part, and what sticks out."""
    found = []
    for theme, width, height in (("light", 1280, 800), ("dark", 1024, 768)):
        page.emulate_media(color_scheme=theme)
        page.evaluate("(theme) => localStorage.setItem('_x_adminTheme', JSON.stringify(theme))", theme)
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator("main")).to_be_visible()
        page.evaluate(AXE_SCRIPT)
        axe = page.evaluate("() => axe.run('main', { resultTypes: ['violations'] })")
        found += [
            f"{theme} {violation['id']}: {node['html'][:150]}"
            for violation in axe["violations"]
            for node in violation["nodes"]
        ]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{theme} scrolls sideways")
    return found


def test_the_auditor_finds_a_round_sees_its_proofs_and_takes_an_export_home(page, live_stack, settled, tmp_path):
    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: line.type == "error" and said.append(line.text))
    enter(page, live_stack, "david", "/admin/house/")
    tile = page.locator('[data-test="log"]')
    expect(tile).to_contain_text("The log is in order")
    tile.get_by_role("link", name="History").click()
    page.get_by_label("Round or subject").fill(str(settled))
    page.get_by_label("Event").select_option("Round settled")
    page.get_by_role("button", name="Search").click()
    rows = page.locator('[data-test="found"] tbody tr[data-test]')
    expect(rows).to_have_count(1)
    assert looked_at(page) == []
    rows.get_by_role("link", name=str(settled)).click()
    expect(page.locator('[data-state="proven"]')).to_have_count(Entry.objects.filter(subject=settled.ref).count())
    assert looked_at(page) == []
    page.locator("ol.entries summary", has_text="Bytes and proof").first.click()
    expect(page.locator("ol.entries code").first).to_contain_text('"event":"round.opened"')
    with page.expect_download() as proof:
        page.locator('[data-test="download"]').click()
    assert proof.value.suggested_filename == f"round-{settled}.json"

    page.goto(f"{live_stack.base_url}/admin/house/")
    tile.get_by_role("link", name="Exports").click()
    page.get_by_label("Everything").check()
    page.get_by_role("button", name="Export", exact=True).click()
    # The list asks again by itself until it is done.
    made = page.locator('[data-test^="export-"]')
    expect(made).to_have_attribute("data-state", "done")
    page.context.grant_permissions(["clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    # Over plain HTTP a browser lets no page copy.
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_role("button", name="Copied").click()
    expect(page.get_by_role("button", name="Press Ctrl-C")).to_be_visible()
    assert page.evaluate("String(getSelection())") == page.locator('[data-test="command"]').text_content()
    with page.expect_download() as export:
        made.get_by_role("link", name="Download").click()
    export.value.save_as(tmp_path / "export.tar")
    assert looked_at(page) == []
    # An entry by itself, and what the frame does on each of our pages.
    page.goto(f"{live_stack.base_url}/admin/audit/entry/1/change/")
    assert looked_at(page) == []
    menu, side = page.get_by_role("button", name="Menu"), page.get_by_role("navigation", name="Back office")
    expect(side).to_be_hidden()
    menu.click()
    expect(side).to_be_visible()
    page.set_viewport_size({"width": 1400, "height": 900})
    page.locator(".frame-person summary").click()
    page.get_by_role("button", name="Light").click()
    expect(page.locator("html.dark")).to_have_count(0)
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html.dark")).to_have_count(1)
    menu.click()
    expect(side).to_be_hidden()
    page.reload()
    expect(page.locator("html.dark.side-closed")).to_have_count(1)
    # Unfold's own page keeps both.
    page.goto(f"{live_stack.base_url}/admin/audit/checkpoint/")
    expect(page.locator("html.dark")).to_have_count(1)
    assert said == []

    with tarfile.open(tmp_path / "export.tar") as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    keys, anchor = live_stack.seeded_in / "keys" / "public", live_stack.folder / "anchor"
    verified = subprocess.run(
        [sys.executable, "-I", Path(verify_export.__file__), folder, "--key", keys, "--anchor", anchor, "--csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    told = folder / "entries.jsonl"
    assert (verified.returncode, verified.stdout.partition(":")[0]) == (0, "whole"), verified.stdout + verified.stderr
    assert f'"subject":"{settled.ref}"' in told.read_text()
