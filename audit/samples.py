"""Samples of rounds that a public seed draws, so that nobody chooses them and anybody can draw them again.

The seed is the date, the size and the root of a checkpoint, and the number of the sample. Of the rounds that were
settled between two sizes of the log, those are drawn whose name behind the seed has the smallest SHA-256. An export has
all that this takes; docs/auditor.md draws them in a few lines, and `verify_export.py` checks each sample against the
log.
"""

import hashlib
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from . import checkpoints, history, log, visits
from .models import Anchor, Checkpoint, Entry
from .wording import WORDING

EVENT = "sample.drawn"
SIZE = 8


class Sample(NamedTuple):
    """A sample as it was drawn: its seed and number, out of how many rounds, and the rounds in the order drawn."""

    at: str
    seed: str
    number: int
    since: int
    checkpoint: int
    of: int
    rounds: tuple[str, ...]
    entry: Entry


def drawn(seed, rounds):
    """The rounds that a seed draws.

    >>> drawn("2026-11-27/7/ab/1", ["round:1", "round:2", "round:3"])
    ['round:1', 'round:3', 'round:2']
    """
    return sorted(rounds, key=lambda each: hashlib.sha256(f"{seed} {each}".encode()).hexdigest())[:SIZE]


def seed(date, size, root, number):
    """The text of a seed.

    >>> seed("2026-11-27", 412790, "90be", 1)
    '2026-11-27/412790/90be/1'
    """
    return f"{date}/{size}/{root}/{number}"


def settled(since, size, at=""):
    """The rounds that were settled according to the leaves from `since` to before `size`; a correction settles none.

    :param at: a moment before all of these leaves, as the log spells it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT entry.subject FROM audit_entry entry JOIN audit_leaf leaf USING (chain_id, seq)"
            " WHERE entry.event = 'round.settled' AND entry.at >= %s AND leaf.index >= %s AND leaf.index < %s"
            " AND entry.body IS JSON OBJECT AND entry.body::jsonb #>> '{facts,generation}' = '1'",
            [at, since, size],
        )
        return [subject for (subject,) in cursor.fetchall()]


def of(person, since):
    """The samples that a person drew since a size of the log, the newest first."""
    entries = Entry.objects.filter(event=EVENT, by=person.ref).order_by("-at", "-pk")[: history.LOOKED_AT]
    return [sample for sample in map(_read, entries) if sample.since == since]


def draw(*, actor):
    """Draw a sample of what was settled since the auditor's last visit. Call it in a transaction.

    The checkpoint is the newest that lies outside, else the newest: so whoever draws can't choose the seed.

    :raises Refused: `nothing_sealed`, `nothing_to_draw`.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{EVENT} {actor.ref}"])
    anchor = Anchor.objects.newest()
    newest = checkpoints.sealed()
    if anchor and newest and anchor.checkpoint_id <= newest.size:
        newest = Checkpoint.objects.get(size=anchor.checkpoint_id)
    if newest is None:
        raise WORDING.refused("nothing_sealed")
    since = visits.since(actor.by)
    rounds = settled(since.size, newest.size, since.at)
    if not rounds:
        raise WORDING.refused("nothing_to_draw")
    number = 1 + len(of(actor.by, since.size))
    text = seed(timezone.now().date().isoformat(), newest.size, bytes(newest.root).hex(), number)
    facts = {
        "seed": text,
        "number": number,
        "since": since.size,
        "checkpoint": newest.size,
        "of": len(rounds),
        "rounds": drawn(text, rounds),
    }
    log.record(EVENT, visits.SUBJECT, chain=log.HOUSE, actor=actor, facts=facts)
    return of(actor.by, since.size)[0]


def _read(entry):
    facts = history.facts(entry)
    names = ("seed", "number", "since", "checkpoint", "of")
    return Sample(entry.at, *(facts[name] for name in names), tuple(facts["rounds"]), entry)
