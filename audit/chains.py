"""Reading a chain back: whether its entries are whole, in order and unchanged (contracts/log.md)."""

from typing import NamedTuple

from django.db import connection

from . import form
from .models import FIRST_PREV, Chain, Entry


class Broken(Exception):  # noqa: N818 - what it says is the finding
    """A chain is not what was written: where, and what is wrong."""


class Verified(NamedTuple):
    """How far a chain was found whole: its last entry's number, hash and time."""

    seq: int = 0
    head: str = FIRST_PREV
    at: str = ""


def verify(key, since=None):
    """Recompute a chain from its bytes alone, from its first entry or from where it was verified before.

    :raises Broken: if an entry is missing, altered or out of order, or the chain's head is another.
    """
    seq, prev, at = since or Verified()
    # The head first: entries that are written meanwhile are left to the next time.
    head = Chain.objects.get(key=key)
    entries = Entry.objects.filter(chain=key, seq__gt=seq, seq__lte=head.seq).order_by("seq")
    for place, body in entries.values_list("seq", "body").iterator():
        entry = form.lenient(body)
        seq += 1
        if (place, entry.get("seq"), entry.get("prev"), entry.get("chain")) != (seq, seq, prev, key):
            raise Broken(f"{key}: entry {seq} is missing, or does not follow the one before it.")
        if fault := form.fault(body):
            raise Broken(f"{key}: entry {seq} is not in the one form: it {fault}.")
        if entry["at"] < at:
            raise Broken(f"{key}: entry {seq} is older than the one before it.")
        prev, at = form.digest(body), entry["at"]
    if (head.seq, head.head) != (seq, prev):
        raise Broken(f"{key}: its head is entry {head.seq}, {head.head}; its entries end with {seq}, {prev}.")
    return Verified(seq, prev, at)


def bodies_before(rows):
    """The text of the entry before the first one of each chain, by chain; None where there is none before it.

    :param rows: leaves with their entries, in order: index, chain, seq, hash, body.
    """
    first = {}
    for _, chain, seq, _, _ in rows:
        first.setdefault(chain, seq)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chain, body FROM unnest(%s::text[], %s::bigint[]) first(chain, seq) CROSS JOIN LATERAL"
            " (SELECT body FROM audit_entry"
            "  WHERE chain_id = first.chain AND audit_entry.seq = first.seq - 1 LIMIT 1) before",
            [list(first), list(first.values())],
        )
        return dict.fromkeys(first) | dict(cursor.fetchall())
