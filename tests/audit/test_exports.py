"""Exports as the worker writes them: their form, what they hold, and how they go on after a crash."""

import base64
import csv
import datetime as dt
import io
import json
import shlex
import subprocess

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from audit import anchor, exports, log, notes, pieces, seal, sealer, tree, verify_export
from audit.models import Checkpoint, Entry, Export, Leaf
from casino.errors import Refused
from tables.verbs import settling
from tests.audit.test_seal import tamper, write
from tests.support import entry_texts, factories

TICK = dt.timedelta(microseconds=1)


@pytest.fixture
def written(settled_house, settings):
    """Asks for an export and writes it; gives its row and its folder."""
    settings.EXPORTS = str(settled_house / "exports")

    def write_it(kind="all", **more):
        with transaction.atomic():
            export = exports.ask(kind=kind, by=more.pop("by", factories.person("david")), **more)
        for _ in range(1000):
            exports.write_due(within=10)
            export.refresh_from_db()
            if export.status != Export.Status.ASKED:
                return export, exports.folder(export)
        raise AssertionError("It is never done.")

    return write_it


def root_of(folder):
    """The root that a folder's entries and hashes give, by hand; checks each checkpoint on the way."""
    entries = iter((folder / "entries.jsonl").read_bytes().split(b"\n")[:-1])
    roots = {}
    for note in (folder / "checkpoints").read_text().split("\n\n")[::2]:
        if note:
            roots[int(note.split("\n")[1])] = base64.b64decode(note.split("\n")[2])
    stack = []

    def push(height, hash_):
        while stack and stack[-1][0] == height:
            hash_ = tree.node_hash(stack.pop()[1], hash_)
            height += 1
        stack.append((height, hash_))

    for line in (folder / "tree.jsonl").read_text().splitlines():
        told = json.loads(line)
        assert log.canonical(told) == line
        if "entries" in told:
            for _ in range(told["entries"]):
                push(0, tree.leaf_hash(next(entries)))
        elif "hash" in told:
            assert not stack or stack[-1][0] >= told["height"]
            push(told["height"], base64.b64decode(told["hash"]))
        else:
            grown = tree.Edge(sum(1 << height for height, _ in stack), [hash_ for _, hash_ in stack]).root()
            assert grown == roots.pop(told["checkpoint"])
    assert not roots
    assert next(entries, None) is None
    return grown


