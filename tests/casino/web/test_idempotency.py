"""A command with its key is carried out once, whatever the network and the finger on the button do."""

import datetime as dt
import json
import time

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from casino import tasks
from casino.models import Command, WebSession
from casino.web import idempotency
from tables.models import Action, Round

from ...support import factories, waiting

REPLAYED = "Idempotency-Replayed"


@pytest.fixture
def anna(seeded_db):
    return factories.client("anna")


@pytest.fixture
def opened(anna):
    return factories.open_round(factories.table("T1"))


def rounds_path(code="T1"):
    return f"/api/v1/tables/{factories.table(code).pk}/rounds/"


def actions_path(round_):
    return f"/api/v1/rounds/{round_.pk}/actions/"


def ante(**changes):
    return {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}} | changes


def test_the_same_command_again_gives_the_first_answer_byte_for_byte(anna, opened):
    first = factories.send(anna, actions_path(opened), ante(), key="k")
    factories.do(opened, "ante", 2, units=1000)
    before = factories.written()
    again = factories.send(anna, actions_path(opened), ante(), key="k")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.content == first.content
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
    assert (first.headers.get(REPLAYED), again.headers.get(REPLAYED)) == (None, "true")
    assert factories.written() == before


def test_content_is_compared_and_not_its_spelling(anna, opened):
    first = factories.send(anna, actions_path(opened), ante(), key="k")
    turned = json.dumps(dict(reversed(ante().items())), indent=2)
    again = factories.send(anna, actions_path(opened), turned, key="k")
    assert (again.content, again.headers.get(REPLAYED)) == (first.content, "true")
    assert Action.objects.count() == 1


def test_a_key_that_came_with_another_body_is_refused(anna, opened):
    factories.send(anna, actions_path(opened), ante(), key="k")
    before = factories.written()
    for changes in ({"version": 1}, {"box": 2}, {"arguments": {"units": 1000}}, {"kind": "take_back"}, {"box": None}):
        refused = factories.send(anna, actions_path(opened), ante(**changes), key="k")
        assert refused.status_code == 422, changes
        assert refused.json()["code"] == "key_reused"
        assert refused.json()["path"] == "Idempotency-Key"
        assert refused.json()["way_out"] == "Use a new key for a new command."
        assert factories.written() == before


def test_a_key_that_came_with_another_address_is_refused(anna):
    opening = factories.send(anna, rounds_path(), {}, key="k")
    assert opening.status_code == 201
    before = factories.written()
    refused = factories.send(anna, f"/api/v1/rounds/{opening.json()['id']}/actions/", ante(), key="k")
    assert (refused.status_code, refused.json()["code"]) == (422, "key_reused")
    assert factories.written() == before


def test_two_people_may_use_the_same_key(anna):
    boris = factories.client("boris")
    answers = [factories.send(who, rounds_path(code), {}, key="k") for who, code in ((anna, "T1"), (boris, "T2"))]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [answer.headers.get(REPLAYED) for answer in answers] == [None, None]
    assert Round.objects.count() == 2


def test_a_refusal_keeps_no_row_and_the_key_may_be_used_again(anna, opened):
    before = factories.written()
    refused = factories.send(anna, actions_path(opened), ante(arguments={"units": 1}), key="k")
    assert refused.status_code == 422
    assert factories.written() == before
    done = factories.send(anna, actions_path(opened), ante(), key="k")
    assert (done.status_code, done.headers.get(REPLAYED)) == (200, None)
    assert Command.objects.get().status == 200


def test_a_command_that_breaks_off_keeps_no_row(anna):
    def carry_out(work):
        return idempotency.carry_out(
            staff=factories.person("anna"), key="k", method="POST", path="/", body={}, work=work
        )

    def break_off():
        factories.open_round(factories.table("T1"))
        raise RuntimeError("the process ends here")

    before = factories.written()
    with pytest.raises(RuntimeError, match="ends here"):
        carry_out(break_off)
    assert factories.written() == before
    assert carry_out(lambda: (200, {"é": 1})) == (200, '{"é": 1}', False)
    assert carry_out(break_off) == (200, '{"é": 1}', True)


def test_a_command_without_a_proper_key_is_refused(anna, opened):
    before = factories.written()
    for key in (None, "", "a b", "k" * 81, "ключ", "k\x7f"):
        headers = {} if key is None else {"Idempotency-Key": key}
        refused = anna.post(actions_path(opened), ante(), content_type="application/json", headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (400, "key_missing"), key
        assert "Send a new one for each command" in refused.json()["way_out"]
        assert factories.written() == before


def waiters():
    """How many sessions of this database wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0]


def held(owner_connection, code):
    """A transaction of somebody else that holds the table's row."""
    owner_connection.execute("BEGIN")
    owner_connection.execute("SELECT FROM tables_table WHERE code = %s FOR UPDATE", [code])


def test_two_in_flight_have_one_effect_and_one_answer(anna, owner_connection, monkeypatch):
    monkeypatch.setattr(idempotency, "PATIENCE_SECONDS", waiting.PATIENCE)  # until both are there
    other = factories.client("anna")
    held(owner_connection, "T1")

    def let_go():
        waiting.until(lambda: waiters() == 2)
        owner_connection.execute("COMMIT")

    first, second, _ = factories.at_once(
        lambda: factories.send(anna, rounds_path(), {}, key="k"),
        lambda: factories.send(other, rounds_path(), {}, key="k"),
        let_go,
    )
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert {first.headers.get(REPLAYED), second.headers.get(REPLAYED)} == {None, "true"}
    assert Round.objects.count() == Command.objects.count() == 1


def test_who_waits_for_longer_than_three_seconds_is_told_to_come_back(anna, owner_connection):
    before = factories.written()
    held(owner_connection, "T1")
    begun = time.monotonic()
    refused = factories.send(anna, rounds_path(), {}, key="k")
    # The row is held still: it did not wait for that. No less than it may; how much more is the machine's.
    assert time.monotonic() - begun > 0.95 * idempotency.PATIENCE_SECONDS
    assert (refused.status_code, refused.json()["code"]) == (409, "in_flight")
    assert refused.headers["Retry-After"] == "1"
    owner_connection.execute("COMMIT")
    assert factories.written() == before
    assert factories.send(anna, rounds_path(), {}, key="k").status_code == 201


def test_answers_are_kept_for_48_hours_and_forgotten_after(anna):
    staff = factories.person("anna")
    for key, hours in (("old", 48.01), ("kept", 47.99), ("new", 0)):
        Command.objects.create(staff=staff, key=key, content="", made_at=Now() - dt.timedelta(hours=hours))
    WebSession.objects.create(digest="over", expires_at=timezone.now() - dt.timedelta(days=1))
    tasks.prune()
    assert set(Command.objects.values_list("key", flat=True)) == {"kept", "new"}
    assert not WebSession.objects.filter(digest="over").exists()
    assert anna.get("/api/v1/tables/").status_code == 200
