"""What the verifier says of whole exports, of what is not covered, and of what is no export at all."""

import base64
import json
import os
import random
import re
import signal
import subprocess
import sys

import pytest

from audit import verify_export as verifier

from ..support import exports, waiting
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)


@pytest.fixture(scope="module")
def log():
    return exports.night(1)


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


def middle(log):
    """A period that begins and ends within the night."""
    moments = sorted(entry["at"] for entry in log.entries)
    return moments[len(moments) // 3], moments[2 * len(moments) // 3]


def kinds(log):
    return {
        "all": log.all(),
        "table": log.table("table:1"),
        "house": log.table("house"),
        "period": log.period(*middle(log)),
    }


# What is whole


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_untouched_export_is_whole_in_each_kind(seed, jobs, tmp_path, monkeypatch):
    # Small blocks, so that chains, runs and checkpoints go on from block to block, and a crew has something to do.
    monkeypatch.setattr(verifier, "BLOCK", 2_000)
    log = exports.night(seed, rounds=8 * (1 + seed % 3))
    desk = Desk(tmp_path, log)
    for name, files in kinds(log).items() if jobs == 1 else [("all", log.all())]:
        code, told = desk.judge(files, "--csv", "--jobs", str(jobs))
        assert (code, told[0].split(":")[0]) == (WHOLE, "whole"), (name, told)
        assert f"  anchor: anchored up to entry {log.size}, 6 of 6 roots compared" in told
        assert "  entries.csv: says the same, to the byte" in told
        assert "  payments and transfers: not worked out again (--resettle PROJECT)" in told


def test_the_summary_says_what_was_checked(desk, log):
    code, told = desk.judge(log.table("table:1"))
    assert code == WHOLE
    count = len(log.of("table:1"))
    published = len({entry["facts"]["sheet"] for entry in log.of("table:1") if entry["event"] == "round.opened"})
    newest = f"{log.size}:{exports.b64(log.root(log.size))}"
    assert told[1 : told.index("Not looked at:")] == [
        "Looked at:",
        "  files: checkpoints, entries.csv, entries.jsonl, manifest.json, sheets.jsonl, tree.jsonl; no other is there",
        f"  anchor: anchored up to entry {log.size}, 6 of 6 roots compared",
        f"  what it holds: of the log of casino/demo, without a gap: table:1 1 to {count}",
        f"  entries: {count + published} entries, 2 chains: hashes, numbers, times",
        f"  tree: 6 checkpoints, the newest {newest}: roots, proofs, signatures",
        f"  rule sheets: {published}, as the log published them",
        "  entries.csv: says the same, to the byte",
    ]
    key = exports.vkey(log.old)[: len("casino/demo+") + 8]
    assert f"  the key's owner: whether {key} is the casino's own (" in "\n".join(told)
    left = (
        f"  the rest of the log: {log.size - count - published} entries of {log.size}, and whether these chains go on"
    )
    assert f"{left} (an export of everything)" in told
    assert told[-1].startswith("Said by the manifest, and signed by nobody: export 12, made_at 2026-11-21T06:00:00")


ALWAYS = {"key", "manifest", "others", "facts", "rights", "texts", "rules", "truth"}
"""What no command looks at: people do."""


def test_all_that_was_looked_at_and_all_that_was_not_is_said(desk, log):
    """Every aspect is on one side, and each option brings its own over."""
    named = {"anchor", "end", "asked", "csv", "payments", "days", "witness"}
    plain = desk.report({**log.all(), "entries.csv": log.all()["entries.csv"]}, "--no-csv", anchor=False)
    assert plain["gaps"].keys() == ALWAYS | named
    assert plain["looks"].keys() == {"files", "claim", "entries", "tree", "sheets", "people", "rest"}
    asked = ("--as-of", str(log.size), "--asked", "all")
    full = desk.report(log.all(), *asked)
    assert (full["verdict"], full["status"]) == ("whole", WHOLE)
    assert full["gaps"].keys() == ALWAYS | {"payments", "days", "witness"}
    assert full["unsigned"] == {"export": 12, "made_at": "2026-11-21T06:00:00.000000Z"}
    assert plain["looks"].keys() | plain["gaps"].keys() | {
        "bad",
        "beyond",
        "rounds",
        "cosigners",
        "signatures",
        "reports",
    } == {*verifier.ASPECTS}


def test_text_and_json_say_the_same(desk, log):
    for files, more in ((log.all(), ()), (log.all(entries=7), ()), (log.table("table:1"), ("--no-csv",))):
        code, told = desk.judge(files, *more)
        report = desk.report(files, *more)
        assert told[0] == f"{report['verdict']}: {report['says']}"
        looked, unseen = told.index("Looked at:"), told.index("Not looked at:")
        assert told[looked + 1 : unseen] == [f"  {row['name']}: {row['says']}" for row in report["looked_at"]]
        rows = [f"  {row['name']}: {row['says']} ({row['way']})" for row in report["not_looked_at"]]
        assert told[unseen + 1 : -1] == rows
        assert report["status"] == code


def test_a_malformed_export_has_its_json_too(desk, log):
    files = log.all()
    del files["sheets.jsonl"]
    report = desk.report(files)
    assert (report["verdict"], report["status"], report["looks"], report["unsigned"]) == (
        "malformed",
        MALFORMED,
        {},
        {},
    )
    assert report["gaps"]["entries"] == "the verification ended before it"
    assert report["gaps"].keys() >= {"files", "claim", "tree", "sheets", "anchor", "csv", "payments"}
    code, (line,) = verifier.judge(["--json", "--what"])
    assert (code, json.loads(line)["verdict"]) == (MALFORMED, "malformed")


def test_what_was_asked_for_is_held_against_what_came(desk, log):
    begins, ends = middle(log)
    given = {"all": log.all(), "table:1": log.table("table:1"), f"{begins}/{ends}": log.period(begins, ends)}
    for asked, files in given.items():
        report = desk.report(files, "--asked", asked)
        assert (report["verdict"], report["unsigned"].keys()) == ("whole", {"export", "made_at"})
        assert report["looks"]["asked"] == f"{verifier.safe(asked)}; this is {verifier.safe(asked)}"
        for other in given.keys() - {asked}:
            report = desk.report(files, "--asked", other)
            assert report["verdict"] == "tampered"
            assert report["says"].startswith(f"You asked for {verifier.safe(other)}, and this is an export of ")
    # Instants may be spelled without their fraction.
    files = log.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z")
    assert desk.judge(files, "--asked", "2026-11-19T05:00:00Z/2026-11-20T05:00:00Z")[0] == WHOLE


def test_anchors_beyond_the_end_and_signatures_by_others_are_counted(tmp_path):
    log = exports.night(1)
    desk = Desk(tmp_path, log)
    earlier = exports.Log(log.entries[: log.sizes[3]], log.sizes[:4])
    report = desk.report(earlier.all(), "--as-of", str(earlier.size))
    assert report["verdict"] == "whole"
    assert report["gaps"]["beyond"] == f"2 checkpoints of the anchor, up to {log.size}, passed over"
    desk.anchor.write_text(exports.note(log.size, log.root(log.size), [log.old, exports.private_key("eve")]))
    assert desk.report(log.all())["gaps"]["cosigners"] == "1 by keys that you did not give"


def test_an_export_that_is_changed_while_it_is_read_is_refused(desk, log, monkeypatch):
    """Another process writes between two looks at the same file."""
    folder, verify = desk.save(log.all()), verifier.verify

    def meanwhile(*arguments):
        verified = verify(*arguments)
        with open(folder / "entries.jsonl", "ab") as file:
            file.write(b"\n")
        return verified

    monkeypatch.setattr(verifier, "verify", meanwhile)
    code, told = desk.judge(folder, "--no-csv")
    assert code == MALFORMED
    assert "was changed while it was read" in told[0]


def test_a_link_is_no_file_of_an_export(desk, log):
    for name in (*verifier.FILES, "entries.csv"):
        folder = desk.save(log.all())
        (folder / name).rename(desk.folder / "elsewhere")
        (folder / name).symlink_to(desk.folder / "elsewhere")
        code, told = desk.judge(folder)
        assert code == MALFORMED
        assert f"{name} is a link" in told[0]


@pytest.mark.parametrize("name", ["entries.jsonl", "tree.jsonl", "checkpoints", "sheets.jsonl"])
def test_a_line_that_is_missing_is_tampered(name, desk, log):
    """Each line alone, and all from each line on: what was signed is missing."""
    for kind, files in kinds(log).items():
        lines = files[name].splitlines(keepends=True)
        for place in range(len(lines)):
            for left in (lines[:place] + lines[place + 1 :], lines[:place]):
                code, told = desk.judge({**files, name: b"".join(left)})
                assert code == TAMPERED, (kind, place, len(left), told)
    lines = log.all()["entries.jsonl"].splitlines(keepends=True)
    _, told = desk.judge({**log.all(), "entries.jsonl": b"".join(lines[:-2])})
    assert told[0] == ("tampered: entries.jsonl has 2 lines fewer than tree.jsonl counts: what was signed is missing.")


def test_a_period_in_which_nothing_happened_is_whole(desk, log):
    code, _ = desk.judge(log.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z"))
    assert code == WHOLE


def test_old_proofs_hold_after_the_key_was_changed(tmp_path):
    log = exports.night(2)
    log.rotated = log.sizes[2]
    desk = Desk(tmp_path, log)
    for files in kinds(log).values():
        assert desk.judge(files)[0] == WHOLE


def test_who_has_only_one_of_two_keys_is_told_so(tmp_path):
    log = exports.night(2)
    log.rotated = log.sizes[2]
    desk = Desk(tmp_path, log)
    desk.key.write_text(log.keys().splitlines(keepends=True)[0])
    code, told = desk.judge(log.all(), anchor=False)
    assert code == TAMPERED
    assert "none of the given keys: it is forged, or the key was changed and you need both" in told[0]


def test_a_key_that_was_given_up_signs_no_more(tmp_path):
    log = exports.night(2)
    log.rotated = log.sizes[2]
    signing = log.signing
    log.signing = lambda size: [log.old] if size == log.size else signing(size)
    code, told = Desk(tmp_path, log).judge(log.all())
    assert code == TAMPERED
    assert "which was given up before" in told[0]


# What is not covered


def test_without_an_anchor_nothing_is_covered(desk, log):
    code, told = desk.judge(log.all(), anchor=False)
    assert (code, told[0]) == (NOT_COVERED, "not covered: no anchor.")
    assert desk.report(log.all(), anchor=False)["gaps"]["anchor"].startswith("none was given")


def test_what_lies_after_the_newest_anchor_is_told(tmp_path):
    log = exports.night(1)
    log.anchored = log.sizes[:3]
    code, told = Desk(tmp_path, log).judge(log.all())
    assert code == NOT_COVERED
    assert told[0] == f"not covered: entries {log.sizes[2] + 1} to {log.size} lie after the newest anchor."


def test_entries_after_the_last_checkpoint_are_an_unsealed_tail(tmp_path):
    log = exports.night(1)
    log.sizes = log.anchored = log.sizes[:-1]
    code, told = Desk(tmp_path, log).judge(log.all())
    tail = len(log.entries) - log.size
    assert code == NOT_COVERED
    assert f"{tail} entr" in told[0]
    assert f"after the last checkpoint, of {log.size}: not sealed" in told[0]


def test_an_anchor_beyond_the_end_asks_when_the_export_was_made(tmp_path):
    log = exports.night(1)
    desk = Desk(tmp_path, log)
    earlier = exports.Log(log.entries[: log.sizes[3]], log.sizes[:4])
    code, told = desk.judge(earlier.all())
    assert code == NOT_COVERED
    assert f"{log.size - earlier.size} entries were anchored outside after this export's end" in told[0]
    assert desk.judge(earlier.all(), "--as-of", str(earlier.size))[0] == WHOLE
    assert desk.judge(earlier.all(), "--as-of", str(earlier.size - 1))[0] == WHOLE
    code, told = desk.judge(earlier.all(), "--as-of", str(log.size))
    assert code == TAMPERED
    assert (
        told[0]
        == f"tampered: This export ends at entry {earlier.size}, and the log had {log.size}: its end is missing."
    )


def test_a_root_from_paper_is_an_anchor(desk, log):
    seen = [f"{size}:{exports.b64(log.root(size))}" for size in (log.sizes[1], log.size)]
    assert desk.judge(log.all(), "--seen", seen[1], anchor=False)[0] == WHOLE
    assert desk.judge(log.all(), "--seen", seen[0], "--seen", seen[1], anchor=False)[0] == WHOLE
    assert desk.judge(log.all(), "--seen", seen[0], anchor=False)[0] == NOT_COVERED
    wrong = f"{log.sizes[1]}:{exports.b64(log.root(log.size))}"
    size, root = seen[1].split(":")
    digits = base64.b64decode(root).hex(" ", 2)
    assert desk.judge(log.all(), "--seen", f"{size}:{digits}", anchor=False)[0] == WHOLE
    assert desk.judge(log.all(), "--seen", f"{size}:{digits[:-1]}", anchor=False)[0] == MALFORMED
    code, told = desk.judge(log.all(), "--seen", wrong)
    assert code == TAMPERED
    assert "give two roots for the size" in told[0]
    # No checkpoint stands there; the whole log has every root all the same.
    between = next(size for size in range(2, log.size) if size not in log.sizes)
    code, told = desk.judge(log.all(), "--seen", f"{between}:{exports.b64(log.root(between))}")
    assert code == WHOLE
    code, told = desk.judge(log.all(), "--seen", f"{between}:{exports.b64(log.root(log.size))}")
    assert code == TAMPERED
    assert f"The log was rewritten: at {between} entries its root is not the one of --seen {between}" in told[0]


def test_an_anchor_within_what_is_left_out_says_nothing(desk, log):
    files = log.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z")
    hidden = next(size for size in range(3, log.size, 2) if size not in log.sizes and size - 1 not in log.sizes)
    seen = f"{hidden}:{exports.b64(log.root(hidden))}"
    code, told = desk.judge(files, "--seen", seen, anchor=False)
    assert code == NOT_COVERED
    assert f"at {hidden}, says nothing here" in told[0]


def test_a_checkpoint_that_was_anchored_must_be_there(desk, log):
    fewer = exports.Log(log.entries, [size for size in log.sizes if size != log.sizes[2]])
    code, told = desk.judge(fewer.all())
    assert code == NOT_COVERED
    assert f"the checkpoint of size {log.sizes[2]} was anchored and is not in this export" in told[0]


def test_a_forged_anchor_is_found(desk, log):
    eve = exports.private_key("eve")
    desk.anchor.write_text(exports.note(log.size, log.root(log.size), [eve]))
    code, told = desk.judge(log.all())
    assert code == TAMPERED
    assert "In the anchor: The checkpoint of size" in told[0]
    # A witness may have signed it too, whose key is not given.
    desk.anchor.write_text(exports.note(log.size, log.root(log.size), [log.old, eve]))
    assert desk.judge(log.all())[0] == WHOLE


def test_the_first_of_the_worst_is_told(tmp_path):
    log = exports.night(1)
    desk = Desk(tmp_path, log)
    files = log.all(entries=7)
    code, told = desk.judge(files, anchor=False)
    assert (code, told[0]) == (TAMPERED, f"tampered: There are {log.size} entries, and the manifest claims 7.")
    files["checkpoints"] += b"\n"
    assert desk.judge(files, anchor=False)[0] == MALFORMED


# Not an export


def edited(name, change):
    """A change of one file of an export."""

    def edit(files):
        files[name] = change(files[name])

    return edit


def replaced(name, old, new, count=1):
    def change(data):
        assert old in data
        return data.replace(old, new, count)

    return edited(name, change)


def manifest(**changes):
    def change(data):
        told = {**json.loads(data), **changes}
        told = {key: value for key, value in told.items() if value is not ...}
        return f"{exports.canonical(told)}\n".encode()

    return edited("manifest.json", change)


def last_line_first(data):
    *lines, last, _ = data.split(b"\n")
    return b"\n".join([last, *lines, b""])


def without_line(place):
    def change(data):
        lines = data.splitlines(keepends=True)
        del lines[place]
        return b"".join(lines)

    return change


def notes_swapped(data):
    blocks = re.findall(rb"casino/demo\n.*?\n\n.*?\n\n", data, re.DOTALL)
    return b"".join([blocks[1], blocks[0], *blocks[2:]])


def two_in_a_line(data):
    """And another over two, so that their number is right."""
    first, second, *others, last, _ = data.split(b"\n")
    return b"\n".join([first + b"," + second, *others, *last.split(b',"by"'), b""])


def over_two_lines(data):
    """And two in another, so that their number is right."""
    head, *others, first, second, _ = data.split(b"\n")
    return b"\n".join([*head.split(b',"by"'), *others, first + b"," + second, b""])


def first_line(line):
    """Another first line."""
    return edited("entries.jsonl", lambda data: line + data[data.index(b"\n") + 1 :])


DEEP = b'{"at":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
STRICT = {
    "a key twice": (replaced("entries.jsonl", b'"v":1}', b'"v":1,"v":1}'), "not in the one form"),
    "NaN": (replaced("entries.jsonl", b'"seq":1,', b'"seq":NaN,'), "NaN is no whole number"),
    "Infinity": (replaced("entries.jsonl", b'"seq":1,', b'"seq":-Infinity,'), "-Infinity is no whole number"),
    "a fraction": (replaced("entries.jsonl", b'"seq":1,', b'"seq":1.0,'), "1.0 is no whole number"),
    "an exponent": (replaced("entries.jsonl", b'"v":1}', b'"v":1e2}'), "1e2 is no whole number"),
    "minus zero": (replaced("entries.jsonl", b'"v":1}', b'"v":-0}'), "not in the one form"),
    "a leading zero": (replaced("entries.jsonl", b'"v":1}', b'"v":01}'), "is no JSON"),
    "true for 1": (replaced("entries.jsonl", b'"v":1}', b'"v":true}'), "a field that is not what it should be"),
    "true for a size": (manifest(size=True), "size is not what it should be"),
    "a huge number": (replaced("entries.jsonl", b'"seq":1,', b'"seq":' + b"9" * 5_000 + b","), "is no JSON"),
    "a large number": (replaced("entries.jsonl", b'"seq":1,', b'"seq":' + b"9" * 20 + b","), "than 19 digits"),
    "deep nesting": (first_line(DEEP), "nested too deep"),
    "deep nesting in the manifest": (edited("manifest.json", lambda data: DEEP), "nested too deep"),
    "no object": (first_line(b"7\n"), "has not the keys of an entry"),
    "no JSON": (first_line(b"\n"), "is no JSON"),
    "two entries in a line": (edited("entries.jsonl", two_in_a_line), "goes on after its end"),
    "an entry over two lines": (edited("entries.jsonl", over_two_lines), "is no JSON"),
    "CR LF": (edited("entries.jsonl", lambda data: data.replace(b"\n", b"\r\n")), "goes on after its end"),
    "CR LF in checkpoints": (edited("checkpoints", lambda data: data.replace(b"\n", b"\r\n")), "begins with"),
    "no last newline": (edited("entries.jsonl", lambda data: data[:-1]), "without its newline"),
    "no last newline of the tree": (edited("tree.jsonl", lambda data: data[:-1]), "without its newline"),
    "a BOM": (edited("entries.jsonl", lambda data: b"\xef\xbb\xbf" + data), "is no JSON"),
    "no UTF-8": (replaced("entries.jsonl", b"\xc3\xa9", b"\xe9"), "is no UTF-8"),
    "a surrogate": (replaced("entries.jsonl", b"\xc3\xa9", b"\xed\xa0\x80"), "is no UTF-8"),
    "not NFC": (replaced("entries.jsonl", b"\xc3\xa9", b"e\xcc\x81"), "Unicode's normal form NFC"),
    "a control character": (replaced("entries.jsonl", b"\xc3\xa9", b"\\u0007"), "control character"),
    "a late control character": (replaced("entries.jsonl", b"\xc3\xa9", b"\xc2\x85"), "control character"),
    "a raw control character": (replaced("entries.jsonl", b"\xc3\xa9", b"\x07"), "is no JSON"),
    "DEL": (replaced("entries.jsonl", b"\xc3\xa9", b"\x7f"), "control character"),
    "a needless escape": (replaced("entries.jsonl", b"\xc3\xa9", b"\\u00e9"), "not in the one form"),
    "a space": (replaced("entries.jsonl", b'"seq":1,', b'"seq": 1,'), "not in the one form"),
    "another order": (replaced("entries.jsonl", b'"terminal":null,"v":1}', b'"v":1,"terminal":null}'), "the one form"),
    "a key too many": (replaced("entries.jsonl", b'"v":1}', b'"v":1,"w":1}'), "has not the keys of an entry"),
    "a key too few": (replaced("entries.jsonl", b',"v":1}', b"}"), "has not the keys of an entry"),
    "another time": (replaced("entries.jsonl", b'{"at":"2026-11-', b'{"at":"2026-13-'), "has the day 2026-13-"),
    "no such day": (replaced("entries.jsonl", b'{"at":"2026-11-20', b'{"at":"2026-11-31'), "has the day 2026-11-31"),
    "no such hour": (replaced("entries.jsonl", b"T20:", b"T25:"), "a time, person, chain or event"),
    "no such chain": (
        replaced("entries.jsonl", b'"chain":"house"', b'"chain":"cellar"'),
        "chain or event that is none",
    ),
    "no digest": (replaced("entries.jsonl", b'"prev":"0', b'"prev":"G'), "prev that is no SHA-256"),
    "no subject": (replaced("entries.jsonl", b'"subject":"sheet:1"', b'"subject":null'), "a field that is not"),
    "facts that are none": (replaced("entries.jsonl", b'"facts":{', b'"facts":[{'), "is no JSON"),
    "an unknown record": (edited("tree.jsonl", lambda data: b'{"leaf":1}\n' + data), "is no record of the tree"),
    "a record too large": (edited("tree.jsonl", lambda data: b'{"entries":1,"hash":1}\n' + data), "is no record"),
    "no entries in a record": (edited("tree.jsonl", lambda data: b'{"entries":0}\n' + data), "is no record"),
    "a list for a record": (edited("tree.jsonl", lambda data: b"[]\n" + data), "is no record"),
    "a proof of no hashes": (
        replaced("tree.jsonl", b'"consistency":[]', b'"consistency":["AA=="]'),
        "is no list of hashes",
    ),
    "unsorted checkpoints": (edited("checkpoints", notes_swapped), "follows one of"),
    "a checkpoint twice": (
        edited("checkpoints", lambda data: data + data[data.rindex(b"casino/demo\n") :]),
        "follows one",
    ),
    "an empty line too many": (edited("checkpoints", lambda data: data + b"\n"), "begins with"),
    "a size with a zero": (replaced("checkpoints", b"casino/demo\n", b"casino/demo\n0"), "has the size 0"),
    "unsorted sheets": (edited("sheets.jsonl", last_line_first), "is not in the order"),
    "a sheet twice": (edited("sheets.jsonl", lambda data: data[: data.index(b"\n") + 1] + data), "is not in the order"),
    "a sheet with spaces": (replaced("sheets.jsonl", b'{"game":', b'{ "game":'), "not in the one form"),
    "a list for a sheet": (edited("sheets.jsonl", lambda data: b"[]\n" + data), "is no rule sheet"),
    "an unknown key": (manifest(more=1), "a key too many or too few"),
    "a missing key": (manifest(export=...), "a key too many or too few"),
    "another kind": (manifest(kind="some"), "another kind"),
    "a list for a kind": (manifest(kind=[]), "another kind"),
    "a table for all": (manifest(table="table:1"), "a key too many or too few"),
    "another version": (manifest(v=2), "v is not what it should be"),
    "a size of none": (manifest(size=0), "size is not what it should be"),
    "a range backwards": (manifest(chains={"house": {"first": 2, "last": 1}}), "chains is not what it should be"),
    "a range from the middle": (manifest(chains={"house": {"first": 2, "last": 3}}), "begins at entry 1"),
    "a root too short": (manifest(root="AAAA"), "root is not what it should be"),
    "a time that is none": (manifest(made_at="2026-11-21"), "made_at is not what it should be"),
    "an empty manifest": (edited("manifest.json", lambda data: b""), "a key too many or too few"),
    "two manifests": (edited("manifest.json", lambda data: data + data), "more than 1 lines"),
    "a list for a manifest": (edited("manifest.json", lambda data: b"[]\n"), "a key too many or too few"),
    "a file too many": (lambda files: files.update({"notes.txt": b""}), "notes.txt does not belong"),
    "a file too few": (lambda files: files.pop("sheets.jsonl"), "sheets.jsonl is missing"),
}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            replaced("tree.jsonl", b'"consistency":[]', b'"consistency":["' + b"A" * 43 + b'="]'),
            "the first checkpoint extends one before it, which is missing",
        ),
        (edited("tree.jsonl", lambda data: data + b'{"entries":3}\n'), "3 lines fewer than tree.jsonl counts"),
        (edited("tree.jsonl", without_line(0)), "more than tree.jsonl counts: added, or a record is missing"),
        (edited("entries.jsonl", lambda data: data + data[: data.index(b"\n") + 1]), "has 1 line more than tree.jsonl"),
        (edited("checkpoints", lambda data: data[: data.rindex(b"casino/demo\n")]), "it is missing there"),
        (edited("tree.jsonl", without_line(-1)), "has no place in tree.jsonl: its record is missing"),
        (edited("checkpoints", lambda data: b""), "has no checkpoint in the file of checkpoints"),
        (edited("checkpoints", lambda data: data[:-1]), "no empty line after its signatures: a line of it is missing"),
    ],
)
def test_files_that_contradict_each_other_are_tampered(edit, message, desk, log):
    files = log.all()
    edit(files)
    code, told = desk.judge(files)
    assert code == TAMPERED, told
    assert message in told[0]


