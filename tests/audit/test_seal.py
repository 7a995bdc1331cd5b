"""The sealer on a real database: what it adds and signs, what it refuses, and how it goes on."""

import functools
import os
import re
import stat
import threading
import time
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from audit import (
    anchor,
    checkpoints,
    checks,
    form,
    inclusion,
    inspections,
    keys,
    log,
    notes,
    proofs,
    seal,
    sealer,
    status,
    tree,
)
from audit.models import Anchor, Checkpoint, Entry, Leaf, PassedLeaf, Sealing, Subtree
from audit.verify_export import MOST_OF_A_CHAIN, verify_inclusion
from tests.support import factories

from ..support import proof, reference


@transaction.atomic
def write(count, what="a"):
    for number in range(count):
        log.record(
            "setting.changed",
            "setting:log_key",  # which the sealer may write too
            chain=log.HOUSE,
            actor=log.SYSTEM,
            facts={"what": f"{what}-{number}"},
        )


def newest():
    return Checkpoint.objects.newest()


def sealed_bodies():
    """All sealed entries in the order of their leaves."""
    found = {(chain, seq): body for chain, seq, body in Entry.objects.values_list("chain_id", "seq", "body")}
    return [found[place].encode() for place in Leaf.objects.order_by("index").values_list("chain_id", "seq")]


def break_off(*args, **more):
    raise KeyboardInterrupt


def tamper(owner_connection, sql, *values):
    """A change by somebody who owns the database and switches its guards off."""
    table = sql.split()[2] if sql.startswith("DELETE") else sql.split()[1]
    with owner_connection.transaction():
        owner_connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner_connection.execute(sql, values)
        owner_connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def test_what_is_written_is_sealed_and_signed_chain_by_chain(house):
    factories.settled_round(factories.table())
    count = Entry.objects.count()
    assert seal.seal() == count > 20
    note = notes.read(newest().note)
    assert (note.origin, note.size, note.root) == ("casino/demo", count, reference.root(sealed_bodies()))
    assert note.signed_by(keys.public()[0])
    for chain in ("house", factories.table().ref):
        seqs = list(Leaf.objects.filter(chain=chain).order_by("index").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))
    assert seal.seal() == 0
    assert Checkpoint.objects.count() == 1


def test_each_seal_goes_on_from_the_right_edge_of_the_last(house, monkeypatch):
    for count in (1, 2, 3, 300, 5):
        write(count)
        seal.seal()
        assert bytes(newest().root) == reference.root(sealed_bodies())
    assert Subtree.objects.filter(height=8).count() == newest().size // 256 == 1


def test_the_verifier_knows_how_much_of_a_chain_is_sealed_at_once():
    assert seal.OF_A_CHAIN == MOST_OF_A_CHAIN


def test_what_one_seal_does_not_reach_the_next_does(house, monkeypatch):
    monkeypatch.setattr(seal, "OF_A_CHAIN", 7)
    monkeypatch.setattr(seal, "AT_A_TIME", 10)
    write(25)
    assert seal.keep_up(within=60) == Entry.objects.exclude(event="checkpoint.anchored").count()
    assert Checkpoint.objects.count() > 3
    assert bytes(newest().root) == reference.root(sealed_bodies())


@pytest.mark.parametrize("entries", [800, pytest.param(3000, marks=pytest.mark.proof)])
@sealer.connected()
def test_a_seal_costs_the_same_however_long_the_log(house, entries):
    """Statements, and the rows that each of them looks at, do not grow with what is sealed."""

    def cost():
        connection.close()
        with connection.cursor() as cursor:
            # Of a table that was never analyzed PostgreSQL knows nothing; here every way must be by an index.
            cursor.execute("SET enable_seqscan = off")
        write(10)
        with transaction.atomic():
            before = looked_at()
            seal.seal()
            return looked_at() - before

    def looked_at():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
                " WHERE relname LIKE 'audit%'"
            )
            return cursor.fetchone()[0]

    write(20)
    seal.keep_up(within=60)
    early = cost()
    write(entries)
    while seal.seal():
        pass
    assert cost() <= early + 20


def test_two_sealers_make_one_tree(house):
    write(40)
    done = threading.Barrier(4)

    def work():
        try:
            done.wait()
            for _ in range(20):
                write(1, threading.current_thread().name)
                seal.seal()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seal.seal()
    assert newest().size == Entry.objects.count()
    assert bytes(newest().root) == reference.root(sealed_bodies())


