#!/usr/bin/env python3
"""Is an export of the casino's log whole? One file, Python 3.11 or newer, no network, nothing else to install.

    python3 verify_export.py FOLDER --key FILE [--anchor FILE] [--seen SIZE:ROOT] [--as-of SIZE] [--asked WHAT]
                             [--resettle PROJECT] [--day DATE] [--report FILE [--period DAYS] [--clock ZONE/HH:MM]]
                             [--csv | --no-csv] [--json] [--jobs N]
    python3 verify_export.py witness FOLDER --key FILE --state FILE --signer FILE [--init] [... the same]

Four things come to you by different ways, and none of them out of the export: this file, the casino's public key
(--key, one vkey a line), the anchor (--anchor: the checkpoints that somebody else keeps; --seen: one that is printed on
a closing form, size and root; either may be left out, and --seen given often), and, if payments are to be settled
again, a copy of the project whose rules you have read (--resettle; its `casino/games` is run, so trust it).

The first word is the verdict, and so is the exit status:

    0 whole        what is exported is what was sealed and anchored; see below for what that means
    1 tampered     something was changed, is missing, or contradicts what was signed or anchored before
    2 malformed    this is no export, or the command is wrong; a genuine one is never malformed
    3 not covered  nothing wrong was found, but not all of it is held by an anchor that you gave

Several faults: the first of the worst is named, malformed before tampered before not covered. A file that is missing,
cut in the midst of a line or of another form is malformed; a line that is missing was signed, and that is tampered.

Below the verdict stand what was looked at, what was not, with the way to look at it, and what the manifest says that
nobody signed. --json prints the same as one JSON object.

What is shown, by what:

- Each entry holds the SHA-256 of the one before in its chain, numbers have no gap, time does not go back.
- Each line is an entry in the one form of the log. What is none was planted by somebody who owns the database: it is
  malformed, or not covered where the log says that an auditor passed it over, and it is named in either case.
- All entries are leaves of one tree (RFC 6962). Its root stands in each checkpoint, signed by the log's key (Ed25519),
  and is worked out again here from the entries and, where entries are left out, from the hashes in their place.
- Each checkpoint extends the one before (RFC 9162, 2.1.4), and every anchored root is the root of this very tree.
- The manifest's claim is kept: `all` has every entry; `table` every one of the table's chain up to its last; `period`
  every one of its chains whose time lies in it, and the neighbours on either side.
- With --resettle every round is played again from its entries, its line, result, payments and transfers worked out by
  the rules that the log published, and compared with what was settled. The rake of a pot goes into its table's rake
  slot, `rake:table:7`; in logs from before there were rake slots into `rake:house`. Which of the two a settlement's
  entry names is the one that all of it is held to; once a table's chain names its slot, no later entry names the house,
  but for a correction that takes back what an old entry put there.
- A command that a second person signed by passkey was signed: the log has the command itself, each free text as its
  hash behind a salt, what the passkey signed (ES256 or EdDSA), and the public key as its owner added it, right before
  what came of the command. By password nothing is shown. Once two people have ended signatures by password, each entry
  that names a second person stands behind their signature, or comes of the same command; slips and what is settled of a
  round from paper do not, in which each of the two has entries of their own.
- People are followed: two others add them, post them, let them go and have them return; whoever does something, or has
  a part in it by a fact (asks, approves, signs, issues, carries, receives, owns a case, ...), was added before and has
  not left; nobody is signed on at two tables at once. Who counted a slip, or entered a round that is settled later, may
  have left since. A credential is added by its person, once, with a key that no other has, and removed once, by them or
  by two others; recovery codes end with the last one; a password is set with a code that still counts where the person
  can have none. Who left has no credential and no posting. In the first hour of a log, in which a house is set up, one
  person adds and posts others; once a log names two, it always does. Of two chains the order is sure where a minute
  lies between, of one always, but for what a person had under way, ten seconds, when they left.
- With --resettle or --day every gaming day that the log closes is closed once, in order, by two people, when all of it
  was over. Its figures are what its movements give, and nothing of it moves later.

What is not shown. After the newest anchor a person with the log's key can still write another history: entries there
are signed, not anchored, and the verdict says so (3). Between two anchors nothing can be changed, for the later one
holds all before it. A `table` or `period` export shows that nothing is missing within its chains' numbers, not that a
chain has no further entry, nor that no other chain has any in it: only `all` does. The manifest is not signed: its
number and its time of making are the casino's word alone. Its kind, table and period are held against what you asked
for if you say that: --asked all, --asked table:7 or --asked FROM/TO, two instants as the log writes them.
`entries.csv` proves nothing by itself and may be left out; where it is, it is compared with the entries to the byte.
--csv demands it, --no-csv passes it over.

--day DATE (2026-11-22) works out the figures of a gaming day, in units, from its movements and nothing else:
win = closer + drop + credits - opener - fills. What is not known yet is left open, and why is said. The day is FINAL
if the log closes it, else an ESTIMATE. With --json the day is the one object that is printed; if anything is tampered
it is the verdict, as without --day.

--report FILE (as often as you have files) works the CSV of a report out again from the entries, row by row: amounts,
numbers, days, tables, people, slips, seals, clauses, states, and times to a few seconds, since a row and its entry are
of one transaction. Which report it is its columns say, of which days its name (master-game-2026-11-21.csv) or --period.
The log says by its SHA-256 that the file was made (`report.made`). What differs is said line by line, and is tampered;
what this export can't know makes the verdict not covered. --clock says the casino's time zone and when its gaming days
begin, which are not in the log: times are held to it, and reports by the clock (exceptions) to their days.

An export that ends before the newest anchor was made earlier, or was cut off (3). If you know how long the log was when
you asked, say so: with --as-of SIZE a shorter one is tampered, and anchors beyond its end are passed over.

`witness` remembers for you. It keeps the newest checkpoint with a signature of your own (C2SP tlog-cosignature) in
--state and refuses a log that does not extend it (1), or an export that says nothing about that size (3). The state is
an anchor like any other, and entries after it are no gap: from now on they are witnessed. --init makes the key in
--signer if it is not there, and the first state; without it a missing state is refused, lest somebody takes it away.

The parts stand in this order: verdicts and what is looked at, Ed25519, P-256, the tree, JSON, keys and checkpoints, the
manifest, entries, anchors, settling again, gaming days, files of reports, signatures, people, the witness, the command.
"""

import argparse
import base64
import contextlib
import csv
import datetime as dt
import functools
import gc
import hashlib
import importlib
import io
import itertools
import json
import multiprocessing
import os
import re
import signal
import stat
import sys
import tempfile
import time
import unicodedata
from collections import Counter, defaultdict, deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

WHOLE, TAMPERED, MALFORMED, NOT_COVERED, INTERRUPTED = 0, 1, 2, 3, 130
BLOCK = 1 << 20
"""Bytes that are read at once, and the longest line: memory stays flat whatever the file."""
LARGEST = 10**18
"""No count, number of an entry or size of a log is as large."""
TALLEST = 60
MOST_KEYS, MOST_SIGNATURES = 1_000, 16


# Verdicts, and what is looked at


class Malformed(Exception):  # noqa: N818 - a verdict
    """Not an export at all, or a wrong command; ends the verification."""


class Tampered(Exception):  # noqa: N818 - a verdict
    """A fault that ends a part of the verification."""


class Report:
    """The result: the first fault of each kind, what was looked at, what was not, and what nobody signed."""

    def __init__(self):
        self.tampered = self.uncovered = None
        # The figures of the gaming day that was asked for, and the result for each file of a report.
        self.day, self.reports = None, []
        self.looks, self.gaps, self.unsigned = {}, {}, {}

    def tamper(self, sentence, *, above=False):
        """:param above: it explains the faults before it, so it comes first."""
        if above and self.tampered:
            self.tampered = f"{sentence} {self.tampered}"
        self.tampered = self.tampered or sentence

    def uncover(self, sentence):
        self.uncovered = self.uncovered or sentence

    def look(self, aspect, sentence):
        """Record that an aspect was looked at, and what there is."""
        self.looks[aspect] = sentence

    def miss(self, aspect, sentence=None):
        """Record that an aspect, or a part of it, was not looked at; the default is the usual sentence."""
        self.gaps[aspect] = sentence or ASPECTS[aspect].gap

    def missed(self):
        """What was not looked at, as (aspect, sentence, the way to look at it); also whatever was never reached."""
        for aspect, (_, gap, way) in ASPECTS.items():
            if aspect in self.gaps:
                yield aspect, self.gaps[aspect], way
            elif aspect not in self.looks and gap is not None:
                yield aspect, gap or "the verification ended before it", way

    def verdict(self):
        """(exit status, the first line)."""
        if self.tampered:
            return TAMPERED, f"tampered: {self.tampered}"
        if self.uncovered:
            return NOT_COVERED, f"not covered: {self.uncovered}"
        return WHOLE, "whole: nothing was changed and nothing is missing in what this export claims to hold."

    def lines(self):
        """Everything but the verdict, for people."""
        yield "Looked at:"
        yield from (f"  {ASPECTS[aspect].name}: {sentence}" for aspect, sentence in self.looks.items())
        yield "Not looked at:"
        yield from (f"  {ASPECTS[aspect].name}: {sentence} ({way})" for aspect, sentence, way in self.missed())
        if self.unsigned:
            said = ", ".join(f"{name} {safe(value)}" for name, value in self.unsigned.items())
            yield f"Said by the manifest, and signed by nobody: {said}"

    def json(self, code, sentence):
        """The result for programs: one object in one line, in ASCII."""
        seen = [{"aspect": aspect, "name": ASPECTS[aspect].name, "says": says} for aspect, says in self.looks.items()]
        unseen = [
            {"aspect": aspect, "name": ASPECTS[aspect].name, "says": says, "way": way}
            for aspect, says, way in self.missed()
        ]
        word, _, says = sentence.partition(": ")
        return json.dumps(
            {
                "verdict": word,
                "status": code,
                "says": says,
                "looked_at": seen,
                "not_looked_at": unseen,
                "unsigned": self.unsigned,
                "v": 1,
                **({"reports": self.reports} if self.reports else {}),
            }
        )


class Aspect(NamedTuple):
    """Something that one may want to know about an export.

    `gap` says what is not known if it was not looked at: empty if that depends or needs no words, None if there may be
    nothing to look at. `way` is how to look at it.
    """

    name: str
    gap: str | None
    way: str


_AGAIN = "see the verdict"
ASPECTS = {
    "files": Aspect("files", "", _AGAIN),
    "claim": Aspect("what it holds", "", _AGAIN),
    "entries": Aspect("entries", "", _AGAIN),
    "tree": Aspect("tree", "", _AGAIN),
    "sheets": Aspect("rule sheets", "", _AGAIN),
    "anchor": Aspect(
        "anchor", "none was given, so the log's key alone vouches for it", "--anchor FILE, --seen SIZE:ROOT"
    ),
    "bad": Aspect("bad entries", None, "the history, and the auditor who passed them over"),
    "beyond": Aspect("anchors beyond its end", None, "a newer export"),
    "end": Aspect("the log's end", "whether the log was longer when you asked", "--as-of SIZE"),
    "asked": Aspect("what you asked for", "whether this is it, of the kind, table and period", "--asked WHAT"),
    "csv": Aspect("entries.csv", "", "an export that has it; --csv demands it"),
    "payments": Aspect("payments and transfers", "not worked out again", "--resettle PROJECT"),
    "signatures": Aspect(
        "signatures of second people", None, "ask the people; an export of everything says whose passkey it was"
    ),
    "reports": Aspect("files of reports", None, "--report FILE"),
    "days": Aspect("gaming days", "not worked out again", "--day DATE, --resettle PROJECT"),
    "people": Aspect("people", "not followed", "an export of everything"),
    "rounds": Aspect("rounds that are not whole here", None, "an export that holds them from opening to settlement"),
    "witness": Aspect(
        "the log that you saw before", "whether this one extends it", "witness FOLDER --state FILE --signer FILE"
    ),
    "rest": Aspect("the rest of the log", "", "an export of everything"),
    "key": Aspect(
        "the key's owner",
        "whether the keys are the casino's own",
        "compare it with a copy that came to you by another way",
    ),
    "cosigners": Aspect("other signatures in the anchor", None, "ask those who gave them"),
    "manifest": Aspect(
        "unsigned words of the manifest",
        "its number and its time of making",
        "nothing shows them; compare with your own note",
    ),
    "others": Aspect(
        "other auditors", "whether they were shown the same log", "compare SIZE:ROOT of the newest checkpoints"
    ),
    "facts": Aspect(
        "other facts",
        "what disputes come to; only rounds, chips, sessions, days, calls, settings and people are followed",
        "read them in entries.jsonl",
    ),
    "rights": Aspect(
        "rights", "whether who did it was allowed to", "staff.posted and staff.left in the chain house say who was"
    ),
    "texts": Aspect(
        "reasons and statements",
        "only their salted hashes are in the log",
        "ask the casino for text and salt, and hash them",
    ),
    "rules": Aspect("rules on paper", "whether players were given those of the rule sheets", "read sheets.jsonl"),
    "truth": Aspect(
        "the truth", "whether cards, chips, times and people were as they were entered", "cameras, paper, witnesses"
    ),
}
"""All that a report speaks of, in its order."""


def safe(value):
    """Text out of a file, safe on any terminal.

    >>> print(safe("table:7"), safe("\\x1b[2J"))
    table:7 '\\x1b[2J'
    """
    text = str(value)
    cut = text if len(text) <= 90 else f"{text[:90]}..."
    return cut if cut.isascii() and cut.isprintable() else ascii(cut)


def plural(count, noun, many=""):
    """
    >>> plural(1, "entry", "entries"), plural(5123, "chain")
    ('1 entry', '5,123 chains')
    """
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


# Ed25519 (RFC 8032)
#
# Cofactorless, as OpenSSL does it: the point [S]B - [k]A is worked out and its encoding compared with R byte by byte.
# It is the stricter of the two ways that the RFC allows, R cannot be written in a second way, and the program that
# signs and this one never disagree. A key must be canonical, on the curve and not of small order, and S below the
# group's order.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
NEUTRAL = (0, 1, 1, 0)


def add(p, q):
    """The sum of two points, equal or not, in extended coordinates (x, y, z, xy/z)."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2)
    b = (y1 + x1) * (y2 + x2)
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiples(point):
    """0 to 15 times the point, then the same for 16 times it, and so on: 64 rows, so that `times` never doubles."""
    rows = []
    for _ in range(64):
        row = [NEUTRAL]
        for _ in range(15):
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[-1], point)
    return rows


def times(scalar, rows):
    """A number below 2^256 times a point, which is given by its `multiples`."""
    point = NEUTRAL
    for row in rows:
        point = add(point, row[scalar & 15])
        scalar >>= 4
    return point


def encoded(point):
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decoded(data):
    """The point that 32 bytes encode; None if they are not its only encoding (RFC 8032, 5.1.3)."""
    y = int.from_bytes(data, "little")
    odd, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    u, v = y * y - 1, D * y * y + 1
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * ROOT_OF_MINUS_ONE % P
        if (v * x * x - u) % P:
            return None
    if x == 0 and odd:
        return None
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


@functools.cache
def base():
    """The multiples of the group's base point, whose y is 4/5."""
    return multiples(decoded((4 * pow(5, -1, P) % P).to_bytes(32, "little")))


@functools.lru_cache(maxsize=2 * MOST_KEYS)
def minus(public):
    """The multiples of the negative of a public key; None for 32 bytes that are not a good key."""
    point = decoded(public)
    if point is None:
        return None
    eight = point
    for _ in range(3):
        eight = add(eight, eight)
    # The neutral point: the other one whose x is 0 has order 2, and is eight times none.
    if eight[0] == 0:
        return None
    x, y, z, t = point
    return multiples((-x % P, y, z, -t % P))


@functools.lru_cache(maxsize=1 << 13)
def verify_signature(public, message, signature):
    """Whether the owner of a public key (32 bytes) signed a message (RFC 8032, 5.1.7).

    The result is remembered, since anchored notes stand in the export too.
    """
    if len(public) != 32 or len(signature) != 64:
        return False
    rows, s = minus(public), int.from_bytes(signature[32:], "little")
    if rows is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    return encoded(add(times(s, base()), times(k, rows))) == signature[:32]


def _expanded(seed):
    """(the scalar, the prefix) of a private key."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return scalar & (1 << 254) - 8 | 1 << 254, digest[32:]


def public_key(seed):
    """The public key of a private one (RFC 8032, 5.1.5), both 32 bytes."""
    return encoded(times(_expanded(seed)[0], base()))


def sign(seed, message):
    """A signature (RFC 8032, 5.1.6). Its time depends on the key: sign where nobody measures it."""
    scalar, prefix = _expanded(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % L
    point = encoded(times(nonce, base()))
    k = int.from_bytes(hashlib.sha512(point + public_key(seed) + message).digest(), "little") % L
    return point + ((nonce + k * scalar) % L).to_bytes(32, "little")


# ECDSA on P-256 (FIPS 186-5, SEC 1)
#
# It is only verified, and only if somebody signed by passkey. A point is (X, Y, Z) with x = X/Z^2 and y = Y/Z^3; None
# is the point at infinity.

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
N256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B256 = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE256 = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    1,
)


def doubled(p):
    if p is None:
        return None
    x, y, z = p
    squared = y * y % P256
    beta = x * squared % P256
    alpha = 3 * (x - z * z) * (x + z * z) % P256
    third = (alpha * alpha - 8 * beta) % P256
    return third, (alpha * (4 * beta - third) - 8 * squared * squared) % P256, 2 * y * z % P256


def joined(p, q):
    """The sum of two points."""
    if p is None or q is None:
        return p or q
    (x1, y1, z1), (x2, y2, z2) = p, q
    z1z1, z2z2 = z1 * z1 % P256, z2 * z2 % P256
    u1, u2, s1, s2 = x1 * z2z2 % P256, x2 * z1z1 % P256, y1 * z2 * z2z2 % P256, y2 * z1 * z1z1 % P256
    if u1 == u2:
        return doubled(p) if s1 == s2 else None
    h, r = u2 - u1, s2 - s1
    hh = h * h % P256
    hhh, v = h * hh % P256, u1 * hh % P256
    x3 = (r * r - hhh - 2 * v) % P256
    return x3, (r * (v - x3) - s1 * hhh) % P256, z1 * z2 * h % P256


def verify_p256(public, message, signature):
    """Whether the owner of a public key (x and y, 32 bytes each) signed a message: ECDSA with SHA-256, as DER."""
    if len(public) != 64:
        return False
    x, y = int.from_bytes(public[:32]), int.from_bytes(public[32:])
    if max(x, y) >= P256 or (y * y - x * x * x + 3 * x - B256) % P256:
        return False
    pair = _der_pair(signature)
    if pair is None or not all(0 < each < N256 for each in pair):
        return False
    r, s = pair
    inverse = pow(s, -1, N256)
    one, two = int.from_bytes(hashlib.sha256(message).digest()) * inverse % N256, r * inverse % N256
    ways = (None, BASE256, (x, y, 1), joined(BASE256, (x, y, 1)))
    point = None
    for bit in range(255, -1, -1):
        point = joined(doubled(point), ways[(one >> bit & 1) + 2 * (two >> bit & 1)])
    if point is None:
        return False
    return point[0] * pow(point[2], -2, P256) % P256 % N256 == r


def _der_pair(data):
    """The two numbers of a signature in DER; None if it is not their one form."""
    numbers, rest = [], data[2:]
    if len(data) > 72 or data[:1] != b"\x30" or data[1:2] != bytes([len(rest)]):
        return None
    for _ in range(2):
        size = rest[1] if len(rest) > 2 else 0
        number = rest[2 : 2 + size]
        if rest[:1] != b"\x02" or len(number) != size or not size or number[0] > 127:
            return None
        if size > 1 and number[0] == 0 and number[1] < 128:
            return None
        numbers.append(int.from_bytes(number))
        rest = rest[2 + size :]
    return None if rest else numbers


# The tree (RFC 6962, RFC 9162)


def leaf_hash(data):
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def verify_inclusion(leaf_hash, index, size, proof, root):
    """Whether a leaf has this index, from 0, in the tree of this size and root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, node = index, size - 1, leaf_hash
    for step in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            node = node_hash(step, node)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            node = node_hash(node, step)
        place, last = place >> 1, last >> 1
    return last == 0 and node == root


def verify_consistency(first, second, first_root, second_root, proof):
    """Whether the tree of size `first` is the beginning of that of size `second` (RFC 9162, 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not proof:
        return False
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, step)
        place, last = place >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root


class Edge:
    """The right edge of a growing tree: for each power of two in its size, the root of that whole subtree."""

    def __init__(self):
        self.size = 0
        self.nodes = []

    def push(self, height, node):
        """Append a whole subtree of 2^height leaves.

        :raises ValueError: if it can't begin at this leaf.
        """
        if self.size & (1 << height) - 1:
            raise ValueError(f"a subtree of 2^{height} leaves can't begin at leaf {self.size}")
        self.size += 1 << height
        self.nodes.extend([None] * (height + 1 - len(self.nodes)))
        while self.nodes[height] is not None:
            node, self.nodes[height] = node_hash(self.nodes[height], node), None
            height += 1
            if height == len(self.nodes):
                self.nodes.append(None)
        self.nodes[height] = node

    def root(self):
        """The root of the whole tree, of at least one leaf."""
        root = None
        for node in self.nodes:
            if node is not None:
                root = node if root is None else node_hash(node, root)
        return root


def subtrees(start, hashes):
    """The largest whole subtrees over leaves from `start` on, as (height, hash), in the order that `Edge` takes.

    >>> [height for height, _ in subtrees(3, [b""] * 10)]
    [0, 2, 2, 0]
    """
    left, right, height = [], [], 0
    sha256 = hashlib.sha256
    while hashes:
        if start & 1:
            left.append((height, hashes[0]))
            hashes = hashes[1:]
        if len(hashes) & 1:
            right.append((height, hashes[-1]))
        pairs = iter(hashes)
        hashes = [sha256(b"\x01" + one + other).digest() for one, other in zip(pairs, pairs, strict=False)]
        start, height = (start + 1) >> 1, height + 1
    return left + right[::-1]


# JSON in its one form (contracts/log.md)


def _no_float(text):
    raise ValueError(f"{safe(text)} is no whole number")


_SCAN = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float).scan_once
encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode
"""The one text of a JSON value."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = re.compile("[\x7f-\x9f]")


def parse(text, where):
    """The value of a text of JSON that is in its one form.

    :raises Malformed: if it is not: spaces, order, keys given twice, escapes, fractions, NaN, control characters.
    """
    try:
        value, end = _SCAN(text, 0)
    except StopIteration:
        raise Malformed(f"{where} is no JSON.") from None
    except ValueError as error:
        raise Malformed(f"{where} is no JSON of the log: {safe(error)}.") from None
    except RecursionError:
        raise Malformed(f"{where} is nested too deep.") from None
    if end != len(text):
        raise Malformed(f"{where} goes on after its end, at character {end + 1}.")
    _one_form([value], [text], where)
    return value


def _one_form(values, texts, where):
    """:raises Malformed: unless each text is the one text of its value; checked together, which is faster.

    The one form is the shortest text of a value, and no text is shorter than the one form of what was read from it. So
    if all texts together, with commas between, are the one form of the list, each text is the one form of its value.
    """
    joined = ",".join(texts)
    try:
        alike = encode(values)[1:-1] == joined
    except (RecursionError, UnicodeError):
        raise Malformed(f"{where} is nested too deep.") from None
    if not alike:
        raise Malformed(
            f"{where} is not in the one form: keys sorted and each once, no spaces, no needless escapes, whole numbers."
        )
    if joined.isascii() and "\\" not in joined and "\x7f" not in joined:
        return
    if any(sign not in '"\\' for sign in _ESCAPED.findall(joined)) or _CONTROL.search(joined):
        raise Malformed(f"{where} has a control character.")
    if not unicodedata.is_normalized("NFC", joined):
        raise Malformed(f"{where} is not in Unicode's normal form NFC.")


def text_of(data, where):
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Malformed(f"{where} is no UTF-8.") from None


def is_count(value, least=1):
    return type(value) is int and least <= value < LARGEST


def is_object(value, *keys):
    """Whether a value is an object with exactly these keys."""
    return type(value) is dict and value.keys() == set(keys)


def base64_of(data):
    """Base64 in its one form: the standard alphabet, padded."""
    return base64.b64encode(data).decode()


def unbase64(text, size=None):
    """The bytes of canonical base64; None if it is not, or not of that size."""
    try:
        data = base64.b64decode(text)
    except (ValueError, TypeError):
        return None
    return data if base64_of(data) == text and size in (None, len(data)) else None


def unbase64url(text, most=8192):
    """The bytes of base64url without padding in its one form; None if it is not."""
    if not isinstance(text, str) or len(text) > most or not _BASE64URL.fullmatch(text):
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).decode().rstrip("=") == text else None


_BASE64URL = re.compile("[A-Za-z0-9_-]*")


# Files


def opened(path):
    """An ordinary file, open for reading bytes; anything else, a pipe say, could keep us waiting for ever."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Malformed(f"{safe(path)} is no file.")
        return open(path, "rb")
    except (OSError, ValueError) as error:
        raise Malformed(f"{safe(path)} can't be read: {_reason(error)}.") from None


def _reason(error):
    return getattr(error, "strerror", None) or type(error).__name__


def lines_of(path):
    """The lines of a file with their places (`checkpoints line 3`), without their newline; the last has one too."""
    name = safe(Path(path).name)
    with opened(path) as file:
        number = 0
        while data := file.readline(BLOCK + 1):
            number += 1
            where = f"{name} line {number}"
            if not data.endswith(b"\n"):
                raise Malformed(f"{where} is {'too long' if len(data) > BLOCK else 'without its newline'}.")
            yield text_of(data[:-1], where), where


# Keys and checkpoints (C2SP signed-note, tlog-checkpoint)

LOG_KEY, COSIGNING_KEY = 1, 4
_ORIGIN = re.compile(r"casino/[!-*,-~]{1,200}")
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_NAME = re.compile(r"[!-*,-~]{1,210}")
_SIGNATURE = re.compile(r"\u2014 ([!-*,-~]{1,210}) ([A-Za-z0-9+/=]{1,400})")


class Key(NamedTuple):
    """A public key as people hand it on, in one line (`vkey`)."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self):
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def vkey(self):
        return f"{self.name}+{self.id.hex()}+{base64_of(bytes([self.kind]) + self.public)}"


def read_key(text, kind, where):
    """A vkey's key.

    :raises Malformed: if it is not of that kind, its id is another key's, or its point is not a good one.
    """
    name, _, rest = text.partition("+")
    shape, _, data = rest.partition("+")
    raw = unbase64(data, 33)
    if not _NAME.fullmatch(name) or raw is None or raw[0] != kind:
        raise Malformed(f"{where} is no public key of the form NAME+ID+KEY.")
    key = Key(name, kind, raw[1:])
    if key.id.hex() != shape:
        raise Malformed(f"{where}: the id of this key is {key.id.hex()}; it was not copied whole.")
    if minus(key.public) is None:
        raise Malformed(f"{where} is no Ed25519 key that is safe to use.")
    return key


def read_keys(path):
    keys = [read_key(text, LOG_KEY, where) for text, where in _few(lines_of(path), MOST_KEYS, path)]
    if not keys or len(set(keys)) != len(keys):
        raise Malformed(f"{safe(path)} has {'a key twice' if keys else 'no key'}.")
    return keys


def _few(items, most, path):
    for count, item in enumerate(items):
        if count == most:
            raise Malformed(f"{safe(path)} has more than {most} lines.")
        yield item


class Note(NamedTuple):
    """A checkpoint: that the log had `size` entries and then this root; `signatures` are (name, key id, signature)."""

    origin: str
    size: int
    root: bytes
    signatures: tuple
    where: str

    @property
    def body(self):
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64_of(self.root)}\n"

    @property
    def text(self):
        rows = [f"\u2014 {name} {base64_of(shape + signature)}\n" for name, shape, signature in self.signatures]
        return f"{self.body}\n{''.join(rows)}"


def read_notes(path, torn=Malformed):
    """The checkpoints of a file in order, each ended by an empty line.

    :param torn: raised if a line of a checkpoint is missing.
    :raises Malformed: for any other form, and for sizes that do not ascend.
    """
    lines, last = lines_of(path), 0
    while (head := next(lines, None)) is not None:
        note = _read_note(head, lines, torn)
        if note.size <= last:
            raise Malformed(f"{note.where}: a checkpoint of size {note.size:,} follows one of {last:,}.")
        last = note.size
        yield note


_SHAPES = (_ORIGIN, _NUMBER, re.compile("[A-Za-z0-9+/]{43}="), re.compile(""), _SIGNATURE)
"""The lines of a checkpoint."""


def _read_note(head, lines, torn):
    origin, where = head
    at = f"The checkpoint at {where}"

    def refused(line, what):
        """Raise for a line that belongs elsewhere, or the file's end: a line before it is missing."""
        if line is None or any(shape.fullmatch(line) for shape in _SHAPES):
            return torn(f"{at} {what}: a line of it is missing.")
        return Malformed(f"{at} {what}.")

    size, root, empty = ((next(lines, None) or (None, None))[0] for _ in range(3))
    if not _ORIGIN.fullmatch(origin):
        # An extra empty line does not mean that a line is missing.
        raise refused(origin or "\n", f"begins with {safe(origin)} and not with a log's origin")
    if size is None or not _NUMBER.fullmatch(size):
        raise refused(size, f"has the size {safe(size)}")
    hashed = unbase64(root, 32)
    if hashed is None:
        # A root spelled another way still has a root's shape, so it is not missing.
        missing = root is None or not _SHAPES[2].fullmatch(root)
        raise refused(root if missing else "\n", "has no root of 32 bytes in base64 in its third line")
    if empty != "":
        raise refused(empty, "has no empty line before its signatures")
    signatures = []
    while line := (next(lines, None) or (None, None))[0]:
        match = _SIGNATURE.fullmatch(line)
        data = match and unbase64(match[2])
        if not data or len(data) < 5:
            raise refused("\n" if match else line, "has a line among its signatures that is none")
        signatures.append((match[1], data[:4], data[4:]))
        if len(signatures) > MOST_SIGNATURES:
            raise Malformed(f"{at} has more than {MOST_SIGNATURES} signatures.")
    if line is None:
        raise refused(line, "has no empty line after its signatures")
    if not signatures:
        raise refused(line, "has no signature")
    if len({signature[:2] for signature in signatures}) != len(signatures):
        raise Malformed(f"{at} has one key sign twice.")
    return Note(origin, int(size), hashed, tuple(signatures), where)


def signers(note, keys, *, alone):
    """The given keys that signed a checkpoint.

    :param alone: nobody else may: only the log signs what stands in an export, and other signatures could not be
        checked.
    :raises Tampered: for a bad signature of a given key, and if none of them has signed.
    """
    given = {(key.name, key.id): key for key in keys if key.name == note.origin}
    signing = set()
    for name, shape, signature in note.signatures:
        key = given.get((name, shape))
        if key is None:
            if alone:
                raise Tampered(
                    f"The checkpoint of size {note.size:,} ({note.where}) has a signature by {safe(name)}, key"
                    f" {shape.hex()}, that is none of the given keys: it is forged, or the key was changed and you"
                    " need both."
                )
        elif verify_signature(key.public, note.body.encode(), signature):
            signing.add(key)
        else:
            raise Tampered(f"The signature on the checkpoint of size {note.size:,} ({note.where}) is forged.")
    if not signing:
        raise Tampered(f"The checkpoint of size {note.size:,} ({note.where}) is signed by none of the given keys.")
    return signing


# The manifest

FILES = ("manifest.json", "entries.jsonl", "tree.jsonl", "checkpoints", "sheets.jsonl")
CSV = "entries.csv"
_TIME = re.compile(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}\.[0-9]{6}Z"
)
_CHAIN = re.compile(r"house|table:[1-9][0-9]{0,17}")


class Claim(NamedTuple):
    """What the manifest says that the export holds: for each chain, the range in which nothing is missing."""

    kind: str
    chains: dict
    begins: str
    ends: str
    entries: int
    size: int
    root: bytes
    origin: str
    made_at: str
    export: int

    def summary(self):
        """What was shown about it, if nothing is wrong."""
        if self.kind == "all":
            return f"every entry of the log of {safe(self.origin)}, from the first to number {self.size:,}"
        held = [f"{chain} {first:,} to {last:,}" for chain, (first, last) in sorted(self.chains.items())]
        return f"of the log of {safe(self.origin)}, without a gap: {', '.join(held) or 'no entry'}"

    def asked(self):
        """What to ask for to get it, as --asked has it."""
        return {"all": "all", "table": "".join(self.chains), "period": f"{self.begins}/{self.ends}"}[self.kind]

    def unsigned(self):
        """The words that nothing in the export proves."""
        period = {"from": self.begins, "to": self.ends} if self.kind == "period" else {}
        return {"export": self.export, **period, "made_at": self.made_at}


@functools.lru_cache(maxsize=1000)
def _is_day(text):
    try:
        return bool(dt.date.fromisoformat(text))
    except ValueError:
        return False


def is_time(text):
    """Whether a value is an instant as the log writes it.

    >>> is_time("2026-11-20T22:53:01.123456Z"), is_time("2026-02-30T22:53:01.123456Z"), is_time(7)
    (True, False, False)
    """
    return type(text) is str and _TIME.fullmatch(text) is not None and _is_day(text[:10])


def read_manifest(folder):
    """:raises Malformed: unless it is exactly a manifest."""
    rows = list(_few(lines_of(folder / "manifest.json"), 1, "manifest.json"))
    manifest = parse(*rows[0]) if rows else None
    kind = manifest.get("kind") if type(manifest) is dict else None
    own = {"all": (), "table": ("table",), "period": ("from", "to")}.get(kind if type(kind) is str else None)
    keys = ("chains", "entries", "export", "kind", "made_at", "origin", "root", "size", "v")
    if own is None or not is_object(manifest, *keys, *own):
        raise Malformed("manifest.json has a key too many or too few, or another kind than all, table or period.")
    chains, root = manifest["chains"], unbase64(manifest["root"], 32)
    good = {
        "v": type(manifest["v"]) is int and manifest["v"] == 1,
        "chains": type(chains) is dict
        and all(_CHAIN.fullmatch(chain) and _is_range(within) for chain, within in chains.items()),
        "entries": is_count(manifest["entries"], 0),
        "export": is_count(manifest["export"]),
        "made_at": is_time(manifest["made_at"]),
        "origin": type(manifest["origin"]) is str and _ORIGIN.fullmatch(manifest["origin"]),
        "root": root is not None,
        "size": is_count(manifest["size"]),
        "table": kind != "table" or (type(manifest["table"]) is str and _CHAIN.fullmatch(manifest["table"])),
        "from": kind != "period" or _is_period(manifest["from"], manifest["to"]),
    }
    for name, well in good.items():
        if not well:
            raise Malformed(f"manifest.json: {name} is not what it should be.")
    ranges = {chain: (within["first"], within["last"]) for chain, within in chains.items()}
    if kind == "table" and ranges.keys() != {manifest["table"]}:
        raise Malformed(f"manifest.json: the export of {manifest['table']} claims other chains.")
    if kind != "period" and any(first != 1 for first, _ in ranges.values()):
        raise Malformed(f"manifest.json: an export of kind {kind} begins at entry 1 of each chain.")
    period = (manifest["from"], manifest["to"]) if kind == "period" else ("", "")
    rest = (manifest["entries"], manifest["size"], root, manifest["origin"], manifest["made_at"], manifest["export"])
    return Claim(kind, ranges, *period, *rest)


def _is_period(begins, ends):
    return is_time(begins) and is_time(ends) and begins < ends


def _is_range(value):
    return (
        is_object(value, "first", "last")
        and is_count(value["first"])
        and is_count(value["last"])
        and (value["first"] <= value["last"])
    )


def check_files(folder, with_csv):
    """Each file's identity, so that a change meanwhile is noticed.

    :raises Malformed: unless exactly an export's files are there; entries.csv proves nothing and may be left out.
    """
    try:
        names = set(os.listdir(folder))
        wanted = {*FILES, CSV} if with_csv else {*FILES}
        if missing := sorted(wanted - names):
            raise Malformed(f"{missing[0]} is missing in {safe(folder)}.")
        if surplus := sorted(names - {*FILES, CSV}):
            raise Malformed(f"{safe(surplus[0])} does not belong in an export.")
        status = {name: os.lstat(folder / name) for name in sorted(names)}
    except (OSError, ValueError) as error:
        raise Malformed(f"{safe(folder)} can't be read: {_reason(error)}.") from None
    for name, its in status.items():
        if stat.S_ISLNK(its.st_mode):
            raise Malformed(f"{name} is a link, and an export has none: what it leads to may change.")
        if not stat.S_ISREG(its.st_mode):
            raise Malformed(f"{name} is no file.")
    return {name: (its.st_dev, its.st_ino, its.st_size, its.st_mtime_ns) for name, its in status.items()}


# The order of the leaves: tree.jsonl


class Run(NamedTuple):
    """Entries that are `count` leaves from `start` on."""

    start: int
    count: int


class Hidden(NamedTuple):
    """A whole subtree of 2^height leaves that are not exported."""

    height: int
    node: bytes
    where: str


class Sealed(NamedTuple):
    """Here the tree has the size of the next checkpoint, with the `proof` that it extends the one before."""

    size: int
    proof: tuple
    where: str


class Mark(NamedTuple):
    """Here the tree has an anchored size."""

    size: int


def read_tree(folder):
    """The records of tree.jsonl: the number of entries, `Hidden` or `Sealed`."""
    for text, where in lines_of(folder / "tree.jsonl"):
        record = parse(text, where)
        if is_object(record, "entries") and is_count(record["entries"]):
            yield record["entries"]
        elif is_object(record, "hash", "height") and is_count(record["height"], 0) and record["height"] <= TALLEST:
            node = unbase64(record["hash"], 32)
            if node is None:
                raise Malformed(f"{where} has no hash of 32 bytes in base64.")
            yield Hidden(record["height"], node, where)
        elif is_object(record, "checkpoint", "consistency") and is_count(record["checkpoint"]):
            proof = record["consistency"]
            proof = [unbase64(step, 32) for step in proof] if type(proof) is list else [None]
            if None in proof:
                raise Malformed(f"{where} has a proof that is no list of hashes of 32 bytes in base64.")
            yield Sealed(record["checkpoint"], tuple(proof), where)
        else:
            raise Malformed(f"{where} is no record of the tree.")


class Block(NamedTuple):
    """Whole lines of entries.jsonl; `line` is the number of the first."""

    offset: int
    length: int
    line: int
    count: int


