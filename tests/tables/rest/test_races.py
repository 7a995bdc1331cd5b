"""Two people send the same command at the same moment, each with a key of their own: one has an effect."""

import functools
import time

import pytest

from ...support import factories, proof, waiting
from ...support.commands import COMMANDS
from .test_rest import is_refused


@pytest.fixture
def table(seeded_db):
    return factories.settled_round(factories.table("T1"), factories.FOLDS).table


def insist(client, path, body):
    """The answer to a command that is sent again for as long as another one is at work there."""

    def answered():
        answer = factories.send(client, path, body)
        return (answer.status_code != 409 or answer.json()["code"] != "in_flight") and answer

    return waiting.until(answered)


def race(command, table, clients, together):
    """One race. What it wrote is what one command writes, whoever of the two was first."""
    login, path, body = command.at(table)
    if login not in clients:
        clients[login] = (factories.client(login), factories.client(login))
    before = factories.written()
    answers = together(*(functools.partial(insist, client, path, body) for client in clients[login]))
    first, second = sorted(answers, key=lambda answer: answer.status_code)
    assert first.status_code in {200, 201}, first.content
    assert is_refused(second, 409, command.late) if command.late else second.status_code == first.status_code
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
    """Commands at one address share a verb and its locks: the first of them is raced often, the others a little."""
    first = next(other for other, command in COMMANDS.items() if command.route == COMMANDS[name].route)
    run(name, table, 3 if name == first else 2)


@pytest.mark.proof
@pytest.mark.parametrize("name", COMMANDS)
def test_of_two_at_once_one_has_an_effect_hundreds_of_times(name, table):
    begun, count = time.monotonic(), proof.size(500, 4)
    run(name, table, count)
    print(f"\n{name}: {count} races in {time.monotonic() - begun:.0f} s, one effect each")
