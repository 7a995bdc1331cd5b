"""The second step of a login: apps, passkeys and recovery codes, each way through and each refusal."""

import json
import re
import time

import pytest
from django.db import transaction
from django.test import Client
from django.utils.html import escape

from audit.models import Entry
from casino.roles import Role
from tables.models import Credential, RecoveryCode
from tables.people import credentials, second_steps, staff

from ...support import factories
from ...support.authenticator import Authenticator, code
from ...support.factories import person

pytestmark = pytest.mark.usefixtures("seeded_db")
KEYS, SECOND = "/account/keys/", "/login/second-step/"


@pytest.fixture
def required(settings):
    settings.SECOND_STEP = True


def password(login):
    return factories.signature(login)["password"]


def log_in(login, client=None, **more):
    client = client or Client()
    return client, client.post("/login/", {"username": login, "password": password(login), **more})


def entries(*events):
    return [json.loads(entry.body) for entry in Entry.objects.filter(event__in=events).order_by("id")]


def shown(answer, pattern):
    return re.search(pattern, answer.content.decode())[1]


def add_app(client, name="Telephone", **wrong):
    """Add an app on the page, and its secret."""
    page = client.get(KEYS)
    secret, kept = shown(page, r'data-test="secret">([A-Z2-7 ]+)<'), shown(page, r'name="kept" value="([^"]+)"')
    sent = {"act": "app", "name": name, "kept": kept, "code": code(secret), **wrong}
    return client.post(KEYS, sent), secret


def recovery_codes(answer):
    return re.findall(r"<li>([0-9A-Z-]{29})</li>", answer.content.decode())


def waits_for_the_next_code(monkeypatch, steps=2):
    later = time.time() + 30 * steps
    monkeypatch.setattr(credentials.time, "time", lambda: later)


def is_in(client):
    return client.get("/account/").status_code == 200


# Who has to, and who may.


@pytest.mark.parametrize("login", ["clara", "hugo", "david", "ida"])
def test_whose_role_takes_a_second_step_adds_one_before_they_are_in(required, login):
    client, answer = log_in(login, next="/account/")
    assert answer.headers["Location"] == KEYS
    assert not is_in(client)
    assert client.get("/api/v1/tables/").status_code == 401
    before = factories.written()
    wrong, _ = add_app(client, code="000 00")
    assert wrong.status_code == 422
    assert "isn’t the code that the app shows now" in wrong.content.decode()
    assert add_app(client, name=" ")[0].status_code == 422
    assert add_app(client, kept="x")[0].status_code == 422
    assert client.post(KEYS, {"act": "king"}).status_code == 404
    assert client.post(KEYS, {"act": "codes"}).status_code == 409
    assert factories.written() == before
    assert not is_in(client)
    added, secret = add_app(client)
    codes = recovery_codes(added)
    assert len(set(codes)) == credentials.RECOVERY_CODES
    assert 'href="/account/"' in added.content.decode()
    assert is_in(client)
    assert codes[0] not in client.get(KEYS).content.decode()
    ref, whom = Credential.objects.get().ref, person(login).ref
    assert [(entry["event"], entry["subject"], entry["by"], entry["facts"]) for entry in entries(
        "credential.added", "recovery_codes.made"
    )] == [
        ("credential.added", ref, whom, {"staff": whom, "kind": "app"}),
        ("recovery_codes.made", whom, whom, {"staff": whom, "number": credentials.RECOVERY_CODES}),
    ]  # fmt: skip
    stored = json.dumps(list(Entry.objects.values_list("body", flat=True)))
    assert "Telephone" not in stored
    assert secret.replace(" ", "") not in stored
    assert not any(code in stored for code in codes)
    assert not RecoveryCode.objects.filter(digest__in=codes).exists()


def test_whose_role_takes_none_logs_in_by_password_and_may_add_one(required):
    client, answer = log_in("anna")
    assert answer.headers["Location"] == "/"
    assert is_in(client)
    assert "Your password alone logs you in" in client.get("/account/").content.decode()
    assert recovery_codes(add_app(client)[0])
    _, answer = log_in("anna")
    assert answer.headers["Location"] == SECOND


def test_a_demo_says_that_nobody_has_to(settings):
    assert "a password alone logs you in" in Client().get("/login/").content.decode()
    client, answer = log_in("clara")
    assert answer.headers["Location"] == "/"
    assert "a password alone logs you in" in client.get(KEYS).content.decode()
    settings.SECOND_STEP = True
    assert "a password alone logs you in" not in Client().get("/login/").content.decode()


