"""Wrong logins are counted by the minute; those with names that nobody has are one entry a minute, without a name."""

import datetime as dt
import signal
import subprocess
import sys
import threading

import pytest
from django.contrib.auth import authenticate
from django.db import connection
from django.db.models import F, Sum
from django.test import RequestFactory
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.models import Entry
from casino.models import WrongLogins
from casino.running import embedded
from tables.people import wrong_logins

from ...support import proof, stack, waiting
from .test_lockout import LIMIT, entries, log_in, mistype

NOBODY = ("mallory", "eve.adams", "root")


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a floor of its own."""


def counted():
    return sum(WrongLogins.objects.filter(is_logged=False).values_list("unknown", flat=True))


def pass_a_minute():
    """What was counted so far was counted in one minute, which is over; however long the test took."""
    number, minute = counted(), WrongLogins.objects.earliest("minute").minute
    WrongLogins.objects.filter(is_logged=False).delete()
    WrongLogins.objects.create(minute=minute - dt.timedelta(minutes=1), number=number, unknown=number)


def test_each_failed_login_of_nobody_is_counted_by_whatever_door_it_comes():
    for name in NOBODY:
        assert log_in(name, "wrong").status_code == 200
    assert counted() == len(NOBODY)
    # A signature is a password, too.
    authenticate(RequestFactory().post("/"), username="mallory", password="wrong")
    assert counted() == len(NOBODY) + 1


def test_those_that_are_locked_out_are_counted_too():
    mistype("mallory", times=LIMIT + 3)
    assert counted() == LIMIT + 3


def test_people_who_mistype_are_not_counted_as_unknown():
    mistype("anna")
    log_in("boris", "wrong")
    assert counted() == 0


def test_a_minute_s_entry_has_the_number_and_no_name():
    for name in NOBODY:
        log_in(name, "secret-word")
    WrongLogins.objects.update(minute=F("minute") + dt.timedelta(hours=1))
    assert wrong_logins.record() == 0  # it is not over
    WrongLogins.objects.update(minute=F("minute") - dt.timedelta(hours=1))
    pass_a_minute()
    assert wrong_logins.record() == 1
    (entry,) = entries("login.failed")
    assert (entry["chain"], entry["by"], entry["subject"], entry["terminal"]) == ("house", "system", "logins", None)
    minute = WrongLogins.objects.get().minute
    assert entry["facts"] == {"minute": minute.strftime("%Y-%m-%dT%H:%M:00.000000Z"), "number": 3}
    assert wrong_logins.record() == 0
    assert len(entries("login.failed")) == 1
    kept = "".join(Entry.objects.values_list("body", flat=True))
    assert not any(word in kept for word in (*NOBODY, "secret-word"))


def test_a_flood_is_one_entry_a_minute():
    for _ in range(200):
        wrong_logins.count(unknown=True)
    pass_a_minute()
    assert wrong_logins.record() == 1
    assert [entry["facts"]["number"] for entry in entries("login.failed")] == [200]


def test_nobody_counts_in_a_minute_that_has_its_entry():
    wrong_logins.count(unknown=True)
    # As a process that waited for the row while the worker wrote the entry; or whose clock was set back.
    WrongLogins.objects.update(is_logged=True)
    logged = WrongLogins.objects.get()
    wrong_logins.count(unknown=True)
    wrong_logins.count(unknown=True)
    assert all(later.minute > logged.minute for later in WrongLogins.objects.filter(is_logged=False))
    assert (WrongLogins.objects.get(pk=logged.pk).unknown, counted()) == (1, 2)


def test_a_minute_of_known_names_alone_has_no_entry_and_is_forgotten_after_an_hour():
    wrong_logins.count(unknown=False)
    WrongLogins.objects.update(minute=F("minute") - dt.timedelta(minutes=1))
    assert wrong_logins.record() == 0
    assert WrongLogins.objects.get().number == 1
    WrongLogins.objects.update(minute=F("minute") - wrong_logins.KEPT)
    assert wrong_logins.record() == 0
    assert not WrongLogins.objects.exists()
    assert not entries("login.failed")


def test_the_limit_of_the_minute_counts_known_and_unknown_names_and_the_entry_the_unknown_alone():
    for unknown in (False, True, False):
        wrong_logins.count(unknown=unknown)
    assert WrongLogins.objects.aggregate(all=Sum("number"), unknown=Sum("unknown")) == {"all": 3, "unknown": 1}
    WrongLogins.objects.update(minute=F("minute") + dt.timedelta(minutes=2))
    for zone in ("UTC", "Asia/Tokyo", "America/New_York"):
        # A page shows the time of its house; a minute is the same everywhere.
        with timezone.override(zone):
            assert wrong_logins.in_this_minute() == 3
            assert wrong_logins.record() == 0
    WrongLogins.objects.update(minute=F("minute") - dt.timedelta(minutes=5))
    assert wrong_logins.in_this_minute() == 0
    wrong_logins.record()
    assert sum(entry["facts"]["number"] for entry in entries("login.failed")) == 1


def test_a_minute_that_has_its_entry_is_forgotten_after_an_hour():
    wrong_logins.count(unknown=True)
    pass_a_minute()
    wrong_logins.record()
    WrongLogins.objects.update(minute=F("minute") - wrong_logins.KEPT)
    wrong_logins.record()
    assert not WrongLogins.objects.exists()


@settings(max_examples=max(2, proof.examples(100) // 10), suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(2, 4))
def test_however_many_count_and_record_at_once_each_is_told_once(numbers, workers):
    before = sum(entry["facts"]["number"] for entry in entries("login.failed"))

    def work(number):
        try:
            for _ in range(number):
                wrong_logins.count(unknown=True)
                wrong_logins.record()
        finally:
            connection.close()

    def over():
        try:
            for _ in range(6):
                pass_minutes()
                wrong_logins.record()
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in numbers]
    threads += [threading.Thread(target=over) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pass_minutes()
    wrong_logins.record()
    told = entries("login.failed")
    assert sum(entry["facts"]["number"] for entry in told) == before + sum(numbers)
    minutes = [entry["facts"]["minute"] for entry in told]
    assert len(set(minutes)) == len(minutes)


def pass_minutes():
    """Time passes: whatever was counted lies further back, each minute still by itself."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE casino_wronglogins SET minute = minute - interval '7 days' * (1 + random()) WHERE NOT is_logged"
        )


