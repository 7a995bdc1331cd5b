"""What strangers send who have a login and have not read the code (`tests/support/strangers/requests.py`)."""

import json
import uuid
from string import Template

import pytest
from django.test import Client

from casino.models import Staff
from tables.management.commands.seed_demo import OPENER

from ...support import factories, stack
from ...support.strangers.requests import REQUESTS

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    """What the requests name, in strings of their own: T1 has a settled and an open round, with an ante by the key
    `used`."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.stranger()
        one, three = factories.table("T1"), factories.table("T3")
        settled, opened, theirs = factories.settled_round(one), factories.open_round(one), factories.open_round(three)
        shut = factories.close_session(factories.table("G1"), OPENER)
        names = {
            "open": opened.pk,
            "settled": settled.pk,
            "theirs": theirs.pk,
            "payment": settled.settlement.payments.get(box=1).pk,
            "table1": one.pk,
            "table3": three.pk,
            "closed_table": shut.table_id,
        }
        ante = {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}}
        done = factories.send(factories.client("anna"), f"/api/v1/rounds/{opened.pk}/actions/", ante, key="used")
        assert done.status_code == 200
        passwords = {login: factories.signature(login)["password"] for login in ("anna", "clara", "david", "erik")}
        passwords |= {login: factories.signature(login)["password"] for login in ("frank", "hugo", "karl")}
        logins = [*Staff.objects.values_list("login", flat=True)]
        clients = {login: factories.client(login, raise_request_exception=False) for login in logins}
        yield names | passwords, clients | {"nobody": Client(raise_request_exception=False)}


def filled(value, names):
    """The names in a path or a body become what they stand for."""
    if isinstance(value, str):
        return Template(value).safe_substitute(names)
    if isinstance(value, dict):
        return {name: filled(item, names) for name, item in value.items()}
    return [filled(item, names) for item in value] if isinstance(value, list) else value


def answered(floor, who, method, path, body, headers):
    names, clients = floor
    headers = {"Idempotency-Key": str(uuid.uuid4()), **headers}
    headers = {name: value for name, value in headers.items() if value is not None}
    kind = headers.pop("Content-Type", "application/json")
    data = body if isinstance(body, bytes) else json.dumps(filled(body, names)).encode()
    kind = FORM if kind == "form" else kind
    return clients[who].generic(method, filled(path, names), data, content_type=kind, headers=headers)


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_stranger_is_refused(floor, kind):
    before, wrong = factories.written(), {}
    for name, (*request, statuses) in REQUESTS[kind].items():
        answer = answered(floor, *request)
        after = factories.written()
        if answer.status_code not in statuses or after != before:
            wrong[name] = answer.status_code, after == before, answer.content[:200]
        before = after
    assert not wrong


def test_what_they_are_made_of_is_lawful(floor):
    """Else they would be refused for that: the ante is taken, once, by its key."""
    from ...support.strangers.requests import ACT, ANTE

    first, again = (answered(floor, "anna", "POST", ACT, ANTE, {"Idempotency-Key": "lawful"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.content == first.content