def test_a_session_without_one_is_nobody_s_once_its_person_has_to_have_one(settings):
    client, _ = log_in("clara")
    assert is_in(client)
    settings.SECOND_STEP = True
    assert not is_in(client)
    assert client.get("/api/v1/tables/").status_code == 401
    anna, _ = log_in("anna")
    assert is_in(anna)
    with transaction.atomic():
        staff.post(staff=person("anna"), role=Role.CAGE, pit=None, actor=factories.actor("ida", "frank"))
    assert not is_in(anna)


# The second step by an app and by recovery codes.


@pytest.fixture
def clara(required):
    """Clara, logged in with an app: the client, its secret and the recovery codes."""
    client, _ = log_in("clara")
    added, secret = add_app(client)
    return client, secret, recovery_codes(added)


def test_the_password_alone_logs_nobody_in_any_more(clara):
    client, answer = log_in("clara", next="/staff/review/")
    assert answer.headers["Location"] == SECOND
    assert not is_in(client)
    # What adds one takes the one that is there first.
    assert client.get(KEYS).headers["Location"] == SECOND
    assert client.post(KEYS, {"act": "codes"}).headers["Location"] == SECOND
    _, answer = log_in("clara", in_place="1")
    assert (answer.status_code, answer.json()) == (202, {"has": True, "passkey": None})


def test_nobody_comes_to_the_second_step_without_the_password():
    client = Client()
    for path in (SECOND, KEYS):
        for answer in (client.get(path), client.post(path, {"code": "123456"})):
            assert answer.headers["Location"].startswith("/login/")


def test_a_code_of_the_app_logs_in_once(clara, monkeypatch):
    _, secret, _ = clara
    client, _ = log_in("clara", next="/slips/")
    # The one that added the app counts no more.
    refused = client.post(SECOND, {"code": code(secret)})
    assert refused.status_code == 403
    assert "That code or passkey is wrong, or was used before." in refused.content.decode()
    waits_for_the_next_code(monkeypatch)
    newest = code(secret)
    answer = client.post(SECOND, {"code": f" {newest[:3]} {newest[3:]} "})
    assert answer.headers["Location"] == "/slips/"
    assert is_in(client)
    other, _ = log_in("clara")
    assert other.post(SECOND, {"code": newest}).status_code == 403
    assert not is_in(other)
    assert Credential.objects.get().used_at


