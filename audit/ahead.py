"""Leaves beyond what was signed: left by a crash between two transactions, or written by somebody else.

Leaves are worked out from entries, and no signature covers these yet. If they are not what the entries give, sealing
stops. An auditor may pass them over: they are moved out of the tree into `PassedLeaf`, an entry of the log says so, and
the sealer makes them anew.
"""

from hashlib import sha256

from django.db import connection

from . import log, tree
from .models import Leaf
from .wording import WORDING

EVENT = "leaves.passed_over"
# What `seal --pass-over` takes for them instead of an entry's place.
PLACE = "leaves"
# The beginning of a reason for which sealing stops at a leaf.
SENTENCE = "Leaf "
AT_A_TIME = 20_000


def fault(size):
    """What is wrong with the first bad leaf beyond the first `size`; empty if nothing is."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT leaf.index, leaf.chain_id, leaf.seq, leaf.hash,"
            " (SELECT coalesce(max(seq), 0) FROM audit_leaf WHERE chain_id = leaf.chain_id AND index < %s), entry.body"
            " FROM (SELECT * FROM audit_leaf WHERE index >= %s ORDER BY index LIMIT %s) leaf"
            " LEFT JOIN LATERAL (SELECT body FROM audit_entry"
            "  WHERE chain_id = leaf.chain_id AND seq = leaf.seq LIMIT 1) entry ON true ORDER BY leaf.index",
            [size, size, AT_A_TIME],
        )
        newest = {}
        for expected, (index, chain, seq, hash_, sealed, body) in enumerate(cursor, size):
            following = newest.get(chain, sealed) + 1
            if index != expected:
                return f"{SENTENCE}{expected} is not there, and leaf {index} is"
            if body is None:
                return f"{SENTENCE}{index} is of entry {seq} of {chain}, which is not there"
            if seq != following:
                return f"{SENTENCE}{index} is of entry {seq} of {chain}, and entry {following} has none yet"
            if tree.leaf_hash(body.encode()) != bytes(hash_):
                return f"{SENTENCE}{index} is not the hash of entry {seq} of {chain}"
            newest[chain] = seq
    return ""


def sentence(what):
    """Why nothing is sealed, and the way out."""
    return (
        f"{what}: somebody wrote that leaf past the guards, or changed or deleted a row that it depends on. Nothing is"
        " sealed until that is looked into. Then an auditor has all leaves that are not signed yet made anew from the"
        f" entries, which the log records, with `manage.py seal --pass-over {PLACE} --by LOGIN`."
    )


def pass_over(size, *, by):
    """Move all leaves beyond the first `size` out of the tree; return what is wrong with them. Only the sealer may.

    :raises Refused: if nothing is wrong with them.
    """
    what = fault(size)
    if not what:
        raise WORDING.refused("bad_leaf_none")
    rows = list(Leaf.objects.filter(index__gte=size).order_by("index").values_list("index", "chain_id", "seq", "hash"))
    lines = "".join(f"{index} {chain} {seq} {bytes(hash_).hex()}\n" for index, chain, seq, hash_ in rows)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pass_over_leaves()")
    log.record(
        EVENT,
        f"leaf:{rows[0][0]}",
        chain=log.HOUSE,
        actor=log.Actor(by),
        facts={
            "what": f"leaf:{rows[0][0]}",
            "range": {"from": rows[0][0], "to": rows[-1][0]},
            "digest": sha256(lines.encode()).hexdigest(),
            "fault": what,
        },
    )
    return what