@pytest.mark.parametrize(("edit", "message"), STRICT.values(), ids=STRICT)
def test_what_is_no_export_is_refused_with_a_sentence(edit, message, desk, log):
    files = log.all()
    edit(files)
    code, told = desk.judge(files)
    assert code == MALFORMED, told
    assert len(told) == 1
    assert told[0].startswith("malformed: ")
    assert message in told[0]


def test_base64_has_one_form(desk, log):
    """The last sign but one of 32 bytes has two bits that decoders throw away."""
    data = log.all()["checkpoints"]
    root = exports.b64(log.root(log.sizes[0]))
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    other = f"{root[:-2]}{signs[signs.index(root[-2]) ^ 1]}="
    assert base64.b64decode(other) == base64.b64decode(root)
    files = {**log.all(), "checkpoints": data.replace(root.encode(), other.encode())}
    code, told = desk.judge(files)
    assert code == MALFORMED
    assert "no root of 32 bytes in base64" in told[0]


def test_a_line_without_end_is_refused_in_flat_memory(desk, log):
    for name in verifier.FILES:
        files = {**log.all(), name: b"7" * (verifier.BLOCK + 10)}
        code, told = desk.judge(files)
        assert code == MALFORMED
        assert "too long" in told[0]


@pytest.mark.parametrize("name", ["entries.jsonl", "manifest.json", "entries.csv"])
def test_a_pipe_or_folder_in_place_of_a_file_does_not_keep_us_waiting(name, desk, log):
    for make in (os.mkfifo, os.mkdir):
        folder = desk.save(log.all())
        (folder / name).unlink()
        make(folder / name)
        code, told = desk.judge(folder, "--csv")
        assert code == MALFORMED
        assert told[0].endswith("is no file.")


