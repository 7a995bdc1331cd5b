"""Terminals: enrolled at a table and revoked, and what a terminal's token opens."""

import json

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client, RequestFactory

from casino.roles import Role
from tables.models import SignOn, Terminal
from tables.people import access, staff, terminals

from ...support import factories
from ...support.factories import actor, person, table
from ..rest.test_rest import is_refused
from .test_staff import address, enrolled, free, newcomer, send, told


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


# Terminals and their tokens.


def everything():
    """All values of all columns of the database, as one text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND has_column_privilege(table_name, column_name, 'SELECT')"
        )
        found = []
        for name, column in cursor.fetchall():
            cursor.execute(f'SELECT string_agg("{column}"::text, chr(10)) FROM {name}')
            found.append(cursor.fetchone()[0] or "")
    return "\n".join(found)


def test_a_token_is_shown_once_and_only_its_digest_is_stored():
    clara = factories.client("clara")
    answer = clara.post(address("T1", "terminals"), {"name": "T1-left"}, "application/json")
    assert (answer.status_code, set(answer.json())) == (201, {"id", "name", "token"})
    assert answer.headers["Cache-Control"] == "no-store"
    token = answer.json()["token"]
    assert len(token) >= 43
    assert terminals.of_token(token).name == "T1-left"
    kept = everything()
    assert "T1-left" in kept
    assert token not in kept
    [listed] = clara.get(address("T1", "terminals")).json()["terminals"]
    assert (listed["id"], listed["name"], listed["revoked_at"]) == (answer.json()["id"], "T1-left", None)
    assert "token" not in json.dumps(listed)
    entry = told("terminal.enrolled")
    facts = {"terminal": f"terminal:{listed['id']}", "name": "T1-left", "table": table().ref}
    assert (entry["chain"], entry["by"], entry["facts"]) == ("house", person("clara").ref, facts)


@pytest.mark.parametrize("name", ["", "-T1", "T1 left", "T1_left", "T1-léft", "T1\n", "T" * 21, "T1\u0000", "\ud800"])
def test_a_terminal_s_name_is_plain(name):
    before = factories.written()
    answer = factories.client("clara").post(address("T1", "terminals"), json.dumps({"name": name}), "application/json")
    assert is_refused(answer, 422, "terminal_name_wrong", path="name")
    assert factories.written() == before


def test_a_terminal_s_name_is_given_once_for_ever():
    terminal, _ = enrolled()
    with transaction.atomic():
        terminals.revoke(terminal_id=terminal.pk, actor=actor("clara"))
    before = factories.written()
    answer = factories.client("ida").post(address("T2", "terminals"), {"name": "T1-left"}, "application/json")
    assert is_refused(answer, 409, "terminal_taken", path="name")
    assert factories.written() == before


def test_a_terminal_is_revoked_once_by_who_may():
    terminal, token = enrolled()
    path = f"/api/v1/terminals/{terminal.pk}/revoke/"
    for login, status, code in (("anna", 403, "not_your_right"), ("frank", 404, "not_found")):
        assert is_refused(factories.send(factories.client(login), path, {}), status, code)
    answer = factories.send(factories.client("clara"), path, {})
    assert answer.status_code == 200
    assert answer.json()["revoked_at"]
    assert terminals.of_token(token) is None
    assert told("terminal.revoked")["facts"]["name"] == "T1-left"
    before = factories.written()
    assert is_refused(factories.send(factories.client("clara"), path, {}), 409, "terminal_revoked")
    assert factories.written() == before


def bearer(token, **options):
    return Client(headers={"Authorization": f"Bearer {token}"}, **options)


def test_a_token_acts_for_the_croupier_at_its_table_without_a_csrf_token():
    terminal, token = enrolled()
    opened = send(bearer(token, enforce_csrf_checks=True), "T1", "rounds")
    assert opened.status_code == 201, opened.content
    path = f"/api/v1/rounds/{opened.json()['id']}/actions/"
    ante = {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}}
    assert factories.send(bearer(token), path, ante).status_code == 200
    entry = told("round.acted")
    assert (entry["by"], entry["terminal"]) == (person("anna").ref, terminal.name)


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer nonsense", "bearer x y", "Bearer \xe9"])
def test_an_unknown_token_is_refused_even_with_a_session(header):
    client = factories.client("anna")
    answer = client.get("/api/v1/tables/", headers={"Authorization": header})
    assert is_refused(answer, 401, "token_unknown", path="Authorization")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_revoked_token_opens_nothing():
    terminal, token = enrolled()
    assert bearer(token).get("/api/v1/tables/").status_code == 200
    with transaction.atomic():
        terminals.revoke(terminal_id=terminal.pk, actor=actor("clara"))
    assert is_refused(bearer(token).get("/api/v1/tables/"), 401, "token_unknown")


def test_a_token_acts_for_nobody_where_nobody_stands():
    _, token = enrolled()
    free("T1")
    answer = send(bearer(token), "T1", "rounds")
    assert is_refused(answer, 401, "nobody_signed_on", way_out="Sign a croupier on at the table, then try again.")


def test_a_token_opens_its_own_table_whatever_else_the_croupier_may_do():
    """Anna is a pit boss and an administrator too: a device is no password of hers."""
    anna = person("anna")
    with transaction.atomic():
        staff.post(staff=anna, role=Role.PIT_BOSS, pit=None, actor=actor("ida", "frank"))
        staff.post(staff=anna, role=Role.ADMINISTRATOR, pit=None, actor=actor("ida", "frank"))
    _, token = enrolled()
    carl = newcomer()
    device, before = bearer(token), factories.written()
    assert [found["code"] for found in device.get("/api/v1/tables/").json()["tables"]] == ["T1"]
    assert is_refused(send(device, "T2", "rounds"), 404, "not_found")
    assert is_refused(send(device, "T2", "sign-on", {"staff": carl.pk}), 404, "not_found")
    assert is_refused(send(device, "T1", "sign-on", {"staff": carl.pk, "relieve": anna.pk}), 403, "not_your_right")
    assert is_refused(device.get(address("T1", "terminals")), 403, "not_your_right")
    assert is_refused(factories.send(device, f"/api/v1/staff/{carl.pk}/unlock/", {}), 403, "not_your_right")
    assert factories.written() == before
    assert factories.client("anna").get(address("T2", "terminals")).status_code == 200


def test_who_shows_no_token_costs_no_query(django_assert_num_queries):
    request = RequestFactory().get("/")
    with django_assert_num_queries(0):
        assert access.terminal_of(request) is None
        assert Client().get("/static/tables/tokens.css").status_code == 200
        assert Client().get("/healthz").status_code == 200


# The page that enrols a browser.


def page(code="T1"):
    return f"/tables/{table(code).pk}/enrol/"


def test_the_pit_boss_makes_a_browser_a_terminal():
    browser = factories.client("clara", enforce_csrf_checks=True)
    shown = browser.get(page())
    assert "This browser isn’t a terminal yet." in shown.content.decode()
    assert "unsafe" not in shown.headers["Content-Security-Policy"]
    form = {"name": "T1-left", "csrfmiddlewaretoken": shown.context["csrf_token"]}
    assert browser.post(page(), {"name": "T1-left"}).status_code == 403
    answer = browser.post(page(), form)
    assert (answer.status_code, answer.headers["Location"]) == (302, page())
    cookie = answer.cookies[settings.TERMINAL_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Strict", 400 * 86400)
    assert terminals.of_token(cookie.value).name == "T1-left"
    text = browser.get(page()).content.decode()
    assert "This browser is the terminal <b>T1-left</b> of Split 1." in text
    assert cookie.value not in text
    wrong = browser.post(page(), form)
    assert wrong.status_code == 409
    assert "Another terminal has or had the name T1-left." in wrong.content.decode()
    assert settings.TERMINAL_COOKIE_NAME not in wrong.cookies


def test_the_cookie_of_a_terminal_is_for_https_alone_where_that_is_used(settings):
    settings.HTTPS = True
    answer = factories.client("clara").post(page(), {"name": "T1-left"})
    assert answer.cookies[settings.TERMINAL_COOKIE_NAME]["secure"]


def test_the_page_revokes_a_terminal_of_its_table_only():
    (own, _), (other, _) = enrolled(), enrolled("T2")
    clara = factories.client("clara")
    for number in (other.pk, 999999, 10**30, "x", ""):
        assert clara.post(page(), {"revoke": number}).status_code == 404
    assert clara.post(page(), {"revoke": own.pk}).status_code == 302
    assert list(Terminal.objects.exclude(revoked_at=None)) == [own]
    assert clara.post(page(), {"revoke": own.pk}).status_code == 409


@pytest.mark.parametrize(("login", "status"), [("anna", 404), ("frank", 404), ("david", 404), ("ida", 200)])
def test_the_page_is_for_who_may_enrol_there(login, status):
    assert factories.client(login).get(page()).status_code == status
    assert Client().get(page()).headers["Location"] == f"/login/?next={page()}"


def test_the_pit_boss_relieves_on_the_tables_page(seeded_db):
    clara, carl = factories.client("clara"), newcomer()
    path = f"/tables/{table('T1').pk}/enrol/"
    assert "Anna Adler" in clara.get(path).content.decode()
    seen = {"sign_on": carl.pk, "relieve": person("anna").pk}
    assert clara.post(path, seen).status_code == 302
    assert factories.croupier(table("T1")) == carl
    # Sent again it would relieve somebody whom the page did not show.
    again = clara.post(path, seen)
    assert (again.status_code, factories.croupier(table("T1"))) == (409, carl)
    assert clara.post(path, {"sign_off": "1"}).status_code == 302
    assert not SignOn.objects.filter(table=table("T1"), signed_off_at=None).exists()
    assert clara.post(path, {"sign_on": "999"}).status_code == 422
    ida = factories.client("ida")
    assert "Relie" not in ida.get(path).content.decode()
    assert ida.post(path, {"sign_on": carl.pk}).status_code == 403


# Renamed, and seen.


def renaming(login, terminal, name):
    return factories.send(factories.client(login), f"/api/v1/terminals/{terminal.pk}/rename/", {"name": name})


def test_a_terminal_is_renamed_by_who_may_and_keeps_its_token():
    terminal, token = enrolled()
    assert is_refused(renaming("anna", terminal, "T1-near"), 403, "not_your_right")
    assert is_refused(renaming("david", terminal, "T1-near"), 403, "not_your_right")
    assert is_refused(renaming("frank", terminal, "T1-near"), 404, "not_found")
    assert renaming("clara", terminal, "T1-near").json()["name"] == "T1-near"
    assert terminals.of_token(token).name == "T1-near"
    facts = {"terminal": terminal.ref, "name": "T1-near", "before": "T1-left", "table": table().ref}
    assert told("terminal.renamed")["facts"] == facts


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("T1 near", 422, "terminal_name_wrong"),
        ("T1-left", 409, "terminal_taken"),
        ("t1-LEFT", 409, "terminal_taken"),
        ("T1-near", 409, "terminal_name_same"),
        ("T2-left", 409, "terminal_taken"),
        ("t2-left", 409, "terminal_taken"),
    ],
)
def test_a_name_that_a_terminal_has_or_had_is_given_to_none_nor_one_that_differs_by_case(name, status, code):
    terminal, _ = enrolled()
    enrolled("T2")
    assert renaming("clara", terminal, "T1-near").status_code == 200
    before = factories.written()
    answer = renaming("clara", terminal, name)
    assert is_refused(answer, status, code, path="name")
    assert answer.json()["way_out"]
    if code == "terminal_taken":
        whose = "Another terminal has or had the name T2-left."
        whose = whose if "2" in name else "This terminal already had the name T1-left before."
        assert answer.json()["message"] == whose
        answer = factories.client("ida").post(address("T2", "terminals"), {"name": name}, "application/json")
        assert is_refused(answer, 409, "terminal_taken", path="name")
    assert factories.written() == before


def test_a_name_may_change_its_case_and_one_from_before_may_differ_by_case_from_another(owner_connection):
    (one, _), (two, _) = enrolled(), enrolled("T2")
    assert renaming("clara", one, "t1-LEFT").json()["name"] == "t1-LEFT"
    owner_connection.execute("ALTER TABLE tables_terminal DISABLE TRIGGER is_named")
    owner_connection.execute("UPDATE tables_terminal SET name = 'T1-Left' WHERE id = %s", [two.pk])
    owner_connection.execute(
        "INSERT INTO tables_terminalname (terminal_id, name, named_at) VALUES (%s, 'T1-Left', now())", [two.pk]
    )
    owner_connection.execute("ALTER TABLE tables_terminal ENABLE ALWAYS TRIGGER is_named")
    assert renaming("clara", one, "T1-Left").json()["message"] == "Another terminal has or had the name T1-Left."
    assert renaming("clara", two, "T2-near").status_code == 200


def test_of_two_who_give_names_that_differ_by_case_at_once_one_is_refused():
    def enrol(code, name):
        with transaction.atomic():
            return terminals.enrol(table_id=table(code).pk, name=name, actor=actor("clara"))

    done = factories.at_once(lambda: enrol("T1", "Twin"), lambda: enrol("T2", "TWIN"))
    assert sorted(type(each).__name__ for each in done) == ["Refused", "tuple"]
    assert Terminal.objects.filter(name__iexact="twin").count() == 1


def test_a_revoked_terminal_keeps_its_name():
    terminal, _ = enrolled()
    with transaction.atomic():
        terminals.revoke(terminal_id=terminal.pk, actor=actor("clara"))
    answer = renaming("clara", terminal, "T1-near")
    assert is_refused(answer, 409, "terminal_revoked")
    assert answer.json()["message"] == "The terminal T1-left has been revoked and keeps its name."


def test_a_lock_out_at_a_terminal_outlasts_its_new_name():
    terminal, token = enrolled()
    browser = Client()
    browser.cookies[settings.TERMINAL_COOKIE_NAME] = token
    for _ in range(settings.AXES_FAILURE_LIMIT):
        browser.post("/login/", {"username": "anna", "password": "wrong"})
    assert renaming("clara", terminal, "T1-near").status_code == 200
    assert browser.post("/login/", {"username": "anna", "password": "wrong"}).status_code == 429
    shown = factories.client("clara").get("/terminals/")
    assert "at T1-near" in " ".join(shown.content.decode().split())
    assert factories.client("clara").post("/terminals/", {"unlock": person("anna").pk}).status_code == 302
    assert browser.post("/login/", {"username": "anna", "password": "wrong"}).status_code == 200


def test_a_terminal_is_seen_once_a_minute_by_what_it_reads_and_by_no_command(owner_connection):
    terminal, token = enrolled()

    def seen():
        return Terminal.objects.get(pk=terminal.pk).last_seen_at

    assert seen() is None
    assert send(bearer(token), "T1", "rounds").status_code == 201
    first = seen()
    assert first
    assert bearer(token).get("/api/v1/tables/").status_code == 200
    terminals.see(terminals.digest_of(token))
    assert seen() == first
    owner_connection.execute("ALTER TABLE tables_terminal DISABLE TRIGGER moves")
    owner_connection.execute("UPDATE tables_terminal SET last_seen_at = now() - interval '2 minutes'")
    owner_connection.execute("ALTER TABLE tables_terminal ENABLE ALWAYS TRIGGER moves")
    with transaction.atomic():
        assert terminals.of_token(token)
    assert seen() < first
    with transaction.atomic():
        terminals.revoke(terminal_id=terminal.pk, actor=actor("clara"))
    terminals.see(terminals.digest_of(token))
    assert seen() < first


def test_the_pages_tell_of_terminals_within_reach_and_one_is_renamed_and_revoked_there():
    (own, _), (far, _) = enrolled(), enrolled("T3")
    clara = factories.client("clara")
    text = clara.get("/terminals/").content.decode()
    assert "T1-left" in text
    assert "T3-left" not in text
    assert "T3-left" in factories.client("david").get("/terminals/").content.decode()
    assert clara.get(f"/terminals/{far.pk}/").status_code == 404
    path = f"/terminals/{own.pk}/"
    assert clara.post(path, {"act": "rename", "name": "T1 near"}).status_code == 422
    assert clara.post(path, {"act": "rename", "name": "T1-near"}).status_code == 302
    assert factories.client("david").post(path, {"act": "revoke"}).status_code == 404
    assert clara.post(path, {"act": "revoke"}).status_code == 302
    text = " ".join(clara.get(path).content.decode().split())
    for words in ("Terminal enrolled", "T1-left became T1-near", "Terminal revoked", person("clara").name):
        assert words in text