def blocks(path):
    """A file cut into blocks, so that each can be read by another process."""
    with opened(path) as file:
        offset, line = 0, 1
        while data := file.read(BLOCK):
            end = data.rfind(b"\n") + 1
            if not end:
                what = "is too long" if len(data) == BLOCK else "is without its newline"
                raise Malformed(f"{Path(path).name} line {line} {what}.")
            count = data.count(b"\n", 0, end)
            yield Block(offset, end, line, count)
            offset, line = offset + end, line + count
            file.seek(offset)


def layouts(cut, records, anchored):
    """Each block with the tree's records up to its last entry: runs of its entries and what lies between them.

    After the last comes None with the rest. A run ends at each anchored size, so that the root is known there.

    :raises Tampered: if the tree counts more or fewer entries than there are, or has a run or a subtree in two records:
        one in between is missing, or somebody has split it.
    """
    anchored = deque(sorted(anchored))
    place = left = 0
    layout, before = [], None

    def grown(by):
        nonlocal place
        place += by
        while anchored and anchored[0] < place:
            anchored.popleft()
        if anchored and anchored[0] == place:
            layout.append(Mark(anchored.popleft()))

    def follow(record):
        nonlocal before
        layout.append(record)
        if type(record) is Hidden:
            if type(before) is Hidden and before.height == record.height and place >> record.height & 1:
                raise Tampered(
                    f"{record.where} and the one before are halves of a subtree: a record is missing or parted."
                )
            grown(1 << record.height)
        before = record
        if place >= LARGEST:
            raise Malformed("tree.jsonl has more leaves than any log.")

    for block in cut:
        wanted = block.count
        while wanted:
            if not left:
                record = next(records, None)
                if record is None:
                    surplus = plural(wanted + sum(block.count for block in cut), "line")
                    raise Tampered(
                        f"entries.jsonl has {surplus} more than tree.jsonl counts: added, or a record is missing."
                    )
                if type(record) is not int:
                    follow(record)
                    continue
                if type(before) is int:
                    raise Tampered("tree.jsonl has a run of entries in two records: one is missing or parted.")
                left = before = record
            count = min(left, wanted, anchored[0] - place if anchored else wanted)
            layout.append(Run(place, count))
            left, wanted = left - count, wanted - count
            grown(count)
        yield block, layout
        layout = []
    for record in records:
        if type(record) is int:
            left += record
        elif not left:
            follow(record)
        if len(layout) > 10_000:
            yield None, layout
            layout = []
    if left:
        raise Tampered(
            f"entries.jsonl has {plural(left, 'line')} fewer than tree.jsonl counts: what was signed is missing."
        )
    yield None, layout


# Entries

KEYS = ("at", "by", "chain", "event", "facts", "prev", "seq", "subject", "terminal", "v")
FIRST_PREV = "0" * 64
BATCH = 64
_BEGIN = re.compile(
    r'\{"at":"(([0-9]{4}-[01][0-9]-[0-3][0-9])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}\.[0-9]{6}Z)",'
    r'"by":"(?:system|staff:[1-9][0-9]{0,17})","chain":"(house|table:[1-9][0-9]{0,17})",'
    r'"event":"([a-z_]+(?:\.[a-z_]+)+)","facts":\{'
)
"""How every entry begins: groups are its time, the day, the chain, the event."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_TOO_MANY = b"0" * 20
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)
PASSED_OVER = "entry.passed_over"
"""The event by which an auditor said that an entry is bad."""
MOST_BAD = 1_000
NO_TIME = "~"
"""In the place of a bad entry's time: later than any."""
PLAYED_BY = frozenset({"round.opened", "round.settled"})
"""The events whose sheet must be in sheets.jsonl."""
SHEETS_BY = frozenset({"sheet.drafted", "sheet.published"})
"""The events that have the rules of a sheet themselves."""
SETTLED_BY = frozenset({"round.corrected", "round.settled"})
_RATIO = re.compile(r"[1-9][0-9]{0,4}:[1-9][0-9]{0,4}")
_PINNED = {"key", "ante", "edge"}
_EDGE = re.compile(r"-?[0-9]{1,12}\.[0-9]{9}")
_BAND = {"edge_least": 50, "edge_most": 3_000}
"""Settings of the house, in hundredths of a per cent of the ANTE; what nobody has set is this."""


class Part(NamedTuple):
    """What one process checks by itself: a block of entries.jsonl."""

    path: str
    block: Block
    runs: tuple
    claim: Claim


class Last(NamedTuple):
    """How far a chain is known: its newest entry so far."""

    seq: int
    digest: str
    at: str


class Bad(NamedTuple):
    """A line in an entry's place that is not one: its chain, number and prev as far as they can be read, and why."""

    chain: str
    seq: int
    prev: str
    why: str


class Scanned(NamedTuple):
    """What a block holds: the subtrees of each run, and how each chain begins and ends here.

    `bad` are the lines that are not entries, each with its digest and what to say if nobody passed it over, and if an
    auditor did; `passed` are the digests that were passed over, each with the place that says so.
    """

    subtrees: list
    begins: dict
    ends: dict
    played: dict
    named: set
    published: set
    again: set
    fault: str | None
    bad: dict
    passed: dict


def scan(part):
    """Check a block of entries, each by itself and against the one before in its chain, if that is in the block.

    :raises Malformed: for a line with neither its chain nor its number.
    """
    collecting = gc.isenabled()
    gc.disable()  # Entries have no cycles; looking for any would take a fifth of the time.
    try:
        return _scan(part)
    finally:
        if collecting:
            gc.enable()


def _read_block(path, block):
    """The lines of a block, as bytes and as texts."""
    with opened(path) as file:
        file.seek(block.offset)
        data = file.read(block.length)
    lines = data.split(b"\n")
    if lines.pop() or len(lines) != block.count:
        raise Malformed("entries.jsonl was changed while it was read.")
    try:
        return lines, data.decode()[:-1].split("\n")
    except UnicodeDecodeError as error:
        line = block.line + data.count(bytes([10]), 0, error.start)
        raise Malformed(f"entries.jsonl line {line} is no UTF-8.") from None


def _scan(part):
    block, claim = part.block, part.claim
    lines, texts = _read_block(part.path, block)
    begins, ends, played, named, published, again = {}, {}, {}, set(), set(), set()
    bad, passed = {}, {}
    fault, leaves, ranges = None, [], claim.chains
    sha256, begin, partial, days = hashlib.sha256, _BEGIN.match, claim.kind != "all", set()
    numbers = [leaf for run in part.runs for leaf in range(run.start, run.start + run.count)]

    def place(index, chain, seq):
        """Where an entry stands, for people."""
        return f"entries.jsonl line {block.line + index} (leaf {numbers[index]}, {chain} {seq})"

    def link_bad(index, known, digest):
        """Take a bad entry into its chain, whatever its time; return what is wrong between it and the one before."""
        before = ends.get(known.chain)
        ends[known.chain] = (known.seq, digest, before[2] if before else "")
        where = place(index, known.chain, known.seq)
        if before is None:
            begins[known.chain] = (known.seq, known.prev, NO_TIME, where)
            return None
        return broken(before, known.seq, known.prev, NO_TIME, ranges.get(known.chain), claim, where)

    for start in range(0, len(lines), BATCH):
        some, same = lines[start : start + BATCH], texts[start : start + BATCH]
        digests = [sha256(line).hexdigest() for line in some]
        leaves += [sha256(b"\x00" + line).digest() for line in some]
        parsed = zip(_parsed(same, block.line + start), same, digests, strict=True)
        for index, (entry, text, digest) in enumerate(parsed, start):
            head = type(entry) is not Bad and begin(text)
            why = None if head and tuple(entry) == KEYS else _NO_KEYS
            if not why:
                at, day, chain, event = head.groups()
                _, _, _, _, facts, prev, seq, subject, terminal, v = entry.values()
                why = (
                    None in facts.values()
                    or type(seq) is not int
                    or not 0 < seq < LARGEST
                    or type(subject) is not str
                    or not 0 < len(subject) <= 80
                    or len(event) > 80
                    or (type(terminal) is not str and terminal is not None)
                    or type(v) is not int
                    or not 0 < v < LARGEST
                    or type(prev) is not str
                ) and "has a field that is not what it should be"
                why = why or (not _DIGEST.fullmatch(prev) and "has a prev that is no SHA-256")
                why = why or (day not in days and not _is_day(day) and f"has the day {day}")
            if why:
                known = entry if type(entry) is Bad else _bad(text, f"entries.jsonl line {block.line + index}", why)
                gap = link_bad(index, known, digest)
                fault = fault or gap
                line = f"entries.jsonl line {block.line + index}"
                sentence = f"{place(index, known.chain, known.seq)} is no entry of the log: it {known.why}"
                bad[block.line + index] = (digest, f"{line} {known.why}.", sentence)
                continue
            days.add(day)
            before = ends.get(chain)
            if before is None:
                begins[chain] = (seq, prev, at, place(index, chain, seq))
            elif prev != before[1] or seq != before[0] + 1 or at < before[2]:
                fault = fault or broken(before, seq, prev, at, ranges.get(chain), claim, place(index, chain, seq))
            ends[chain] = (seq, digest, at)
            if partial and not fault:
                fault = outside(claim, chain, seq, at)
                fault = fault and f"{place(index, chain, seq)} {fault}"
            if "sheet" in facts:
                sheet = facts["sheet"]
                if type(sheet) is not str or not _DIGEST.fullmatch(sheet):
                    fault = fault or f"{place(index, chain, seq)} names a sheet by no SHA-256."
                else:
                    named.add(sheet)
                    if event in PLAYED_BY and sheet not in played:
                        played[sheet] = place(index, chain, seq)
                    elif event in SHEETS_BY:
                        if event == "sheet.published":
                            published.add(sheet)
                        if sha256(encode(facts.get("rules")).encode()).hexdigest() != sheet:
                            fault = (
                                fault or f"{place(index, chain, seq)}: the rules are not those of the sheet {sheet}."
                            )
            if event in SETTLED_BY and facts.get("generation") != 1:
                again.add(subject)
            if event == PASSED_OVER and type(facts.get("digest")) is str:
                passed[facts["digest"]] = f"{chain} {seq}"
    ends = {chain: Last(*end) for chain, end in ends.items()}
    return Scanned(_whole(part.runs, leaves), begins, ends, played, named, published, again, fault, bad, passed)


def _whole(runs, leaves):
    """The largest whole subtrees of each run, by the hashes of all their leaves."""
    hashes = iter(leaves)
    return [subtrees(run.start, list(itertools.islice(hashes, run.count))) for run in runs]


def _parsed(texts, line):
    """The entries of some lines, each in its one form, or `Bad`."""
    try:
        entries = [_SCAN(text, 0)[0] for text in texts]
        _one_form(entries, texts, "")
        # Check numbers of all lines together first: hardly any has that many digits.
        many = _TOO_MANY in ",".join(texts).encode().translate(_ALIKE)
        if not (many and any(map(_has_long_number, entries))) and not any(map(_is_deep, texts)):
            return entries
    except (StopIteration, ValueError, RecursionError, Malformed):
        pass
    # Something is wrong with one of them: parsing them one by one names it.
    return [_parsed_alone(text, f"entries.jsonl line {place}") for place, text in enumerate(texts, line)]


def _parsed_alone(text, where):
    try:
        entry = parse(text, where)
    except Malformed as error:
        return _bad(text, where, str(error).removeprefix(f"{where} ").removesuffix("."))
    if _has_long_number(entry) or _is_deep(text):
        return _bad(text, where, "has a number of more than 19 digits, or is nested deeper than 100")
    return entry


def _has_long_number(value):
    if type(value) is dict or type(value) is list:
        return any(map(_has_long_number, value.values() if type(value) is dict else value))
    return type(value) is int and abs(value) >= 10**19


def _is_deep(text):
    if text.count("{") + text.count("[") <= 100:
        return False
    signs = (1 if sign in "{[" else -1 for sign in _NESTING.findall(text) if sign[0] != '"')
    return max(itertools.accumulate(signs), default=0) > 100


_NO_KEYS = "has not the keys of an entry, or has a time, person, chain or event that is none"


def _lenient_int(digits):
    """Python reads no number of more than 4,300 digits."""
    return int(digits) if len(digits) < 100 else digits


def _bad(text, where, why):
    """A line that is not an entry, by what can be read of its place.

    :raises Malformed: if it has neither its chain nor its number.
    """
    try:
        value = json.loads(text, parse_int=_lenient_int)
    except (ValueError, RecursionError):
        value = None
    chain, seq, prev = (value.get(name) if type(value) is dict else None for name in ("chain", "seq", "prev"))
    if type(chain) is not str or not _CHAIN.fullmatch(chain) or not is_count(seq) or type(prev) is not str:
        raise Malformed(f"{where} {why}.")
    return Bad(chain, seq, prev, why)


def broken(before, seq, prev, at, within, claim, place):
    """What is wrong with an entry that should follow the one before in its chain; None if nothing is.

    :param before: `Last`, or None if the chain begins in this export.
    :param within: the range that is claimed for this chain, or None.
    """
    last, digest, then = before or (0, FIRST_PREV, "")
    if seq <= last:
        return f"{place} comes after entry {last} of its chain: repeated or out of order."
    if seq == last + 1:
        if prev != digest:
            return f"{place} does not follow: its prev is not the SHA-256 of the entry before; one of them is changed."
    elif within and last < within[1] and seq >= within[0]:
        # If a range begins within its chain, the neighbour before it is exported too.
        first = max(last + 1, within[0] - 1)
        return f"{place} comes where entry {first} of its chain should be: {plural(seq - first, 'is', 'are')} missing."
    if at < then:
        return f"{place} has a time before that of an entry before it."
    return None


def outside(claim, chain, seq, at):
    """What is wrong with an entry by the range and the period that a partial export claims; None if nothing is."""
    first, last = claim.chains.get(chain, (0, 0))
    if claim.kind == "table":
        return f"lies after the end that the manifest claims, {last}." if seq > last > 0 else None
    if (first <= seq <= last) == (claim.begins <= at < claim.ends):
        return None
    if first <= seq <= last:
        return "lies in the range that the manifest claims and, by its time, outside of the period."
    return "lies in the period by its time, and outside of what the manifest claims to be complete."


class Entries:
    """All that is known about the entries so far, block by block."""

    def __init__(self, claim, report):
        self.claim, self.report = claim, report
        self.chains, self.played = {}, {}
        self.named, self.published, self.again = set(), set(), set()
        self.bad, self.passed = {}, {}
        self.count = 0

    def join(self, block, scanned):
        """Take the next block: the beginnings of its chains must follow what came before."""
        self.count += block.count
        for chain, (seq, prev, at, place) in scanned.begins.items():
            fault = broken(self.chains.get(chain), seq, prev, at, self.claim.chains.get(chain), self.claim, place)
            if fault:
                self.report.tamper(fault)
        if scanned.fault:
            self.report.tamper(scanned.fault)
        self.chains |= scanned.ends
        self.played = scanned.played | self.played
        self.named |= scanned.named
        self.published |= scanned.published
        self.again |= scanned.again
        self.passed |= scanned.passed
        self.bad |= scanned.bad
        if len(self.bad) > MOST_BAD:
            raise Malformed(f"entries.jsonl has more than {MOST_BAD:,} lines that are no entries.")

    def finish(self, sheets):
        """Check what only the end shows: chains that end early, counts, sheets."""
        claim, report = self.claim, self.report
        for chain, (first, last) in sorted(claim.chains.items()):
            reached = self.chains[chain].seq if chain in self.chains else 0
            if reached < last:
                begin = max(reached + 1, first)
                report.tamper(f"Entries {begin} to {last} of the chain {chain} are missing; the manifest claims them.")
            elif claim.kind == "all" and reached > last:
                report.tamper(f"The chain {chain} has {reached} entries, and the manifest claims {last}.")
        if claim.kind == "all" and (unclaimed := sorted(self.chains.keys() - claim.chains.keys())):
            report.tamper(f"The manifest does not name the chain {unclaimed[0]}.")
        if self.count != claim.entries:
            report.tamper(f"There are {self.count:,} entries, and the manifest claims {claim.entries:,}.")
        passed_over = []
        for digest, line, sentence in self.bad.values():
            if digest not in self.passed:
                raise Malformed(line)
            passed_over.append(f"{sentence}; an auditor passed it over ({self.passed[digest]}).")
            report.uncover(passed_over[-1])
        if passed_over:
            report.miss("bad", " ".join(passed_over))
        for sheet, place in self.played.items():
            if sheet not in sheets:
                report.tamper(f"{place} was played by the sheet {sheet}, which is not in sheets.jsonl.")
        for sheet, place in sheets.items():
            if sheet not in self.named:
                report.tamper(f"{place}: no exported entry was played by this sheet ({sheet}).")
            elif sheet not in self.published:
                report.tamper(f"{place}: no exported entry publishes this sheet ({sheet}).")


def read_sheets(folder):
    """Where each sheet stands in sheets.jsonl, by its SHA-256.

    :raises Malformed: for a sheet that is not in its one form, or not in order.
    """
    sheets, last = {}, ""
    for text, where in lines_of(folder / "sheets.jsonl"):
        if type(parse(text, where)) is not dict:
            raise Malformed(f"{where} is no rule sheet.")
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest <= last:
            raise Malformed(f"{where} is not in the order of SHA-256, each sheet once.")
        last = digest
        sheets[digest] = where
    return sheets


# Anchors


class Anchors:
    """Roots that came by other ways than the export: size to (root, where it is from)."""

    def __init__(self, report):
        self.report = report
        self.roots = {}
        self.filed = set()
        self.compared = set()
        self.others = 0

    @property
    def met(self):
        """The largest size at which the log was compared and agrees."""
        return max(self.compared, default=0)

    def add(self, size, root, where):
        earlier, there = self.roots.setdefault(size, (root, where))
        if earlier != root:
            self.report.tamper(f"{where} and {there} give two roots for the size {size:,}: one of them is forged.")

    def read(self, path, keys):
        """The checkpoints of an anchor file; signatures by other keys, such as those of witnesses, are only counted."""
        for note in read_notes(path):
            try:
                self.others += len(note.signatures) - len(signers(note, keys, alone=False))
            except Tampered as error:
                self.report.tamper(f"In the anchor: {error}")
            self.add(note.size, note.root, f"the anchor ({note.where})")
            self.filed.add(note.size)

    def meet(self, size, root):
        """Compare a root that is worked out here with what was anchored."""
        earlier, where = self.roots[size]
        if earlier == root:
            self.compared.add(size)
        else:
            self.report.tamper(
                f"The log was rewritten: at {plural(size, 'entry', 'entries')} its root is not the one of {where}."
            )

    def cover(self, size, as_of, witnessed):
        """Report what lies after the newest anchor, or was cut off.

        :param witnessed: whatever follows the anchors is witnessed from now on, so it is not a gap.
        """
        report, beyond = self.report, max(self.roots, default=0)
        if self.roots:
            report.look("anchor", self.summary())
        if passed := sum(anchor > size for anchor in self.roots):
            report.miss("beyond", f"{plural(passed, 'checkpoint')} of the anchor, up to {beyond:,}, passed over")
        if self.others:
            report.miss("cosigners", f"{self.others:,} by keys that you did not give")
        if as_of:
            report.look("end", f"entry {size:,}; the log had {as_of:,} when you asked")
        if as_of and size < as_of:
            report.tamper(f"This export ends at entry {size:,}, and the log had {as_of:,}: its end is missing.")
        elif beyond > size and not as_of:
            report.miss("end", "the log is longer by now, and you do not say when you asked")
            report.uncover(
                f"{plural(beyond - size, 'entry was', 'entries were')} anchored outside after this export's end: it was"
                " made earlier, or its end was cut off. If you know that it was made when the log had SIZE entries, say"
                " --as-of SIZE."
            )
        silent = [anchor for anchor in self.roots if anchor <= size and anchor not in self.compared]
        why = ""
        if silent:
            where = self.roots[max(silent)][1]
            why = f"{where}, at {max(silent):,}, says nothing here, as that lies within what is left out"
        if self.met < size and not witnessed:
            held = f"entries {self.met + 1:,} to {size:,} lie after the newest anchor"
            if silent:
                held += f"; {why}"
            report.uncover(
                f"{held}." if self.met else f"no anchor holds any of it: {held}." if silent else "no anchor."
            )
        elif silent:
            report.uncover(f"{why}: ask for the whole log.")

    def summary(self):
        many = f"{len(self.compared):,} of {plural(len(self.roots), 'root')} compared"
        return f"anchored up to entry {self.met:,}, {many}" if self.met else f"not anchored, {many}"


# Verifying


class Verified(NamedTuple):
    """What a verification found beside its report: the newest checkpoint or None, the sizes of all, the keys that
    signed them, where each sheet stands."""

    claim: Claim
    newest: Note | None
    checkpoints: set
    keys: list
    entries: Entries
    sheets: dict


class Crew:
    """Other processes, or just this one."""

    def __init__(self, jobs):
        self.jobs = jobs
        self.pool = None

    def __enter__(self):
        return self

    def __exit__(self, *failed):
        if self.pool:
            self.pool.shutdown(wait=True, cancel_futures=True)

    def do(self, function, argument):
        if self.jobs > 1:
            if self.pool is None:
                method = "fork" if sys.platform == "linux" else None
                context = multiprocessing.get_context(method)
                self.pool = ProcessPoolExecutor(self.jobs, context, _ignore_interrupts)
            with _deaf():
                return self.pool.submit(function, argument)
        done = Future()
        try:
            done.set_result(function(argument))
        except Exception as error:
            done.set_exception(error)
        return done


