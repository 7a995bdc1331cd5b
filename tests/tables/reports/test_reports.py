"""Reports: each figure as another way to it says, the same bytes for whoever asks, and none that changes later."""

import csv
import datetime as dt
import hashlib
import io
import json

import pytest
from django.db import connection, transaction

from audit.events import EVENTS
from audit.models import Entry
from casino.models import Casino
from casino.roles import Right
from tables.models import Count, DropBox, GamingDay, Round, Session, Slip
from tables.reports import catalogue, files, grading, queries, screens
from tables.reports.catalogue import REPORTS, Kind
from tables.reports.period import Period
from tables.verbs import figures

from ...support import factories, stack
from ...support.factories import client, person, table

DAYS = 3


@pytest.fixture(scope="module")
def house(django_test_environment, django_db_blocker):
    """A house with three days behind it, each with everything that reports speak of, and closed; the day of now is
    open. Gives the period of the three days."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        yield furnished()


def furnished():
    for running in Session.objects.running().select_related("table__float_account"):
        factories.close_session(running.table, factories.pile(factories.ledger.balance(running.table.float_account)))
    for ago in range(DAYS, 0, -1):
        with factories.days_ago(ago):
            _night(ago)
    return None
