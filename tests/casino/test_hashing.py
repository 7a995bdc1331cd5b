"""Passwords: by which figures they are hashed, and how many at once in the whole house."""

import contextlib
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from argon2 import extract_parameters
from argon2.low_level import Type
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.db import connections, transaction
from django.test import Client, override_settings

from audit import log
from casino import hashing
from casino.errors import Refused
from casino.models import Hashing, Staff
from casino.running import embedded
from tables.people import staff

from ..support import stack, waiting

OWASP = ["casino.hashing.Argon2"]
TAKEN = "SELECT number FROM casino_hashing WHERE number = ANY(%s) FOR UPDATE"


def figures(encoded):
    algorithm, rest = encoded.split("$", 1)
    found = extract_parameters(f"${rest}")
    assert (algorithm, found.type) == ("argon2", Type.ID)
    return found.memory_cost, found.time_cost, found.parallelism


def test_the_figures_are_a_line_of_owasp(db):
    """https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html"""
    with override_settings(PASSWORD_HASHERS=OWASP):
        assert figures(make_password("river-1")) == (19456, 2, 1)


def add_anna(password):
    """The first person of a house, with the hash of a password."""
    with transaction.atomic():
        anna = staff.add(login="anna", name="Anna", password=None, actor=log.SYSTEM)
        Staff.objects.filter(pk=anna.pk).update(password=password)


def test_a_hash_of_before_is_made_anew_at_the_next_login(fresh_db):
    class Before(Argon2PasswordHasher):
        memory_cost, time_cost, parallelism = 1024, 1, 8

    add_anna(Before().encode("river-1", "a salt of before"))
    with override_settings(PASSWORD_HASHERS=OWASP):
        for word, status, expected in (("wrong", 200, (1024, 1, 8)), ("river-1", 302, (19456, 2, 1))):
            assert Client().post("/login/", {"username": "anna", "password": word}).status_code == status
            assert figures(Staff.objects.get().password) == expected


@pytest.fixture
def other(fresh_db):
    """A connection of another process of the house."""
    with psycopg.connect(stack.cluster().url(embedded.APP, fresh_db)) as connection:
        yield connection


@pytest.fixture
def nobody_waits(monkeypatch):
    monkeypatch.setattr(hashing, "PATIENCE_SECONDS", -1)


def test_no_more_than_the_house_s_number_are_hashed_at_once(fresh_db, monkeypatch):
    """Four ask at once; each leaves only when it has seen that the house is full or the others are through."""
    monkeypatch.setattr(hashing, "PATIENCE_SECONDS", waiting.PATIENCE)
    inside, most, lock = [], [], threading.Lock()

    def hashed(_):
        with contextlib.closing(connections["default"]), hashing._turn():
            with lock:
                inside.append(1)
                most.append(len(inside))
            waiting.until(lambda: len(inside) == settings.HASHINGS or len(most) == 4)
            with lock:
                inside.pop()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(hashed, range(4)))
    assert len(most) == 4
    assert max(most) == settings.HASHINGS == 2


def test_beyond_them_a_password_is_refused_and_nothing_is_written(other, nobody_waits):
    other.execute(TAKEN, [[1, 2]])
    before = list(Hashing.objects.values_list())
    with pytest.raises(Refused, match="Too many people are logging in") as refused:
        make_password("river-1")
    assert (refused.value.status, refused.value.detail) == (429, {"retry_after": 5})
    assert list(Hashing.objects.values_list()) == before
    other.rollback()
    assert make_password("river-1")


def test_a_login_leaves_the_first_to_signatures_and_its_page_says_when_to_come_back(other, nobody_waits):
    add_anna(make_password("river-1"))
    other.execute(TAKEN, [[2]])
    assert make_password("another-1")
    for login in ("anna", "nobody-has-this"):
        answer = Client().post("/login/", {"username": login, "password": "river-1", "next": "/"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
        page = answer.content.decode()
        assert "Too many people are logging in at this moment. Wait 5 seconds and enter your password again." in page
        assert 'name="next" value="/"' in page
    other.rollback()
    other.execute(TAKEN, [[1]])
    assert Client().post("/login/", {"username": "anna", "password": "river-1"}).status_code == 302


def test_it_does_not_matter_within_which_transaction_a_password_is_hashed(other, nobody_waits):
    with transaction.atomic():
        add_anna(make_password("river-1"))
        # Given back at once, not when the transaction ends.
        assert len(other.execute(TAKEN, [[1, 2]]).fetchall()) == 2
    other.rollback()
    assert Staff.objects.get().check_password("river-1")


def test_what_a_killed_process_held_is_free(fresh_db, nobody_waits):
    url = stack.cluster().url(embedded.APP, fresh_db)
    code = (
        "import sys, psycopg, time; c = psycopg.connect(sys.argv[1]);"
        f" c.execute({TAKEN!r}, [[1, 2]]); print('taken', flush=True); time.sleep(1e6)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, url], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "taken\n"
        with pytest.raises(Refused):
            make_password("river-1")
    finally:
        holder.kill()
        holder.communicate()

    def free():
        with contextlib.suppress(Refused):
            return make_password("river-1")

    waiting.until(free)


def test_who_waits_in_a_process_is_few_and_the_next_is_told_at_once(other):
    """Each would hold a thread and a connection; patience has no part in it."""
    other.execute(TAKEN, [[1, 2]])
    held = [hashing._waiting.acquire(blocking=False) for _ in range(4)]
    assert held == [True] * 4
    try:
        with pytest.raises(Refused, match="Too many people"):
            make_password("river-1")
    finally:
        for _ in held:
            hashing._waiting.release()