@contextlib.contextmanager
def _deaf():
    """Only the command itself gets Ctrl-C: processes begun within ignore it from their first moment on."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def scanned(folder, claim, anchored, crew):
    """(block, layout, Scanned) in the order of the leaves, a few blocks ahead in the crew."""
    path = str(folder / "entries.jsonl")
    waiting, fault = deque(), None
    try:
        for block, layout in layouts(blocks(path), read_tree(folder), anchored):
            runs = tuple(item for item in layout if type(item) is Run)
            waiting.append((block, layout, block and crew.do(scan, Part(path, block, runs, claim))))
            if len(waiting) > 2 * crew.jobs:
                yield _awaited(*waiting.popleft())
    except Tampered as error:
        fault = error
    for item in waiting:
        yield _awaited(*item)
    if fault:
        raise fault


def _awaited(block, layout, done):
    return block, layout, done and done.result()


def verify(folder, keys, anchors, crew, report):
    """Verify the whole export except payments and the CSV.

    :raises Malformed: if it is none.
    """
    claim = read_manifest(folder)
    report.unsigned = claim.unsigned()
    sheets = read_sheets(folder)
    tree = Tree(claim, keys, anchors, read_notes(folder / "checkpoints", Tampered), report)
    entries = Entries(claim, report)
    try:
        for block, layout, scan in scanned(folder, claim, [size for size in anchors.roots if size <= claim.size], crew):
            if scan:
                entries.join(block, scan)
            tree.grow(layout, scan.subtrees if scan else [])
        tree.finish()
        entries.finish(sheets)
    except Tampered as error:
        report.tamper(str(error), above=True)
    return Verified(claim, tree.newest, tree.sizes, sorted(tree.signing | tree.retired), entries, sheets)


class Tree:
    """The tree as it grows, compared with checkpoints and anchors wherever there is one."""

    def __init__(self, claim, keys, anchors, notes, report):
        self.claim, self.keys, self.anchors, self.notes, self.report = claim, keys, anchors, notes, report
        self.edge = Edge()
        self.newest = None
        self.sizes = set()
        self.signing, self.retired = set(), set()

    def grow(self, layout, runs):
        runs = iter(runs)
        for item in layout:
            match item:
                case Run():
                    for height, node in next(runs):
                        self.edge.push(height, node)
                case Hidden():
                    self._hide(item)
                case Sealed():
                    self._seal(item)
                case Mark():
                    self.anchors.meet(item.size, self.edge.root())

    def _hide(self, hidden):
        if self.claim.kind == "all":
            self.report.tamper(f"{hidden.where} leaves entries out, and the manifest claims the whole log.")
        try:
            self.edge.push(hidden.height, hidden.node)
        except ValueError as error:
            raise Tampered(f"{hidden.where}: {error}; a record before it is missing or changed.") from None

    def _seal(self, sealed):
        note = next(self.notes, None)
        if note is None:
            raise Tampered(f"{sealed.where} has no checkpoint in the file of checkpoints: it is missing there.")
        at = f"The checkpoint of size {note.size:,} ({note.where})"
        if note.origin != self.claim.origin:
            self.report.tamper(f"{at} is one of {safe(note.origin)}, and the manifest says {safe(self.claim.origin)}.")
        if note.size != sealed.size or note.size != self.edge.size:
            self.report.tamper(
                f"{at} stands in the tree as {sealed.size:,} ({sealed.where}), after {self.edge.size:,} leaves."
            )
        elif note.root != self.edge.root():
            self.report.tamper(
                f"{at} has another root than the entries and hashes before it give: something is changed."
            )
        if self.newest is None:
            if sealed.proof:
                raise Tampered(f"{sealed.where}: the first checkpoint extends one before it, which is missing.")
        elif not verify_consistency(self.newest.size, note.size, self.newest.root, note.root, sealed.proof):
            self.report.tamper(f"{at} is not proved to extend the one of size {self.newest.size:,} ({sealed.where}).")
        self._signed(note, at)
        self.newest = note
        self.sizes.add(note.size)

    def _signed(self, note, at):
        """A key that was given up never signs again: whoever got hold of it signs nothing here."""
        try:
            signing = signers(note, self.keys, alone=True)
        except Tampered as error:
            self.report.tamper(str(error))
            return
        if back := signing & self.retired:
            self.report.tamper(f"{at} is signed by the key {back.pop().id.hex()}, which was given up before.")
        self.retired |= self.signing - signing
        self.signing = signing

    def finish(self):
        claim, newest, report = self.claim, self.newest, self.report
        surplus = next(self.notes, None)
        if surplus:
            raise Tampered(f"The checkpoint at {surplus.where} has no place in tree.jsonl: its record is missing.")
        if newest is None:
            raise Malformed("There is no checkpoint: nothing in this export is signed.")
        if (newest.size, newest.root) != (claim.size, claim.root):
            report.tamper(f"The manifest claims the size {claim.size:,}, and the last checkpoint is another.")
        if self.edge.size > newest.size:
            tail = self.edge.size - newest.size
            report.uncover(
                f"{plural(tail, 'entry', 'entries')} after the last checkpoint, of {newest.size:,}: not sealed."
            )
        lost = [size for size in sorted(self.anchors.filed) if size <= newest.size and size not in self.sizes]
        if lost:
            report.uncover(
                f"the checkpoint of size {lost[0]:,} was anchored and is not in this export: ask for a new one."
            )


# The CSV


def check_csv(folder, bad):
    """:raises Tampered: at the first line of entries.csv that differs from its entry by a byte."""
    buffer = io.StringIO()
    write = csv.writer(buffer, lineterminator="\r\n").writerow
    with opened(folder / CSV) as file:
        for number, row in enumerate(_rows(folder, bad), 1):
            write(row)
            wanted = buffer.getvalue().encode()
            if file.read(len(wanted)) != wanted:
                raise Tampered(f"entries.csv row {number} is not what entries.jsonl gives.")
            buffer.seek(0)
            buffer.truncate()
        if file.read(1):
            raise Tampered(f"entries.csv goes on after its last row, {number}.")


def _rows(folder, bad):
    """The header and each entry as entries.csv has them; for the lines in `bad`, their texts."""
    yield "leaf", "chain", "seq", "at", "event", "subject", "by", "terminal", "facts"
    lines, leaf, number = lines_of(folder / "entries.jsonl"), 0, 0
    for record in read_tree(folder):
        if type(record) is int:
            for place, (text, where) in zip(range(leaf, leaf + record), lines, strict=False):
                number += 1
                if number in bad:
                    known = _bad(text, where, "")
                    yield place, known.chain, known.seq, "", "bad entry", "", "", "", text
                    continue
                at, by, chain, event, facts, _, seq, subject, terminal, _ = parse(text, where).values()
                yield place, chain, seq, at, event, subject, by, terminal or "", encode(facts)
            leaf += record
        elif type(record) is Hidden:
            leaf += 1 << record.height


# Settling again


class Difference(Tampered):
    """The log says one thing, the rules another."""


class Counts(NamedTuple):
    """What was settled again, and what could not be."""

    settlements: int = 0
    payments: int = 0
    transfers: int = 0
    unsettled: int = 0
    headless: int = 0
    trusted: int = 0

    def plus(self, other):
        return Counts(*map(sum, zip(self, other, strict=True)))


class Played:
    """A round as far as its entries go."""

    def __init__(self, ref, game, facts, rules):
        self.ref, self.game, self.rules, self.session = ref, game, rules, facts["session"]
        self.sheet, self.number, self.series = facts["sheet"], facts["number"], facts.get("series")
        self.carry, self.seats = facts.get("carry"), tuple(facts.get("seats", ()))
        self.acted, self.line, self.stakes = [], None, None
        self.generation, self.moved = 0, []
        # When the round was played.
        self.at = ""


def _is_correction(entry):
    return entry["event"] == "movement.made" and entry["facts"].get("kind") == "correction"


# Where a movement's chips go, and where they come from; a variance goes either way. Float, rake, drop box and patrons
# are a table's.
_WAYS = {
    "opener": ("float", "cage"),
    "closer": ("cage", "float"),
    "rake": ("cage", "rake"),
    "buy_in": ("drop_box", "float"),
    "tip": ("tips", "patrons"),
    "drop": ("count_room", "float"),
    "fill_issued": ("transit", "cage"),
    "fill": ("float", "transit"),
    "fill_returned": ("cage", "transit"),
    "credit": ("transit", "float"),
    "credit_received": ("cage", "transit"),
    "credit_returned": ("float", "transit"),
}
_OF_A_TABLE = {"float", "rake", "drop_box", "patrons"}
# The same for a shift of the cage, which stands in the chain `house`.
_WAYS_OF_THE_CAGE = {
    "issued": ("cage", "issued"),
    "withdrawn": ("issued", "cage"),
    "sold": ("cash", "cage"),
    "cashed": ("cage", "cash"),
}


def _reaches(value, limit):
    return value >= limit


def _passes(value, limit):
    return value > limit


def _falls_below(value, limit):
    return value < limit


def _misses(value, limit):
    return value != limit


# The subject of each kind of alarm, and how its value must compare with its limit, if that makes it an alarm.
_ALARMS = {
    "call": ("table", None),
    "slip_late": ("slip", _reaches),
    "opener_variance": ("session", None),
    "closer_variance": ("session", None),
    "drop_box_seal": ("drop_box", None),
    "drop_box_swapped": ("drop_box", None),
    "drop_box_overdue": ("drop_box", _reaches),
    "drop_variance": ("drop_box", None),
    "case_late": ("case", _reaches),
    "large_cash": ("movement", None),
    "round_held": ("round", None),
    "round_long": ("round", _reaches),
    "settlement_late": ("table", _reaches),
    "settlement_retried": ("round", _passes),
    "pace": ("session", _misses),
    "float_low": ("session", _falls_below),
    "void_rate": ("session", _passes),
    "correction_rate": ("session", _passes),
    "seal_late": ("house", _passes),
    "log_damaged": ("inspection", None),
    "lock_out": ("staff", _reaches),
    "break_due": ("staff", _reaches),
    "luck": ("luck_day", _reaches),
}
_ALARMS_OF_HOUSE = {"seal_late", "log_damaged", "lock_out"}
# What a call may be for; calls from before there were reasons have none.
_CALL_REASONS = {"chips", "signature", "error", "dispute", "player", "relief", "equipment", "other"}


# What only a round played on paper has.
_PAPER = frozenset({"happened_at", "slip", "approver"})
PAPERS = "papers"
DESK = "desk"
SAMPLE = 8
"""As many rounds a sample has, where as many were settled."""
"""Where the numbers of papers stand among all that were taken, by their rounds."""


class Slip:
    """A fill, a credit or a change as far as its entries go."""

    def __init__(self, ref, facts):
        self.ref, self.kind, self.session = ref, facts["kind"], facts["session"]
        self.denominations, self.requester = facts["denominations"], facts["requester"]
        self.status, self.issuer, self.copies = "requested", None, 0
        self.counts = []


class Sitting:
    """A session as far as its entries go, from the one that begins it."""

    def __init__(self, ref, chain):
        self.ref, self.chain, self.status = ref, chain, "opening"
        # The attempt with which its counts begin now; those of the last attempt; what two signed for, and who.
        self.since, self.counts, self.agreed, self.signers = 1, [], None, None
        # The same for its rake slot, which is counted and signed for with its closer.
        self.rakes, self.rake = [], None
        # When it was opened and its last round was called; its gaming day.
        self.opened_at = self.stopped_at = self.date = ""


class DropBox(Sitting):
    """A drop box as far as its entries go, from the one that mounts it."""

    def __init__(self, entry, facts):
        super().__init__(entry["subject"], entry["chain"])
        self.status, self.session, self.number = "mounted", facts["session"], facts["number"]
        # The cash that went into it by the buy-ins, and what moved when it was counted, by kind.
        self.date, self.recorded, self.moved = facts["business_date"], 0, {}


class Tips(Sitting):
    """The tips of a gaming day as far as their entries go, from the first of them."""

    def __init__(self, ref):
        super().__init__(ref, "house")
        # What the tables entered, and the variance that moved when they were counted.
        self.status, self.recorded, self.varied = "given", 0, 0


class Shift(Sitting):
    """A shift of the cage as far as its entries go, from the one that opens it."""

    def __init__(self, ref, date):
        super().__init__(ref, "house")
        # What the books had in the cage when its count began; the variance that moved.
        self.status, self.date, self.expected, self.varied = "open", date, None, 0


def _by_seed(seed, rounds):
    """The rounds that a seed draws, in its order."""
    return sorted(rounds, key=lambda each: hashlib.sha256(f"{seed} {each}".encode()).hexdigest())[:SAMPLE]


class Resettling:
    """Replays every round from its entries with the pure core alone, and compares each settlement with it.

    It shares nothing with the product but `casino.games`: payments and transfers are worked out in another way than
    settling does. `again`: the rounds that are settled more than once or corrected, which are kept to the end; None
    keeps all. Others are forgotten once settled, or with their series, so that memory stays flat. `bad`: the lines that
    are not entries.
    """

    def __init__(self, core, sheets=(), *, claim=None, again=None, bad=frozenset()):
        self.core, self.claim, self.again, self.bad = core, claim, again, bad
        self.rules, self.texts = {}, dict(sheets)
        self.rounds, self.series, self.over = {}, {}, set()
        self.corrected, self.newest = set(), {}
        # The subjects of standing alarms; those that somebody took.
        self.alarms, self.taken = {}, set()
        # The rounds that are held.
        self.held = set()
        # By chain, who deals there (None: nobody), and the relief asked for there, with who should come.
        self.dealers, self.reliefs = {}, {}
        # Sheets that are drafted and not published: their digests and authors. Whether one had its house edge.
        self.drafts, self.edges = {}, False
        # By chain, from which moments on its table plays by which sheet, including those to come, without withdrawn
        # ones.
        self.places = {}
        # The settings of the house that stand: name, moment, value. And when the newest entry of the house was written.
        self.settings, self.house_at = {}, ""
        # Sessions that the log saw begin; slips and their movements; when each number of a kind and year was taken.
        self.sittings = {}
        # What closed the last session of each table: its reference and its facts.
        self.closings = {}
        self.slips, self.carried, self.numbers = {}, {}, {}
        # Cases that wait, and who does not sign for each: who signed the closing it is about, or raised the dispute.
        self.cases = {}
        # The disputes of those cases; by chain the dispute raised last and by whom, and the facts of the last ruling.
        self.of_disputes, self.contested, self.rulings = {}, {}, {}
        # All cases that were opened, and their files, each by itself and by its case with its digest.
        self.all_cases, self.filed = set(), set()
        # By report, period and edition the SHA-256 that all of its files have; of each token of reports, by its name,
        # which it is, "" when it has ended.
        self.reports, self.tokens = {}, {}
        # Void rounds: their chain, and who asked for it and who approved it. Sessions: their chain, and who signed
        # their opening and closing or dealt in them. What persons opened cases about; by investigation its session.
        self.voids, self.worked, self.asked, self.investigated = {}, {}, set(), {}
        # Drop boxes that are mounted, or taken off and not counted.
        self.drop_boxes = {}
        # The tips of gaming days that are not counted, and the days that are.
        self.tips, self.tips_counted = {}, set()
        # Chains whose rake lies in a slot of their table.
        self.slots = set()
        # By chain what a correction moved at a closed table, or a round that was entered late, and nobody evened yet:
        # by account its round, day and units, and whether the cage evens it.
        self.uneven = {}
        # By chain the drop box that was counted last, and the facts of that.
        self.drops = {}
        # By session when the rounds were played that were entered from paper in it.
        self.papers = {}
        # By auditor the size of the log that they saw last, and by that too the number of their last sample.
        self.visits, self.samples, self.questions = {}, {}, {}
        # Sessions that are closed.
        self.past = {}
        # Rounds from paper that were entered when their session was closed: its day, and the two who entered them.
        self.late = {}
        # Series that run: the entries that began them.
        self.running = {}
        self.counts = Counts()

    def take(self, entry):
        """Follow one entry; return the payments and transfers that it has and the rules confirm, as tuples.

        :raises Difference: if they do not.
        """
        subject, follow = entry["subject"], self._TAKES.get(entry["event"])
        if entry["chain"] in self.uneven and not _is_correction(entry):
            left = ", ".join(self.uneven[entry["chain"]])
            is_late = any(
                ref in self.late and not of_cage for ref, _, _, of_cage in self.uneven[entry["chain"]].values()
            )
            what = "a round from paper of a closed session" if is_late else "a correction at a closed table"
            raise Difference(f"{safe(subject)} follows {what} that left {left} uneven.")
        if self.bad and follow in self._OF_PEOPLE:
            follow = None  # Nobody knows who came and went in the lines that are not entries.
        if follow and follow not in self._OF_NO_ROUND:
            self.newest[entry["chain"]] = subject
        try:
            confirmed = follow(self, entry, entry["facts"]) if follow else ((), ())
            if entry["chain"] == "house":
                self.house_at = entry.get("at", "")
            return confirmed
        except Difference:
            raise
        except KeyError as error:
            what = f"{safe(error)} is missing or unknown in its facts"
            raise Difference(f"{safe(subject)}: its {entry['event']} can't be played again: {what}.") from error
        except Exception as error:
            what = "its facts have not the form of one"
            raise Difference(f"{safe(subject)}: its {entry['event']} can't be played again: {what}.") from error

    def finish(self):
        """:raises Difference: if a series was not carried on after a correction as its rounds were."""
        ends = set(self.newest.values())
        for ref in self.corrected & self.series.keys():
            # If the export ends with a round of it, it may end in the middle of the correction.
            whole = not any(played.ref in ends for played in self.series[ref])
            for before, after in zip(self.series[ref], self.series[ref][1:], strict=False):
                if whole and self._next(before, after) and after.carry != self._leaves(before):
                    raise Difference(f"{after.ref} was not corrected after {before.ref}: it began with something else.")
        unsettled = sum(played.line is not None and not played.generation for played in self.rounds.values())
        self._count(unsettled=unsettled)
        return self.counts

    def _count(self, **more):
        self.counts = self.counts._replace(**{name: getattr(self.counts, name) + by for name, by in more.items()})

    def _sheet(self, digest):
        if digest not in self.rules:
            if digest not in self.texts:
                raise Difference(f"The sheet {safe(digest)} was not published before a round was played by it.")
            sheet = json.loads(self.texts[digest])
            values = {**sheet["parameters"], **sheet["limits"]}
            if sheet["coefficients"]:
                values["coefficients"] = sheet["coefficients"]
            if sheet["game"] not in self.core.GAMES:
                raise Difference(f"The sheet {digest} is of the game {safe(sheet['game'])}, which the project has not.")
            rules = self.core.GAMES[sheet["game"]].sheet(values)
            if isinstance(rules, self.core.Fault):
                raise Difference(f"The sheet {digest} breaks its own game: {safe(rules.message)}")
            self.rules[digest] = sheet["game"], rules
        return self.rules[digest]

    def _drafted(self, entry, facts):
        ref = entry["subject"]
        _same(f"{safe(ref)}, its author", facts["author"], entry["by"], "the entry is by")
        if ref in self.drafts:
            raise Difference(f"{safe(ref)} is drafted twice.")
        self.drafts[ref] = facts["sheet"], facts["author"]
        return (), ()

    def _published(self, entry, facts):
        """Another person than the drafter publishes a sheet, as drafted; drafts of the first versions have no entry."""
        ref, said = safe(entry["subject"]), (facts["sheet"], facts["author"])
        if facts["author"] == facts["signer"]:
            raise Difference(f"{ref} is published by who drafted it.")
        _same(f"{ref}, published", said, self.drafts.pop(entry["subject"], said), "drafted was")
        self._edge(ref, entry["at"], facts)
        self.texts[facts["sheet"]] = encode(facts["rules"])
        return (), ()

    def _edge(self, ref, at, facts):
        """What the house was known to keep by a sheet of Split Poker: never less than nothing, and outside the casino's
        band with a reason. The figures themselves are computed anew by `manage.py edge`."""
        rules, pins = facts["rules"], facts.get("edge")
        if rules.get("game") != "split":
            if rules.get("game") in self.core.GAMES and (pins is not None or "reason" in facts):
                raise Difference(f"{ref} has a house edge, and its game has no house.")
            return
        if pins is None:
            if self.edges or "reason" in facts:
                raise Difference(f"{ref} is published without its house edge.")
            return
        self.edges = True
        if type(pins) is not list or not all(type(pin) is dict and pin.keys() == _PINNED for pin in pins):
            raise Difference(f"{ref} has a house edge that nobody can read.")
        texts = [(pin["key"], _DIGEST) for pin in pins] + [(pin["edge"], _EDGE) for pin in pins]
        if not pins or not all(type(text) is str and form.fullmatch(text) for text, form in texts):
            raise Difference(f"{ref} has a house edge that is no number of nine places, or of no result.")
        antes, limits = [pin["ante"] for pin in pins], rules.get("limits", {})
        own = [limits.get("ante_minimum"), limits.get("ante_maximum")]
        own = own[: len({*own})]
        if antes not in ([None], own, [None, *own]):
            _same(f"{ref}, the ANTEs of its house edge", antes, own, "its limits are")
        if antes == [None] and any(_changes_a_payment(rules, ante) for ante in own if type(ante) is int):
            raise Difference(f"{ref} has one house edge, and what it pays depends on the ANTE.")
        edges = [Fraction(pin["edge"]) for pin in pins]
        if min(edges) < 0:
            raise Difference(f"{ref} is published, and the player has the edge.")
        least, most = (self._stood(name, at) for name in _BAND)
        outside = min(edges) * 100 < min(least) or max(edges) * 100 > max(most)
        if outside and "reason" not in facts and self._knows_all():
            raise Difference(f"{ref} has a house edge outside the casino's band, and nobody says why.")

    def _stood(self, name, at):
        """The values that a setting had within a minute before a moment."""
        of_it = [(begun, value) for what, begun, value in self.settings.values() if what == name and is_time(begun)]
        known = sorted(setting for setting in of_it if setting[0] <= at)
        late = [number for number, (begun, _) in enumerate(known) if not _within(begun, at)]
        since = late[-1] if late else 0
        return [value for _, value in known[since:]] + ([] if late else [_BAND[name]])

    def _series_opened(self, entry, facts):
        ref, session = entry["subject"], facts["session"]
        sitting = self.sittings.get(session) or self.past.get(session)
        if sitting and (sitting.chain != entry["chain"] or sitting.status not in {"open", "closed"}):
            raise Difference(f"{safe(ref)} begins while {sitting.ref} is {sitting.status}, or at another table.")
        other = next((each for each in self.running.values() if each["facts"]["session"] == session), None)
        if other or ref in self.series:
            raise Difference(
                f"{safe(ref)} begins while {safe(other['subject'] if other else ref)} runs in its session."
            )
        self.running[ref] = entry
        self.series[ref] = []
        return (), ()

    def _of_series(self, entry, facts, goes_on):
        """A round is of a series of its own session, with the game and the boxes of it; one of a closed session is of
        one that runs, if its game goes on from round to round.

        :param goes_on: whether rounds on this sheet belong together.
        """
        ref, series = entry["subject"], facts.get("series")
        begun = self.running.get(series)
        if ref in self.late and (series is not None) != goes_on:
            raise Difference(f"{safe(ref)} of a closed session is {'in no series' if goes_on else 'in a series'}.")
        if ref in self.late and goes_on and begun is None:
            raise Difference(f"{safe(ref)} of a closed session is in {safe(series)}, which does not run.")
        if begun is None:
            return
        own = begun["facts"]
        if begun["chain"] != entry["chain"] or own["session"] != facts["session"]:
            raise Difference(f"{safe(ref)} is in {safe(series)}, which is of another session.")
        if own["game"] != facts["game"] or own["sheet"] != facts["sheet"] or own["seats"] != sorted(facts["seats"]):
            raise Difference(f"{safe(ref)} is in {safe(series)}, which has another game, sheet or other boxes.")

    def _series_closed(self, entry, facts):
        ref = entry["subject"]
        self.running.pop(ref, None)
        if self.again is not None and not any(played.ref in self.again for played in self.series.get(ref, ())):
            for played in self.series.pop(ref, ()):
                self._forget(played)
        return (), ()

    def _forget(self, played):
        """Forget a round once it is settled, unless it is needed again."""
        if self.again is None or played.ref in self.again or played.series in self.series or not played.generation:
            return
        self.rounds.pop(played.ref, None)

    def _opened(self, entry, facts):
        ref = entry["subject"]
        if ref in self.rounds or ref in self.over:
            raise Difference(f"{safe(ref)} is opened twice.")
        sitting = self.sittings.get(facts["session"])
        is_paper = not _PAPER.isdisjoint(facts)
        past = self.past.get(facts["session"])
        if past and is_paper:
            sitting = past
            self.late[ref] = past.date, [entry["by"], facts["approver"]]
        elif (sitting or past) and (sitting or past).status != "open":
            raise Difference(f"{safe(ref)} is opened while {(sitting or past).ref} is {(sitting or past).status}.")
        before = self.series.get(facts.get("series"))
        if is_paper:
            self._from_paper(entry, facts, sitting, before)
        if not before:
            self._played_by(entry, facts)
        code, rules = self._sheet(facts["sheet"])
        if code != facts["game"]:
            raise Difference(f"{ref} is of the game {safe(facts['game'])} and its sheet of {code}.")
        played = Played(ref, self.core.GAMES[code], facts, rules)
        played.at = facts.get("happened_at", entry.get("at", ""))
        self._of_series(entry, facts, played.game.goal(rules, played.seats) is not None)
        if (played.series and before is None) or (before and not self._next(before[-1], played)):
            self._count(trusted=1)
        else:
            self._carried(played, before[-1] if before else None)
        self.rounds[ref] = played
        self._works(entry, facts["session"], entry["by"])
        return (), ()

    def _played_by(self, entry, facts):
        """A round is played by the sheet that was in force at its table when it was opened or, from paper, played; the
        first of a series too, whose others have that sheet. It was opened shortly before its entry was written."""
        places = {} if self._is_part() else self.places.get(entry["chain"], {})
        at = facts.get("happened_at", entry.get("at", ""))
        counted = sorted(moment for moment in places if moment <= at)
        if not counted:
            return
        while len(counted) > 1 and places[counted[-1]] != facts["sheet"] and _within(counted[-1], at):
            counted.pop()
        _same(f"{safe(entry['subject'])}, its sheet", facts["sheet"], places[counted[-1]], "in force at its table was")

    def _is_part(self):
        """Whether entries of a chain may be missing before the exported ones."""
        return self.claim is not None and self.claim.kind == "period"

    def _sheet_set(self, entry, facts):
        """Two people put a sheet in force at a table, alone at its moment; the first versions named no two."""
        places, moment = self.places.setdefault(entry["chain"], {}), facts["from"]
        if not is_time(moment):
            raise Difference(
                f"{safe(entry['subject'])} plays by a sheet from {safe(encode(moment))} on, which is no time."
            )
        self._placed_by_two(entry, facts, "put in force")
        if moment in places:
            raise Difference(f"{safe(entry['subject'])} has a sheet from {safe(moment)} on already.")
        places[moment] = facts["sheet"]
        return (), ()

    def _sheet_withdrawn(self, entry, facts):
        """Before its moment two people withdraw a sheet that was put in force."""
        ref, places, moment = safe(entry["subject"]), self.places.get(entry["chain"], {}), facts["from"]
        self._placed_by_two(entry, facts, "withdrawn")
        if moment in places:
            _same(f"{ref}, the sheet withdrawn", facts["sheet"], places.pop(moment), "put in force was")
        elif not self._is_part():
            raise Difference(f"{ref}: a sheet from {safe(moment)} on is withdrawn and was not put in force.")
        if moment <= entry["at"] and not _within(moment, entry["at"]):
            raise Difference(
                f"{ref}: the sheet from {safe(moment)} on is withdrawn at {safe(entry['at'])}, when it counted."
            )
        return (), ()

    def _placed_by_two(self, entry, facts, what):
        if "requester" not in facts and what == "put in force":
            return
        _same(f"{safe(entry['subject'])}, who asked", facts["requester"], entry["by"], "the entry is by")
        if facts["requester"] == facts["approver"]:
            raise Difference(f"{safe(entry['subject'])}: a sheet is {what} by one person.")

    def _from_paper(self, entry, facts, sitting, before):
        """A round that was played on paper is entered by two, in its session and in the order of play.

        :param before: the rounds of its series, or None.
        """
        ref, at, slip, approver = entry["subject"], facts["happened_at"], facts["slip"], facts["approver"]
        if entry["by"] == approver:
            raise Difference(f"{safe(ref)} is entered from paper by one person alone.")
        if type(slip) is not str:
            raise Difference(f"{safe(ref)} is entered from the paper {safe(encode(slip))}, which is no number.")
        if not is_time(at) or at > entry["at"]:
            raise Difference(f"{safe(ref)} was played at {safe(encode(at))}, and entered at {safe(entry['at'])}.")
        if sitting and at < sitting.opened_at:
            raise Difference(f"{safe(ref)} was played at {at}, before {sitting.ref} was opened.")
        if ref in self.late and at > sitting.stopped_at:
            raise Difference(f"{safe(ref)} is entered in {sitting.ref}, and was played after its end.")
        entered = self.papers.get(facts["session"], {})
        rounds = [*entered.items(), *((each.ref, each.at) for each in before or ())]
        later = next((other for other, played_at in rounds if played_at > at), None)
        if later:
            raise Difference(f"{safe(ref)} was played at {at} and entered after {safe(later)}, which was played later.")
        self.papers[facts["session"]] = entered | {ref: at}
        self.numbers.setdefault(PAPERS, {})[ref] = slip

    def _next(self, before, after):
        """Whether nothing was played between two rounds of a series, as far as this export shows.

        In a whole chain none of the series can lie between but void ones; in a period some may not be exported.
        """
        return self.claim is None or self.claim.kind != "period" or after.number == before.number + 1

    def _carried(self, played, before):
        wanted = self._leaves(before) if before else None
        if played.carry != wanted:
            carries = f"{encode(played.carry)} and not {encode(wanted)}"
            raise Difference(
                f"{played.ref} starts with {safe(carries)}, which {before.ref if before else 'nothing'} left."
            )

    def _read(self, played):
        read = played.game.read(played.line)
        if isinstance(read, self.core.Fault):
            raise Difference(f"{played.ref}: its line can't be read: {safe(read.message)}")
        return read

    def _leaves(self, played):
        """What the next round of the series starts with, by the newest line."""
        read = self._read(played)
        return played.game.carry(read, played.game.settle(read), played.rules, played.carry)

    def _acted(self, entry, facts):
        played = self.rounds.get(entry["subject"])
        if played:
            if played.line is not None:
                raise Difference(f"{played.ref} has an entry after its close: {safe(facts['kind'])}.")
            if facts["ordinal"] != len(played.acted) + 1:
                raise Difference(f"{played.ref}: entry {facts['ordinal']} comes where {len(played.acted) + 1} should.")
            played.acted.append(facts)
            self._works(entry, played.session, entry["by"])
        return (), ()

    def _closed(self, entry, facts):
        played = self.rounds.get(entry["subject"])
        if played:
            if played.line is not None:
                raise Difference(f"{played.ref} is closed twice.")
            state = self._replayed(played)
            line = {"id": int(played.ref.partition(":")[2]), **plain(played.game.facts(state))}
            _same(f"{played.ref}, its line", facts["round"], line, "its entries give")
            stakes = [wager._asdict() for wager in played.game.view(state).wagers]
            _same(f"{played.ref}, its wagers", facts["wagers"], stakes, "its entries give")
            if "handed" in facts:
                handed = [each._asdict() for each in played.game.handed(state)]
                _same(f"{played.ref}, what was handed over in it", facts["handed"], handed, "its entries give")
            played.line, played.stakes = line, self._wagers(stakes)
            played.acted = []
            self._works(entry, played.session, entry["by"])
            if played.series:
                self.series.setdefault(played.series, []).append(played)
        return (), ()

    def _wagers(self, stakes):
        return [self.core.Wager(**stake) for stake in stakes]

    def _replayed(self, played):
        """The state that entries come to: one that is taken back is out, one that is amended replaced in its place."""
        places, where = {}, {}
        for facts in played.acted:
            ordinal = facts["ordinal"]
            if "undoes" not in facts:
                where[ordinal] = ordinal
                places[ordinal] = facts
                continue
            place = where.pop(facts["undoes"], None)
            if place is None:
                raise Difference(f"{played.ref}: entry {ordinal} takes back {facts['undoes']}, which does not stand.")
            if facts["kind"] == "undo":
                del places[place]
            else:
                places[place], where[ordinal] = facts, place
        game = played.game
        state = game.start(played.rules, played.seats, played.carry)
        for place in sorted(places):
            facts = places[place]
            arguments = dict(facts["arguments"])
            state = game.act(state, self.core.Action(facts["kind"], arguments.pop("box", None), arguments))
            if isinstance(state, self.core.Refusal):
                raise Difference(f"{played.ref}: the rules refuse entry {facts['ordinal']}: {safe(state.message)}")
        if not game.view(state).final:
            raise Difference(f"{played.ref} is closed before its end.")
        return state

    def _voided(self, entry, facts):
        played = self.rounds.pop(entry["subject"], None)
        if played and played.line is not None:
            raise Difference(f"{played.ref} is voided after its close.")
        self.over.add(entry["subject"])
        self.voids[entry["subject"]] = entry["chain"], frozenset((facts["requester"], facts["approver"]))
        self.held.discard(entry["subject"])
        # Its paper is entered again.
        self.numbers.get(PAPERS, {}).pop(entry["subject"], None)
        for entered in self.papers.values():
            entered.pop(entry["subject"], None)
        return (), ()

    def _corrected(self, entry, facts):
        played = self.rounds.get(entry["subject"])
        if played:
            if played.line is None:
                raise Difference(f"{played.ref} is corrected before its close.")
            if facts["requester"] == facts["approver"]:
                raise Difference(f"{played.ref} is corrected by one person alone.")
            played.line, played.carry = facts["round"], facts.get("carry")
            before = self.series.get(played.series, [])
            place = before.index(played) if played in before else 0
            if place and self._next(before[place - 1], played):
                self._carried(played, before[place - 1])
            implied = played.game.stakes(self._read(played), played.stakes, played.rules, played.carry)
            implied = [wager._asdict() for wager in implied]
            stood = [wager._asdict() for wager in played.stakes]
            _same(f"{played.ref}, its corrected wagers", facts.get("wagers", stood), implied, "the line gives")
            played.stakes = self._wagers(implied)
            self.corrected.add(played.series)
        return (), ()

    def _ways(self, kind, transfer, chain):
        """Which kind of account receives, and which one gives; of a variance it is read from the transfer.

        It is of the float or the rake slot at a closing, of the cage at an opening and in a shift of it, of a drop, and
        of tips. A correction is of the float or the rake slot of a closed table, or in a closed session, either way.
        """
        if kind == "variance":
            ends = transfer["debit"], transfer["credit"]
            of_cage = chain == "house" or "cage:house" in ends
            slot = next((each for each in ("rake", "drop_box") if f"{each}:{chain}" in ends), "float")
            other = "tips" if transfer["key"].startswith("tips:") else "cage" if of_cage else slot
            return (other, "variance") if transfer["debit"] != "variance:house" else ("variance", other)
        if kind == "correction":
            ends = transfer["debit"], transfer["credit"]
            slot = "rake" if f"rake:{chain}" in ends else "float"
            other = "variance" if "variance:house" in ends else "cage"
            return (other, slot) if transfer["debit"] == f"{other}:house" else (slot, other)
        if transfer["key"].startswith("drop_box:"):
            return "count_room", "drop_box"
        return (_WAYS_OF_THE_CAGE if chain == "house" else _WAYS)[kind]

    def _moved(self, entry, facts):
        """Chips between cage, float and count room, and on their way."""
        kind, transfer, chain = facts["kind"], facts["transfer"], entry["chain"]
        ways = self._ways(kind, transfer, chain)
        debit, credit = (f"{way}:{chain if way in _OF_A_TABLE else 'house'}" for way in ways)
        wanted = {"debit": debit, "credit": credit, "units": _worth(facts["denominations"]), "reason": kind}
        logged = {name: transfer[name] for name in wanted}
        _same(f"{safe(entry['subject'])}, its transfer", logged, wanted, "its denominations give")
        if not transfer["key"].endswith(f":{kind}:{facts['number']}:1"):
            raise Difference(f"{safe(entry['subject'])} has the transfer {safe(transfer['key'])} of another movement.")
        if transfer["key"].startswith(("cage_shift:", "tips:")) != (chain == "house"):
            raise Difference(f"{safe(entry['subject'])} stands in the chain {chain}, where its chips are not told of.")
        if transfer["key"].startswith("tips:"):
            self._varied_tips(entry, facts, transfer)
        elif chain == "house":
            self._moved_in_cage(entry, facts, transfer)
        if kind == "tip":
            self._tipped(entry, facts, transfer)
        if kind in {"opener", "closer", "rake"}:
            session = transfer["key"].removesuffix(f":{kind}:{facts['number']}:1")
            self._signed_for(session, facts["denominations"], "rake" if kind == "rake" else "agreed")
        if kind == "buy_in":
            self._bought(entry, facts, transfer)
        if kind == "correction":
            self._evened(entry, facts, transfer)
        if transfer["key"].startswith("drop_box:"):
            self._moved_of_drop_box(entry, facts, transfer)
        elif kind == "variance" and f"drop_box:{chain}" in (debit, credit):
            raise Difference(f"{safe(entry['subject'])} is of a drop box, and its key says another thing.")
        if f"rake:{chain}" in (debit, credit):
            self.slots.add(chain)
        if transfer["key"].startswith("slip:"):
            self.carried[entry["subject"]] = transfer["key"], facts["denominations"]
        self._count(transfers=1)
        return (), (tuple(transfer[name] for name in ("key", "debit", "credit", "units", "reason")),)

    def _leaves_uneven(self, entry, facts):
        """Note what a correction moves at a table that is closed: the cage has to take or give it next.

        A log from before the cage did so has no `business_date` there. Of a round that was entered from paper when its
        session was closed the variance has to, as it is first settled.
        """
        chain = entry["chain"]
        of_table = [each.status for each in self.sittings.values() if each.chain == chain]
        of_cage = facts["generation"] > 1
        if of_cage and ("business_date" not in facts or of_table != ["closed"]):
            return
        if not of_cage and entry["subject"] not in self.late:
            return
        date = facts["business_date"] if of_cage else self.late[entry["subject"]][0]
        for slot in (f"float:{chain}", f"rake:{chain}"):
            ways = ((each["debit"] == slot) - (each["credit"] == slot) for each in facts["transfers"])
            units = sum(way * each["units"] for way, each in zip(ways, facts["transfers"], strict=True))
            if units:
                self.uneven.setdefault(chain, {})[slot] = entry["subject"], date, units, of_cage

    def _evened(self, entry, facts, transfer):
        """The cage takes or gives what the correction before it moved, on its day; the variance what a round did that
        was entered late, in the names of the two who entered it."""
        ref, chain = safe(entry["subject"]), entry["chain"]
        houses = {"cage:house", "variance:house"}
        slot = transfer["credit"] if transfer["debit"] in houses else transfer["debit"]
        taken = transfer["units"] if transfer["debit"] in houses else -transfer["units"]
        of_cage = "cage:house" in (transfer["debit"], transfer["credit"])
        round_ = transfer["key"].removesuffix(f":correction:{facts['number']}:1")
        if chain not in self.uneven and not self._knows_all():
            return
        wanted = self.uneven.get(chain, {}).pop(slot, None)
        evened = round_, facts["business_date"], taken, of_cage
        _same(f"{ref}, what it evens", evened, wanted, "the correction before it gives")
        if not of_cage:
            _same(f"{ref}, its people", facts["people"], self.late[round_][1], f"{round_} was entered by")
        if not self.uneven[chain]:
            del self.uneven[chain]

    def _bought(self, entry, facts, transfer):
        """Cash goes into the drop box that is mounted, while its session is open."""
        ref, session = safe(entry["subject"]), transfer["key"].removesuffix(f":buy_in:{facts['number']}:1")
        drop_box, sitting = self._drop_box(entry, facts), self.sittings.get(session)
        if not 1 <= len(facts["people"]) == len(set(facts["people"])) <= 2 or facts["box"] < 1:
            raise Difference(f"{ref} is a buy-in at no box, or signed for by whoever made it.")
        if sitting and sitting.status != "open":
            raise Difference(f"{ref} is a buy-in while {sitting.ref} is {sitting.status}.")
        if drop_box:
            if drop_box.status != "mounted" or drop_box.session != session:
                raise Difference(f"{ref} goes into {drop_box.ref}, which is not mounted in its session.")
            drop_box.recorded += transfer["units"]

    def _tipped(self, entry, facts, transfer):
        """A tip is given while its session is open, under a day that is not counted."""
        day = f"tips:{facts['business_date']}"
        sitting = self.sittings.get(transfer["key"].removesuffix(f":tip:{facts['number']}:1"))
        if sitting and sitting.status != "open":
            raise Difference(f"{safe(entry['subject'])} is a tip while {sitting.ref} is {sitting.status}.")
        if day in self.tips_counted:
            raise Difference(f"{safe(entry['subject'])} is a tip after {safe(day)} were counted.")
        self.tips.setdefault(day, Tips(day)).recorded += transfer["units"]

    def _varied_tips(self, entry, facts, transfer):
        """The tips of a day have one variance, once two have signed for a count, on their day."""
        ref = transfer["key"].removesuffix(f":variance:{facts['number']}:1")
        _same(f"{safe(entry['subject'])}, its day", f"tips:{facts['business_date']}", ref, "its tips are")
        tips = self.tips.get(ref)
        if (tips is None and self._knows_all()) or (tips and (tips.agreed is None or tips.varied)):
            raise Difference(f"{safe(ref)} have a variance, and nobody signed for their count, or a second one.")
        if tips:
            tips.varied = transfer["units"] if transfer["debit"] == "tips:house" else -transfer["units"]

    def _tips_counted(self, entry, facts):
        """They are what two people signed for, what was recorded is what the tables entered, and the rest has moved."""
        ref = safe(entry["subject"])
        _same(f"{ref}, their day", f"tips:{facts['date']}", entry["subject"], "their subject is")
        _same(f"{ref}, their units", facts["units"], _worth(facts["chips"]), "their chips give")
        off = facts["units"] - facts["recorded"]
        _same(f"{ref}, their variance", facts["variance"], off, "what was recorded gives")
        self._by_two_people(entry, facts)
        tips = self.tips.pop(entry["subject"], None)
        if entry["subject"] in self.tips_counted or (tips is None and self._knows_all()):
            raise Difference(f"{ref} are counted twice, or none were given.")
        if tips and self._knows_all():
            _same(f"{ref}, what was recorded", facts["recorded"], tips.recorded, "the tables entered")
        if tips:
            if tips.agreed != facts["chips"]:
                raise Difference(f"{ref} are counted with what nobody signed for.")
            self._ended_by(entry, facts, tips)
            _same(f"{ref}, what moved as their variance", tips.varied, off, "they were counted with")
        self.tips_counted.add(entry["subject"])
        return (), ()

    def _drop_box(self, entry, facts):
        """The drop box of an entry; None in a period where it was mounted before."""
        drop_box = self.drop_boxes.get(facts["drop_box"])
        if drop_box is None and (self.claim is None or self.claim.kind != "period"):
            raise Difference(f"{safe(facts['drop_box'])} was not mounted, and {safe(entry['subject'])} follows.")
        if drop_box and drop_box.chain != entry["chain"]:
            raise Difference(f"{drop_box.ref} is at another table than {safe(entry['subject'])}.")
        return drop_box

    def _drop_box_mounted(self, entry, facts):
        ref, session = entry["subject"], self.sittings.get(facts["session"])
        _same(f"{safe(ref)}, its drop box", facts["drop_box"], ref, "its subject is")
        self._by_two_people(entry, facts)
        if session and session.status != "open":
            raise Difference(f"{safe(ref)} is mounted while {session.ref} is {session.status}.")
        if ref in self.drop_boxes or self._hangs(entry["chain"]):
            raise Difference(f"{safe(ref)} is mounted twice, or where another one is.")
        self.drop_boxes[ref] = DropBox(entry, facts)
        return (), ()

    def _drop_box_removed(self, entry, facts):
        _same(f"{safe(entry['subject'])}, its drop box", facts["drop_box"], entry["subject"], "its subject is")
        self._by_two_people(entry, facts)
        drop_box = self._drop_box(entry, facts)
        if drop_box:
            if drop_box.status != "mounted":
                raise Difference(f"{drop_box.ref} is {drop_box.status}, and is taken off.")
            _same(f"{drop_box.ref}, its number", facts["number"], drop_box.number, "it was mounted with")
            drop_box.status = "taken off"
        return (), ()

    def _drop_box_counted(self, entry, facts):
        """Its cash is what two people signed for, what was recorded the sum of its buy-ins, and both have moved."""
        ref = safe(entry["subject"])
        _same(f"{ref}, its drop box", facts["drop_box"], entry["subject"], "its subject is")
        _same(f"{ref}, its units", facts["units"], _worth(facts["cash"]), "its cash gives")
        off = facts["units"] - facts["recorded"]
        _same(f"{ref}, its variance", facts["variance"], off, "what was recorded gives")
        self._by_two_people(entry, facts)
        drop_box = self._drop_box(entry, facts)
        if drop_box:
            if drop_box.status != "taken off" or drop_box.agreed != facts["cash"]:
                raise Difference(f"{drop_box.ref} is {drop_box.status}, or is counted with what nobody signed for.")
            self._ended_by(entry, facts, drop_box)
            _same(f"{drop_box.ref}, what was recorded", facts["recorded"], drop_box.recorded, "its buy-ins give")
            wanted = {kind: units for kind, units in (("variance", off), ("drop", facts["units"])) if units}
            _same(f"{drop_box.ref}, what moved", drop_box.moved, wanted, "it was counted with")
            del self.drop_boxes[drop_box.ref]
        self.drops[entry["chain"]] = entry["subject"], facts
        return (), ()

    def _moved_of_drop_box(self, entry, facts, transfer):
        """The cash of a drop box that was taken off, once, on its day."""
        kind, ref = facts["kind"], transfer["key"].removesuffix(f":{facts['kind']}:{facts['number']}:1")
        drop_box = self._drop_box(entry, {"drop_box": ref})
        if drop_box:
            if drop_box.status != "taken off" or drop_box.agreed is None or kind in drop_box.moved:
                raise Difference(f"{safe(entry['subject'])} moves cash of {drop_box.ref}, which nobody signed for.")
            _same(f"{safe(entry['subject'])}, its day", facts["business_date"], drop_box.date, "its drop box has")
            lacked = kind == "variance" and transfer["debit"] == "variance:house"
            drop_box.moved[kind] = -transfer["units"] if lacked else transfer["units"]

    def _hangs(self, chain):
        """The drop box that is mounted at a table, or None."""
        every = self.drop_boxes.values()
        return next((each for each in every if each.chain == chain and each.status == "mounted"), None)

    def _by_two_people(self, entry, facts):
        if len(set(facts["people"])) != 2:
            raise Difference(f"{safe(entry['subject'])}: its {entry['event']} is one person's alone.")

    def _moved_in_cage(self, entry, facts, transfer):
        """Chips of a shift move while it is open, on its day; a variance when two have signed for a count."""
        kind = facts["kind"]
        shift = self.sittings.get(transfer["key"].removesuffix(f":{kind}:{facts['number']}:1"))
        if shift is None:
            if self._knows_all():
                raise Difference(f"{safe(entry['subject'])} is of a shift of the cage that was not opened.")
            return
        if shift.status == "closed" or facts["business_date"] != shift.date:
            raise Difference(f"{safe(entry['subject'])} moves chips while {shift.ref} is closed, or on another day.")
        if len(set(facts["people"])) != 2:
            raise Difference(f"{safe(entry['subject'])} is moved by one person alone.")
        if kind == "variance":
            if shift.agreed is None or shift.varied:
                raise Difference(f"{shift.ref} has a variance, and nobody signed for its count, or a second one.")
            shift.varied = transfer["units"] if transfer["debit"] == "cage:house" else -transfer["units"]

    def _settled(self, entry, facts):
        ref, generation = entry["subject"], facts["generation"]
        if ref in self.over and ref not in self.rounds:
            raise Difference(f"{safe(ref)} is settled, and it is void or was settled before.")
        played = self.rounds.get(ref)
        if played is None or played.line is None:
            self._headless(ref, entry)
            return (), ()
        where = f"{ref}, generation {generation}"
        game = played.game
        if generation != played.generation + 1:
            raise Difference(f"{where}: it should be {played.generation + 1}.")
        _same(f"{where}, its sheet", facts["sheet"], played.sheet, "it was opened with")
        _same(f"{where}, its line", facts.get("round", played.line), played.line, "was made before")
        read = self._read(played)
        result = plain(game.settle(read))
        _same(f"{where}, its result", facts["result"], result, "the rules give")
        pays = game.pay(read, result, played.stakes, played.rules, played.carry)
        payments = _payments(pays, game.outcomes(read, result))
        _compare(where, "box", facts["payments"], payments)
        slot = self._slot(f"{ref}:{generation}", entry["chain"], facts["transfers"])
        moved = _TRANSFERS[game.bank](f"{ref}:{generation}", entry["chain"], pays, slot)
        back = [_reversal(f"{ref}:{generation}", transfer) for transfer in played.moved]
        transfers = sorted(moved + back, key=lambda transfer: transfer["key"])
        _compare(where, "key", facts["transfers"], transfers)
        played.generation, played.moved = generation, moved
        self._leaves_uneven(entry, facts)
        self.over.add(ref)
        self._forget(played)
        self._count(settlements=1, payments=len(payments), transfers=len(transfers))
        return (
            tuple((ref, generation, *payment.values()) for payment in payments),
            tuple(tuple(transfer.values()) for transfer in transfers),
        )

    def _slot(self, key, chain, transfers):
        """Where the rake of a settlement went: into the table's slot, or the house's rake before there were slots."""
        named = {transfer["debit"] for transfer in transfers if transfer["key"] == f"{key}:rake"}
        if named == {f"rake:{chain}"}:
            self.slots.add(chain)
        return "rake:house" if named == {"rake:house"} and chain not in self.slots else f"rake:{chain}"

    def _headless(self, ref, entry):
        """A settlement whose round did not begin in this export, which happens in a period."""
        if self.claim is None or self.claim.kind != "period":
            raise Difference(f"{safe(ref)} is settled and was never opened and closed.")
        first, last = self.claim.chains.get(entry["chain"], (0, -1))
        if first <= entry["seq"] <= last:
            self._count(headless=1)

    def _raised(self, entry, facts):
        """Of one kind one alarm stands for a subject, beyond its limit; a call is about the table in whose chain it is
        and is for one of the reasons, and what is of the house stands in the house's."""
        ref, about = facts["alarm"], (facts["kind"], facts["of"])
        _same(f"{safe(entry['subject'])}, its alarm", ref, entry["subject"], "its subject is")
        if ref in self.alarms or about in self.alarms.values():
            raise Difference(f"{safe(ref)} is raised while {safe(facts['kind'])} of {safe(facts['of'])} stands.")
        if facts["kind"] in {"call", "settlement_late"}:
            _same(f"{safe(ref)}, what it is of", facts["of"], entry["chain"], "its chain is")
        if facts["kind"] not in _ALARMS:
            raise Difference(f"{safe(ref)} is of a kind that nobody knows.")
        subject, beyond = _ALARMS[facts["kind"]]
        _same(f"{safe(ref)}, what it is of", facts["of"].partition(":")[0], subject, "one of its kind is of")
        of_house = facts["kind"] in _ALARMS_OF_HOUSE
        if of_house != (entry["chain"] == "house"):
            raise Difference(f"{safe(ref)} stands in the chain {safe(entry['chain'])}, where none of its kind stands.")
        if "reason" in facts and (facts["kind"] != "call" or facts["reason"] not in _CALL_REASONS):
            raise Difference(f"{safe(ref)} is raised for {safe(facts['reason'])}, which is no reason of a call.")
        if beyond and not beyond(facts["value"], facts["limit"]):
            raise Difference(f"{safe(ref)} is raised at {safe(facts['value'])}, which its limit lets pass.")
        if facts["kind"] == "round_held" and self._from_first() and facts["of"] not in self.held:
            raise Difference(f"{safe(ref)} says that {safe(facts['of'])} is held, and it is not.")
        self.alarms[ref] = about
        return (), ()

    def _holds(self, entry, facts):
        self.held.add(entry["subject"])
        return (), ()

    def _goes_on(self, entry, facts):
        self.held.discard(entry["subject"])
        return (), ()

    def _signed_on(self, entry, facts):
        """One person deals at a table: whoever comes relieves whoever goes."""
        chain, person = entry["chain"], facts["staff"]
        _same(f"{safe(entry['subject'])}, who is signed on", person, entry["subject"], "its subject is")
        deals = self.dealers.get(chain)
        if deals:
            raise Difference(f"{safe(person)} is signed on at {safe(chain)} while {safe(deals)} deals there.")
        self.dealers[chain] = person
        return (), ()

    def _signed_off(self, entry, facts):
        chain, person = entry["chain"], facts["staff"]
        _same(f"{safe(entry['subject'])}, who is signed off", person, entry["subject"], "its subject is")
        if self.dealers.get(chain, None if self._from_first() else person) != person:
            raise Difference(f"{safe(person)} is signed off at {safe(chain)} and does not deal there.")
        self.dealers[chain] = None
        return (), ()

    def _relief_asked(self, entry, facts):
        ref, chain = facts["relief"], entry["chain"]
        _same(f"{safe(entry['subject'])}, its relief", ref, entry["subject"], "its subject is")
        if chain in self.reliefs:
            raise Difference(f"{safe(ref)} is asked for while {safe(self.reliefs[chain][0])} stands at {safe(chain)}.")
        if self.dealers.get(chain) == facts["staff"]:
            raise Difference(f"{safe(ref)} asks {safe(facts['staff'])}, who deals at {safe(chain)} already.")
        self.reliefs[chain] = ref, facts["staff"]
        return (), ()

    def _relief_over(self, entry, facts):
        """It is over when the one who was asked deals there, or somebody withdraws it."""
        ref, chain, person = facts["relief"], entry["chain"], facts["staff"]
        _same(f"{safe(entry['subject'])}, its relief", ref, entry["subject"], "its subject is")
        asked = self.reliefs.pop(chain, None if self._from_first() else (ref, person))
        _same(f"{safe(ref)}, who was to come", (ref, person), asked, "at its table was asked for")
        if "requester" not in facts and self.dealers.get(chain) != person:
            raise Difference(f"{safe(ref)} is over, and {safe(person)} neither deals there nor was it withdrawn.")
        return (), ()

    def _from_first(self):
        """Whether the export has its tables' chains from their first entries on."""
        return self.claim is None or self.claim.kind != "period"

    def _taken(self, entry, facts):
        ref = self._alarm(entry, facts)
        if ref in self.taken:
            raise Difference(f"{safe(ref)} is taken twice.")
        self.taken.add(ref)
        return (), ()

    def _over(self, entry, facts):
        ref = self._alarm(entry, facts)
        kind, _ = self.alarms.pop(ref, ("", ""))
        if kind == "call" and ref not in self.taken:
            raise Difference(f"{safe(ref)} is over, and nobody had come to the call.")
        self.taken.discard(ref)
        return (), ()

    def _alarm(self, entry, facts):
        """An alarm that stands; in a period it may have been raised before."""
        ref = facts["alarm"]
        _same(f"{safe(entry['subject'])}, its alarm", ref, entry["subject"], "its subject is")
        if ref not in self.alarms and (self.claim is None or self.claim.kind != "period"):
            raise Difference(f"{safe(ref)} does not stand, and its {entry['event']} follows.")
        return ref

    def _set(self, entry, facts):
        """A setting of the house is changed by two people and never for the past; before its moment two withdraw it.

        Others that `setting.changed` tells of - pits, tables, scanners, the log's key - have no moment.
        """
        if "from" not in facts:
            return (), ()
        ref, moment = entry["subject"], (facts["what"], facts["from"])
        _same(f"{safe(ref)}, who asked", facts["requester"], entry["by"], "the entry is by")
        if facts["requester"] == facts["approver"]:
            raise Difference(f"{safe(ref)} is changed by one person.")
        if facts["from"] < self.house_at:
            raise Difference(f"{safe(ref)} is changed from {safe(facts['from'])} on, which was over.")
        if "after" not in facts:
            self._withdrawn(ref, moment, facts["before"])
            return (), ()
        if ref in self.settings or moment in (known[:2] for known in self.settings.values()):
            raise Difference(f"{safe(ref)} is set while {safe(moment[0])} from {safe(moment[1])} on stands.")
        earlier = [known for known in self.settings.values() if known[0] == moment[0] and known[1] < moment[1]]
        if earlier and self._knows_all():
            newest = max(earlier, key=lambda known: known[1])
            _same(f"{safe(ref)}, before it", facts["before"], newest[2], "what was set is")
        self.settings[ref] = (*moment, facts["after"])
        return (), ()

    def _withdrawn(self, ref, moment, value):
        """In a part of the log it may have been set before."""
        if ref in self.settings:
            _same(f"{safe(ref)}, withdrawn", [*moment, value], [*self.settings.pop(ref)], "what was set is")
        elif self._knows_all():
            raise Difference(f"{safe(ref)} is withdrawn and was never set.")

    def _knows_all(self):
        """Whether the export has the house's chain from its beginning on."""
        return self.claim is None or self.claim.kind == "all"

    def _slip_requested(self, entry, facts):
        ref, kind = entry["subject"], facts["kind"]
        numbers = self.numbers.setdefault((kind, facts["year"]), {})
        if ref in self.slips or facts["number"] in numbers:
            raise Difference(f"{safe(ref)} is requested twice, or with a number that was given.")
        numbers[facts["number"]] = entry["at"]
        for name in ("denominations", *(["exchanged"] if kind == "change" else [])):
            _same(f"{safe(ref)}, its units", facts["units"], _worth(facts[name]), f"its {name} give")
        self.slips[ref] = Slip(ref, facts)
        return (), ()

    def _slip_issued(self, entry, facts):
        slip = self._slip(entry, facts, "requested", "issued")
        if slip:
            if facts["issuer"] == slip.requester:
                raise Difference(f"{slip.ref} is issued by whoever asked for it.")
            slip.issuer = facts["issuer"]
            self._slip_moved(slip, facts, {"fill": "fill_issued", "credit": "credit"})
        return (), ()

    def _slip_received(self, entry, facts):
        slip = self._slip(entry, facts, "issued", "received")
        if slip:
            people = [facts["receiver"], facts["witness"]]
            _same(f"{slip.ref}, who received it", people, [by for by, _ in slip.counts], "its counts are of")
            if slip.issuer in people or any(counted != slip.denominations for _, counted in slip.counts):
                raise Difference(f"{slip.ref} is received and was not counted by two others as it was issued.")
            self._slip_moved(slip, facts, {"fill": "fill", "credit": "credit_received"})
        return (), ()

    def _slip_returned(self, entry, facts):
        slip = self._slip(entry, facts, "issued", "returned")
        if slip:
            self._slip_moved(slip, facts, {"fill": "fill_returned", "credit": "credit_returned"})
        return self._by_two(entry, facts)

    def _slip_voided(self, entry, facts):
        self._slip(entry, facts, "requested", "voided")
        return self._by_two(entry, facts)

    def _by_two(self, entry, facts):
        if facts["requester"] == facts["approver"]:
            raise Difference(f"{safe(entry['subject'])} is ended by one person alone.")
        return (), ()

    def _left(self, entry, facts):
        if facts["requester"] == facts["approver"]:
            raise Difference(f"{safe(facts['payment'])}: one person alone says that its patron has left.")
        return (), ()

    def _slip_printed(self, entry, facts):
        slip = self._slip(entry, facts)
        if slip:
            slip.copies += 1
            _same(f"{slip.ref}, its copy", facts["copy"], slip.copies, "it is print")
        return (), ()

    def _slip(self, entry, facts, before=None, after=None):
        """A slip that takes a step; None in a period where it began before."""
        ref = facts["slip"]
        _same(f"{safe(entry['subject'])}, its slip", ref, entry["subject"], "its subject is")
        slip = self.slips.get(ref)
        if slip is None:
            if self.claim is None or self.claim.kind != "period":
                raise Difference(f"{safe(ref)} was not requested, and its {entry['event']} follows.")
            return None
        if before and slip.status != before:
            raise Difference(f"{slip.ref} is {slip.status}, and its {entry['event']} follows.")
        slip.status = after or slip.status
        return slip

    def _slip_moved(self, slip, facts, kinds):
        """The movement of a step, which came right before it, has the chips of the slip."""
        wanted = (f"{slip.ref}:{kinds[slip.kind]}:1:1", slip.denominations) if slip.kind in kinds else None
        logged = self.carried.pop(facts["movement"], ("", {})) if "movement" in facts else None
        _same(f"{slip.ref}, its movement", logged, wanted, "its step takes")

    def _counted(self, entry, facts):
        """Two count, one after the other; another attempt begins when both have."""
        _same(f"{safe(entry['subject'])}, its units", facts["units"], _worth(facts["denominations"]), "its chips give")
        sitting = self._sitting(facts["of"])
        if sitting:
            self._counted_of(sitting, entry["by"], facts)
        slip = self.slips.get(facts["of"])
        if slip:
            if slip.status != "issued" or facts["place"] not in {1, 2}:
                raise Difference(f"{slip.ref} is {slip.status}, and is counted.")
            if facts["place"] == 1:
                slip.counts = []
            if len(slip.counts) != facts["place"] - 1 or entry["by"] in [by for by, _ in slip.counts]:
                raise Difference(f"{slip.ref} is counted by one person alone, or out of order.")
            slip.counts.append((entry["by"], facts["denominations"]))
        return (), ()

    def _sitting(self, ref):
        """A session, a shift, a drop box or tips that are counted; None if the log did not see it begin."""
        return self.sittings.get(ref) or self.drop_boxes.get(ref) or self.tips.get(ref)

    def _counted_of(self, sitting, person, facts):
        """An opener, a closer, the cage, a drop and tips are counted twice at most."""
        parts = {"opening": "opener", "closing": "closer", "counting": "cage", "taken off": "drop", "given": "tips"}
        part = parts.get(sitting.status)
        if facts["part"] not in {part, "rake" if part == "closer" else part}:
            raise Difference(f"{sitting.ref} is {sitting.status}, and its {safe(facts['part'])} is counted.")
        both = len(sitting.counts) == 2
        attempt = sitting.counts[0][2] + both if sitting.counts else sitting.since
        counted = [] if both else sitting.counts
        wanted = [attempt, len(counted) + 1]
        if [facts["attempt"], facts["place"]] != wanted or attempt > sitting.since + 1:
            raise Difference(f"{sitting.ref} is counted out of order, or more than twice.")
        if person in [by for by, *_ in counted]:
            raise Difference(f"{sitting.ref} is counted by one person alone.")
        own = person, facts["denominations"], attempt
        if facts["part"] == "rake":
            sitting.rakes = [*(sitting.rakes if len(counted) else []), own]
            return
        # The rake slot is counted by the same person before, by both or by neither.
        sitting.rakes = [rake for rake in sitting.rakes if rake[2] == attempt]
        if sitting.rakes and [rake[::2] for rake in sitting.rakes] != [each[::2] for each in [*counted, own]]:
            raise Difference(f"{sitting.ref}: its rake slot is not counted with its closer.")
        sitting.counts = [*counted, own]

    def _agreed(self, entry, facts):
        """Two sign for what both counted; where they differed twice, for what one did."""
        _same(f"{safe(entry['subject'])}, its units", facts["units"], _worth(facts["denominations"]), "its chips give")
        if "variance" in facts:
            off = facts["units"] - facts["expected"]
            _same(f"{safe(entry['subject'])}, its variance", facts["variance"], off, "what was expected gives")
        sitting = self._sitting(facts["of"])
        if sitting:
            rake = facts["part"] == "rake"
            chips = [counted for _, counted, _ in (sitting.rakes if rake else sitting.counts)]
            stands = chips.count(facts["denominations"])
            if len(chips) < 2 or not stands or (stands == 1 and facts["attempt"] == sitting.since):
                raise Difference(f"{sitting.ref} is signed for, and two people have not counted that.")
            if stands == 1 and "reason" not in facts:
                raise Difference(f"{sitting.ref} is signed for with one of two counts and without a reason.")
            if len(set(facts["signers"])) != 2:
                raise Difference(f"{sitting.ref} is signed for by one person alone.")
            if {by for by, *_ in sitting.counts} != set(facts["signers"]) and "reason" not in facts:
                raise Difference(f"{sitting.ref} is signed for by others than those who counted, without a reason.")
            sitting.signers = facts["signers"]
            if rake:
                pairs = zip(sitting.counts, sitting.rakes, strict=True)
                if (sitting.agreed, facts["denominations"]) not in [(one[1], two[1]) for one, two in pairs]:
                    raise Difference(f"{sitting.ref} is signed for with one person's closer and another's rake.")
                sitting.rake = facts["denominations"]
            else:
                sitting.agreed = facts["denominations"]
        slip = self.slips.get(facts["of"])
        if slip:
            _same(f"{slip.ref}, who signed", facts["signers"], [by for by, _ in slip.counts], "its counts are of")
        return (), ()

    def _signed_for(self, ref, chips, what="agreed"):
        sitting = self.sittings.get(ref)
        if sitting and getattr(sitting, what) != chips:
            raise Difference(f"{sitting.ref} moves other chips than two people signed for.")

    def _ended_by(self, entry, facts, sitting):
        """It is opened, closed or counted by those who signed for its count."""
        people = facts["people" if "people" in facts else "signers"]
        _same(f"{sitting.ref}, who ends its count", people, sitting.signers, "signed for it did")

    def _session_begun(self, entry, facts):
        ref, chain = entry["subject"], entry["chain"]
        if ref in self.sittings or any(
            sitting.chain == chain and sitting.status != "closed" for sitting in self.sittings.values()
        ):
            raise Difference(f"{safe(ref)} is begun while a session of its table runs.")
        before, closed = self._closing(chain)
        if closed.get("carried", ref) != ref:
            raise Difference(f"{safe(ref)} is begun, and {before} was carried on in {safe(closed['carried'])}.")
        self.sittings = {key: sitting for key, sitting in self.sittings.items() if sitting.chain != chain}
        self.sittings[ref] = Sitting(ref, chain)
        self._works(entry, ref)
        return (), ()

    def _works(self, entry, session, *people):
        """What is known about a session: its chain, and those who signed for it or dealt there."""
        self.worked.setdefault(session, (entry["chain"], set()))[1].update(people)

    def _session_goes(self, entry, before, after):
        """A session that takes a step; None if the log did not see it begin."""
        sitting = self.sittings.get(entry["subject"])
        if sitting:
            if sitting.status != before:
                raise Difference(f"{sitting.ref} is {sitting.status}, and its {entry['event']} follows.")
            sitting.status = after
        return sitting

    def _session_opened(self, entry, facts):
        sitting = self._session_goes(entry, "opening", "open")
        if sitting:
            sitting.opened_at = entry.get("at", "")
        if "carried" in facts:
            self._carried_on(entry, facts, sitting)
        elif entry["subject"] == self._closing(entry["chain"])[1].get("carried"):
            raise Difference(f"{safe(entry['subject'])} is opened anew, and the one before it was carried on in it.")
        self._signed_for(entry["subject"], facts["denominations"])
        if sitting:
            self._ended_by(entry, facts, sitting)
        self._works(entry, entry["subject"], *facts.get("signers", ()))
        return (), ()

    def _carried_on(self, entry, facts, sitting):
        """What is carried on opens uncounted, with what closed the session before it and by the same two people."""
        ref, (before, closed) = entry["subject"], self._closing(entry["chain"])
        if before is None and not self._knows_all():
            closed = facts | {"carried": ref}
        elif facts["carried"] != before:
            was = safe(facts["carried"])
            raise Difference(f"{safe(ref)} is carried on from {was}, which was not closed before it.")
        if closed.get("carried") != ref or (sitting and sitting.counts):
            raise Difference(f"{safe(ref)} is carried on, and is counted, or {safe(before)} does not say so.")
        for name in ("denominations", "signers"):
            _same(f"{safe(ref)}, its {name}", facts[name], closed[name], f"{safe(before)} was closed with")
        if sitting:
            sitting.agreed, sitting.signers = facts["denominations"], facts["signers"]

    def _closing(self, chain):
        return self.closings.get(chain, (None, {}))

    def _session_stopped(self, entry, facts):
        sitting = self._session_goes(entry, "open", "closing")
        if sitting:
            sitting.stopped_at = entry.get("at", "")
            sitting.since, sitting.counts, sitting.agreed = facts["attempt"], [], None
            sitting.rakes, sitting.rake = [], None
        return (), ()

    def _session_resumed(self, entry, facts):
        self._session_goes(entry, "closing", "open")
        return self._by_two(entry, facts)

    def _session_closed(self, entry, facts):
        sitting = self._session_goes(entry, "closing", "closed")
        if sitting:
            self._signed_for(entry["subject"], facts["denominations"])
            self._ended_by(entry, facts, sitting)
            if sitting.rakes and sitting.rake is None:
                raise Difference(f"{sitting.ref} is closed, and nobody signed for its rake.")
            sitting.date = facts["business_date"]
            self.past[sitting.ref] = sitting
        self.closings[entry["chain"]] = entry["subject"], facts
        self._works(entry, entry["subject"], *facts.get("signers", ()))
        if hangs := self._hangs(entry["chain"]):
            raise Difference(f"{safe(entry['subject'])} is closed while {hangs.ref} is mounted.")
        for slip in self.slips.values():
            waits = slip.status == "requested" or (slip.status == "issued" and slip.kind != "credit")
            if slip.session == entry["subject"] and waits:
                raise Difference(f"{safe(entry['subject'])} is closed while {slip.ref} is {slip.status}.")
        return (), ()

    def _case_opened(self, entry, facts):
        """A case is about the closing, the count of a drop, or the dispute before it in its chain, or what a person
        asked about, with its own number and time to come."""
        ref, numbers = facts["case"], self.numbers.setdefault((f"case of a {facts['kind']}", facts["year"]), {})
        _same(f"{safe(entry['subject'])}, its case", ref, entry["subject"], "its subject is")
        if ref in self.cases or facts["number"] in numbers:
            raise Difference(f"{safe(ref)} is opened twice, or with a number that was given.")
        if facts["due"] <= entry["at"]:
            raise Difference(f"{safe(ref)} is due before it was opened.")
        numbers[facts["number"]] = entry["at"]
        self.all_cases.add(ref)
        if facts["kind"] in {"void", "investigation"}:
            return self._case_asked(entry, facts)
        if "question" in facts:
            raise Difference(f"{safe(ref)} asks something, and nobody opens a case of this kind.")
        if facts["kind"] == "dispute":
            last, by = self.contested.get(entry["chain"], (None, None))
            if last or self._knows_all():
                _same(f"{safe(ref)}, what it is of", facts["of"], last, "the dispute raised last there is")
            self.of_disputes[ref], self.cases[ref] = facts["of"], frozenset(filter(None, (by,)))
            return (), ()
        of_drop = facts["kind"] == "drop_variance"
        last, said = (self.drops if of_drop else self.closings).get(entry["chain"], (None, {}))
        if said or self._knows_all():
            what = "was counted last there" if of_drop else "the table closed last with"
            _same(f"{safe(ref)}, what it is of", facts["of"], last, what)
        if said and (of_drop or entry["chain"] not in self.slots):
            what = "the count has" if of_drop else "the closing has"
            _same(f"{safe(ref)}, its units", facts["units"], said["variance"], what)
        self.cases[ref] = frozenset(said.get("people" if of_drop else "signers", ()))
        return (), ()

    def _case_asked(self, entry, facts):
        """What a person asked about was voided, or is a session, in this chain and not asked about before. They own the
        case, and the hash of what they asked stands there; it has no units."""
        ref, about = facts["case"], (facts["kind"], facts["of"])
        if about in self.asked:
            raise Difference(f"{safe(ref)} is about {safe(facts['of'])}, of which there is a case of its kind.")
        if "units" in facts or not _DIGEST.fullmatch(str(facts.get("question"))):
            raise Difference(f"{safe(ref)} has units, or no hash of what is to be found out.")
        _same(f"{safe(ref)}, its owner", facts["owner"], entry["by"], "it was opened by")
        known = (self.voids if facts["kind"] == "void" else self.worked).get(facts["of"])
        is_other = facts["kind"] == "void" and facts["of"] in self.rounds
        if known is None and (self._knows_all() or is_other):
            what = "a round that was voided" if facts["kind"] == "void" else "a session"
            raise Difference(f"{safe(ref)} is about {safe(facts['of'])}, which is not {what}.")
        chain, people = known or (entry["chain"], frozenset())
        _same(f"{safe(ref)}, its chain", entry["chain"], chain, f"{safe(facts['of'])} is of")
        self.asked.add(about)
        self.cases[ref] = people if facts["kind"] == "void" else frozenset()
        if facts["kind"] == "investigation":
            self.investigated[ref] = facts["of"]
        return (), ()

    def _case_moved(self, entry, facts):
        self._case(entry, facts)
        return (), ()

    def _contested(self, entry, facts):
        """A dispute names itself; an irregularity reported at the table has no case."""
        if "dispute" in facts:
            self.contested[entry["chain"]] = facts["dispute"], entry["by"]
        return (), ()

    def _ruled(self, entry, facts):
        self.rulings[entry["chain"]] = facts
        return (), ()

    def _dispute_decided(self, entry, facts, raisers):
        """The case of a dispute is decided by the ruling before it: whoever raised it neither rules alone nor approves.

        That a refusal takes two is a setting of the house, and stands in another chain.
        """
        ref, people, ruling = facts["case"], {facts["requester"], facts.get("approver")}, {}
        if self.rulings.get(entry["chain"]) or self._knows_all():
            ruling = self.rulings.pop(entry["chain"], {})
            wanted = {name: ruling.get(name) for name in ("ruling", "requester", "approver")}
            said = {"ruling": facts["outcome"], "requester": facts["requester"], "approver": facts.get("approver")}
            _same(f"{safe(ref)}, its decision", said, wanted, "the ruling before it is")
            _same(
                f"{safe(ref)}, its dispute", self.of_disputes.get(ref, ruling["dispute"]), ruling["dispute"], "it was"
            )
        alone = None in people and (facts["requester"] in raisers or "line" in ruling)
        if facts["requester"] != entry["by"] or len(people) == 1 or facts.get("approver") in raisers or alone:
            raise Difference(f"{safe(ref)} is decided without a second person who did not raise the dispute.")

    def _case_decided(self, entry, facts):
        signers = self._case(entry, facts)
        if facts["case"] in self.of_disputes or facts["outcome"] in {"upheld", "refused"}:
            self._dispute_decided(entry, facts, signers)
            self.cases.pop(facts["case"], None)
            self.of_disputes.pop(facts["case"], None)
            return (), ()
        # Of a session that goes on, whoever signed or dealt until now.
        signers = signers | self.worked.get(self.investigated.pop(facts["case"], None), ("", set()))[1]
        people = facts["requester"], facts["approver"]
        if people[0] != entry["by"] or people[0] == people[1] or people[1] in signers:
            raise Difference(f"{safe(facts['case'])} is decided without a second person who did not sign the closing.")
        self.cases.pop(facts["case"], None)
        return (), ()

    def _case_filed(self, entry, facts):
        """The file of a case, decided or not, has its digest here: a printed one is held against that."""
        if not _DIGEST.fullmatch(str(facts["digest"])):
            raise Difference(f"{safe(entry['subject'])} has a digest that is no SHA-256.")
        if facts["case"] not in self.all_cases and self._knows_all():
            raise Difference(f"{safe(entry['subject'])} is of {safe(facts['case'])}, which was not opened.")
        self._rests(safe(entry["subject"]), facts)
        made = {entry["subject"], (facts["case"], facts["digest"])}
        if made & self.filed:
            raise Difference(f"{safe(entry['subject'])} is filed twice, or with bytes that its case has a file of.")
        self.filed |= made
        return (), ()

    def _report_made(self, entry, facts):
        """The file of a report that is final has its digest here: a copy is held against that."""
        name = f"The report {safe(facts['what'])} of {safe(facts['period'])}"
        if not _DIGEST.fullmatch(str(facts["digest"])):
            raise Difference(f"{name} has a digest that is no SHA-256.")
        if facts["grade"] != "FINAL":
            raise Difference(f"{name} was given as a file, and is {safe(facts['grade'])}.")
        self._rests(name, facts)
        form, file = facts.get("form", "csv"), facts.get("file", facts["digest"])
        if form not in ("csv", "xlsx", "pdf") or not _DIGEST.fullmatch(str(file)):
            raise Difference(f"{name} is a file of no form, or of no SHA-256.")
        if form == "csv" and file != facts["digest"]:
            raise Difference(f"{name} is its CSV, and that has another SHA-256.")
        made = facts["what"], facts["period"], facts.get("edition", 1)
        if self.reports.setdefault(made, facts["digest"]) != facts["digest"]:
            raise Difference(f"{name} had other bytes before: a day that was closed has changed.")
        return (), ()

    def _reports_pruned(self, entry, facts):
        """Two people give up old files of reports."""
        self._of_two("The pruning of reports", entry, facts)
        if type(facts["number"]) is not int or facts["number"] < 1 or facts["newest"] >= entry["at"]:
            raise Difference("Files of reports are pruned, and there were none so old.")
        return (), ()

    def _report_token_given(self, entry, facts):
        """Two people give a program a token, of a name that no other had."""
        name = f"The token {safe(facts['name'])}"
        self._of_two(name, entry, facts)
        if facts["name"] in self.tokens:
            raise Difference(f"{name} is given twice.")
        self.tokens[facts["name"]] = entry["subject"]
        return (), ()

    def _report_token_ended(self, entry, facts):
        """Two people end it, once."""
        name = f"The token {safe(facts['name'])}"
        self._of_two(name, entry, facts)
        given = self.tokens.get(facts["name"])
        if given != entry["subject"] and (given is not None or self._knows_all()):
            raise Difference(f"{name} ends, and is not given or has ended.")
        self.tokens[facts["name"]] = ""
        return (), ()

    def _of_two(self, name, entry, facts):
        if facts["requester"] != entry["by"] or facts["requester"] == facts["approver"]:
            raise Difference(f"{name} is of one person, or of somebody else than who asked.")

    def _visit_made(self, entry, facts):
        """An auditor saw a checkpoint, and with each visit more of the log than with the one before."""
        name, before = f"The visit of {safe(entry['by'])}", self.visits.get(entry["by"], 0)
        if facts["checkpoint"] is None or not _DIGEST.fullmatch(str(facts["root"])):
            raise Difference(f"{name} saw no checkpoint, or one whose root is no SHA-256.")
        self._rests(name, facts)
        if facts["checkpoint"] <= before:
            raise Difference(f"{name} saw {safe(facts['checkpoint'])} entries, and the one before it {before:,}.")
        self.visits[entry["by"]] = facts["checkpoint"]
        self.numbers.setdefault(DESK, {})[entry["seq"]] = facts
        return (), ()

    def _sample_drawn(self, entry, facts):
        """The seed names a checkpoint and the number of the sample, which is the next since the auditor's last visit;
        the rounds stand in the order in which it draws them."""
        name, since = f"The sample of {safe(entry['by'])}", facts["since"]
        self._rests(name, facts)
        size, _, rest = str(facts["seed"]).partition("/")[2].partition("/")
        root, _, number = rest.partition("/")
        if (size, number) != (str(facts["checkpoint"]), str(facts["number"])) or not _DIGEST.fullmatch(root):
            raise Difference(f"{name} has a seed that is not of its checkpoint and number: {safe(facts['seed'])}.")
        if entry["by"] in self.visits:
            _same(f"{name}, since when", since, self.visits[entry["by"]], "the visit before it saw")
        if facts["number"] != self.samples.get((entry["by"], since), 0) + 1 and self._knows_all():
            raise Difference(f"{name} has the number {safe(facts['number'])}: it is not the next.")
        self.samples[entry["by"], since] = facts["number"]
        _same(f"{name}, its order", facts["rounds"], _by_seed(facts["seed"], set(facts["rounds"])), "its seed gives")
        _same(f"{name}, its size", len(facts["rounds"]), min(SAMPLE, facts["of"]), "it is")
        self.numbers.setdefault(DESK, {})[entry["seq"]] = facts
        return (), ()

    def _question_asked(self, entry, facts):
        """A question is asked once, about something of its chain, and due later; one that follows another is about the
        same, and that one is answered, not settled and not asked again yet."""
        ref, name = facts["question"], f"The {safe(facts['question'])}"
        _same(f"{name}, its question", ref, entry["subject"], "its subject is")
        if ref in self.questions:
            raise Difference(f"{name} is asked twice.")
        if facts["due"] <= entry["at"]:
            raise Difference(f"{name} is due before it was asked.")
        if not _DIGEST.fullmatch(str(facts["words"])):
            raise Difference(f"{name} is in words that have no SHA-256.")
        if "follows" in facts:
            before = self.questions.get(facts["follows"])
            if (before is None and self._knows_all()) or (before and before["step"] != "answered"):
                raise Difference(f"{name} follows {safe(facts['follows'])}, which waits for nothing from an auditor.")
            if before:
                _same(f"{name}, what it is about", facts["of"], before["of"], "the question before it is about")
                _same(f"{name}, its chain", entry["chain"], before["chain"], "the question before it is of")
                before["step"] = "asked again"
        known = {"of": facts["of"], "chain": entry["chain"], "asked": entry["by"], "answered": None, "step": "asked"}
        self.questions[ref] = known
        return (), ()

    def _question_answered(self, entry, facts):
        """Somebody else than who asked answers, once."""
        name, known = self._question_of(entry, facts, "asked", "answered")
        if not _DIGEST.fullmatch(str(facts["answer"])):
            raise Difference(f"{name} has an answer without a SHA-256.")
        if entry["by"] == known["asked"]:
            raise Difference(f"{name} is answered by {safe(entry['by'])}, who asked it.")
        known["answered"] = entry["by"]
        return (), ()

    def _question_settled(self, entry, facts):
        """Somebody else than who answered accepts the answer."""
        name, known = self._question_of(entry, facts, "answered", "settled")
        if entry["by"] == known["answered"]:
            raise Difference(f"{name} is settled by {safe(entry['by'])}, who answered it.")
        return (), ()

    def _question_of(self, entry, facts, before, after):
        """A question takes its next step, in its own chain; one from before a part of the log is taken as it comes."""
        ref, name = facts["question"], f"The {safe(facts['question'])}"
        _same(f"{name}, its question", ref, entry["subject"], "its subject is")
        if ref not in self.questions and not self._knows_all():
            self.questions[ref] = {"of": None, "chain": entry["chain"], "asked": None, "answered": None, "step": before}
        known = self.questions.get(ref, {"step": "not asked", "chain": entry["chain"]})
        if known["step"] != before:
            raise Difference(f"{name} is {after}, and was {known['step']}.")
        _same(f"{name}, its chain", entry["chain"], known["chain"], "it was asked in")
        known["step"] = after
        return name, known

    def _rests(self, name, facts):
        """What a file rests on is a checkpoint that there is."""
        size = facts.get("checkpoint")
        if size is not None and (type(size) is not int or size < 1 or (self.claim and size > self.claim.size)):
            raise Difference(f"{name} rests on a checkpoint of {safe(size)} entries, and has none.")

    def _case(self, entry, facts):
        """Who signed what a case that waits is about; in a part of the log it may have been opened before."""
        ref = facts["case"]
        _same(f"{safe(entry['subject'])}, its case", ref, entry["subject"], "its subject is")
        if ref not in self.cases and self._knows_all():
            raise Difference(f"{safe(ref)} does not wait, and its {entry['event']} follows.")
        return self.cases.get(ref, frozenset())

    def _cage_opened(self, entry, facts):
        ref = entry["subject"]
        shifts = {key: each for key, each in self.sittings.items() if each.chain == "house"}
        if ref in shifts or any(each.status != "closed" for each in shifts.values()):
            raise Difference(f"{safe(ref)} is opened while a shift of the cage is open.")
        last = next(iter(shifts), None)
        if last:
            _same(f"{safe(ref)}, the shift before it", facts.get("after"), last, "the log has")
        self.sittings = {key: each for key, each in self.sittings.items() if each.chain != "house"}
        self.sittings[ref] = Shift(ref, facts["business_date"])
        return (), ()

    def _cage_shift(self, entry):
        """A shift that is open; None if the log did not see it begin."""
        shift = self.sittings.get(entry["subject"])
        if shift is None and self._knows_all():
            raise Difference(f"{safe(entry['subject'])} was not opened, and its {entry['event']} follows.")
        if shift and shift.status == "closed":
            raise Difference(f"{shift.ref} is closed, and its {entry['event']} follows.")
        return shift

    def _cage_count_begun(self, entry, facts):
        """Counting begins anew when chips of the cage moved: that they did is in other chains, too."""
        shift = self._cage_shift(entry)
        if shift:
            following = 1 + (shift.counts[0][2] if shift.counts else 0)
            _same(f"{shift.ref}, the attempt that begins", facts["attempt"], following, "the next one is")
            shift.status, shift.since, shift.agreed = "counting", facts["attempt"], None
            shift.counts, shift.expected = [], facts["expected"]
        return (), ()

    def _cage_closed(self, entry, facts):
        shift = self._cage_shift(entry)
        if shift:
            if shift.status != "counting":
                raise Difference(f"{shift.ref} is closed, and nobody counted the cage.")
            self._signed_for(shift.ref, facts["denominations"])
            self._ended_by(entry, facts, shift)
            _same(f"{shift.ref}, its day", facts["business_date"], shift.date, "it was opened on")
            _same(f"{shift.ref}, what was expected", facts["expected"], shift.expected, "its count began with")
            off = _worth(facts["denominations"]) - facts["expected"]
            _same(f"{shift.ref}, its variance", facts["variance"], off, "what was expected gives")
            _same(f"{shift.ref}, what moved as its variance", shift.varied, off, "it is closed with")
            shift.status = "closed"
        return (), ()

    _OF_PEOPLE = (_signed_on, _signed_off, _relief_asked, _relief_over)
    _OF_NO_ROUND = (
        _raised, _taken, _over, _set, _slip_requested, _slip_issued, _slip_received, _slip_returned, _slip_voided,
        _slip_printed, _counted, _agreed, _session_begun, _session_opened, _session_stopped, _session_resumed,
        _session_closed, _left, _case_opened, _case_moved, _case_decided, _case_filed, _cage_opened,
        _cage_count_begun, _cage_closed, _report_made, _reports_pruned, _report_token_given, _report_token_ended,
        _visit_made, _sample_drawn, _question_asked, _question_answered, _question_settled,
        _contested, _ruled, _drop_box_mounted, _drop_box_removed, _drop_box_counted, _tips_counted, _holds, _goes_on,
        _drafted, _sheet_set, _sheet_withdrawn, *_OF_PEOPLE,
    )  # fmt: skip
    _TAKES = {  # noqa: RUF012 - a table of its own methods
        "sheet.drafted": _drafted,
        "sheet.published": _published,
        "table.sheet_set": _sheet_set,
        "table.sheet_withdrawn": _sheet_withdrawn,
        "series.opened": _series_opened,
        "series.closed": _series_closed,
        "round.opened": _opened,
        "round.acted": _acted,
        "round.closed": _closed,
        "round.held": _holds,
        "round.released": _goes_on,
        "round.voided": _voided,
        "round.corrected": _corrected,
        "round.settled": _settled,
        "payment.left": _left,
        "movement.made": _moved,
        "alarm.raised": _raised,
        "alarm.taken": _taken,
        "alarm.over": _over,
        "dispute.raised": _contested,
        "dispute.ruled": _ruled,
        "case.opened": _case_opened,
        "case.moved": _case_moved,
        "case.decided": _case_decided,
        "case.filed": _case_filed,
        "report.made": _report_made,
        "report.pruned": _reports_pruned,
        "report_token.given": _report_token_given,
        "report_token.ended": _report_token_ended,
        "visit.made": _visit_made,
        "sample.drawn": _sample_drawn,
        "question.asked": _question_asked,
        "question.answered": _question_answered,
        "question.settled": _question_settled,
        "setting.changed": _set,
        "staff.signed_on": _signed_on,
        "staff.signed_off": _signed_off,
        "relief.asked": _relief_asked,
        "relief.over": _relief_over,
        "drop_box.mounted": _drop_box_mounted,
        "drop_box.removed": _drop_box_removed,
        "drop_box.counted": _drop_box_counted,
        "tips.counted": _tips_counted,
        "slip.requested": _slip_requested,
        "slip.issued": _slip_issued,
        "slip.received": _slip_received,
        "slip.returned": _slip_returned,
        "slip.voided": _slip_voided,
        "slip.printed": _slip_printed,
        "count.entered": _counted,
        "count.agreed": _agreed,
        "session.begun": _session_begun,
        "session.opened": _session_opened,
        "session.stopped": _session_stopped,
        "session.resumed": _session_resumed,
        "session.closed": _session_closed,
        "cage.opened": _cage_opened,
        "cage.count_begun": _cage_count_begun,
        "cage.closed": _cage_closed,
    }


