"""A second person signs a command by passkey: the very command, once, in the log before what came of it."""

import hashlib
import json
import random
import re
import uuid

import pytest
from django.db import connection, transaction

from audit import verify_export as verifier
from audit.models import Entry
from casino.models import Setting, Staff, WrongLogins
from casino.roles import Role
from tables.models import Credential, Intervention
from tables.people import credentials

from ...support import exports, factories, signing
from ...support.authenticator import PRESENT
from ...support.commands import COMMANDS

pytestmark = pytest.mark.usefixtures("seeded_db")
SETTINGS = "/api/v1/settings/"
NAME = "closer_variance_units"


def newest():
    return Entry.objects.order_by("-id").values_list("pk", flat=True).first()


def entries(after):
    return [json.loads(entry.body) for entry in Entry.objects.filter(pk__gt=after).order_by("id")]


def given(after=0):
    """The signatures that were given, each with the entry behind it in its chain."""
    told = entries(after)
    follows = {(each["chain"], each["seq"]): each for each in told}
    return [(each, follows[each["chain"], each["seq"] + 1]) for each in told if each["event"] == "signature.given"]


def wrong_ones():
    return sum(WrongLogins.objects.values_list("number", flat=True))


def change(value=5000, **more):
    version = Setting.objects.filter(name=more.get("name", NAME)).count()
    return {"name": NAME, "value": value, "version": version, **more}


# What takes a signature by the body that brings its moment about.
SIGNED = (
    *(name for name, command in COMMANDS.items() if command.signed),
    *("refuse a dispute", "uphold a dispute", "change a setting", "withdraw a setting", "put a sheet in force"),
    *("withdraw a sheet", "sign for a count", "let a table go on", "decide a case", "close a day", "mount a drop box"),
    *("take it off", "sign for a drop", "sign for tips", "sell chips", "sign for the cage", "post a person"),
    *("end a posting", "let a person go", "prune files", "end a token"),
)


@pytest.mark.parametrize("name", SIGNED)
def test_what_came_of_a_signed_command_stands_right_behind_its_signature(name):
    login, path, body = COMMANDS[name].at(factories.table("T1"))
    signer, after, key = body.pop("signature")["login"], newest(), str(uuid.uuid4())
    assert signing.send(signing.client(login), signer, signing.passkey(signer), path, body, key=key).status_code < 300
    credential = Credential.objects.get()
    ((signed, effect),) = given(after)
    signed_by, requester = factories.person(signer).ref, factories.person(login).ref
    facts = signed["facts"]
    told = (
        facts["key"],
        facts["method"],
        facts["requester"],
        facts["signer"],
        facts["credential"],
        facts["command"]["path"],
    )
    assert told == (key, "passkey", requester, signed_by, credential.ref, path)
    assert (signed["by"], signed["subject"]) == (signed_by, effect["subject"])
    # An auditor who has the export and nothing else says so too, and finds nothing that is not signed.
    verifier.given(1, signed, effect)
    assert_all_signed(after)


def test_whoever_is_let_go_loses_their_passkey_right_behind_the_signature():
    login, path, body = COMMANDS["let a person go"].at(factories.table("T1"))
    signer = body.pop("signature")["login"]
    signing.passkey(Staff.objects.get(pk=path.split("/")[-3]).login)
    passkey, after = signing.passkey(signer), newest()
    assert signing.send(signing.client(login), signer, passkey, path, body).status_code < 300
    ((signed, effect),) = given(after)
    assert effect["event"] == "credential.removed"
    verifier.given(1, signed, effect)
    assert_all_signed(after)


def assert_all_signed(after):
    """Nothing names a second person who signed nothing, says the verifier."""
    unsigned = verifier.Unsigned(lambda at: True)
    for each in entries(after):
        unsigned.last.setdefault(each["chain"], each["seq"] - 1)
        unsigned.take(each["chain"], exports.canonical(each).encode())


