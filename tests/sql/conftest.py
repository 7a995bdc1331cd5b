"""What the tests of guards share."""

import pytest

from ..support import stack
from ..support.floor import Floor


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        floor = Floor(database)
        yield floor
        for connection in floor.connections.values():
            connection.close()
