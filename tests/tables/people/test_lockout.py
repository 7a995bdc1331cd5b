"""Wrong passwords lock a person out at a terminal; signatures are passwords too."""

import datetime as dt
import json
import re

import pytest
from asgiref.sync import async_to_sync
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.contrib.auth import authenticate
from django.db import connection, transaction
from django.db.models import F
from django.test import AsyncClient, Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from audit.models import Entry
from casino.errors import Refused
from casino.models import WrongLogins
from casino.roles import Right
from tables.people import lockout, signatures, staff, terminals

from ...support import factories, stack
from ...support.factories import actor, person, table
from ..rest.test_rest import is_refused

LIMIT = settings.AXES_FAILURE_LIMIT
LOCKED = "this login is locked here for 15 minutes. Wait, or ask the pit boss to unlock it."


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


@pytest.fixture
def tokens():
    """The tokens of two terminals of T1 and one of T2; None where there is no terminal."""
    with transaction.atomic():
        made = {
            name: terminals.enrol(table_id=table(code).pk, name=name, actor=actor("clara"))[1]
            for name, code in (("T1-left", "T1"), ("T1-right", "T1"), ("T2-left", "T2"))
        }
    return {None: None, **made}


def password(login):
    people = json.loads((stack.seed_folder() / "demo-logins.json").read_text())
    return next(known["password"] for known in people if known["login"] == login)


def log_in(login, word, token=None, **extra):
    client = Client(**extra)
    if token:
        client.cookies[settings.TERMINAL_COOKIE_NAME] = token
    return client.post("/login/?next=/", {"username": login, "password": word, "next": "/"})


def mistype(login, token=None, times=LIMIT):
    return [log_in(login, "wrong", token).status_code for _ in range(times)]


def entries(event):
    bodies = [json.loads(body) for body in Entry.objects.order_by("pk").values_list("body", flat=True)]
    return [entry for entry in bodies if entry["event"] == event]