def test_everything_is_the_log_byte_for_byte(written):
    export, folder = written()
    lines = (folder / "entries.jsonl").read_text().split("\n")
    size = export.checkpoint_id
    assert lines.pop() == ""
    bodies = {(chain, seq): body for chain, seq, body in Entry.objects.values_list("chain_id", "seq", "body")}
    places = Leaf.objects.filter(index__lt=size).order_by("index").values_list("chain_id", "seq")
    assert lines == [bodies[place] for place in places]
    assert root_of(folder) == bytes(Checkpoint.objects.get(size=size).root)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["entries"], manifest["size"], manifest["kind"]) == (size, size, "all")
    assert manifest["chains"]["house"]["first"] == 1
    told = json.loads(lines[-1])
    assert (told["event"], told["subject"], told["by"]) == ("export.made", export.ref, factories.person("david").ref)
    with open(folder / "entries.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["leaf"]) for row in rows] == list(range(size))
    for row, line in zip(rows, lines, strict=True):
        told = json.loads(line)
        assert json.loads(row["facts"]) == told["facts"]
        assert row["terminal"] == (told["terminal"] or "")
        names = ("chain", "at", "event", "subject", "by")
        assert [row[name] for name in names] == [told[name] for name in names]
    played = {json.loads(line)["facts"]["sheet"] for line in lines if '"event":"round.opened"' in line}
    assert {log.digest(sheet) for sheet in (folder / "sheets.jsonl").read_text().splitlines()} == played


def test_a_table_is_its_chain_whole_and_the_hashes_of_all_else(written):
    table = factories.table()
    for _ in range(3):
        factories.settled_round(table)
        write(30)
        seal.seal()
    export, folder = written("table", table_key=table.ref)
    told = [json.loads(line) for line in (folder / "entries.jsonl").read_text().splitlines()]
    own = [entry["seq"] for entry in told if entry["chain"] == table.ref]
    assert own == list(range(1, len(own) + 1))
    assert {entry["event"] for entry in told if entry["chain"] != table.ref} == {"sheet.published"}
    assert root_of(folder) == bytes(export.checkpoint.root)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["chains"] == {table.ref: {"first": 1, "last": own[-1]}}
    assert export.entries == len(told) < export.leaves / 2


def test_a_period_has_its_neighbours_and_what_its_rounds_began_with(written):
    table = factories.table()
    round_ = factories.play_round(table)
    begin = dt.datetime.fromisoformat(Entry.objects.latest("id").at) + dt.timedelta(microseconds=1)
    settling.settle_due()
    write(3)
    end = dt.datetime.fromisoformat(Entry.objects.latest("id").at) + dt.timedelta(microseconds=1)
    write(3)
    factories.settled_round(table)
    export, folder = written("period", from_at=begin, to_at=end)
    manifest = json.loads((folder / "manifest.json").read_text())
    told = [json.loads(line) for line in (folder / "entries.jsonl").read_text().splitlines()]
    places = {(entry["chain"], entry["seq"]): entry for entry in told}
    for chain, told_range in manifest["chains"].items():
        for seq in range(told_range["first"], told_range["last"] + 1):
            assert manifest["from"] <= places[chain, seq]["at"] < manifest["to"]
        assert places[chain, told_range["first"] - 1]["at"] < manifest["from"]
        assert places[chain, told_range["last"] + 1]["at"] >= manifest["to"]
    assert {entry["event"] for entry in told if entry["subject"] == round_.ref} >= {"round.opened", "round.settled"}
    assert root_of(folder) == bytes(export.checkpoint.root)


@pytest.mark.parametrize("piece", [3, 64])
@pytest.mark.parametrize("kind", ["all", "table", "period"])
def test_pieces_of_any_size_give_the_same_bytes(written, monkeypatch, piece, kind):
    table = factories.table()
    seal.keep_up(within=5)
    begin = dt.datetime.fromisoformat(Entry.objects.latest("id").at)
    write(20)
    factories.settled_round(table)
    end = dt.datetime.fromisoformat(Entry.objects.latest("id").at)
    more = {"all": {}, "table": {"table_key": table.ref}, "period": {"from_at": begin, "to_at": end}}[kind]
    first, folder = written(kind, **more)
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(pieces, "PIECE", piece)
    plan = pieces.begin(first.progress["plan"])
    again = Export.objects.create(kind=first.kind, table_key=first.table_key, from_at=first.from_at, to_at=first.to_at)
    with sealer.connected():
        Export.objects.filter(pk=again.pk).update(checkpoint=first.checkpoint, leaves=first.leaves, progress=plan)
    again.refresh_from_db()
    while exports.go_on(again):
        again.refresh_from_db()
        # Whatever a crash leaves behind the end that was kept is cut off.
        for name in pieces.GROWING:
            if again.status == Export.Status.ASKED:
                with open(exports.folder(again) / name, "ab") as file:
                    file.write(b"torn")
    assert again.status == Export.Status.DONE
    found = {path.name: path.read_bytes() for path in exports.folder(again).iterdir()}
    assert found.pop("manifest.json").replace(b'"export":2', b'"export":1') == whole.pop("manifest.json")
    assert found == whole


def test_a_file_that_was_shortened_fails_the_export_with_a_sentence(written, monkeypatch, settings):
    monkeypatch.setattr(pieces, "PIECE", 50)
    with transaction.atomic():
        export = exports.ask(kind="all", by=None)
    assert exports.go_on(export)
    export.refresh_from_db()
    (exports.folder(export) / "entries.jsonl").write_text("")
    assert exports.go_on(export)
    export.refresh_from_db()
    assert export.status == Export.Status.FAILED
    assert "was shortened by somebody; ask for a new export" in export.failure
    assert not exports.go_on(export)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"kind": "table", "table_key": "table:99"}, "export_no_table"),
        ({"kind": "table", "table_key": "table:999"}, "export_no_table"),
        ({"kind": "table", "table_key": "house"}, "export_no_table"),
        ({"kind": "table"}, "export_no_table"),
        ({"kind": "period"}, "export_no_period"),
        (
            {
                "kind": "period",
                "from_at": dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
                "to_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
            },
            "export_no_period",
        ),
        (
            {
                "kind": "period",
                "from_at": dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
                "to_at": dt.datetime(2999, 1, 1, tzinfo=dt.UTC),
            },
            "export_no_period",
        ),
    ],
)
def test_what_can_t_be_exported_is_refused(house, what, code):
    log.start_chain("table:999")
    before = Entry.objects.count()
    with pytest.raises(Refused) as refused, transaction.atomic():
        exports.ask(by=None, **what)
    assert refused.value.code == code
    assert (Entry.objects.count(), Export.objects.count()) == (before, 0)


