"""A person adds a passkey of Chromium's and an app, logs in, goes on where a page was dimmed, and loses both; and a
house in which a second step has to be."""

import json

import pytest
from django.conf import settings

from audit.models import Entry

from ..support import authenticator, factories, stack
from ..support.live import LiveStack
from ..support.looks import violations
from ..support.terminal import enter, new_page
from .test_sessions import let_pass, log_in_again

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

PASSWORD = "velvet-otter-41"


def with_passkeys(page, **more):
    """A page whose browser has an authenticator, as an inside one with a finger that is always there."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True, **more}
    number = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    return session, number


def log_in(page, stack, login, path):
    """The password alone, at localhost, where browsers offer passkeys."""
    page.goto(stack.url(f"/login/?next={path}").replace("127.0.0.1", "localhost"))
    page.get_by_label("Login").fill(login)
    page.get_by_label("Password").fill(stack.logins[login])
    page.get_by_role("button", name="Log in").click()


def lost(page, stack):
    """On Clara's page, the one-time code that two give for a device that was lost."""
    form = page.locator("form").filter(has=page.get_by_role("button", name="End them and give a code"))
    if not form.is_visible():
        page.locator("summary").filter(has_text="Lost device").click()
    form.locator("[name=second_login]").fill("frank")
    form.locator("[name=second_password]").fill(stack.logins["frank"])
    form.get_by_role("button", name="End them and give a code").click()
    return page.locator("[data-test=code]").inner_text()


def set_password(page, code):
    """Clara, logged out by then, sets a password with the code, and gives it."""
    page.goto(f"{page.url.partition('/account/')[0]}/login/")
    page.get_by_role("link", name="I have a one-time code").click()
    page.get_by_label("Login").fill("clara")
    page.get_by_label("One-time code").fill(code)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    page.get_by_label("Login").fill("clara")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_a_passkey_and_an_app_are_added_log_in_and_are_lost(page, browser, live_stack):
    session, number = with_passkeys(page)
    log_in(page, live_stack, "clara", "/account/keys/")
    expect(page.get_by_text("This is a demo")).to_be_visible()
    assert not violations(page)
    page.get_by_label("Name of the passkey").fill("This laptop")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("[data-test=codes] li")).to_have_count(10)
    assert not violations(page)
    page.get_by_role("link", name="I’ve written them down").click()
    expect(page.locator("[data-test=keys]")).to_contain_text("This laptop")
    # The same device once more.
    page.get_by_label("Name of the passkey").fill("Again")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_text("This device has been added already.")).to_be_visible()
    secret = page.locator("[data-test=secret]").inner_text()
    page.get_by_label("Name of the app").fill("Telephone")
    page.get_by_label("Code that it shows").fill(authenticator.code(secret))
    page.get_by_role("button", name="Add app").click()
    expect(page.locator("[data-test=keys]")).to_contain_text("Telephone")
    assert not violations(page)

    log_in(page, live_stack, "clara", "/account/")
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    assert not violations(page)
    session.send("WebAuthn.setUserVerified", {"authenticatorId": number, "isUserVerified": False})
    page.get_by_role("button", name="Use passkey").click()
    expect(page.get_by_text("No passkey came.")).to_be_visible()
    session.send("WebAuthn.setUserVerified", {"authenticatorId": number, "isUserVerified": True})
    page.get_by_role("button", name="Use passkey").click()
    expect(page.get_by_role("heading", name="Where you’re logged in")).to_be_visible()

    # A page that was dimmed takes the second step in its place.
    page.clock.install()
    page.reload()
    page.clock.fast_forward(1000 * settings.SESSION_IDLE_SECONDS)
    let_pass(live_stack, "clara")
    strip = log_in_again(page, live_stack.logins["clara"])
    expect(strip.get_by_label("Code of your app")).to_be_visible()
    strip.get_by_label("Code of your app").fill("000000")
    strip.get_by_role("button", name="Log in").click()
    expect(strip.locator(".idle-wrong")).to_contain_text("That code or passkey is wrong, or was used before.")
    # Whoever lets the time for it pass, or loses the session of it, is not in.
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    strip.get_by_role("button", name="Use passkey").click()
    expect(strip.locator(".idle-wrong")).to_contain_text("The second step came too late. Enter your password again.")
    log_in_again(page, live_stack.logins["clara"])
    strip.get_by_role("button", name="Use passkey").click()
    expect(strip).to_be_hidden()
    page.goto(page.url)
    expect(page.get_by_role("heading", name="Where you’re logged in")).to_be_visible()

    # Two others end what is lost.
    enter(ida := new_page(browser), live_stack, "ida", "/staff/")
    ida.get_by_role("link", name="Clara", exact=False).first.click()
    expect(ida.locator("[data-test=second]")).to_have_text("1 passkey, 1 authenticator app")
    ida.locator("summary").filter(has_text="Lost device").click()
    assert not violations(ida)
    code = lost(ida, live_stack)
    expect(ida.locator("[data-test=second]")).to_have_text("None")
    page.goto(page.url)
    set_password(page, code)
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/")[2] + "/account/keys/")
    expect(page.get_by_text("You have none: your password alone logs you in.")).to_be_visible()
    ida.context.close()