def stored():
    """All that django-axes keeps, as text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(a::text, chr(10)) FROM axes_accessattempt a")
        return cursor.fetchone()[0] or ""


def test_the_fifth_wrong_password_locks_and_the_page_says_how_long_and_what_to_do():
    assert LIMIT == 5
    assert mistype("anna") == [200, 200, 200, 200, 429]
    answer = log_in("anna", password("anna"))
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "900"
    assert LOCKED in answer.content.decode()
    assert 'name="next" value="/"' in answer.content.decode()
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "_auth_user_id" not in answer.client.session


def test_the_page_says_so_under_asgi_too():
    mistype("anna")
    answer = async_to_sync(AsyncClient().post)("/login/", {"username": "anna", "password": password("anna")})
    assert answer.status_code == 429
    assert LOCKED in answer.content.decode()


@pytest.mark.parametrize("where", [None, "T1-left"])
def test_only_this_person_is_locked_and_only_at_this_terminal(tokens, where):
    mistype("anna", tokens[where])
    for login in ("anna", "boris"):
        for terminal, token in tokens.items():
            expected = 429 if (login, terminal) == ("anna", where) else 302
            assert log_in(login, password(login), token).status_code == expected, (login, terminal)


def test_the_address_never_matters():
    """A casino has one address, and whoever guesses has many."""
    for number in range(LIMIT):
        log_in("anna", "wrong", REMOTE_ADDR=f"10.0.0.{number}", HTTP_X_FORWARDED_FOR=f"10.1.0.{number}")
    elsewhere = {"REMOTE_ADDR": "10.2.0.1", "HTTP_X_FORWARDED_FOR": "10.3.0.1", "HTTP_USER_AGENT": "Other"}
    assert log_in("anna", password("anna"), **elsewhere).status_code == 429
    assert log_in("boris", password("boris"), REMOTE_ADDR="10.0.0.1").status_code == 302
    assert "10.0." not in stored()
    assert "10.1." not in stored()


def test_a_login_is_the_same_however_it_is_written():
    for written in ("anna", "Anna", " ANNA ", "ａｎｎａ", "AnnA"):
        log_in(written, "wrong")
    assert log_in("anna", password("anna")).status_code == 429


def test_a_right_password_forgets_the_wrong_ones():
    for _ in range(2):
        assert mistype("anna", times=LIMIT - 1) == [200] * (LIMIT - 1)
        assert log_in("anna", password("anna")).status_code == 302


def test_a_lock_ends_by_itself_and_trying_does_not_prolong_it():
    mistype("anna")
    ends = AccessAttempt.objects.get().attempt_time
    assert mistype("anna", times=2) == [429, 429]
    assert AccessAttempt.objects.get().attempt_time == ends
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - settings.AXES_COOLOFF_TIME)
    assert mistype("anna", times=1) == [200]
    assert log_in("anna", password("anna")).status_code == 302


def test_the_log_tells_of_each_lock_once_and_of_nobody_by_name(tokens):
    mistype("anna", times=LIMIT + 2)
    mistype("anna", tokens["T1-left"], times=LIMIT + 2)
    first, second = entries("staff.locked")
    ref = person("anna").ref
    assert (first["chain"], first["by"], first["subject"], first["terminal"]) == ("house", "system", ref, None)
    assert (first["facts"], second["facts"]) == ({"staff": ref}, {"staff": ref, "terminal": "T1-left"})
    assert second["terminal"] == "T1-left"
    assert "anna" not in json.dumps([first, second])


def test_many_wrong_passwords_at_once_are_one_lock():
    before = len(entries("staff.locked"))
    factories.at_once(*[lambda: log_in("anna", "wrong")] * (LIMIT + 3))
    assert log_in("anna", password("anna")).status_code == 429
    assert len(entries("staff.locked")) == before + 1


def test_a_login_that_nobody_has_is_locked_alike_and_is_not_told():
    assert mistype("nobody") == mistype("anna")
    assert len(entries("staff.locked")) == 1


def test_nothing_that_was_typed_is_kept():
    log_in("hunter2", "hunter3")
    log_in("anna", "hunter4")
    assert AccessAttempt.objects.count() == 2
    assert "hunter" not in stored()
    assert "anna" not in stored()


def test_logins_and_logouts_leave_no_trace_beside_the_session():
    client = log_in("anna", password("anna")).client
    assert client.post("/logout/").status_code == 302
    assert AccessAttempt.objects.count() == 0
    with pytest.raises(Exception, match="permission denied"):
        AccessLog.objects.count()


def test_who_has_left_does_not_log_in():
    with transaction.atomic():
        staff.leave(staff=person("anna"), actor=actor("ida", "frank"))
    assert log_in("anna", password("anna")).status_code == 200


def test_a_password_is_checked_without_a_request_too():
    assert authenticate(username="anna", password=password("anna")) == person("anna")
    assert authenticate(username="anna", password="wrong") is None
    assert AccessAttempt.objects.count() == 0


# Unlocking.


def unlock(login, whom):
    return factories.send(factories.client(login), f"/api/v1/staff/{person(whom).pk}/unlock/", {})


@pytest.mark.parametrize("login", ["clara", "frank", "ida"])
def test_a_pit_boss_or_an_administrator_unlocks_everywhere(tokens, login):
    mistype("anna")
    mistype("anna", tokens["T1-left"])
    mistype("boris")
    assert unlock(login, "anna").status_code == 200
    for token in (None, tokens["T1-left"]):
        assert log_in("anna", password("anna"), token).status_code == 302
    assert log_in("boris", password("boris")).status_code == 429
    [entry] = entries("staff.unlocked")
    assert (entry["by"], entry["facts"]) == (person(login).ref, {"staff": person("anna").ref})


@pytest.mark.parametrize("login", ["anna", "hugo", "david"])
def test_nobody_else_unlocks(login):
    mistype("boris")
    assert is_refused(unlock(login, "boris"), 403, "not_your_right")
    assert log_in("boris", password("boris")).status_code == 429


def test_who_is_not_locked_is_not_unlocked():
    mistype("anna", times=LIMIT - 1)
    before = factories.written()
    assert is_refused(unlock("clara", "anna"), 409, "not_locked")
    assert is_refused(factories.send(factories.client("clara"), "/api/v1/staff/999999/unlock/", {}), 404, "not_found")
    assert factories.written() == before
    assert mistype("anna", times=1) == [429]


def test_the_page_of_terminals_shows_who_is_locked_and_unlocks(tokens):
    mistype("anna", tokens["T1-left"])
    clara, path, anna = factories.client("clara"), f"/tables/{table().pk}/enrol/", person("anna")
    assert f"Staff {anna.pk}, Anna Adler is locked out at T1-left." in clara.get(path).content.decode()
    assert clara.post(path, {"unlock": anna.pk}).status_code == 302
    assert "locked out" not in clara.get(path).content.decode()
    assert log_in("anna", password("anna"), tokens["T1-left"]).status_code == 302


# Too much that is wrong in the whole house.

WRONG = (
    "The login or the password is wrong, and so were many others within this minute."
    " Wait a minute and enter both again."
)


@pytest.fixture
def flood():
    """So much was wrong in this minute, and is in those to come, that more is refused."""
    now = timezone.now().replace(second=0, microsecond=0)
    minutes = [now + dt.timedelta(minutes=number) for number in range(60)]
    WrongLogins.objects.bulk_create([WrongLogins(minute=minute, number=settings.WRONG_LOGINS) for minute in minutes])


def wrong():
    """How many were wrong, with the name of somebody and of nobody."""
    counted = WrongLogins.objects.values_list("number", "unknown")
    return sum(number - unknown for number, unknown in counted), sum(unknown for _, unknown in counted)


def test_what_is_wrong_is_counted_in_the_whole_house_by_number_alone():
    assert log_in("anna", password("anna")).status_code == 302
    assert wrong() == (0, 0)
    log_in("anna", "wrong")
    assert wrong() == (1, 0)
    # A form without a login is none.
    for login in ("nobody-has-this", "nor-this", "nor-this", "", "1 2"):
        assert log_in(login, "wrong").status_code == 200
    assert wrong() == (1, 4)
    assert sign("anna", signature("nor-that", "wrong")) == "signature_wrong"
    assert sign("anna", signature("clara", "wrong")) == "signature_wrong"
    assert wrong() == (2, 5)


def test_beyond_their_limit_whatever_is_wrong_is_answered_alike_and_who_is_right_gets_in(flood):
    answers = [log_in(login, "wrong") for login in ("anna", "nobody-has-this")]
    for answer in answers:
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "60"
        assert WRONG in answer.content.decode()
    varying = r'csrfmiddlewaretoken" [^>]*|csrf-token" [^>]*'
    pages = {re.sub(varying, "", answer.content.decode()) for answer in answers}
    assert len(pages) == 1
    assert log_in("anna", password("anna")).status_code == 302
    assert sign("anna", signature("clara", "wrong")) == "many_wrong_logins"
    assert sign("anna", signature("nobody-has-this", "wrong")) == "many_wrong_logins"
    assert sign("anna", signature("clara")) == "clara"


@pytest.mark.parametrize("flooded", [False, True])
def test_a_name_that_nobody_has_costs_as_many_statements_as_a_known_one(request, flooded):
    if flooded:
        request.getfixturevalue("flood")
    for _ in range(LIMIT - 1):
        asked = []
        for login in ("boris", "nobody-has-this"):
            with CaptureQueriesContext(connection) as queries:
                log_in(login, "wrong")
            asked.append([query["sql"].split()[0] for query in queries])
        assert asked[0] == asked[1]


def test_who_mistypes_in_a_flood_is_locked_out_as_ever(flood):
    assert mistype("anna", times=LIMIT + 1) == [429] * (LIMIT + 1)
    assert LOCKED in log_in("anna", password("anna")).content.decode()
    assert len(entries("staff.locked")) == 1


# Signatures.


def asking(login, token=None):
    """A command of somebody who is logged in, at a terminal."""
    request = RequestFactory().post("/", headers={"Idempotency-Key": "k"})
    request.user, request.data = person(login), {}
    if token:
        request.COOKIES[settings.TERMINAL_COOKIE_NAME] = token
    return request


def signature(login, word=None):
    return {"login": login, "password": password(login) if word is None else word}


def sign(by, signed, token=None, right=Right.RULE, code="T1"):
    """The code of the refusal, or who signed."""
    try:
        return signatures.signed(asking(by, token), signed, table=table(code), right=right).login
    except Refused as refused:
        return refused.code if refused.path.startswith("signature") and refused.way_out else refused.shape()


def test_a_signature_is_a_password_and_a_right_at_the_table():
    assert sign("anna", signature("clara")) == "clara"
    assert sign("clara", signature("Clara ", password("clara"))) == "clara"
    assert sign("anna", signature("clara", "wrong")) == "signature_wrong"
    assert sign("anna", signature("nobody", "wrong")) == "signature_wrong"
    assert sign("anna", signature("frank")) == "signature_without_right"
    assert sign("anna", signature("david")) == "signature_without_right"
    with transaction.atomic():
        staff.leave(staff=person("clara"), actor=actor("ida", "frank"))
    assert sign("anna", signature("clara")) == "signature_wrong"


@pytest.mark.parametrize(
    ("signed", "code"),
    [
        (None, "field_missing"),
        ({}, "field_missing"),
        ([], "field_missing"),
        ({"login": "clara"}, "field_missing"),
        ({"login": "clara", "password": 1}, "field_wrong"),
        ({"login": "clara", "password": "\ud800"}, "field_wrong"),
        ({"login": "\ud800", "password": "x"}, "field_wrong"),
        ({"login": "clara", "password": "x", "pin": 1}, "field_unknown"),
        ({"login": "clara\0", "password": "x\0"}, "signature_wrong"),
        ({"login": "", "password": ""}, "signature_wrong"),
        ({"login": "c" * 5000, "password": "x" * 5000}, "signature_wrong"),
    ],
)
def test_what_is_no_signature_is_refused(signed, code):
    assert sign("anna", signed) == code


def test_wrong_signatures_lock_at_this_terminal_as_wrong_logins_do(tokens):
    here = tokens["T1-left"]
    told = [sign("anna", signature("clara", "wrong"), here) for _ in range(LIMIT)]
    assert told == ["signature_wrong"] * (LIMIT - 1) + ["locked"]
    assert sign("anna", signature("clara"), here) == "locked"
    assert log_in("clara", password("clara"), here).status_code == 429
    assert sign("anna", signature("clara"), tokens["T1-right"]) == "clara"
    assert log_in("clara", password("clara")).status_code == 302
    assert [entry["facts"]["terminal"] for entry in entries("staff.locked")] == ["T1-left"]


def test_a_right_signature_forgets_the_wrong_ones():
    for _ in range(2):
        told = [sign("anna", signature("clara", "wrong")) for _ in range(LIMIT - 1)]
        assert told == ["signature_wrong"] * (LIMIT - 1)
        assert sign("anna", signature("clara")) == "clara"


def test_a_signature_within_a_transaction_is_a_mistake_of_ours():
    """A refusal would roll the count back, and a thousand guesses would be free."""
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        sign("anna", signature("clara", "wrong"))


def two(by, signed, code="T1"):
    try:
        signer, right = signatures.second(asking(by), signed, table=table(code))
    except Refused as refused:
        return refused.status, refused.code
    with transaction.atomic():
        signatures.still_signed(signer, right, table(code).pk)
    return signer.login, right


@pytest.mark.parametrize(
    ("by", "signer", "told"),
    [
        ("anna", "clara", ("clara", Right.RULE)),
        ("clara", "anna", ("anna", Right.COUNTERSIGN)),
        ("clara", "frank", ("frank", Right.COUNTERSIGN)),
        ("clara", "clara", (422, "same_person")),
        ("anna", "anna", (422, "same_person")),
        ("anna", "frank", (403, "signature_without_right")),
        ("anna", "boris", (403, "signature_without_right")),
        ("clara", "boris", (403, "signature_without_right")),
        ("clara", "ida", (403, "signature_without_right")),
        ("david", "clara", (403, "signature_without_right")),
    ],
)
def test_of_two_people_one_rules_here_and_the_other_may_countersign(by, signer, told):
    assert two(by, signature(signer)) == told


def test_a_signature_is_asked_again_under_the_lock():
    signer, right = signatures.second(asking("clara"), signature("anna"), table=table())
    with transaction.atomic():
        staff.sign_off(table=table(), actor=actor("clara"))
    with pytest.raises(Refused, match="may not sign"), transaction.atomic():
        signatures.still_signed(signer, right, table().pk)
    clara = signatures.signed(asking("anna"), signature("clara"), table=table(), right=Right.RULE)
    with transaction.atomic():
        staff.leave(staff=person("clara"), actor=actor("ida", "frank"))
    with pytest.raises(Refused, match="may not sign"), transaction.atomic():
        signatures.still_signed(clara, Right.RULE, table().pk)


def ruling(signed, version=4):
    return {
        "version": version, "kind": "rule", "box": 1, "arguments": {"what": "void", "clause": "split.30"},
        "signature": signed,
    }  # fmt: skip


@pytest.fixture
def deciding():
    """A round in which a pit boss may rule, by the address of its actions."""
    opened = factories.open_round(table())
    factories.act_all(opened, factories.FLUSH_WINS[:4])
    return f"/api/v1/rounds/{opened.pk}/actions/"


def test_a_wrong_signature_over_http_is_counted_although_nothing_else_happens(deciding, tokens):
    anna, before = factories.client("anna"), factories.written()
    anna.cookies[settings.TERMINAL_COOKIE_NAME] = tokens["T1-left"]
    for _ in range(LIMIT - 1):
        answer = factories.send(anna, deciding, ruling(signature("clara", "wrong")))
        assert is_refused(answer, 403, "signature_wrong", path="signature")
    assert factories.written() == before
    for word in ("wrong", password("clara")):
        answer = factories.send(anna, deciding, ruling(signature("clara", word)))
        assert is_refused(answer, 429, "locked", path="signature")
        assert answer.headers["Retry-After"] == "900"
    assert log_in("clara", password("clara"), tokens["T1-left"]).status_code == 429
    assert anna.get("/api/v1/tables/").status_code == 200


def test_a_password_is_stored_nowhere_not_even_as_a_digest_of_the_command(deciding):
    """The same command whatever its password is: what is kept of it can tell nothing."""
    anna = factories.client("anna")
    first = factories.send(anna, deciding, ruling(signature("clara")), key="k")
    assert first.status_code == 200, first.content
    with transaction.atomic():
        clara = person("clara")
        clara.set_password("another-1")
        clara.save()
    again = factories.send(anna, deciding, ruling(signature("clara", "another-1")), key="k")
    assert (again.status_code, again.headers.get("Idempotency-Replayed")) == (200, "true")
    other = factories.send(anna, deciding, ruling(signature("clara", "another-1"), version=5), key="k")
    assert is_refused(other, 422, "key_reused")
    assert "another-1" not in "".join(Entry.objects.values_list("body", flat=True))


def test_what_can_be_no_login_is_looked_up_nowhere():
    assert [lockout.plain(text) for text in ("Anna", "1a", "a b", "anna\0", "é", "a" * 41)] == ["anna", *[""] * 5]