def test_leaves_without_a_checkpoint_are_signed_by_the_next_seal(house, monkeypatch):
    """A crash between the two transactions."""
    write(5)
    with monkeypatch.context() as patched:
        patched.setattr(seal, "_sign", break_off)
        with pytest.raises(KeyboardInterrupt):
            seal.seal()
    assert Leaf.objects.count() > 0
    assert newest() is None
    seal.seal()
    assert newest().size == Leaf.objects.count() == Entry.objects.count()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        (
            "UPDATE audit_entry SET body = replace(body, 'what', 'whot') WHERE chain_id = 'house' AND seq = %s",
            "changed",
        ),
        (
            "UPDATE audit_leaf SET hash = decode(repeat('00', 32), 'hex') WHERE chain_id = 'house' AND seq = %s",
            "not the hash",
        ),
        ("DELETE FROM audit_leaf WHERE chain_id = 'house' AND seq = %s", "is not there, and leaf"),
        ("UPDATE audit_checkpoint SET note = replace(note, 'demo', 'dmeo') WHERE size < %s", "was changed"),
    ],
)
def test_what_was_changed_is_not_signed(house, owner_connection, monkeypatch, sql, says):
    write(3)
    seal.seal()
    write(3)
    with sealer.connected(), transaction.atomic():
        seal._add_leaves()
    last = Entry.objects.filter(chain="house").order_by("-seq").first().seq
    tamper(owner_connection, sql, last - 1 if "checkpoint" not in sql else 10**6)
    before = newest().size
    with pytest.raises(seal.CannotSealError, match=says):
        seal.seal()
    assert seal.keep_up(within=1) == 0
    assert says in Sealing.objects.get().refused
    assert newest().size == before


def test_an_edited_entry_with_a_new_hash_breaks_the_chain_and_is_not_signed(house, owner_connection):
    write(3)
    seal.seal()
    write(3)
    first = Leaf.objects.filter(chain="house").order_by("-seq").first().seq + 1
    tamper(
        owner_connection,
        "UPDATE audit_entry SET body = replace(body, 'a-0', 'b-0') WHERE chain_id = 'house' AND seq = %s",
        first,
    )
    with pytest.raises(seal.CannotSealError, match=f"Entry {first + 1} of house does not follow"):
        seal.seal()


