"""A casino's log, made up, its keys, checkpoints and anchors, and its exports written by the form alone.

It uses nothing of the product: trees come from `reference`, signatures from `cryptography`, so what the verifier finds
whole was written by somebody else. An export is a dict of file names to bytes until it is saved.
"""

import base64
import csv
import datetime as dt
import hashlib
import io
import json
import random
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import reference

ORIGIN = "casino/demo"
FIRST_AT = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)
HOUSE = "house"
PEOPLE = 3
"""So many people a made-up night begins with: an entry each."""
KEPT_NIGHT = Path(__file__).parents[1] / "audit" / "night.jsonl"
# The same facts from before gaming days were closed: a correction did not say its day.
NIGHT_BEFORE_DAYS = KEPT_NIGHT.with_name("night_before_days.jsonl")
# Two pots of a night from before tables had rake slots, as the product logged them then.
NIGHT_BEFORE_SLOTS = KEPT_NIGHT.with_name("night_before_slots.jsonl")
"""As the product logged it: three games with all that may happen to a round; see `test_resettle.py`."""
KEPT_DAYS = KEPT_NIGHT.with_name("days")
"""A house with two closed gaming days, and the files of their reports; see `test_reports_of_an_export.py`."""
KEPT_DAYS_OF_PLAY = KEPT_NIGHT.with_name("days_of_play")
"""Another one, in which rounds were contested and put right."""


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def spelled(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def b64(data):
    return base64.b64encode(data).decode()


def private_key(seed):
    """The private key of a text: always the same for the same text."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(seed.encode()).digest())


def public_bytes(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def key_id(key, name=ORIGIN, kind=1):
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public_bytes(key)).digest()[:4]


def vkey(key, name=ORIGIN):
    return f"{name}+{key_id(key, name).hex()}+{b64(bytes([1]) + public_bytes(key))}"


def note(size, root, keys, origin=ORIGIN):
    """A checkpoint and the empty line after it."""
    body = f"{origin}\n{size}\n{b64(root)}\n"
    rows = [f"— {origin} {b64(key_id(key, origin) + key.sign(body.encode()))}\n" for key in keys]
    return f"{body}\n{''.join(rows)}\n"


def chained(entries, *, numbered=False):
    """Entries (in the order of their leaves) with each chain's links as they should be, and its numbers too unless
    these stay."""
    heads, seqs, made = {}, {}, []
    for entry in entries:
        chain = entry["chain"]
        seqs[chain] = seqs.get(chain, 0) + 1
        seq = entry["seq"] if numbered else seqs[chain]
        made.append({**entry, "seq": seq, "prev": heads.get(chain, "0" * 64)})
        heads[chain] = hashlib.sha256(canonical(made[-1]).encode()).hexdigest()
    return made


def chained_from(entries, place):
    """Relink the chain after one entry, leaving that entry as it is."""
    chain, head, made = entries[place]["chain"], None, []
    for at, entry in enumerate(entries):
        made.append({**entry, "prev": head} if at > place and entry["chain"] == chain else entry)
        if at >= place and entry["chain"] == chain:
            head = hashlib.sha256(canonical(made[-1]).encode()).hexdigest()
    return made


def kept_night(path=KEPT_NIGHT):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def manifest_of(files):
    return json.loads(files["manifest.json"])


class Log:
    """Entries in the order of their leaves, checkpoints at `sizes`; those in `anchored` were kept elsewhere.

    :param rotated: the size of the checkpoint that bears the old key's and the new key's signatures.
    """

    def __init__(self, entries, sizes, *, anchored=None, rotated=None, keys=("old", "new"), origin=ORIGIN):
        self.entries = entries
        self.sizes = list(sizes)
        self.anchored = list(sizes if anchored is None else anchored)
        self.rotated, self.origin = rotated, origin
        self.old, self.new = (private_key(key) for key in keys)
        self._hashes = {}

    @cached_property
    def lines(self):
        return [canonical(entry).encode() for entry in self.entries]

    @property
    def size(self):
        return self.sizes[-1]

    def root(self, size):
        return self._hash(0, size)

    def _hash(self, begin, end):
        if (begin, end) not in self._hashes:
            self._hashes[begin, end] = reference.root(self.lines[begin:end])
        return self._hashes[begin, end]

    def signing(self, size):
        if self.rotated is None or size < self.rotated:
            return [self.old]
        return [self.old, self.new] if size == self.rotated else [self.new]

    def keys(self):
        """The file of public keys."""
        return "".join(f"{vkey(key, self.origin)}\n" for key in (self.old, self.new)[: 1 + (self.rotated is not None)])

    def notes(self, sizes):
        return "".join(note(size, self.root(size), self.signing(size), self.origin) for size in sizes)

    def anchor(self):
        return self.notes(self.anchored)

    def of(self, chain):
        return [entry for entry in self.entries if entry["chain"] == chain]

    def chains(self):
        return sorted({entry["chain"] for entry in self.entries})

    # Exports

    def all(self, **changes):
        """The whole log, up to the last checkpoint and, where entries follow it, beyond."""
        claims = {chain: [1, len(self.of(chain))] for chain in self.chains()}
        return self._export({"kind": "all"}, claims, range(len(self.entries)), **changes)

    def table(self, chain, **changes):
        claims = {chain: [1, len(self.of(chain))]}
        return self._export({"kind": "table", "table": chain}, claims, self._claimed(claims), **changes)

    def period(self, begins, ends, *, beginnings=True, **changes):
        """What lies in [begins, ends) by time, the neighbours, and earlier entries of rounds settled in it."""
        claims, leaves, settled = {}, set(), set()
        for chain in self.chains():
            inside = [entry for entry in self.of(chain) if begins <= entry["at"] < ends]
            if inside:
                claims[chain] = [inside[0]["seq"], inside[-1]["seq"]]
                settled |= {entry["subject"] for entry in inside if entry["event"] == "round.settled"}
        for leaf, entry in enumerate(self.entries):
            first, last = claims.get(entry["chain"], (0, -2))
            if first - 1 <= entry["seq"] <= last + 1 or (
                beginnings and entry["subject"] in settled and entry["seq"] < first
            ):
                leaves.add(leaf)
        told = {"kind": "period", "from": begins, "to": ends}
        return self._export(told, claims, leaves | self._claimed(claims), **changes)

    def _claimed(self, claims):
        return {
            leaf
            for leaf, entry in enumerate(self.entries)
            if entry["seq"] in range(claims.get(entry["chain"], (1, 0))[0], claims.get(entry["chain"], (1, 0))[1] + 1)
        }

    def _export(self, told, claims, leaves, without=(), **changes):
        """:param without: leaves that an exporter with something to hide leaves out."""
        sheets = {
            entry["facts"]["sheet"]
            for leaf, entry in enumerate(self.entries)
            if leaf in leaves and entry["event"] in {"round.opened", "round.settled"}
        }
        published = {
            leaf: entry
            for leaf, entry in enumerate(self.entries)
            if entry["event"] == "sheet.published" and entry["facts"]["sheet"] in sheets
        }
        leaves = sorted({*leaves, *published} - {*without})
        rules = {entry["facts"]["sheet"]: canonical(entry["facts"]["rules"]) for entry in published.values()}
        manifest = {
            "chains": {chain: {"first": first, "last": last} for chain, (first, last) in claims.items()},
            "entries": len(leaves),
            "export": 12,
            "made_at": "2026-11-21T06:00:00.000000Z",
            "origin": self.origin,
            "root": b64(self.root(self.size)),
            "size": self.size,
            "v": 1,
            **told,
            **changes,
        }
        return {
            "manifest.json": f"{canonical(manifest)}\n".encode(),
            "entries.jsonl": b"".join(self.lines[leaf] + b"\n" for leaf in leaves),
            "tree.jsonl": "".join(f"{canonical(record)}\n" for record in self._tree(set(leaves))).encode(),
            "checkpoints": self.notes(self.sizes).encode(),
            "sheets.jsonl": "".join(f"{rules[sheet]}\n" for sheet in sorted(rules)).encode(),
            "entries.csv": rows(self.entries, leaves),
        }

    def _tree(self, leaves):
        """The records of tree.jsonl."""
        records, place, before = [], 0, None
        for size in [*self.sizes, len(self.entries)]:
            while place < size:
                if place in leaves:
                    count = 1
                    while place + count < size and place + count in leaves:
                        count += 1
                    records.append({"entries": count})
                else:
                    height = 0
                    while self._hides(place, height + 1, size, leaves):
                        height += 1
                    count = 1 << height
                    records.append({"hash": b64(self._hash(place, place + count)), "height": height})
                place += count
            if size in self.sizes and size != before:
                proof = reference.proof(before, self.lines[:size]) if before else []
                records.append({"checkpoint": size, "consistency": [b64(node) for node in proof]})
                before = size
        return records

    @staticmethod
    def _hides(place, height, size, leaves):
        count = 1 << height
        return place % count == 0 and place + count <= size and leaves.isdisjoint(range(place, place + count))


def rows(entries, leaves):
    """entries.csv."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(["leaf", "chain", "seq", "at", "event", "subject", "by", "terminal", "facts"])
    for leaf in leaves:
        entry = entries[leaf]
        plain = [entry[name] for name in ("chain", "seq", "at", "event", "subject", "by")]
        writer.writerow([leaf, *plain, entry["terminal"] or "", canonical(entry["facts"])])
    return buffer.getvalue().encode()


def night(seed=1, rounds=8, tables=3, **changes):
    """A made-up log: sheets, tables and rounds that are opened, acted in, closed and settled, interleaved."""
    chance = random.Random(seed)
    entries, moment = [], FIRST_AT

    def tell(chain, event, subject, facts, by="staff:3", terminal=None):
        nonlocal moment
        moment += dt.timedelta(seconds=chance.randint(0, 40), microseconds=chance.randint(0, 999_999))
        told = {"at": spelled(moment), "by": by, "chain": chain, "event": event, "facts": facts}
        entries.append({**told, "prev": "", "seq": 0, "subject": subject, "terminal": terminal, "v": 1})

    for number in range(1, PEOPLE + 1):
        ref = f"staff:{number}"
        told = {"at": spelled(FIRST_AT), "by": "system", "chain": HOUSE, "event": "staff.added", "subject": ref}
        entries.append({**told, "facts": {"staff": ref}, "prev": "", "seq": 0, "terminal": None, "v": 1})
    sheets = []
    for version in (1, 2):
        rules = {"game": "split", "version": version, "parameters": {"chip": 5 * version}, "limits": {}}
        sheets.append(hashlib.sha256(canonical(rules).encode()).hexdigest())
        people = {"author": "staff:1", "signer": "staff:2"}
        tell(HOUSE, "sheet.published", f"sheet:{version}", {"rules": rules, "sheet": sheets[-1], **people})
    for table in range(1, tables + 1):
        ref = f"table:{table}"
        tell(HOUSE, "terminal.enrolled", ref, {"terminal": f"terminal:{table}", "name": f"T{table}-é", "table": ref})
        tell(ref, "table.sheet_set", ref, {"sheet": sheets[0], "from": spelled(moment)}, by="staff:2")
    courses = []
    for number in range(1, rounds + 1):
        table, ref, sheet = f"table:{chance.randint(1, tables)}", f"round:{number}", sheets[chance.random() < 0.5]
        line = {"id": number, "game": "split", "dealer": {"cards": ["9s", "9d", "Ac", "Kh", "2s"]}}
        steps = [("round.opened", {"session": "session:1", "number": number, "game": "split", "sheet": sheet})]
        for ordinal in range(1, chance.randint(2, 5)):
            arguments = {"box": ordinal, "units": 5 * chance.randint(1, 40), "word": 'Ärger, "so"'}
            steps.append(
                ("round.acted", {"ordinal": ordinal, "phase": "betting", "kind": "ante", "arguments": arguments})
            )
        steps.append(("round.closed", {"round": line, "wagers": []}))
        paid = {"box": 1, "outcome": "win_bet", "staked": 5, "returned": 5, "paid": 5, "net": 5}
        moved = {
            "key": f"{ref}:1:1",
            "debit": f"patrons:{table}",
            "credit": f"float:{table}",
            "units": 5,
            "reason": "wager",
        }
        settled = {"generation": 1, "sheet": sheet, "result": {}, "payments": [paid], "transfers": [moved]}
        steps.append(("round.settled", settled))
        courses.append((table, ref, steps))
    while courses:
        table, ref, steps = course = chance.choice(list(courses[:tables]))
        event, facts = steps.pop(0)
        by, terminal = ("system", None) if event == "round.settled" else ("staff:3", f"T-{table[-1]}")
        tell(table, event, ref, facts, by=by, terminal=terminal)
        if not steps:
            courses.remove(course)
    made = chained(entries)
    sizes = sorted({*chance.sample(range(1, len(made)), 5), len(made)})
    return Log(made, sizes, **changes)


def save(files, folder):
    """Write an export (or what an attacker makes of it) into a new folder."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder
