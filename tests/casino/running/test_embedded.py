"""The embedded servers: they start, keep one user to a folder, survive kill -9, and the roles may what they must."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kombu
import psycopg
import pytest

from casino.running import embedded
from casino.running.embedded import Failed, folders, watching

from ...support import stack, waiting


@pytest.fixture
def folder():
    """A short path, since sockets lie below it, that the servers' account can enter."""
    with tempfile.TemporaryDirectory(prefix="casino-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture(scope="module")
def made_once():
    """One cluster for the tests of this module; see `cluster`."""
    with tempfile.TemporaryDirectory(prefix="casino-") as name:
        Path(name).chmod(0o711)
        made = embedded.Cluster(Path(name) / "postgres", durable=False)
        yield made
        made.stop()


@pytest.fixture
def cluster(made_once):
    """The running cluster. A test may stop, kill and break it, but leaves data with which it starts again."""
    if not made_once.alive:
        made_once.start()
    return made_once


@pytest.fixture
def database():
    """An empty database on the test run's own cluster."""
    name = f"casino_roles_{os.getpid()}"
    stack.cluster().create_database(name)
    yield name
    stack.cluster().drop_database(name)


# Starts both servers, names their process ids and waits to be killed.
LAUNCHER = """
import signal, sys
from casino.running import embedded
servers = [embedded.Cluster(sys.argv[1] + "/postgres", durable=False), embedded.Broker(sys.argv[1] + "/broker")]
for server in servers:
    server.start()
print(*(server.process.pid for server in servers), flush=True)
signal.pause()
"""


@contextlib.contextmanager
def altered(path, text):
    """A file that says something else until the end of the block."""
    right = path.read_text()
    path.write_text(text)
    try:
        yield
    finally:
        path.write_text(right)


def _kill(server):
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()


def _runs(pid):
    """Whether a process is there and not merely waits to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except FileNotFoundError:
        return False


def test_data_outlives_a_stop_and_a_kill(cluster):
    with cluster.connect() as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    cluster.stop()
    cluster.start()
    _kill(cluster)
    assert not cluster.alive
    cluster.start()
    with cluster.connect() as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)


def test_a_second_start_on_a_folder_is_refused_in_one_sentence(cluster):
    with pytest.raises(Failed, match=r"^\S+ is in use by another start of the stack; .+\.$"):
        embedded.Cluster(cluster.folder, durable=False).start()
    assert cluster.alive


def test_a_server_that_a_killed_launcher_left_is_replaced(cluster):
    orphan, cluster.process = cluster.process, None
    cluster.stop()  # lets go of the folder alone, as the end of a launcher does
    with embedded.Cluster(cluster.folder, durable=False) as heir:
        assert orphan.wait(waiting.PATIENCE) == 0
        assert heir.alive


def test_a_stale_postmaster_pid_does_not_stop_the_start(cluster):
    cluster.stop()
    ended = subprocess.Popen(["true"])
    ended.wait()
    pid_file = cluster.data / "postmaster.pid"
    pid_file.write_text(f"{ended.pid}\n{cluster.data}\n1700000000\n5432\n{cluster.socket_folder}\n\n")
    pid_file.chmod(0o600)
    if cluster.who:
        os.chown(pid_file, cluster.who.uid, cluster.who.gid)
    cluster.start()
    assert cluster.alive


def test_a_process_that_got_the_number_of_a_killed_server_is_left_alone(cluster):
    _kill(cluster)
    pid_file = cluster.data / "postmaster.pid"
    lines = pid_file.read_text().split("\n")
    as_server = {} if cluster.who is None else {"user": cluster.who.uid, "group": cluster.who.gid, "extra_groups": []}
    with subprocess.Popen(["sleep", "infinity"], **as_server) as stranger:
        try:
            pid_file.write_text("\n".join([str(stranger.pid), *lines[1:]]))
            cluster.start(patience=waiting.PATIENCE)
            assert cluster.alive
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_passwords_of_another_cluster_are_refused_and_nothing_is_changed(cluster):
    cluster.stop()
    kept = cluster.folder / "secrets.json"
    wrong = kept.read_text().translate(str.maketrans("0123456789", "1234567890"))
    with (
        altered(kept, wrong),
        pytest.raises(Failed, match="has not this database's passwords; restore the one made with it"),
    ):
        cluster.start()
    assert not cluster.alive
    cluster.start()
    assert cluster.alive


def test_data_without_its_version_is_never_made_anew(cluster):
    cluster.stop()
    (cluster.data / "PG_VERSION").rename(cluster.folder / "aside")
    before = (cluster.folder / "secrets.json").read_text()
    with pytest.raises(Failed, match=r"is there but no cluster \(PG_VERSION is missing or damaged\)"):
        cluster.start()
    assert (cluster.folder / "secrets.json").read_text() == before
    (cluster.folder / "aside").rename(cluster.data / "PG_VERSION")
    cluster.start()
    assert cluster.alive


def test_data_of_another_version_is_refused(cluster):
    cluster.stop()
    with (
        altered(cluster.data / "PG_VERSION", "11\n"),
        pytest.raises(Failed, match="made by PostgreSQL 11 and only that version opens it"),
    ):
        cluster.start()


def test_a_server_that_cannot_start_shows_its_log(cluster):
    cluster.stop()
    with (
        altered(cluster.data / "pg_hba.conf", "nonsense\n"),
        pytest.raises(Failed, match=r'(?s)PostgreSQL did not start; .*invalid connection type "nonsense"'),
    ):
        cluster.start()


def test_secrets_and_sockets_are_private(cluster):
    assert (cluster.folder / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert cluster.socket_folder.stat().st_mode & 0o777 == 0o700
    with cluster.connect() as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_a_wrong_password_is_refused(cluster):
    cluster.ensure_roles()
    address = cluster.url(embedded.APP, "postgres").replace(cluster.password(embedded.APP), "guess")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(address)


def test_what_was_made_before_the_sealer_had_a_role_gets_one_and_lets_it_in(cluster):
    cluster.ensure_roles()
    kept = cluster.folder / "secrets.json"
    passwords = json.loads(kept.read_text())
    del passwords[embedded.SEALER]
    kept.write_text(json.dumps(passwords))
    with cluster.connect() as connection:
        connection.execute(f"DROP ROLE {embedded.SEALER}")
        connection.execute(f"CREATE DATABASE earlier OWNER {embedded.OWNER}")
        connection.execute("REVOKE ALL ON DATABASE earlier FROM PUBLIC")
    with cluster.connect(database="earlier") as connection:
        connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    cluster.ensure_roles()
    cluster.let_in("earlier")
    with cluster.connect(embedded.SEALER, "earlier") as sealer:
        assert sealer.execute("SELECT has_schema_privilege('public', 'USAGE')").fetchone() == (True,)
    cluster.drop_database("earlier")
    assert json.loads(kept.read_text()).items() > passwords.items()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_text_sorts_by_code_point_and_knows_unicode(cluster):
    with cluster.connect() as connection:
        assert connection.execute("SELECT upper('žofie'), 'Z' < 'a', 'z' < 'ä'").fetchone() == ("ŽOFIE", True, True)


def test_a_long_or_odd_path_gets_a_short_socket_folder(folder):
    with embedded.Cluster(folder / ("deep " * 30) / "postgres", durable=False) as cluster:
        assert cluster.socket_folder.parent == Path("/tmp")
        assert cluster.socket_folder.stat().st_mode & 0o777 == 0o700
    cluster.socket_folder.rmdir()


def test_a_folder_that_somebody_else_laid_is_refused(folder):
    path = folder / "socket"
    path.symlink_to(folder)
    with pytest.raises(Failed, match="is a link or belongs to another user"):
        folders.private_folder(path, folders.account())


def test_a_folder_of_another_user_is_refused_and_stays_theirs(folder):
    theirs = Path("/usr")
    if os.geteuid() == 0:
        theirs = folder / "theirs"
        theirs.mkdir()
        os.chown(theirs, 54321, 54321)
    before = theirs.stat()
    with pytest.raises(Failed, match="belongs to another user; start as that user or choose another DATA_DIR"):
        folders.private_folder(theirs, folders.account(theirs))
    assert (theirs.stat().st_uid, theirs.stat().st_mode) == (before.st_uid, before.st_mode)


def test_the_owner_may_create_and_the_app_may_not(database):
    with stack.cluster().connect(embedded.OWNER, database) as owner:
        owner.execute("CREATE TABLE chips (units bigint)")
    with stack.cluster().connect(embedded.APP, database) as app:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="schema public"):
            app.execute("CREATE TABLE mine (units bigint)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="table chips"):
            app.execute("SELECT * FROM chips")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("CREATE TEMPORARY TABLE mine (units bigint)")


def test_the_auditor_reads_what_is_granted_and_writes_nothing(database):
    with stack.cluster().connect(embedded.OWNER, database) as owner:
        owner.execute("CREATE TABLE chips AS SELECT 5 AS units")
        owner.execute(f"GRANT SELECT, INSERT ON chips TO {embedded.AUDITOR}")
    with stack.cluster().connect(embedded.AUDITOR, database) as auditor:
        assert auditor.execute("SELECT units FROM chips").fetchone() == (5,)
        # Even if a migration granted too much by mistake.
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            auditor.execute("INSERT INTO chips VALUES (6)")


@pytest.mark.parametrize("role", [embedded.OWNER, embedded.APP, embedded.SEALER, embedded.AUDITOR])
def test_no_role_rules_the_cluster(database, role):
    with stack.cluster().connect(role, database) as connection:
        assert (
            connection.execute(
                "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls"
                " FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
            == (False,) * 5
        )
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        stack.cluster().connect(role, "postgres")


def test_a_clone_has_the_rights_and_rows_of_its_template(database):
    with stack.cluster().connect(embedded.OWNER, database) as owner:
        owner.execute("CREATE TABLE chips AS SELECT 5 AS units")
        owner.execute(f"GRANT SELECT ON chips TO {embedded.APP}")
    with stack.clone(database) as clone, stack.cluster().connect(embedded.APP, clone) as app:
        assert app.execute("SELECT units FROM chips").fetchone() == (5,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="schema public"):
            app.execute("CREATE TABLE mine (units bigint)")


class Told(list):
    """A screen that keeps what is said."""

    say = list.append


def test_what_ran_for_long_and_does_not_come_up_any_more_is_tried_ever_later(cluster):
    told = Told()
    watched = watching.Watched(cluster, told)
    watched.started_at = time.monotonic() - 2 * watching.STEADY_SECONDS
    cluster.stop()

    def pauses():
        watched.keep_running(lambda: None)
        return re.findall(r"starts again in (\S+) s", "\n".join(told))

    with altered(cluster.data / "pg_hba.conf", "nonsense\n"):
        assert waiting.until(lambda: (said := pauses())[2:] and said)[:3] == ["0.5", "1", "2"]
        cluster.stop()


def test_the_broker_keeps_messages_over_a_restart(folder):
    with embedded.Broker(folder / "broker") as broker:
        with kombu.Connection(broker.url()) as connection, connection.SimpleQueue("doorbell") as queue:
            queue.put({"ring": 1})
        broker.stop()
        broker.start()
        with kombu.Connection(broker.url()) as connection, connection.SimpleQueue("doorbell") as queue:
            assert queue.get(timeout=waiting.PATIENCE).payload == {"ring": 1}
        _kill(broker)
        broker.start()
        assert broker.alive


def test_a_second_broker_on_a_folder_is_refused(folder):
    with embedded.Broker(folder / "broker") as broker:
        with pytest.raises(Failed, match="is in use by another start of the stack"):
            embedded.Broker(folder / "broker").start()
        assert broker.alive


def test_a_broker_that_a_killed_launcher_left_is_replaced(folder):
    first = embedded.Broker(folder / "broker")
    first.start()
    orphan, first.process = first.process, None
    first.stop()
    with embedded.Broker(folder / "broker") as heir:
        assert orphan.wait(waiting.PATIENCE) == 0
        assert heir.alive


def test_servers_end_with_a_launcher_that_is_killed(cluster):
    cluster.stop()
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, cluster.folder.parent], cwd=stack.BASE_DIR, stdout=subprocess.PIPE, text=True
    )
    started = [int(pid) for pid in launcher.stdout.readline().split()]
    assert len(started) == 2
    launcher.kill()
    launcher.communicate()
    waiting.until(lambda: not any(_runs(pid) for pid in started))