@sealer.connected()
def test_the_database_refuses_leaves_that_do_not_follow_and_any_change(house):
    write(3)
    seal.seal()
    write(2)
    size = newest().size
    seq = Leaf.objects.filter(chain="house").order_by("-seq").first().seq + 1
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sha256('\\x00'::bytea || convert_to(body, 'UTF8')) FROM audit_entry WHERE seq = %s"
            " AND chain_id = 'house'",
            [seq],
        )
        good = bytes(cursor.fetchone()[0])
    for leaf in (
        {"index": size + 1, "seq": seq, "hash": good},
        {"index": size, "seq": seq + 1, "hash": good},
        {"index": size, "seq": seq, "hash": bytes(32)},
        {"index": size, "seq": seq + 5, "hash": good},
        {"index": size - 1, "seq": seq, "hash": good},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Leaf.objects.create(chain_id="house", **leaf)
    for wrong in ({"size": size}, {"size": size + 1}, {"size": size - 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Checkpoint.objects.create(
                **{"root": bytes(32), "edge": [bytes(32)] * (wrong["size"]).bit_count(), "note": ""} | wrong
            )
    for table in ("audit_leaf", "audit_subtree", "audit_checkpoint", "audit_anchor"):
        for sql in (f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
            with (
                pytest.raises(Exception, match="permission denied"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(sql)
    Leaf.objects.create(chain_id="house", index=size, seq=seq, hash=good)


# --- Keys ---


def test_keys_lie_in_files_that_nobody_else_reads(house):
    path = Path(house / "keys" / keys.SIGNING)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert keys.make() == (keys.public()[0], False)
    path.chmod(0o644)
    write(1)
    with pytest.raises(keys.NoKeyError, match="chmod 600"):
        seal.seal()
    path.unlink()
    with pytest.raises(keys.NoKeyError, match="keys make"):
        seal.seal()
    assert not Leaf.objects.exists()


def test_a_changed_key_is_handed_over_to_by_one_checkpoint_with_both_signatures(house, capsys):
    write(2)
    seal.seal()
    (old,) = keys.public()
    call_command("keys", "change")
    assert keys.public()[0] == old
    new = keys.public()[1]
    told = Entry.objects.filter(event="setting.changed").latest("id").body
    assert str(old) in told
    assert str(new) in told
    write(1)
    seal.seal()
    signed = [
        [notes.read(checkpoint.note).signed_by(key) for key in (old, new)]
        for checkpoint in Checkpoint.objects.order_by("size")
    ]
    assert signed == [[True, False], [True, True], [False, True]]
    assert not (house / "keys" / keys.NEXT).exists()
    assert str(new) in capsys.readouterr().out


def test_a_change_that_broke_off_is_ended_by_the_same_command(house, monkeypatch):
    write(1)
    seal.seal()
    with monkeypatch.context() as patched:
        patched.setattr(keys, "end_change", break_off)
        with pytest.raises(KeyboardInterrupt):
            call_command("keys", "change")
    write(1)
    seal.seal()
    call_command("keys", "change")
    assert len(keys.public()) == 2
    assert keys.signing()[0].public == keys.public()[1]


def test_the_key_of_another_house_signs_nothing(house, settings):
    settings.LOG_KEYS = str(house / "others")
    (house / "others").mkdir()
    keys._write(house / "others" / keys.SIGNING, notes.SigningKey.make("casino/other").secret())
    with pytest.raises(keys.NoKeyError, match="casino/other"):
        seal.seal()


# --- The anchor ---


def test_checkpoints_are_appended_outside_when_their_time_has_come_and_something_is_new(house, settings):
    write(3)
    seal.keep_up(within=5)
    first = newest()
    assert Path(settings.ANCHOR_FILE).read_text() == f"{first.note}\n"
    seal.keep_up(within=5)
    assert newest().size == first.size + 1, "the anchor is told in the log"
    write(1)
    seal.keep_up(within=5)
    assert Anchor.objects.count() == 1, "its time has not come"
    settings.ANCHOR_SECONDS = 0
    seal.keep_up(within=5)
    second = newest()
    for _ in range(3):
        seal.keep_up(within=5)
    assert [made.checkpoint_id for made in Anchor.objects.order_by("checkpoint")] == [first.size, second.size]
    assert Path(settings.ANCHOR_FILE).read_text() == f"{first.note}\n{second.note}\n"
    assert newest().size == second.size + 1
    assert anchor.newest() == notes.read(second.note)


def test_a_time_of_the_file_that_is_far_ahead_does_not_stop_anchoring(house, settings):
    write(1)
    seal.keep_up(within=5)
    path, first = Path(settings.ANCHOR_FILE), anchor.newest().size
    for ahead, sizes in ((1800, [first]), (86_400 * 365_000, [first, first + 3])):
        write(1)
        os.utime(path, (time.time() + ahead,) * 2)
        seal.keep_up(within=5)
        assert anchor.sizes() == sizes


def test_a_database_that_is_older_than_its_anchor_is_not_sealed(house, settings, owner_connection):
    """A backup was restored that lacks what was anchored since."""
    write(3)
    seal.keep_up(within=5)
    ahead = notes.write(notes.checkpoint_text("casino/demo", newest().size + 100, bytes(32)), keys.signing())
    with open(settings.ANCHOR_FILE, "a") as file:
        file.write(f"{ahead}\n")
    write(1)
    before = newest().size
    assert seal.keep_up(within=5) == 0
    assert newest().size == before
    refused = Sealing.objects.get().refused
    assert "older than its anchor" in refused
    assert "seal --begin-anchor" in refused
    # What the refusal says helps.
    settings.ANCHOR_FILE = str(house / "anew")
    with pytest.raises(CommandError, match="is gone or empty"):
        call_command("seal", "--anchor")
    call_command("seal", "--begin-anchor")
    assert seal.keep_up(within=5) > 0
    assert Sealing.objects.get().refused == ""


def test_a_log_that_is_another_than_its_anchor_is_not_sealed(house, settings):
    write(3)
    seal.keep_up(within=5)
    other = notes.write(notes.checkpoint_text("casino/demo", newest().size, bytes(32)), keys.signing())
    Path(settings.ANCHOR_FILE).write_text(f"{other}\n")
    with pytest.raises(seal.CannotSealError, match=f"was different when it had {newest().size} entries"):
        seal.seal()


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (lambda path: path.write_text("casino/demo\n7\n"), "does not end with a checkpoint"),
        (lambda path: path.unlink() or path.mkdir(), "can't be read"),
    ],
)
def test_an_anchor_that_can_t_be_read_stops_sealing_and_one_that_is_gone_is_told(house, settings, break_it, says):
    write(3)
    seal.keep_up(within=5)
    path = Path(settings.ANCHOR_FILE)
    break_it(path)
    assert seal.keep_up(within=5) == 0
    assert says in Sealing.objects.get().unanchored


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_text("")])
def test_without_its_anchor_nothing_is_signed_until_it_is_back_or_somebody_begins_a_new_one(house, settings, lose):
    """Else an old backup would be signed on wherever its anchor was forgotten."""
    write(3)
    seal.keep_up(within=5)
    path, before = Path(settings.ANCHOR_FILE), newest().size
    kept = path.read_text()
    lose(path)
    write(3)
    assert seal.keep_up(within=5) == 0
    assert "is gone or empty" in Sealing.objects.get().refused
    assert newest().size == before
    path.write_text(kept)
    assert seal.keep_up(within=5) > 0
    assert Sealing.objects.get().refused == ""
    lose(path)
    write(1)
    call_command("seal", "--begin-anchor")
    assert path.read_text() == f"{newest().note}\n"


def test_who_is_not_alone_tells_nothing(house):
    with sealer.connected():
        Sealing.objects.update(refused="Another found this.")
        address = _address()
    write(1)
    with psycopg.connect(address) as other:
        other.execute("SELECT FROM audit_sealing FOR UPDATE")
        assert seal.keep_up(within=5) == 0
        assert seal.seal() is None
    assert Sealing.objects.get().refused == "Another found this."
    assert seal.seal() > 0


def test_no_lock_that_another_role_may_take_holds_the_sealer_up(house, owner_connection):
    """Of numbers any role may lock any; the row of audit_sealing none may but the sealer's."""
    write(1)
    with psycopg.connect(_address()) as app:
        for number in (0x5EA1, 0, 1):
            app.execute("SELECT pg_advisory_lock(%s), pg_advisory_xact_lock(%s)", [number, number])
        for table in ("audit_leaf", "audit_checkpoint", "audit_sealing"):
            app.execute(f"LOCK TABLE {table} IN ACCESS SHARE MODE")
        app.execute("SELECT FROM audit_sealing")
        assert seal.seal() > 0
    with psycopg.connect(_address()) as app, pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("SELECT FROM audit_sealing FOR KEY SHARE")
    tamper(owner_connection, "DELETE FROM audit_sealing")
    with pytest.raises(seal.CannotSealError, match=r"The one row of audit_sealing is gone"):
        seal.seal()


def test_a_process_without_the_sealer_s_address_says_so_and_seals_nothing(house, monkeypatch):
    write(1)
    monkeypatch.delitem(connections.settings, "sealer")
    with pytest.raises(CommandError, match=r"set SEALER_DATABASE_URL\.$"):
        call_command("seal")
    assert not Leaf.objects.exists()


def test_what_is_not_committed_is_not_sealed_past(house):
    with transaction.atomic(), pytest.raises(RuntimeError, match="in transactions of its own"):
        seal.seal()


def test_what_the_disk_does_not_take_at_once_is_written_on(house, settings, monkeypatch):
    write(1)
    real = open

    class Slow:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def fileno(self):
            return self.file.fileno()

        def write(self, data):
            return self.file.write(data[:7])

    seal.seal()
    monkeypatch.setattr(anchor, "open", lambda *args, **more: Slow(real(*args, **more)), raising=False)
    anchor.append(newest().note, begin=True)
    assert Path(settings.ANCHOR_FILE).read_text() == f"{newest().note}\n"


def test_a_crash_between_the_file_and_the_row_leaves_one_line(house, settings, monkeypatch):
    write(3)
    seal.seal()
    with monkeypatch.context() as patched:
        patched.setattr(log, "record", break_off)
        with pytest.raises(KeyboardInterrupt):
            seal.anchor_when_due()
    assert not Anchor.objects.exists()
    first = newest()
    write(1)
    seal.seal()
    # However long the tree became meanwhile, what is in the file is known here again: exports are asked for it.
    seal.anchor_when_due()
    assert Anchor.objects.get().checkpoint_id == first.size
    assert Path(settings.ANCHOR_FILE).read_text() == f"{first.note}\n"


def test_how_the_log_is_stands_in_readyz(house, settings):
    seal.seal()
    write(3)
    found = status.measure()
    assert (found["ok"], found["state"], found["unsealed"]) == (True, "sealed", 3)
    assert found["anchored_seconds"] is None
    seal.keep_up(within=5)
    seal.keep_up(within=5)
    found = status.measure()
    assert (found["ok"], found["unsealed"], found["unsealed_seconds"], found["unanchored_seconds"]) == (True, 0, 0, 0)
    assert found["anchored_seconds"] < 60
    Path(house / "keys" / keys.SIGNING).unlink()
    write(1)
    seal.keep_up(within=5)
    found = status.measure()
    assert (found["ok"], found["state"], found["unsealed"]) == (False, "refused", 1)


# --- Rows that the sealer did not write ---

LIE = "array_fill(sha256('x'), ARRAY[bit_count({}::bit(64))::int])"
# As one who owns the database writes them, guards and all: what is written, and the name by which it is told.
FORGED = {
    "a checkpoint of the next entry": (
        "INSERT INTO audit_checkpoint (size, root, edge, note, at) SELECT size, sha256('x'), "
        + LIE.format("size")
        + ", 'a lie', now() FROM (SELECT max(index) + 2 AS size FROM audit_leaf) grown RETURNING 'checkpoint:' || size"
    ),
    "a checkpoint where the next one will be": (
        "INSERT INTO audit_checkpoint (size, root, edge, note, at) SELECT size, sha256('x'), "
        + LIE.format("size")
        + ", 'a lie', now() FROM (SELECT max(index) + 3 AS size FROM audit_leaf) grown RETURNING 'checkpoint:' || size"
    ),
    "a checkpoint beyond everything": (
        "INSERT INTO audit_checkpoint (size, root, edge, note, at) VALUES (2^62, sha256('x'), ARRAY[sha256('x')],"
        " 'a lie', '2999-01-01') RETURNING 'checkpoint:' || size"
    ),
    "a checkpoint with an earlier note": (
        "INSERT INTO audit_checkpoint (size, root, edge, note, at) SELECT (SELECT max(index) + 3 FROM audit_leaf),"
        " root, edge, note, now() FROM audit_checkpoint ORDER BY size DESC LIMIT 1 RETURNING 'checkpoint:' || size"
    ),
    "another root of the newest checkpoint": (
        "UPDATE audit_checkpoint SET root = sha256('x') WHERE size = (SELECT max(size) FROM audit_checkpoint)"
        " RETURNING 'checkpoint:' || size"
    ),
    "another edge of the newest checkpoint": (
        "UPDATE audit_checkpoint SET edge = "
        + LIE.format("size")
        + " WHERE size = (SELECT max(size) FROM audit_checkpoint) RETURNING 'checkpoint:' || size"
    ),
    "the edge cut otherwise, with the same root": (
        "UPDATE audit_checkpoint SET edge = edge[:cardinality(edge) - 2] || ARRAY["
        " substr(edge[cardinality(edge) - 1], 1, 31),"
        " substr(edge[cardinality(edge) - 1], 32, 1) || edge[cardinality(edge)]]"
        " WHERE size = (SELECT max(size) FROM audit_checkpoint) RETURNING 'checkpoint:' || size"
    ),
    "no note of the newest checkpoint": (
        "UPDATE audit_checkpoint SET note = '' WHERE size = (SELECT max(size) FROM audit_checkpoint)"
        " RETURNING 'checkpoint:' || size"
    ),
    "an anchor of the future": (
        "INSERT INTO audit_anchor (checkpoint_id, at) SELECT max(size), '2999-01-01' FROM audit_checkpoint"
        " RETURNING 'anchor:' || checkpoint_id"
    ),
    "an anchor of eternity": (
        "INSERT INTO audit_anchor (checkpoint_id, at) SELECT max(size), 'infinity' FROM audit_checkpoint"
        " RETURNING 'anchor:' || checkpoint_id"
    ),
    "an anchor that is in no file": (
        "INSERT INTO audit_anchor (checkpoint_id, at) SELECT max(size), now() FROM audit_checkpoint"
        " RETURNING 'anchor:' || checkpoint_id"
    ),
    "another time of an anchor": "UPDATE audit_anchor SET at = '2999-01-01' RETURNING 'anchor:' || checkpoint_id",
    "a subtree that is still to come": (
        "INSERT INTO audit_subtree (height, place, hash) VALUES (8, 0, sha256('x')) RETURNING 'subtree:8:0'"
    ),
}


def as_owner(owner_connection, sql):
    """What somebody does who owns the database and switches its guards off; gives what it returns."""
    table = re.search(r"(?:INTO|UPDATE|FROM) (audit_\w+)", sql)[1]
    with owner_connection.transaction():
        owner_connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        row = owner_connection.execute(sql).fetchone()
        owner_connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for (name,) in owner_connection.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", [table]
        ).fetchall():
            owner_connection.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
    return row[0]


def grown_from(outside):
    """Whether the newest checkpoint is of all that was written, and grew out of what lies outside."""
    note = notes.read(checkpoints.sealed().note)
    leaves = [tree.leaf_hash(body) for body in sealed_bodies()[: note.size]]
    assert note.signed_by(keys.public()[0])
    assert note.root == reference.root(sealed_bodies()[: note.size])
    anchored = [notes.read(f"{text}\n\n{signed}\n") for text, signed in pairs(outside)]
    assert {one.size: one.root for one in anchored} == {
        one.size: reference.root(sealed_bodies()[: one.size]) for one in anchored
    }
    return len(leaves)


def pairs(path):
    blocks = Path(path).read_text().split("\n\n")[:-1]
    return zip(blocks[::2], blocks[1::2], strict=True)


@pytest.mark.parametrize("forged", FORGED)
def test_a_row_that_the_sealer_did_not_write_changes_nothing_and_is_told(house, settings, owner_connection, forged):
    settings.ANCHOR_SECONDS = 0
    # Of a size with some hashes in its edge, and nearly a whole subtree.
    write(241 - Entry.objects.count())
    seal.keep_up(within=5)
    write(2)
    seal.seal()
    name = as_owner(owner_connection, FORGED[forged])
    write(1)
    for _ in range(4):
        write(1)
        seal.keep_up(within=5)
    write(20)
    seal.keep_up(within=5)
    assert grown_from(settings.ANCHOR_FILE) >= Entry.objects.count() - 1
    state = Sealing.objects.defer("anchored_at").get()
    assert (state.refused, state.unanchored, state.forged) == ("", "", name)
    assert state.anchored == anchor.newest().size > 250
    told = status.measure()
    assert (told["ok"], told["state"]) == (False, "forged")
    assert name in status.of_log()["reasons"][0]
    assert Entry.objects.get(event="forgery.found").subject == name
    # The row stays, and somebody who knows of it ends the alarm.
    call_command("seal", "--known")
    seal.keep_up(within=5)
    assert status.measure()["state"] == "sealed"
    assert status.measure()["anchored_seconds"] < 3600


# The owner's hand beyond what was sealed: SQL that writes or changes a leaf, and what sealing says of it.
AHEAD = "INSERT INTO audit_leaf (index, chain_id, seq, hash) SELECT {}, chain_id, {}, {} FROM audit_leaf"
LAST = " WHERE index = (SELECT max(index) FROM audit_leaf) RETURNING 1"
RIGHT = (
    "(SELECT sha256('\\x00'::bytea || convert_to(body, 'UTF8')) FROM audit_entry entry"
    " WHERE entry.chain_id = audit_leaf.chain_id AND entry.seq = audit_leaf.seq + {})"
)
BAD_LEAVES = {
    "another hash": (AHEAD.format("index + 1", "seq + 1", "sha256('x')") + LAST, "is not the hash of entry"),
    "a later entry of the chain": (AHEAD.format("index + 1", "seq + 3", RIGHT.format(3)) + LAST, "has none yet"),
    "no entry": (AHEAD.format("index + 1", "seq + 999", "sha256('x')") + LAST, "which is not there"),
    "beyond a gap": (AHEAD.format("index + 7", "seq + 1", RIGHT.format(1)) + LAST, "is not there, and leaf"),
    "far away": (AHEAD.format("2^62", "seq + 1", RIGHT.format(1)) + LAST, "is not there, and leaf"),
}


@pytest.mark.parametrize("bad", BAD_LEAVES)
def test_a_leaf_planted_ahead_stops_sealing_and_an_auditor_passes_it_over(
    house, settings, owner_connection, monkeypatch, capsys, bad
):
    settings.ANCHOR_SECONDS = 0
    sql, says = BAD_LEAVES[bad]
    write(20)
    seal.keep_up(within=5)
    seal.keep_up(within=5)
    size = newest().size
    write(5)
    as_owner(owner_connection, sql)
    planted = list(Leaf.objects.filter(index__gte=size).values_list("index", "chain_id", "seq", "hash"))
    for _ in range(2):
        write(1)
        assert seal.keep_up(within=5) == 0
    assert newest().size == size
    state = Sealing.objects.get()
    assert says in state.refused
    assert "seal --pass-over leaves --by LOGIN" in state.refused
    assert {name: status.measure()[name] for name in ("ok", "state")} == {"ok": False, "state": "bad leaf"}
    page = factories.client("david").get("/admin/house/").content.decode()
    assert "A bad leaf keeps the log from being sealed" in page
    # An auditor leads out, nobody else, and by password.
    given = {"clara": factories.signature("clara")["password"], "david": "wrong"}
    for login, password in given.items():
        monkeypatch.setattr("audit.management.commands.seal.getpass", lambda prompt, password=password: password)
        with pytest.raises(CommandError):
            call_command("seal", "--pass-over", "leaves", "--by", login)
    assert not PassedLeaf.objects.exists()
    password = factories.signature("david")["password"]
    monkeypatch.setattr("audit.management.commands.seal.getpass", lambda prompt: password)
    call_command("seal", "--pass-over", "leaves", "--by", "david")
    assert f"Passed over: Leaf {size} " in capsys.readouterr().out
    seal.keep_up(within=5)
    assert grown_from(settings.ANCHOR_FILE) >= Entry.objects.count() - 1
    assert status.measure()["state"] == "sealed"
    # What was planted stands aside as it stood, and the log has its digest.
    kept = list(PassedLeaf.objects.order_by("pk").values_list("index", "chain_id", "seq", "hash"))
    assert kept == planted
    lines = "".join(f"{index} {chain} {seq} {bytes(hash_).hex()}\n" for index, chain, seq, hash_ in kept)
    said = form.read(Entry.objects.get(event="leaves.passed_over").body)
    assert said["by"] == factories.person("david").ref
    assert said["facts"]["digest"] == sha256(lines.encode()).hexdigest()
    assert said["facts"]["range"] == {"from": kept[0][0], "to": kept[-1][0]}
    with pytest.raises(CommandError, match="All leaves are in order"):
        call_command("seal", "--pass-over", "leaves", "--by", "david")
    with sealer.connected():
        looks = [part.look(0, part.newest(), {}) for part in inspections.parts("all")]
    assert not [each for _, named in looks for each in named if each.what.startswith("audit_")]


def test_leaves_that_a_crash_left_are_passed_over_with_those_planted_behind_them(house, owner_connection, monkeypatch):
    write(5)
    seal.seal()
    write(5)
    with monkeypatch.context() as patched:
        patched.setattr(seal, "_sign", break_off)
        with pytest.raises(KeyboardInterrupt):
            seal.seal()
    size = newest().size
    write(5)
    as_owner(owner_connection, BAD_LEAVES["another hash"][0])
    seal.keep_up(within=5)
    assert f"Leaf {size + 5} is not the hash" in Sealing.objects.get().refused
    seal.pass_over_leaves(by=factories.person("david"))
    assert PassedLeaf.objects.count() == 6
    seal.keep_up(within=5)
    assert bytes(newest().root) == reference.root(sealed_bodies())
    assert newest().size == Leaf.objects.count() >= Entry.objects.count() - 1


def test_a_leaf_is_deleted_by_nobody_while_it_is_signed_or_stands_nowhere_else(house, owner_connection):
    write(5)
    seal.seal()
    size = newest().size
    write(2)
    with sealer.connected(), transaction.atomic():
        seal._add_leaves()
    aside = "INSERT INTO audit_passedleaf (index, chain_id, seq, hash) SELECT {}"
    gone = "DELETE FROM audit_leaf WHERE index = {}"
    owner_connection.execute(aside.format(f"index, chain_id, seq, hash FROM audit_leaf WHERE index = {size - 1}"))
    owner_connection.execute(aside.format(f"index, chain_id, seq, sha256('x') FROM audit_leaf WHERE index = {size}"))
    for index in (size, size - 1):
        with pytest.raises(psycopg.errors.RestrictViolation, match="audit_leaf is append-only"):
            owner_connection.execute(gone.format(index))
    owner_connection.execute(aside.format(f"index, chain_id, seq, hash FROM audit_leaf WHERE index = {size}"))
    assert owner_connection.execute(gone.format(size)).rowcount == 1


def test_the_tree_is_not_forked_by_a_lie_over_a_changed_entry(house, settings, owner_connection):
    """What lies outside stands: a checkpoint's row taken away does not make its entries others'."""
    write(3)
    seal.keep_up(within=5)
    anchored = anchor.newest().size
    body = "replace(body, 'a-1', 'b-1')"
    as_owner(owner_connection, "UPDATE audit_checkpoint SET note = 'a lie' RETURNING 1")
    as_owner(owner_connection, f"UPDATE audit_entry SET body = {body} WHERE body LIKE '%a-1%' RETURNING 1")
    as_owner(
        owner_connection,
        "UPDATE audit_leaf SET hash = sha256('\\x00'::bytea || convert_to(body, 'UTF8')) FROM audit_entry entry"
        " WHERE (entry.chain_id, entry.seq) = (audit_leaf.chain_id, audit_leaf.seq) RETURNING 1",
    )
    write(1)
    with pytest.raises(seal.CannotSealError, match=f"The tree was different when checkpoint {anchored} was signed"):
        seal.seal()


def test_without_keys_of_its_own_no_row_is_passed_over(house):
    """Else a house that lost its keys would sign all of its log anew, by a key that nobody knows."""
    write(3)
    seal.keep_up(within=5)
    for name in (keys.SIGNING, keys.PUBLIC):
        (house / "keys" / name).unlink()
    keys.make()
    write(1)
    before = Checkpoint.objects.count()
    with pytest.raises(seal.CannotSealError, match="bring back the folder of this house's keys"):
        seal.seal()
    assert Checkpoint.objects.count() == before
    assert not Entry.objects.filter(event="forgery.found").exists()


def test_what_the_sealer_s_row_says_is_put_right(house, settings, owner_connection):
    write(3)
    seal.keep_up(within=5)
    as_owner(
        owner_connection,
        "UPDATE audit_sealing SET sealed = 2^62, anchored = 2^62, anchored_at = '2999-01-01' RETURNING 1",
    )
    assert status.measure()["unsealed"] == 0
    write(1)
    assert seal.keep_up(within=5) > 0
    state = Sealing.objects.get()
    assert (state.sealed, state.anchored) == (newest().size, anchor.newest().size)
    assert status.measure()["ok"]
    as_owner(owner_connection, "DELETE FROM audit_sealing RETURNING 1")
    assert status.measure()["state"] == "refused"
    assert "The one row of the sealer’s state is gone." in status.of_log()["reasons"]


# --- Proofs ---


def test_proofs_come_out_of_the_database(house):
    write(700)
    while seal.seal():
        pass
    leaves, size = sealed_bodies(), newest().size
    assert size > 700
    known = proofs.Subtrees()
    for index in (0, 1, 255, 256, 511, 512, size - 2, size - 1):
        proof = proofs.inclusion(index, size, known)
        assert verify_inclusion(tree.leaf_hash(leaves[index]), index, size, proof, bytes(newest().root))
        assert not verify_inclusion(tree.leaf_hash(b"other"), index, size, proof, bytes(newest().root))
    hashes = [tree.leaf_hash(leaf) for leaf in leaves]
    assert_right(hashes, proofs.Signed(size, bytes(newest().root)))
    for first in (1, 2, 255, 256, 257, 600, size):
        assert proofs.consistency(first, size, known) == tree.consistency(first, size, by_hand(hashes))


def assert_right(hashes, known):
    """Every subtree is what the leaves make."""
    right = by_hand(hashes)
    for height in range(len(hashes).bit_length()):
        for place in range(len(hashes) >> height):
            assert known(height, place) == right(height, place), (height, place)


@pytest.mark.parametrize(
    "lie",
    [
        *(
            f"UPDATE audit_subtree SET hash = sha256('x') WHERE (height, place) = (2, {place})"
            for place in (0, 1, 3, 4)
        ),
        "UPDATE audit_subtree SET hash = sha256('x') WHERE height = 4",
        "UPDATE audit_subtree SET hash = sha256('x')",
        "UPDATE audit_subtree SET hash = sha256(hash)",
        "DELETE FROM audit_subtree WHERE (height, place) = (2, 1)",
        "DELETE FROM audit_subtree",
    ],
)
def test_a_kept_hash_that_lies_is_not_used(house, owner_connection, monkeypatch, lie):
    """In a small tree that keeps every second height."""
    monkeypatch.setattr(Subtree, "STEP", 2)
    write(75 - Entry.objects.count() % 16)
    seal.seal()
    assert Subtree.objects.filter(height=4).count() >= 4
    as_owner(owner_connection, f"{lie} RETURNING 1")
    size, root = newest().size, bytes(newest().root)
    assert_right([tree.leaf_hash(leaf) for leaf in sealed_bodies()], proofs.Signed(size, root))
    entries = list(Entry.objects.filter(chain="house"))
    assert all(proof.proven for proof in inclusion.prove(entries, newest()).values())


def by_hand(leaves):
    """Subtrees of these leaves, one hash at a time."""

    @functools.cache
    def known(height, place):
        if not height:
            return leaves[place]
        return tree.node_hash(known(height - 1, 2 * place), known(height - 1, 2 * place + 1))

    return known


@hypothesis_settings(max_examples=proof.examples(200))
@given(st.integers(1, 300), st.data())
def test_any_leaf_of_any_tree_is_proven(size, data):
    leaves = [bytes([number % 256, number // 256]) for number in range(size)]
    known = by_hand([tree.leaf_hash(leaf) for leaf in leaves])
    edge = tree.Edge()
    for leaf in leaves:
        edge.append(tree.leaf_hash(leaf))
    assert edge.root() == reference.root(leaves)
    index = data.draw(st.integers(0, size - 1))
    assert verify_inclusion(tree.leaf_hash(leaves[index]), index, size, tree.inclusion(index, size, known), edge.root())


def _address():
    parameters = connection.get_connection_params()
    return psycopg.conninfo.make_conninfo(
        **{name: parameters[name] for name in ("dbname", "user", "password", "host", "port") if parameters.get(name)}
    )


def test_an_anchor_of_our_own_is_warned_of_before_the_house_opens(house, settings):
    (told,) = checks.the_anchor_is_somebody_elses(None)
    assert (told.id, "can't be found" in told.msg) == ("audit.W001", True)
    seal.keep_up(within=5)
    (told,) = checks.the_anchor_is_somebody_elses(None)
    assert (told.id, "this very account" in told.msg) == ("audit.W002", True)
    os.chown(settings.ANCHOR_FILE, 65534, -1) if os.geteuid() == 0 else None
    assert (checks.the_anchor_is_somebody_elses(None) == []) == (os.geteuid() == 0)
