"""Who stands at a table: signed on at its terminals, relieved, signed off, gone; and what a terminal's token opens."""

import json

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client, RequestFactory

from audit.models import Entry
from casino.errors import Refused
from casino.roles import Role
from tables import access, staff, terminals
from tables.models import Pit, Posting, SignOn, Terminal

from . import factories
from .factories import person, table
from .test_api import is_refused


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


def newcomer(login="carl", role=Role.CROUPIER, pit="M"):
    """Somebody of a pit (None: of all) who stands at no table."""
    with transaction.atomic():
        made = staff.add(login=login, name=login.title(), password="newcomer-1", by=person("ida"))
        staff.post(staff=made, role=role, pit=pit and Pit.objects.get(code=pit), by=person("ida"))
    return made


def enrolled(code="T1", name=None):
    """A new terminal of a table, with its token."""
    with transaction.atomic():
        return terminals.enrol(table_id=table(code).pk, name=name or f"{code}-left", by=person("clara"))


def at(token, login):
    """A person's browser on a terminal."""
    client = factories.client(login)
    client.cookies[settings.TERMINAL_COOKIE_NAME] = token
    return client


def address(code, what):
    return f"/api/v1/tables/{table(code).pk}/{what}/"


def send(login_or_client, code, what, body=None, **options):
    client = factories.client(login_or_client) if isinstance(login_or_client, str) else login_or_client
    return factories.send(client, address(code, what), body or {}, **options)


def free(code):
    with transaction.atomic():
        staff.sign_off(table=table(code), by=person("clara"))


def told(event):
    """The newest entry of an event."""
    entries = [json.loads(body) for body in Entry.objects.order_by("pk").values_list("body", flat=True)]
    return next((entry for entry in reversed(entries) if entry["event"] == event), None)


def standing(code):
    return SignOn.objects.filter(table=table(code), signed_off_at=None).values_list("staff__login", flat=True).first()


# Signing on.


def test_a_croupier_signs_on_at_a_terminal_of_the_table():
    free("T1")
    carl, (terminal, token) = newcomer(), enrolled()
    answer = send(at(token, "carl"), "T1", "sign-on")
    assert answer.status_code == 200, answer.content
    assert (answer.json()["staff"], answer.json()["terminal"]) == (carl.pk, "T1-left")
    assert SignOn.objects.get(table=table(), signed_off_at=None).terminal == terminal
    entry = told("staff.signed_on")
    assert (entry["by"], entry["terminal"]) == (carl.ref, "T1-left")
    assert entry["facts"] == {"staff": carl.ref, "terminal": "T1-left"}
    assert factories.client("carl").get(address("T1", "rounds").replace("rounds/", "terminal/")).status_code == 404
    assert carl.has_perm("round.act", table())


def test_a_croupier_is_refused_without_a_terminal_of_that_table():
    free("T1")
    newcomer()
    (revoked, token), (_, other) = enrolled(), enrolled("T2")
    with transaction.atomic():
        terminals.revoke(terminal_id=revoked.pk, by=person("clara"))
    before = factories.written()
    for client in (factories.client("carl"), at(other, "carl"), at(token, "carl"), at("nonsense", "carl")):
        answer = send(client, "T1", "sign-on")
        assert is_refused(answer, 403, "terminal_needed")
        assert answer.json()["way_out"] == "Sign on at a terminal of this table, or let the pit boss do it."
    assert factories.written() == before
    assert standing("T1") is None


def test_the_pit_boss_puts_a_croupier_of_the_pit_on_from_anywhere():
    free("T1")
    carl = newcomer()
    assert send("clara", "T1", "sign-on", {"staff": carl.pk}).status_code == 200
    assert standing("T1") == "carl"
    assert told("staff.signed_on")["by"] == person("clara").ref


def test_a_croupier_posted_in_all_pits_may_stand_in_each():
    free("T1")
    assert send("clara", "T1", "sign-on", {"staff": newcomer(pit=None).pk}).status_code == 200


