"""The pit boss's alarms: a tone where nobody came, on a device that has not muted it, and the list of the last days."""

import pytest
from django.db import connection

from casino.running import embedded
from tables.verbs import alarms

from ..support import factories, stack
from ..support.looks import check, look
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

# Counts the tones: what a browser without a loudspeaker plays nobody hears.
LISTENS = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
"""


def test_a_call_that_nobody_takes_sounds_once_for_the_pit_bosses_of_all_pits_until_it_is_muted(page, live_stack):
    def left(call, minutes):
        """As the owner: no command lets a call be of minutes ago."""
        with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner, owner.transaction():
            owner.execute("ALTER TABLE tables_alarm DISABLE TRIGGER USER")
            owner.execute(
                "UPDATE tables_alarm SET raised_at = now() - make_interval(mins => %s) WHERE id = %s",
                [minutes, call.pk],
            )
            owner.execute("ALTER TABLE tables_alarm ENABLE TRIGGER USER")

    def tones():
        """How many there were on this page, once its script has run."""
        expect(page.get_by_role("button", name="Mute")).to_be_visible()
        return page.evaluate("window.tones")

    with live_stack.in_process():
        call = factories.call(factories.table("T1"))
        held = factories.hold(factories.open_round(factories.table("T2")))
        alarms.look()
        left(call, 7)
    page.add_init_script(LISTENS)
    enter(page, live_stack, "clara")
    row = page.locator(f"[data-test=held-{held.pk}]")
    expect(row.get_by_role("button", name="I’ll handle it")).to_be_visible()
    expect(row.get_by_role("link", name="Go there")).to_be_visible()
    called = page.locator(f"[data-test=call-{call.pk}]")
    expect(called).to_contain_text("Nobody has come for 7 min")
    assert tones() == 2
    look(page, "alarms-calls")
    # Once for each alarm, however often the page is seen.
    page.reload()
    expect(called).to_contain_text("Nobody has come")
    assert tones() == 0
    page.get_by_role("button", name="Mute").click()
    expect(page.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    with live_stack.in_process():
        left(factories.call(factories.table("T2")), 9)
    page.reload()
    expect(page.locator(".calls")).to_contain_text("Nobody has come for 9 min")
    assert tones() == 0
    expect(page.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    called.get_by_label("Note on").fill("The scanner was swapped.")
    called.get_by_role("button", name="On my way").click()
    called.get_by_role("button", name="Done").click()
    expect(called).to_have_count(0)
    page.get_by_role("link", name="Alarms of the last few days").click()
    listed = page.locator(f"[data-test=alarms] [data-test=alarm-{call.pk}]")
    expect(listed).to_contain_text("after 7 min")
    expect(listed).to_contain_text("The scanner was swapped.")
    look(page, "alarms-list")
    page.get_by_label("Kind").select_option("round_held")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**kind=round_held*")
    expect(listed).to_have_count(0)
    check(page, [(1280, 800)], ())
