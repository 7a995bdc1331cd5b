"""What somebody sends who has a password of the database and has not read the guards (`tests/support/strangers`)."""

from string import Template

import psycopg
import pytest
from django.db import connection, transaction

from casino.running import trial
from casino.running.embedded.cluster import SUPERUSER
from tables.inspections import PARTS

from ..support import stack
from ..support.strangers import ATTACKS
from ..support.strangers.words import ACCEPTED, APP, TOLD, VERIFIED, correction, movement, settlement


def outcome(floor, role, statements):
    """What becomes of a transaction up to its commit, which is not made: the refusal, or `ACCEPTED`."""
    connection = floor.connections[role]
    try:
        connection.execute("BEGIN")
        connection.execute(Template(statements).substitute(floor.names))
        # What waits for the commit is asked now.
        connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except psycopg.Error as error:
        return f"{error.sqlstate} {error.diag.message_primary}"
    else:
        return ACCEPTED
    finally:
        connection.execute("ROLLBACK")


def is_as_said(came, said):
    if said in {ACCEPTED, TOLD, VERIFIED}:
        return came == ACCEPTED
    state, _, words = said.partition(" ")
    return came.startswith(state) and words in came


def with_outcome(said):
    return [
        (role, statements, name)
        for rows in ATTACKS.values()
        for name, (role, statements, of) in rows.items()
        if of == said
    ]


@pytest.mark.parametrize("kind", ATTACKS)
def test_a_stranger_is_refused(floor, kind):
    outcomes = {name: outcome(floor, role, statements) for name, (role, statements, _) in ATTACKS[kind].items()}
    assert not {name: came for name, came in outcomes.items() if not is_as_said(came, ATTACKS[kind][name][2])}


@pytest.mark.parametrize("piece", [movement, settlement, correction])
def test_what_they_are_made_of_is_lawful(floor, piece):
    # Else they would be refused for that.
    assert outcome(floor, APP, piece()) == ACCEPTED


def test_each_is_told_apart():
    names = [name for rows in ATTACKS.values() for name in rows]
    assert len(names) == len(set(names)) >= 200


def differences(floor, role="", statements=""):
    """What an inspection names when statements of a role are done; then they are taken back."""
    named = set()
    with transaction.atomic(), connection.cursor() as cursor:
        if statements:
            cursor.execute(f"SET LOCAL ROLE {role}")
            cursor.execute(Template(statements).substitute(floor.names))
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("RESET ROLE")
        for part in PARTS:
            if part.name == "tables" and "tables_table" not in statements:
                continue  # It reads more than all others.
            named.update(part.look(part.first(0), part.newest(), {})[1])
        transaction.set_rollback(True)
    return named


@pytest.fixture
def before(floor):
    """The differences that the floor has, which nobody attacked."""
    with trial.django_on(stack.cluster().url(SUPERUSER, floor.database)):
        yield differences(floor)


def test_the_next_inspection_names_what_is_not_refused(floor, before):
    assert not [name for *attack, name in with_outcome(TOLD) if differences(floor, *attack) <= before]
