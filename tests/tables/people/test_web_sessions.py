"""Where people are logged in: seen and ended by themselves alone, dead at once; and the password that they change."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from audit.models import Entry
from casino.errors import Refused
from casino.models import WebSession
from casino.web import sessions
from tables.people import staff, web_sessions

from ...support import factories
from ...support.factories import actor, person

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
IPAD = "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/604"
NEW = "felt lantern copper 7"


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


def password(login):
    return factories.signature(login)["password"]


def log_in(login, user_agent=CHROME, typed=None):
    client = Client(headers={"User-Agent": user_agent})
    answer = client.post("/login/", {"username": login, "password": typed or password(login)})
    assert answer.status_code == 302, answer.content
    return client


def key_of(client):
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def row_of(client):
    return WebSession.objects.get(digest=sessions.digest(key_of(client)))


def is_in(client):
    """Whether a browser is still logged in: by a page and by REST alike."""
    page, rest = client.get("/account/"), client.get("/api/v1/schema/")
    assert (page.status_code == 200) == (rest.status_code == 200)
    return page.status_code == 200


def with_cookie(key):
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client


def entries(event):
    return [entry for entry in Entry.objects.order_by("pk") if entry.event == event]


def change(client, old, new=NEW, again=None):
    return client.post("/account/", {"old": old, "new": new, "again": new if again is None else again})


# Where one is logged in.


def test_the_page_names_each_browser_and_which_of_them_this_is():
    here = log_in("hugo")
    log_in("hugo", IPAD)
    log_in("hugo", "curl/8.5")
    log_in("david")
    page = here.get("/account/").content.decode()
    assert re.findall(r"<b>(.+?)</b>(, this browser)?", page) == [
        ("Another program", ""),
        ("Safari on iPad", ""),
        ("Chrome on Linux", ", this browser"),
    ]


def test_no_page_and_no_row_has_a_key():
    here, there = log_in("hugo"), log_in("hugo", IPAD)
    page = here.get("/account/").content.decode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(to_jsonb(s)::text, '') FROM casino_websession s")
        (rows,) = cursor.fetchone()
    for client in (here, there):
        assert key_of(client) not in page
        assert key_of(client) not in rows
        assert sessions.digest(key_of(client)) not in page


def test_a_digest_out_of_the_table_is_no_key():
    stolen = sessions.digest(key_of(log_in("ida")))
    assert not is_in(with_cookie(stolen))
    assert not is_in(with_cookie(stolen[:32]))


@pytest.mark.parametrize("login", ["anna", "clara", "hugo", "david", "ida"])
def test_everybody_ends_a_session_of_theirs_and_it_is_dead_at_once(login):
    here, there = log_in(login), log_in(login, IPAD)
    number, key = row_of(there).pk, key_of(there)
    answer = here.post("/account/", {"end": number}, follow=True)
    assert "Logged out there." in answer.content.decode()
    assert not is_in(there)
    # Nor does it come back: by its cookie, or by what a page of it still sends.
    assert not is_in(with_cookie(key))
    assert with_cookie(key).post("/account/", {"end": 1}).status_code == 302
    assert is_in(here)
    (entry,) = entries("login.ended")
    assert json.loads(entry.body)["facts"] == {"staff": person(login).ref, "web_session": number}
    assert entry.body.count(f'"by":"{person(login).ref}"') == 1


def test_nobody_ends_a_session_of_somebody_else():
    eve, ida = log_in("hugo"), log_in("ida")
    before = factories.written()
    for number in (row_of(ida).pk, 10**18, "", "-1", "1 OR 1=1", "٣"):
        answer = eve.post("/account/", {"end": number})
        assert answer.status_code == 409
        assert "That login has already ended." in answer.content.decode()
    assert is_in(ida)
    assert factories.written() == before


def test_of_many_who_end_it_at_once_one_does_and_logs_it():
    here, there = log_in("hugo"), log_in("hugo", IPAD)
    number, key = row_of(there).pk, key_of(here)

    def end(_):
        try:
            return with_cookie(key).post("/account/", {"end": number}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(end, range(4))) == [302, 409, 409, 409]
    assert len(entries("login.ended")) == 1


def test_a_request_under_way_does_not_bring_an_ended_session_back():
    client = log_in("hugo")
    session = sessions.SessionStore(key_of(client))
    assert session["_auth_user_id"] == str(person("hugo").pk)
    with transaction.atomic():
        web_sessions.end(staff=person("hugo"), number=row_of(client).pk, actor=actor("hugo"))
    session["more"] = 1
    with pytest.raises(sessions.UpdateError):
        session.save()
    assert not is_in(client)


def test_a_cookie_of_before_a_login_is_none_of_after_it():
    planted = log_in("hugo")
    fixed = key_of(planted)
    victim = with_cookie(fixed)
    assert victim.post("/login/", {"username": "ida", "password": password("ida")}).status_code == 302
    assert key_of(victim) != fixed
    assert not is_in(with_cookie(fixed))
    assert is_in(victim)


def test_a_key_that_somebody_chose_is_never_taken():
    client = with_cookie("a" * 32)
    assert client.post("/login/", {"username": "hugo", "password": password("hugo")}).status_code == 302
    assert key_of(client) != "a" * 32
    assert not is_in(with_cookie("a" * 32))


def test_twelve_hours_after_the_login_a_session_is_over_however_busy():
    client = log_in("anna")
    row = row_of(client)
    assert (row.expires_at - row.begun_at).total_seconds() == pytest.approx(12 * 3600, abs=60)
    assert is_in(client)
    # No request makes it longer.
    assert row_of(client).expires_at == row.expires_at
    with connection.cursor() as cursor:
        cursor.execute("UPDATE casino_websession SET expires_at = statement_timestamp() WHERE id = %s", [row.pk])
    assert not is_in(client)


def test_who_leaves_has_no_sessions():
    client = log_in("hugo")
    with transaction.atomic():
        staff.leave(staff=person("hugo"), actor=actor("ida", "frank"))
    assert not is_in(client)
    assert not WebSession.objects.filter(staff__login="hugo").exists()


# One's password.


def test_a_changed_password_is_the_one_that_counts_and_ends_all_other_sessions():
    here, there = log_in("anna"), log_in("anna", IPAD)
    before = key_of(here)
    answer = change(here, password("anna"))
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/?done=changed")
    assert "You’re logged out everywhere else." in here.get(answer.headers["Location"]).content.decode()
    assert is_in(here)
    assert not is_in(there)
    assert not is_in(with_cookie(before))
    assert WebSession.objects.filter(staff=person("anna")).count() == 1
    assert Client().post("/login/", {"username": "anna", "password": password("anna")}).status_code == 200
    log_in("anna", typed=NEW)
    (entry,) = entries("staff.password_changed")
    assert json.loads(entry.body)["facts"] == {"staff": person("anna").ref}
    assert NEW not in entry.body


@pytest.mark.parametrize(
    ("old", "new", "again", "status", "words"),
    [
        ("wrong", NEW, NEW, 403, "That isn’t your password."),
        ("", NEW, NEW, 403, "That isn’t your password."),
        (None, NEW, NEW + "!", 422, "The two new passwords aren’t the same."),
        (None, "short", "short", 422, "too short"),
        (None, "1234567890", "1234567890", 422, "known from breaches"),
        (None, "hugo-hahn-1", "hugo-hahn-1", 422, "too similar"),
    ],
)
def test_a_refused_change_says_why_and_changes_nothing(old, new, again, status, words):
    here, there = log_in("hugo"), log_in("hugo", IPAD)
    before = person("hugo").password, factories.written()
    typed = password("hugo") if old is None else old
    answer = change(here, typed, new, again)
    assert answer.status_code == status
    page = answer.content.decode()
    assert words in page
    # Nothing that was typed comes back.
    assert not re.search(rf'value="{re.escape(new)}"', page)
    assert (person("hugo").password, factories.written()) == before
    assert is_in(here)
    assert is_in(there)


def test_who_guesses_the_password_at_an_open_desk_is_locked_out_like_at_the_door():
    here = log_in("hugo")
    statuses = [change(here, f"guess-{number}").status_code for number in range(settings.AXES_FAILURE_LIMIT + 1)]
    assert statuses[-2:] == [429, 429]
    assert change(here, password("hugo")).status_code == 429
    assert len(entries("staff.locked")) == 1
    assert is_in(here)


def test_of_two_changes_at_once_one_counts():
    first, second = log_in("hugo"), log_in("hugo", IPAD)
    keys, old = [key_of(first), key_of(second)], password("hugo")

    def attempt(number):
        try:
            answer = change(with_cookie(keys[number]), old, f"{NEW} {number}")
            # The first change ends the session of the second browser, which is then sent to the login page.
            return answer.status_code == 302 and not answer["Location"].startswith("/login/")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(attempt, range(2)))
    assert any(done)
    changed = entries("staff.password_changed")
    assert len(changed) == done.count(True)
    # Whichever it was, one password counts and the sessions of whoever came too late are over.
    assert sum(person("hugo").check_password(f"{NEW} {number}") for number in range(2)) == 1
    assert WebSession.objects.filter(staff=person("hugo")).count() == 1


def test_a_password_that_was_changed_in_between_is_not_changed_again():
    asked = person("hugo")
    with transaction.atomic():
        staff.change_password(staff=asked, password=NEW, keep=None, actor=actor("hugo"))
    before = factories.written()
    with pytest.raises(Refused, match="changed just now"), transaction.atomic():
        staff.change_password(staff=asked, password=f"{NEW} again", keep=None, actor=actor("hugo"))
    assert factories.written() == before
    assert person("hugo").check_password(NEW)


def test_the_page_is_reached_from_where_everybody_works():
    assert 'href="/account/"' in factories.client("clara").get("/").content.decode()
    assert 'href="/account/"' in factories.client("david").get("/admin/house/").content.decode()
    anna = factories.client("anna")
    assert 'href="/account/"' in anna.get(anna.get("/").headers["Location"]).content.decode()


# Idle for too long.

LIMIT = settings.SESSION_IDLE_SECONDS
BACK_OFFICE = ["clara", "hugo", "david", "ida"]


def let_pass(client, seconds):
    """As if so long had passed since the last activity."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE casino_websession SET last_activity_at = statement_timestamp() - make_interval(secs => %s)"
            " WHERE digest = %s",
            [seconds, sessions.digest(key_of(client))],
        )


