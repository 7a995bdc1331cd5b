"""Whatever is changed at or before the newest anchor is found, and no damaged byte of an export is ever whole."""

import json
import random
from collections import Counter
from itertools import product

import pytest

from audit import verify_export as verifier

from ..support import exports, proof
from ..support.attackers import ATTACKS
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
UNSIGNED = {"export", "made_at", "from", "to"}
"""What the manifest says and nothing proves: its number, its time, and a period's ends between two entries."""


def attacked(name, count, folder):
    """Verdicts on a number of attacks, each on a log of its own."""
    found = Counter()
    for seed in range(count):
        chance = random.Random(f"{name} {seed}")
        log = exports.night(seed, rounds=chance.randint(4, 10))
        dress, files = ATTACKS[name](chance, log)
        desk = Desk(folder, log)
        if not seed % 10:
            assert desk.judge(log.all())[0] == WHOLE
        code, told = desk.judge(files)
        assert code != WHOLE, f"{name} {seed} ({dress}) was not found: {told}"
        found[code] += 1
        if dress == "stolen key" and json.loads(files["manifest.json"])["size"] >= log.size:
            # Perfectly consistent in itself: the anchor alone shows it.
            assert code in {TAMPERED, NOT_COVERED}, told
    return found


@pytest.mark.parametrize("name", ATTACKS)
def test_some_attacks_of_each_kind_are_found(name, tmp_path):
    attacked(name, 15, tmp_path)


@pytest.mark.proof
@pytest.mark.parametrize("name", ATTACKS)
def test_a_thousand_attacks_of_each_kind_are_found(name, tmp_path):
    count = proof.size(1_000, 30)
    found = attacked(name, count, tmp_path)
    told = ", ".join(
        f"{word} {found[code]:,}" for code, word in ((1, "tampered"), (2, "malformed"), (3, "not covered"))
    )
    print(f"\n{name}: {count:,} of {count:,} found: {told}")


@pytest.mark.parametrize("name", ["stolen_key", "rollback"])
def test_another_history_is_consistent_in_itself_and_the_anchor_alone_finds_it(name, tmp_path):
    """A log of their own making is whole by an anchor of their own, which is why the anchor has another owner."""
    for seed in range(10):
        chance = random.Random(seed)
        log = exports.night(seed)
        _, files = ATTACKS[name](chance, log)
        told = json.loads(files["manifest.json"])
        desk = Desk(tmp_path, log)
        seen = f"{told['size']}:{told['root']}"
        assert desk.judge(files, "--seen", seen, anchor=False)[0] == WHOLE
        assert desk.judge(files)[0] in {TAMPERED, NOT_COVERED}


def test_what_lies_after_the_newest_anchor_is_said_not_to_be_covered(tmp_path):
    """A thief of the key can still write there, unnoticed: the verdict says so and never `whole`."""
    log = exports.night(3)
    desk = Desk(tmp_path, log)
    held = log.sizes[3]
    entries = exports.chained([*log.entries[:held], *log.entries[held + 1 :]])
    false = exports.Log(entries, [*log.sizes[:4], len(entries)])
    desk.anchor.write_text(log.notes(log.sizes[:4]), "utf-8")
    code, told = desk.judge(false.all())
    assert code == NOT_COVERED
    assert f"entries {held + 1} to {len(entries)} lie after the newest anchor" in told[0]
    desk.anchor.write_text(log.notes(log.sizes[:5]), "utf-8")
    assert desk.judge(false.all())[0] == TAMPERED


@pytest.mark.parametrize("bits", [range(1), pytest.param(range(8), marks=pytest.mark.proof)], ids=["one", "all"])
def test_flipped_bits_of_every_byte_of_every_checkpoint_are_refused(tmp_path, bits):
    """In an export whose key was changed: 2 checkpoints, 3 signatures."""
    log = exports.night(5, rounds=1, tables=1)
    log.sizes = log.anchored = [len(log.entries) - 3, len(log.entries)]
    log.rotated = log.sizes[1]
    desk = Desk(tmp_path, log)
    folder = desk.save(log.all())
    whole = (folder / "checkpoints").read_bytes()
    assert desk.judge(folder)[0] == WHOLE
    found = Counter()
    for place, bit in product(range(len(whole)), bits):
        data = bytearray(whole)
        # Where one bit of each byte is flipped, the next byte's is another.
        data[place] ^= 1 << (place + bit) % 8
        (folder / "checkpoints").write_bytes(data)
        code, told = desk.judge(folder)
        assert code in {TAMPERED, MALFORMED}, (place, bit, told)
        found[code] += 1
    assert 8 * min(found.values()) > 500 * len(bits)
    (folder / "checkpoints").write_bytes(whole)
    assert desk.judge(folder)[0] == WHOLE


# The fuzzer

