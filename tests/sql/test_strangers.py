"""What somebody sends who has a password of the database and has not read the guards (`tests/support/strangers`)."""

from string import Template

import psycopg
import pytest

from ..support.strangers import ATTACKS
from ..support.strangers.words import ACCEPTED, APP, correction, movement, settlement


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


def is_as_said(outcome, refusal):
    state, _, words = refusal.partition(" ")
    return outcome.startswith(state) and words in outcome


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
