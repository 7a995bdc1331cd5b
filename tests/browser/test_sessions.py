"""Who is logged out while a page is open: the page goes on showing, dimmed, and nothing that was typed is lost."""

import datetime as dt
import re

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection
from django.utils import timezone

from casino.models import WrongLogins
from tables.people import web_sessions

from ..support import factories
from ..support.looks import violations
from ..support.terminal import enter

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def let_pass(live_stack, login, left=0):
    """As if the person had done nothing for so long, by the server's clock; `left` seconds before the end of it."""
    with live_stack.in_process(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE casino_websession SET last_activity_at = statement_timestamp() - make_interval(secs => %s)"
            " WHERE staff_id = %s",
            [settings.SESSION_IDLE_SECONDS - left, factories.person(login).pk],
        )


def log_in_again(page, password):
    strip = page.get_by_role("dialog", name="You’re logged out")
    expect(strip).to_be_visible()
    strip.get_by_label("Password").fill(password)
    strip.get_by_role("button", name="Log in").click()
    return strip


def table_page(live_stack, what):
    with live_stack.in_process():
        return f"/tables/{factories.table('T1').pk}/{what}/"


def test_whoever_only_watches_is_warned_and_stays_by_any_key(page, live_stack):
    page.clock.install()
    enter(page, live_stack, "clara", "/")
    warning = page.get_by_text(re.compile(r"You’ll be logged out in \d+ seconds"))
    page.clock.fast_forward(1000 * (settings.SESSION_IDLE_SECONDS - 75))
    expect(warning).to_have_count(0)
    page.clock.fast_forward(15_000)
    expect(warning).to_be_visible()
    assert not violations(page)
    let_pass(live_stack, "clara", left=30)
    with page.expect_response(lambda answer: answer.request.method == "HEAD") as answered:
        page.keyboard.press("Shift")
    assert answered.value.ok
    expect(warning).to_have_count(0)
    page.clock.fast_forward(40_000)
    with live_stack.in_process():
        (login,) = web_sessions.of(factories.person("clara"))
    assert login.idle < dt.timedelta(minutes=5)
    expect(page.get_by_role("dialog", name="You’re logged out")).to_have_count(0)
    # The clocks of a floor that hears of nothing stand still.
    let_pass(live_stack, "clara")
    page.clock.fast_forward(1000 * settings.SESSION_IDLE_SECONDS)
    strip = page.get_by_role("dialog", name="You’re logged out")
    expect(strip).to_contain_text("No call and no alarm comes through until you log in again.")
    wall = page.locator("[data-wall]")
    stood = wall.inner_text()
    page.clock.fast_forward(20_000)
    expect(wall).to_have_text(stood)
    log_in_again(page, live_stack.logins["clara"])
    expect(strip).to_be_hidden()
    expect(page.locator("[data-link-state=live]")).to_be_attached()
    expect(wall).not_to_have_text(stood)


