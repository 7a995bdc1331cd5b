"""One piece of an export: its files go on where the last piece ended.

A piece is one transaction, which locks the export's row: files are cut back to where the last piece ended and
continued, and the row keeps their new ends. So the worker that takes over after a crash goes on there.
"""

import contextlib
import csv
import io
import os
import re
from itertools import pairwise

from django.db import connection
from django.db.models.functions import Now

from . import bad_entries, form, keys, log, notes, proofs, tree
from .models import Checkpoint, Entry, Export, Leaf

MANIFEST, ENTRIES, TREE, CHECKPOINTS, SHEETS, CSV = (
    "manifest.json",
    "entries.jsonl",
    "tree.jsonl",
    "checkpoints",
    "sheets.jsonl",
    "entries.csv",
)
GROWING = (ENTRIES, TREE, CSV)
# The event's column of a text that is not an entry.
BAD = "bad entry"
COLUMNS = ("leaf", "chain", "seq", "at", "event", "subject", "by", "terminal", "facts")
# Leaves at a time, in whole subtrees: as many as a piece holds in memory and writes again after a crash.
PIECE = 80 << 8
# An entry is canonical: its fields are in order and no quote stands bare within a text.
_USUAL = re.compile(
    r'\{"at":"([\w:.-]+)","by":"([\w:-]+)","chain":"([\w:]+)","event":"([\w.]+)","facts":(\{.+\}),"prev":"[0-9a-f]{64}",'
    r'"seq":([0-9]+),"subject":"([\w:-]+)","terminal":(?:null|"([\w:-]+)"),"v":1\}'
)


def begin(plan):
    """The progress of an export before its first piece, as JSON."""
    return {"plan": plan, "leaf": 0, "covered": 0, "run": 0, "files": dict.fromkeys(GROWING, 0)}


