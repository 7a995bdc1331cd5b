"""Backup and restore: a house that plays is saved and goes on in another cluster; what does not fit changes nothing."""

import contextlib
import datetime as dt
import fcntl
import hashlib
import io
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import psutil
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models.functions import Now

from audit import exports, keys, log, seal
from audit.models import Anchor, Chain, Checkpoint, Entry, Sealing
from casino.running import backup, embedded
from casino.running.embedded import Failed, folders, programs
from casino.running.trial import django_on
from payouts.models import Payment, Settlement, Transfer
from tables.models import Round
from tables.verbs import settling

from ...support import factories, stack, waiting
from ...support.up import Up


@pytest.fixture(scope="module")
def elsewhere():
    """Another cluster with roles of its own passwords, which has counted hardly any transaction."""
    with embedded.Cluster(stack.folder() / f"elsewhere{stack.worker_number()}", durable=False) as cluster:
        cluster.ensure_roles()
        yield cluster


@pytest.fixture
def empty(elsewhere, django_test_environment, django_db_blocker):
    """An empty database there; gives its name."""
    elsewhere.create_database("casino")
    with django_db_blocker.unblock():
        yield "casino"
    elsewhere.drop_database("casino")


@pytest.fixture(scope="module")
def kept(tmp_path_factory, django_db_blocker):
    """A backup of a house with a row of nearly everything."""
    file = tmp_path_factory.mktemp("kept") / "house.backup"
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        factories.furnish()
        backup.dump(stack.cluster().url(embedded.OWNER, database), file)
    return file


def owner_url(database):
    return stack.cluster().url(embedded.OWNER, database)


@contextlib.contextmanager
def environment(cluster, database):
    """The settings of a person who runs the commands on a database of their own; Django leads there."""
    sealer = cluster.url(embedded.SEALER, database)
    with pytest.MonkeyPatch.context() as patched, django_on(cluster.url(embedded.APP, database), sealer=sealer):
        patched.setenv("SEALER_DATABASE_URL", sealer)
        patched.setenv("DATABASE_URL", cluster.url(embedded.APP, database))
        patched.setenv("DATABASE_OWNER_URL", cluster.url(embedded.OWNER, database))
        yield


def said(*command):
    """What a command of ours says on the screen."""
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def rows(connection, statement):
    return connection.execute(statement).fetchall()


def guards(cluster, database):
    """Every trigger, function and right of a database, as the database itself writes them."""
    with cluster.connect(database=database) as connection:
        return [
            rows(connection, statement)
            for statement in (
                "SELECT tgrelid::regclass::text, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger"
                " WHERE NOT tgisinternal ORDER BY 1, 3",
                "SELECT pg_get_functiondef(oid), proowner::regrole::text,"
                " coalesce(proacl, acldefault('f', proowner))::text FROM pg_proc"
                " WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
                "SELECT relname, relowner::regrole::text, coalesce(relacl,"
                " acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::\"char\", relowner))::text FROM pg_class"
                " WHERE relnamespace = 'public'::regnamespace ORDER BY 1",
                "SELECT attrelid::regclass::text, attname, attacl::text FROM pg_attribute"
                " WHERE attacl IS NOT NULL AND attrelid > 16000 ORDER BY 1, 2",
                "SELECT conrelid::regclass::text, conname, contype, convalidated FROM pg_constraint"
                " WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
                "SELECT defaclrole::regrole::text, defaclobjtype, defaclacl::text FROM pg_default_acl",
                "SELECT nspacl::text FROM pg_namespace WHERE nspname = 'public'",
            )
        ]