def test_the_texts_of_a_signed_command_stand_behind_the_salt_that_its_row_keeps():
    opened = factories.open_round(factories.table("T1"))
    path, body = (
        f"/api/v1/rounds/{opened.pk}/void/",
        {"version": 0, "clause": "split.36", "reason": "A card lies open."},
    )
    answer = signing.send(signing.client("anna"), "clara", signing.passkey("clara"), path, body)
    assert answer.status_code == 200
    void = Intervention.objects.get(kind="voided")
    ((signed, effect),) = given()
    digest = hashlib.sha256((void.salt + body["reason"]).encode()).hexdigest()
    assert signed["facts"]["command"]["body"] == {"version": 0, "clause": "split.36", "reason": {"sha256": digest}}
    assert effect["facts"]["reason"] == digest
    assert body["reason"] not in json.dumps([signed, effect])


WRONG = {
    "another key": {"key": "another"},
    "another value": {"body": {"value": 5001}},
    "another path": {"path": "/api/v1/settings/1/withdraw/"},
    "no finger": {"flags": PRESENT},
    "another host": {"host": "casino.example"},
    "another page": {"origin": "http://localhost.example"},
    "a new passkey": {"kind": "webauthn.create"},
    "another person": {"login": "frank"},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_a_passkey_made_for_anything_else_signs_nothing(wrong):
    passkey, browser, body, key = signing.passkey("ida"), signing.client("clara"), change(), str(uuid.uuid4())
    about = {"path": SETTINGS, "body": body, "key": key} | {
        name: wrong[name] for name in ("path", "key") if name in wrong
    }
    about["body"] = body | wrong.get("body", {})
    more = {name: value for name, value in wrong.items() if name in {"flags", "host", "origin", "kind"}}
    signature = signing.signature(wrong.get("login", "ida"), passkey, *about.values(), **more)
    before = newest(), wrong_ones()
    answer = factories.send(browser, SETTINGS, body | {"signature": signature}, key=key)
    assert (answer.status_code, answer.json()["code"]) == (403, "signature_wrong")
    assert (newest(), wrong_ones()) == (before[0], before[1] + 1)
    assert not Setting.objects.exists()


@pytest.mark.proof
def test_a_thousand_forged_proofs_sign_nothing():
    passkey, chance = signing.passkey("ida"), random.Random(1)
    challenge = signing.challenge({"method": "POST", "path": SETTINGS, "body": change(), "key": "1"})
    for _ in range(1000):
        proof = signing.forged(chance, passkey, challenge)
        assert credentials.prover("ida", (signing.SITE, challenge, proof)) is None, proof
    assert credentials.prover("ida", (signing.SITE, challenge, passkey.prove(challenge)))


def test_a_passkey_that_was_removed_signs_nothing():
    passkey, body = signing.passkey("ida"), change()
    with transaction.atomic():
        person = factories.person("ida")
        credentials.remove(staff=person, number=Credential.objects.get().pk, actor=factories.actor("ida"))
    assert signing.send(signing.client("clara"), "ida", passkey, SETTINGS, body).json()["code"] == "signature_wrong"


@pytest.mark.parametrize("counts", [True, False])
def test_a_signed_command_is_done_once_and_a_key_signs_once(counts):
    passkey, browser, body, key = (
        signing.passkey("ida", counts=counts),
        signing.client("clara"),
        change(),
        str(uuid.uuid4()),
    )
    signed = body | {"signature": signing.signature("ida", passkey, SETTINGS, body, key)}
    assert factories.send(browser, SETTINGS, signed, key=key).status_code == 201
    after = newest()
    # Sent again it is the first answer, or refused where the passkey counts; once forgotten it is done no more.
    assert factories.send(browser, SETTINGS, signed, key=key).status_code in ({403} if counts else {201})
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM casino_command")
    again = factories.send(browser, SETTINGS, signed | {"version": 1}, key=key)
    assert again.status_code in {403, 409}
    body = change(6000)
    assert signing.send(browser, "ida", passkey, SETTINGS, body, key=key).json()["code"] == "key_reused"
    assert newest() == after


def test_a_password_signs_until_the_house_takes_none():
    browser, passkey = signing.client("clara"), signing.passkey("ida")

    def by_password(body):
        return factories.send(browser, SETTINGS, body | {"signature": factories.signature("ida")})

    assert by_password(change()).status_code == 201
    ((signed, _),) = given()
    assert (signed["facts"]["method"], "public_key" in signed["facts"]) == ("password", False)
    assert factories.signature("ida")["password"] not in json.dumps(signed)
    end = change(0, name="signature_by_password")
    assert by_password(end).json()["code"] == "signature_by_passkey"
    assert signing.send(browser, "ida", passkey, SETTINGS, end).status_code == 201
    assert by_password(change(6000)).json()["code"] == "signature_by_passkey"
    assert signing.send(browser, "ida", passkey, SETTINGS, change(6000)).status_code == 201


def test_without_its_salts_or_with_others_a_command_is_refused_and_no_passkey_tried():
    opened = factories.open_round(factories.table("T1"))
    path, body = (
        f"/api/v1/rounds/{opened.pk}/void/",
        {"version": 0, "clause": "split.36", "reason": "A card lies open."},
    )
    passkey, browser, key = signing.passkey("clara"), signing.client("anna"), str(uuid.uuid4())
    good = signing.signature("clara", passkey, path, body, key, by="anna")
    for salts, code in (({}, "field_missing"), ({"reason": "salt"}, "field_wrong"), (["reason"], "field_wrong")):
        answer = factories.send(browser, path, body | {"signature": good | {"salts": salts}}, key=key)
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert factories.send(browser, path, body | {"signature": good}, key=key).status_code == 200


def test_the_passkeys_of_a_person_are_told_by_host_and_those_of_nobody_read_alike():
    handle, browser = signing.passkey("ida").handle, signing.client("anna")

    def told(login, path="", client=browser):
        return client.get("/api/v1/passkeys/", {"login": login, "path": path}).json()

    texts = ["question", "reason", "word"]
    same = {"host": "localhost", "requester": factories.person("anna").ref, "texts": texts}
    assert told("ida") == {"handles": [handle], **same}
    assert told("anna") == told("nobody") == {"handles": [], **same}
    assert told("ida", "/api/v1/staff/")["texts"] == ["login", "name", *texts]
    assert told("ida", client=factories.client("anna"))["handles"] == []


def test_a_page_about_people_takes_a_passkey_too():
    passkey, browser, path = signing.passkey("clara"), signing.client("ida"), "/staff/"
    fields = {"login": "gerda", "name": "Gerda Gast", "role": "cage", "pit": ""}

    def sent(key, **more):
        signature = signing.signature("clara", passkey, path, fields, key, by="ida")
        second = {"login": "clara", "password": "", "passkey": signature["passkey"], "key": key}
        second["salts"] = json.dumps(signature["salts"])
        return browser.post(path, fields | {f"second_{name}": value for name, value in second.items()} | more)

    assert sent("key-1", role="pit_boss").status_code == 403
    assert re.search(r'data-test="code">([^<]+)<', sent("key-2").content.decode())
    ((signed, effect),) = given()
    assert (signed["facts"]["verb"], effect["event"]) == ("staff", "staff.added")
    assert "Gerda" not in json.dumps(signed)
    fields["login"] = "hilda"
    assert "was used for another command" in sent("key-2").content.decode()


def test_what_a_passkey_signed_for_one_requester_is_signed_for_no_other():
    passkey, key = signing.passkey("clara", counts=False), str(uuid.uuid4())
    path = f"/api/v1/staff/{factories.person('anna').pk}/codes/"
    signed = {"signature": signing.signature("clara", passkey, path, {}, key, by="ida")}
    assert factories.send(signing.client("ida"), path, signed, key=key).status_code == 201
    # Another administrator read it all in the log.
    factories.newcomer("carl", Role.ADMINISTRATOR, None)
    assert factories.send(signing.client("carl"), path, signed, key=key).json()["code"] == "signature_wrong"
    assert len(given()) == 1


def test_half_a_character_is_not_signed():
    path = f"/api/v1/rounds/{factories.open_round(factories.table('T1')).pk}/void/"
    body = {"version": 0, "clause": "split.36", "reason": "A \ud800", "signature": factories.signature("clara")}
    answer = factories.send(signing.client("anna"), path, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "field_wrong")


def test_what_no_form_about_people_asks_for_is_not_in_the_log():
    fields = {"login": "gerda", "name": "Gerda Gast", "role": "cage", "pit": "", "note": "Gerda's aunt"}
    second = {f"second_{name}": value for name, value in factories.signature("clara").items()}
    assert signing.client("ida").post("/staff/", fields | second).status_code == 200
    ((signed, _),) = given()
    assert set(signed["facts"]["command"]["body"]) == {"login", "name", "role", "pit"}