def test_a_missing_or_empty_key_is_told(desk, log, tmp_path):
    folder = desk.save(log.all())
    assert verifier.judge([str(folder), "--key", str(tmp_path / "none")])[0] == MALFORMED
    desk.key.write_text("")
    assert desk.judge(folder)[1][0].endswith("has no key.")
    desk.key.write_text(log.keys() * 2)
    assert desk.judge(folder)[1][0].endswith("has a key twice.")
    desk.key.write_text(log.keys().replace("+", "+0", 1))
    assert "is no public key" in desk.judge(folder)[1][0] or "not copied whole" in desk.judge(folder)[1][0]
    weak = exports.b64(bytes([1, 1]) + bytes(31))
    shape = verifier.Key(exports.ORIGIN, 1, bytes([1]) + bytes(31)).id.hex()
    desk.key.write_text(f"{exports.ORIGIN}+{shape}+{weak}\n")
    assert "no Ed25519 key that is safe to use" in desk.judge(folder)[1][0]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["folder"],
        ["folder", "--key"],
        ["folder", "--key", "k", "--seen", "7"],
        ["folder", "--key", "k", "--seen", "0:" + "A" * 43 + "="],
        ["folder", "--key", "k", "--as-of", "-1"],
        ["folder", "--key", "k", "--jobs", "0"],
        ["folder", "--key", "k", "--jobs", "\uff11"],
        ["folder", "--key", "k", "--what"],
        ["folder", "--key", "k", "--csv", "--no-csv"],
        ["folder", "--key", "k", "--asked", "table:x"],
        ["folder", "--key", "k", "--asked", "2026-11-20T05:00:00Z"],
        ["folder", "--key", "k", "--asked", "2026-11-21T05:00:00Z/2026-11-20T05:00:00Z"],
        ["folder", "--key", "k", "--state", "s"],
        ["witness", "folder", "--key", "k"],
        ["folder\0", "--key", "k\0"],
    ],
)
def test_a_wrong_command_is_told_in_one_sentence(words, capsys):
    assert verifier.main(words) == MALFORMED
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.startswith("malformed: ")
    assert told.out.count("\n") == 1