def plain(value):
    """As the log has it: lists for tuples, texts for keys."""
    return json.loads(encode(value))


def _changes_a_payment(rules, ante):
    """Whether maximum payment or smallest chip change what a sheet of Split Poker pays at an ANTE (split.23, split.24).

    Rules that are not a sheet of the game are noticed when a round is settled by them.

    >>> rules = {"limits": {"chip": 10}, "coefficients": {"flush": "5:1", "straight": "15:4"}}
    >>> _changes_a_payment(rules, 20), _changes_a_payment(rules, 10)
    (False, True)
    """
    limits, coefficients = rules.get("limits", {}), rules.get("coefficients", {})
    chip, cap = limits.get("chip") or 1, limits.get("max_payment")
    on_ante = rules.get("parameters", {}).get("small_hand_loss_pays") == "coefficient"
    if type(chip) is not int or not (cap is None or type(cap) is int):
        return False
    if cap is not None and ante > cap:
        return True
    for ratio in coefficients.values():
        if type(ratio) is not str or not _RATIO.fullmatch(ratio):
            return False
        numerator, denominator = map(int, ratio.split(":"))
        for stake in (2 * ante, ante) if on_ante else (2 * ante,):
            if stake * numerator % (denominator * chip) or (cap is not None and stake * numerator > cap * denominator):
                return True
    return False


def _worth(chips):
    return sum(int(value) * number for value, number in chips.items())


def _within(first, second):
    """Whether one moment is at most a minute before another.

    >>> _within("2026-11-20T22:53:01.123456Z", "2026-11-20T22:54:01.000000Z")
    True
    """
    earlier, later = (dt.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (first, second))
    return later - earlier <= dt.timedelta(minutes=1)


def _same(what, logged, wanted, source):
    if logged != wanted:
        raise Difference(f"{what}: the log says {safe(encode(logged))}, {source} {safe(encode(wanted))}.")


def _compare(where, name, logged, wanted):
    """Rows by the key `name`, one by one, so that the first that differs is named."""
    for row, right in zip(logged, wanted, strict=False):
        if row != right:
            said = {field: value for field, value in row.items() if right.get(field) != value}
            given = {field: value for field, value in right.items() if row.get(field) != value}
            which = f"{'box' if name == 'box' else 'transfer'} {safe(right[name])}"
            raise Difference(f"{where}, {which}: the log says {safe(encode(said))}, the rules {safe(encode(given))}.")
    if len(logged) != len(wanted):
        what = "payments" if name == "box" else "transfers"
        raise Difference(f"{where}: the log has {len(logged)} {what}, the rules give {len(wanted)}.")


def _payments(pays, outcomes):
    staked, returned, paid = Counter(), Counter(), Counter()
    for pay in pays:
        staked[pay.box] += pay.stake_units
        returned[pay.box] += pay.returned_units
        paid[pay.box] += pay.paid_units
    return [
        {
            "box": box,
            "outcome": outcome,
            "staked": staked[box],
            "returned": returned[box],
            "paid": paid[box],
            "net": returned[box] + paid[box] - staked[box],
        }
        for box, outcome, _ in outcomes
    ]


def _transfer(key, what, debit, credit, units, reason):
    """`debit` receives and `credit` gives."""
    return {"key": f"{key}:{what}", "debit": debit, "credit": credit, "units": units, "reason": reason}


def _against_the_house(key, table, pays, slot):
    """What each wager gained or lost, between the table's float and its patrons; no rake."""
    patrons, bank = f"patrons:{table}", f"float:{table}"
    moved = []
    for pay in pays:
        gain = pay.returned_units + pay.paid_units - pay.stake_units
        if gain > 0:
            moved.append(_transfer(key, pay.ordinal, patrons, bank, gain, "wager"))
        elif gain < 0:
            moved.append(_transfer(key, pay.ordinal, bank, patrons, -gain, "wager"))
    return moved


def _through_the_pot(key, table, pays, slot):
    """Every stake into the pot, each box's share out of it, and the rest is the rake, which goes to `slot`."""
    patrons, pot = f"patrons:{table}", f"pot:{table}"
    rake = sum(pay.stake_units for pay in pays)
    moved = [
        _transfer(key, pay.ordinal, pot, patrons, pay.stake_units, "points" if pay.kind == "points" else "stake_in")
        for pay in pays
        if pay.stake_units
    ]
    for box in sorted({pay.box for pay in pays}):
        units = sum(pay.returned_units + pay.paid_units for pay in pays if pay.box == box)
        rake -= units
        if units:
            moved.append(_transfer(key, f"share:{box}", patrons, pot, units, "share"))
    return [*moved, _transfer(key, "rake", slot, pot, rake, "rake")] if rake else moved


_TRANSFERS = {"house": _against_the_house, "pot": _through_the_pot}


def _reversal(key, transfer):
    return _transfer(key, f"r:{transfer['key']}", transfer["credit"], transfer["debit"], transfer["units"], "reversal")


class Core(NamedTuple):
    """What is used of the project: its games and the values that cross their protocol."""

    GAMES: dict
    Action: type
    Wager: type
    Fault: type
    Refusal: type


def load_core(project):
    """Import `casino/games` out of a copy of the project, and nothing else of it.

    :raises Malformed: if there is none, or it can't be imported.
    """
    folder = Path(project).resolve()
    if not (folder / "casino" / "games" / "registry.py").is_file():
        raise Malformed(f"{safe(project)} has no casino/games: --resettle takes the folder of a copy of the project.")
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    try:
        registry = importlib.import_module("casino.games.registry")
        game = importlib.import_module("casino.games.game")
    except Exception as error:
        raise Malformed(f"casino/games of {safe(project)} can't be imported: {safe(error)}.") from None
    finally:
        sys.path.remove(str(folder))
    if not Path(registry.__file__).resolve().is_relative_to(folder):
        raise Malformed(f"casino/games was imported from elsewhere before, not from {safe(project)}.")
    return Core(registry.GAMES, game.Action, game.Wager, game.Fault, game.Refusal)


