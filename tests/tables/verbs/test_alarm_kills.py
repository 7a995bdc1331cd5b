"""Who looks for alarms is killed in the middle of it, or is not alone: none is lost, none is doubled."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from audit.models import Entry
from casino.running import embedded
from tables.models import Alarm
from tables.verbs import alarms

from ...support import factories, stack, waiting
from .test_chip_races import Looker

LOOKS = """
import django
django.setup()
from tables.verbs import alarms
print(alarms.look())
"""
# What another transaction holds for which the look waits: before the table, before the alarm, before its entry and
# before what that stands in.
HELD = {
    "before the table": "SELECT FROM tables_table WHERE id = 1 FOR UPDATE",
    "before the alarm": "LOCK TABLE tables_alarm IN SHARE MODE",
    "before the chain": "SELECT FROM audit_chain WHERE key = 'table:1' FOR UPDATE",
    "before the entry": "LOCK TABLE audit_entry IN SHARE MODE",
}


@contextlib.contextmanager
def looking(cluster, database, held, times=1):
    """Processes that look for alarms and have got as far as what another one holds."""
    with cluster.connect(embedded.OWNER, database) as owner, cluster.connect() as server:
        owner.execute(f"BEGIN; {held}")
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", LOOKS], cwd=stack.BASE_DIR, env=dict(os.environ), stdout=subprocess.PIPE
            )
            for _ in range(times)
        ]
        try:
            waiting.until(lambda: len(_wait(server, database)) == times)
            yield server, owner, processes
        finally:
            for process in processes:
                process.kill()
                process.communicate(timeout=waiting.PATIENCE)


def _wait(server, database):
    """The processes of the database that wait for a lock there."""
    waits = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    return [pid for (pid,) in server.execute(waits, [database]).fetchall()]


def check_one_each(held, *, ended=False):
    """Each of the held rounds has one alarm, raised by one entry, and ended by one or standing."""
    assert sorted(Alarm.objects.values_list("subject", flat=True)) == sorted(round_.ref for round_ in held)
    assert Alarm.objects.standing().count() == (0 if ended else len(held))
    assert Entry.objects.filter(event="alarm.raised").count() == len(held)
    assert Entry.objects.filter(event="alarm.over").count() == (len(held) if ended else 0)
    Looker().look()


@pytest.mark.parametrize("lock", HELD.values(), ids=HELD)
def test_a_look_that_is_killed_is_made_good_by_the_next_as_it_raises_and_as_it_ends(seeded_db, lock):
    held = [factories.hold(factories.open_round(factories.table(code))) for code in ("T2", "T1")]
    cluster = stack.cluster()

    def kill():
        with looking(cluster, seeded_db, lock) as (server, _, (process,)):
            (pid,) = _wait(server, seeded_db)
            process.send_signal(signal.SIGKILL)
            assert process.wait(waiting.PATIENCE) == -signal.SIGKILL
        # Once the lock is free the database finds that nobody is there to commit.
        gone = "SELECT FROM pg_stat_activity WHERE pid = %s"
        with cluster.connect() as server:
            waiting.until(lambda: server.execute(gone, [pid]).fetchone() is None)

    kill()
    assert not Alarm.objects.filter(table__code="T1").exists()
    alarms.look()
    check_one_each(held)
    for round_ in held:
        factories.release(round_)
    kill()
    assert Alarm.objects.standing().filter(table__code="T1").exists()
    alarms.look()
    check_one_each(held, ended=True)
    assert alarms.look() == (0, 0)


def test_processes_that_look_at_once_raise_and_end_each_once(seeded_db):
    held = [factories.hold(factories.open_round(factories.table(code))) for code in ("T1", "T2")]
    cluster = stack.cluster()

    def look_at_once():
        with looking(cluster, seeded_db, HELD["before the alarm"], times=3) as (_, owner, processes):
            owner.execute("ROLLBACK")
            counts = [process.communicate(timeout=waiting.PATIENCE)[0].decode() for process in processes]
        return sorted(counts)

    made = look_at_once()
    assert sum(int(count[1]) for count in made) == 2
    check_one_each(held)
    for round_ in held:
        factories.release(round_)
    assert sum(int(count[4]) for count in look_at_once()) == 2
    check_one_each(held, ended=True)
