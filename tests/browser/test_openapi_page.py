"""The page to try REST, in a browser."""

import pytest

from ..support.terminal import enter


@pytest.mark.proof
def test_the_page_sends_a_command_with_the_session_of_who_looks(live_stack, page):
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    enter(page, live_stack, "anna", "/api/v1/docs/")
    page.locator("#operations-tag-tables").click()
    block = page.locator("#operations-tables-postTableRounds")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_placeholder("table_id").fill("1")
    block.get_by_role("button", name="Execute").click()
    answer = block.locator(".live-responses-table .response")
    answer.locator(".response-col_status", has_text="201").wait_for()
    assert "T1-00001" in answer.inner_text()
    assert said == []
