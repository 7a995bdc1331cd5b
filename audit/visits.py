"""Visits of auditors: the length of the log that they saw, and whether it still begins with that.

A visit is its entry (contracts/log.md: `visit.made`) and nothing else, so no row can contradict it. Places in the tree,
not clocks, say what lies between two visits: what one did not show, the next one does.
"""

import datetime as dt
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from . import history, log, proofs, tree
from .models import Checkpoint, Entry, Sealing
from .wording import WORDING

EVENT = "visit.made"
SUBJECT = "desk"
# How much of the log is shown to an auditor who was never there: a week is soon looked through and read; reports have
# what was before.
FIRST = dt.timedelta(days=7)
# By then, a transaction that writes an entry has ended, and the sealer has seen the entry.
SLACK = dt.timedelta(minutes=1)


class Visit(NamedTuple):
    """A recorded visit: when, the size and the root of the log that the auditor saw, and its own entry."""

    at: str
    size: int
    root: str
    entry: Entry


class Since(NamedTuple):
    """The leaf, and the moment as the log spells it, from which something is shown; `visit` is None if the auditor was
    never there."""

    size: int
    at: str
    visit: Visit | None


def of(person, limit=50):
    """A person's visits, the newest first."""
    entries = Entry.objects.filter(event=EVENT, by=person.ref).order_by("-at", "-pk")[:limit]
    return [_read(entry) for entry in entries]


def since(person):
    """What a person has not seen: everything since their last visit, or the last `FIRST`."""
    last = next(iter(of(person, 1)), None)
    if last:
        seen = Checkpoint.objects.filter(size=last.size).values_list("at", flat=True).first()
        return Since(last.size, log.spell_time(seen - SLACK) if seen else "", last)
    at = log.spell_time(timezone.now() - FIRST)
    return Since(first_leaf(at), at, None)


def first_leaf(at):
    """The first leaf written from a moment on; the number of all leaves if there is none."""
    return first_leaves([at])[0]


def first_leaves(moments):
    """The first leaf from each of some moments on, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(leaf.index, (SELECT max(index) + 1 FROM audit_leaf), 0)"
            " FROM unnest(%s::text[]) WITH ORDINALITY asked(at, place)"
            " LEFT JOIN LATERAL ("
            "  SELECT chain_id, seq FROM audit_entry WHERE at >= asked.at ORDER BY at, id LIMIT 1) entry ON true"
            " LEFT JOIN audit_leaf leaf USING (chain_id, seq) ORDER BY asked.place",
            [list(moments)],
        )
        return [leaf for (leaf,) in cursor.fetchall()]


def places(entries):
    """The leaves of some entries, by chain and number, as far as they are sealed."""
    if not entries:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chain_id, seq, index FROM audit_leaf JOIN unnest(%s::text[], %s::bigint[]) asked(chain_id, seq)"
            " USING (chain_id, seq)",
            [[chain for chain, _ in entries], [seq for _, seq in entries]],
        )
        return {(chain, seq): index for chain, seq, index in cursor.fetchall()}


def agrees(visit):
    """Whether the log still begins with what a visit saw: then the root of its first leaves is the same."""
    return root(visit.size) == visit.root


def root(size):
    """The root of the tree of the first leaves, worked out from the present ones; empty if one is missing."""
    subtrees = proofs.Subtrees()
    try:
        return tree.Edge(size, [subtrees(*place) for place in tree.cover(0, size)]).root().hex()
    except LookupError:
        return ""


def make(*, checkpoint, actor):
    """Record that an auditor was there. Call it in a transaction.

    :param checkpoint: the size of the checkpoint that they saw: what came later is for the next visit.
    :raises Refused: `visit_recorded`; `checkpoint_unknown` (422).
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{EVENT} {actor.ref}"])
    seen = Checkpoint.objects.filter(size=checkpoint, size__lte=Sealing.objects.values("sealed")[:1]).first()
    if seen is None:
        raise WORDING.refused("checkpoint_unknown", checkpoint=checkpoint)
    last = next(iter(of(actor.by, 1)), None)
    if last and last.size >= seen.size:
        raise WORDING.refused("visit_recorded", size=last.size)
    facts = {"checkpoint": seen.size, "root": bytes(seen.root).hex()}
    log.record(EVENT, SUBJECT, chain=log.HOUSE, actor=actor, facts=facts)
    return next(iter(of(actor.by, 1)))


def looks(person, from_at, to_at):
    """How often a person looked at each kind of money, people and log, from one moment to before another.

    :returns: {kind: times}, the most frequent first. A kind is that of the reference: `round`, `report`, `entries`.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT split_part(split_part(body::jsonb #>> '{facts,what}', ':', 1), '/', 1) AS kind, count(*)"
            " FROM audit_entry"
            " WHERE by = %s AND at >= %s AND at < %s AND event IN ('history.read', 'records.read')"
            " AND body IS JSON OBJECT GROUP BY kind ORDER BY count(*) DESC, kind",
            [person.ref, from_at, to_at],
        )
        return dict(cursor.fetchall())


def _read(entry):
    facts = history.facts(entry)
    return Visit(entry.at, facts["checkpoint"], facts["root"], entry)