@pytest.mark.parametrize("steps", [-2, 2])
def test_a_code_of_another_time_is_refused(clara, monkeypatch, steps):
    _, secret, _ = clara
    waits_for_the_next_code(monkeypatch, 10)
    client, _ = log_in("clara")
    assert client.post(SECOND, {"code": code(secret, steps)}).status_code == 403
    assert client.post(SECOND, {"code": code(secret, steps // 2)}).status_code == 302


def test_of_many_at_once_with_one_code_one_gets_in(clara, monkeypatch):
    _, secret, _ = clara
    waits_for_the_next_code(monkeypatch)
    newest, clients = code(secret), [log_in("clara")[0] for _ in range(4)]
    answers = factories.at_once(
        *[lambda each=each: each.post(SECOND, {"code": newest}).status_code for each in clients]
    )
    assert sorted(answers) == [302, 403, 403, 403]


def test_a_recovery_code_stands_for_a_second_step_once(clara):
    _, _, codes = clara
    client, _ = log_in("clara")
    answer = client.post(SECOND, {"code": codes[0].lower().replace("-", " ")})
    assert answer.headers["Location"] == f"{KEYS}?done=recovery"
    assert "You have 9 left." in client.get(KEYS).content.decode()
    other, _ = log_in("clara")
    assert other.post(SECOND, {"code": codes[0]}).status_code == 403
    # New ones end those of before.
    fresh = recovery_codes(client.post(KEYS, {"act": "codes"}))
    assert other.post(SECOND, {"code": codes[1]}).status_code == 403
    assert other.post(SECOND, {"code": fresh[0]}).status_code == 302
    used = entries("recovery_code.used")
    assert [entry["by"] for entry in used] == [person("clara").ref] * 2
    assert {entry["facts"]["code"].partition(":")[0] for entry in used} == {"recovery_code"}


def test_wrong_second_steps_lock_out_and_no_right_password_forgets_them(clara, monkeypatch):
    _, secret, codes = clara
    waits_for_the_next_code(monkeypatch)
    client, _ = log_in("clara")
    before = len(entries("staff.locked"))
    for _ in range(4):
        assert client.post(SECOND, {"code": "000000"}).status_code == 403
        client, _ = log_in("clara")
    locked = client.post(SECOND, {"code": "000000"})
    assert locked.status_code == 429
    assert "After too many wrong second steps, this login is locked here" in locked.content.decode()
    assert locked.headers["Retry-After"]
    for right in (code(secret), codes[0]):
        assert client.post(SECOND, {"code": right}).status_code == 429
    entry = entries("staff.locked")[before]
    assert entry["facts"] == {"staff": person("clara").ref, "step": "second"}
    # The password alone, as a second person gives it, is not locked; whoever is near lifts it.
    assert log_in("clara")[1].headers["Location"] == SECOND
    with transaction.atomic():
        staff.unlock(staff=person("clara"), actor=factories.actor("ida"))
    assert client.post(SECOND, {"code": codes[0]}).status_code == 302


def test_the_password_that_was_given_is_kept_for_a_while_and_not_beyond_a_change(clara, monkeypatch):
    _, _, codes = clara
    client, _ = log_in("clara")
    now = time.time() + second_steps.WAITS_SECONDS + 1
    with monkeypatch.context() as patched:
        patched.setattr(second_steps.time, "time", lambda: now)
        assert client.post(SECOND, {"code": codes[0]}).headers["Location"] == "/login/"
    clara_ = person("clara")
    clara_.set_password("velvet-otter-41")
    clara_.save(update_fields=["password"])
    assert client.post(SECOND, {"code": codes[0]}).headers["Location"] == "/login/"
    assert not is_in(client)


def test_whoever_logs_in_in_between_is_the_only_one(clara):
    """A person at somebody else's browser gives their password: that somebody is logged out."""
    anna, _ = log_in("anna")
    assert is_in(anna)
    log_in("clara", anna)
    assert not is_in(anna)


# Keys of one's own.


def test_what_one_logs_in_with_is_changed_soon_after_a_login_alone(clara, monkeypatch):
    client, _, _ = clara
    now = time.time() + second_steps.FRESH_SECONDS + 1
    monkeypatch.setattr(second_steps.time, "time", lambda: now)
    page = client.get(KEYS).content.decode()
    assert "Log in again" in page
    assert "Add a passkey" not in page
    before = factories.written()
    for act in ("remove", "codes", "app", "passkey"):
        refused = client.post(KEYS, {"act": act, "number": Credential.objects.get().pk})
        assert refused.status_code == 403
        assert "You logged in too long ago" in refused.content.decode()
    assert factories.written() == before


def test_the_last_one_stays_with_whose_role_takes_one(clara, monkeypatch):
    client, _, _ = clara
    first = Credential.objects.get()
    before = factories.written()
    refused = client.post(KEYS, {"act": "remove", "number": first.pk})
    assert refused.status_code == 409
    assert escape("Your role needs a second step, and this is your only one.") in refused.content.decode()
    assert client.post(KEYS, {"act": "remove", "number": "x"}).status_code == 409
    assert factories.written() == before
    assert not recovery_codes(add_app(client, "Tablet")[0])
    assert client.post(KEYS, {"act": "remove", "number": first.pk}).headers["Location"] == f"{KEYS}?done=remove"
    first.refresh_from_db()
    assert (first.ended_by, first.ended_with) == (person("clara"), None)
    assert RecoveryCode.objects.filter(ended_at=None).count() == credentials.RECOVERY_CODES
    [removed] = entries("credential.removed")
    assert (removed["by"], removed["facts"]) == (person("clara").ref, {"staff": person("clara").ref})
    # Somebody else's is none of hers.
    anna, _ = log_in("anna")
    add_app(anna)
    theirs = Credential.objects.get(staff=person("anna"))
    assert client.post(KEYS, {"act": "remove", "number": theirs.pk}).status_code == 409
    assert anna.post(KEYS, {"act": "remove", "number": theirs.pk}).status_code == 302
    assert RecoveryCode.objects.filter(staff=person("anna"), ended_at=None).count() == 0
    assert [entry["facts"] for entry in entries("recovery_codes.ended")] == [{"staff": person("anna").ref}]


def test_nobody_has_more_than_their_number(clara):
    client, _, _ = clara
    for number in range(credentials.MOST - 1):
        assert add_app(client, f"App {number}")[0].status_code == 302
    assert add_app(client, "One more")[0].status_code == 409


def test_the_page_with_the_code_is_for_one_person_and_a_while(clara, monkeypatch):
    client, _, _ = clara
    anna, _ = log_in("anna")
    kept = shown(anna.get(KEYS), r'name="kept" value="([^"]+)"')
    refused, _ = add_app(client, kept=kept)
    assert refused.status_code == 422
    assert "was open for too long" in refused.content.decode()


# Lost devices.


def signed(second):
    signature = factories.signature(second)
    return {"second_login": signature["login"], "second_password": signature["password"]}


def test_a_lost_device_is_replaced_by_two_others(clara, settings):
    client, _, _ = clara
    settings.SECOND_STEP = False
    ida, clara_ = factories.client("ida"), person("clara")
    page = f"/staff/{clara_.pk}/"
    assert "1 authenticator app" in ida.get(page).content.decode()
    assert "1 authenticator app" in ida.get("/staff/review/").content.decode()
    before = factories.written()
    for second, status in (("ida", 422), ("clara", 422), ("anna", 403)):
        assert ida.post(page, {"act": "lost", **signed(second)}).status_code == status
    frank = factories.client("frank")
    assert frank.post(page, {"act": "lost", **signed("karl")}).status_code == 404
    assert factories.written() == before
    answer = ida.post(page, {"act": "lost", **signed("frank")})
    given = shown(answer, r'data-test="code">([^<]+)<')
    settings.SECOND_STEP = True
    assert not is_in(client)
    # Neither the old password nor what was lost opens anything.
    assert log_in("clara")[1].status_code == 200
    assert not RecoveryCode.objects.filter(ended_at=None).exists()
    ended = Credential.objects.get()
    assert (ended.ended_by, ended.ended_with) == (person("ida"), person("frank"))
    two = {"staff": clara_.ref, "requester": person("ida").ref, "approver": person("frank").ref}
    told = entries("credential.removed", "recovery_codes.ended", "staff.code_given")
    assert [(entry["event"], entry["facts"]) for entry in told] == [
        ("credential.removed", two), ("recovery_codes.ended", two), ("staff.code_given", two),
    ]  # fmt: skip
    word = "velvet-otter-41"
    assert Client().post(
        "/first/", {"login": "clara", "code": given, "new": word, "again": word}
    ).headers["Location"] == "/login/?first=1"  # fmt: skip
    again = Client()
    assert again.post("/login/", {"username": "clara", "password": word}).headers["Location"] == KEYS
    assert recovery_codes(add_app(again, "New telephone")[0])
    assert is_in(again)
    settings.SECOND_STEP = False
    assert ida.post(f"/staff/{person('anna').pk}/", {"act": "lost", **signed("frank")}).status_code == 409


def test_whoever_leaves_has_none_any_more():
    anna, _ = log_in("anna")
    add_app(anna)
    with transaction.atomic():
        staff.leave(staff=person("anna"), actor=factories.actor("ida", "clara"))
    ended = Credential.objects.get(staff=person("anna"))
    assert (ended.ended_by, ended.ended_with) == (person("ida"), person("clara"))


# Passkeys.


def local(login):
    """Somebody who gave their password at localhost, where browsers offer passkeys."""
    return log_in(login, Client(SERVER_NAME="localhost"))[0]


def asked(answer, attribute):
    options = json.loads(shown(answer, rf'{attribute}="([^"]+)"').replace("&quot;", '"'))
    return options, options["challenge"]


def add_passkey(client, device, name="Blue key", **wrong):
    _, challenge = asked(client.get(KEYS), "data-make")
    return client.post(KEYS, {"act": "passkey", "name": name, "passkey": device.make(challenge, **wrong)})


@pytest.mark.parametrize("device", [Authenticator(), Authenticator(ed=True), Authenticator(counts=False)])
def test_a_passkey_is_added_and_logs_in(required, device):
    client = local("clara")
    options, _ = asked(client.get(KEYS), "data-make")
    assert [each["alg"] for each in options["pubKeyCredParams"]] == [-7, -8]
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert len(recovery_codes(add_passkey(client, device))) == credentials.RECOVERY_CODES
    assert is_in(client)
    [added] = entries("credential.added")
    assert added["facts"] == {
        "staff": person("clara").ref, "kind": "passkey", "public_key": Credential.objects.get().public_key,
        "host": "localhost",
    }  # fmt: skip
    for _ in range(2):
        client = local("clara")
        options, challenge = asked(client.get(SECOND), "data-prove")
        assert [each["id"] for each in options["allowCredentials"]] == [device.handle]
        assert client.post(SECOND, {"passkey": device.prove(challenge)}).headers["Location"] == "/"
        assert is_in(client)


WRONG = [
    {"host": "casino.example"},
    {"origin": "http://localhost:8000"},
    {"origin": "https://casino.example"},
    {"flags": 0x01},
    {"flags": 0x04},
    {"flags": 0x00},
]


@pytest.mark.parametrize("wrong", [*WRONG, {"kind": "webauthn.get"}, {"challenge": "AAAA"}])
def test_a_passkey_that_is_not_right_is_not_added(required, wrong):
    client, device = local("clara"), Authenticator()
    _, challenge = asked(client.get(KEYS), "data-make")
    before = factories.written()
    brought = device.make(wrong.pop("challenge", challenge), **wrong)
    refused = client.post(KEYS, {"act": "passkey", "name": "Blue key", "passkey": brought})
    assert refused.status_code == 422
    assert "no passkey that fits" in refused.content.decode()
    assert factories.written() == before
    assert not is_in(client)


def test_a_passkey_that_is_not_right_logs_nobody_in(required, settings):
    settings.AXES_FAILURE_LIMIT = settings.WRONG_LOGINS = 1000
    device, stranger = Authenticator(), Authenticator()
    add_passkey(local("clara"), device)
    stranger.id = device.id
    client = local("clara")
    old = asked(client.get(SECOND), "data-prove")[1]

    def tried(prove, **wrong):
        client.get(SECOND)
        _, challenge = asked(client.get(SECOND), "data-prove")
        return client.post(SECOND, {"passkey": prove(wrong.pop("challenge", challenge), **wrong)}).status_code

    for wrong in (*WRONG, {"kind": "webauthn.create"}, {"challenge": old}):
        assert tried(device.prove, **wrong) == 403, wrong
    assert tried(stranger.prove) == 403
    for nonsense in ("{}", "[]", "x", "null", '{"id": 1}', '{"id": "é"}', "9" * 9000, "[" * 8000):
        assert tried(lambda challenge, nonsense=nonsense: nonsense) == 403
    # One that counts on is another one: a copy.
    device.counter = 0
    assert tried(device.prove) == 403
    device.counter = 100
    _, challenge = asked(client.get(SECOND), "data-prove")
    brought = device.prove(challenge)
    assert client.post(SECOND, {"passkey": brought}).status_code == 302
    again = local("clara")
    again.get(SECOND)
    assert again.post(SECOND, {"passkey": brought}).status_code == 403


def test_a_passkey_is_of_one_person_and_one_host(required, settings):
    device = Authenticator()
    add_passkey(local("clara"), device)
    other = local("frank")
    for _ in range(2):
        refused = add_passkey(other, device)
        assert refused.status_code == 409
        assert "This passkey has already been added." in refused.content.decode()
        # The same key under another handle.
        device.id = bytes(32)
    # Elsewhere a browser has none to offer: the recovery code is left.
    client, _ = log_in("clara")
    page = client.get(SECOND).content.decode()
    assert "data-prove" not in page
    assert "Recovery code" in page


@pytest.mark.parametrize(
    ("host", "secure", "offered"),
    [("localhost", False, True), ("localhost", True, True), ("127.0.0.1", True, False), ("testserver", False, False),
     ("testserver", True, True), ("[::1]", True, False)],
)  # fmt: skip
def test_browsers_offer_passkeys_for_names_with_a_certificate(settings, host, secure, offered):
    settings.ALLOWED_HOSTS = [host]
    client = Client(SERVER_NAME=host)
    client.post("/login/", {"username": "anna", "password": password("anna")}, secure=secure)
    page = client.get(KEYS, secure=secure).content.decode()
    assert ("data-make" in page) == offered
    assert ("Passkeys need a host name with an accepted certificate, or localhost" in page) == (not offered)