def idle(client):
    """For how many seconds the row says that nobody did anything."""
    return WebSession.objects.alive().get(digest=sessions.digest(key_of(client))).idle.total_seconds()


@pytest.mark.parametrize("login", BACK_OFFICE)
def test_in_the_back_office_a_session_ends_at_the_limit_and_not_before(login):
    client = log_in(login)
    let_pass(client, LIMIT - 60)
    assert client.get("/").status_code == 200
    let_pass(client, LIMIT)
    key = key_of(client)
    answer = client.get("/account/?x=1")
    assert answer.headers["Location"] == "/login/?next=/account/%3Fx%3D1&idle=1"
    login_page = client.get(answer.headers["Location"]).content.decode()
    assert "You were logged out because you sent no command for a while." in login_page
    assert not WebSession.objects.filter(digest=sessions.digest(key)).exists()
    # However young its row is made again, the cookie is worth nothing.
    assert not is_in(with_cookie(key))


def test_after_the_login_the_page_is_there_again():
    client = log_in("david")
    let_pass(client, LIMIT)
    there = client.get("/admin/audit/entry/?q=1").headers["Location"]
    answer = client.post(there, {"username": "david", "password": password("david"), "next": "/admin/audit/entry/?q=1"})
    assert answer.headers["Location"] == "/admin/audit/entry/?q=1"
    assert client.get("/admin/house/").status_code == 200