ODD = [
    *(0, -1, 1, 2, 7, 2**31, 2**63, 10**18, 10**30, -(10**30), True, False, None, 1.5, 1e300),
    *("", "house", "table:1", "table:0", "\u0000", "\ud800", "e\u0301", "A" * 43 + "=", "0" * 64, "Z" * 300, "\u2028"),
    *([], [[]], {}, {"first": 1, "last": 1}, {"": {}}, [1, [2, [3]]]),
]
TOKENS = [
    b"NaN",
    b"Infinity",
    b"1e5",
    b"\\u0000",
    b"\\ud83d",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"\x00",
    b"\xef\xbb\xbf",
    b"\xff",
    b"{",
]
TOKENS += [
    b"}",
    b"[" * 500,
    b'"',
    b",",
    b"\xe2\x80\x94 ",
    b"+",
    b"=",
    b" ",
    b"9" * 5_000,
    b"-",
    b'"v":1,',
    b"\xe2\x80\xa8",
]


def mutated(chance, files):
    """One file of an export with one to three damages: bytes, lines, or values of its JSON; gives its name too."""
    name = chance.choice([*verifier.FILES, "checkpoints", "manifest.json"])
    data = files[name]
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        data = chance.choice([_byte, _byte, _cut, _token, _line, _value, _value, _splice])(chance, data, files)
    return name, data


def _byte(chance, data, files):
    data = bytearray(data)
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _cut(chance, data, files):
    first, last = sorted(chance.randint(0, len(data)) for _ in range(2))
    last = min(last, first + chance.choice([1, 2, 30, 10**6]))
    return data[:first] + (data[first:last] * 2 if chance.random() < 0.3 else b"") + data[last:]


def _token(chance, data, files):
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(TOKENS) + data[at + chance.choice([0, 0, 1]) :]


def _line(chance, data, files):
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case 3:
            lines[one] = lines[one].rstrip(b"\n")
    return b"".join(lines)


def _splice(chance, data, files):
    other = chance.choice(list(files.values()))
    first = chance.randint(0, len(other))
    at = chance.randint(0, len(data))
    return data[:at] + other[first : first + chance.choice([1, 10, 500])] + data[at:]


def _value(chance, data, files):
    """Another value somewhere in a line of JSON, in the one form as far as it goes."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    try:
        told = json.loads(lines[place])
    except ValueError:
        return _token(chance, data, files)
    node, told = [told], [told]
    while True:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        key = chance.choice(list(keys))
        below = node[key]
        if isinstance(below, dict | list) and below and chance.random() < 0.8:
            node = below
            continue
        match chance.randrange(4) if isinstance(node, dict) else 0:
            case 1:
                del node[key]
            case 2:
                node[chance.choice(["", "zz", "facts", "hash", "\u00e9"])] = chance.choice(ODD)
            case _:
                node[key] = below + 1 if type(below) is int and chance.random() < 0.5 else chance.choice(ODD)
        break
    text = json.dumps(told[0], sort_keys=chance.random() < 0.95, separators=(",", ":"), ensure_ascii=False)
    lines[place] = text.encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def fuzz(count, seed, folder):
    """Verdicts on a number of damaged exports: never whole, never a traceback."""
    chance = random.Random(seed)
    log = exports.night(7, rounds=3, tables=2)
    desk = Desk(folder, log)
    moments = sorted(entry["at"] for entry in log.entries)
    found = Counter()
    for files in (log.all(), log.table("table:1"), log.period(moments[8], moments[-5])):
        saved = desk.save(files)
        assert desk.judge(saved)[0] == WHOLE
        for _ in range(count // 3):
            name, data = mutated(chance, files)
            if data == files[name]:
                continue
            (saved / name).write_bytes(data)
            code, told = desk.judge(saved)
            (saved / name).write_bytes(files[name])
            if code == WHOLE and name == "manifest.json":
                now, was = json.loads(data), json.loads(files[name])
                assert {key for key in was if was[key] != now[key]} <= UNSIGNED, data
                found["the manifest's own word"] += 1
                continue
            assert code != WHOLE, (name, data, told)
            assert code in {TAMPERED, MALFORMED, NOT_COVERED}
            found[code] += 1
    assert 18 * min(found[TAMPERED], found[MALFORMED]) > count
    return found


def test_a_damaged_export_is_never_whole_and_never_breaks_the_verifier(tmp_path):
    fuzz(600, "suite", tmp_path)


@pytest.mark.proof
def test_a_hundred_thousand_damaged_exports_are_never_whole(tmp_path):
    found = fuzz(proof.size(100_000, 1_000), "proof", tmp_path)
    print(f"\n{sum(found.values()):,} damaged exports: {dict(found)}; 0 whole, 0 tracebacks")


def test_damaged_keys_and_anchors_never_break_the_verifier(tmp_path):
    chance = random.Random("desk")
    log = exports.night(7, rounds=3, tables=2)
    log.rotated = log.sizes[2]
    desk = Desk(tmp_path, log)
    folder = desk.save(log.all())
    files = {"keys": log.keys().encode(), "anchor": log.anchor().encode()}
    for _ in range(500):
        name = chance.choice(list(files))
        data = chance.choice([_byte, _cut, _token, _line, _splice])(chance, files[name], files)
        (tmp_path / name).write_bytes(data)
        assert desk.judge(folder)[0] in range(4)
        (tmp_path / name).write_bytes(files[name])