def test_an_export_ends_with_a_checkpoint_that_is_anchored_outside(written, settings):
    export, _ = written()
    again, _ = written()
    outside = (notes.read(f"{text}\n\n{signed}\n") for text, signed in _blocks(settings.ANCHOR_FILE))
    assert {export.checkpoint_id, again.checkpoint_id} <= {note.size for note in outside}
    assert f"{export.checkpoint.note}\n" in (exports.folder(again) / "checkpoints").read_text()


def _blocks(path):
    with open(path) as file:
        blocks = file.read().split("\n\n")[:-1]
    return zip(blocks[::2], blocks[1::2], strict=True)


def test_where_nothing_can_be_sealed_the_newest_checkpoint_is_exported_and_without_one_it_fails(written, settled_house):
    (settled_house / "keys" / "signing.key").rename(settled_house / "away")
    export, _ = written()
    assert export.status == Export.Status.FAILED
    assert export.failure.startswith("Nothing is sealed. There is no key")
    (settled_house / "away").rename(settled_house / "keys" / "signing.key")
    write(2)
    seal.keep_up(within=5)
    (settled_house / "keys" / "signing.key").rename(settled_house / "away")
    export, folder = written()
    assert export.status == Export.Status.DONE
    assert root_of(folder) == bytes(export.checkpoint.root)


def test_the_command_writes_it_at_the_machine(settled_house, settings, capsys):
    settings.EXPORTS = str(settled_house / "exports")
    call_command("export", "--table", str(factories.table().pk))
    export = Export.objects.get()
    assert (export.status, export.kind) == ("DONE", "table")
    assert f"{exports.folder(export)}: {export.entries} of {export.leaves} entries" in capsys.readouterr().out


@pytest.mark.parametrize("terminal", [None, "T1-left", 'the "left" one, upstairs', "=1+1", "links \\\\ oben", "é"])
@pytest.mark.parametrize("facts", [{"what": "a"}, {"what": 'x","prev":"', "before": [1, {"a": "b,c"}]}, {}])
def test_a_line_for_spreadsheets_is_as_csv_writes_it(terminal, facts):
    record = log.Record("setting.changed", "setting:a", facts, terminal=terminal)
    body = entry_texts.entry(
        chain="house", seq=7, prev="0" * 64, at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), record=record
    )
    told, line = json.loads(body), io.StringIO(newline="")
    csv.writer(line).writerow(
        [5, "house", 7, told["at"], "setting.changed", "setting:a", "system", terminal, log.canonical(facts)]
    )
    assert pieces._line(5, "house", 7, body) == line.getvalue()


def test_what_is_no_entry_has_its_text_alone():
    assert pieces._line(5, "house", 7, '{"b": 1}') == '5,house,7,,bad entry,,,,"{""b"": 1}"\r\n'


@pytest.mark.parametrize("day", ["before its first round", "with its last tick alone"])
def test_a_neighbour_of_a_period_brings_what_its_round_needs(written, settled_house, day):
    table = factories.table("T2")
    before = dt.datetime.fromisoformat(Entry.objects.filter(chain=table.ref).latest("seq").at)
    factories.settled_round(table)
    opened = Entry.objects.filter(chain=table.ref, event="round.opened").latest("seq")
    settled = dt.datetime.fromisoformat(Entry.objects.filter(chain=table.ref).latest("seq").at)
    with transaction.atomic():
        log.record("staff.signed_off", "staff:1", chain=table.ref, actor=log.SYSTEM, facts={"staff": "staff:1"})
    factories.settled_round(table)
    last = dt.datetime.fromisoformat(Entry.objects.filter(chain=table.ref, event="staff.signed_off").latest("seq").at)
    tick = dt.timedelta(microseconds=1)
    period = (
        {"from_at": before - tick, "to_at": dt.datetime.fromisoformat(opened.at)}
        if day == "before its first round"
        else {"from_at": settled + tick, "to_at": last + tick}
    )
    _, folder = written("period", **period)
    public, anchor = settled_house / "keys" / "public", settled_house / "outside" / "checkpoints"
    command = [str(folder), "--key", str(public), "--anchor", str(anchor)]
    assert verify_export.main([*command, "--csv", "--resettle", str(settings.BASE_DIR)]) == 0


