"""Every command of REST sent again: after a lost answer, with other content, while it or its table is still at work."""

import functools
import hashlib
import json
import re
import time

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.db import transaction
from django.urls import resolve

from audit import log
from audit.log import Actor
from casino.models import Command
from casino.roles import Right
from tables.models import Round
from tables.verbs import interventions, standing
from tables.words import rights

from ...casino.web.test_idempotency import REPLAYED, held
from ...casino.web.test_openapi import routes
from ...support import factories
from ...support.commands import COMMANDS, boss
from ..people.test_terminals import everything
from .test_rest import is_refused

# A person who leaves the table or its session by these sends nothing else.
CHANGE_HANDS = {"sign on", "sign off", "open session"}
SIGNED = [name for name, command in COMMANDS.items() if command.signed]


@pytest.fixture
def one(seeded_db):
    """T1, where one round is settled."""
    return factories.settled_round(factories.table("T1"), factories.FOLDS).table


def go_on(table):
    """Something else happens at the table."""
    with transaction.atomic():
        newest = table.rounds.exclude(status=Round.Status.VOIDED).last()
        interventions.report(standing=standing.locked(newest.pk), clause="split.34", actor=Actor(boss(table)))


def others(table, path, body):
    """What makes another command of the same sender: each number changed, and another address."""
    for name, value in body.items():
        if isinstance(value, int):
            yield path, body | {name: value + 1}
    if ("/drop-boxes/" in path or "/tips/" in path) and path.endswith(("/counts/", "/sign/")):
        # The count team reaches no round.
        yield path.replace("/sign/", "/counts/"), {"denominations": {"500": 99}}
    else:
        yield f"/api/v1/rounds/{table.rounds.first().pk}/report/", {"clause": "split.34"}


# What only lets in: the command asks for more once it knows what it is about.
LETS_IN = {Right.SEE_TABLE, Right.READ_SLIPS, Right.READ_DROP_BOXES}


# A try to settle leaves no entry of its own; a file of a report has its entry when it is made.
NO_ENTRY = ("/try/", "/report-files/", "/edge/", "/edge/seek/", "/cancel/")


def assert_used(login, path, before):
    """The access review says so of the right that the address takes, and of another one where that only lets in."""
    now = rights.last_uses(factories.person(login))
    used = {right for right, use in now.items() if use.at and use != before.get(right)}
    view = resolve(path).func.view_class
    right = getattr(view, "right", view.rights["POST"])
    assert right in used or (right in LETS_IN and used) or path.endswith(NO_ENTRY)


# What their answers show is kept nowhere: a token, a one-time code.
SHOWN_ONCE = {
    "/api/v1/tables/{table_id}/terminals/",
    "/api/v1/staff/",
    "/api/v1/report-tokens/",
    "/api/v1/staff/{staff_id}/return/",
    "/api/v1/staff/{staff_id}/codes/",
}


def test_every_address_that_takes_a_key_is_here():
    taking = {path for path, methods in routes() if "post" in methods} - SHOWN_ONCE
    known = {f"/api/v1/{command.route}" for command in COMMANDS.values()}
    assert taking == {path.replace("<int:", "{").replace(">", "}") for path in known}


@pytest.mark.parametrize("name", COMMANDS)
def test_after_a_lost_answer_the_same_again_gives_it_byte_for_byte(name, one):
    login, path, body = COMMANDS[name].at(one)
    client, last_uses = factories.client(login), rights.last_uses(factories.person(login))
    first = factories.send(client, path, body, key="k")
    assert first.status_code in {200, 201}, first.content
    assert_used(login, path, last_uses)
    go_on(one)
    before = factories.written()
    again = factories.send(client, path, body, key="k")
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert (first.headers.get(REPLAYED), again.headers.get(REPLAYED)) == (None, "true")
    for address, other in others(one, path, body):
        assert is_refused(factories.send(client, address, other, key="k"), 422, "key_reused", path="Idempotency-Key")
    assert factories.written() == before


@pytest.mark.parametrize("name", SIGNED)
def test_a_signature_is_asked_again_and_kept_nowhere(name, one):
    login, path, body = COMMANDS[name].at(one)
    client = factories.client(login)
    assert factories.send(client, path, body, key="k").status_code in {200, 201}
    before = factories.written()
    wrong = {"login": body["signature"]["login"], "password": "wrong-1"}
    assert is_refused(factories.send(client, path, body | {"signature": wrong}, key="k"), 403, "signature_wrong")
    assert factories.written() == before
    # Its row knows the content by a digest, in which the password is not.
    told = ["POST", path, body | {"signature": {"login": wrong["login"]}}]
    assert Command.objects.get().content == hashlib.sha256(canonical(told)).hexdigest()
    kept, password = everything(), body["signature"]["password"]
    for secret in (password, *digests(password), *digests(canonical(["POST", path, body]).decode())):
        assert secret not in kept


@pytest.mark.parametrize("name", SIGNED)
def test_without_a_key_no_password_is_tried(name, one):
    login, path, body = COMMANDS[name].at(one)
    before = factories.written()
    wrong = body | {"signature": {"login": body["signature"]["login"], "password": "wrong-1"}}
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        refused = factories.client(login).post(path, wrong, content_type="application/json")
        assert is_refused(refused, 400, "key_missing", path="Idempotency-Key")
    assert factories.written() == before
    assert not AccessAttempt.objects.exists()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def digests(text):
    return [hashlib.new(kind, text.encode()).hexdigest() for kind in ("md5", "sha1", "sha256", "sha512")]


@pytest.fixture
def sent(one):
    """Each command with a client of its own, all logged in before anything is locked."""
    ready = [command.at(one) for name, command in COMMANDS.items() if name not in CHANGE_HANDS]
    return [(factories.client(login), path, body) for login, path, body in ready]


def in_flight(sent):
    """Whether all, sent at once with the key `k`, are asked after 3 s to come back."""

    def signed(*command):
        """The answer, asked again while too many passwords are hashed at once, which a slow machine may say."""
        while (answer := factories.send(*command, key="k")).status_code == 429:
            assert answer.json()["code"] == "too_many_logins"
        return answer

    before, begun = factories.written(), time.monotonic()
    answers = factories.at_once(*(functools.partial(signed, *command) for command in sent))
    # What they wait for is held still: they did not wait for that. No less than they may, however slow the machine is.
    assert time.monotonic() - begun > 2.9
    for answer in answers:
        assert is_refused(answer, 409, "in_flight", detail={"retry_after": 1})
        assert answer.headers["Retry-After"] == "1"
    assert factories.written() == before
    return True


def test_while_the_same_key_is_at_work_each_command_is_told_to_come_back(sent, owner_connection):
    owner_connection.execute("BEGIN")
    for login in ("anna", "clara", "david", "hugo", "ida", "olga", "petra"):
        owner_connection.execute(
            "INSERT INTO casino_command (staff_id, key, content) VALUES (%s, 'k', '')", [factories.person(login).pk]
        )
    assert in_flight(sent)


def test_while_its_table_is_at_work_each_command_is_told_to_come_back(sent, owner_connection):
    held(owner_connection, "T1")
    # What `unlock` waits for, and what a change of a setting does.
    owner_connection.execute("SELECT FROM axes_accessattempt FOR UPDATE")
    owner_connection.execute("SELECT FROM audit_chain WHERE key = %s FOR UPDATE", [log.HOUSE])
    # Neither the cage nor the tip box, a gaming day, the file of a report nor an edge waits for a table.
    alone = "/v1/(cage|tips|days|report-files)/|/edge/"
    assert in_flight([command for command in sent if not re.search(alone, command[1])])