class Piece:
    """One piece of an export, from the leaf where the last one ended."""

    def __init__(self, export, folder):
        self.export, self.progress, self.folder = export, export.progress, folder
        self.plan = self.progress["plan"]
        self.size = export.checkpoint_id
        self.extras = set(self.plan["extras"])

    def write(self):
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        begun = self.progress["leaf"]
        start = self._next_wanted(begun)
        end = min(start + PIECE, self.size)
        needs_hashes = self.export.kind != Export.Kind.ALL or any(start < size <= end for size in self.plan["sizes"])
        leaves = _hashes(start, end) if needs_hashes else []
        subtrees = proofs.Signed(self.size, bytes(self.export.checkpoint.root), start, leaves)
        covering = _Covering(self.plan["sizes"], self.progress, subtrees)
        rows = self._rows(start, end)
        entries, lines = [], []
        passed_over = bad_entries.passed_over()
        for index, chain, seq, body in rows:
            lines.append(_line(index, chain, seq, body, (chain, seq) in passed_over))
            # A text that can't be a line of an export is left out; the tree has its hash in its place.
            if "\n" not in body and (len(body) <= form.MOST_BYTES // 4 or len(body.encode()) <= form.MOST_BYTES):
                covering.entry(index)
                entries.append(body)
        if end == self.size:
            covering.end()
        header = [",".join(COLUMNS) + "\r\n"] if not begun else []
        self._append(ENTRIES, "".join(f"{body}\n" for body in entries))
        self._append(TREE, "".join(f"{log.canonical(record)}\n" for record in covering.records))
        self._append(CSV, "".join([*header, *lines]))
        self.progress |= {"leaf": end, "covered": covering.leaf, "run": covering.run}
        self.export.entries += len(entries)
        self.export.leaves_written = end
        fields = ["entries", "leaves_written", "progress"]
        if end == self.size:
            self._finish()
            self.export.status, self.export.ended_at = Export.Status.DONE, Now()
            fields += ["status", "ended_at"]
        self.export.save(update_fields=fields)

    def _next_wanted(self, leaf):
        """The next leaf that is exported, or the tree's end: what lies between needs only a few hashes."""
        if self.export.kind == Export.Kind.ALL or self.plan["first"] <= leaf < self.plan["end"]:
            return leaf
        after = [extra for extra in self.plan["extras"] if extra >= leaf]
        if leaf < self.plan["first"] < self.plan["end"]:
            after.append(self.plan["first"])
        return min(after, default=self.size)

    def _rows(self, start, end):
        """Index, chain, seq and text of the leaves of this piece that are exported."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT leaf.index, leaf.chain_id, leaf.seq, entry.body FROM audit_leaf leaf"
                " CROSS JOIN LATERAL (SELECT body FROM audit_entry"
                "  WHERE chain_id = leaf.chain_id AND seq = leaf.seq LIMIT 1) entry"
                " WHERE leaf.index >= %s AND leaf.index < %s AND (leaf.index = ANY (%s)"
                "  OR leaf.index >= %s AND leaf.index < %s AND %s IN ('', leaf.chain_id)) ORDER BY leaf.index",
                [
                    start,
                    end,
                    [extra for extra in self.extras if start <= extra < end],
                    self.plan["first"],
                    self.plan["end"],
                    self.export.table_key,
                ],
            )
            return cursor.fetchall()

    def _append(self, name, text):
        """Continue a file where the last piece ended; whatever an unfinished piece left beyond that is cut off."""
        with open(os.open(self.folder / name, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            ended = self.progress["files"][name]
            if file.seek(0, os.SEEK_END) < ended:
                raise OSError(f"{self.folder / name} was shortened by somebody; ask for a new export.")
            file.truncate(ended)
            file.seek(ended)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
            self.progress["files"][name] = file.tell()

    def _finish(self):
        """The small files, which are written at the end."""
        checkpoints = Checkpoint.objects.in_bulk(self.plan["sizes"])
        texts = {CHECKPOINTS: "".join(f"{checkpoints[size].note}\n" for size in self.plan["sizes"])}
        published = Entry.objects.filter(chain=log.HOUSE, event="sheet.published")
        rules = {}
        for body in published.values_list("body", flat=True):
            # Whoever writes the log may lie there: so a sheet's file has only its own rules.
            facts = form.facts(body)
            with contextlib.suppress(ValueError):
                text = log.canonical(facts.get("rules"))
                if facts.get("sheet") == log.digest(text):
                    rules[facts["sheet"]] = text
        texts[SHEETS] = "".join(f"{rules[digest]}\n" for digest in self.plan["sheets"] if digest in rules)
        texts[MANIFEST] = f"{log.canonical(self._manifest())}\n"
        for name, text in texts.items():
            self.progress["files"][name] = 0
            self._append(name, text)

    def _manifest(self):
        export = self.export
        manifest = {
            "chains": self.plan["chains"],
            "entries": export.entries,
            "export": export.pk,
            "kind": export.kind,
            "made_at": self.plan["made_at"],
            "origin": keys.origin(),
            "root": notes.encode(bytes(export.checkpoint.root)),
            "size": self.size,
            "v": 1,
        }
        if export.kind == Export.Kind.TABLE:
            manifest["table"] = export.table_key
        if export.kind == Export.Kind.PERIOD:
            manifest |= {"from": log.spell_time(export.from_at), "to": log.spell_time(export.to_at)}
        return manifest


class _Covering:
    """The records of `tree.jsonl`: runs of entries, hashes of what is left out, and checkpoints on the way."""

    def __init__(self, sizes, progress, subtrees):
        self.leaf, self.run, self.subtrees, self.records = progress["covered"], progress["run"], subtrees, []
        self.before = {size: before for before, size in pairwise([0, *sizes])}
        # A checkpoint stands before the entry that follows it, so one at the piece's first leaf still has to be
        # written.
        self.sizes = [size for size in sizes if size >= max(self.leaf, 1)]
        self.next_size = self.sizes[0] if self.sizes else None

    def entry(self, index):
        if index != self.leaf or index == self.next_size:
            self.reach(index)
            self._checkpoint()
        self.run += 1
        self.leaf += 1

    def reach(self, index):
        """Cover all that is left out before this leaf."""
        while self.leaf < index:
            self._checkpoint()
            self._end_run()
            end = min(index, self.next_size or index)
            for height, place in tree.cover(self.leaf, end):
                self.records.append({"hash": notes.encode(self.subtrees(height, place)), "height": height})
            self.leaf = end

    def end(self):
        """Cover all that comes after the last entry, to the last checkpoint."""
        self.reach(self.sizes[-1])
        self._checkpoint()

    def _checkpoint(self):
        if self.leaf != self.next_size:
            return
        self._end_run()
        before = self.before[self.leaf]
        proof = proofs.consistency(before, self.leaf, self.subtrees) if before else []
        self.records.append({"checkpoint": self.leaf, "consistency": [notes.encode(hash_) for hash_ in proof]})
        self.sizes.pop(0)
        self.next_size = self.sizes[0] if self.sizes else None

    def _end_run(self):
        if self.run:
            self.records.append({"entries": self.run})
            self.run = 0


def _hashes(start, end):
    """The hashes of these leaves.

    :raises LookupError: if one is missing.
    """
    rows = Leaf.objects.filter(index__gte=start, index__lt=end).order_by("index").values_list("hash", flat=True)
    hashes = [bytes(hash_) for hash_ in rows]
    if len(hashes) != end - start:
        raise LookupError(f"Of the leaves {start} to {end - 1} some are missing: somebody took them away.")
    return hashes


def _line(index, chain, seq, body, passed_over=False):
    """An entry's line for a spreadsheet (RFC 4180), as Python's csv writes it; a bad one has its text and no time.

    csv itself takes three times as long, so only entries with something unusual in a field go through it.
    """
    fields = None if passed_over else _USUAL.fullmatch(body)
    if fields is not None:
        at, by, chain, event, facts, seq, subject, terminal = fields.groups("")
        facts = facts.replace('"', '""')
        return f'{index},{chain},{seq},{at},{event},{subject},{by},{terminal},"{facts}"\r\n'
    if form.fault(body):
        row = [chain, seq, "", BAD, "", "", "", body]
    else:
        entry = form.read(body)
        row = [log.canonical(entry[name]) if name == "facts" else entry[name] for name in COLUMNS[1:]]
    line = io.StringIO(newline="")
    csv.writer(line).writerow([index, *row])
    return line.getvalue()
