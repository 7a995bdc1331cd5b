"""Forged requests: by another site, for another host, with a planted session, with fields and ids of what is not one's
own. Read from the URL conf and the models, so that whatever is added is tried too.
"""

import datetime as dt
import json
import re
import uuid

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import authenticate
from django.db import connection
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from casino.models import Staff, WebSession
from casino.web import sessions
from tables.models import Terminal, TerminalName
from tables.people import web_sessions

from ...support import factories, stack
from ...support.settings import QuickArgon2
from ...test_architecture import LAYERS
from .. import test_routes
from ..test_routes import GONE, PEOPLE, TABLE

TOKEN, ANOTHER = "a" * 32, "b" * 32
WRITING = [(path, words) for method, path, *words in TABLE if method == "POST"]
PATHS = [path for path, _ in WRITING]
NAMES = sorted(
    {
        name
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        for name in (field.name, field.attname)
    }
)


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """What every address needs; everybody's password is the login."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        ids = test_routes.furnished()
        for person in Staff.objects.all():
            set_password(person)
        yield ids


def set_password(person):
    person.set_password(person.login)
    person.save(update_fields=["password"])


def who(words):
    """Somebody who gets through to the command: of those of the table, or else the count team.

    An auditor last: the log has what they read of people.
    """
    able = [name for name, word in zip(PEOPLE, words, strict=True) if word == "ok" and name != "nobody"]
    return next(iter(sorted(able, key=lambda name: name == "david")), "olga")


def rows(*but):
    """Every row of our own, by model, but for web sessions, which are made here all the time."""
    but = {WebSession, *but}
    ours = [model for model in apps.get_models() if model._meta.app_label in LAYERS and model not in but]
    return {model: set(map(repr, model._default_manager.values_list())) for model in ours}


# By another site.


def crossed(path, session, *, token=TOKEN, header=None, form=None, **headers):
    client = Client(enforce_csrf_checks=True)
    if session:
        client.cookies[settings.SESSION_COOKIE_NAME] = session
    if token:
        client.cookies[settings.CSRF_COOKIE_NAME] = token
    if header:
        headers["X-CSRFToken"] = header
    headers["Idempotency-Key"] = str(uuid.uuid4())
    if path.startswith("/api/"):
        body = json.dumps(test_routes.BODIES.get(path.rstrip("/").rpartition("/")[2], {}))
        return client.post(path, body, content_type="application/json", headers=headers)
    return client.post(path, {"csrfmiddlewaretoken": form} if form else {}, headers=headers)


FORGERIES = {
    "no token": {"token": None},
    "a cookie alone": {},
    "another's token in the header": {"header": ANOTHER},
    "another's token in the form": {"form": ANOTHER},
    "a token and no cookie": {"token": None, "header": TOKEN},
    "no token's form": {"token": "a", "header": "a"},
    "another site": {"header": TOKEN, "Origin": "https://evil.example"},
    "a site of no origin": {"header": TOKEN, "Origin": "null"},
    "another port": {"header": TOKEN, "Origin": "http://testserver:81"},
}


@pytest.mark.parametrize(
    ("path", "words"), [*WRITING, ("/login/", ["ok", *WRITING[0][1][1:]])], ids=[*PATHS, "/login/"]
)
def test_no_other_site_sends_a_command(floor, path, words):
    session = None if path == "/login/" else session_of(factories.client(who(words)))
    there, before = test_routes.where(floor, path), rows(Staff)
    for case, forged in FORGERIES.items():
        answer = crossed(there, session, **forged)
        assert answer.status_code == 403, case
        if path.startswith("/api/"):
            assert answer.json()["code"] == "csrf_failed", case
        else:
            assert b"This page was open too long" in answer.content, case
    assert rows(Staff) == before
    own = crossed(there, session, header=TOKEN, Origin="http://testserver")
    assert own.status_code != 403 or (path.startswith("/api/") and own.json()["code"] != "csrf_failed")


# With a planted session.


def session_of(client):
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def kept(session):
    """Whether there is such a session, by the key in its cookie."""
    return WebSession.objects.filter(digest=sessions.digest(session)).exists()


def log_in(client, login):
    return client.post("/login/", {"username": login, "password": login})


def test_a_login_takes_a_new_session_and_a_new_token(floor):
    client, planted = Client(), "p" * 32
    client.cookies[settings.SESSION_COOKIE_NAME] = planted
    client.get("/login/")
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    assert log_in(client, "anna").status_code == 302
    assert session_of(client) != planted
    assert not kept(planted)
    assert client.cookies[settings.CSRF_COOKIE_NAME].value != token
    # The next person at the same browser gets nothing of the one before.
    annas = session_of(client)
    assert log_in(client, "david").status_code == 302
    assert session_of(client) != annas
    assert not kept(annas)


def test_a_logout_ends_the_session_on_our_side(floor):
    client = Client()
    log_in(client, "anna")
    annas = session_of(client)
    client.post("/logout/")
    assert not kept(annas)
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = annas
    assert thief.get("/").headers["Location"] == "/login/?next=/"
    assert thief.get("/api/v1/tables/").status_code == 401
    assert thief.get(f"/live/tables/{floor['table_id']}/").status_code == 404


def test_signing_somebody_on_or_for_him_logs_nobody_in(floor):
    clara = factories.client("clara")
    before = session_of(clara)
    signed = {"signature": {"login": "frank", "password": "frank"}}
    for what, body in (("sign-on/", {"staff": floor["staff_id"]}), ("series/end/", signed)):
        answer = factories.send(clara, f"/api/v1/tables/{floor['table_id']}/{what}", body)
        assert settings.SESSION_COOKIE_NAME not in answer.cookies
    assert session_of(clara) == before
    assert WebSession.objects.get(digest=sessions.digest(before)).staff == factories.person("clara")


# For another host.

EVIL = [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "https://evil.example/",
    "http:/evil",
]
EVIL += ["///evil.example", "javascript:alert(1)", "//evil.example\\@testserver", "https://testserver@evil.example/"]
EVIL += ["//testserver:80@evil.example/", "\t//evil.example", "/\t/evil.example", "//evil%E3%80%82example", "ftp://x/"]


def is_ours(answer):
    """Whether a redirect, if it is one, stays here."""
    location = answer.headers.get("Location", "/")
    return re.match(r"(http://testserver)?/(?![/\\])", location) is not None and not re.match(r"/[\t\r\n]", location)


@pytest.mark.parametrize("to", EVIL)
def test_no_redirect_leads_away(floor, to):
    assert not is_ours(type("", (), {"headers": {"Location": to}}))
    answers = [
        Client().post("/login/", {"username": "anna", "password": "anna", "next": to}),
        Client().get("/login/", {"next": to}),
        Client().get("/admin/login/", {"next": to}),
        factories.client("anna").get("/login/", {"next": to}),
        factories.client("anna").post("/logout/", {"next": to}),
        factories.client("david").post("/admin/logout/", {"next": to}),
        factories.client("david").get("/admin/", {"next": to}),
        Client().get(to if to.startswith("/") else f"/{to}"),
        factories.client("david").get(f"/admin/{to}"),
        factories.client("david").get(f"/admin/tables/round/{to}"),
        Client().get("/tables/1/terminal/felt/", {"next": to}),
    ]
    for answer in answers:
        assert is_ours(answer), answer.headers
    # What the admin's login hands on, the login page refuses in its turn.
    assert log_in_at(answers[2].headers["Location"]).headers["Location"] == "/"


def log_in_at(path):
    return Client().post(path, {"username": "david", "password": "david"})


def test_the_host_is_ours_or_refused_and_is_written_nowhere(floor):
    client = factories.client("clara")
    for method, path, *_ in sorted(TABLE, key=lambda row: "logout" in row[1]):
        there = test_routes.where(floor, path)
        assert Client().generic(method, there, headers={"host": "evil.example"}).status_code == 400
        headers = {"X-Forwarded-Host": "evil.example", "X-Host": "evil.example", "Forwarded": "host=evil.example"}
        answer = client.generic(method, there, headers=headers)
        assert is_ours(answer)
        assert b"evil.example" not in getattr(answer, "content", b"")


# The work that a login makes does not show whether it exists.


class Counted(QuickArgon2):
    """A hash that is counted."""

    work = 0

    def encode(self, password, salt):
        Counted.work += 1
        return super().encode(password, salt)

    def verify(self, password, encoded):
        Counted.work += 1
        return super().verify(password, encoded)


def test_a_login_that_nobody_has_costs_one_password_hash_like_any_other(floor):
    # However many wrong logins the tests before it made in the same minute.
    limits = {"AXES_FAILURE_LIMIT": 1000, "WRONG_LOGINS": 1000}
    with override_settings(PASSWORD_HASHERS=[f"{__name__}.Counted"], **limits):
        set_password(factories.person("anna"))
        for login in ("anna", "nobody-has-this"):
            Counted.work = 0
            assert Client().post("/login/", {"username": login, "password": "x"}).status_code == 200
            assert Counted.work == 1, login
            Counted.work = 0
            assert authenticate(RequestFactory().post("/"), username=login, password="x") is None
            assert Counted.work == 1, login
    set_password(factories.person("anna"))


# With fields of what is not one's own.


def fields_of(path):
    """What a command's body may have."""
    view = resolve(path).func.view_class
    return {*getattr(view, "must", {}), *getattr(view, "may", {})}