@pytest.mark.parametrize("there", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_the_way_back_leads_to_no_other_house(there):
    answer = Client().post("/login/?idle=1", {"username": "hugo", "password": password("hugo"), "next": there})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("login", ["anna", "boris"])
def test_a_croupier_at_the_table_is_not_logged_out(login):
    client = log_in(login)
    let_pass(client, 11 * 3600)
    assert is_in(client)


def test_a_command_after_the_limit_is_not_done_and_asks_to_log_in():
    client, table = log_in("clara"), factories.table("T1")
    let_pass(client, LIMIT)
    before = factories.written()
    answer = factories.send(client, f"/api/v1/tables/{table.pk}/sign-off/", {})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")
    assert factories.written() == before


def test_pages_and_commands_are_activity_and_what_a_page_asks_for_by_itself_is_none():
    client, table = log_in("clara"), factories.table("T1")
    silent = [
        f"/tables/{table.pk}/terminal/felt/",
        "/floor/now/",
        "/api/v1/tables/",
        "/api/v1/schema/",
    ]
    for path in silent:
        let_pass(client, LIMIT - 60)
        assert client.get(path).status_code == 200
        assert idle(client) >= LIMIT - 60, path
    for path in ("/", f"/tables/{table.pk}/terminal/", "/admin/house/"):
        let_pass(client, LIMIT - 60)
        assert client.get(path).status_code == 200
        assert idle(client) < LIMIT - 60, path
    let_pass(client, LIMIT - 60)
    factories.send(client, f"/api/v1/tables/{table.pk}/sign-off/", {"nothing": 1})
    assert idle(client) < LIMIT - 60
    david = log_in("david")
    let_pass(david, LIMIT - 60)
    assert david.get("/admin/audit/export/rows/").status_code == 200
    assert idle(david) >= LIMIT - 60


def test_a_stream_is_no_activity_and_ends_with_its_session():
    client, table = log_in("clara"), factories.table("T1")
    for seconds, reached in ((LIMIT - 60, True), (LIMIT, False)):
        let_pass(client, seconds)
        session = sessions.SessionStore(key_of(client))
        assert web_sessions.is_alive(session, person("clara")) is reached
        assert idle(client) >= seconds
    # A stream that begins is refused like one of a table that is not there.
    assert client.get(f"/live/tables/{table.pk}/").status_code == 404


def test_a_forged_command_keeps_no_session_alive():
    client = Client(enforce_csrf_checks=True)
    client.cookies = log_in("hugo").cookies
    let_pass(client, LIMIT - 60)
    assert client.post("/account/", {"end": 1}).status_code == 403
    assert idle(client) >= LIMIT - 60


def test_activity_in_another_tab_at_the_very_limit_wins():
    client = log_in("hugo")
    let_pass(client, LIMIT)
    session = sessions.SessionStore(key_of(client))
    assert session["_auth_user_id"]
    # Read as idle; before it is ended, the other tab's command is noted.
    let_pass(client, 0)
    assert web_sessions._is_over(person("hugo"), session.row)
    assert not web_sessions._ended(session.row)
    assert is_in(client)


def test_of_many_requests_at_the_limit_none_gets_in():
    client = log_in("ida")
    let_pass(client, LIMIT)
    key = key_of(client)

    def ask(_):
        try:
            return with_cookie(key).get("/api/v1/tables/").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, range(8))) == {401}


