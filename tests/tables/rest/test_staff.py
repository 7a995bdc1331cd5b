"""REST for the people who work here: each step by two, the same person alone refused, no code kept."""

import pytest

from casino.models import Command
from tables.models import OneTimeCode, Posting

from ...support import factories
from ...support.factories import person, table
from .test_rest import is_refused


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a house of its own."""


def send(path, *, by="ida", signed="clara", **body):
    signature = {"signature": factories.signature(signed)} if signed else {}
    return factories.send(factories.client(by), f"/api/v1/{path}", body | signature)


def joined():
    answer = send("staff/", login="carl", name="Carl Conrad", role="croupier", pit=table().pit_id)
    assert answer.status_code == 201
    return answer.json()


def test_a_person_joins_is_posted_moved_leaves_and_returns():
    carl = joined()
    assert not Command.objects.exists(), "a kept answer would keep the code"
    there = f"staff/{carl['staff']}"
    [croupier, cage] = send(f"{there}/postings/", role="cage").json()["postings"]
    assert (cage["posted_by"], cage["posted_with"]) == (person("ida").ref, person("clara").ref)
    ended = send(f"postings/{croupier['id']}/end/").json()["postings"][0]
    assert (ended["ended_by"], ended["ended_with"]) == (person("ida").ref, person("clara").ref)
    lost = send(f"{there}/codes/")
    assert lost.status_code == 201
    assert lost.headers["Cache-Control"] == "no-store"
    assert lost.json()["code"] != carl["code"]
    left = send(f"{there}/leave/").json()
    assert (left["works_here"], left["code"]) == (False, False)
    assert all(posting["ended_at"] for posting in left["postings"])
    assert send(f"{there}/return/").status_code == 200
    shown = factories.client("david").get(f"/api/v1/{there}/").json()
    assert (shown["works_here"], shown["code"], len(shown["postings"])) == (True, True, 2)
    review = factories.client("david").get("/api/v1/staff/").json()["staff"]
    assert [each["postings"] for each in review if each["id"] == carl["staff"]] == [[]]
    assert all(posting["ended_at"] is None for each in review for posting in each["postings"])


def test_one_person_alone_or_oneself_changes_nothing_by_any_of_the_steps():
    anna, ida, karl = person("anna"), person("ida"), person("karl")
    carl = joined()["staff"]
    send(f"staff/{carl}/leave/")
    before = factories.written()
    steps = [
        ("staff/", {"login": "x", "name": "X", "role": "cage"}),
        (f"staff/{anna.pk}/postings/", {"role": "cage"}),
        (f"postings/{Posting.objects.get(staff=anna).pk}/end/", {}),
        (f"staff/{anna.pk}/leave/", {}),
        (f"staff/{anna.pk}/codes/", {}),
        (f"staff/{carl}/return/", {}),
    ]
    for path, body in steps:
        assert is_refused(send(path, signed="ida", **body), 422, "same_person")
        assert is_refused(send(path, signed=None, **body), 422, "field_missing")
        # Who signs may not sign this; who asks may not ask for it.
        assert is_refused(send(path, signed="anna", **body), 403, "signature_without_right")
        assert is_refused(send(path, by="clara", signed="ida", **body), 403, "not_your_right")
    own = Posting.objects.filter(staff=ida).first().pk
    for path, body in (
        (f"staff/{ida.pk}/postings/", {"role": "cage"}),
        (f"postings/{own}/end/", {}),
        (f"staff/{ida.pk}/leave/", {}),
        (f"staff/{ida.pk}/codes/", {}),
    ):
        assert is_refused(send(path, signed="karl", **body), 422, "own_posting")
    # Nor may the one who signs be the person whom it concerns.
    assert is_refused(send(f"staff/{karl.pk}/postings/", signed="karl", role="administrator"), 422, "own_posting")
    assert factories.written() == before
    assert OneTimeCode.objects.filter(ended_at=None).count() == 0
