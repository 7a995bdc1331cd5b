"""The pages of the people who work here: for whom, what they show, and each step by two."""

import re

import pytest
from django.test import Client

from audit.models import Entry
from casino.models import Command, Staff
from tables.models import OneTimeCode, Posting

from ...support import factories
from ...support.factories import person, table

PASSWORD = "velvet-otter-41"


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a house of its own."""


def signed(login="clara"):
    return {f"second_{name}": value for name, value in factories.signature(login).items()}


def send(client, path, **fields):
    return client.post(path, {**signed(), **fields})


def code_in(answer):
    return re.search(r'data-test="code">([0-9A-Z-]{19})<', answer.content.decode())[1]


def first(login, code, password=PASSWORD, again=None):
    return Client().post("/first/", {"login": login, "code": code, "new": password, "again": again or password})


def joined(ida):
    pit = table().pit_id
    answer = send(ida, "/staff/", login="carl", name="Carl Conrad", role="croupier", pit=pit)
    assert answer.status_code == 200
    return person("carl"), code_in(answer)


@pytest.mark.parametrize(
    ("login", "reads", "runs"),
    [("ida", True, True), ("david", True, False), ("clara", False, False), ("hugo", False, False)],
)
def test_administrators_run_what_auditors_read(login, reads, runs):
    client = factories.client(login)
    anna = person("anna")
    for path in ("/staff/", f"/staff/{anna.pk}/", "/staff/review/"):
        answer = client.get(path)
        assert answer.status_code == (200 if reads else 404)
        assert not reads or b"Anna Adler" in answer.content
    assert (b"Add them" in client.get("/staff/").content) is runs
    before = factories.written()
    for path, body in (
        ("/staff/", {"login": "x", "name": "X", "role": "cage"}),
        (f"/staff/{anna.pk}/", {"act": "leave"}),
    ):
        if not runs:
            assert send(client, path, **body).status_code in {403, 404}
    assert factories.written() == before
    assert Entry.objects.filter(event="records.read", by=person(login).ref).exists() is (login == "david")


def test_a_person_joins_is_moved_leaves_and_returns_and_one_alone_does_none_of_it():
    ida = factories.client("ida")
    before = factories.written()
    alone = {"login": "carl", "name": "Carl Conrad", "role": "croupier", **signed("ida")}
    for pit, chosen in ((table().pit_id, f'value="{table().pit_id}" selected'), ("", 'value="" selected')):
        refused = ida.post("/staff/", alone | {"pit": pit})
        assert refused.status_code == 422
        assert chosen in refused.content.decode()
    assert ida.post("/staff/", alone | {"second_password": "wrong"}).status_code == 403
    # Who signs may not sign this.
    assert ida.post("/staff/", alone | signed("anna")).status_code == 403
    assert factories.written() == before
    carl, code = joined(ida)
    page = f"/staff/{carl.pk}/"
    assert code not in ida.get(page).content.decode()
    assert not Command.objects.exists()
    assert first("carl", code, again="another-otter-41").status_code == 422
    assert first("carl", code, "short").status_code == 422
    assert first("anna", code).status_code == 403
    answer = first(" Carl ", code.lower())
    assert answer.headers["Location"] == "/login/?first=1"
    assert first("carl", code).status_code == 403
    client = Client()
    assert client.post("/login/", {"username": "carl", "password": PASSWORD}).status_code == 302
    posting = Posting.objects.get(staff=carl)
    assert send(ida, page, act="post", role="croupier").headers["Location"] == f"{page}?done=post"
    assert ida.post(page, {**signed("ida"), "act": "end", "posting": posting.pk}).status_code == 422
    assert send(ida, page, act="end", posting=posting.pk).status_code == 302
    assert send(ida, page, act="end", posting=posting.pk).status_code == 409
    assert send(ida, page, act="leave").status_code == 302
    assert client.get("/", follow=True).request["PATH_INFO"] == "/login/"
    assert b"Left" in ida.get(page).content
    code = code_in(send(ida, page, act="return"))
    assert not client.login(username="carl", password=PASSWORD)
    assert first("carl", code).status_code == 302
    assert Staff.objects.get(login="carl").is_active
    # Their own page has nothing to send, and what is sent is refused.
    own = f"/staff/{person('ida').pk}/"
    assert b"Let them leave" not in ida.get(own).content
    assert send(ida, own, act="leave").status_code == 422
    assert send(ida, page, act="king").status_code == 404


def test_wrong_codes_lock_out_as_wrong_passwords_do_and_it_is_lifted():
    ida = factories.client("ida")
    carl, code = joined(ida)
    answers = [first("carl", "AAAA-BBBB-CCCC-DDDD").status_code for _ in range(5)]
    assert answers == [403] * 4 + [429]
    locked = first("carl", code)
    assert locked.status_code == 429
    assert locked.headers["Retry-After"]
    assert OneTimeCode.objects.filter(staff=carl, ended_at=None).exists()
    assert b"Locked out" in ida.get("/staff/").content
    assert ida.post(f"/staff/{carl.pk}/", {"act": "unlock"}).status_code == 302
    assert first("carl", code).status_code == 302