@pytest.mark.parametrize("kind", ["all", "table", "period"])
def test_the_command_that_is_given_ends_with_0_whatever_was_anchored_since(written, settled_house, kind, capsys):
    table = factories.table()
    now = timezone.now()
    more = {"table": {"table_key": table.ref}, "period": {"from_at": now - dt.timedelta(days=1), "to_at": now}}
    export, folder = written(kind, **more.get(kind, {}))
    factories.settled_round(table)
    seal.keep_up(within=5)
    seal.anchor_when_due(now=True)
    newest = max(note.size for note in verify_export.read_notes(anchor.path()))
    assert newest > export.checkpoint_id
    paths = {"verifier": "-", "at": folder, "key": settled_house / "keys" / "public", "anchored": anchor.path()}
    python, _, *words = shlex.split(exports.verify_command(export, **paths))
    assert python == "python3"
    assert verify_export.main(words) == 0
    said = capsys.readouterr().out
    assert "  what you asked for: " in said
    assert "checkpoints of the anchor" in said or "checkpoint of the anchor" in said
    # Without it, the newer anchor asks when the export was made.
    without = words.index("--as-of")
    assert verify_export.main([*words[:without], *words[without + 2 :]]) == 3


def test_the_command_at_the_machine_gives_the_one_that_verifies(written, settled_house, monkeypatch):
    monkeypatch.chdir(settled_house)
    out = io.StringIO()
    call_command("export", stdout=out)
    command = out.getvalue().splitlines()[-1].removeprefix("Verify it: ")
    assert " exports/export-" in command
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False, cwd=settled_house)
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "whole"), done.stdout + done.stderr


def test_an_export_of_a_lost_history_is_not_written_over(written):
    first, folder = written()
    (folder.parent / f"export-{first.pk + 1}").mkdir()
    export, _ = written()
    assert export.status == Export.Status.FAILED
    assert "is there already, of another history; put it elsewhere" in export.failure


@pytest.mark.parametrize("kind", ["all", "period"])
def test_a_tree_in_which_somebody_deleted_a_leaf_fails_its_export(written, owner_connection, kind):
    seal.keep_up(within=5)
    first, last = (Entry.objects.filter(chain="house").order_by("seq")[place] for place in (0, 20))
    tamper(owner_connection, "DELETE FROM audit_leaf WHERE chain_id = 'house' AND seq = %s", last.seq)
    period = {"from_at": dt.datetime.fromisoformat(first.at), "to_at": dt.datetime.fromisoformat(last.at) + TICK}
    export, _ = written(kind, **(period if kind == "period" else {}))
    assert export.status == Export.Status.FAILED
    assert "some are missing: somebody took them away" in export.failure


def test_an_entry_that_somebody_emptied_is_exported_as_bad_and_holds_up_nothing(written, owner_connection):
    seal.keep_up(within=5)
    sql = """UPDATE audit_entry SET body = '{"at":"","by":"","event":"round.opened","facts":{},"subject":""}'
        WHERE chain_id = 'house' AND seq = %s"""
    tamper(owner_connection, sql, 3)
    export, folder = written()
    assert export.status == Export.Status.DONE
    assert "2,house,3,,bad entry,,,," in (folder / "entries.csv").read_text()
    assert written("table", table_key=factories.table().ref)[0].status == Export.Status.DONE


def test_an_export_that_somebody_wrote_by_hand_fails_and_holds_up_no_other(written):
    Export.objects.create(kind="all", progress={})
    export, _ = written()
    assert export.status == Export.Status.DONE
    forged = Export.objects.earliest("pk")
    assert (forged.status, forged.failure) == (
        Export.Status.FAILED, "The log has no entry of it: nobody asked for it."
    )  # fmt: skip