def test_a_page_is_dimmed_when_its_time_is_over_and_goes_on_where_it_was(page, live_stack):
    page.clock.install()
    enter(page, live_stack, "clara", table_page(live_stack, "enrol"))
    page.get_by_text("Make this browser a terminal").click()
    page.get_by_label("Name").fill("T1-kept")
    page.clock.fast_forward(1000 * settings.SESSION_IDLE_SECONDS)
    let_pass(live_stack, "clara")
    strip = page.get_by_role("dialog", name="You’re logged out")
    expect(strip).to_contain_text("You sent no command for 15 minutes.")
    expect(strip.get_by_label("Login")).to_have_value("clara")
    expect(strip.get_by_label("Password")).to_be_focused()
    # What stood there still does, out of reach of hands.
    expect(page.get_by_role("heading", name="Split 1", include_hidden=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(strip).to_be_visible()
    assert not violations(page)

    log_in_again(page, "wrong")
    expect(strip).to_contain_text("That isn’t your password.")
    expect(strip.get_by_label("Password")).to_have_value("")
    strip.get_by_label("Password").fill(live_stack.logins["clara"])
    page.keyboard.press("Enter")
    expect(strip).to_be_hidden()
    expect(page.get_by_label("Name")).to_have_value("T1-kept")
    page.get_by_role("button", name="Enrol this browser").click()
    expect(page.get_by_role("status")).to_contain_text("This browser is the terminal T1-kept of Split 1.")


def test_a_login_that_is_refused_without_being_judged_is_told_in_the_server_s_words(page, live_stack):
    page.clock.install()
    enter(page, live_stack, "frank", "/account/")
    page.clock.fast_forward(1000 * settings.SESSION_IDLE_SECONDS)
    let_pass(live_stack, "frank")
    minute = timezone.now().replace(second=0, microsecond=0)
    with live_stack.in_process():
        for ahead in range(10):
            at = minute + dt.timedelta(minutes=ahead)
            WrongLogins.objects.update_or_create(minute=at, defaults={"number": settings.WRONG_LOGINS})
    strip = log_in_again(page, "wrong")
    expect(strip).to_contain_text("The login or the password is wrong, and so were many others within this minute.")
    with live_stack.in_process():
        WrongLogins.objects.all().delete()
    for _ in range(settings.AXES_FAILURE_LIMIT - 1):
        with page.expect_response("**/login/"):
            log_in_again(page, "wrong")
        expect(strip.get_by_role("button", name="Log in")).to_be_enabled()
    expect(strip).to_contain_text("this login is locked here for 15 minutes. Wait, or ask the pit boss to unlock it.")
    with live_stack.in_process():
        AccessAttempt.objects.all().delete()
    queue = '<main><h1>Too many people are logging in.</h1><p>Wait 5 seconds.</p><a href="/">Back</a></main>'
    page.route("**/login/", lambda route: route.fulfill(status=429, content_type="text/html", body=queue))
    log_in_again(page, "wrong")
    expect(strip.locator(".idle-wrong")).to_have_text("Too many people are logging in. Wait 5 seconds.")


def test_a_command_after_the_end_asks_to_log_in_and_is_sent_again_as_it_was_typed(page, live_stack):
    with live_stack.in_process():
        round_ = factories.play_round(factories.table("T1"))
    enter(page, live_stack, "clara", f"/rounds/{round_.pk}/")
    page.get_by_role("link", name="Dispute").click()
    page.get_by_label("About").select_option(index=1)
    statement = page.locator("[name=statement]")
    statement.fill("The guest saw another card.")
    let_pass(live_stack, "clara")
    button = page.locator("#raise-button")
    # Also where the page has heard of it before.
    button.dispatch_event("click")
    strip = log_in_again(page, live_stack.logins["clara"])
    expect(strip).to_be_hidden()
    expect(page.locator("[data-raise-refusal]")).to_contain_text("You were logged out. Log in and send it again.")
    expect(statement).to_have_value("The guest saw another card.")
    button.click()
    expect(page).to_have_url(re.compile(r"/disputes/\d+/$"))
    expect(page.locator("blockquote")).to_have_text("The guest saw another card.")


def test_an_open_stream_keeps_nobody_logged_in_and_is_there_again_after_the_login(page, live_stack):
    enter(page, live_stack, "clara", table_page(live_stack, "terminal"))
    expect(page.locator("[data-state=live]")).to_be_attached()
    let_pass(live_stack, "clara")
    strip = page.get_by_role("dialog", name="You’re logged out")
    expect(strip).to_be_visible()
    expect(page.locator("#term")).to_be_visible()
    # The server has ended it: the browser keeps no cookie of it.
    assert not [cookie for cookie in page.context.cookies() if cookie["name"] == settings.SESSION_COOKIE_NAME]
    log_in_again(page, live_stack.logins["clara"])
    expect(strip).to_be_hidden()
    expect(page.locator("[data-state=live]")).to_be_attached()


def test_the_back_office_asks_in_the_same_way_and_a_login_in_one_tab_counts_for_all(page, live_stack):
    page.clock.install()
    enter(page, live_stack, "david", "/admin/house/")
    other = page.context.new_page()
    other.clock.install()
    other.goto(live_stack.url("/account/"))
    for tab in (page, other):
        tab.clock.fast_forward(1000 * settings.SESSION_IDLE_SECONDS)
        expect(tab.get_by_role("dialog", name="You’re logged out")).to_be_visible()
    let_pass(live_stack, "david")
    assert not violations(page, ("light",))
    log_in_again(page, live_stack.logins["david"])
    for tab in (page, other):
        expect(tab.locator("dialog.idle")).to_be_hidden()
    other.get_by_label("Current password").fill("wrong")
    other.get_by_label("New password", exact=True).fill("felt lantern copper 7")
    other.get_by_label("New password again").fill("felt lantern copper 7")
    other.get_by_role("button", name="Change password").click()
    expect(other.get_by_role("alert")).to_contain_text("That isn’t your password.")


def test_a_person_ends_the_session_that_they_left_open_elsewhere(page, live_stack):
    left = live_stack.session("hugo")
    enter(page, live_stack, "hugo", "/account/")
    rows = page.locator('[data-test="logins"] li')
    expect(rows).to_have_count(2)
    assert not violations(page)
    rows.filter(has_text=re.compile("Another program")).get_by_role("button", name=re.compile("Log out there")).click()
    expect(page.get_by_role("status")).to_contain_text("Logged out there.")
    expect(rows).to_have_count(1)
    page.context.clear_cookies()
    page.context.add_cookies([left])
    page.goto(live_stack.url("/account/"))
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
