"""Questions to the pit in the browser: asked on the desk, answered by the pit, accepted on the desk."""

import pytest

from tables.models import Question

from ..support import factories
from ..support.looks import look
from ..support.terminal import enter, new_page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def test_an_auditor_asks_on_the_desk_the_pit_answers_and_the_auditor_accepts(page, live_stack):
    with live_stack.in_process():
        subject = factories.table("T1").ref
    david = new_page(page.context.browser)
    david.set_viewport_size({"width": 1280, "height": 800})
    enter(david, live_stack, "david", "/desk/")
    ask = david.locator("[data-test=ask]")
    ask.get_by_label("About").fill("round:999999")
    ask.get_by_label("Your question to the pit").fill("Why is the float so small?")
    ask.get_by_role("button", name="Ask the pit").click()
    expect(ask.locator("[data-path=subject] [data-wrong]")).to_contain_text("There is no round:999999")
    ask.get_by_label("About").fill(subject)
    ask.get_by_role("button", name="Ask the pit").click()
    question = david.locator("[data-test=question]")
    expect(question).to_contain_text("Due in 23 h 59 min")
    clara = new_page(page.context.browser)
    clara.set_viewport_size({"width": 1280, "height": 800})
    enter(clara, live_stack, "clara", "/")
    expect(clara.locator("[data-test=asked]")).to_contain_text("1 question from an auditor waits to be answered")
    clara.get_by_role("link", name="1 question from an auditor").click()
    clara.wait_for_url("**/questions/")
    look(clara, "questions")
    answered = clara.locator("[data-test=question]")
    answered.get_by_label("Your answer").fill("A fill is on its way.")
    answered.get_by_role("button", name="Answer").click()
    expect(answered).to_contain_text("Answered")
    expect(answered.get_by_role("button", name="Answer")).to_have_count(0)
    david.reload()
    expect(question).to_contain_text("A fill is on its way.")
    look(david, "desk-questions")
    question.get_by_role("button", name="Accept the answer").click()
    expect(question).to_have_count(0)
    david.get_by_role("link", name="All, settled ones too").click()
    expect(question).to_contain_text("Settled")
    with live_stack.in_process():
        assert list(Question.objects.values_list("status", flat=True)) == ["SETTLED"]
