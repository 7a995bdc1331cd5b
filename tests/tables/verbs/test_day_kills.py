"""Who closes a gaming day is killed in the middle of it, or the database is: the day stays open, nothing is written,
and the next who signs closes it."""

import contextlib
import os
import signal
import subprocess
import sys

import psycopg
import pytest
from django.db import connections

from audit import log
from audit.models import Entry
from casino.running import embedded, trial
from tables.models import GamingDay
from tables.verbs import days, figures

from ...support import factories, faulty, stack, waiting
from .test_chip_races import Looker

CLOSES = """
import django
django.setup()
from django.db import transaction
from audit.log import Actor
from casino.models import Staff
from tables.verbs import days
clara, hugo = (Staff.objects.get(login=login) for login in ("clara", "hugo"))
with transaction.atomic():
    days.close(day_id={day}, actor=Actor(clara, hugo))
"""
# What another transaction holds for which the closing waits: before it writes the day, before its entry, and before
# what the entry stands in.
HELD = {
    "before the day": "LOCK TABLE tables_gamingday IN SHARE MODE",
    "before the chain": "SELECT FROM audit_chain WHERE key = 'house' FOR UPDATE",
    "before the entry": "LOCK TABLE audit_entry IN SHARE MODE",
}


@contextlib.contextmanager
def closing(day, cluster, database, held, env=None):
    """A process that closes a day and has got as far as what another one holds."""
    with cluster.connect(embedded.OWNER, database) as owner, cluster.connect() as server:
        owner.execute(f"BEGIN; {held}")
        process = subprocess.Popen(
            [sys.executable, "-c", CLOSES.format(day=day.pk)], cwd=stack.BASE_DIR, env=env, stderr=subprocess.PIPE
        )
        try:
            waiting.until(lambda: process.poll() is not None or _waits(server, database))
            assert process.poll() is None, process.stderr.read().decode()
            yield process
        finally:
            process.kill()
            process.communicate(timeout=waiting.PATIENCE)


def _waits(server, database):
    """The process of the database that waits for a lock there."""
    waits = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    return server.execute(waits, [database]).fetchone()


def check_open_then_close(day, before):
    """Nothing of the closing is left; the next one closes the day, once."""
    assert (GamingDay.objects.get(pk=day.pk).status, factories.written()) == ("OPEN", before)
    assert not Entry.objects.filter(event="day.closed").exists()
    assert days.obstacles(day) == []
    Looker().look()
    closed = factories.close_day(day)
    assert Entry.objects.filter(event="day.closed").count() == 1
    assert closed.figures == log.canonical(figures.of_day(day.date).facts())
    Looker().look()


@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
def test_a_closing_that_is_killed_has_closed_nothing_and_the_next_does(seeded_db, held):
    day, before = factories.end_day(), factories.written()
    cluster = stack.cluster()
    with cluster.connect() as server:
        with closing(day, cluster, seeded_db, held, env=dict(os.environ)) as process:
            (pid,) = _waits(server, seeded_db)
            process.send_signal(signal.SIGKILL)
            assert process.wait(waiting.PATIENCE) == -signal.SIGKILL
        # Once the lock is free the database finds that nobody is there to commit.
        gone = "SELECT FROM pg_stat_activity WHERE pid = %s"
        waiting.until(lambda: server.execute(gone, [pid]).fetchone() is None)
    check_open_then_close(day, before)


@pytest.mark.proof
def test_a_database_that_is_killed_in_a_closing_has_closed_nothing_and_the_next_does(
    django_test_environment, django_db_blocker
):
    with trial.new_folder() as folder, django_db_blocker.unblock(), trial.Trial(folder) as started:
        cluster, env = started.cluster, started.environment(trial.TEMPLATE)
        with trial.django_on(env["DATABASE_URL"], sealer=env["SEALER_DATABASE_URL"]):
            day, before = factories.end_day(), factories.written()
            # Lines that are cut say so as they are closed.
            with (
                contextlib.suppress(psycopg.Error),
                closing(day, cluster, trial.TEMPLATE, HELD["before the chain"], env),
            ):
                killed = faulty.Postgres(cluster)
                killed.kill()
            connections.close_all()
            killed.start()
            check_open_then_close(day, before)
