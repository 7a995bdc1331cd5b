"""Reliefs: asked for by a pit boss, done by whoever comes and signs on themself, withdrawn; and whose break is due."""

import datetime as dt
import json

import pytest
from django.db import transaction

from audit.models import Entry
from casino.errors import Refused
from tables.models import Alarm, Relief, SignOn
from tables.people import access, reliefs, staff, terminals
from tables.verbs import alarms, dealing
from tables.words import calls, people

from ...support import factories
from ...support.factories import actor, newcomer, person, table
from ..rest.test_rest import is_refused
from .test_staff import at, enrolled, send

HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def house(seeded_db):
    """Anna deals at T1, Boris at T2; Carl of their pit is free."""
    newcomer()


@pytest.fixture
def owner(owner_connection):
    """Lets a sign-on lie back, as time does."""

    def lie_back(sign_on, begun, ended=None):
        spans = f"signed_on_at = now() - interval '{begun} minutes'"
        if ended is not None:
            spans += f", signed_off_at = now() - interval '{ended} minutes'"
        with owner_connection.transaction():
            owner_connection.execute("ALTER TABLE tables_signon DISABLE TRIGGER USER")
            owner_connection.execute(f"UPDATE tables_signon SET {spans} WHERE id = {sign_on.pk}")
            owner_connection.execute("ALTER TABLE tables_signon ENABLE TRIGGER USER")

    return lie_back


def told(relief):
    entries = Entry.objects.filter(subject=relief.ref).order_by("pk").values_list("chain_id", "body")
    return [(chain, json.loads(body)["event"], json.loads(body)["facts"]) for chain, body in entries]


def seats(login="clara"):
    return {seat["name"]: seat for pit in people.shown(person(login))["pits"] for seat in pit["seats"]}


def dealer(code):
    return SignOn.objects.filter(table=table(code), signed_off_at=None).values_list("staff__login", flat=True).first()


def refused(croupier, code="T1"):
    with pytest.raises(Refused) as caught, transaction.atomic():
        reliefs.ask(table_id=table(code).pk, staff=person(croupier), actor=actor("clara"))
    return caught.value


def test_who_is_asked_signs_on_themself_and_the_one_who_dealt_is_signed_off_with_it():
    anna, carl, clara = person("anna"), person("carl"), person("clara")
    _, token = enrolled()
    answer = send("clara", "T1", "reliefs", {"staff": carl.pk})
    assert answer.status_code == 201, answer.content
    relief = Relief.objects.get()
    asked = {"id": relief.pk, "table": table().pk, "staff": carl.pk, "asked_by": clara.pk, "ended_at": None}
    assert answer.json() | asked == answer.json()
    # Nobody deals in another's name: until Carl comes Anna deals on, and both are told.
    assert dealer("T1") == "anna"
    assert seats()["Split 1"]["relief"]["who"] == f"Staff {carl.pk}, Carl"
    assert calls.corner(anna)["relief"] == f"Staff {carl.pk} is coming to relieve you"
    assert people.asked_of(carl)["fact"] == f"You’re asked to relieve Staff {anna.pk}"
    assert people.asked_of(anna) is None
    terminal = f"/tables/{table().pk}/terminal/"
    assert b"is coming to relieve you." in factories.client("anna").get(terminal).content
    assert "You’re asked to take over this table." in factories.client("carl").get(terminal).content.decode()
    assert send(at(token, "carl"), "T1", "sign-on", {"relieve": anna.pk}).status_code == 200
    assert dealer("T1") == "carl"
    relief.refresh_from_db()
    assert (relief.ended_at is not None, relief.withdrawn_by) == (True, None)
    facts = {"relief": relief.ref, "staff": carl.ref}
    assert told(relief) == [
        (table().ref, "relief.asked", facts | {"requester": clara.ref}), (table().ref, "relief.over", facts),
    ]  # fmt: skip
    assert people.asked_of(carl) is None


def test_a_croupier_has_one_table_and_a_table_one_relief():
    carl, dora = person("carl"), newcomer("dora")
    newcomer("egon", pit="P") if table("T3").pit.code == "P" else newcomer("egon", pit=table("T3").pit.code)
    before = factories.written()
    elsewhere = refused("boris")
    assert (elsewhere.code, elsewhere.message) == ("signed_on_elsewhere", "This croupier is dealing at Split 2.")
    assert elsewhere.way_out == "Sign them off at Split 2 first, or choose another croupier."
    assert refused("anna").code == "signed_on_here"
    assert refused("egon").code == "not_a_croupier_here"
    assert refused("hugo").code == "not_a_croupier_here"
    assert factories.written() == before
    relief = factories.relieve(table(), carl)
    assert refused("dora").code == "relief_asked"
    assert refused("carl", "T2").code == "relief_elsewhere"
    with pytest.raises(Refused, match="asked to relieve at Split 1") as caught, transaction.atomic():
        staff.sign_on(staff=carl, table=table("T2"), actor=actor("clara"), relieve=True)
    assert caught.value.code == "relief_elsewhere"
    # Another croupier may come first; the relief stays until somebody withdraws it.
    with transaction.atomic():
        staff.sign_on(staff=dora, table=table(), actor=actor("clara"), relieve=True)
    assert Relief.objects.standing().get() == relief
    path = f"/api/v1/reliefs/{relief.pk}/withdraw/"
    assert factories.send(factories.client("frank"), path, {}).status_code == 404
    answer = factories.send(factories.client("clara"), path, {})
    assert (answer.status_code, answer.json()["withdrawn_by"]) == (200, person("clara").pk)
    late = factories.send(factories.client("clara"), path, {})
    assert is_refused(late, 409, "relief_over")
    assert told(relief)[-1][2] == {"relief": relief.ref, "staff": carl.ref, "requester": person("clara").ref}
    # Who leaves is asked for nothing any more.
    last = factories.relieve(table("T2"), carl)
    with transaction.atomic():
        staff.leave(staff=carl, actor=actor("ida", "frank"))
    last.refresh_from_db()
    assert last.withdrawn_by == person("ida")
    # Nobody comes to a table that closes.
    none = factories.relieve(table("T2"), newcomer("fred"))
    factories.close_session(table("T2"), {100: 100})
    none.refresh_from_db()
    assert none.withdrawn_by == person("clara")
    assert told(none)[-1][1] == "relief.over"