def test_who_is_no_croupier_of_the_pit_is_not_put_on_and_reads_like_nobody():
    free("T1")
    greta, hugo, gone = person("greta"), person("hugo"), newcomer()
    with transaction.atomic():
        staff.leave(staff=gone, by=person("ida"))
    before = factories.written()
    answers = [
        send("clara", "T1", "sign-on", {"staff": number})
        for number in (greta.pk, hugo.pk, person("clara").pk, gone.pk, 999999, 2**52, -1)
    ]
    for answer in answers:
        assert is_refused(answer, 422, "not_a_croupier_here", path="staff")
        assert answer.content == answers[0].content
    assert is_refused(send("clara", "T1", "sign-on"), 422, "not_a_croupier_here")
    assert factories.written() == before


def test_a_croupier_puts_nobody_else_on():
    free("T1")
    _, token = enrolled()
    carl = newcomer()
    newcomer("dora")
    assert is_refused(send(at(token, "dora"), "T1", "sign-on", {"staff": carl.pk}), 403, "not_your_right")
    assert standing("T1") is None


@pytest.mark.parametrize("login", ["greta", "frank"])
@pytest.mark.parametrize("what", ["sign-on", "sign-off", "terminals"])
def test_a_table_of_a_foreign_pit_reads_like_none(login, what):
    client, before = factories.client(login), factories.written()
    answers = [
        factories.send(client, path, {"name": "T1-x"} if what == "terminals" else {}, key="k")
        for path in (address("T1", what), f"/api/v1/tables/999999/{what}/")
    ]
    expected = (403, "not_your_right") if (login, what) == ("greta", "terminals") else (404, "not_found")
    for answer in answers:
        assert is_refused(answer, *expected)
    assert answers[0].content == answers[1].content
    assert factories.written() == before


@pytest.mark.parametrize("login", ["hugo", "david", "ida"])
def test_the_other_roles_sign_nobody_on_or_off(login):
    for what in ("sign-on", "sign-off"):
        assert is_refused(send(login, "T1", what), 403, "not_your_right")
    assert standing("T1") == "anna"


# Relief.


def test_a_relief_in_the_middle_of_a_round_hands_the_table_over_at_once():
    opened = factories.open_round(table())
    factories.do(opened, "ante", 1, units=500)
    carl, (_, token) = newcomer(), enrolled()
    anna, relief = person("anna"), at(token, "carl")
    taken = send(relief, "T1", "sign-on")
    assert is_refused(taken, 409, "table_taken", path="relieve", detail={"staff": anna.pk})
    answer = send(relief, "T1", "sign-on", {"relieve": anna.pk})
    assert answer.status_code == 200, answer.content
    off, on = told("staff.signed_off"), told("staff.signed_on")
    assert (off["facts"]["staff"], on["facts"]["staff"], on["seq"] - off["seq"]) == (anna.ref, carl.ref, 1)
    assert (off["by"], off["terminal"]) == (carl.ref, "T1-left")
    ante = {"version": 1, "kind": "ante", "box": 2, "arguments": {"units": 500}}
    actions = f"/api/v1/rounds/{opened.pk}/actions/"
    assert is_refused(factories.send(factories.client("anna"), actions, ante), 404, "not_found")
    assert factories.send(relief, actions, ante).status_code == 200


