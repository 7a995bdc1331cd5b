"""The auditor's desk in the browser: a visit is recorded, what came since is there, and rounds are drawn."""

import pytest

from audit.models import Anchor, Checkpoint, Entry
from tables.models import ReportFile, Round

from ..support import closed_days, factories, waiting
from ..support.looks import look
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser
ROUNDS = 9


def test_an_auditor_records_a_visit_sees_what_came_since_and_draws_rounds(page, live_stack):
    with live_stack.in_process():
        period = closed_days.furnished()
        _sealed(Checkpoint)
    david = new_page(page.context.browser)
    david.set_viewport_size({"width": 1280, "height": 800})
    enter(david, live_stack, "david", "/desk/")
    expect(david.locator("[data-test=whole]")).to_contain_text("The log is whole")
    seen = david.locator("[data-test=checkpoint]").inner_text()
    david.get_by_role("button", name="Record this visit").click()
    expect(david.locator("[data-test=stands]")).to_contain_text("Begins as you saw it")
    expect(david.locator(".is-seen .num")).to_have_text(seen)
    with live_stack.in_process():
        _busy(period)
    david.reload()
    expect(david.locator("[data-test=changed] tbody tr")).to_have_count(2)
    expect(david.locator("[data-test=files]")).to_contain_text("same")
    assert david.locator("[data-test=exceptions] tbody tr").count() == 6
    expect(david.locator("[data-test=sample]")).to_have_count(0)
    david.get_by_role("button", name="Draw rounds").click()
    expect(david.locator("[data-test=sample] tbody tr")).to_have_count(8)
    first = david.locator("[data-test=seed]").inner_text()
    look(david, "desk")
    david.get_by_role("button", name="Draw others").click()
    expect(david.locator("[data-test=seed]")).not_to_have_text(first)
    david.locator("[data-test=sample] a").first.click()
    david.wait_for_url("**/rounds/*/")
    david.goto(live_stack.url("/desk/"))
    david.get_by_role("link", name="Earlier visits").click()
    expect(david.locator("[data-test=visits] tbody tr")).to_have_count(1)
    expect(david.locator("[data-test=now]")).to_contain_text("1 round")
    look(david, "desk-visits")


def _busy(period):
    """What an auditor would want to see: two wins that changed, voids, a setting, a file that was given, and rounds."""
    settled = Round.objects.filter(session__business_date__in=period, status="SETTLED").select_related("table")
    for played in (settled.first(), settled.last()):
        factories.void_later(played)
    factories.sign_on(factories.person("anna"), factories.table("T1"))
    asked = {"report": "master-game", "period": str(period), "form": "csv"}
    factories.send(factories.client("clara"), "/api/v1/report-files/", asked)
    waiting.until(lambda: ReportFile.objects.filter(**asked, status="DONE").exists())
    for place in range(ROUNDS):
        factories.play_round(factories.table("T1"), factories.FLUSH_WINS if place % 3 else factories.FOLDS)
    waiting.until(lambda: not Round.objects.filter(status="CLOSED").exists())
    factories.void_round(factories.table("T1"))
    factories.set_setting(600)
    factories.void_slip(factories.slip(factories.table("T1")))
    factories.send_back(factories.issue(factories.slip(factories.table("T1"))))
    _sealed(Anchor)


def _sealed(model):
    """The live worker has sealed, or anchored too, all that was written."""
    count = Entry.objects.count()
    waiting.until(lambda: model.objects.filter(pk__gte=count).exists())