def test_of_two_who_ask_at_once_for_a_table_or_for_a_croupier_one_is_done():
    carl, dora = person("carl"), newcomer("dora")

    def ask(code, croupier):
        def answered():
            return send("clara", code, "reliefs", {"staff": croupier.pk})

        return answered

    for two, refusal in (
        ((ask("T1", carl), ask("T1", dora)), "relief_asked"), ((ask("T1", carl), ask("T2", carl)), "relief_elsewhere"),
    ):  # fmt: skip
        with factories.side_by_side(2) as together:
            first, second = sorted(together(*two), key=lambda answer: answer.status_code)
        assert first.status_code == 201, first.content
        assert is_refused(second, 409, refusal)
        with transaction.atomic():
            reliefs.withdraw(relief_id=Relief.objects.standing().get().pk, actor=actor("clara"))


def test_where_whoever_comes_cannot_sign_on_that_is_said_before_they_are_sent():
    shown = seats()["Split 1"]
    assert shown["sign_on"]["warns"]
    assert shown["sign_on"]["text"].startswith("Split 1 has no terminal, so whoever comes can’t sign on there.")
    assert shown["enrols"] == "/tables/1/enrol/"
    before = people.standing(person("clara"))
    with transaction.atomic():
        for name in ("T1-right", "T1-left"):
            terminal, _ = terminals.enrol(table_id=1, name=name, actor=actor("clara"))
    assert people.standing(person("clara")) != before
    shown = seats()["Split 1"]
    assert shown["sign_on"] == {"warns": False, "text": "Whoever comes signs on at T1-left or T1-right."}
    assert shown["enrols"] == ""
    with transaction.atomic():
        terminals.revoke(terminal_id=terminal.pk, actor=actor("clara"))
        staff.sign_off(table=table(), actor=actor("clara"))
    assert seats()["Split 1"]["sign_on"] == {
        "warns": True,
        "text": "Nobody is signed on at Split 1: no round opens until whoever comes signs on at T1-right.",
    }
    body = factories.client("clara").get("/api/v1/people/").json()
    assert {each["table"]: each["terminals"] for each in body["tables"]}[1] == ["T1-right"]
    # The page warns, and the pit boss may send somebody all the same.
    with transaction.atomic():
        assert reliefs.ask(table_id=2, staff=person("carl"), actor=actor("clara")).table == table("T2")


def test_a_break_is_due_after_an_hour_at_whichever_tables_and_a_short_time_off_is_none(owner):
    anna, carl = person("anna"), person("carl")
    first = SignOn.objects.get(staff=anna, signed_off_at=None)
    with transaction.atomic():
        staff.sign_off(table=table(), actor=actor("clara"))
        second = staff.sign_on(staff=anna, table=table(), actor=actor("clara"))
    owner(first, 90, 40)
    owner(second, 30)
    assert alarms.look() == (1, 0)
    alarm = Alarm.objects.standing().get(kind=Alarm.Kind.BREAK_DUE)
    assert (alarm.subject, alarm.table, alarm.value, alarm.bound) == (anna.ref, table(), 90, 60)
    row = next(each for each in calls.listed(person("clara")) if each["key"] == f"alarm-{alarm.pk}")
    assert (row["title"], row["href"]) == ("Split 1: break due", "/floor/people/")
    page = people.shown(person("clara"))
    (pit,) = page["pits"]
    assert [(seat["name"], seat["state"]) for seat in pit["seats"][:2]] == [("Split 1", "due"), ("Split 2", "deals")]
    assert {each["id"]: each["rest"] for each in pit["free"]}[carl.pk] == "hasn’t dealt in the last day"
    work = next(each for each in page["work"] if each["who"].startswith(f"Staff {anna.pk},"))
    assert (work["dealt"], len(work["spells"]), work["breaks"]) == ("1 h 20 min", 2, [])
    # Twenty minutes off are a break.
    owner(first, 90, 51)
    assert alarms.look() == (0, 1)
    shown = dealing.now(access.EVERYWHERE, 20)
    of_anna = next(each for each in shown.croupiers if each.id == anna.pk)
    assert len(of_anna.breaks(dt.timedelta(minutes=20))) == 1
    assert shown.now - of_anna.stint < HOUR
    # Relieved, Anna has not had her break yet; Carl, who never dealt today, comes before her.
    with transaction.atomic():
        staff.sign_on(staff=carl, table=table(), actor=actor("clara"), relieve=True)
        staff.sign_off(table=table(), actor=actor("clara"))
    (pit,) = people.shown(person("clara"))["pits"]
    assert {each["id"]: each["short"] for each in pit["free"]}[anna.pk] is True
    body = factories.client("clara").get("/api/v1/people/").json()
    of_anna = next(each for each in body["croupiers"] if each["staff"] == anna.pk)
    assert (of_anna["table"], of_anna["dealt_minutes"], len(of_anna["breaks"])) == (None, 69, 1)
    assert seats()["Split 1"]["state"] == "empty"