# As people start it


def started(*words, **more):
    """The verifier without anything of ours around it."""
    command = [sys.executable, "-I", "-S", verifier.__file__, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def test_it_runs_by_itself_with_the_standard_library_alone(desk, log):
    folder = desk.save(log.all())
    with started(*desk.words(folder), env={"LC_ALL": "C"}, cwd="/") as process:
        out, err = process.communicate(timeout=waiting.PATIENCE)
    assert (process.returncode, err) == (WHOLE, "")
    assert out.startswith("whole: ")


def test_ctrl_c_ends_it_with_one_line(desk, log):
    """In the midst of an export of many entries, with helpers."""
    files = log.all()
    folder = desk.save(files)
    with open(folder / "entries.jsonl", "wb") as file:
        file.writelines([files["entries.jsonl"]] * 2_000)
    (folder / "tree.jsonl").write_text(f'{{"entries":{2_000 * len(log.entries)}}}\n')
    # Tests that run in the background hear no Ctrl-C; this does.
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), "start_new_session": True}
    with started(*desk.words(folder), "--jobs", "2", **heard) as process:
        # Once its helpers are there it is at work.
        waiting.until(lambda: process.poll() is not None or _children(process.pid))
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=waiting.PATIENCE)
    assert (process.returncode, out, err) == (130, "interrupted: nothing is known of this export.\n", "")