@pytest.mark.parametrize(("path", "words"), [(path, words) for path, words in WRITING if path.startswith("/api/")])
def test_a_command_takes_no_field_of_any_model_beside_its_own(floor, path, words):
    there = test_routes.where(floor, path)
    client, own, before = factories.client(who(words)), fields_of(there), rows()
    body = test_routes.BODIES.get(path.rstrip("/").rpartition("/")[2], {})
    body = {name: value for name, value in body.items() if name in own}
    foreign = [name for name in NAMES if name not in own]
    assert len(foreign) > 100
    for extra in (foreign, foreign[::-1], *([name] for name in foreign[::12])):
        answer = factories.send(client, there, body | dict.fromkeys(extra, 1))
        assert (answer.status_code, answer.json()["code"]) == (422, "field_unknown"), extra
        assert answer.json()["path"] in extra
    for name in own & {"signature"}:
        answer = factories.send(client, there, body | {name: {"login": "x", "password": "y", "is_active": True}})
        assert answer.status_code in {403, 422}
    assert rows() == before


def test_a_field_of_any_model_in_a_query_or_a_form_changes_nothing(floor):
    extras = dict.fromkeys(NAMES, "1")
    clients = {who(words): factories.client(who(words)) for _, _, *words in TABLE}
    before = rows()
    for method, path, *words in TABLE:
        there = test_routes.where(floor, path)
        # The desk is for auditors alone, each of whose looks is an entry.
        if method == "GET" and not path.startswith("/desk/"):
            clients[who(words)].get(there, extras)
        elif method == "POST" and "enrol" not in path and not path.startswith("/api/"):
            clients[who(words)].post(there, extras)
    assert rows() == before