class Share(NamedTuple):
    """The chains that one process settles again."""

    path: str
    project: str
    chains: frozenset
    sheets: tuple
    claim: Claim
    again: frozenset
    bad: frozenset


_MONEY = re.compile(
    rb'\{"at":"[^"]*","by":"[^"]*","chain":"([^"]*)","event":"(?:'
    + b"|".join(re.escape(event.encode()) for event in Resettling._TAKES)
    + rb')"'
)


def resettle_share(share):
    """Settle again what stands in some chains, in the order of the leaves.

    :returns: `Counts`, the first difference or None, and the numbers of slips and cases that were taken.
    """
    resettling = Resettling(load_core(share.project), share.sheets, claim=share.claim, again=share.again, bad=share.bad)
    chains = {chain.encode() for chain in share.chains}
    with opened(share.path) as file:
        for number, line in enumerate(file, 1):
            head = _MONEY.match(line)
            if head and head[1] in chains and number not in share.bad:
                try:
                    resettling.take(json.loads(line))
                except Difference as error:
                    return resettling.counts, (number, f"entries.jsonl line {number}: {error}"), {}
    try:
        return resettling.finish(), None, resettling.numbers
    except Difference as error:
        return resettling.counts, (LARGEST, str(error)), {}


def resettle(folder, project, verified, crew, report):
    """Settle every round again."""
    load_core(project)
    sheets = tuple(_texts(folder))
    shares = [set() for _ in range(crew.jobs)]
    for place, (chain, _) in enumerate(sorted(verified.entries.chains.items(), key=lambda item: -item[1].seq)):
        shares[place % crew.jobs].add(chain)
    again, path = frozenset(verified.entries.again), str(folder / "entries.jsonl")
    bad = frozenset(verified.entries.bad)
    asked = [
        crew.do(resettle_share, Share(path, str(project), frozenset(chains), sheets, verified.claim, again, bad))
        for chains in shares
        if chains
    ]
    counts, faults, taken = Counts(), [], {}
    for done in asked:
        counted, fault, numbers = done.result()
        counts = counts.plus(counted)
        if fault:
            faults.append(fault)
        for kind, ats in numbers.items():
            taken.setdefault(kind, []).extend((number, at) for number, at in ats.items())
    desk = [facts for _, facts in sorted(taken.pop(DESK, ()), key=lambda each: each[0])]
    if verified.claim.kind == "all" and not faults:
        faults += [(LARGEST, fault) for fault in wrong_at_desk(folder, desk, bad)]
    papers = sorted(slip for _, slip in taken.pop(PAPERS, ()))
    gaps = [gap for kind in sorted(taken) for gap in gaps_of(kind, taken[kind], verified.claim)]
    gaps += [
        f"The paper {safe(slip)} was entered twice." for slip, next_ in itertools.pairwise(papers) if slip == next_
    ]
    if gaps and not faults:
        faults.append((LARGEST, gaps[0]))
    if faults:
        report.tamper(min(faults)[1])
    report.look(
        "payments",
        f"{plural(counts.settlements, 'settlement')} worked out again: {plural(counts.payments, 'payment')},"
        f" {plural(counts.transfers, 'transfer')}, {'a difference' if faults else '0 differences'}",
    )
    partly = []
    if counts.unsettled:
        partly.append(f"{plural(counts.unsettled, 'round')} closed and not settled yet")
    if counts.headless:
        partly.append(f"{plural(counts.headless, 'settlement')} whose round begins before this export")
    if counts.trusted:
        partly.append(f"{plural(counts.trusted, 'round')} of a series that began before it, its carry taken as told")
    if partly:
        report.miss("rounds", "; ".join(partly))


_SETTLED = re.compile(
    rb'\{"at":"[^"]*","by":"[^"]*","chain":"[^"]*","event":"round\.settled","facts":\{"generation":1[,}]'
    rb'.*"subject":"(round:[0-9]+)","terminal":[^{}]*\}$'
)


def wrong_at_desk(folder, desk, bad):
    """What is wrong with what auditors recorded, as sentences: the root of a checkpoint that a visit saw or a seed
    names, and the rounds that a seed draws, by all that the log holds.

    :param desk: the facts of visits and samples.
    """
    roots = {note.size: note.root.hex() for note in read_notes(folder / "checkpoints")} if desk else {}
    for facts in desk:
        root = facts.get("root") or facts["seed"].split("/")[2]
        if roots.get(facts["checkpoint"], root) != root:
            yield f"An auditor's checkpoint of {facts['checkpoint']:,} entries has another root than was signed."
    samples = [facts for facts in desk if "seed" in facts]
    drawn, settled = [[] for _ in samples], [0] * len(samples)
    if samples:
        with opened(folder / "entries.jsonl") as file:
            for index, line in enumerate(file):
                head = _SETTLED.match(line.rstrip(b"\n"))
                if head is None or index + 1 in bad:
                    continue
                for place, facts in enumerate(samples):
                    if facts["since"] <= index < facts["checkpoint"]:
                        settled[place] += 1
                        drawn[place] = _by_seed(facts["seed"], [*drawn[place], head[1].decode()])
    for place, facts in enumerate(samples):
        if (settled[place], drawn[place]) != (facts["of"], facts["rounds"]):
            yield f"The sample {safe(facts['seed'])} is not what its seed draws."


def gaps_of(kind, taken, claim):
    """What is wrong with the numbers of a kind of slip or case in a year, as sentences.

    Tables have chains of their own, sealed one after the other: the very last numbers may lack one before them. Of one
    table alone the numbers have gaps, for all tables count together; a period's begin with any, and an entry that lies
    beside it shows nothing of those between.

    :param taken: number and when it was taken, of all chains.
    """
    if claim.kind == "table":
        return
    if claim.kind == "period":
        taken = [(number, at) for number, at in taken if claim.begins <= at < claim.ends]
    ordered = [(0, "")] * (claim.kind == "all") + sorted(taken)
    for (number, _), (following, at) in itertools.pairwise(ordered):
        if following == number:
            yield f"The {kind[0]} {number} of {kind[1]} is there twice."
        elif following != number + 1 and at < ordered[-1][1]:
            yield f"The {kind[0]} {number + 1} of {kind[1]} is missing, and {following} follows it."


def _texts(folder):
    for text, _ in lines_of(folder / "sheets.jsonl"):
        yield hashlib.sha256(text.encode()).hexdigest(), text


# Gaming days
#
# A day's figures are sums of movements, each by the business date that it has. They need no rules and no project.

FIGURES = ("opener", "fills", "credits", "buy_ins", "closer", "drop", "win", "rake", "tips", "variance")
# To which figure of its table a movement counts, and with which sign; a variance's is read from its transfer.
_FIGURE_OF = {
    "opener": ("opener", 1),
    "fill": ("fills", 1),
    "credit": ("credits", 1),
    "credit_returned": ("credits", -1),
    "buy_in": ("buy_ins", 1),
    "closer": ("closer", 1),
    "drop": ("drop", 1),
    "rake": ("rake", 1),
    "tip": ("tips", 1),
}
# What is not known while a session is not opened, not closed, or a drop box is not counted.
_BY_CLOSING = frozenset({"closer", "win", "rake", "variance"})
_BY_OPENING = _BY_CLOSING | {"opener"}
_BY_COUNTING = frozenset({"drop", "win", "variance"})
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
MOST_OF_A_CHAIN = 2_000
"""At most this many entries of a chain are sealed at once. The rest are sealed later, and later entries of other chains
may stand before them."""


class Place(NamedTuple):
    """Where an entry stands."""

    chain: str
    at: str
    line: int

    def follows(self, other):
        """Whether it was surely written after another one.

        Of another chain that is what is later by its time and in the tree. One of the two may deceive: a clock was put
        back, or a chain had more entries than are sealed at once.

        >>> closed = Place("house", "a", 6)
        >>> Place("table:1", "b", 7).follows(closed), Place("table:1", "a", 7).follows(closed)
        (True, False)
        """
        return self.line > other.line and (self.at > other.at or self.chain == other.chain)


class Due:
    """What has to be over before its day is closed: a session, a slip, a drop box, tips, a shift of the cage, a round
    from paper."""

    def __init__(self, ref, name, end):
        self.ref, self.name, self.end = ref, name, end
        self.opened = self.over = None

    def was_over(self, place):
        """Whether it was at a place of the log."""
        return self.over is not None and not self.over.follows(place)


class OfTable:
    """A table's day: its sessions, their slips, its drop boxes.

    `whole` is whether the export has all of it from the beginning on.
    """

    def __init__(self, whole):
        self.whole = whole
        self.sessions, self.slips, self.drop_boxes = {}, [], {}


class Day:
    """A gaming day as far as its entries go."""

    def __init__(self, date):
        self.date = date
        self.tables, self.drop_boxes, self.shifts, self.tips, self.papers = {}, {}, {}, {}, {}
        self.moved = defaultdict(Counter)
        # The place of the first session or shift of the cage that was begun on it.
        self.begun = None
        # The place and the facts of the entry by which it was closed.
        self.closed, self.facts = None, None

    def due(self):
        """All that has to be over before it is closed."""
        for table in self.tables.values():
            yield from (*table.sessions.values(), *table.slips, *table.drop_boxes.values())
        yield from (*self.drop_boxes.values(), *self.tips.values(), *self.shifts.values(), *self.papers.values())


class Days:
    """Follows what gaming days consist of, and works out their figures.

    :param ends: of each chain the time of its newest entry; `sizes`: those of the checkpoints.
    """

    def __init__(self, claim=None, ends=None, sizes=()):
        self.claim, self.ends, self.sizes = claim, ends or {}, sorted(sizes)
        self.kind = claim.kind if claim else "all"
        self.days = {}
        self.sessions, self.slips, self.drop_boxes, self.shifts, self.papers = {}, {}, {}, {}, {}
        # The latest date that a session of a chain has had so far.
        self.reached = {}
        # The days that are closed, by their references.
        self.closings = {}
        # Whether a chain is perhaps not sealed as far as the others are.
        self.is_cut = False

    def take(self, entry, line):
        """Follow one entry.

        :raises Difference: if it comes after its day was closed, or closes one twice or by one person alone.
        """
        place = Place(entry["chain"], entry["at"], line)
        try:
            if entry["event"] == "day.closed":
                what = f"The day {safe(entry['facts']['date'])}, who closes it"
                _same(what, entry["by"], entry["facts"]["people"][0], "its people begin with")
            self._TAKES[entry["event"]](self, place, entry["subject"], entry["facts"])
        except Difference:
            raise
        except Exception as error:
            what = "its facts have not the form of one"
            raise Difference(f"{safe(entry['subject'])}: its {entry['event']} can't be followed: {what}.") from error

    def _day(self, date):
        if not _DATE.fullmatch(date) or not _is_day(date):
            raise ValueError(date)
        return self.days.setdefault(date, Day(date))

    def _open_day(self, place, ref, facts, what):
        """The day of an entry that none may have once its day is closed."""
        day = self._day(facts["business_date"])
        if day.closed and place.follows(day.closed):
            raise Difference(f"{safe(ref)} {what} on {day.date}, and that day was closed before.")
        return day

    def _begun(self, place, ref, facts):
        day = self._open_day(place, ref, facts, "is begun")
        day.begun = day.begun or place
        self._session(place, ref, facts)

    def _session(self, place, ref, facts):
        """A session by its first entry here, which in an old log and in a part of one may not be its beginning."""
        if ref in self.sessions:
            return self.sessions[ref]
        date, chain = facts["business_date"], place.chain
        day, reached = self._day(date), self.reached.get(chain, "")
        if chain not in day.tables:
            if chain == "house":
                raise ValueError(chain)
            first = self.claim.chains.get(chain, (0, 0))[0] if self.kind == "period" else 1
            day.tables[chain] = OfTable(first == 1 or "" < reached < date)
        self.reached[chain] = max(reached, date)
        session = self.sessions[ref] = Due(ref, f"Session {_number(ref)}", "closed")
        day.tables[chain].sessions[_number(ref)] = session
        session.table, session.day = day.tables[chain], day
        return session

    def _opened(self, place, ref, facts):
        self._session(place, ref, facts).opened = place

    def _closed(self, place, ref, facts):
        self._session(place, ref, facts).over = place

    def _requested(self, place, ref, facts):
        session = self.sessions.get(facts["session"])
        if session:
            self.slips[ref] = Due(ref, "", "received, returned or voided")
            session.table.slips.append(self.slips[ref])

    def _slip_ended(self, place, ref, facts):
        if ref in self.slips:
            self.slips[ref].over = place

    def _mounted(self, place, ref, facts):
        """It is of its date, and of the date of its session."""
        day = self._open_day(place, ref, facts, "is mounted")
        drop_box = self.drop_boxes[ref] = Due(ref, f"Drop box {safe(facts['number'])}", "counted")
        day.drop_boxes[ref] = drop_box
        session = self.sessions.get(facts["session"])
        for table in filter(None, (session and session.table, day.tables.get(place.chain))):
            table.drop_boxes[_number(ref)] = drop_box

    def _counted(self, place, ref, facts):
        if ref in self.drop_boxes:
            self.drop_boxes[ref].over = place

    def _cage_opened(self, place, ref, facts):
        day = self._open_day(place, ref, facts, "is opened")
        day.begun = day.begun or place
        day.shifts[ref] = Due(ref, "", "closed")
        self.shifts[ref] = day.date, day.shifts[ref]

    def _cage_closed(self, place, ref, facts):
        if ref in self.shifts:
            self.shifts[ref][1].over = place

    def _moved(self, place, ref, facts):
        day, kind, transfer = self._open_day(place, ref, facts, "moves chips"), facts["kind"], facts["transfer"]
        ends, units = (transfer["debit"], transfer["credit"]), transfer["units"]
        if type(units) is not int:
            raise ValueError(units)
        if kind == "tip":
            day.tips.setdefault(day.date, Due(f"tips:{day.date}", "", "counted"))
        figure, sign = _FIGURE_OF.get(kind, ("variance", 0))
        if "variance:house" in ends:
            # Of the float and of the drop box alone: what was counted above the books is received, and what a round
            # from paper explains of it given back.
            own = {f"float:{place.chain}", f"drop_box:{place.chain}"}
            sign = (ends[0] in own) - (ends[1] in own)
        day.moved[place.chain][figure] += sign * units

    def _tips_counted(self, place, ref, facts):
        day = self._day(facts["date"])
        day.tips.setdefault(day.date, Due(ref, "", "counted")).over = place

    def _entered(self, place, ref, facts):
        """A round from paper, which may be entered after its session was closed."""
        session = self.sessions.get(facts["session"])
        if session:
            if session.day.closed and place.follows(session.day.closed):
                raise Difference(f"{safe(ref)} is entered on {session.day.date}, and that day was closed before.")
            self.papers[ref] = session.day.papers[ref] = Due(ref, "", "settled or void")

    def _series_opened(self, place, ref, facts):
        """A series, which may be begun from paper after its session was closed."""
        session = self.sessions.get(facts["session"])
        if session:
            if session.day.closed and place.follows(session.day.closed):
                raise Difference(f"{safe(ref)} begins on {session.day.date}, and that day was closed before.")
            self.papers[ref] = session.day.papers[ref] = Due(ref, "", "closed")

    def _voided(self, place, ref, facts):
        if ref in self.papers:
            self.papers.pop(ref).over = place

    def _settled(self, place, ref, facts):
        self._voided(place, ref, facts)
        if "business_date" in facts and facts["generation"] > 1:
            self._open_day(place, ref, facts, "is settled anew")

    def _day_closed(self, place, ref, facts):
        day = self._day(facts["date"])
        if day.closed:
            raise Difference(f"The day {day.date} is closed twice.")
        if not len(facts["people"]) == len(set(facts["people"])) == 2:
            raise Difference(f"The day {day.date} is closed by one person alone, or by more than two.")
        other = self.closings.setdefault(ref, day)
        if other is not day or not ref.startswith("day:"):
            raise Difference(f"The day {day.date} is closed as {safe(ref)}, which is {other.date} or no day.")
        day.closed, day.facts = place, facts

    _TAKES = {  # noqa: RUF012 - a table of its own methods
        "session.begun": _begun,
        "session.opened": _opened,
        "session.closed": _closed,
        "slip.requested": _requested,
        "slip.received": _slip_ended,
        "slip.returned": _slip_ended,
        "slip.voided": _slip_ended,
        "drop_box.mounted": _mounted,
        "drop_box.counted": _counted,
        "cage.opened": _cage_opened,
        "cage.closed": _cage_closed,
        "movement.made": _moved,
        "tips.counted": _tips_counted,
        "round.opened": _entered,
        "round.settled": _settled,
        "round.voided": _voided,
        "series.opened": _series_opened,
        "series.closed": _voided,
        "day.closed": _day_closed,
    }

    # Figures

    def figures(self, date):
        """Tables and sums of a day, as the log has them where the day is closed."""
        day = self.days[date]
        rows = [self._row(day, chain) for chain in sorted(day.tables, key=_number)]
        sums = {}
        for name in FIGURES:
            known = [row[name] for row in rows if row[name] is not None]
            sums[name] = {"units": sum(known), "of": len(known), "tables": len(rows)}
        return {"tables": rows, "sums": sums}

    def worked_out(self, date):
        """What --day tells of it."""
        figures = self.figures(date)
        final = self.is_closed(self.days[date]) and all(row["grade"] == "FINAL" for row in figures["tables"])
        return {"day": date, "grade": "FINAL" if final else "ESTIMATE", **figures}

    def _row(self, day, chain):
        table, moved = day.tables[chain], day.moved[chain]
        row = {name: moved[name] for name in FIGURES}
        row["win"] = row["closer"] + row["drop"] + row["credits"] - row["opener"] - row["fills"]
        missing, why = set(), []
        for _, session in sorted(table.sessions.items()):
            if session.opened is None:
                missing |= _BY_OPENING
                why.append(f"{session.name} isn’t opened.")
            elif session.over is None:
                missing |= _BY_CLOSING
                why.append(f"{session.name} isn’t closed.")
        for _, drop_box in sorted(table.drop_boxes.items()):
            if drop_box.over is None:
                missing |= _BY_COUNTING
                why.append(f"{drop_box.name} isn’t counted.")
        if not table.whole:
            missing, why = set(FIGURES), ["The export does not reach back to the beginning of its day."]
        if self.kind == "period" and not self.is_closed(day) and self.reached[chain] <= day.date:
            why.append("The export does not reach to the end of the day.")
        row |= dict.fromkeys(missing)
        return {"table": chain, **row, "grade": "ESTIMATE" if why else "FINAL", "why": " ".join(why) or None}

    # What is closed

    def is_closed(self, day):
        """Whether the log closes it, and the export reaches so far in all chains."""
        if day.closed is None or self.kind == "table":
            return False
        return self.kind == "all" or self.claim.begins <= day.closed.at < self.claim.ends

    def judge(self):
        """Hold each day that is closed against what the log has of it.

        :returns: a sentence on what may be missing as the log was not sealed so far, or None.
        :raises Difference: if one was not over, was closed before an earlier one, or has other figures.
        """
        closed = sorted((day for day in self.days.values() if self.is_closed(day)), key=lambda day: day.closed.line)
        # A house from before days were closed has older ones that nobody closes.
        first = min((day.date for day in closed), default="")
        waiting = sorted(
            date
            for date, day in self.days.items()
            if day.begun and date >= first and (not day.closed or self.is_closed(day))
        )
        for day in closed:
            try:
                self._judge(day, waiting)
            except Difference as error:
                sentence = f"entries.jsonl line {day.closed.line}: {error}"
                if self._is_cut(day.closed):
                    return f"{sentence} Perhaps a chain is not sealed so far: ask for a newer export."
                raise Difference(sentence) from None
        return None

    def _judge(self, day, waiting):
        """:param waiting: the dates that were not closed before; this one is taken out."""
        for earlier in itertools.takewhile(lambda date: date < day.date, waiting):
            if not self.days[earlier].begun.follows(day.closed):
                raise Difference(f"The day {day.date} is closed while {earlier} is open.")
        if day.begun:
            waiting.remove(day.date)
        for due in day.due():
            if not due.was_over(day.closed):
                raise Difference(f"The day {day.date} is closed, and {safe(due.ref)} is not {due.end}.")
        if day.tables and self.kind == "all" and not self._cage_is_counted(day):
            raise Difference(f"The day {day.date} is closed, and the cage was not counted after its last session.")
        self._compare(day)

    def _cage_is_counted(self, day):
        """Whether a shift of the cage was closed after the day's last session was, and before the day."""
        ends = [session.over for table in day.tables.values() for session in table.sessions.values()]
        return any(
            date >= day.date and shift.was_over(day.closed) and not any(end.follows(shift.over) for end in ends)
            for date, shift in self.shifts.values()
        )

    def _compare(self, day):
        """Each figure, table by table; in a period those of tables that are here from the day's beginning on."""
        worked, logged = self.figures(day.date), day.facts["figures"]
        what = f"The figures of {day.date}"
        if type(logged) is not dict or set(logged) != {"tables", "sums"} or type(logged["tables"]) is not list:
            raise Difference(f"{what} have not the form of figures.")
        whole = {table for table, each in day.tables.items() if each.whole}
        rows = {str(row.get("table")): row for row in logged["tables"] if type(row) is dict}
        for row in worked["tables"]:
            if row["table"] in whole:
                _same_figures(f"{what}, {row['table']}", rows.get(row["table"], {}), row)
        if self.kind == "all":
            _same(f"{what}, its tables", [*rows], sorted(day.tables, key=_number), "its sessions are of")
            for name in FIGURES:
                sums = logged["sums"] if type(logged["sums"]) is dict else {}
                _same_figures(f"{what}, the sum of its {name}", sums.get(name), worked["sums"][name])
            _same(what, logged, worked, "its movements give")

    def _is_cut(self, place):
        """Whether something before a place may be missing: chains that end before it had more entries than are sealed
        at once, in each checkpoint from there on."""
        if self.kind != "all" or all(at > place.at for chain, at in self.ends.items() if chain != place.chain):
            return False
        ends = [size for size in self.sizes if size >= place.line]
        begins = [0, *(size for size in self.sizes if size < place.line)][-1]
        return bool(ends) and all(
            after - before >= MOST_OF_A_CHAIN for before, after in itertools.pairwise([begins, *ends])
        )


def _same_figures(what, logged, wanted):
    """:raises Difference: at the first figure that is another one."""
    logged = logged if type(logged) is dict else {}
    for name, value in wanted.items():
        if encode(logged.get(name, "nothing")) != encode(value):
            _same(f"{what}, its {name}", logged.get(name, "nothing"), value, "its movements give")


def _number(ref):
    """
    >>> _number("table:12")
    12
    """
    return int(ref.partition(":")[2])


_OF_A_DAY = re.compile(
    rb'\{"at":"[^"]*","by":"[^"]*","chain":"[^"]*","event":"('
    + b"|".join(re.escape(event.encode()) for event in Days._TAKES)
    + rb')"'
)


def _is_of_a_day(event, line, papers):
    """Whether a line tells something of a day; of rounds most do not.

    :param papers: the rounds from paper that are not settled.
    """
    if event == b"round.opened":
        return b'"slip":' in line
    if event == b"round.settled":
        return b'"business_date":' in line or any(f'"subject":"{ref}"'.encode() in line for ref in papers)
    return True


def follow_days(folder, verified, report, date=None):
    """Follow all gaming days of an export, and work out the figures of one.

    :returns: `Days`.
    :raises Malformed: if nothing is known of it.
    """
    ends = {chain: last.at for chain, last in verified.entries.chains.items()}
    days = Days(verified.claim, ends, verified.checkpoints)
    unsure = None
    try:
        with opened(folder / "entries.jsonl") as file:
            for number, line in enumerate(file, 1):
                head = _OF_A_DAY.match(line)
                if not head or number in verified.entries.bad:
                    continue
                if _is_of_a_day(head[1], line, days.papers):
                    try:
                        days.take(json.loads(line), number)
                    except Difference as error:
                        raise Difference(f"entries.jsonl line {number}: {error}") from None
        unsure = days.judge()
    except Difference as error:
        report.tamper(str(error))
    if unsure:
        report.uncover(unsure)
        days.is_cut = True
    closed = sum(day.closed is not None for day in days.days.values())
    differences = "a difference" if report.tampered else "0 differences"
    report.look("days", f"{plural(len(days.days), 'gaming day')}, {closed:,} closed, {differences}")
    if date is None or report.tampered:
        return days
    if date not in days.days:
        known = sorted(days.days)
        what = f"it has {known[0]} to {known[-1]}" if known else "it has no movement of chips"
        raise Malformed(f"This export knows nothing of the day {date}: {what}.")
    report.day = days.worked_out(date)
    return days