def _children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return file.read().split()


def test_who_does_not_read_on_gets_no_traceback(desk, log):
    folder = desk.save(log.all())
    with started(*desk.words(folder), env={"PYTHONUNBUFFERED": "1"}) as process:
        process.stdout.close()
        assert process.wait(waiting.PATIENCE) in {WHOLE, 1}
        assert process.stderr.read() == ""


def test_the_csv_is_compared_to_the_byte_wherever_it_is(desk, log):
    chance = random.Random(3)
    whole = log.table("table:1")
    for _ in range(12):
        data = bytearray(whole["entries.csv"])
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        files = {**whole, "entries.csv": bytes(data)}
        code, told = desk.judge(files)
        assert code == TAMPERED
        assert re.search("entries.csv row [0-9]+ is not what entries.jsonl gives", told[0])
    for data in (whole["entries.csv"] + b"\r\n", whole["entries.csv"][:-2], b""):
        assert desk.judge({**whole, "entries.csv": data})[0] == TAMPERED
        report = desk.report({**whole, "entries.csv": data}, "--no-csv")
        assert (report["verdict"], report["gaps"]["csv"]) == ("whole", "you said --no-csv")
    del whole["entries.csv"]
    report = desk.report(whole)
    assert (report["verdict"], report["gaps"]["csv"]) == ("whole", "it is not here; it proves nothing by itself")
    assert desk.judge(whole, "--csv")[0] == MALFORMED
