"""A database of before the first release is taken over whole, or refused with a sentence that says how it is kept."""

import re

import pytest

from casino import checks, earlier
from casino.running import backup, embedded
from casino.running.embedded import Failed

from ..sql.test_files import laid_down
from ..support import stack
from .test_checks import connected

APPLIED = "SELECT app, name FROM django_migrations WHERE app IN ('audit', 'casino', 'payouts', 'tables') ORDER BY 1, 2"
SAYS_THE_WAY = (
    r"lacks the last migrations of that time; nothing was changed\. To keep what is there, migrate it with the"
)


# What came since.
SINCE = """
DROP TABLE IF EXISTS casino_websession;
GRANT SELECT, INSERT, UPDATE, DELETE ON django_session TO casino_app;
DROP TABLE IF EXISTS movement_rules;
ALTER TABLE payouts_settlement DROP CONSTRAINT IF EXISTS settlement_result_json;
ALTER TABLE payouts_transfer DROP CONSTRAINT IF EXISTS transfer_units_range,
    DROP CONSTRAINT IF EXISTS transfer_units_positive, ADD CONSTRAINT transfer_units_positive CHECK (units > 0);
"""


def make_earlier(owner, migrations):
    """Let a database be as of then, and say that it was migrated by these."""
    owner.execute(SINCE)
    owner.execute("DELETE FROM django_migrations WHERE app IN ('audit', 'casino', 'payouts', 'tables')")
    for app, name in sorted(migrations):
        owner.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", (app, name))


@pytest.fixture
def owner(fresh_db):
    with stack.cluster().connect(embedded.OWNER, fresh_db) as connection:
        yield connection


def migrate(database, *options):
    return stack.manage("migrate", "--database", "owner", "--no-input", *options, **stack.urls(database))


def unapplied(database):
    with connected(database) as connection:
        return [f"{error.msg} {error.hint or ''}" for error in checks._unapplied(connection)]


def test_a_database_with_all_the_migrations_of_then_is_taken_over_with_all_that_is_in_it(owner, fresh_db):
    before, new = laid_down(owner), owner.execute(APPLIED).fetchall()
    owner.execute("INSERT INTO casino_staff (login, name, password, is_active) VALUES ('anna', 'Anna Adler', '', true)")
    make_earlier(owner, earlier.MIGRATIONS)
    assert unapplied(fresh_db) == [
        "The database lacks migrations: audit.0001_tables, audit.0002_guards, casino.0001_tables and 8 more."
        " Run migrate as the owner."
    ]
    with pytest.raises(RuntimeError, match=f"CommandError: {earlier.NOT_YET}"):
        migrate(fresh_db, "--plan")
    assert set(owner.execute(APPLIED).fetchall()) == earlier.MIGRATIONS
    # Guards are laid down anew, with their sentences.
    owner.execute("DROP TRIGGER moves ON tables_round")
    assert earlier.TAKEN_OVER in migrate(fresh_db)
    assert owner.execute(APPLIED).fetchall() == new
    assert laid_down(owner) == before
    assert owner.execute("SELECT name FROM casino_staff WHERE login = 'anna'").fetchone() == ("Anna Adler",)
    assert unapplied(fresh_db) == []
    assert earlier.TAKEN_OVER not in migrate(fresh_db)


@pytest.mark.parametrize(
    "migrations",
    [
        earlier.MIGRATIONS - {("tables", "0008_closing")},
        earlier.MIGRATIONS | {("tables", "0002_guards")},
        {("casino", "0001_initial"), ("sessions", "0001_initial")},
    ],
    ids=["without the last", "with one of today", "hardly begun"],
)
def test_another_one_of_then_is_not(migrations):
    with pytest.raises(earlier.UnfinishedError, match=SAYS_THE_WAY):
        earlier.is_of(migrations)


def test_what_is_not_taken_over_stays_as_it_is(owner, fresh_db):
    unfinished = earlier.MIGRATIONS - {("tables", "0008_closing")}
    make_earlier(owner, unfinished)
    before = laid_down(owner)
    with pytest.raises(RuntimeError, match=SAYS_THE_WAY) as refused:
        migrate(fresh_db)
    assert "Traceback" not in str(refused.value)
    (said,) = unapplied(fresh_db)
    assert re.search(SAYS_THE_WAY, said)
    assert laid_down(owner) == before
    assert set(owner.execute(APPLIED).fetchall()) == unfinished


def test_a_backup_of_then_is_restored_whole_or_refused(owner, fresh_db, tmp_path):
    make_earlier(owner, earlier.MIGRATIONS)
    backup.dump(stack.cluster().url(embedded.OWNER, fresh_db), tmp_path / "whole")
    assert backup.read(tmp_path / "whole").lacking[:2] == ("audit.0001_tables", "audit.0002_guards")
    make_earlier(owner, earlier.MIGRATIONS - {("tables", "0008_closing")})
    backup.dump(stack.cluster().url(embedded.OWNER, fresh_db), tmp_path / "unfinished")
    with pytest.raises(Failed, match=SAYS_THE_WAY):
        backup.read(tmp_path / "unfinished")