def test_a_second_person_signs_by_passkey_where_the_first_is_logged_in(page, live_stack):
    """Ida added her key at this very browser; Karl changes a setting, and Ida touches the key."""
    session, number = with_passkeys(page)
    log_in(page, live_stack, "ida", "/account/keys/")
    page.get_by_label("Name of the passkey").fill("Blue USB key")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("[data-test=codes] li")).to_have_count(10)
    page.context.clear_cookies()
    log_in(page, live_stack, "karl", "/settings/")
    setting = page.locator("[data-test=pace_most]")
    setting.locator("summary").click()
    assert not violations(page)
    setting.get_by_label("New value, rounds an hour").fill("91")
    setting.get_by_label("Login").fill("frank")
    setting.get_by_label("Sign by passkey").check()
    expect(setting.get_by_label("Password")).to_be_hidden()
    setting.get_by_role("button", name="Change it").click()
    expect(setting.get_by_text("This person has no passkey here.")).to_be_visible()
    setting.get_by_label("Login").fill("ida")
    session.send("WebAuthn.setUserVerified", {"authenticatorId": number, "isUserVerified": False})
    setting.get_by_role("button", name="Change it").click()
    expect(setting.get_by_text("No passkey came.")).to_be_visible()
    session.send("WebAuthn.setUserVerified", {"authenticatorId": number, "isUserVerified": True})
    with page.expect_event("load"):
        setting.get_by_role("button", name="Change it").click()
    expect(setting.locator("[data-test=value]")).to_contain_text("91")
    with live_stack.in_process():
        facts = json.loads(Entry.objects.filter(event="signature.given").latest("pk").body)["facts"]
        asked = facts["method"], facts["verb"], facts["requester"]
        assert asked == ("passkey", "settings", factories.person("karl").ref)


def test_at_an_address_an_app_is_the_second_step(page, live_stack):
    page.goto(live_stack.url("/login/?next=/account/keys/"))
    page.get_by_label("Login").fill("david")
    page.get_by_label("Password").fill(live_stack.logins["david"])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Passkeys need a host name with an accepted certificate, or localhost")).to_be_visible()
    assert not violations(page)


@pytest.fixture
def strict():
    """A house of its own, as in production: some roles have to have a second step."""
    with stack.clone(stack.SEEDED) as database, LiveStack(database, SECOND_STEP="1") as live:
        yield live


def add_app(page, name):
    """The secret of the app that was added; the page shows recovery codes then."""
    secret = page.locator("[data-test=secret]").inner_text()
    page.get_by_label("Name of the app").fill(name)
    page.get_by_label("Code that it shows").fill(authenticator.code(secret))
    page.get_by_role("button", name="Add app").click()
    expect(page.locator("[data-test=codes] li")).to_have_count(10)
    return secret


def test_where_a_second_step_has_to_be_nobody_of_those_roles_is_in_without_one(page, browser, strict):
    with_passkeys(page)
    # Clara has none: she adds a passkey before she is in, and it is what lets her in again.
    log_in(page, strict, "clara", "/account/")
    expect(page.get_by_text("Your role needs a second step after the password")).to_be_visible()
    assert page.url.endswith("/account/keys/")
    assert not violations(page)
    page.goto(page.url.replace("/account/keys/", "/staff/"))
    expect(page.get_by_label("Password")).to_be_visible()
    log_in(page, strict, "clara", "/account/")
    page.get_by_label("Name of the passkey").fill("This laptop")
    page.get_by_role("button", name="Add passkey").click()
    page.get_by_role("link", name="I’ve written them down").click()
    expect(page.get_by_role("heading", name="Where you’re logged in")).to_be_visible()
    log_in(page, strict, "clara", "/account/")
    page.get_by_role("button", name="Use passkey").click()
    expect(page.get_by_role("heading", name="Where you’re logged in")).to_be_visible()

    # Ida has an app, and with it she and Frank end what Clara lost; a croupier needs none.
    ida = new_page(browser)
    log_in(ida, strict, "ida", "/staff/")
    secret = add_app(ida, "Telephone")
    ida.get_by_role("link", name="I’ve written them down").click()
    expect(ida.get_by_role("heading", name="Add a person")).to_be_visible()
    log_in(ida, strict, "ida", "/staff/")
    # The next code: one that was used is over.
    ida.get_by_label("Code of your app").fill(authenticator.code(secret, steps=1))
    ida.get_by_role("button", name="Log in").click()
    ida.get_by_role("link", name="Clara", exact=False).first.click()
    code = lost(ida, strict)
    set_password(page, code)
    expect(page.get_by_text("Your role needs a second step after the password")).to_be_visible()
    add_app(page, "New telephone")
    page.get_by_role("link", name="I’ve written them down").click()
    expect(page.locator("form[action='/logout/'] button")).to_have_text("Log out clara")

    anna = new_page(browser)
    log_in(anna, strict, "anna", "/account/")
    expect(anna.get_by_role("heading", name="Where you’re logged in")).to_be_visible()
    for each in (ida, anna):
        each.context.close()
