"""docs/guards.md says what the database refuses, as the database itself says it."""

import re

import pytest

from casino import guards

from ..support import stack

PAGE = stack.BASE_DIR / "docs" / "guards.md"


@pytest.fixture(scope="module")
def every(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        return list(guards.guards())


def test_the_page_is_what_the_database_says(db):
    assert PAGE.read_text("utf-8") == guards.document(), "manage.py guards > docs/guards.md writes it anew."


def test_every_guard_has_a_sentence_of_its_own(every):
    """A comment in the database: an operation of casino/database.py brings its own, a file of SQL says it."""
    ours = [guard for guard in every if guard.table in guards.tables()]
    assert len(ours) > 200
    for guard in ours:
        assert re.fullmatch(r"[A-Z].+\.", guard.sentence), guard
        assert "|" not in guard.sentence


def test_every_function_of_a_guard_stands_in_a_file(every):
    assert {guard.function for guard in every if guard.kind == "trigger"} <= guards.files().keys()


def test_what_django_s_own_tables_check_is_not_told(every):
    """They have no triggers of ours, which the page says."""
    assert {guard.table for guard in every if guard.kind == "trigger"} <= guards.tables()