def day_lines(day):
    """A gaming day for people, in units."""
    yield f"Gaming day {day['day']}, {day['grade']}, in units:"
    names = ("table", *FIGURES, "grade")
    rows = [names, *([row[name] for name in names] for row in day["tables"])]
    sums = day["sums"]
    rows.append(("sum", *(sums[name]["units"] for name in FIGURES), ""))
    if any(each["of"] != each["tables"] for each in sums.values()):
        rows.append(("of tables", *(f"{sums[name]['of']} of {sums[name]['tables']}" for name in FIGURES), ""))
    texts = [["-" if cell is None else f"{cell:,}" if type(cell) is int else cell for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for first, *rest in texts:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
        yield f"  {'  '.join(cells)}".rstrip()
    yield from (f"  {row['table']}: {row['why']}" for row in day["tables"] if row["why"])


# Files of reports
#
# A report's CSV, worked out again from the entries alone, row by row. What its columns are worked out from stands in
# `FORMS`, one form a report. A row's time and the time of its entry are of one transaction, and so differ a little.

DATE, TEXT, TABLE, STAFF, UNITS, COUNT, PERMILLE = "date", "text", "table", "staff", "units", "count", "permille"
TIME, SECONDS, RANGE, MOMENT, NOWHERE = "time", "seconds", "range", "moment", "nowhere"
"""A time is that of a row, beside its entry, and seconds lie between two; a range is what comes of such times, the
least and the most, in tenths or whole. A moment stands in the entry itself. What is nowhere is not in the log."""
UNKNOWN, ABSENT = object(), object()
"""In the place of a cell of which this export says nothing, and of one of which no log does."""
MOST_SAID = 100
"""At most this many differences of a file are listed one by one."""
_SECOND = dt.timedelta(seconds=1)
_CELL_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}")
_CELL_SECONDS = re.compile(r"-?[0-9]{1,9}")
_CELL_MONEY = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?")
_PERIOD = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?")
_ENDED = ("slip.voided", "slip.returned")
# The first letters of a slip's number.
_LETTERS = {"fill": "F", "credit": "C", "change": "X"}
# What is an exception whatever its facts are.
_EXCEPTIONS = frozenset(
    {
        "round.released",
        "round.voided",
        "round.corrected",
        "payment.left",
        "dispute.ruled",
        *_ENDED,
        "session.resumed",
        "sheet.published",
        "table.sheet_set",
        "table.sheet_withdrawn",
        "setting.changed",
    }
)


class Clock(NamedTuple):
    """The casino's: its time zone, and how long after midnight a gaming day begins."""

    zone: ZoneInfo
    starts: dt.timedelta

    def ends(self, date):
        """The instant at which a gaming day is over, as the log writes it."""
        midnight = dt.datetime.fromisoformat(date) + dt.timedelta(1)
        end = (midnight + self.starts).replace(tzinfo=self.zone).astimezone(dt.UTC)
        return f"{end:%Y-%m-%dT%H:%M:%S.%fZ}"

    def begins(self, date):
        """The instant at which a gaming day begins."""
        return self.ends((dt.date.fromisoformat(date) - dt.timedelta(1)).isoformat())

    def date(self, at):
        """The gaming day of an instant."""
        return (at.astimezone(self.zone).replace(tzinfo=None) - self.starts).date().isoformat()


class Period(NamedTuple):
    """Gaming days, the first and the last."""

    first: str
    last: str

    def __contains__(self, date):
        return self.first <= date <= self.last

    def __str__(self):
        return self.first if self.first == self.last else f"{self.first} to {self.last}"

    def days(self):
        first, last = map(dt.date.fromisoformat, self)
        return [(first + dt.timedelta(ahead)).isoformat() for ahead in range((last - first).days + 1)]


# What passes as long as the house has set nothing else.
_DEFAULTS = {
    "cage_variance_units": 0,
    "tips_variance_units": 0,
    "slip_minutes": 15,
    "drop_box_hours": 24,
    "large_cash_units": 1_000_000,
}


class Asked(NamedTuple):
    """What rows are worked out from, and of which days."""

    register: object
    days: object
    clock: Clock | None
    period: Period
    decimals: int = 2


class Settled(NamedTuple):
    """A settlement of a round: its day where that is not the session's, what it brought the table, what it came to for
    each box, and the entry that it comes of where it is a later one."""

    generation: int
    date: str | None
    staked: int
    won: int
    nets: dict
    change: dict | None


# What changes a person's access: the first is no event of the report's own, but is counted.
_OF_PEOPLE = (
    "staff.locked",
    "staff.added",
    "staff.posted",
    "staff.posting_ended",
    "staff.left",
    "staff.returned",
    "staff.code_given",
    "staff.password_changed",
    "staff.unlocked",
    "credential.added",
    "credential.removed",
    "recovery_codes.made",
    "recovery_codes.ended",
    "recovery_code.used",
)


class Register:
    """What reports tell of, as the entries have it."""

    def __init__(self):
        # The codes of tables by their references, and the date of whatever has one.
        self.codes, self.dates = {}, {}
        # The games of a session, the steps of a slip or a drop box by their events, both counts of an attempt.
        self.games, self.steps, self.counts = defaultdict(set), defaultdict(dict), defaultdict(dict)
        # The chains of sessions, the sessions of rounds, the rounds that are void, what was settled of each.
        self.chains, self.rounds, self.voided, self.settled = {}, {}, {}, defaultdict(list)
        # By whom a round was opened, with its number; who entered its actions, and whose were taken back or replaced;
        # what its boxes came to, session by session.
        self.begun, self.opened, self.entered, self.undone = {}, {}, defaultdict(dict), defaultdict(Counter)
        self.paid = defaultdict(dict)
        # Where a hand history asks for them: the line and the wagers of a round that is not settled, and its hands.
        self.lines, self.hands = {}, []
        # How a round was changed last, which settlements come of rulings, and what the cage took or gave for one.
        self.changes, self.corrected, self.rulings, self.evened = {}, {}, set(), Counter()
        # What moved for a session, a slip or a drop box by kinds, and on accounts by days; what the books have of each
        # account, and had of a table as each session was closed.
        self.moved, self.house, self.books, self.held = defaultdict(Counter), defaultdict(Counter), Counter(), {}
        self.cases, self.people = defaultdict(list), defaultdict(list)
        # What is raised, held, locked out, failed or found; and by a setting's name its values by what changed it.
        self.alarms, self.settings = [], defaultdict(dict)
        # The steps of calls and of disputes, and the buy-ins of a box on a day.
        self.disputes, self.called, self.buy_ins = defaultdict(dict), defaultdict(dict), defaultdict(list)
        self.exceptions = []
        # The entries that say that a file was made.
        self.given = []

    def take(self, entry):
        """Keep what an entry says.

        :raises Difference: if that has not the form of one.
        """
        event, ref, facts = entry["event"], entry["subject"], entry["facts"]
        try:
            if event in self._TAKES:
                self._TAKES[event](self, entry, ref, facts)
            if _is_exception(event, facts):
                self.exceptions.append(entry)
        except Exception as error:
            raise Difference(f"{safe(ref)}: its {event} has not the form of one.") from error

    def _dated(self, entry, ref, facts):
        self.steps[ref][entry["event"]] = entry
        self.dates[ref], self.chains[ref] = facts["business_date"], entry["chain"]

    def _closed(self, entry, ref, facts):
        self._dated(entry, ref, facts)
        chain = entry["chain"]
        self.held[ref] = self.books[f"float:{chain}"], self.books[f"rake:{chain}"]

    def _set(self, entry, ref, facts):
        if type(facts.get("after")) is dict and ref.startswith(("table:", "pit:")):
            self.codes[ref] = facts["after"]["code"]
        elif "after" in facts and "from" in facts:
            self.settings[facts["what"]][ref] = facts["from"], facts["after"]
        else:
            self.settings[facts["what"]].pop(ref, None)

    def _opened(self, entry, ref, facts):
        self.games[facts["session"]].add(facts["game"])
        self.rounds[ref] = facts["session"]
        self.opened[ref] = entry["by"], facts["number"]
        self.begun[ref] = entry["chain"], facts["game"], facts["sheet"], facts.get("happened_at", entry["at"])

    def _acted(self, entry, ref, facts):
        """By whom what was taken back or replaced had been entered."""
        by = self.entered[ref]
        by[facts["ordinal"]] = entry["by"]
        if "undoes" in facts:
            self.undone[ref, by.get(facts["undoes"])]["undone" if facts["kind"] == "undo" else "amended"] += 1

    def _voided(self, entry, ref, facts):
        self.voided[ref] = facts.get("clause")
        self.entered.pop(ref, None)

    def _changed(self, entry, ref, facts):
        self.changes[ref] = entry
        self.corrected.setdefault(ref, entry["at"])
        if ref in self.lines:
            self.lines[ref] = facts["round"], facts.get("wagers", self.lines[ref][1])

    def _round_closed(self, entry, ref, facts):
        self.lines[ref] = facts["round"], facts["wagers"]

    def _raised(self, entry, ref, facts):
        self.alarms.append(entry)
        if entry["event"] == "alarm.raised":
            self._called(entry, ref, facts)

    def _tips_counted(self, entry, ref, facts):
        self.dates[ref] = facts["date"]
        self._went_on(entry, ref, facts)

    def _ruled(self, entry, ref, facts):
        self.rulings.add((ref, facts.get("generation")))
        self._disputed(entry, ref, facts)

    def _disputed(self, entry, ref, facts):
        if "dispute" in facts:
            self.disputes[facts["dispute"]][entry["event"]] = entry

    def _called(self, entry, ref, facts):
        self.called[ref][entry["event"]] = entry

    def _settled(self, entry, ref, facts):
        own = {f"float:{entry['chain']}", f"rake:{entry['chain']}"}
        won = 0
        for transfer in facts["transfers"]:
            won += transfer["units"] * ((transfer["debit"] in own) - (transfer["credit"] in own))
            self._book(transfer)
        staked = sum(payment["staked"] for payment in facts["payments"])
        date, change = facts.get("business_date"), self.changes.get(ref)
        nets = {payment["box"]: payment["net"] for payment in facts["payments"]}
        self.settled[ref].append(Settled(facts["generation"], date, staked, won, nets, change))
        if facts["generation"] == 1:
            self._paid(self.rounds.get(ref), facts)
        if ref in self.lines:
            self.hands += _hands(entry, ref, facts, *self.lines[ref])

    def _paid(self, session, facts):
        """What boxes came to, by game, sheet, category and outcome."""
        result, sums = facts["result"], self.paid[session]
        categories = {each["box"]: each.get("category") for each in result.get("boxes", ()) if type(each) is dict}
        hands = result.get("hands", {})
        for payment in facts["payments"]:
            box = payment["box"]
            hand = hands.get(str(box), {}) if type(hands) is dict else {}
            category = categories.get(box) or (hand.get("class") if type(hand) is dict else None)
            of = sums.setdefault((result["game"], facts["sheet"], category, payment["outcome"]), Counter())
            of.update(hands=1, **{name: payment[name] for name in ("staked", "returned", "paid", "net")})

    def _moved(self, entry, ref, facts):
        kind, transfer, date = facts["kind"], facts["transfer"], facts["business_date"]
        subject = ":".join(transfer["key"].split(":")[:2])
        self.moved[subject][kind] += transfer["units"]
        self._book(transfer)
        if kind == "buy_in" and "box" in facts:
            self.buy_ins[date, entry["chain"], facts["box"]].append(entry)
        for end, sign in (("debit", 1), ("credit", -1)):
            self.house[date][transfer[end], sign] += transfer["units"]
            if kind == "correction" and transfer[end] == "cage:house":
                self.evened[subject, len(self.settled[subject])] += sign * transfer["units"]

    def _book(self, transfer):
        self.books[transfer["debit"]] += transfer["units"]
        self.books[transfer["credit"]] -= transfer["units"]

    def _case(self, entry, ref, facts):
        self.cases[facts["case"]].append(entry)

    def _person(self, entry, ref, facts):
        self.people[facts["staff"]].append(entry)

    def _requested(self, entry, ref, facts):
        self._went_on(entry, ref, facts)
        if facts["session"] in self.dates:
            self.dates[ref] = self.dates[facts["session"]]

    def _mounted(self, entry, ref, facts):
        self._went_on(entry, ref, facts)
        self._dated(entry, ref, facts)

    def _went_on(self, entry, ref, facts):
        self.steps[ref][entry["event"]] = entry

    def _counted(self, entry, ref, facts):
        if facts["part"] == "tips":
            self.dates[facts["of"]] = facts["of"].removeprefix("tips:")
        self.counts[facts["of"], facts["part"], facts["attempt"]][facts["place"]] = entry

    def _given(self, entry, ref, facts):
        self.given.append(entry)

    _TAKES = {  # noqa: RUF012 - a table of its own methods
        "setting.changed": _set,
        "session.begun": _dated,
        "session.opened": _dated,
        "session.closed": _closed,
        "cage.opened": _dated,
        "round.opened": _opened,
        "round.voided": _voided,
        "round.corrected": _changed,
        "round.settled": _settled,
        "round.acted": _acted,
        "round.closed": _round_closed,
        "dispute.raised": _disputed,
        "dispute.ruled": _ruled,
        "dispute.closed": _disputed,
        "alarm.taken": _called,
        "alarm.over": _called,
        "movement.made": _moved,
        "case.opened": _case,
        "case.moved": _case,
        "case.decided": _case,
        "cage.closed": _dated,
        "tips.counted": _tips_counted,
        **dict.fromkeys(_OF_PEOPLE, _person),
        **dict.fromkeys(("alarm.raised", "round.held", "login.failed", "finding.named"), _raised),
        "slip.requested": _requested,
        "slip.issued": _went_on,
        "slip.received": _went_on,
        "slip.returned": _went_on,
        "slip.voided": _went_on,
        "drop_box.mounted": _mounted,
        "drop_box.removed": _went_on,
        "drop_box.counted": _went_on,
        "count.entered": _counted,
        "report.made": _given,
    }

    def passes(self, name, at):
        """What a setting was at an instant."""
        known = [value for value in self.settings[name].values() if value[0] <= at]
        return max(known)[1] if known else _DEFAULTS[name]

    def things(self, kind):
        """(reference, date, steps) of what is of a kind and whose beginning and date the export has."""
        for ref, steps in self.steps.items():
            if ref.startswith(kind) and ref in self.dates:
                yield ref, self.dates[ref], steps


def _is_exception(event, facts):
    """Whether an entry tells of what went another way than the rule has it."""
    if event == "round.acted":
        return facts.get("approver", "").startswith("staff:")
    if event == "series.closed":
        return "approver" in facts
    return event in _EXCEPTIONS or (event == "count.agreed" and "reason" in facts)


def _lines_of(events):
    """How a line of one of some events begins."""
    names = b"|".join(re.escape(event.encode()) for event in sorted(events))
    return re.compile(rb'\{"at":"[^"]*","by":"[^"]*","chain":"[^"]*","event":"(' + names + rb')"')


# What is kept for each report: the codes of tables, and that a file was given; then by which events dates are known.
_OF_ALL = frozenset({"setting.changed", "report.made"})
_SESSIONS = frozenset({"session.begun", "session.opened", "session.closed"})
_OF_SLIPS = _SESSIONS | {f"slip.{step}" for step in ("requested", "issued", "received", "returned", "voided")}
_OF_ROUNDS = _SESSIONS | {"round.opened", "round.settled"}
_OF_DROP_BOXES = frozenset(f"drop_box.{step}" for step in ("mounted", "removed", "counted"))


# The rows of each report


def _master_game(asked):
    register, rows = asked.register, []
    for date, day in asked.days.days.items():
        for figures in asked.days.figures(date)["tables"]:
            sessions = day.tables[figures["table"]].sessions
            games = set().union(*(register.games[session.ref] for session in sessions.values()))
            row = {name: UNKNOWN if figures[name] is None else figures[name] for name in FIGURES}
            hold = {}
            if UNKNOWN in (row["win"], row["drop"]):
                hold["hold"] = UNKNOWN
            elif row["drop"] > 0:
                hold["hold"] = round(Fraction(1000 * row["win"], row["drop"]))
            rows.append(
                {
                    "date": date,
                    "table": figures["table"],
                    "game": ", ".join(sorted(games)) if day.tables[figures["table"]].whole else UNKNOWN,
                    "sessions": len(sessions) if day.tables[figures["table"]].whole else UNKNOWN,
                    **row,
                    **hold,
                }
            )
    return rows


def _number_of_slip(facts):
    """
    >>> _number_of_slip({"kind": "change", "year": 2026, "number": 73})
    'X-2026-000073'
    """
    return f"{_LETTERS[facts['kind']]}-{facts['year']}-{facts['number']:06d}"


def _step(entry, name, **people):
    """When a step was, and who took it: the facts of an entry that name them; nothing where there was none."""
    facts = entry["facts"] if entry else {}
    return {f"{name}_at": entry and entry["at"]} | {column: facts.get(fact) for column, fact in people.items()}


def _ended(steps):
    """Who sent a slip back or voided it."""
    entry = next((steps[event] for event in _ENDED if event in steps), None)
    return _step(entry, "voided", voided_by="requester", approved_by="approver")


def _status_of_slip(steps):
    states = {"slip.voided": "VOIDED", "slip.returned": "RETURNED", "slip.received": "RECEIVED"}
    return next((state for event, state in states.items() if event in steps), "ISSUED" * ("slip.issued" in steps))


def _slips(register):
    """(what all reports of slips say, steps) of each slip."""
    for _, date, steps in register.things("slip:"):
        entry = steps["slip.requested"]
        row = {"date": date, "slip": _number_of_slip(entry["facts"]), "kind": entry["facts"]["kind"]}
        row |= {"table": entry["chain"], "status": _status_of_slip(steps) or "REQUESTED"}
        yield row | {"units": entry["facts"]["units"]}, steps


def _fills_and_credits(asked):
    register, rows = asked.register, []
    for row, steps in _slips(register):
        came = {row["kind"]: row["units"]} if row["status"] == "RECEIVED" and row["kind"] != "change" else {}
        requested, issued, received = (steps.get(f"slip.{step}") for step in ("requested", "issued", "received"))
        rows.append(
            {
                **row,
                **came,
                **_step(requested, "requested", requested_by="requester"),
                **_step(issued, "issued", issued_by="issuer", carried_by="carrier"),
                **_step(received, "received", received_by="receiver", received_with="witness"),
                **_ended(steps),
            }
        )
    return rows


def _slip_numbers(asked):
    """A number that is missing stands on the day of the next one that there is."""
    register, rows, numbers = asked.register, [], defaultdict(list)
    for row, steps in _slips(register):
        if row["status"] in {"VOIDED", "RETURNED"}:
            rows.append(row | _ended(steps))
        facts = steps["slip.requested"]["facts"]
        numbers[facts["kind"], facts["year"]].append((facts["number"], row["date"]))
    if asked.days.kind == "all":
        for (kind, year), taken in numbers.items():
            for (before, _), (number, date) in itertools.pairwise([(0, ""), *sorted(taken)]):
                for missing in range(before + 1, number):
                    slip = _number_of_slip({"kind": kind, "year": year, "number": missing})
                    rows.append({"date": date, "slip": slip, "kind": kind, "status": "MISSING"})
    return rows


def _count_sheets(asked):
    """Of each attempt that two people made, both counts, chip by chip."""
    register, rows = asked.register, []
    for (of, part, attempt), places in register.counts.items():
        if of not in register.dates or 2 not in places:
            continue
        for place, entry in places.items():
            facts = entry["facts"]
            head = {"date": register.dates[of], "of": of, "part": part, "attempt": attempt, "place": place}
            head |= {"table": entry["chain"] if entry["chain"] != "house" else None, "sheet": facts["units"]}
            head |= {"counted_at": entry["at"], "counted_by": entry["by"]}
            for value, number in facts["denominations"].items():
                chip = {"value": int(value), "number": number, "units": int(value) * number}
                rows.append(head | chip)
            if not facts["denominations"]:
                rows.append(head | {"units": 0})
    return rows


def _drop_boxes(asked):
    register, rows = asked.register, []
    for ref, date, steps in register.things("drop_box:"):
        mounted, removed, counted = (steps.get(f"drop_box.{step}") for step in ("mounted", "removed", "counted"))
        cash = counted["facts"] if counted else {}
        row = {"date": date, "table": mounted["chain"], "box": mounted["facts"]["number"]}
        row |= {"session": mounted["facts"]["session"], "seal": mounted["facts"]["seal"]}
        row |= {"status": "COUNTED" if counted else "REMOVED" if removed else "MOUNTED"}
        row |= {"removed_seal": removed and removed["facts"]["seal"], "recorded": cash.get("recorded")}
        row |= {"counted": cash.get("units"), "variance": counted and cash["units"] - cash["recorded"]}
        for name, entry in (("mounted", mounted), ("removed", removed), ("counted", counted)):
            first, second = entry["facts"]["people"] if entry else (None, None)
            row |= {f"{name}_at": entry and entry["at"], f"{name}_by": first, f"{name}_with": second}
        # Of one table on one day, boxes stand in the order in which they were mounted.
        rows.append(row | {"place": _number(ref)})
    return rows


def _exceptions(asked):
    register, rows = asked.register, []
    for entry in register.exceptions:
        facts, event = entry["facts"], entry["event"]
        signers = [*facts.get("signers", ()), None, None]
        kind = facts.get("kind") if event == "round.acted" else None
        details = (facts.get("what"), facts.get("ruling"), facts.get("part"), kind, facts.get("sheet", "")[:8])
        requested = (facts.get("requester"), signers[0], facts.get("author"), entry["by"])
        approved = (facts.get("approver"), signers[1], facts.get("signer"))
        rows.append(
            {
                "date": asked.clock.date(_instant(entry["at"])) if asked.clock else UNKNOWN,
                "made_at": entry["at"],
                "what": event,
                "table": entry["chain"] if entry["chain"] != "house" else None,
                "subject": entry["subject"],
                "detail": next((_as_text(each) for each in details if each), None),
                "clause": facts.get("clause"),
                "asked_by": _staff(requested),
                "approved_by": _staff(approved),
                "terminal": entry["terminal"],
                "before": _as_text(facts.get("before")),
                "after": _as_text(facts.get("after")),
                "from_at": facts["from"] if is_time(facts.get("from")) else None,
                "entry": f"{entry['chain']}/{entry['seq']}",
                "chain": entry["chain"],
                "seq": entry["seq"],
            }
        )
    return rows


def _staff(named):
    """The first that is named, if that is a person."""
    first = next((each for each in named if each is not None), "")
    return first if _PERSON.fullmatch(first) else None


def _as_text(value):
    """A fact as PostgreSQL writes it: keys by their length first.

    >>> print(_as_text({"pit": "pit:1", "code": "T1", "a": [1, True]}), _as_text(False), _as_text("T1"), _as_text(None))
    {"a": [1, true], "pit": "pit:1", "code": "T1"} false T1 None
    """
    return value if value is None or type(value) is str else json.dumps(_by_length(value), ensure_ascii=False)


def _by_length(value):
    if type(value) is list:
        return [_by_length(each) for each in value]
    if type(value) is not dict:
        return value
    return {key: _by_length(value[key]) for key in sorted(value, key=lambda key: (len(key.encode()), key))}


def _adjustments(asked):
    """What later days changed in rounds of days before."""
    register, rows = asked.register, []
    for ref, settlements in register.settled.items():
        of_date = register.dates.get(register.rounds.get(ref))
        for place, settled in enumerate(settlements, 1):
            if settled.date is None or of_date is None or settled.date <= of_date:
                continue
            facts = settled.change["facts"]
            kind = "void" if "void" in facts["round"] else "correction"
            rows.append(
                {
                    "date": settled.date,
                    "of_date": of_date,
                    "table": settled.change["chain"],
                    "subject": ref,
                    "generation": settled.generation,
                    "kind": "ruling" if (ref, settled.generation) in register.rulings else kind,
                    "units": settled.won,
                    "cage": register.evened.get((ref, place)),
                    "clause": facts.get("clause"),
                    "made_at": settled.change["at"],
                    "asked_by": facts["requester"],
                    "approved_by": facts["approver"],
                    "place": _number(ref),
                }
            )
    return rows


def _hold(win, drop):
    """Thousandths of the drop, a half to the even one."""
    return round(Fraction(1000 * win, drop)) if drop > 0 else None


def _won_and_dropped(register):
    """(win, drop) of each session, from its chips and those of its slips and drop boxes."""
    sums = defaultdict(Counter)
    for subject, moved in register.moved.items():
        steps = register.steps.get(subject, {})
        begun = steps.get("slip.requested") or steps.get("drop_box.mounted")
        sums[begun["facts"]["session"] if begun else subject] += moved
    return {
        session: (
            each["closer"] + each["drop"] + each["credit"] - each["credit_returned"] - each["opener"] - each["fill"],
            each["drop"],
        )
        for session, each in sums.items()
    }


def _staked(register, ref):
    """What was staked in a round as it was settled on its own day."""
    date, settlements = register.dates.get(register.rounds[ref]), register.settled.get(ref, ())
    own = [settled for settled in settlements if settled.date in {None, date}]
    return (own or settlements)[-1].staked if settlements else 0


def _statistics(asked):
    register, last, rows = asked.register, asked.period.last, {}
    won, rounds = _won_and_dropped(register), defaultdict(Counter)
    for ref, session in register.rounds.items():
        rounds[session] += Counter(rounds=int(ref not in register.voided), stakes=_staked(register, ref))
    spans = {"day": last, "month": last[:7], "year": last[:4]}
    for session, chain in register.chains.items():
        date = register.dates[session]
        if not session.startswith("session:") or not last[:4] <= date <= last:
            continue
        game = ", ".join(sorted(register.games[session])) or None
        sums = rows.setdefault((chain, game), Counter())
        for span, begin in spans.items():
            if date.startswith(begin):
                win, drop = won.get(session, (0, 0))
                sums.update({f"{span}_win": win, f"{span}_drop": drop})
                sums.update({f"{span}_{name}": rounds[session][name] for name in ("rounds", "stakes")})
    return [
        {"date": last, "table": chain, "game": game}
        | {f"{span}_{name}": sums[f"{span}_{name}"] for span in spans for name in ("drop", "win", "rounds", "stakes")}
        | {f"{span}_hold": _hold(sums[f"{span}_win"], sums[f"{span}_drop"]) for span in spans}
        for (chain, game), sums in rows.items()
    ]


# The letters of the cases that are investigated; those of disputes have D.
_CASES = {"variance": "V", "drop_variance": "DV", "void": "VO", "investigation": "I"}


def _number_of_case(facts):
    return f"{_CASES.get(facts['kind'], 'D')}-{facts['year']}-{facts['number']:06d}"


def _investigations(asked):
    """Cases that were open in the period, as they stood at its end."""
    begins, ends = asked.clock.begins(asked.period.first), asked.clock.ends(asked.period.last)
    rows = []
    for ref, entries in asked.register.cases.items():
        opened, facts = entries[0], entries[0]["facts"]
        if opened["event"] != "case.opened" or facts["kind"] not in _CASES or opened["at"] >= ends:
            continue
        known = {}
        for entry in entries:
            known |= entry["facts"] if entry["at"] < ends else {}
        decided = next((entry for entry in entries if entry["event"] == "case.decided" and entry["at"] < ends), None)
        if decided and decided["at"] < begins:
            continue
        rows.append(
            {
                "date": asked.clock.date(_instant(opened["at"])),
                "case": _number_of_case(facts),
                "kind": facts["kind"],
                "table": opened["chain"],
                "subject": facts["of"],
                "units": facts.get("units"),
                "owned_by": known["owner"],
                "opened_at": opened["at"],
                "due_at": known["due"],
                "status": "DECIDED" if decided else "OPEN",
                "late": "late" if (decided["at"] if decided else ends) > known["due"] else None,
                "outcome": known.get("outcome"),
                **_step(decided, "decided", decided_by="requester", approved_by="approver"),
                "place": _number(ref),
            }
        )
    return rows


def _chips_in_circulation(asked):
    """What the books had at the end of each day that is closed; floats and rake slots as the last session left them."""
    register, rows = asked.register, []
    sessions = sorted((date, _number(ref), ref) for ref, date in register.dates.items() if ref in register.held)
    for date in sorted(date for date, day in asked.days.days.items() if day.closed):
        balance, came, went, known = Counter(), Counter(), Counter(), set()
        for other, ends in register.house.items():
            for (account, sign), units in ends.items():
                balance[account] += sign * units * (other <= date)
                came[account] += units * (sign > 0 and other == date)
                went[account] += units * (sign < 0 and other == date)
                known |= {account} if other <= date else set()
        last = {register.chains[ref]: register.held[ref] for of, _, ref in sessions if of <= date}
        row = {"cage": balance["cage:house"], "transit": balance["transit:house"]}
        row |= {"floats": sum(held for held, _ in last.values())}
        row |= {"rake": balance["rake:house"] + sum(rake for _, rake in last.values())}
        if "issued:house" in known:
            row["issued"] = -balance["issued:house"]
            row["circulation"] = row["issued"] - sum(row[name] for name in ("cage", "floats", "transit", "rake"))
        if asked.days.kind != "all":
            row = dict.fromkeys(("issued", "cage", "floats", "transit", "rake", "circulation"), UNKNOWN)
        row |= {"brought": went["issued:house"], "withdrawn": came["issued:house"]}
        rows.append(row | {"date": date, "sold": came["cash:house"], "cashed": went["cash:house"]})
    return rows


# By the kind of an alarm of a day: of which step the two are who sign, and how its value is measured.
_OF_ALARMS = {
    "opener_variance": ("session.opened", "signers", "units"),
    "closer_variance": ("session.closed", "signers", "units"),
    "drop_variance": ("drop_box.counted", "people", "units"),
    "drop_box_seal": ("drop_box.removed", "people", ""),
    "drop_box_swapped": ("drop_box.mounted", "people", ""),
    "void_rate": ("", "", "percent"),
    "correction_rate": ("", "", "percent"),
}
_CASE_OF = {"closer_variance": "variance", "drop_variance": "drop_variance"}


def _daily_exceptions(asked):
    """What was outside its limits on a gaming day, as far as it was known when that was closed."""
    register = asked.register
    rows = [*_alarmed(asked), *_varied(register), *_late(register), *_numbers(asked), *_of_the_clock(asked)]
    return [{"place": 0} | row for row in rows]


def _until(asked, date):
    """When a day was closed."""
    day = asked.days.days.get(date)
    return day.closed.at if day and day.closed else NO_TIME


def _alarmed(asked):
    """Alarms of sessions and drop boxes, and rounds that were held."""
    register = asked.register
    for place, entry in enumerate(register.alarms):
        facts = entry["facts"]
        held = entry["event"] == "round.held"
        kind = "round_held" if held else facts.get("kind")
        subject = entry["subject"] if held else facts.get("of")
        date = register.dates.get(register.rounds.get(subject) if held else subject)
        if (not held and kind not in _OF_ALARMS) or date is None or entry["at"] > _until(asked, date):
            continue
        row = {"date": date, "table": entry["chain"], "kind": kind, "subject": subject, "found_at": entry["at"]}
        if held:
            yield row | {"one": facts.get("requester"), "other": facts.get("approver"), "place": place}
            continue
        event, name, measure = _OF_ALARMS[kind]
        step = register.steps[subject].get(event)
        row |= dict(zip(("one", "other"), step["facts"][name] if step else (), strict=False))
        if measure == "units":
            row |= {"units": facts["value"], "bound_units": facts["limit"]}
        elif measure:
            row |= {"number": facts["value"], "bound": facts["limit"], "measure": measure}
        yield row | {"case": _case_of(asked, kind, subject, date), "place": place}


def _case_of(asked, kind, subject, date):
    """The number of the case that a variance has."""
    for entries in asked.register.cases.values():
        facts = entries[0]["facts"]
        if facts.get("kind") == _CASE_OF.get(kind) and facts.get("of") == subject:
            return _number_of_case(facts) if entries[0]["at"] <= _until(asked, date) else None
    return None


def _varied(register):
    """Counts of the cage and of the tips that did not give what was expected."""
    for event, kind, name in (
        ("cage.closed", "cage_variance", "signers"),
        ("tips.counted", "tips_variance", "people"),
    ):
        for ref, steps in register.steps.items():
            facts = steps[event]["facts"] if event in steps else {"variance": 0}
            passes = register.passes(f"{kind}_units", steps[event]["at"]) if event in steps else 0
            if abs(facts["variance"]) > passes:
                one, other = facts[name]
                row = {"date": register.dates[ref], "kind": kind, "subject": ref, "found_at": steps[event]["at"]}
                yield row | {"units": facts["variance"], "bound_units": passes, "one": one, "other": other}


def _late(register):
    """Slips that were long on their way, and drop boxes that long waited for their count."""
    for ref, date, steps in register.things("slip:"):
        issued = steps.get("slip.issued")
        came = next((steps[event] for event in ("slip.received", *_ENDED) if event in steps), None)
        if issued and came:
            minutes, passes = _between(issued, came, 60), register.passes("slip_minutes", came["at"])
            facts = issued["facts"], came["facts"]
            people = {"one": facts[0]["issuer"], "other": facts[1].get("receiver", facts[1].get("requester"))}
            if minutes >= passes:
                row = {"date": date, "table": came["chain"], "kind": "slip_late", "subject": ref}
                row |= {"found_at": came["at"], "number": minutes, "bound": passes, "measure": "minutes"}
                yield row | people
    for ref, date, steps in register.things("drop_box:"):
        removed, counted = steps.get("drop_box.removed"), steps.get("drop_box.counted")
        if removed and counted:
            hours, passes = _between(removed, counted, 3_600), register.passes("drop_box_hours", counted["at"])
            one, other = removed["facts"]["people"]
            if hours >= passes:
                row = {"date": date, "table": counted["chain"], "kind": "drop_box_overdue", "subject": ref}
                row |= {"found_at": counted["at"], "number": hours, "bound": passes, "measure": "hours"}
                yield row | {"one": one, "other": other}


def _between(first, second, seconds):
    """How often so many seconds lie between two entries."""
    return int((_instant(second["at"]) - _instant(first["at"])).total_seconds() // seconds)


def _numbers(asked):
    """How many rounds and slips of a table's day were void or changed."""
    register, numbers = asked.register, Counter()
    for ref, session in register.rounds.items():
        date, table = register.dates.get(session), register.chains.get(session)
        numbers[date, table, "voids", "rounds"] += ref in register.voided
        is_corrected = ref in register.corrected and register.corrected[ref] <= _until(asked, date)
        numbers[date, table, "corrections", "rounds"] += is_corrected
    for _, date, steps in register.things("slip:"):
        table = steps["slip.requested"]["chain"]
        numbers[date, table, "slips_undone", "slips"] += any(event in steps for event in _ENDED)
    for (date, table, kind, measure), number in numbers.items():
        if number and date:
            row = {"date": date, "table": table, "kind": kind, "subject": table, "number": number}
            yield row | {"measure": measure}


def _of_the_clock(asked):
    """Lock-outs, failed logins and findings, which have the clock's days."""
    if not asked.clock:
        return
    failed = {}
    locked = [each for person in asked.register.people.values() for each in person if each["event"] == "staff.locked"]
    for entry in (*asked.register.alarms, *locked):
        facts, event = entry["facts"], entry["event"]
        row = {"date": asked.clock.date(_instant(entry["at"])), "found_at": entry["at"], "place": entry["seq"]}
        if event == "staff.locked":
            yield row | {"kind": "lock_out", "subject": entry["subject"], "one": facts["staff"]}
        elif event == "finding.named":
            yield row | {"kind": "finding", "subject": facts["of"]}
        elif event == "login.failed":
            before = failed.get(row["date"], {"number": 0})
            row |= {"kind": "logins_failed", "subject": "logins", "measure": "logins"}
            failed[row["date"]] = row | {"number": before["number"] + facts["number"]}
    yield from failed.values()


def _known_at_the_end(asked, steps):
    """The steps of something that were taken before the period was over; None if none was in it."""
    begins, ends = asked.clock.begins(asked.period.first), asked.clock.ends(asked.period.last)
    if not any(begins <= entry["at"] < ends for entry in steps.values()):
        return None
    return {event: entry for event, entry in steps.items() if entry["at"] < ends}


def _disputes(asked):
    """The disputes that were raised, ruled on or closed in the period, as they stood at its end."""
    cases = {entries[0]["facts"].get("of"): entries for entries in asked.register.cases.values()}
    rows = [_dispute(asked, ref, steps, cases.get(ref, ())) for ref, steps in asked.register.disputes.items()]
    return [row for row in rows if row is not None]


def _dispute(asked, ref, steps, of_case):
    """One of them; None if it was none then. `of_case` are the entries of its case."""
    register, ends = asked.register, asked.clock.ends(asked.period.last)
    known = _known_at_the_end(asked, steps)
    raised, ruled, closed = ((known or {}).get(f"dispute.{step}") for step in ("raised", "ruled", "closed"))
    if raised is None:
        return None
    moves = [entry for entry in of_case if entry["at"] < ends and "due" in entry["facts"]]
    due = moves[-1]["facts"]["due"] if moves else None
    is_late = due and due < (ruled["at"] if ruled else ends)
    facts, ruling = raised["facts"], ruled["facts"] if ruled else {}
    boxes, (_, number) = facts.get("boxes", ()), register.opened.get(raised["subject"], (None, None))
    code = register.codes.get(raised["chain"])
    return {
        "date": asked.clock.date(_instant(raised["at"])),
        "dispute": ref,
        "number": _number_of_case(of_case[0]["facts"]) if of_case else None,
        "table": raised["chain"],
        "round": UNKNOWN if None in {code, number} else f"{code}-{number:05d}",
        "boxes": ", ".join(map(str, boxes)) or None,
        "about": facts["clause"],
        "status": "CLOSED" if closed else "RULED" if ruled else "OPEN",
        **_step(raised, "raised", raised_by="requester"),
        "due_at": due,
        "late": due and ("late" if is_late else "in time"),
        "ruling": ruling.get("ruling"),
        "clause": ruling.get("clause"),
        **_step(ruled, "ruled", ruled_by="requester", approved_by="approver"),
        **_gave(register, raised["subject"], ruling.get("generation")),
        **_step(closed, "closed"),
        "place": _number(ref),
    }


def _gave(register, ref, generation):
    """What a ruling gave the boxes of a round beyond the settlement before, and what it took from them."""
    of = {settled.generation: settled.nets for settled in register.settled[ref]}
    if generation is None or generation < 2 or generation not in of:
        return {}
    before = of.get(generation - 1, {})
    more = [net - before.get(box, 0) for box, net in of[generation].items()]
    return {"paid": sum(max(each, 0) for each in more), "collected": sum(max(-each, 0) for each in more)}


_OF_MONEY = frozenset({"opener_variance", "closer_variance", "drop_variance", "large_cash"})


def _alarms(asked):
    """The calls and alarms that were raised, taken or over in the period, as they stood at its end."""
    rows = []
    for ref, steps in asked.register.called.items():
        known = _known_at_the_end(asked, steps)
        raised, taken, over = ((known or {}).get(f"alarm.{step}") for step in ("raised", "taken", "over"))
        if raised is None:
            continue
        facts, at = raised["facts"], _instant(raised["at"])
        value, bound = ("units", "bound_units") if facts["kind"] in _OF_MONEY else ("value", "bound")
        rows.append(
            {
                "date": asked.clock.date(at),
                "alarm": ref,
                "kind": facts["kind"],
                "reason": facts.get("reason"),
                "table": None if raised["chain"] == "house" else raised["chain"],
                "box": facts.get("box"),
                "subject": facts["of"],
                value: facts.get("value"),
                bound: facts.get("limit"),
                "raised_at": raised["at"],
                "raised_by": _staff([raised["by"]]),
                "taken_at": taken and taken["at"],
                "taken_by": taken and _staff([taken["by"]]),
                "until_taken": taken and round((_instant(taken["at"]) - at).total_seconds()),
                "over_at": over and over["at"],
                "until_over": over and round((_instant(over["at"]) - at).total_seconds()),
                "place": _number(ref),
            }
        )
    return rows


def _payments_by_category(asked):
    """What boxes came to, each round as it was settled first."""
    register, sums = asked.register, {}
    for session, of in register.paid.items():
        if register.dates.get(session, "") in asked.period:
            for key, each in of.items():
                sums.setdefault(key, Counter()).update(each)
    all_hands = Counter()
    for (game, sheet, _, _), each in sums.items():
        all_hands[game, sheet] += each["hands"]
    return [
        {
            "game": game,
            "sheet": sheet[:8],
            "category": category,
            "outcome": outcome,
            # A half rounds up.
            "share": (2_000 * each["hands"] + all_hands[game, sheet]) // (2 * all_hands[game, sheet]),
            "per_million": (2_000_000 * each["hands"] + all_hands[game, sheet]) // (2 * all_hands[game, sheet]),
            **{name: each[name] for name in ("hands", "staked", "returned", "paid", "net")},
            "digest": sheet,
        }
        for (game, sheet, category, outcome), each in sums.items()
    ]


def _dealer_errors(asked):
    """What had to be put right of each person's dealing."""
    register, period, sums, clauses = asked.register, asked.period, defaultdict(Counter), defaultdict(Counter)
    for ref, (by, _) in register.opened.items():
        for settled in register.settled.get(ref, ()):
            sums[by]["corrections"] += settled.generation > 1 and (settled.date or "") in period
        if register.dates.get(register.rounds[ref], "") not in period:
            continue
        sums[by].update(rounds=1, voids=int(ref in register.voided))
        if ref in register.voided:
            clauses[by][register.voided[ref]] += 1
    for (ref, by), undone in register.undone.items():
        if register.dates.get(register.rounds.get(ref), "") in period:
            sums[by].update(undone)
    begins, ends = asked.clock.begins(period.first), asked.clock.ends(period.last)
    for steps in register.disputes.values():
        ruled = steps.get("dispute.ruled")
        if ruled and begins <= ruled["at"] < ends and ruled["facts"]["ruling"] == "upheld":
            sums[register.opened[ruled["subject"]][0]]["upheld"] += 1
    rows = []
    for by, each in sums.items():
        errors = sum(each[name] for name in ("undone", "amended", "voids", "corrections"))
        if errors or each["rounds"] or each["upheld"]:
            rate = {"rate": (20_000 * errors + each["rounds"]) // (2 * each["rounds"])} if each["rounds"] else {}
            names = ("rounds", "undone", "amended", "voids", "corrections", "upheld")
            row = {"staff": by, "errors": errors, **rate, **{name: each[name] for name in names}}
            of = ", ".join(f"{clause}: {number}" for clause, number in sorted(clauses[by].items()))
            rows.append(row | {"void_clauses": of or None, "number": _number(by)})
    return rows


def _hands(entry, ref, facts, line, wagers):
    """What each box of a settled round had, and what it came to."""
    result, dealer = facts["result"], line.get("dealer") or {}
    boxes = {each["box"]: each for each in line.get("boxes", ())}
    players = {each["player"]: each for each in line.get("hands", ())}
    dealt = line.get("deal") or line.get("left") or {}
    outcomes = {each["box"]: each for each in result.get("boxes", ())}
    shares = result.get("shares", {})
    left_over = ["house.1"] if len(set(shares.values())) > 1 else []
    for payment in facts["payments"]:
        box = payment["box"]
        hand = boxes.get(box) or players.get(str(box)) or {"cards": dealt.get(str(box), ())}
        of_hand = result.get("hands", {}).get(str(box), {})
        # The payments of the log have no clauses, and of some games its results have none either.
        clauses = outcomes.get(box, of_hand).get("clauses", ABSENT)
        if str(box) in shares and clauses is not ABSENT:
            clauses = [*clauses, *left_over]
        both = (" ".join(hand.get(name) or ()) for name in ("cards", "extra"))
        yield {
            "round": ref,
            "day": facts.get("business_date"),
            "generation": facts["generation"],
            "settled_at": entry["at"],
            "box": box,
            "wagers": [(each["kind"], each["units"]) for each in wagers if each["box"] == box],
            "cards": " + ".join(cards for cards in both if cards) or None,
            "dealer": " ".join(dealer.get("cards", ())) or None,
            "replacement": dealer.get("replacement"),
            "category": outcomes.get(box, {}).get("category") or of_hand.get("class"),
            "outcome": payment["outcome"],
            "clauses": clauses if clauses is ABSENT else ", ".join(clauses) or None,
            **{name: payment[name] for name in ("staked", "returned", "paid", "net")},
        }


def _hand_history(asked):
    """Each box of each round as it was settled on a day; of a void round one row."""
    register, rows = asked.register, []
    voids = ({"round": ref, "outcome": "void", "clauses": clause} for ref, clause in register.voided.items())
    for hand in itertools.chain(register.hands, voids):
        ref = hand["round"]
        date = hand.get("day") or register.dates.get(register.rounds.get(ref))
        if date is None or date not in asked.period:
            continue
        chain, game, sheet, at = register.begun[ref]
        (by, number), code = register.opened[ref], register.codes.get(chain)
        wagers = [f"{kind} {_money(units, asked.decimals)}" for kind, units in hand.get("wagers", ())]
        rows.append(
            hand
            | {
                "date": date,
                "round": f"{code}-{number:05d}" if code else UNKNOWN,
                "table": chain,
                "game": game,
                "sheet": sheet[:8],
                "played_at": at,
                "croupier": by,
                "wagers": ", ".join(wagers) or None,
                "number": number,
            }
        )
    return rows


def _pace(asked):
    """How fast each table was played in each hour of the casino's clock in which it was open, or a round began."""
    register, hours = asked.register, {}

    def hour(date, table, at):
        local = at.astimezone(asked.clock.zone).replace(minute=0, second=0, microsecond=0)
        return hours.setdefault((date, table, local.isoformat()), {"games": set(), "sums": Counter()})

    for ref, steps in register.steps.items():
        opened, closed = steps.get("session.opened"), steps.get("session.closed")
        if opened and closed:
            begins, ends = _instant(opened["at"]), _instant(closed["at"])
            at = begins
            while at < ends:
                start = at.astimezone(asked.clock.zone).replace(minute=0, second=0, microsecond=0).astimezone(dt.UTC)
                until = min(ends, start + dt.timedelta(hours=1))
                # Of each end that lies in the hour the row may differ from its entry.
                slack = ((at == begins) + (until == ends)) * UNDER_WAY.seconds
                each = hour(register.dates[ref], opened["chain"], at)["sums"]
                each.update(seconds=(until - at).total_seconds(), slack=slack)
                at = until
    for ref, (chain, game, _, at) in register.begun.items():
        each = hour(register.dates.get(register.rounds[ref]), chain, _instant(at))
        settled = register.settled.get(ref)
        each["games"].add(game)
        is_void = int(ref in register.voided)
        each["sums"].update(rounds=1 - is_void, voids=is_void, settled=int(bool(settled)))
        each["sums"].update(boxes=len(settled[0].nets) if settled else 0)
    rows = []
    for (date, table, start), each in hours.items():
        sums, open_ = each["sums"], {}
        # A row of less than a microsecond says no pace.
        least, most = max(sums["seconds"] - sums["slack"], 1e-6), sums["seconds"] + sums["slack"]
        if sums["seconds"]:
            open_["pace"] = int(36_000 * sums["rounds"] / most), int(36_000 * sums["rounds"] / least) + 1, 1
        if sums["settled"]:
            # A half rounds up.
            open_ |= {"boxes": sums["boxes"]}
            open_["boxes_a_round"] = (20 * sums["boxes"] + sums["settled"]) // (2 * sums["settled"])
        rows.append(
            {
                "date": date,
                "table": table,
                "hour": start,
                "game": ", ".join(sorted(each["games"])) or None,
                "minutes": (int((sums["seconds"] - sums["slack"]) // 60), int(most // 60) + 1, 0),
                "rounds": sums["rounds"],
                "voids": sums["voids"],
                **open_,
            }
        )
    return [row for row in rows if row["date"]]


def _large_cash(asked):
    """The boxes whose buy-ins of a day come to the house's limit at the last of them, or more."""
    register, rows = asked.register, []
    for (date, table, box), entries in register.buy_ins.items():
        amounts = [entry["facts"]["transfer"]["units"] for entry in entries]
        passes = register.passes("large_cash_units", entries[-1]["at"])
        if sum(amounts) < passes:
            continue
        boxes = {entry["facts"]["drop_box"] for entry in entries}
        mounted = [register.steps[ref].get("drop_box.mounted") for ref in boxes]
        numbers = sorted({each["facts"]["number"] for each in mounted if each})
        rows.append(
            {
                "date": date,
                "table": table,
                "box": box,
                "units": sum(amounts),
                "bound": passes,
                "buy_ins": len(entries),
                "largest": max(amounts),
                "signed": sum(len(entry["facts"]["people"]) > 1 for entry in entries),
                "drop_boxes": UNKNOWN if None in mounted else ", ".join(numbers),
                "first_at": entries[0]["at"],
                "last_at": entries[-1]["at"],
            }
        )
    return rows


def _access_review(asked):
    """Who might do what at the end of the period, and what changed in it."""
    begins, ends = asked.clock.begins(asked.period.first), asked.clock.ends(asked.period.last)
    rows = []
    for ref, history in asked.register.people.items():
        entries = [entry for entry in history if entry["at"] < ends]
        if not any(entry["event"] == "staff.added" for entry in entries):
            continue
        within = [entry["event"] for entry in entries if entry["at"] >= begins]
        went = [entry["event"] for entry in entries if entry["event"] in {"staff.left", "staff.returned"}]
        has_left = went[-1:] == ["staff.left"]
        keys, postings = {}, []
        for entry in entries:
            facts = entry["facts"]
            if entry["event"] == "credential.added":
                keys[entry["subject"]] = facts["kind"]
            elif entry["event"] == "credential.removed":
                keys.pop(entry["subject"], None)
            elif entry["event"] == "staff.posted":
                postings.append([entry, None])
            elif entry["event"] == "staff.posting_ended":
                post = (facts["role"], facts.get("pit"))
                for each in postings:
                    if each[1] is None and (each[0]["facts"]["role"], each[0]["facts"].get("pit")) == post:
                        each[1] = entry
            elif entry["event"] == "staff.left":
                postings = [[posted, ended or entry] for posted, ended in postings]
        stood = [each for each in postings if each[1] is None or each[1]["at"] >= begins]
        changes = ", ".join(sorted({event for event in within if event != "staff.locked"})) or None
        if has_left and not stood and not changes:
            continue
        own = {"person": ref, "state": "left" if has_left else "working", "changes": changes}
        own |= {"passkeys": [*keys.values()].count("passkey"), "apps": [*keys.values()].count("app")}
        own |= {"lock_outs": within.count("staff.locked"), "number": _number(ref)}
        for posted, ended in stood or [(None, None)]:
            facts = posted["facts"] if posted else {}
            rows.append(
                {
                    **own,
                    "role": facts.get("role"),
                    "pit": facts.get("pit"),
                    **_step(posted, "posted", posted_by="requester", posted_with="approver"),
                    **_step(ended, "ended", ended_by="requester", ended_with="approver"),
                    "place": (posted or {}).get("seq"),
                }
            )
    return rows


class Form(NamedTuple):
    """A report: of which events it comes, and how its rows are worked out, each of which has its cells by the columns'
    names; the columns in their order with what each is; those by which a row is known, and what rows are ordered by.

    `by_clock`: its days are those of the clock, else those that are closed. `whole`: its rows are of all days together.
    `of_the_year`: they are of the year until its last day. `by_both`: its days are the clock's, and are closed.
    `every_action`: it comes of all that was entered of rounds, not of what two people signed alone.
    """

    events: frozenset
    rows: object
    key: tuple
    order: tuple
    columns: dict
    by_clock: bool = False
    whole: bool = False
    of_the_year: bool = False
    by_both: bool = False
    every_action: bool = False


FORMS = {
    "master-game": Form(
        frozenset({"round.opened"}),
        _master_game,
        ("date", "table"),
        ("date", "table"),
        {
            "date": DATE, "table": TABLE, "game": TEXT, "sessions": COUNT, "opener": UNITS, "fills": UNITS,
            "credits": UNITS, "closer": UNITS, "drop": UNITS, "buy_ins": UNITS, "win": UNITS, "hold": PERMILLE,
            "rake": UNITS, "tips": UNITS, "variance": UNITS,
        },
    ),
    "fills-and-credits": Form(
        _OF_SLIPS,
        _fills_and_credits,
        ("slip",),
        ("date", "slip"),
        {
            "date": DATE, "slip": TEXT, "kind": TEXT, "table": TABLE, "status": TEXT, "units": UNITS, "fill": UNITS,
            "credit": UNITS, "requested_at": TIME, "requested_by": STAFF, "issued_at": TIME, "issued_by": STAFF,
            "carried_by": STAFF, "received_at": TIME, "received_by": STAFF, "received_with": STAFF, "voided_at": TIME,
            "voided_by": STAFF, "approved_by": STAFF,
        },
    ),
    "slip-numbers": Form(
        _OF_SLIPS,
        _slip_numbers,
        ("slip",),
        ("date", "slip"),
        {
            "date": DATE, "slip": TEXT, "kind": TEXT, "table": TABLE, "status": TEXT, "units": UNITS,
            "voided_at": TIME, "voided_by": STAFF, "approved_by": STAFF,
        },
    ),
    "count-sheets": Form(
        _SESSIONS | {"slip.requested", "drop_box.mounted", "cage.opened", "count.entered"},
        _count_sheets,
        ("of", "part", "attempt", "place", "value"),
        ("date", "of", "part", "attempt", "place", "value"),
        {
            "date": DATE, "of": TEXT, "table": TABLE, "part": TEXT, "attempt": COUNT, "place": COUNT,
            "counted_at": TIME, "counted_by": STAFF, "value": UNITS, "number": COUNT, "units": UNITS, "sheet": UNITS,
        },
    ),
    "drop-boxes": Form(
        _OF_DROP_BOXES,
        _drop_boxes,
        ("session", "box"),
        ("date", "table", "place"),
        {
            "date": DATE, "table": TABLE, "box": TEXT, "session": TEXT, "status": TEXT, "seal": TEXT,
            "removed_seal": TEXT, "mounted_at": TIME, "mounted_by": STAFF, "mounted_with": STAFF, "removed_at": TIME,
            "removed_by": STAFF, "removed_with": STAFF, "counted_at": TIME, "counted_by": STAFF, "counted_with": STAFF,
            "recorded": UNITS, "counted": UNITS, "variance": UNITS,
        },
    ),
    "exceptions": Form(
        _EXCEPTIONS | {"round.acted", "series.closed", "count.agreed"},
        _exceptions,
        ("entry",),
        ("made_at", "chain", "seq"),
        {
            "date": DATE, "made_at": MOMENT, "what": TEXT, "table": TABLE, "subject": TEXT, "detail": TEXT,
            "clause": TEXT, "asked_by": STAFF, "approved_by": STAFF, "terminal": TEXT, "before": TEXT, "after": TEXT,
            "from_at": MOMENT, "entry": TEXT,
        },
        by_clock=True,
    ),
    "adjustments": Form(
        _OF_ROUNDS | {"dispute.ruled", "round.corrected", "movement.made"},
        _adjustments,
        ("subject", "generation"),
        ("date", "table", "place", "generation"),
        {
            "date": DATE, "of_date": DATE, "table": TABLE, "subject": TEXT, "generation": COUNT, "kind": TEXT,
            "units": UNITS, "cage": UNITS, "clause": TEXT, "made_at": TIME, "asked_by": STAFF, "approved_by": STAFF,
        },
    ),
    "statistics": Form(
        _OF_ROUNDS | _OF_SLIPS | _OF_DROP_BOXES | {"movement.made", "round.voided"},
        _statistics,
        ("table", "game"),
        ("table", "game"),
        {
            "date": DATE, "table": TABLE, "game": TEXT,
            **{
                f"{span}_{name}": kind
                for span in ("day", "month", "year")
                for name, kind in {
                    "drop": UNITS, "win": UNITS, "hold": PERMILLE, "rounds": COUNT, "stakes": UNITS,
                }.items()
            },
        },
        whole=True,
        of_the_year=True,
    ),
    "investigations": Form(
        frozenset({"case.opened", "case.moved", "case.decided"}),
        _investigations,
        ("case",),
        ("opened_at", "place"),
        {
            "date": DATE, "case": TEXT, "kind": TEXT, "table": TABLE, "subject": TEXT, "units": UNITS,
            "owned_by": STAFF, "opened_at": TIME, "due_at": MOMENT, "status": TEXT, "late": TEXT, "outcome": TEXT,
            "decided_at": TIME, "decided_by": STAFF, "approved_by": STAFF,
        },
        by_clock=True,
        whole=True,
    ),
    "chips-in-circulation": Form(
        _OF_ROUNDS | {"movement.made"},
        _chips_in_circulation,
        ("date",),
        ("date",),
        {
            "date": DATE,
            **dict.fromkeys(
                (
                    "issued", "cage", "floats", "transit", "rake", "circulation", "brought", "withdrawn", "sold",
                    "cashed",
                ),
                UNITS,
            ),
        },
    ),
    "daily-exceptions": Form(
        _OF_SLIPS
        | _OF_DROP_BOXES
        | {
            "alarm.raised", "cage.opened", "cage.closed", "case.opened", "finding.named", "login.failed",
            "round.corrected", "round.held", "round.opened", "round.voided", "staff.locked", "tips.counted",
        },
        _daily_exceptions,
        ("date", "kind", "subject"),
        ("date", "table", "kind", "subject", "place"),
        {
            "date": DATE, "table": TABLE, "kind": TEXT, "subject": TEXT, "found_at": TIME, "units": UNITS,
            "bound_units": UNITS, "number": COUNT, "bound": COUNT, "measure": TEXT, "one": STAFF, "other": STAFF,
            "case": TEXT,
        },
        by_clock=True,
        by_both=True,
    ),
    "access-review": Form(
        frozenset(_OF_PEOPLE),
        _access_review,
        ("person", "role", "pit"),
        ("number", "place"),
        {
            "person": STAFF, "state": TEXT, "role": TEXT, "pit": TABLE, "posted_at": TIME, "posted_by": STAFF,
            "posted_with": STAFF, "ended_at": TIME, "ended_by": STAFF, "ended_with": STAFF, "passkeys": COUNT,
            "apps": COUNT, "lock_outs": COUNT, "changes": TEXT,
        },
        by_clock=True,
        whole=True,
    ),
    "disputes": Form(
        _OF_ROUNDS | {"dispute.raised", "dispute.ruled", "dispute.closed", "case.opened", "case.moved"},
        _disputes,
        ("dispute",),
        ("raised_at", "place"),
        {
            "date": DATE, "dispute": TEXT, "number": TEXT, "table": TABLE, "round": TEXT, "boxes": TEXT,
            "about": TEXT, "status": TEXT, "raised_at": TIME, "raised_by": STAFF, "due_at": MOMENT, "late": TEXT,
            "ruling": TEXT, "clause": TEXT, "ruled_at": TIME, "ruled_by": STAFF, "approved_by": STAFF, "paid": UNITS,
            "collected": UNITS, "closed_at": TIME,
        },
        by_clock=True,
        whole=True,
    ),
    "alarms": Form(
        frozenset({"alarm.raised", "alarm.taken", "alarm.over"}),
        _alarms,
        ("alarm",),
        ("raised_at", "place"),
        {
            "date": DATE, "alarm": TEXT, "kind": TEXT, "reason": TEXT, "table": TABLE, "box": COUNT, "subject": TEXT,
            "value": COUNT, "units": UNITS, "bound": COUNT, "bound_units": UNITS, "raised_at": TIME,
            "raised_by": STAFF, "taken_at": TIME, "taken_by": STAFF, "until_taken": SECONDS, "over_at": TIME,
            "until_over": SECONDS,
        },
        by_clock=True,
        whole=True,
    ),
    "payments": Form(
        _OF_ROUNDS,
        _payments_by_category,
        ("game", "sheet", "category", "outcome"),
        ("game", "digest", "category", "outcome"),
        {
            "game": TEXT, "sheet": TEXT, "category": TEXT, "outcome": TEXT, "hands": COUNT, "share": PERMILLE,
            "per_million": COUNT, "staked": UNITS, "returned": UNITS, "paid": UNITS, "net": UNITS,
        },
        whole=True,
    ),
    "pace": Form(
        _OF_ROUNDS | {"round.voided"},
        _pace,
        ("date", "table", "hour"),
        ("date", "table", "hour"),
        {
            "date": DATE, "table": TABLE, "hour": TEXT, "game": TEXT, "minutes": RANGE, "rounds": COUNT,
            "voids": COUNT, "pace": RANGE, "boxes": COUNT, "boxes_a_round": PERMILLE,
        },
        by_clock=True,
        by_both=True,
    ),
    "dealer-errors": Form(
        _OF_ROUNDS | {"round.acted", "round.voided", "dispute.ruled"},
        _dealer_errors,
        ("staff",),
        ("number",),
        {
            "staff": STAFF, "rounds": COUNT, "undone": COUNT, "amended": COUNT, "voids": COUNT, "void_clauses": TEXT,
            "corrections": COUNT, "upheld": COUNT, "errors": COUNT, "rate": PERMILLE,
        },
        by_clock=True,
        whole=True,
        by_both=True,
        every_action=True,
    ),
    "large-cash": Form(
        _OF_DROP_BOXES | {"movement.made"},
        _large_cash,
        ("date", "table", "box"),
        ("date", "table", "box"),
        {
            "date": DATE, "table": TABLE, "box": COUNT, "units": UNITS, "bound": UNITS, "buy_ins": COUNT,
            "largest": UNITS, "signed": COUNT, "drop_boxes": TEXT, "first_at": TIME, "last_at": TIME,
        },
    ),
    "hand-history": Form(
        _OF_ROUNDS | {"round.closed", "round.corrected", "round.voided"},
        _hand_history,
        ("round", "generation", "box"),
        ("date", "table", "number", "generation", "box"),
        {
            "date": DATE, "round": TEXT, "table": TABLE, "game": TEXT, "sheet": TEXT, "generation": COUNT,
            "played_at": TIME, "settled_at": TIME, "croupier": STAFF, "box": COUNT, "wagers": TEXT, "cards": TEXT,
            "dealer": TEXT, "replacement": TEXT, "category": TEXT, "outcome": TEXT, "clauses": TEXT, "staked": UNITS,
            "returned": UNITS, "paid": UNITS, "net": UNITS,
        },
    ),
}  # fmt: skip


class Filed:
    """The file of a report as a strict reader has it: rows of (line, cells by column), without the marks of texts.

    :raises Malformed: if it is none.
    """

    def __init__(self, path):
        self.name = safe(Path(path).name)
        with opened(path) as file:
            data = file.read()
        self.digest = hashlib.sha256(data).hexdigest()
        reader = csv.reader(io.StringIO(text_of(data, self.name), newline=""), strict=True)
        try:
            header = next(reader, [])
            self.rows = [(reader.line_num, row) for row in reader]
        except csv.Error as error:
            raise Malformed(f"{self.name} line {reader.line_num} is no CSV: {error}.") from None
        self.report = next((name for name, form in FORMS.items() if [*form.columns] == header), None)
        if self.report is None:
            raise Malformed(f"{self.name} has the columns of no report: {safe(','.join(header))}.")
        self.form = FORMS[self.report]
        kinds, decimals = self.form.columns.values(), Counter()
        for line, row in self.rows:
            if len(row) != len(header):
                raise Malformed(f"{self.name} line {line} has {plural(len(row), 'cell')}, and not {len(header)}.")
            for cell, kind in zip(row, kinds, strict=True):
                match = _CELL_MONEY.fullmatch(cell) if kind == UNITS else None
                if match:
                    decimals[len(match[1] or "")] += 1
        self.rows = [
            (
                line,
                {
                    name: _unmarked(cell, kind)
                    for (name, kind), cell in zip(self.form.columns.items(), row, strict=True)
                },
            )
            for line, row in self.rows
        ]
        # How many decimals the currency has, which all amounts but those that are changed agree on.
        self.decimals = decimals.most_common(1)[0][0] if decimals else 2

    def period(self, given):
        """The days that it is of by its name, else those that are given."""
        head, tail = f"{self.report}-", ".csv"
        if self.name.startswith(head) and self.name.endswith(tail):
            return period_of(self.name[len(head) : -len(tail)])
        return given


def _unmarked(cell, kind):
    """A text is behind ' where a spreadsheet would make something of it."""
    return cell[1:] if kind in {TEXT, TABLE} and cell.startswith("'") else cell


def period_of(text):
    """
    >>> print(period_of("2026-02"), period_of("2026-11-21"), period_of("2026-11-01..2026-11-15"), period_of("2026-13"))
    2026-02-01 to 2026-02-28 2026-11-21 2026-11-01 to 2026-11-15 None
    """
    first, dots, last = text.partition("..")
    spans = [_span(first), _span(last if dots else first)]
    if None in spans or spans[0][0] > spans[1][1]:
        return None
    return Period(spans[0][0], spans[1][1])


def _span(text):
    """The first and the last day of a day, a month or a year; None if it is none."""
    match = _PERIOD.fullmatch(text)
    first, last = (
        ("-01-01", "-12-31") if match and not match[2] else ("-01", "") if match and not match[3] else ("", "")
    )
    if not match or not _is_day(text + first):
        return None
    if match[2] and not match[3]:
        next_month = dt.date.fromisoformat(f"{text}-01") + dt.timedelta(31)
        return f"{text}-01", (next_month.replace(day=1) - dt.timedelta(1)).isoformat()
    return text + first, text + last


class Comparison:
    """A file, held against what the export says."""

    def __init__(self, filed, period, register, days, clock):
        self.filed, self.period, self.register, self.days, self.clock = filed, period, register, days, clock
        self.codes, self.differences, self.unchecked, self.open = dict(register.codes), [], [], set()
        self.absent = set()
        self.given = None
        # Whether tables may have codes that this export does not say.
        self.is_partly = False

    def run(self):
        form = self.filed.form
        self._find_given()
        first = self.period.last[:4] + "-01-01" if form.of_the_year else self.period.first
        asked = Period(first, self.period.last).days()
        lacking = [] if form.by_clock and not self.clock else [day for day in asked if not self._has(day)]
        if form.by_clock and not self.clock:
            self._leave("which entries its days have: give the casino's --clock")
        if lacking:
            some = f"{lacking[0]} to {lacking[-1]}" if len(lacking) > 1 else lacking[0]
            self._leave(f"this export has not all of {some}: ask for a newer one, of everything")
        if (form.whole and lacking) or ((form.whole or form.by_both) and form.by_clock and not self.clock):
            return
        made = form.rows(Asked(self.register, self.days, self.clock, self.period, self.filed.decimals))
        rows = made if form.whole else [row for row in made if self._is_asked(row, lacking)]
        if form.by_clock and not self.clock:
            rows = self._between(rows)
        self._learn_codes(rows)
        rows = [row for row in rows if not row.get("table") or row["table"] in self.codes]
        rows.sort(key=lambda row: [self._rank(row.get(name), name) for name in form.order])
        self._hold(rows, lacking)
        if self.open:
            some = ", ".join(sorted(self.open))
            self._leave(f"this export has not all that {some} come of: ask for one of everything")

    def _find_given(self):
        """What the log says of files of this report and period, and of this very file."""
        name, what = self.filed.name, f"{self.filed.report} of {self.period}"
        others, elsewhere = [], []
        for entry in self.register.given:
            facts, place = entry["facts"], f"{entry['chain']} {entry['seq']}"
            is_same = (facts["what"], period_of(facts["period"])) == (self.filed.report, self.period)
            if facts["digest"] == self.filed.digest and is_same:
                self.given = self.given or f"made for {entry['by']} at {entry['at']} ({place})"
            elif facts["digest"] == self.filed.digest:
                # Files of other days may have the same bytes: those of no activity have.
                elsewhere.append(f", but for that of {safe(facts['what'])} of {safe(facts['period'])} ({place})")
            elif is_same:
                others.append(f"the file of {what} that was made has {safe(facts['digest'])} ({place})")
        if self.given is None and others:
            self.differences.append(f"{name}: its SHA-256 is {self.filed.digest}, and {others[0]}.")
        elif self.given is None:
            known = "".join(elsewhere[:1])
            self._leave(f"the log here has no report.made with its SHA-256, {self.filed.digest}{known}")

    def _has(self, date):
        """Whether the export has all of a day."""
        claim, newest = self.days.claim, max(self.days.ends.values(), default="")
        if claim.kind == "table":
            return False
        if self.filed.form.by_clock:
            begins, ends = (claim.begins, claim.ends) if claim.kind == "period" else ("", newest)
            if (begins and self.clock.date(_instant(begins)) >= date) or self.clock.date(_instant(ends)) <= date:
                return False
            if not self.filed.form.by_both:
                return True
        begun = [day for day in self.days.days.values() if day.begun and day.begun.at >= claim.begins]
        if claim.kind == "period" and not any(day.date < date for day in begun):
            return False
        day = self.days.days.get(date)
        if day and (day.begun or day.closed):
            return self.days.is_closed(day)
        return any(day.date > date for day in begun) or self.given is not None

    def _is_asked(self, row, lacking):
        return row["date"] is UNKNOWN or (row["date"] in self.period and row["date"] not in lacking)

    def _between(self, rows):
        """Without the casino's clock, only the rows between the first and the last of the file."""
        listed = {tuple(cells[name] for name in self.filed.form.key) for _, cells in self.filed.rows}
        places = [place for place, row in enumerate(rows) if self._key(row) in listed]
        return rows[places[0] : places[-1] + 1] if places else []

    def _learn_codes(self, rows):
        """The codes of tables that were added before this export begins: each the one whose rows are the table's."""
        known, alike = set(self.codes.values()), Counter()
        lacking = {row["table"] for row in rows if row.get("table")} - self.codes.keys()
        if not lacking:
            return
        self.is_partly = True
        columns = [name for name, kind in self.filed.form.columns.items() if kind not in {TABLE, TIME, NOWHERE}]
        codes = defaultdict(set)
        for _, cells in self.filed.rows:
            codes[tuple(cells[name] for name in columns)].add(cells["table"])
        for row in rows:
            if row.get("table") in lacking:
                for code in codes[tuple(self._spelled(row, name) for name in columns)] - known - {""}:
                    alike[row["table"], code] += 1
        for (table, code), _ in alike.most_common():
            if table not in self.codes and code not in self.codes.values():
                self.codes[table] = code
        self._leave("which table has which code, taken from the rows that agree: ask for an export of everything")

    def _rank(self, value, name):
        if value is None:
            return "" if self.filed.form.columns.get(name) in {TABLE, TEXT} else -1
        return self.codes.get(value, "") if name == "table" else value

    def _hold(self, rows, lacking):
        """Each line of the file against its row."""
        form, name = self.filed.form, self.filed.name
        places, known, last, behind = defaultdict(deque), set(), -1, None
        for place, row in enumerate(rows):
            places[self._key(row)].append(place)
        for line, cells in self.filed.rows:
            if cells.get("date") in lacking:
                continue
            key = tuple(cells[column] for column in form.key)
            if not places[key] and self.is_partly and cells["table"] not in {"", *self.codes.values()}:
                self.open.add("table")
                continue
            if not places[key]:
                what = "stands there once too often" if key in known else "is not what this export has"
                self.differences.append(f"{name} line {line}: {_called(form, key)} {what}.")
                continue
            known.add(key)
            place = places[key].popleft()
            if place < last:
                self.differences.append(
                    f"{name} line {line}: {_called(form, key)} stands behind line {behind}, before which it belongs."
                )
            else:
                last, behind = place, line
            self._compare(line, cells, rows[place])
        for place in sorted(place for left in places.values() for place in left):
            key = self._key(rows[place])
            self.differences.append(f"{name}: {_called(form, key)} is missing, and this export has it.")

    def _compare(self, line, cells, row):
        for column, kind in self.filed.form.columns.items():
            if kind == NOWHERE:
                continue
            if row.get(column) is ABSENT:
                self.absent.add(column)
            elif row.get(column) is UNKNOWN:
                # Without the clock its days are left out already.
                self.open |= {column} - {"date"}
            elif not self._agrees(cells[column], row.get(column), kind):
                stands, says = _shown(cells[column]), _shown(self._spelled(row, column))
                where = f"{self.filed.name} line {line}, {column}"
                self.differences.append(f"{where}: {stands} stands there, and the export says {says}.")

    def _agrees(self, cell, value, kind):
        if value is not None and kind == RANGE:
            least, most, decimals = value
            match = _CELL_MONEY.fullmatch(cell)
            is_one = match is not None and len(match[1] or "") == decimals
            return is_one and least <= int(cell.replace(".", "")) <= most
        if value is not None and kind == SECONDS and _CELL_SECONDS.fullmatch(cell):
            return abs(int(cell) - value) <= (UNDER_WAY + _SECOND).seconds
        if value is None or kind not in {TIME, MOMENT}:
            return cell == self._text(value, kind)
        at = _cell_time(cell)
        if at is None or (self.clock and at.astimezone(self.clock.zone).utcoffset() != at.utcoffset()):
            return False
        # A file has no fractions of a second.
        difference = _instant(value) - at
        return dt.timedelta(0) <= difference < _SECOND if kind == MOMENT else abs(difference) <= UNDER_WAY + _SECOND

    def _key(self, row):
        return tuple(self._spelled(row, name) for name in self.filed.form.key)

    def _spelled(self, row, column):
        """A cell as the file would have it; a time as the log has it."""
        return self._text(row.get(column), self.filed.form.columns[column])

    def _text(self, value, kind):
        if value is None or value is UNKNOWN or value is ABSENT:
            return ""
        if kind == UNITS:
            return _money(value, self.filed.decimals)
        if kind == PERMILLE:
            return _money(value, 1)
        if kind == RANGE:
            return f"{_money(value[0], value[2])} to {_money(value[1], value[2])}"
        if kind == STAFF:
            return f"Staff {_number(value)}"
        return self.codes.get(value, "") if kind == TABLE else str(value)

    def _leave(self, sentence):
        self.unchecked.append(sentence)

    def result(self):
        """For people and programs."""
        absent = [name for name, kind in self.filed.form.columns.items() if kind == NOWHERE]
        absent += [f"{name} of some rows" for name in sorted(self.absent)]
        if UNITS in self.filed.form.columns.values():
            absent.append(f"the currency's decimals (the file has {self.filed.decimals})")
        if not self.clock and {TIME, MOMENT} & set(self.filed.form.columns.values()):
            absent.append("the casino's clock (times are held to their instants alone; --clock)")
        return {
            "file": self.filed.name,
            "report": self.filed.report,
            "period": str(self.period),
            "rows": len(self.filed.rows),
            "digest": self.filed.digest,
            "given": self.given,
            "differences": self.differences,
            "not_checked": self.unchecked,
            "not_in_the_log": absent,
        }


def _called(form, key):
    """
    >>> _called(FORMS["fills-and-credits"], ("F-2026-000001",))
    'the row of slip F-2026-000001'
    """
    return f"the row of {', '.join(f'{name} {_shown(cell)}' for name, cell in zip(form.key, key, strict=True))}"


def _shown(cell):
    return safe(cell) if cell else "nothing"


def _money(units, decimals):
    """
    >>> _money(-5, 2), _money(123450, 2), _money(7, 0)
    ('-0.05', '1234.50', '7')
    """
    digits = f"{abs(units):0{decimals + 1}d}"
    cut = len(digits) - decimals
    return f"{'-' * (units < 0)}{digits[:cut]}{'.' * (decimals > 0)}{digits[cut:]}"


def _cell_time(cell):
    """The instant of a cell, None if it is none."""
    try:
        return dt.datetime.fromisoformat(cell) if _CELL_TIME.fullmatch(cell) else None
    except ValueError:
        return None


def check_reports(options, verified, days, report):
    """Hold each file that is given against the entries."""
    files = [Filed(path) for path in options.report]
    asked = []
    for filed in files:
        period = filed.period(options.period)
        if period is None:
            raise Malformed(f"{filed.name} does not say of which days it is: say so with --period.")
        asked.append((filed, period))
    events = _OF_ALL.union(*(filed.form.events for filed in files))
    all_of = {b"round.acted"} if any(filed.form.every_action for filed in files) else ()
    register = read_register(options.folder, verified, events, all_of)
    for filed, period in asked:
        comparison = Comparison(filed, period, register, days, options.clock)
        try:
            comparison.run()
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            what = f"{filed.report} can't be worked out: an entry that it comes of has not the form of one"
            raise Difference(f"{filed.name}: {what}.") from error
        report.reports.append(comparison.result())
    differences = [sentence for result in report.reports for sentence in result["differences"]]
    for sentence in differences:
        report.tamper(sentence)
    for result in report.reports:
        if result["not_checked"]:
            report.uncover(f"{result['file']}: {'; '.join(result['not_checked'])}.")
    report.look("reports", f"{plural(len(files), 'file')}, {plural(len(differences), 'difference')}")


# What lines of these events have that reports tell of; most have it not.
_HAVE = {b"round.acted": b'"approver":', b"series.closed": b'"approver":', b"count.agreed": b'"reason":'}


def read_register(folder, verified, events, all_of=()):
    """What entries of some events tell reports, in one reading.

    :param all_of: the events of which each entry is taken.

    :raises Difference: for an entry that has not the form of one.
    """
    register, begins = Register(), _lines_of(events).match
    have = {event: text for event, text in _HAVE.items() if event not in all_of}
    with opened(folder / "entries.jsonl") as file:
        for number, line in enumerate(file, 1):
            head = begins(line)
            if head and number not in verified.entries.bad and have.get(head[1], b"") in line:
                with _at_line(number):
                    register.take(json.loads(line))
    return register


def report_lines(result):
    """What came of a file, for people."""
    differences, rows = result["differences"], plural(result["rows"], "row")
    given = result["given"] or "not known to have been made"
    yield f"Report {result['file']}, {result['report']} of {result['period']}: {rows}, {given}."
    yield f"  {plural(len(differences), 'difference')}."
    yield from (f"  {sentence}" for sentence in differences[:MOST_SAID])
    if len(differences) > MOST_SAID:
        yield f"  And {len(differences) - MOST_SAID:,} more."
    yield from (f"  Not checked: {sentence}." for sentence in result["not_checked"])
    if result["not_in_the_log"]:
        yield f"  Not in the log: {', '.join(result['not_in_the_log'])}."


# Signatures
#
# A second person signs a command of somebody. What the passkey signed stands in the log right before what came of it,
# and is checked here from the export alone (WebAuthn level 2, 7.2).

GIVEN = "signature.given"
BY_PASSWORD = "signature_by_password"  # noqa: S105 - the name of a setting
SLACK = dt.timedelta(minutes=1)
"""A passkey is proved a moment before the entry is written, and chains are written beside each other."""
PRESENT, USER_VERIFIED = 0x01, 0x04
_PROOF = ("credential", "public_key", "client_data", "authenticator_data", "signature")
_TEXTS = {"login", "question", "reason", "word"}
# By what the words of a command's path say: the kind of thing that its number names, and what comes of it first.
_COMES_OF = {
    "rounds.actions": ("round", {"round.acted"}),
    "rounds.undo": ("round", {"round.acted"}),
    "rounds.amend": ("round", {"round.acted"}),
    "rounds.release": ("round", {"round.released"}),
    "rounds.void": ("round", {"round.voided"}),
    "rounds.corrections": ("round", {"round.corrected"}),
    "rounds.left": ("round", {"payment.left"}),
    "disputes.rule": ("dispute", {"dispute.ruled", "round.corrected"}),
    "cases.decide": ("case", {"case.decided"}),
    "tables.paper-rounds": ("table", {"round.opened"}),
    "tables.series.end": ("table", {"series.closed"}),
    "tables.drop-boxes": ("table", {"drop_box.mounted"}),
    "tables.buy-ins": ("table", {"movement.made"}),
    "sessions.counts": ("session", {"count.entered"}),
    "sessions.sign": ("session", {"count.agreed"}),
    "sessions.resume": ("session", {"session.resumed"}),
    "slips.counts": ("slip", {"count.entered"}),
    "slips.return": ("slip", {"movement.made", "slip.returned"}),
    "slips.void": ("slip", {"slip.voided"}),
    "drop-boxes.remove": ("drop_box", {"drop_box.removed"}),
    "drop-boxes.counts": ("drop_box", {"count.entered"}),
    "drop-boxes.sign": ("drop_box", {"count.agreed"}),
    "tips.counts": ("", {"count.entered"}),
    "tips.sign": ("", {"count.agreed"}),
    "cage.shifts.movements": ("", {"movement.made"}),
    "cage.shifts.counts": ("cage_shift", {"count.entered"}),
    "cage.shifts.sign": ("cage_shift", {"count.agreed"}),
    "days.close": ("day", {"day.closed"}),
    "settings": ("", {"setting.changed"}),
    "settings.withdraw": ("setting", {"setting.changed"}),
    "report-files.prune": ("", {"report.pruned"}),
    "report-tokens": ("report_token", {"report_token.given"}),
    "report-tokens.end": ("report_token", {"report_token.ended"}),
    "sheets.in-force": ("", {"table.sheet_set"}),
    "sheets.withdraw": ("", {"table.sheet_withdrawn"}),
    "staff": (
        "staff",
        {"staff.added", "staff.posted", "staff.posting_ended", "staff.left", "staff.returned", "staff.code_given"}
        | {"credential.removed", "case.moved"},
    ),
    "staff.postings": ("staff", {"staff.posted"}),
    "staff.leave": ("staff", {"staff.left", "credential.removed", "case.moved"}),
    "staff.return": ("staff", {"staff.returned"}),
    "staff.codes": ("staff", {"staff.code_given"}),
    "postings.end": ("", {"staff.posting_ended"}),
}


# What comes of a command behind that, and names its second person too.
_GOES_ON = {
    "disputes.rule": {"dispute.ruled", "case.decided"},
    "sessions.sign": {"count.agreed", "movement.made", "session.opened", "session.closed"},
    "slips.return": {"slip.returned"},
    "drop-boxes.sign": {"movement.made", "drop_box.counted"},
    "tips.sign": {"movement.made", "tips.counted"},
    "cage.shifts.sign": {"movement.made", "cage.closed"},
    "staff": {"staff.posted", "staff.left", "staff.code_given", "credential.removed", "recovery_codes.ended"},
    "staff.leave": {"staff.left", "credential.removed", "recovery_codes.ended"},
    "staff.return": {"staff.code_given"},
}
# What two people have a part in, each by a command of their own: a slip, and a round from paper that is settled later.
_UNSIGNED = ("slip:", "round:")


def _about(entry):
    """What is counted or moved; of all else nothing."""
    if entry["event"] == "count.agreed":
        return entry["facts"]["of"]
    return entry["facts"]["transfer"]["key"] if entry["event"] == "movement.made" else ""


def second_of(entry):
    """Who signed the command that an entry comes of, by its facts; None if nobody else had to."""
    facts = entry["facts"]
    people = facts.get("signers", facts.get("people"))
    if "approver" in facts:
        second = facts["approver"]
    elif type(people) is list and len(people) == 2 and not _about(entry).startswith(_UNSIGNED):
        second = people[1]
    else:
        second = None
    return None if second == entry["by"] else second


class Given(NamedTuple):
    """A signature, as far as others of the export have to agree with it."""

    line: int
    at: str
    chain: str
    requester: str
    signer: str
    key: str
    command: str
    credential: str | None
    public_key: str | None
    host: str | None


def cose_key(data):
    """A passkey's public key out of its form (COSE, RFC 9052): (-7, x and y) of P-256 or (-8, the key) of Ed25519.

    None of anything else.
    """
    try:
        fields, rest = _cbor(data)
    except (IndexError, ValueError):
        return None
    if rest or type(fields) is not dict:
        return None
    x, y = fields.pop(-2, None), fields.pop(-3, None)
    sized = [type(each) is bytes and len(each) == 32 for each in (x, y)]
    if fields == {1: 2, 3: -7, -1: 1} and all(sized):
        return -7, x + y
    return (-8, x) if fields == {1: 1, 3: -8, -1: 6} and sized[0] and y is None else None


def _cbor(data):
    """The first value of CBOR and what follows it: whole numbers, bytes, and objects of them (RFC 8949).

    :raises ValueError: if it is anything else.
    """
    kind, size, rest = data[0] >> 5, data[0] & 31, data[1:]
    if size == 24:
        size, rest = rest[0], rest[1:]
    elif size > 24:
        raise ValueError(size)
    if kind in {0, 1}:
        return (-1 - size if kind else size), rest
    if kind == 2 and len(rest) >= size:
        return rest[:size], rest[size:]
    if kind != 5:
        raise ValueError(kind)
    fields = {}
    for _ in range(size):
        name, rest = _cbor(rest)
        value, rest = _cbor(rest)
        if type(name) is not int or name in fields:
            raise ValueError(name)
        fields[name] = value
    return fields, rest


def words_of(path):
    """What a command does, by the words of its path, and the numbers there: `rounds.void` and 81."""
    words = path.removeprefix("/api/v1").strip("/").split("/")
    return ".".join(word for word in words if not word.isdigit()), [word for word in words if word.isdigit()]


def given(line, entry, effect):
    """A signature by itself, and what came of it.

    :param effect: the entry behind it in its chain, None if that can't be read.
    :returns: `Given`.
    :raises Difference: if the passkey did not sign this command, or what follows is not what comes of it.
    """
    facts, command, signer = entry["facts"], entry["facts"]["command"], entry["facts"]["signer"]
    named = [facts[name] for name in ("requester", "signer", "key", "verb", "method")]
    if any(type(each) is not str for each in (*named, facts.get("credential", ""))):
        raise ValueError("it names something that is no text")
    what = f"The signature of {safe(signer)} about {safe(entry['subject'])}"
    _same(f"{what}, who signed", signer, entry["by"], "the entry is by")
    if not is_object(command, "body", "key", "method", "path", "requester") or command["method"] != "POST":
        raise Difference(f"{what} is under no command.")
    _same(f"{what}, who asked", facts["requester"], command["requester"], "the command says")
    verb, numbers = words_of(command["path"])
    _same(f"{what}, its verb", facts["verb"], verb, "the path says")
    _same(f"{what}, its key", facts["key"], command["key"], "the command has")
    # The name of a setting is nobody's.
    for name in (_TEXTS | {"name"} if verb == "staff" and not numbers else _TEXTS) & command["body"].keys():
        if type(command["body"][name]) is str and command["body"][name]:
            raise Difference(f"{what} has its {name} in clear, where the hash of it belongs.")
    if effect is not None:
        _comes_of(what, entry, effect, verb, numbers)
    text, host = encode(command), None
    if facts["method"] == "passkey":
        host = _proved(what, facts, text)
    elif facts["method"] != "password" or any(name in facts for name in _PROOF):
        raise Difference(f"{what} is by neither passkey nor password.")
    digest = hashlib.sha256(text.encode()).hexdigest()
    about = (facts["requester"], signer, facts["key"], digest, facts.get("credential"), facts.get("public_key"), host)
    return Given(line, entry["at"], entry["chain"], *about)


def _comes_of(what, entry, effect, verb, numbers):
    """What came of a command: in one transaction with it, about what it named, and with its signer."""
    _same(f"{what}, what follows it", effect["subject"], entry["subject"], "it is about")
    _same(f"{what}, when that happened", effect["at"], entry["at"], "it was given")
    if verb not in _COMES_OF:
        raise Difference(f"{what} is under {safe(verb)}, which nobody signs.")
    kind, events = _COMES_OF[verb]
    if effect["event"] not in events:
        raise Difference(f"{what} is under {safe(verb)}, and {safe(effect['event'])} follows it.")
    of, _, number = effect["subject"].partition(":")
    if kind == "table":
        of, number = "table", entry["chain"].removeprefix("table:")
    if of == kind and numbers and numbers[0] != number:
        raise Difference(f"{what} is under a command about another {safe(kind)}.")
    if verb == "sheets.in-force" and number not in map(str, entry["facts"]["command"]["body"]["tables"]):
        raise Difference(f"{what} is under a command about other tables.")
    people = [effect["by"], *effect["facts"].values()]
    people += itertools.chain.from_iterable(each for each in people if type(each) is list)
    if second_of(effect) not in {None, entry["by"]}:
        raise Difference(f"{what}: what follows it names another second person.")
    # What somebody counts at another's terminal, with a signature, is theirs alone.
    if entry["by"] not in people or (effect["by"] != entry["by"] and entry["facts"]["requester"] not in people):
        raise Difference(f"{what}: what follows it names somebody else.")


def _proved(what, facts, text):
    """The host for which a passkey signed a command.

    :raises Difference: if it did not.
    """
    key, client, data, signature = (unbase64url(facts[name]) for name in _PROOF[1:])
    if None in (key, client, data, signature):
        raise Difference(f"{what} is not in base64url.")
    said = json.loads(client, object_pairs_hook=_once)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
    if said["type"] != "webauthn.get" or said["challenge"] != challenge or said.get("crossOrigin", False) is not False:
        raise Difference(f"{what}: the passkey was asked for something else than this command.")
    page = _PAGE.fullmatch(said["origin"])
    host = page and (page[1] or page[2])
    if host is None or data[:32] != hashlib.sha256(host.encode()).digest():
        raise Difference(f"{what}: the passkey signed for a page of another host.")
    if len(data) < 37 or data[32] & (PRESENT | USER_VERIFIED) != PRESENT | USER_VERIFIED:
        raise Difference(f"{what}: the passkey did not verify who held it.")
    algorithm, public = cose_key(key) or (None, b"")
    proves = {-7: verify_p256, -8: verify_signature}.get(algorithm)
    if proves is None or not proves(public, data + hashlib.sha256(client).digest(), signature):
        raise Difference(f"{what} is not by the key that it names.")
    return host


_PAGE = re.compile(r"https://([a-z0-9.-]+)(?::[0-9]{1,5})?|http://(localhost)(?::[0-9]{1,5})?")


def _once(pairs):
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is there twice")
    return fields


def signed(batch):
    """What the signatures of a batch of (line, entry, effect) are, and the first fault or None."""
    done = []
    for line, entry, effect in batch:
        try:
            done.append(given(line, json.loads(entry), effect and json.loads(effect)))
        except Difference as error:
            return done, (line, str(error))
        except Exception as error:
            return done, (line, f"A signature has not the form of one: {safe(error)}.")
    return done, None


class Signatures:
    """Follows whose key signs, until when the house takes passwords, and under which keys of commands people signed."""

    def __init__(self, claim):
        self.knows_all = claim.kind == "all"
        self.credentials, self.removed, self.settings, self.used = {}, {}, {}, {}
        self.by_passkey = self.by_password = self.unknown = 0

    def take(self, entry):
        """A passkey that was added or removed, or the setting of signatures by password."""
        facts, ref = entry["facts"], entry["subject"]
        if entry["event"] == "credential.added":
            self.credentials[ref] = entry["at"], facts["staff"], facts.get("public_key"), facts.get("host")
        elif entry["event"] == "credential.removed":
            self.removed[ref] = entry["at"]
        elif facts["what"] != BY_PASSWORD:
            return
        elif "after" not in facts:
            self.settings.pop(ref, None)
        elif is_time(facts["from"]) and type(facts["after"]) is int and facts["after"] in {0, 1}:
            self.settings[ref] = facts["from"], facts["after"]
        else:
            raise TypeError(facts)

    def judge(self, each):
        """:raises Difference: if a signature does not fit the rest of the export."""
        what = f"entries.jsonl line {each.line}: the signature of {safe(each.signer)}"
        begun, chains = self.used.setdefault((each.requester, each.key), (each, set()))
        alike = (begun.command, begun.signer) == (each.command, each.signer)
        if each.chain in chains or not alike or _after(begun.at, each.at) or _after(each.at, begun.at):
            raise Difference(f"{what} is under a key that was used before.")
        chains.add(each.chain)
        if each.credential is None:
            self._by_password(each, what)
        else:
            self._by_passkey(each, what)

    def _by_password(self, each, what):
        self.by_password += 1
        if self.takes_none(each.at):
            raise Difference(f"{what} is by password, which the house took no more.")

    def takes_none(self, at):
        """Whether the house surely took no password then; what began or ended within a minute of it is not sure."""
        begun = [setting for setting in sorted(self.settings.values()) if not _after(setting[0], at)]
        surely = [setting for setting in begun if _after(at, setting[0])]
        return bool(surely) and not any(after for _, after in begun[len(surely) - 1 :])

    def _by_passkey(self, each, what):
        self.by_passkey += 1
        if each.credential not in self.credentials:
            self.unknown += 1
            if self.knows_all:
                raise Difference(f"{what} is by {safe(each.credential)}, which nobody added.")
            return
        added, *of = self.credentials[each.credential]
        if of != [each.signer, each.public_key, each.host]:
            raise Difference(f"{what} is not by {safe(each.credential)} as that was added.")
        removed = self.removed.get(each.credential)
        if _after(added, each.at) or (removed and _after(each.at, removed)):
            raise Difference(f"{what} is by {safe(each.credential)} at a time when that did not count.")


def _after(at, other):
    """Whether an instant is surely after another, which may stand in another chain."""
    return _instant(at) > _instant(other) + SLACK


def _instant(at):
    return dt.datetime.fromisoformat(at.replace("Z", "+00:00"))


_OF_SIGNATURES = re.compile(
    rb'\{"at":"[^"]*","by":"[^"]*","chain":"([^"]*)",'
    rb'"event":"(signature\.given|credential\.added|credential\.removed|setting\.changed)"'
)
_CHAIN_OF = re.compile(rb'\{"at":"[^"]*","by":"[^"]*","chain":"([^"]*)"')
_AT_ONCE = 200


def follow_signatures(folder, verified, crew, report):
    """Check each signature under a command, by the export alone."""
    signatures, asked, batch, waiting, faults = Signatures(verified.claim), [], [], {}, []

    def hand_over(least):
        while len(batch) >= least:
            asked.append(crew.do(signed, batch[:_AT_ONCE]))
            del batch[:_AT_ONCE]

    with opened(folder / "entries.jsonl") as file:
        for number, line in enumerate(file, 1):
            if number in verified.entries.bad:
                continue
            if waiting:
                chain = _CHAIN_OF.match(line)[1]
                batch += [(*waiting.pop(chain), line)] if chain in waiting else []
                hand_over(_AT_ONCE)
            head = _OF_SIGNATURES.match(line)
            if not head:
                continue
            if head[2] == GIVEN.encode():
                waiting[head[1]] = number, line
            elif head[2] != b"setting.changed" or BY_PASSWORD.encode() in line:
                try:
                    signatures.take(json.loads(line))
                except (KeyError, TypeError):
                    faults.append((number, "Its facts have not the form of one."))
    # The neighbour behind a period may be one, alone: it has the time of what follows it, and so does that.
    ends = verified.claim.ends if verified.claim.kind == "period" else None
    alone = {number for number, line in waiting.values() if ends is None or json.loads(line)["at"] < ends}
    faults += [(number, "A signature has nothing behind it.") for number in alone]
    hand_over(1)
    done = [each.result() for each in asked]
    faults += [fault for _, fault in done if fault]
    try:
        if faults:
            raise Difference("entries.jsonl line {}: {}".format(*min(faults)))
        for each in sorted(itertools.chain.from_iterable(many for many, _ in done)):
            signatures.judge(each)
    except Difference as error:
        report.tamper(str(error))
    if not report.tampered:
        find_unsigned(folder, verified, signatures, report)
    if signatures.by_passkey or report.tampered:
        said = "a difference" if report.tampered else "each by its key and before what came of it"
        report.look("signatures", f"{plural(signatures.by_passkey, 'command')} signed by passkey, {said}")
    gaps = [f"{plural(signatures.by_password, 'command')} signed by password"] * bool(signatures.by_password)
    if signatures.unknown:
        gaps.append(f"whose {plural(signatures.unknown, 'passkey')} it was, which another part of the log says")
    if gaps:
        report.miss("signatures", "; ".join(gaps))


class Unsigned:
    """Finds what two people did without a signature of the second one before it, where the house took no password."""

    def __init__(self, takes_none):
        self.takes_none = takes_none
        # By chain the number of its newest line, and its newest signature with what of it came after that.
        self.last, self.given = {}, {}

    def take(self, chain, line):
        """:raises Difference: if it names a second person who signed nothing."""
        seq = int(_SEQ.search(line, line.rfind(b',"seq":'))[1])
        is_known, self.last[chain] = self.last.get(chain, 0) == seq - 1, seq
        if not any(name in line for name in _NAMES_TWO):
            return
        entry = json.loads(line)
        if entry["event"] == GIVEN:
            self.given[chain] = entry, set()
            return
        try:
            second = second_of(entry)
            if second is None or not is_known or self._is_signed(chain, entry, second):
                return
        except (AttributeError, KeyError, TypeError):
            second = "nobody in the form of one"
        if self.takes_none(entry["at"]):
            raise Difference(
                f"{safe(entry['subject'])}: its {entry['event']} names {safe(second)}, who signed nothing."
            )

    def _is_signed(self, chain, entry, second):
        """Whether it stands right behind its signature, or comes of the same command a moment later."""
        given, came = self.given.get(chain, (None, None))
        if given is None or given["by"] != second:
            return False
        if given["seq"] == entry["seq"] - 1:
            return True
        what, facts = (entry["event"], entry["subject"]), given["facts"]
        goes_on = entry["event"] in _GOES_ON.get(facts["verb"], ()) and entry["by"] == facts["requester"]
        if not goes_on or what in came or _after(entry["at"], given["at"]):
            return False
        came.add(what)
        return True


_SEQ = re.compile(rb',"seq":([0-9]+),')
_NAMES_TWO = (b'"event":"signature.given"', b'"approver":', b'"people":', b'"signers":')


def find_unsigned(folder, verified, signatures, report):
    """Find what names a second person who signed nothing, where the house had ended signatures by password."""
    if not any(after == 0 for _, after in signatures.settings.values()):
        return
    unsigned = Unsigned(signatures.takes_none)
    try:
        with opened(folder / "entries.jsonl") as file:
            for number, line in enumerate(file, 1):
                if number not in verified.entries.bad:
                    with _at_line(number):
                        unsigned.take(_CHAIN_OF.match(line)[1], line)
    except Difference as error:
        report.tamper(str(error))


# People
#
# Who works here, what they are posted to and what they prove their second step with, by the entries of the chain house;
# whose acts stand in any chain. The order of two chains is that of their times and of the tree, where both agree and
# there is more than a minute between: a command that was under way when its person left may be told a moment later.
# Within one chain the order is certain.


_PERSON, _PIT = re.compile("staff:[1-9][0-9]*"), re.compile("pit:[1-9][0-9]*")
_ROLES = frozenset({"croupier", "pit_boss", "cage", "count_team", "auditor", "administrator"})
# The facts that name who has a part in what an entry tells.
_BOTH = frozenset({"people", "signers"})
_PARTS = _BOTH | {"requester", "approver", "signer", "issuer", "carrier", "receiver", "witness", "author", "owner"}
SET_UP = dt.timedelta(hours=1)
"""So long one person alone may set a house up."""
CODE = dt.timedelta(hours=24, minutes=1)
"""So long a one-time code counts."""
UNDER_WAY = dt.timedelta(seconds=10)
"""A command that was under way when its person left may stand behind that in the same chain."""


def _counted_before(entry, name):
    """Whether a fact names who counted or entered something before: a slip, or a round from paper that is settled
    later. They may have left since."""
    if entry["event"] == "slip.received":
        return name in {"receiver", "witness"}
    return _about(entry).startswith(_UNSIGNED)


class Person:
    """A person as far as their entries go."""

    def __init__(self, ref):
        self.ref, self.added, self.left = ref, None, None
        # Where they acted in the house and, by its time, first of all, as far as nobody added them before.
        self.acted_in_house = self.acted = None
        self.postings, self.credentials = set(), set()
        # How many recovery codes are left, and whether they stand; None if the export may lack what made them.
        self.codes = self.codes_stand = None
        # Whether they surely have no password, and where they were given the code that one is set with.
        self.is_locked_out, self.code = False, None


class People:
    """Follows people, their postings and their credentials, and who acts.

    Of a part of the log it knows only those whose beginning is in it. `ends`: of each chain the time of its newest
    entry.
    """

    def __init__(self, claim=None, ends=None):
        self.is_whole, self.ends = claim is None or claim.kind == "all", ends or {}
        # Of each credential whose it is; those that were removed.
        self.people, self.credentials, self.removed, self.used_codes = {}, {}, set(), set()
        # Whose a passkey's public key is.
        self.keys = {}
        # Whose acts need no further look, as long as they have not left.
        self.quiet = {"system"}
        # The first entry: soon after it the house is set up.
        self.begun = None
        # Whether two people have done what one alone did in old logs.
        self.by_two = False
        # Who works here and has set a password.
        self.with_password = set()
        # By person where they were signed on, and signed off or not; which of these stand, by person and table.
        self.sign_ons, self.standing = defaultdict(list), {}
        # Who left, and where.
        self.lefts = []

    def take(self, entry, line):
        """Follow one entry: what it tells of people, and who did it.

        :raises Difference: if that can't have been.
        """
        place, facts = Place(entry["chain"], entry["at"], line), entry["facts"]
        self.begun = self.begun or place
        follow = self._TAKES.get(entry["event"])
        try:
            if entry["by"] != "system":
                self.act(entry["by"], place)
            self._parts(entry, facts, place)
            if follow and (follow in self._AT_TABLES) == (place.chain == "house"):
                raise Difference(f"{safe(entry['subject'])}: its {entry['event']} stands at {safe(place.chain)}.")
            if follow:
                follow(self, place, entry, facts)
        except Difference:
            raise
        except Exception as error:
            what = "its facts have not the form of one"
            raise Difference(f"{safe(entry['subject'])}: its {entry['event']} can't be followed: {what}.") from error

    def _parts(self, entry, facts, place):
        """Hold whoever has a part in an entry to who worked here then, and two people to be two."""
        for name in sorted(_PARTS & facts.keys()):
            people = facts[name] if name in _BOTH else [facts[name]]
            if type(people) is not list or not people:
                raise Difference(f"{safe(entry['subject'])} is by nobody, as its {name} says.")
            for number, ref in enumerate(people):
                if ref in people[:number]:
                    raise Difference(f"{safe(entry['subject'])} is by one person alone, twice in its {name}.")
                self.act(ref, place, worked=_counted_before(entry, name))
        if "approver" in facts and facts["approver"] == facts.get("requester"):
            raise Difference(f"{safe(entry['subject'])} is by one person alone, who asks and approves.")

    def act(self, ref, place, *, worked=False):
        """A person has a part in something.

        :param worked: whether that is what they did before, when they need not have left.
        """
        if type(ref) is str and ref in self.quiet and ref != "system":
            return
        person = self._person(ref)
        if not person.added:
            person.acted = min(person.acted or place, place, key=lambda each: each.at)
            if place.chain == "house":
                person.acted_in_house = person.acted_in_house or place
        if not person.left:
            if person.added or not self.is_whole:
                self.quiet.add(ref)
        elif not worked and _is_later(place, person.left) and not self._was_under_way(place, person.left):
            raise Difference(f"{safe(ref)} acts at {safe(place.chain)}, and left before.")

    @staticmethod
    def _was_under_way(place, left):
        return place.chain == left.chain and _instant(place.at) - _instant(left.at) <= UNDER_WAY

    def _person(self, ref):
        if type(ref) is not str or not _PERSON.fullmatch(ref):
            raise Difference(f"{safe(ref)} is no person, and has a part in this.")
        return self.people.setdefault(ref, Person(ref))

    def _of(self, entry, facts, what, *, works=True):
        """The person whom an entry is about.

        :param works: whether they have to work here then, or have left; None for either.
        """
        ref = facts["staff"]
        person = self._person(ref)
        if person.added is None and self.is_whole:
            raise Difference(f"{safe(ref)} {what}, and nobody added them.")
        if works and person.left:
            raise Difference(f"{safe(ref)} {what}, and left before.")
        if works is False and person.added and not person.left:
            raise Difference(f"{safe(ref)} {what}, and has not left.")
        return person

    def _by_two(self, entry, facts, what, *, alone=False):
        """Two others do it; in old logs, and where a house is set up, one person may."""
        ref = facts["staff"]
        if alone and "requester" not in facts and "approver" not in facts:
            if self.by_two:
                raise Difference(f"{safe(ref)} {what} by one person alone; two did so before.")
            if entry["by"] == ref and entry["event"] != "staff.posted":
                raise Difference(f"{safe(ref)} {what} by themselves.")
            if self.is_whole and _instant(entry["at"]) - _instant(self.begun.at) > SET_UP:
                raise Difference(f"{safe(ref)} {what} by one person alone, long after the house was set up.")
            return
        requester, approver = facts["requester"], facts["approver"]
        _same(f"{safe(ref)}, who asked", requester, entry["by"], "the entry is by")
        if requester == approver:
            raise Difference(f"{safe(ref)} {what} by one person alone.")
        if ref in {requester, approver}:
            raise Difference(f"{safe(ref)} {what} by themselves.")
        self.by_two = True

    def _own(self, entry, facts, what):
        _same(f"{safe(entry['subject'])}, who {what}", entry["by"], facts["staff"], "it belongs to")

    def _about_staff(self, entry, facts):
        _same(f"{safe(entry['subject'])}, its person", facts["staff"], entry["subject"], "its subject is")

    def _added(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._by_two(entry, facts, "is added", alone=True)
        person = self._person(entry["subject"])
        if person.added:
            raise Difference(f"{safe(person.ref)} is added twice.")
        for acted in filter(None, (person.acted_in_house, person.acted)):
            if _is_later(place, acted) or acted.line == place.line:
                raise Difference(f"{safe(person.ref)} acts at {safe(acted.chain)}, and was added later.")
        # Whom two others add sets a password with the code that they give.
        person.added, person.codes, person.codes_stand, person.is_locked_out = place, 0, False, "approver" in facts

    def _posted(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._by_two(entry, facts, "is posted", alone=True)
        person, posting = self._of(entry, facts, "is posted"), (facts["role"], facts.get("pit"))
        if posting[0] not in _ROLES or not (posting[1] is None or _PIT.fullmatch(posting[1])):
            raise Difference(f"{safe(person.ref)} is posted to {safe(posting)}, which there is not.")
        if posting in person.postings:
            raise Difference(f"{safe(person.ref)} is posted to {safe(' of '.join(filter(None, posting)))} twice.")
        person.postings.add(posting)

    def _posting_ended(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._by_two(entry, facts, "is posted no more")
        person, posting = self._of(entry, facts, "is posted no more"), (facts["role"], facts.get("pit"))
        if person.added and posting not in person.postings:
            raise Difference(f"{safe(person.ref)} is not posted to {safe(facts['role'])}, and that ends.")
        person.postings.discard(posting)

    def _left(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._by_two(entry, facts, "is let go", alone=True)
        person = self._of(entry, facts, "leaves")
        if person.credentials:
            raise Difference(f"{safe(person.ref)} leaves and keeps {safe(min(person.credentials))}.")
        self._without_codes(person, "leaves")
        person.left = place
        person.postings.clear()
        self._lock_out(person)
        self.lefts.append((person.ref, place))
        self.quiet.discard(person.ref)

    def _returned(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._by_two(entry, facts, "is let in again")
        person = self._of(entry, facts, "returns", works=False)
        person.left = None

    def _code_given(self, place, entry, facts):
        """Nobody is named as long as no two others could give it: whoever founds a house has one."""
        self._about_staff(entry, facts)
        others = self.with_password - {facts["staff"]}
        if entry["by"] != "system" or len(others) > 1:
            self._by_two(entry, facts, "is given a code")
        self._of(entry, facts, "is given a code").code = place
        # Where there are codes, only two add people once the house is set up.
        self.by_two = True

    def _password_changed(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._own(entry, facts, "sets a password")
        person = self._of(entry, facts, "sets a password")
        if person.is_locked_out and not (person.code and _instant(place.at) - _instant(person.code.at) <= CODE):
            raise Difference(f"{safe(person.ref)} sets a password, and has neither an old one nor a code.")
        person.is_locked_out, person.code = False, None
        self.with_password.add(person.ref)

    def _lock_out(self, person):
        person.is_locked_out, person.code = True, None
        self.with_password.discard(person.ref)

    @staticmethod
    def _without_codes(person, what):
        """Recovery codes stand for a credential: they end with the last one."""
        if person.codes_stand and not person.credentials:
            raise Difference(f"{safe(person.ref)} {what}, and keeps recovery codes.")

    def _credential_added(self, place, entry, facts):
        ref = entry["subject"]
        self._own(entry, facts, "adds it")
        person = self._of(entry, facts, "adds a credential")
        if ref in self.credentials:
            raise Difference(f"{safe(ref)} is added twice.")
        if (facts["kind"], type(facts.get("public_key"))) not in {("passkey", str), ("app", type(None))}:
            raise Difference(f"{safe(ref)} is neither a passkey with its key nor an app.")
        if facts["kind"] == "passkey":
            key = cose_key(unbase64url(facts["public_key"]) or b"")
            if key is None or self.keys.setdefault(key, person.ref) != person.ref:
                raise Difference(f"{safe(ref)} has another person's key, or none.")
        self._without_codes(person, "adds a credential")
        self.credentials[ref] = facts["staff"]
        person.credentials.add(ref)

    def _credential_removed(self, place, entry, facts):
        ref = entry["subject"]
        if "approver" in facts:
            self._by_two(entry, facts, "loses a credential")
        else:
            self._own(entry, facts, "removes it")
        person = self._of(entry, facts, "loses a credential")
        if "approver" in facts:
            # Their password goes too: they lost what they prove themselves by, or leave.
            self._lock_out(person)
        if ref not in self.credentials:
            if person.added:
                raise Difference(f"{safe(ref)} is removed, and was not added.")
            return
        _same(f"{safe(ref)}, whose it is", facts["staff"], self.credentials[ref], "it was added by")
        if ref in self.removed:
            raise Difference(f"{safe(ref)} is removed twice.")
        self.removed.add(ref)
        person.credentials.discard(ref)

    def _codes_made(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._own(entry, facts, "makes recovery codes")
        person = self._of(entry, facts, "makes recovery codes")
        if person.added and not person.credentials:
            raise Difference(f"{safe(person.ref)} makes recovery codes, and has no credential.")
        if not is_count(facts["number"]):
            raise ValueError(facts["number"])
        person.codes, person.codes_stand = facts["number"], True

    def _codes_ended(self, place, entry, facts):
        self._about_staff(entry, facts)
        if "approver" in facts:
            self._by_two(entry, facts, "loses their recovery codes")
        else:
            self._own(entry, facts, "ends recovery codes")
        person = self._of(entry, facts, "loses their recovery codes")
        if person.codes_stand is False:
            raise Difference(f"{safe(person.ref)} loses their recovery codes, and has none.")
        person.codes, person.codes_stand = 0, False

    def _code_used(self, place, entry, facts):
        self._about_staff(entry, facts)
        self._own(entry, facts, "uses a recovery code")
        person, code = self._of(entry, facts, "uses a recovery code"), facts["code"]
        if type(code) is not str:
            raise ValueError(code)
        if code in self.used_codes:
            raise Difference(f"{safe(code)} is used twice.")
        if person.codes == 0 or (person.added and not person.credentials):
            raise Difference(f"{safe(person.ref)} uses {safe(code)}, and has no recovery code left.")
        self.used_codes.add(code)
        if person.codes:
            person.codes -= 1

    def _signed_on(self, place, entry, facts):
        self._about_staff(entry, facts)
        self.act(facts["staff"], place)
        here = facts["staff"], place.chain
        if here in self.standing:
            raise Difference(f"{safe(facts['staff'])} is signed on at {safe(place.chain)} twice.")
        self.standing[here] = [place, None]
        self.sign_ons[facts["staff"]].append(self.standing[here])

    def _signed_off(self, place, entry, facts):
        self._about_staff(entry, facts)
        stood = self.standing.pop((facts["staff"], place.chain), None)
        if stood:
            stood[1] = place
        elif self.is_whole:
            raise Difference(f"{safe(facts['staff'])} is signed off at {safe(place.chain)}, and never on.")

    def _asked(self, place, entry, facts):
        self.act(facts["staff"], place)

    _TAKES = {  # noqa: RUF012 - a table of its own methods
        "staff.added": _added,
        "staff.posted": _posted,
        "staff.posting_ended": _posting_ended,
        "staff.left": _left,
        "staff.returned": _returned,
        "staff.code_given": _code_given,
        "staff.password_changed": _password_changed,
        "credential.added": _credential_added,
        "credential.removed": _credential_removed,
        "recovery_codes.made": _codes_made,
        "recovery_codes.ended": _codes_ended,
        "recovery_code.used": _code_used,
        "staff.signed_on": _signed_on,
        "staff.signed_off": _signed_off,
        "relief.asked": _asked,
    }
    _AT_TABLES = (_signed_on, _signed_off, _asked)

    def finish(self):
        """Hold against each other what stands in several chains, once all is taken.

        :raises Difference: where it can't have been.
        """
        if self.is_whole:
            for person in self.people.values():
                # Whoever acts was added before, by another transaction: the tree has that first.
                if person.acted and not person.added:
                    raise Difference(f"{safe(person.ref)} acts at {safe(person.acted.chain)}, and nobody added them.")
        for ref, sign_ons in self.sign_ons.items():
            self._one_table(ref, sorted(sign_ons, key=lambda each: (each[0].at, each[0].line)))
        for ref, left in self.lefts:
            for on, off in self.sign_ons[ref]:
                if left.follows(on) and self._stands(on, off, left):
                    raise Difference(f"{safe(ref)} left, and was signed on at {safe(on.chain)}.")

    def _one_table(self, ref, sign_ons):
        """Nobody is signed on at two tables at once: of each two sign-ons one ended before the other began."""
        running = []
        for second, ended in sign_ons:
            running = [(first, off) for first, off in running if off is None or off.at > second.at]
            for first, off in running:
                if (
                    first.chain != second.chain
                    and self._stands(first, off, second)
                    and self._stands(second, ended, first)
                ):
                    raise Difference(
                        f"{safe(ref)} is signed on at {safe(second.chain)} and at {safe(first.chain)} at once."
                    )
            running.append((second, ended))

    def _stands(self, on, off, place):
        """Whether a sign-on surely stood at a place after it; where it has no end, its chain may end before it."""
        if off:
            return _is_later(off, place)
        return _passed(place.at, self.ends.get(on.chain, ""))


def _passed(earlier, later):
    """Whether one time is more than a minute behind another."""
    return later > earlier and not _within(earlier, later)


def _is_later(place, other):
    """Whether something was surely written after something else: in another chain not just a moment later."""
    return place.follows(other) and (place.chain == other.chain or _passed(other.at, place.at))


# Where a line says by whom it is; what is between that, its chain and its event.
_BY, _NEXT = len('{"at":"2026-11-20T20:00:00.000000Z","by":"'), len('","chain":"')
_PLAYED = tuple(f'round.{name}"'.encode() for name in ("acted", "closed", "opened", "settled"))


def follow_people(folder, verified, report):
    """Follow all people of an export, and who acts in it."""
    if verified.claim.kind == "table":
        report.miss("people", "not followed: who works here stands in the chain house")
        return
    if verified.entries.bad:
        report.miss("people", "not followed: nobody knows who came and went in the lines that are no entries")
        return
    people = People(verified.claim, {chain: last.at for chain, last in verified.entries.chains.items()})
    try:
        with opened(folder / "entries.jsonl") as file:
            for number, line in enumerate(file, 1):
                # Most lines are what is played, by one person alone, so that no more is read of them than that.
                by_end = line.find(b'"', _BY)
                event = line.find(b'"', by_end + _NEXT) + _NEXT
                is_quiet = line[_BY:by_end].decode() in people.quiet
                if not is_quiet or b'"approver":' in line or not line.startswith(_PLAYED, event):
                    with _at_line(number):
                        people.take(json.loads(line), number)
        people.finish()
    except Difference as error:
        report.tamper(str(error))
    except json.JSONDecodeError:
        raise Malformed("entries.jsonl was changed while it was read.") from None
    added = sum(person.added is not None for person in people.people.values())
    differences = "a difference" if report.tampered else "0 differences"
    many = plural(added, "person", "people")
    report.look("people", f"{many}, {plural(len(people.credentials), 'credential')}, {differences}")


@contextlib.contextmanager
def _at_line(number):
    try:
        yield
    except Difference as error:
        raise Difference(f"entries.jsonl line {number}: {error}") from None


# The witness (C2SP tlog-cosignature)


class Signer(NamedTuple):
    """The auditor's own key."""

    key: Key
    seed: bytes

    def cosign(self, note, at):
        """A note with one more signature: that it was seen at an instant (Unix time) and extends what was seen."""
        stamp = at.to_bytes(8, "big")
        mine = (self.key.name, self.key.id, stamp + sign(self.seed, cosigned(note, at)))
        return note._replace(signatures=(*note.signatures, mine))


def cosigned(note, at):
    """What a witness signs."""
    return f"cosignature/v1\ntime {at}\n{note.body}".encode()


def read_signer(path, init):
    """:raises Malformed: if it is not such a key, if others may read it, or if it is missing and must not be made."""
    path = Path(path)
    if init and not path.exists():
        seed = os.urandom(32)
        public = public_key(seed)
        name = f"witness/{hashlib.sha256(public).hexdigest()[:8]}"
        key = Key(name, COSIGNING_KEY, public)
        data = base64_of(bytes([COSIGNING_KEY]) + seed)
        _write(path, f"PRIVATE+KEY+{name}+{key.id.hex()}+{data}\n")
        return Signer(key, seed)
    with opened(path) as file:
        text = text_of(file.read(1000), safe(path))
        loose = os.fstat(file.fileno()).st_mode & 0o077
    if os.name == "posix" and loose:
        raise Malformed(f"{safe(path)} may be read by others: chmod 600 it, and ask yourself who has read it.")
    parts = text.rstrip("\n").split("+", 4)
    data = unbase64(parts[4], 33) if len(parts) == 5 and parts[:2] == ["PRIVATE", "KEY"] else None
    if data is None or data[0] != COSIGNING_KEY or not _NAME.fullmatch(parts[2]):
        raise Malformed(f"{safe(path)} is no key of a witness.")
    key = Key(parts[2], COSIGNING_KEY, public_key(data[1:]))
    if key.id.hex() != parts[3]:
        raise Malformed(f"{safe(path)} was not copied whole: its id is {key.id.hex()}.")
    return Signer(key, data[1:])


def read_state(path, signer, keys, report):
    """The checkpoint that was seen last, if nobody has edited it since."""
    notes = list(_few(read_notes(path), 1, path))
    if not notes:
        raise Malformed(f"{safe(path)} is empty.")
    (note,) = notes
    mine = [
        signature for name, shape, signature in note.signatures if (name, shape) == (signer.key.name, signer.key.id)
    ]
    seen = mine and len(mine[0]) == 72 and int.from_bytes(mine[0][:8], "big")
    if not seen or not verify_signature(signer.key.public, cosigned(note, seen), mine[0][8:]):
        report.tamper(f"The state in {safe(path)} is not what this witness signed: somebody has edited it.")
        return note
    try:
        signers(note, keys, alone=False)
    except Tampered as error:
        report.tamper(f"In the state: {error}")
    return note


def witness(options, verified, state, signer, report):
    """Check that the log extends what was seen, and remember it as it is now."""
    newest = verified.newest
    if state and newest and newest.size < state.size:
        report.tamper(
            f"The log was rolled back: it had {state.size:,} entries, and this export ends at {newest.size:,}."
        )
    if report.tampered or report.uncovered:
        report.look("witness", "the state is left as it was")
        return
    _write(Path(options.state), f"{signer.cosign(newest, int(time.time())).text}\n")
    before = state.size if state else 0
    report.look("witness", f"witnessed at {newest.size:,}, before at {before:,}, by {signer.key.vkey}")


def _write(path, text):
    """Write a file, readable by its owner alone, or leave what is there."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise Malformed(f"{safe(path)} can't be written: {_reason(error)}.") from None


# The command


JSON = "--json"


class Arguments(argparse.ArgumentParser):
    """A wrong command is answered with a sentence too."""

    def error(self, message):
        raise Malformed(f"{safe(message)}; --help tells how this is used.")


def _count(text):
    if not _NUMBER.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{safe(text)} is no whole number from 1")
    return int(text)


def _seen(text):
    size, _, root = text.partition(":")
    # A closing form has hexadecimal digits in groups, which are easier to type from paper.
    digits = root.replace(" ", "")
    data = bytes.fromhex(digits) if re.fullmatch("[0-9a-f]{64}", digits) else unbase64(root, 32)
    if data is None:
        raise argparse.ArgumentTypeError(
            f"{safe(text)} is not SIZE:ROOT with a root of 32 bytes, in 64 hexadecimal digits or in base64"
        )
    return _count(size), data


def _date(text):
    if not _DATE.fullmatch(text) or not _is_day(text):
        raise argparse.ArgumentTypeError(f"{safe(text)} is no day as 2026-11-22")
    return text


def _days(text):
    period = period_of(text)
    if period is None:
        raise argparse.ArgumentTypeError(f"{safe(text)} is no period as 2026-11-21, 2026-11, 2026 or two days with ..")
    return period


def _clock(text):
    zone, _, starts = text.rpartition("/")
    try:
        hour, minute = re.fullmatch("([0-9]{2}):([0-9]{2})", starts).groups()
        return Clock(ZoneInfo(zone), dt.timedelta(hours=int(hour), minutes=int(minute)))
    except (AttributeError, LookupError, OSError, ValueError):
        raise argparse.ArgumentTypeError(f"{safe(text)} is no clock as Europe/Berlin/06:00") from None


def _asked(text):
    if text == "all" or _CHAIN.fullmatch(text):
        return text
    ends = [end if "." in end else end.replace("Z", ".000000Z") for end in text.split("/")]
    if len(ends) != 2 or not _is_period(*ends):
        raise argparse.ArgumentTypeError(
            f"{safe(text)} is not all, a chain as table:7, or FROM/TO as 2026-11-20T05:00:00Z/2026-11-21T05:00:00Z"
        )
    return "/".join(ends)


def read_command(words):
    """:raises Malformed: for a wrong one."""
    witnessing = words[:1] == ["witness"]
    parser = Arguments(
        prog=f"verify_export.py{' witness' * witnessing}",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the export")
    parser.add_argument("--key", metavar="FILE", required=True, help="the log's public keys, a vkey a line")
    parser.add_argument("--anchor", metavar="FILE", help="checkpoints that somebody else has kept")
    parser.add_argument("--seen", metavar="SIZE:ROOT", type=_seen, action="append", default=[], help="one from paper")
    parser.add_argument("--as-of", metavar="SIZE", type=_count, help="how long the log was when you asked")
    parser.add_argument("--asked", metavar="WHAT", type=_asked, help="what you asked for: all, table:7 or FROM/TO")
    parser.add_argument("--resettle", metavar="PROJECT", help="settle every round again by this copy's casino/games")
    parser.add_argument("--day", metavar="DATE", type=_date, help="work out the figures of a gaming day")
    parser.add_argument("--report", metavar="FILE", action="append", default=[], help="work out a report's CSV again")
    parser.add_argument("--period", metavar="DAYS", type=_days, help="of which days a file is whose name says none")
    parser.add_argument("--clock", metavar="ZONE/HH:MM", type=_clock, help="the casino's, and when its days begin")
    spreadsheet = parser.add_mutually_exclusive_group()
    spreadsheet.add_argument("--csv", action="store_true", help="entries.csv must be there; if it is, it is compared")
    spreadsheet.add_argument("--no-csv", action="store_true", help="do not compare entries.csv")
    parser.add_argument(JSON, action="store_true", help="print the verdict as JSON")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.add_argument("--jobs", metavar="N", type=_count, default=cores, help=f"processes, {cores} if left out")
    if witnessing:
        parser.add_argument("--state", metavar="FILE", required=True, help="where you remember the log")
        parser.add_argument("--signer", metavar="FILE", required=True, help="your own key")
        parser.add_argument("--init", action="store_true", help="begin: make the state, and the key if it is missing")
    options = parser.parse_args(words[witnessing:])
    options.witness = witnessing
    options.jobs = min(options.jobs, 256)
    return options


def run(options, report):
    """Do what a command says; what is found goes into the report."""
    keys = read_keys(options.key)
    report.miss("key", f"whether the keys in {safe(options.key)} are the casino's own")
    before = check_files(options.folder, options.csv)
    report.look("files", f"{', '.join(sorted(before))}; no other is there")
    anchors, state, signer = Anchors(report), None, None
    if options.witness:
        there = os.path.lexists(options.state)
        if there == options.init:
            raise Malformed(
                f"{safe(options.state)} is there already: leave --init out."
                if there
                else f"There is no state at {safe(options.state)}: --init begins one, if you have none elsewhere."
            )
        signer = read_signer(options.signer, options.init)
        if there:
            state = read_state(options.state, signer, keys, report)
            anchors.add(state.size, state.root, "what you have witnessed")
    if options.anchor is not None:
        anchors.read(options.anchor, keys)
    for size, root in options.seen:
        anchors.add(size, root, f"--seen {size}")
    large = (options.folder / "entries.jsonl").stat().st_size > 2 * BLOCK
    with Crew(options.jobs if large else 1) as crew:
        verified = verify(options.folder, keys, anchors, crew, report)
        anchors.cover(verified.claim.size, options.as_of, options.witness)
        describe(verified, report)
        compare(verified.claim, options.asked, report)
        look_at_csv(options, CSV in before, verified.entries.bad, report)
        if report.tampered:
            report.miss("people", "not followed, since the export is tampered")
        else:
            follow_signatures(options.folder, verified, crew, report)
            follow_people(options.folder, verified, report)
        if report.tampered and options.resettle is not None:
            report.miss("payments", "not worked out again, since the export is tampered")
        elif options.resettle is not None:
            resettle(options.folder, options.resettle, verified, crew, report)
        if options.day is not None or options.resettle is not None or options.report:
            look_at_days(options, verified, report)
    if check_files(options.folder, options.csv) != before:
        raise Malformed("The export was changed while it was read: verify a copy that nobody writes to.")
    if options.witness:
        witness(options, verified, state, signer, report)


def describe(verified, report):
    """Say what was looked at and, where nothing is tampered, what of it is shown."""
    claim, entries, newest, sheets = verified.claim, verified.entries, verified.newest, verified.sheets
    many = f"{plural(entries.count, 'entry', 'entries')}, {plural(len(entries.chains), 'chain')}"
    tall = plural(len(verified.checkpoints), "checkpoint")
    if report.tampered:
        for aspect in ("claim", "rest"):
            report.miss(aspect, "something is tampered, so nothing is said for it")
        report.look("entries", many)
        report.look("tree", tall)
        report.look("sheets", f"{len(sheets):,}")
    else:
        report.look("claim", claim.summary())
        report.look("entries", f"{many}: hashes, numbers, times")
        last = f"the newest {newest.size}:{base64_of(newest.root)}"
        report.look("tree", f"{tall}, {last}: roots, proofs, signatures")
        report.look("sheets", f"{len(sheets):,}, as the log published them")
        left = plural(max(claim.size - entries.count, 0), "entry", "entries")
        if claim.kind == "all":
            report.look("rest", "nothing is left out")
        else:
            report.miss("rest", f"{left} of {claim.size:,}, and whether these chains go on")
    if verified.keys:
        ids = ", ".join(f"{safe(key.name)}+{key.id.hex()}" for key in verified.keys)
        report.miss("key", f"whether {ids} is the casino's own")


def compare(claim, asked, report):
    """Hold what the manifest claims against what was asked for."""
    if asked is None:
        return
    if claim.asked() != asked:
        report.tamper(f"You asked for {safe(asked)}, and this is an export of {safe(claim.asked())}.")
    else:
        for word in ("from", "to"):
            report.unsigned.pop(word, None)
    report.look("asked", f"{safe(asked)}; this is {safe(claim.asked())}")


def look_at_csv(options, there, bad, report):
    """Compare entries.csv wherever it is."""
    if options.no_csv:
        report.miss("csv", "you said --no-csv")
    elif not there:
        report.miss("csv", "it is not here; it proves nothing by itself")
    elif report.tampered:
        report.miss("csv", "not compared, since the export is tampered")
    else:
        try:
            check_csv(options.folder, bad)
        except Tampered as error:
            report.tamper(str(error))
            report.look("csv", "it differs")
        else:
            report.look("csv", "says the same, to the byte")


def look_at_days(options, verified, report):
    """Follow the gaming days, and work one out, and files of reports, if that was asked for."""
    if report.tampered:
        report.miss("days", "not worked out again, since the export is tampered")
    else:
        days = follow_days(options.folder, verified, report, options.day)
    if options.report and report.tampered:
        report.miss("reports", "not worked out again, since the export is tampered")
    elif options.report and days.is_cut:
        report.miss("reports", "not worked out again, since a chain is perhaps not sealed so far")
    elif options.report:
        look_at_reports(options, verified, days, report)


def look_at_reports(options, verified, days, report):
    """Work out each file of a report again."""
    try:
        check_reports(options, verified, days, report)
    except Difference as error:
        report.tamper(str(error))


def judge(words):
    """(exit status, the lines to print)."""
    report = Report()
    try:
        run(read_command(words), report)
        code, sentence = report.verdict()
    except Malformed as error:
        code, sentence = MALFORMED, f"malformed: {error}"
    except OSError as error:
        code, sentence = MALFORMED, f"malformed: {safe(error.filename or 'a file')} can't be read: {_reason(error)}."
    except (MemoryError, BrokenProcessPool):
        code, sentence = MALFORMED, "malformed: the machine has too little memory for this; try --jobs 1."
    except Exception as error:
        # Whatever a forger may have thought of, no word is said for it.
        what = f"{type(error).__name__}: {safe(error)}"
        code, sentence = MALFORMED, f"malformed: this input broke the verifier ({what})."
    day = report.day if code in {WHOLE, NOT_COVERED} else None
    if JSON in words:
        return code, [json.dumps(day) if day else report.json(code, sentence)]
    if code == MALFORMED:
        return code, [sentence]
    reports = itertools.chain.from_iterable(map(report_lines, report.reports))
    return code, [sentence, *(day_lines(day) if day else ()), *reports, *report.lines()]


def main(words=None):
    """Run the command; return its exit status."""
    words = sys.argv[1:] if words is None else words
    try:
        code, lines = judge(words)
        print("\n".join(lines), flush=True)
    except KeyboardInterrupt:
        code, sentence = INTERRUPTED, "interrupted: nothing is known of this export."
        print(Report().json(code, sentence) if JSON in words else sentence, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main())
