"""Reading a chain back: whether its entries are whole, in order and unchanged (contracts/log.md)."""

from typing import NamedTuple

from django.db import connection

from . import bad_entries, form
from .models import FIRST_PREV, Chain, Entry
from .wording import WORDING


class Broken(Exception):  # noqa: N818 - what it says is the finding
    """A chain that is not what was written: where, and what is wrong."""


class Verified(NamedTuple):
    """How far a chain was found whole: its last entry's number, hash and time."""

    seq: int = 0
    head: str = FIRST_PREV
    at: str = ""


def verify(key, since=None):
    """Recompute a chain from its bytes alone, from its first entry or from where it was verified before.

    :raises Broken: if an entry is missing, altered or out of order and no auditor passed it over, or the head is
        another one than theirs.
    """
    seq, prev, at = since or Verified()
    # The head first: entries written meanwhile are left for the next time.
    head = Chain.objects.get(key=key)
    entries = Entry.objects.filter(chain=key, seq__gt=seq, seq__lte=head.seq).order_by("seq")
    for place, body in entries.values_list("seq", "body").iterator():
        seq += 1
        if place != seq:
            raise Broken(WORDING("broken", chain=key, seq=seq, how=WORDING("broken.missing")))
        entry = form.lenient(body)
        if fault := _fault(key, seq, prev, at, entry, body):
            # Whatever an auditor passed over stays where it is, and what follows builds on it.
            if not bad_entries.is_passed_over(key, seq, body):
                raise Broken(WORDING("broken", chain=key, seq=seq, how=fault))
        else:
            at = entry["at"]
        prev = form.digest(body)
    if (head.seq, head.head) != (seq, prev):
        raise Broken(WORDING("broken.head", chain=key, head_seq=head.seq, head=head.head, seq=seq, digest=prev))
    return Verified(seq, prev, at)


def _fault(key, seq, prev, at, entry, body):
    """What is wrong with an entry, in its place behind what was verified; None if nothing is."""
    if (entry.get("seq"), entry.get("prev"), entry.get("chain")) != (seq, prev, key):
        return WORDING("broken.missing")
    if fault := form.fault(body):
        return WORDING("broken.form", what=fault)
    return WORDING("broken.older") if entry["at"] < at else None


def bodies_before(rows):
    """The text of the entry before the first one of each chain, by chain; None if there is none before it.

    :param rows: leaves with their entries, in order; each begins with index, chain, seq.
    """
    first = {}
    for _, chain, seq, *_ in rows:
        first.setdefault(chain, seq)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chain, body FROM unnest(%s::text[], %s::bigint[]) first(chain, seq) CROSS JOIN LATERAL"
            " (SELECT body FROM audit_entry"
            "  WHERE chain_id = first.chain AND audit_entry.seq = first.seq - 1 LIMIT 1) before",
            [list(first), list(first.values())],
        )
        return dict.fromkeys(first) | dict(cursor.fetchall())