def test_of_two_reliefs_at_once_one_has_the_table_and_the_other_is_told():
    anna, carl, dora = person("anna"), newcomer(), newcomer("dora")
    clients = [factories.client("clara"), factories.client("clara")]
    before = SignOn.objects.count()
    answers = factories.at_once(
        *(
            lambda client=client, who=who: send(client, "T1", "sign-on", {"staff": who.pk, "relieve": anna.pk})
            for client, who in zip(clients, (carl, dora), strict=True)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    [late] = [answer for answer in answers if answer.status_code == 409]
    assert is_refused(late, 409, "table_taken", detail={"staff": person(standing("T1")).pk})
    assert SignOn.objects.count() == before + 1


def test_one_person_put_at_two_tables_at_once_stands_at_one():
    free("T1")
    free("T2")
    carl = newcomer()
    clients = [factories.client("clara"), factories.client("clara")]
    answers = factories.at_once(
        *(
            lambda client=client, code=code: send(client, code, "sign-on", {"staff": carl.pk})
            for client, code in zip(clients, ("T1", "T2"), strict=True)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    [late] = [answer for answer in answers if answer.status_code == 409]
    assert is_refused(late, 409, "signed_on_elsewhere", path="staff")


def test_who_stands_there_or_elsewhere_is_not_signed_on_again():
    anna, boris = person("anna"), person("boris")
    before = factories.written()
    assert is_refused(send("clara", "T1", "sign-on", {"staff": anna.pk, "relieve": anna.pk}), 409, "signed_on_here")
    body = {"staff": boris.pk, "relieve": anna.pk}
    assert is_refused(send("clara", "T1", "sign-on", body), 409, "signed_on_elsewhere")
    assert factories.written() == before
    assert standing("T1") == "anna"


# Signing off, and leaving.


@pytest.mark.parametrize("login", ["anna", "clara"])
def test_the_croupier_or_the_pit_boss_signs_off(login):
    answer = send(login, "T1", "sign-off")
    assert (answer.status_code, answer.json()["staff"]) == (200, person("anna").pk)
    assert answer.json()["signed_off_at"]
    assert standing("T1") is None
    entry = told("staff.signed_off")
    assert (entry["by"], entry["facts"]) == (person(login).ref, {"staff": person("anna").ref})
    assert is_refused(send("clara", "T1", "sign-off"), 409, "nobody_signed_on")


def test_a_colleague_signs_nobody_off():
    before = factories.written()
    assert is_refused(send("boris", "T1", "sign-off"), 403, "not_your_right")
    assert factories.written() == before


def test_who_leaves_is_signed_off_and_logged_out_and_stays_in_the_books():
    anna, client = person("anna"), factories.client("anna")
    _, token = enrolled()
    opened = factories.open_round(table())
    with transaction.atomic():
        staff.leave(staff=anna, by=person("ida"))
    assert is_refused(client.get("/api/v1/tables/"), 401, "not_logged_in")
    assert is_refused(
        Client(headers={"Authorization": f"Bearer {token}"}).get("/api/v1/tables/"), 401, "nobody_signed_on"
    )
    assert standing("T1") is None
    assert not Posting.objects.filter(staff=anna, ended_at=None).exists()
    assert opened.opened_by == anna
    assert (told("staff.left")["chain"], told("staff.left")["facts"]) == ("house", {"staff": anna.ref})
    assert told("staff.signed_off")["facts"] == {"staff": anna.ref}
    before = factories.written()
    with pytest.raises(Refused, match="has left already"), transaction.atomic():
        staff.leave(staff=anna, by=person("ida"))
    assert factories.written() == before


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
        terminals.revoke(terminal_id=terminal.pk, by=person("clara"))
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
        terminals.revoke(terminal_id=terminal.pk, by=person("clara"))
    assert is_refused(bearer(token).get("/api/v1/tables/"), 401, "token_unknown")


def test_a_token_acts_for_nobody_where_nobody_stands():
    _, token = enrolled()
    free("T1")
    answer = send(bearer(token), "T1", "rounds")
    assert is_refused(answer, 401, "nobody_signed_on", way_out="Sign a croupier on at the table, then send it again.")


def test_a_token_opens_its_own_table_whatever_else_the_croupier_may_do():
    """Anna is a pit boss and an administrator too: a device is no password of hers."""
    anna = person("anna")
    with transaction.atomic():
        staff.post(staff=anna, role=Role.PIT_BOSS, pit=None, by=person("ida"))
        staff.post(staff=anna, role=Role.ADMINISTRATOR, pit=None, by=person("ida"))
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
        assert Client().get("/static/tables/casino.css").status_code == 200
        assert Client().get("/healthz").status_code == 200


# The page that enrols a browser.


def page(code="T1"):
    return f"/tables/{table(code).pk}/enrol/"


def test_the_pit_boss_makes_a_browser_a_terminal():
    browser = factories.client("clara", enforce_csrf_checks=True)
    shown = browser.get(page())
    assert "This browser is no terminal yet." in shown.content.decode()
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
    assert "There is a terminal T1-left already." in wrong.content.decode()
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