def test_a_login_sets_nothing_but_its_own_time(floor):
    before, person = rows(Staff), Staff.objects.filter(login="anna").values().get()
    told = dict.fromkeys(NAMES, "1") | {"username": "anna", "password": "anna"}
    assert Client().post("/login/", told).status_code == 302
    after = Staff.objects.filter(login="anna").values().get()
    assert {name for name in after if after[name] != person[name]} <= {"last_login"}
    assert rows(Staff) == before


def test_an_enrolment_sets_the_terminal_s_name_and_nothing_else(floor):
    told = dict.fromkeys(NAMES, "2") | {"name": "T1-mass", "token_digest": "0" * 64, "revoked_at": "2020-01-01"}
    clara, count = factories.client("clara"), Terminal.objects.count()
    grows = (Terminal, TerminalName, apps.get_model("audit.Entry"), apps.get_model("audit.Chain"))
    before = rows(*grows)
    answer = clara.post(f"/tables/{floor['table_id']}/enrol/", told)
    assert answer.status_code == 302
    made = Terminal.objects.latest("pk")
    assert (made.name, made.table_id, made.revoked_at) == ("T1-mass", floor["table_id"], None)
    assert made.token_digest != "0" * 64
    assert Terminal.objects.count() == count + 1
    assert rows(*grows) == before


# With ids of what is not one's own.


def told(client, method, path, number):
    """What somebody reads, without the id that they sent themselves, and how many queries that took."""
    body = json.dumps(test_routes.BODIES.get(path.rstrip("/").rpartition("/")[2], {})) if method == "POST" else ""
    with CaptureQueriesContext(connection) as asked:
        sent = {"Idempotency-Key": str(uuid.uuid4()), "X-Request-ID": "the-same"}
        answer = client.generic(method, path, body, "application/json", headers=sent)
    headers = {name: value.replace(f"/{number}/", "/?/") for name, value in answer.headers.items() if name != "Expires"}
    # What the page says of the reader's own table may have the same number.
    content = answer.content.replace(path.encode(), path.replace(f"/{number}/", "/?/").encode())
    return answer.status_code, content, headers, len(asked)


@pytest.fixture
def unnoted(monkeypatch):
    """No request takes a query more because the machine was slow and the note of activity is due."""
    monkeypatch.setattr(web_sessions, "NOTED", dt.timedelta(hours=1))


@pytest.mark.usefixtures("unnoted")
@pytest.mark.parametrize("name", [name for name in PEOPLE if name not in {"clara", "ida"}])
def test_what_is_out_of_reach_is_told_like_what_does_not_exist(floor, name):
    """The same bytes, headers and number of queries, wherever an address has an id. The others reach everything."""
    client, compared = test_routes.client(name), 0
    for method, path, *words in TABLE:
        word, key = words[PEOPLE.index(name)], re.search(r"<(\w+)>", path)
        if key and (word in {"-", "in"} or (name == "eve" and word != "ok")):
            told_of = [told(client, method, path.replace(key[0], str(pk)), pk) for pk in (floor[key[1]], GONE)]
            assert told_of[0] == told_of[1], path
            assert told_of[0][0] in {302, 401, 403, 404}, path
            compared += 1
    assert compared >= {"nobody": 29, "eve": 29, "frank": 20}.get(name, 1)


@pytest.mark.usefixtures("unnoted")
def test_a_row_of_another_pit_is_in_the_admin_like_one_that_does_not_exist(floor):
    frank, compared = factories.client("frank"), 0
    admin.autodiscover()
    for model, page in admin.site._registry.items():
        request = RequestFactory().get("/")
        request.user = factories.person("frank")
        if not page.has_view_permission(request):
            continue
        foreign = model._default_manager.exclude(pk__in=page.get_queryset(request).values("pk")).first()
        if foreign is None:
            continue
        address = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
        pages = [told(frank, "GET", reverse(address, args=[pk]), pk) for pk in (foreign.pk, GONE)]
        for page_ in pages:
            assert page_[0] == 404
            page_[2].pop("Set-Cookie", None)
        assert pages[0] == pages[1], address
        compared += 1
    assert compared >= 5