def test_the_cookie_of_another_role_lends_no_time():
    croupier, boss = log_in("anna"), log_in("clara")
    let_pass(boss, LIMIT)
    boss.cookies["another"] = key_of(croupier)
    assert not is_in(boss)
    assert is_in(croupier)


def test_a_croupier_who_becomes_a_pit_boss_is_judged_as_one():
    client = log_in("anna")
    let_pass(client, LIMIT)
    assert is_in(client)
    let_pass(client, LIMIT)
    with transaction.atomic():
        staff.post(staff=person("anna"), role="pit_boss", pit=factories.table("T1").pit, actor=actor("ida", "frank"))
    assert not is_in(client)


def test_an_idle_session_is_not_on_the_list_of_the_others():
    here, there = log_in("hugo"), log_in("hugo", IPAD)
    let_pass(there, LIMIT)
    assert "Safari on iPad" not in here.get("/account/").content.decode()


def test_only_pages_of_the_back_office_s_people_are_dimmed():
    for login in BACK_OFFICE:
        page = log_in(login).get("/account/").content.decode()
        assert f'data-seconds="{LIMIT}"' in page
        assert "for 15 minutes" in page
    assert "data-seconds" not in log_in("anna").get("/account/").content.decode()
    assert "data-seconds" not in Client().get("/login/").content.decode()
    assert "data-seconds" in log_in("david").get("/admin/audit/entry/").content.decode()


# Somebody else's.


def test_an_administrator_ends_the_login_of_another_and_the_log_says_who_did():
    ida, hugo = log_in("ida"), log_in("hugo", IPAD)
    there = f"/staff/{person('hugo').pk}/logins/"
    assert there in ida.get(f"/admin/casino/staff/{person('hugo').pk}/change/").content.decode()
    assert "Safari on iPad" in ida.get(there).content.decode()
    number = row_of(hugo).pk
    assert "Logged out there." in ida.post(there, {"end": number}, follow=True).content.decode()
    assert not is_in(hugo)
    (entry,) = entries("login.ended")
    assert json.loads(entry.body)["facts"] == {"staff": person("hugo").ref, "web_session": number}
    assert f'"by":"{person("ida").ref}"' in entry.body
    assert ida.post(there, {"end": number}).status_code == 409
    # Nor does that page end the sessions of a third person.
    david = log_in("david")
    assert ida.post(there, {"end": row_of(david).pk}).status_code == 409
    assert is_in(david)


@pytest.mark.parametrize("login", ["anna", "clara", "hugo", "david"])
def test_nobody_else_sees_or_ends_the_login_of_another(login):
    client, ida = log_in(login), log_in("ida")
    there = f"/staff/{person('ida').pk}/logins/"
    assert client.get(there).status_code == 404
    assert client.post(there, {"end": row_of(ida).pk}).status_code == 404
    assert is_in(ida)
