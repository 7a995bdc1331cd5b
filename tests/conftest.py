"""Fixtures: databases that the app's role works on, connections of the other roles, a running stack, a browser."""

import psycopg
import pytest

from casino import embedded
from tests import stack


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment):
    """Each worker's own clone of the migrated template; the `db` fixture rolls back on it as the app's role."""
    with stack.clone(stack.TEMPLATE) as database, stack.django_on(database):
        yield database


@pytest.fixture
def transactional_db():
    """Django's flush between tests cannot pass the append-only triggers."""
    pytest.fail("Use fresh_db: a clone of its own with real commits.")


@pytest.fixture
def fresh_db(django_test_environment, django_db_blocker):
    """A new database for one test, with real commits; gives its name."""
    with stack.clone(stack.TEMPLATE) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield database


@pytest.fixture
def seeded_db(django_test_environment, django_db_blocker):
    """Like `fresh_db`, with the demo's pits, people and rounds in it."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield database


def _connection(request, role):
    """A connection to the test's database; it does not see what the `db` fixture has not committed."""
    for name in ("fresh_db", "seeded_db"):
        if name in request.fixturenames:
            break
    else:
        name = "django_db_setup"
    return psycopg.connect(stack.cluster().url(role, request.getfixturevalue(name)), autocommit=True)


@pytest.fixture
def owner_connection(request):
    with _connection(request, embedded.OWNER) as connection:
        yield connection


@pytest.fixture
def auditor_connection(request):
    with _connection(request, embedded.AUDITOR) as connection:
        yield connection
