"""Who stands at a table: signed on at its terminals, relieved, signed off, gone."""

import json

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from audit.models import Entry
from casino.errors import Refused
from tables.models import Posting, SignOn
from tables.people import staff, terminals

from ...support import factories
from ...support.factories import actor, newcomer, person, table
from ..rest.test_rest import is_refused


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


def enrolled(code="T1", name=None):
    """A new terminal of a table, with its token."""
    with transaction.atomic():
        return terminals.enrol(table_id=table(code).pk, name=name or f"{code}-left", actor=actor("clara"))


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
        staff.sign_off(table=table(code), actor=actor("clara"))


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
        terminals.revoke(terminal_id=revoked.pk, actor=actor("clara"))
    before = factories.written()
    for client in (factories.client("carl"), at(other, "carl"), at(token, "carl"), at("nonsense", "carl")):
        answer = send(client, "T1", "sign-on")
        assert is_refused(answer, 403, "terminal_needed")
        assert answer.json()["way_out"] == "Sign on at a terminal of this table, or ask the pit boss to sign you on."
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
        staff.leave(staff=gone, actor=actor("ida", "frank"))
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
        staff.leave(staff=anna, actor=actor("ida", "frank"))
    assert is_refused(client.get("/api/v1/tables/"), 401, "not_logged_in")
    assert is_refused(
        Client(headers={"Authorization": f"Bearer {token}"}).get("/api/v1/tables/"), 401, "nobody_signed_on"
    )
    assert standing("T1") is None
    assert not Posting.objects.filter(staff=anna, ended_at=None).exists()
    assert opened.opened_by == anna
    facts = {"staff": anna.ref, "requester": person("ida").ref, "approver": person("frank").ref}
    assert (told("staff.left")["chain"], told("staff.left")["facts"]) == ("house", facts)
    assert told("staff.signed_off")["facts"] == {"staff": anna.ref}
    before = factories.written()
    with pytest.raises(Refused, match="has already left"), transaction.atomic():
        staff.leave(staff=anna, actor=actor("ida", "frank"))
    assert factories.written() == before
