"""The clock of a database set back for who says so, and put right to the last detail."""

import datetime as dt

import psycopg
import pytest
from django.db import connection, transaction

from audit.log import Actor
from audit.models import Entry
from tables.lab import clock
from tables.verbs import alarms, dates

from ...support import factories, stack

LAST_MONTH = dt.timedelta(days=30)


def shown():
    """The four clocks of this process's connection, and of another one."""
    asked = "SELECT now(), transaction_timestamp(), statement_timestamp(), clock_timestamp()"
    with connection.cursor() as cursor:
        own = cursor.execute(asked).fetchone()
    with psycopg.connect(stack.cluster().url("casino_app", connection.settings_dict["NAME"])) as other:
        return own, other.execute(asked).fetchone()


def test_what_is_done_while_the_clock_is_back_has_its_time_and_its_gaming_day(seeded_db):
    now = dt.datetime.now(dt.UTC)
    today = dates.business_date()
    with clock.adjustable(stack.cluster(), seeded_db):
        # The demo is of today already, and a chain's time does not go back.
        set_ = clock.Clock(now + LAST_MONTH)
        own, other = shown()
        assert all(dt.timedelta(0) <= at - (now + LAST_MONTH) < dt.timedelta(minutes=5) for at in own)
        assert all(dt.timedelta(0) <= at - now < dt.timedelta(minutes=5) for at in other)
        assert dates.business_date() == today + LAST_MONTH
        with transaction.atomic():
            alarms.call(table_id=factories.table().pk, reason="other", actor=Actor(factories.croupier()))
        set_.to(now)
        assert shown()[0][0] > now + LAST_MONTH
        set_.on(hours=1)
        assert shown()[0][0] > now + LAST_MONTH + dt.timedelta(hours=1)
        set_.right()
        assert shown()[0][0] < now + dt.timedelta(minutes=5)
    entry = Entry.objects.get(event="alarm.raised")
    assert entry.at[:10] == f"{now + LAST_MONTH:%Y-%m-%d}"


@pytest.mark.parametrize("fails", [False, True], ids=["in the end", "whatever happens"])
def test_the_clock_is_the_servers_again(seeded_db, fails):
    asked = "SELECT p::text FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace ORDER BY oid"
    with stack.cluster().connect(database=seeded_db) as superuser:
        before = superuser.execute(asked).fetchall()
        try:
            with clock.adjustable(stack.cluster(), seeded_db):
                assert superuser.execute(asked).fetchall() != before
                if fails:
                    raise LookupError
        except LookupError:
            assert fails
        assert superuser.execute(asked).fetchall() == before
        assert superuser.execute("SELECT to_regnamespace('lab')").fetchone() == (None,)