class Play(threading.Thread):
    """Rounds at T1, one after the other, played and settled until the end of the block."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ended, self.rounds, self.error = threading.Event(), 0, None

    def run(self):
        from django.db import connection

        try:
            while not self.ended.is_set():
                factories.settled_round(factories.table("T1"), factories.FOLDS)
                self.rounds += 1
        except Exception as error:
            self.error = error
        finally:
            connection.close()

    def __enter__(self):
        self.start()
        waiting.until(lambda: self.rounds or self.error)
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join(waiting.PATIENCE)
        assert not self.is_alive()
        assert self.error is None


def due(round_, at):
    """A closed round is settled from that moment on."""
    Round.objects.filter(pk=round_.pk).update(next_at=at)


def heads():
    return dict(Chain.objects.values_list("key", "seq"))


@pytest.fixture
def drill(seeded_db, elsewhere, empty, tmp_path):
    """A house saved while it plays and restored elsewhere, in which Django now is; gives what was seen before.

    A settled round at T1 with all that comes after, a closed one at T2 and an open one at T3.
    """
    _, closed, opened, *_ = factories.furnish()
    due(closed, Now() + dt.timedelta(hours=23))  # not settled by the croupiers
    file = tmp_path / "house.backup"
    with environment(stack.cluster(), seeded_db):
        with Play() as play:
            before, played = heads(), f"table:{factories.table('T1').pk}"
            told = said("backup", str(file))
            waiting.until(lambda: heads()[played] > before[played])
        after = heads()
        bodies = {(entry.chain_id, entry.seq): entry.body for entry in Entry.objects.all()}
        money = {model: dict(model.objects.values_list("pk", "key")) for model in (Settlement, Transfer)}
        written = guards(stack.cluster(), seeded_db)
    assert play.rounds
    assert re.search(r"backup +\d+\.\d MB in \S+house.backup \(\d+\.\d s\)", told)
    with environment(elsewhere, empty):
        told = said("restore", str(file))
        yield {
            "before": before, "after": after, "bodies": bodies, "money": money, "guards": written, "told": told,
            "closed": closed, "opened": opened,
        }  # fmt: skip


def test_a_house_saved_while_it_plays_is_elsewhere_what_it_was_and_goes_on(drill, elsewhere, empty):
    assert re.search(r"books +right: \d+ entries, the newest of \S+Z", drill["told"])
    restored = heads()
    assert drill["before"].keys() == restored.keys()
    assert all(drill["before"][key] <= restored[key] <= drill["after"][key] for key in restored)
    # Of each chain what had been committed at one moment, byte by byte, and no more.
    there = {(entry.chain_id, entry.seq): entry.body for entry in Entry.objects.all()}
    assert there == {place: body for place, body in drill["bodies"].items() if place[1] <= restored[place[0]]}
    for chain in Chain.objects.all():
        assert chain.head == log.digest(there[chain.key, chain.seq])
    for model, stored in drill["money"].items():
        assert dict(model.objects.values_list("pk", "key")).items() <= stored.items()
    for restored_as, was in zip(guards(elsewhere, empty), drill["guards"], strict=True):
        assert set(was) ^ set(restored_as) == set()

    # What was due settles, what was open is played to its end, and new rounds are opened, at every table.
    due(drill["closed"], Now())
    assert settling.settle_due() >= 1
    factories.act_all(Round.objects.get(pk=drill["opened"].pk))
    factories.close(Round.objects.get(pk=drill["opened"].pk))
    settling.settle_due()
    new = factories.settled_round(factories.table("T2"))
    assert new.number == Round.objects.get(pk=drill["closed"].pk).number + 1
    assert Payment.objects.filter(settlement=new.settlement, net_units__gt=0).exists()
    assert {Round.objects.get(pk=drill[name].pk).status for name in ("closed", "opened")} == {Round.Status.SETTLED}
    assert "right" in said("restore", "--check")


@pytest.fixture
def sealed(seeded_db, tmp_path, settings):
    """A house that was played in, sealed and anchored."""
    settings.LOG_KEYS, settings.ANCHOR_FILE = str(tmp_path / "keys"), str(tmp_path / "outside" / "checkpoints")
    settings.EXPORTS, settings.ANCHOR_SECONDS = str(tmp_path / "exports"), 0
    keys.make()
    factories.settled_round(factories.table("T1"))
    seal.keep_up(within=5)
    return tmp_path / "house.backup"


def verdict(tmp_path, *more):
    """What an outsider finds in an export of everything: the exit status and what is said."""
    with transaction.atomic():
        export = exports.ask(kind="all", by=None)
    while exports.go_on(export):
        export.refresh_from_db()
    command = [sys.executable, "-I", stack.BASE_DIR / "audit" / "verify_export.py", exports.folder(export), "--key"]
    command += [tmp_path / "keys" / "public", "--anchor", tmp_path / "outside" / "checkpoints", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    return done.returncode, done.stdout + done.stderr


def test_a_restored_house_is_whole_against_the_anchor_outside_and_its_log_goes_on(
    sealed, seeded_db, elsewhere, empty, tmp_path
):
    with environment(stack.cluster(), seeded_db):
        said("backup", str(sealed))
        anchored = Anchor.objects.latest("checkpoint").checkpoint_id
    with environment(elsewhere, empty):
        assert re.search(rf"anchor +agrees: {anchored} entries are anchored in ", said("restore", str(sealed)))
        assert verdict(tmp_path, "--resettle", stack.BASE_DIR)[0] == 0
        factories.settled_round(factories.table("T1"))
        seal.keep_up(within=5)
        status, told = verdict(tmp_path, "--resettle", stack.BASE_DIR)
    assert status == 0, told
    assert "2 settlements worked out again" in told


def test_a_backup_that_lacks_what_is_anchored_is_not_sealed_on_and_an_outsider_sees_what_is_missing(
    sealed, seeded_db, elsewhere, empty, tmp_path
):
    with environment(stack.cluster(), seeded_db):
        said("backup", str(sealed))
        factories.settled_round(factories.table("T1"))
        seal.keep_up(within=5)
        anchored = Anchor.objects.latest("checkpoint").checkpoint_id
    with environment(elsewhere, empty):
        with pytest.raises(CommandError, match=rf"and its anchor \S+ has {anchored}: it is older than its anchor"):
            said("restore", str(sealed))
        # Play goes on all the same; only nothing is signed.
        factories.settled_round(factories.table("T1"))
        before = Checkpoint.objects.latest("size").size
        assert seal.keep_up(within=5) == 0
        assert "Restore a newer backup" in Sealing.objects.get().refused
        assert Checkpoint.objects.latest("size").size == before < anchored
        status, told = verdict(tmp_path)
    assert status == 3, told
    assert "were anchored outside after this export's end" in told


def test_the_guards_hold_in_a_restored_house(kept, elsewhere, empty):
    backup.load(elsewhere.url(embedded.OWNER, empty), kept, backup.read(kept))
    change = "UPDATE payouts_settlement SET result = ''"
    with elsewhere.connect(embedded.OWNER, empty) as owner, pytest.raises(psycopg.Error, match="append-only"):
        owner.execute(change)
    with elsewhere.connect(embedded.APP, empty) as app, pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute(change)
    # The cluster counts transactions anew, so that of an old header comes again one day: it takes no transfer then.
    with elsewhere.connect(embedded.OWNER, empty) as owner, owner.transaction(force_rollback=True):
        owner.execute("ALTER TABLE payouts_settlement DISABLE TRIGGER append_only")
        owner.execute("UPDATE payouts_settlement SET made_in = pg_current_xact_id()")
        owner.execute("ALTER TABLE payouts_transfer DISABLE TRIGGER before_taken")  # which refuses it too, and sooner
        joins = (
            "INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date, reason)"
            " SELECT s.key || ':99', s.id, t.debit_id, t.credit_id, 5, s.business_date, 'wager'"
            " FROM payouts_settlement s JOIN payouts_transfer t ON t.settlement_id = s.id LIMIT 1"
        )
        with pytest.raises(psycopg.Error, match="its header was made in another transaction"):
            owner.execute(joins)


def test_a_backup_is_ours_alone_and_shows_nobody_the_password(seeded_db, tmp_path):
    file = tmp_path / "house.backup"
    part = tmp_path / "house.backup.part"
    part.write_text("what a killed one left" * 100_000)
    part.chmod(0o644)
    lines = []

    def look(written):
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.NoSuchProcess):
                lines.append(" ".join(child.cmdline()))
        if any("pg_dump" in line for line in lines):
            holder.rollback()

    with psycopg.connect(owner_url(seeded_db)) as holder:
        # It waits until it was looked at.
        holder.execute("LOCK TABLE audit_entry")
        size = backup.dump(owner_url(seeded_db), file, look)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (file.stat().st_size, file.read_bytes()[:5]) == (size, b"PGDMP")
    assert [entry.name for entry in tmp_path.iterdir()] == ["house.backup"]
    assert any("pg_dump" in line for line in lines)
    assert not any(stack.cluster().password(embedded.OWNER) in line for line in lines)


def test_a_backup_that_cannot_be_made_leaves_nothing(seeded_db, tmp_path):
    file = tmp_path / "house.backup"
    with pytest.raises(Failed, match=r"^pg_dump could not read it all: .*permission denied .*\.$"):
        backup.dump(stack.cluster().url(embedded.AUDITOR, seeded_db), file)
    with pytest.raises(Failed, match=r"would stand in everybody's process list; do without it\.$"):
        backup.dump(f"{owner_url(seeded_db)}&sslpassword=secret", file)
    with pytest.raises(Failed, match=r"^The database can't be used as its owner: .+$"):
        backup.dump("postgresql://casino_owner:x@127.0.0.1:1/casino", file)
    stack.cluster().create_database("casino_bare")
    with pytest.raises(Failed, match=r"^The database casino_bare has no log, so it does not belong to this program\.$"):
        backup.dump(owner_url("casino_bare"), file)
    stack.cluster().drop_database("casino_bare")
    assert list(tmp_path.iterdir()) == []
    with open(tmp_path / "house.backup.part", "w") as another:
        fcntl.flock(another, fcntl.LOCK_EX)
        with pytest.raises(Failed, match=r"^Another backup is writing \S+; name another file\.$"):
            backup.dump(owner_url(seeded_db), file)
    file.write_text("yesterday's")
    with pytest.raises(Failed, match=r"house.backup is there already; name a new file\.$"):
        backup.dump(owner_url(seeded_db), file)
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("house.backup", "yesterday's")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_backup_that_is_killed_leaves_no_file_of_that_name_and_nothing_that_runs(seeded_db, tmp_path, number):
    # It waits for the table, like pg_dump for a migration.
    with stack.cluster().connect(database=seeded_db) as connection, connection.transaction():
        connection.execute("LOCK TABLE audit_entry IN ACCESS EXCLUSIVE MODE")
        saving = subprocess.Popen(
            [sys.executable, stack.BASE_DIR / "manage.py", "backup", tmp_path / "house.backup"],
            env=os.environ | stack.urls(seeded_db),
            stdout=subprocess.DEVNULL,
        )
        waiting.until(lambda: waiting.behind(connection))
        dumping = psutil.Process(saving.pid).children()
        assert dumping
        saving.send_signal(number)
        assert saving.wait(waiting.PATIENCE) == (-signal.SIGKILL if number == signal.SIGKILL else 130)
        assert psutil.wait_procs(dumping, timeout=waiting.PATIENCE)[1] == []  # though it would still wait
    left = [] if number != signal.SIGKILL else ["house.backup.part"]
    assert [entry.name for entry in tmp_path.iterdir()] == left


def test_without_the_owner_or_a_program_that_fits_it_says_what_is_missing(seeded_db, tmp_path):
    with pytest.raises(CommandError, match=r"^This needs the database's owner: set DATABASE_OWNER_URL"):
        said("backup", str(tmp_path / "house.backup"))
    with pytest.raises(Failed, match=r"^No pg_dump of PostgreSQL 99 or newer \(found: [\d, ]+\); install .+\.$"):
        programs.find_client("pg_dump", 99)
    with pytest.raises(Failed, match=r"^No pg_nothing of PostgreSQL 16 or newer; install .+\.$"):
        programs.find_client("pg_nothing", None)
    # The server's own version, though a newer one may be there.
    assert programs.find_client("pg_dump", 18).name == "pg_dump"


def test_a_ctrl_c_reaches_no_program_that_is_asked_for_its_version(tmp_path, monkeypatch):
    program = tmp_path / "pg_asked"
    program.write_text('#!/bin/sh\necho "pg_asked (PostgreSQL) $(cut -d" " -f6 /proc/$$/stat)"\n')  # its session
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(Failed, match=r"found: \d+") as failed:
        programs.find_client("pg_asked", 2**40)
    assert str(os.getsid(0)) not in re.findall(r"\d+", str(failed.value))


def changed(file, place, change):
    """A copy of a backup with other bytes."""
    copy = place / "changed.backup"
    copy.write_bytes(change(file.read_bytes()))
    return copy


def closed_again(data):
    """Bytes that somebody altered on purpose, with a last line that fits."""
    before = data[: data.rindex(b"\ncasino backup")]
    return before + f"\ncasino backup, sha256 {hashlib.sha256(before).hexdigest()}\n".encode()


def test_a_file_that_is_no_whole_backup_is_refused_before_any_database(kept, tmp_path):
    size = kept.stat().st_size
    for change in (
        lambda data: b"",
        lambda data: b"SELECT 1;\n" * 1000,
        lambda data: data[:5000],
        lambda data: data[: size // 2],
        lambda data: data[:-1],
        lambda data: data + b"\n",
    ):
        file = changed(kept, tmp_path, change)
        with pytest.raises(Failed, match=rf"^{file} is not a backup, or was cut short: it lacks the end that `m"):
            backup.read(file)
    for place in (0, 7, size // 3, size // 2, size - 100):
        file = changed(kept, tmp_path, lambda data, at=place: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(Failed, match=rf"^{file} was altered since it was written: .+; take another copy\.$"):
            backup.read(file)
    newer = changed(kept, tmp_path, lambda data: closed_again(data[:5] + b"\x01\x63" + data[7:]))
    with pytest.raises(Failed, match=r"is not a backup: unsupported version \(1\.99\) in file header\.$"):
        backup.read(newer)
    with pytest.raises(CommandError, match=r"^\S+none can't be used \(No such file or directory\); name another\.$"):
        said("restore", str(tmp_path / "none"))


def untouched(cluster, database):
    with cluster.connect(database=database) as connection:
        return rows(connection, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace") == []


def test_a_restore_that_breaks_off_changes_nothing(kept, elsewhere, empty, tmp_path):
    """A byte of the rows is another, which PostgreSQL learns long after it has made the tables."""
    at = kept.stat().st_size - 1000
    file = changed(kept, tmp_path, lambda data: closed_again(data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]))
    with environment(elsewhere, empty):
        with pytest.raises(CommandError, match=r"could not be restored and nothing was changed: .+\.$"):
            said("restore", str(file))
        assert untouched(elsewhere, empty)
        assert "right" in said("restore", str(kept))


def test_a_database_that_does_not_fit_is_refused_and_not_changed(kept, elsewhere, empty, tmp_path, settings):
    url = elsewhere.url(embedded.OWNER, empty)
    contents = backup.read(kept)
    newer = changed(kept, tmp_path, lambda data: closed_again(re.sub(rb"\b1[678]\.(?=\d)", b"99.", data, count=2)))
    with environment(elsewhere, empty):
        with pytest.raises(CommandError, match=r"is of PostgreSQL 99 and this server is \d+; restore it into 99 or"):
            said("restore", str(newer))
        with pytest.raises(Failed, match=r"gives rights to the role casino_boss, which is not here; make it first\.$"):
            backup.load(url, kept, contents._replace(granted=contents.granted | {"casino_boss"}))
        with pytest.raises(
            Failed, match=r"^DATABASE_OWNER_URL names the role casino_auditor, and \S+ knows casino_own"
        ):
            backup.load(elsewhere.url(embedded.AUDITOR, empty), kept, contents)
        settings.AUDITOR_ROLE = "casino_reader"
        with pytest.raises(CommandError, match=r"^AUDITOR_ROLE names the role casino_reader, and .+ as they were\.$"):
            said("restore", str(kept))
        assert untouched(elsewhere, empty)
        with elsewhere.connect(embedded.OWNER, empty) as owner:
            owner.execute("CREATE TABLE somebodys AS SELECT 7 AS number")
            with pytest.raises(
                CommandError, match=r"^The database casino is not empty, and a restore takes nothing awa"
            ):
                said("restore", str(kept))
            assert rows(owner, "SELECT number FROM somebodys") == [(7,)]


def test_the_two_addresses_must_lead_to_one_database(kept, seeded_db, elsewhere, empty, monkeypatch):
    monkeypatch.setenv("DATABASE_OWNER_URL", elsewhere.url(embedded.OWNER, empty))
    with pytest.raises(CommandError, match=r"^DATABASE_URL and DATABASE_OWNER_URL lead to two databases; .+\.$"):
        said("restore", str(kept))
    assert untouched(elsewhere, empty)


def test_another_programs_backup_is_refused_a_newer_ones_too_and_an_older_ones_says_what_to_run(
    seeded_db, elsewhere, empty, tmp_path
):
    def saved(name, statement):
        with stack.cluster().connect(embedded.OWNER, seeded_db) as owner:
            owner.execute(statement)
        backup.dump(owner_url(seeded_db), tmp_path / name)
        return tmp_path / name

    older = saved("older", "DELETE FROM django_migrations WHERE (app, name) = ('tables', '0002_guards')")
    newer = saved("newer", "INSERT INTO django_migrations (app, name, applied) VALUES ('audit', '9999_seals', now())")
    foreign = saved("foreign", "DELETE FROM django_migrations WHERE app = 'audit'")
    with pytest.raises(Failed, match=r"foreign is a backup of another program\.$"):
        backup.read(foreign)
    with pytest.raises(
        Failed, match=r"newer is of a newer program, with the migration audit\.9999_seals; restore it wi"
    ):
        backup.read(newer)
    with environment(elsewhere, empty):
        told = said("restore", str(older))
    assert "it lacks 1 migrations, first tables.0002_guards. Run migrate as the owner" in told
    assert "books" not in told.replace("looks through the books", "")


def test_a_backup_of_wrong_books_is_restored_and_said_to_be_wrong(seeded_db, elsewhere, empty, tmp_path):
    file = tmp_path / "house.backup"
    with stack.cluster().connect(database=seeded_db) as superuser:
        superuser.execute("SET session_replication_role = replica")
        superuser.execute("ALTER TABLE audit_entry DISABLE TRIGGER append_only")
        superuser.execute("DELETE FROM audit_entry WHERE chain_id = 'house' AND seq = 5")
        superuser.execute("ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER append_only")
    backup.dump(owner_url(seeded_db), file)
    with environment(elsewhere, empty), pytest.raises(CommandError) as refused:
        said("restore", str(file))
    assert str(refused.value) == (
        "house: entry 5 is missing, or doesn’t follow the one before it.\n"
        "Don't play on this database before that is explained."
    )


@pytest.fixture
def house(settings, monkeypatch, django_db_blocker):
    """A new DATA_DIR, for commands as a person of `make up` gives them: with nothing set but that."""
    for name in ("DATABASE_URL", "FSYNC_OFF_IS_FINE"):
        monkeypatch.delenv(name)
    with tempfile.TemporaryDirectory(prefix="casino-") as name, django_db_blocker.unblock():
        Path(name).chmod(0o711)
        settings.DATA_DIR = Path(name) / "house"
        yield settings.DATA_DIR


def test_a_house_is_restored_into_a_new_folder_and_saved_from_there_running_or_not(kept, house, tmp_path):
    with pytest.raises(
        CommandError, match=r"^There is no database in \S+house; name its DATA_DIR, or DATABASE_OWNER_URL"
    ):
        said("backup", str(tmp_path / "none"))
    assert not house.exists()
    assert re.search(r"database +ready .+\n +restore +done .+\n +books +right: \d+ ent", said("restore", str(kept)))
    assert "  database     ready" in said("backup", str(tmp_path / "stopped"))
    # As `make up` has it.
    with contextlib.closing(folders.lock(house)), embedded.Cluster(house / "postgres"):
        assert "database" not in said("backup", str(tmp_path / "running"))
        with pytest.raises(
            CommandError, match=r"is in use by another start of the stack; stop that one or set another"
        ):
            said("restore", str(kept))
    with pytest.raises(CommandError, match=r"not empty, and a restore takes nothing away; .+ another DATA_DIR\.$"):
        said("restore", str(kept))
    assert events(tmp_path / "stopped") == events(tmp_path / "running") == events(kept) != []


@pytest.mark.proof
def test_make_up_goes_on_with_a_restored_house(kept, house):
    said("restore", str(kept))
    with Up(house) as up:
        up.shows("Open http://")
        with embedded.Cluster(house / "postgres").connect(database="casino") as connection:
            settled = "SELECT count(*) FROM audit_entry WHERE event = 'round.settled'"
            waiting.until(lambda: rows(connection, settled) == [(2,)])
        assert "right" in said("restore", "--check")


def events(file):
    """The events of the log in a backup."""
    program = programs.find_client("pg_restore", None)
    script = [program, "--data-only", "--table=audit_entry", "--file=-", file]
    told = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    return re.findall(r'"event":"([a-z_.]+)"', told)
