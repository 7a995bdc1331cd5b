"""Two people send the same command at the same moment, each with a key of their own: one has an effect."""

import functools
import time

import pytest
from django.test import override_settings

from casino.models import Staff

from ...support import factories
from ...support.commands import COMMANDS
from .test_rest import is_refused

# Argon2 takes a tenth of a second on purpose, and hundreds of races sign.
QUICK = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])


@pytest.fixture
def table(seeded_db):
    with QUICK:
        for login in ("anna", "clara"):
            person = Staff.objects.get(login=login)
            person.set_password(factories.signature(login)["password"])
            person.save(update_fields=["password"])
        yield factories.settled_round(factories.table("T1"), factories.FOLDS).table


def race(command, table, clients, together):
    """One race. What it wrote is what one command writes, whoever of the two was first."""
    login, path, body = command.at(table)
    if login not in clients:
        clients[login] = (factories.client(login), factories.client(login))
    before = factories.written()
    answers = together(*(functools.partial(factories.send, client, path, body) for client in clients[login]))
    first, second = sorted(answers, key=lambda answer: answer.status_code)
    assert first.status_code in {200, 201}, first.content
    assert is_refused(second, 409, command.late)
    return tuple(after - then for after, then in zip(factories.written(), before, strict=True))


def run(name, table, count):
    """The races of a command: every one of them writes the same."""
    clients = {}
    with factories.side_by_side(2) as together:
        written = {race(COMMANDS[name], table, clients, together) for _ in range(count)}
    assert len(written) == 1, written
    assert sum(next(iter(written))) >= 1


@pytest.mark.parametrize("name", COMMANDS)
def test_of_two_at_once_one_has_an_effect(name, table):
    run(name, table, 50)


@pytest.mark.proof
@pytest.mark.parametrize("name", COMMANDS)
def test_of_two_at_once_one_has_an_effect_500_times(name, table):
    begun = time.monotonic()
    run(name, table, 500)
    print(f"\n{name}: 500 races in {time.monotonic() - begun:.0f} s, one effect each")
