"""The felt beside a command's answer: who gets it, and that it is never kept."""

import uuid

from casino.models import Command

from ...support import factories

ANTE = {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}}


def acted(client, opened, table, **more):
    prefer = {"Prefer": f"return=minimal, felt={table.pk}"}
    return factories.send(client, f"/api/v1/rounds/{opened.pk}/actions/", ANTE, more=prefer, **more)


def test_a_command_given_again_has_a_felt_of_now_and_its_first_answer_has_none(seeded_db):
    table = factories.table("T1")
    opened, client, key = factories.open_round(table), factories.client("anna"), str(uuid.uuid4())
    first = acted(client, opened, table, key=key)
    assert 'data-version="1"' in first.json()["felt"]
    assert Command.objects.get(key=key).answer == f'{{"id": {opened.pk}, "version": 1}}'
    factories.do(opened, "ante", 2, units=500)
    again = acted(client, opened, table, key=key)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (again.json()["version"], 'data-version="2"' in again.json()["felt"]) == (1, True)


def test_who_does_not_ask_gets_none(seeded_db):
    opened = factories.open_round(factories.table("T1"))
    answer = factories.send(factories.client("anna"), f"/api/v1/rounds/{opened.pk}/actions/", ANTE)
    assert "felt" not in answer.json()


def test_a_table_out_of_reach_gives_none_and_the_command_stands(seeded_db):
    opened, other = factories.open_round(factories.table("T1")), factories.table("T3")
    answer = acted(factories.client("anna"), opened, other)
    assert (answer.status_code, answer.json()) == (200, {"id": opened.pk, "version": 1})
    assert opened.actions.count() == 1


def test_a_refusal_has_none(seeded_db):
    table = factories.table("T1")
    opened, client = factories.open_round(table), factories.client("anna")
    factories.do(opened, "ante", 2, units=500)
    answer = acted(client, opened, table)
    assert (answer.status_code, answer.json()["code"], "felt" in answer.json()) == (409, "stale_version", False)