def test_a_worker_killed_before_it_commits_has_told_nothing_and_the_next_tells_it_once():
    wrong_logins.count(unknown=True)
    pass_a_minute()
    database = connection.settings_dict["NAME"]
    script = "import django; django.setup(); from tables.people import wrong_logins; print(wrong_logins.record())"
    with stack.cluster().connect(embedded.OWNER, database) as owner:
        owner.autocommit = False
        owner.execute("SELECT FROM audit_chain WHERE key = 'house' FOR UPDATE")
        process = subprocess.Popen([sys.executable, "-c", script], cwd=stack.BASE_DIR)
        try:
            waits = "SELECT FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
            with stack.cluster().connect() as server:
                waiting.until(lambda: server.execute(waits, [database]).fetchone() is not None)
            process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
        owner.rollback()
    waiting.until(lambda: wrong_logins.record() == 1)
    (entry,) = entries("login.failed")
    assert entry["facts"]["number"] == 1


@pytest.mark.proof
def test_what_was_counted_in_two_tables_is_taken_over_into_one(django_test_environment):
    database = f"{connection.settings_dict['NAME']}_before"
    minutes = ("2026-11-22 10:00+00", "2026-11-22 10:01+00", "2026-11-22 10:02+00")
    stack.cluster().create_database(database)
    try:
        migrate = ("migrate", "--database", "owner", "--no-input", "-v0")
        for app, number in (("casino", "0004"), ("payouts", "0020"), ("tables", "0006")):
            stack.manage(*migrate, app, number, **stack.urls(database))
        with stack.cluster().connect(embedded.OWNER, database) as owner:
            known, unknown = [(minutes[0], 3), (minutes[1], 4)], [(minutes[1], 5, False), (minutes[2], 6, True)]
            owner.cursor().executemany("INSERT INTO casino_wronglogins VALUES (%s, %s)", known)
            owner.cursor().executemany("INSERT INTO tables_failedlogins VALUES (%s, %s, %s)", unknown)
            owner.commit()
            # In short as far as the one that takes it over.
            stack.manage(*migrate, *proof.size((), ("tables", "0007")), **stack.urls(database))
            rows = owner.execute("SELECT number, unknown, is_logged FROM casino_wronglogins ORDER BY minute").fetchall()
    finally:
        stack.cluster().drop_database(database)
    assert rows == [(3, 0, False), (9, 5, False), (6, 6, True)]
