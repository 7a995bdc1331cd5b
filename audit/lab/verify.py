"""Entries a second of one processor that `verify_export.py` checks, and what further processors add.

On a made-up export of the whole log, in a temporary folder: Split Poker at twenty tables, entries as large as the
demo's, a checkpoint and an anchor for every ten thousand of them. The verifier runs as auditors start it, as a process.
"""

import datetime as dt
import hashlib
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from django.core.management.base import CommandError

from audit import verify_export as verifier
from casino.cards import DECK_52

LEAST = 60_000
TABLES, BETWEEN_CHECKPOINTS = 20, 10_000
ORIGIN, SEED = "casino/bench", bytes(32)
FIRST_AT = dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)


def add_arguments(parser):
    parser.add_argument("--entries", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=3, help="the fastest counts: neighbours only make it slower")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes in the second series")


def run(out, *, entries, runs, jobs):
    """:raises CommandError: below 60,000 entries a second of one processor."""
    if entries < 1 or runs < 1 or jobs < 1:
        raise CommandError("At least one entry, one run and one job are needed.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = write(folder, entries)
        out.write(f"verify, {entries:,} entries of {size // entries} bytes, {runs} runs each, the fastest of them")
        rates = {}
        for count in sorted({1, jobs}):
            took = [_seconds(folder, count) for _ in range(runs)]
            processor, clock = (min(column) for column in zip(*took, strict=True))
            rates[count] = entries / clock
            out.write(
                f"  {count} {'process' if count == 1 else 'processes'}: {entries / clock:,.0f} entries/s,"
                f" {entries / processor:,.0f} for each second of a processor"
            )
            out.flush()
            if count == 1:
                alone = entries / processor
        if jobs > 1:
            out.write(f"  {jobs} processes are {rates[jobs] / rates[1]:.2f} times as fast as one")
    if alone < LEAST:
        raise CommandError(f"{alone:,.0f} entries a second of one processor; at least {LEAST:,} are promised.")


def _seconds(folder, jobs):
    """(of the processors, by the clock)"""
    command = [sys.executable, verifier.__file__, folder / "export", "--jobs", str(jobs)]
    command += ["--key", folder / "keys", "--anchor", folder / "anchor"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    clock, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != verifier.WHOLE:
        raise CommandError(f"The benchmark's own export is not whole: {done.stdout}{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def write(folder, count):
    """Write a key, an anchor and the export of a whole log with this many entries; return the bytes of its entries."""
    export = folder / "export"
    export.mkdir()
    edge, hashes, chains, used, size, notes, records = verifier.Edge(), [], {}, set(), 0, [], []
    with open(export / "entries.jsonl", "wb") as file:
        for line in _lines(count, chains, used):
            file.write(line + b"\n")
            size += len(line)
            hashes.append(verifier.leaf_hash(line))
            edge.push(0, hashes[-1])
            if edge.size % BETWEEN_CHECKPOINTS == 0 or edge.size == count:
                before = notes[-1].size if notes else 0
                proof = _proof(before, hashes) if before else []
                records.append({"entries": edge.size - before})
                records.append({"checkpoint": edge.size, "consistency": [verifier.base64_of(step) for step in proof]})
                notes.append(_signed(edge))
    key = verifier.Key(ORIGIN, verifier.LOG_KEY, verifier.public_key(SEED))
    (folder / "keys").write_text(f"{key.vkey}\n")
    for path in (folder / "anchor", export / "checkpoints"):
        path.write_text("".join(f"{note.text}\n" for note in notes), "utf-8")
    (export / "tree.jsonl").write_text("".join(f"{verifier.encode(record)}\n" for record in records))
    (export / "sheets.jsonl").write_text(f"{verifier.encode(RULES)}\n" if used else "")
    manifest = {
        "chains": {chain: {"first": 1, "last": seq} for chain, (seq, _) in chains.items()},
        "entries": count,
        "export": 1,
        "kind": "all",
        "made_at": _spelled(FIRST_AT),
        "origin": ORIGIN,
        "root": verifier.base64_of(edge.root()),
        "size": count,
        "v": 1,
    }
    (export / "manifest.json").write_text(f"{verifier.encode(manifest)}\n")
    return size


def _signed(edge):
    note = verifier.Note(ORIGIN, edge.size, edge.root(), (), "")
    key = verifier.Key(ORIGIN, verifier.LOG_KEY, verifier.public_key(SEED))
    return note._replace(signatures=((ORIGIN, key.id, verifier.sign(SEED, note.body.encode())),))


def _proof(first, hashes):
    """RFC 9162, 2.1.4.1."""
    steps, low, high, whole = [], 0, len(hashes), True
    while first != high - low:
        cut = 1 << (high - low - 1).bit_length() - 1
        if first <= cut:
            steps.append(_root(hashes[low + cut : high]))
            high = low + cut
        else:
            steps.append(_root(hashes[low : low + cut]))
            low, first, whole = low + cut, first - cut, False
    return ([] if whole else [_root(hashes[low:high])]) + steps[::-1]


def _root(hashes):
    edge = verifier.Edge()
    for height, node in verifier.subtrees(0, hashes):
        edge.push(height, node)
    return edge.root()


RULES = {"coefficients": {}, "game": "split", "limits": {}, "parameters": {"chip": 5}, "version": 1}
SHEET = hashlib.sha256(verifier.encode(RULES).encode()).hexdigest()


def _spelled(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _lines(count, chains, used):
    """The bytes of entries, rounds of all tables in turn; `chains` gets the end of each, `used` the sheets."""
    dealer = random.Random(1)  # noqa: S311 - a benchmark's deals
    records = _records(dealer)
    for number in range(count):
        chain, event, subject, facts, by = next(records)
        seq, prev = chains.get(chain, (0, verifier.FIRST_PREV))
        if event in verifier.PLAYED_BY:
            used.add(SHEET)
        line = verifier.encode(
            {
                "at": _spelled(FIRST_AT + dt.timedelta(milliseconds=3 * number)),
                "by": by,
                "chain": chain,
                "event": event,
                "facts": facts,
                "prev": prev,
                "seq": seq + 1,
                "subject": subject,
                "terminal": f"T{chain[6:]}-left" if by != "system" else None,
                "v": 1,
            }
        ).encode()
        chains[chain] = seq + 1, hashlib.sha256(line).hexdigest()
        yield line


def _records(dealer):
    """(chain, event, subject, facts, by) without end."""
    sheet = {"author": "staff:1", "rules": RULES, "sheet": SHEET, "signer": "staff:2"}
    for ref in ("staff:1", "staff:2", "staff:3"):
        yield "house", "staff.added", ref, {"staff": ref}, "system"
    yield "house", "sheet.published", "sheet:1", sheet, "staff:2"
    number = 0
    while True:
        courses = []
        for table in range(1, TABLES + 1):
            number += 1
            courses.append(list(_course(dealer, f"table:{table}", number)))
        while courses:
            courses = [course for course in courses if course]
            for course in courses:
                yield course.pop(0)


def _course(dealer, table, number):
    """The entries of a round of Split Poker, some twenty of them."""
    ref, pack = f"round:{number}", dealer.sample(DECK_52, 52)
    opened = {"game": "split", "number": number, "session": f"session:{table[6:]}", "sheet": SHEET}
    yield table, "round.opened", ref, opened, "staff:3"
    boxes, payments, transfers = [], [], []
    for box in range(1, 5):
        units, cards = 500 * dealer.randint(1, 40), [pack.pop() for _ in range(5)]
        boxes.append({"action": "bet", "ante": units, "box": box, "cards": cards, "extra": [pack.pop(), pack.pop()]})
        paid = {
            "box": box,
            "net": units,
            "outcome": "win_bet",
            "paid": units,
            "returned": 3 * units,
            "staked": 3 * units,
        }
        payments.append(paid)
        key = {"key": f"{ref}:1:{box}", "reason": "wager", "units": units}
        transfers.append({**key, "credit": f"float:{table}", "debit": f"patrons:{table}"})
    acts = [("betting", "ante", {"box": box["box"], "units": box["ante"]}) for box in boxes]
    acts += [("deciding", "bet", {"box": box["box"]}) for box in boxes]
    acts += [("showing", "show", {"box": box["box"], "cards": box["cards"], "extra": box["extra"]}) for box in boxes]
    for ordinal, (phase, kind, arguments) in enumerate(acts, 1):
        facts = {"arguments": arguments, "kind": kind, "ordinal": ordinal, "phase": phase}
        yield table, "round.acted", ref, facts, "staff:3"
    dealt = {"cards": [pack.pop() for _ in range(5)], "small": [pack.pop(), pack.pop()]}
    wagers = [{"box": box["box"], "kind": "ante", "ordinal": box["box"], "units": box["ante"]} for box in boxes]
    line = {"boxes": boxes, "chip": 5, "dealer": dealt, "game": "split", "id": number}
    yield table, "round.closed", ref, {"round": line, "wagers": wagers}, "staff:3"
    results = [{**paid, "big": "pair", "small": "high_card", "clauses": ["split.17", "split.19"]} for paid in payments]
    settled = {
        "generation": 1,
        "payments": payments,
        "result": {"boxes": results},
        "sheet": SHEET,
        "transfers": transfers,
    }
    yield table, "round.settled", ref, settled, "system"
