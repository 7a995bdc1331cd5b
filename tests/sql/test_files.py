"""The guards stand in files of SQL, which migrations name with their digests and lay down."""

import shutil

import pytest
from django.db import connection
from django.db.migrations import Migration, graph, loader
from django.db.migrations.exceptions import BadMigrationError

from casino import database
from casino.database import Sql
from casino.running import embedded

from ..support import stack

APPS = ("casino", "audit", "payouts", "tables")
# Everything that the files lay down, as the database itself writes it.
LAID_DOWN = (
    "SELECT tgrelid::regclass, tgenabled, pg_get_triggerdef(oid), obj_description(oid, 'pg_trigger')"
    " FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgrelid::regclass::text, tgname",
    "SELECT pg_get_functiondef(oid), proacl::text, obj_description(oid, 'pg_proc')"
    " FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
    "SELECT conrelid::regclass, conname, pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint')"
    " FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY conrelid::regclass::text, conname",
    "SELECT key, seq, head FROM audit_chain",
    "SELECT * FROM audit_sealing",
)


def laid_down(owner):
    return [owner.execute(statement).fetchall() for statement in LAID_DOWN]


@pytest.mark.parametrize("app", APPS)
def test_a_file_is_what_the_newest_migration_that_names_it_says(app):
    """A guard is changed in its file, and by a new migration: `Sql(name, digest)` with the digest of the left side."""
    files = {name: database.digest(path) for name, path in database.sql_files(app).items()}
    assert files == {name: digest for name, (_, digest) in database.newest_digests(app).items()}


@pytest.mark.parametrize("app", APPS)
def test_a_file_begins_with_what_it_guards_and_why(app):
    for path in database.sql_files(app).values():
        assert path.read_text("utf-8").startswith("-- "), path


def test_files_may_run_again(django_test_environment):
    with stack.clone(stack.TEMPLATE) as name, stack.cluster().connect(embedded.OWNER, name) as owner:
        before = laid_down(owner)
        for app in APPS:
            for path in database.sql_files(app).values():
                owner.execute(path.read_text("utf-8"))
        assert laid_down(owner) == before


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The apps' files as copies that may be changed."""
    for app in APPS:
        folder = tmp_path / app / "sql"
        folder.mkdir(parents=True)
        for path in database.sql_files(app).values():
            shutil.copy(path, folder)
    monkeypatch.setattr(
        database, "sql_files", lambda app: {path.name: path for path in (tmp_path / app / "sql").iterdir()}
    )
    return tmp_path


class Editor:
    """As much of Django's schema editor as an operation asks for; it writes nothing."""

    connection = connection

    def __init__(self):
        self.statements = []

    def execute(self, statement, params):
        assert params is None
        self.statements.append(statement)


def run(operation, app="tables"):
    editor = Editor()
    operation.database_forwards(app, editor, None, None)
    return editor.statements


def operation(name):
    _, digest = database.newest_digests("tables")[name]
    return Sql(name, digest, calls=["f(int)"])


def test_a_file_that_was_changed_is_not_laid_down(files):
    rounds = files / "tables" / "sql" / "rounds.sql"
    right = operation("rounds.sql")
    assert run(right) == [rounds.read_text(), 'GRANT EXECUTE ON ROUTINE f(int) TO "casino_app"']
    rounds.write_text("SELECT 1;")
    with pytest.raises(
        BadMigrationError, match=r"rounds.sql is not the file that tables.0051_withdrawn_sheets names; write a m"
    ):
        run(right)


def test_a_migration_that_names_an_older_text_passes_over_it(files, monkeypatch):
    """A new database meets the old migration first, whose text is no longer there."""
    rounds = files / "tables" / "sql" / "rounds.sql"
    older = operation("rounds.sql")
    rounds.write_text("SELECT 1;")
    newer = Sql("rounds.sql", database.digest(rounds))
    (newest,) = loader.MigrationLoader(None).graph.leaf_nodes("tables")
    migration = type("Later", (Migration,), {"operations": [newer], "dependencies": [newest]})

    class Loader(loader.MigrationLoader):
        def build_graph(self):
            super().build_graph()
            later = graph.MigrationGraph.add_node
            later(self.graph, ("tables", "9999_later"), migration("9999_later", "tables"))
            self.graph.add_dependency(migration, ("tables", "9999_later"), newest)

    monkeypatch.setattr(database, "MigrationLoader", Loader)
    monkeypatch.setattr(database, "newest_digests", database.newest_digests.__wrapped__)
    assert run(older) == []
    assert run(newer) == ["SELECT 1;"]
