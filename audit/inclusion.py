"""Whether an entry is in the tree, worked out on the spot from its text, with the proof for somebody outside.

`verify_export.py` checks the path on purpose, since it shares no code with the tree that made it: the page gives the
second opinion that an auditor would get at home.
"""

import json
from pathlib import Path
from typing import NamedTuple

from . import checkpoints, form, log, notes, proofs, tree, verify_export
from .models import FIRST_PREV, Entry, Leaf, Subtree
from .wording import WORDING

# How many leaves lie below one kept hash; those of a round lie within a few such spans.
BLOCK = 1 << Subtree.STEP
NEAR = 1_000


class Proof(NamedTuple):
    """How an entry stands in the tree of the newest checkpoint.

    `index` is None while it is not sealed; `first` is the size of the first checkpoint that covers it. `wrong` says in
    words why a sealed entry is not proven, `loose` what is wrong between it and the entry before it in its chain; both
    are empty if all is well.
    """

    index: int | None = None
    path: tuple[bytes, ...] = ()
    first: int | None = None
    wrong: str = ""
    loose: str = ""

    @property
    def proven(self):
        return self.index is not None and not self.wrong


def newest():
    """The newest checkpoint, None before the first."""
    return checkpoints.sealed()


def prove(entries, checkpoint):
    """The proofs of some entries in a checkpoint's tree, by the entry's key."""
    leaves = _leaves(entries)
    subtrees = proofs.Subtrees(*_beside(leaves.values()))
    before, ours = _before(entries), checkpoints.Ours()
    proofs_by_key = {}
    for entry in entries:
        proof = _prove(entry, leaves.get((entry.chain_id, entry.seq)), checkpoint, subtrees, ours)
        proofs_by_key[entry.pk] = proof._replace(loose=_loose(entry, before))
    return proofs_by_key


def document(entries, checkpoint):
    """What somebody outside needs to check these entries, as JSON; None as long as one of them is not proven."""
    proofs_by_key = prove(entries, checkpoint)
    if not all(proof.proven for proof in proofs_by_key.values()):
        return None
    document_ = {
        "check": WORDING(
            "proof_check", function=verify_export.verify_inclusion.__name__, program=Path(verify_export.__file__).name
        ),
        "checkpoint": checkpoint.note,
        "entries": [
            {
                "entry": entry.body,
                "index": proofs_by_key[entry.pk].index,
                "path": [notes.encode(hash_) for hash_ in proofs_by_key[entry.pk].path],
                "size": checkpoint.size,
            }
            for entry in entries
        ],
    }
    return json.dumps(document_, indent=2, ensure_ascii=False) + "\n"


def _leaves(entries):
    """The leaves of entries, by chain and number."""
    leaves = {}
    for chain in {entry.chain_id for entry in entries}:
        seqs = [entry.seq for entry in entries if entry.chain_id == chain]
        for leaf in Leaf.objects.filter(chain=chain, seq__in=seqs):
            leaves[chain, leaf.seq] = leaf
    return leaves


def _beside(leaves):
    """What lies beside leaves near each other, such as a round's: the first index, and the hashes from it on.

    Read at once, they spare each proof some ten queries.
    """
    indexes = [leaf.index for leaf in leaves]
    if not indexes or max(indexes) - min(indexes) > NEAR:
        return 0, ()
    first, end = min(indexes) & -BLOCK, (max(indexes) | (BLOCK - 1)) + 1
    rows = Leaf.objects.filter(index__range=(first, end - 1)).order_by("index").values_list("index", "hash")
    hashes = [(index, bytes(hash_)) for index, hash_ in rows]
    # A missing leaf is noticed where it is needed.
    return (first, [hash_ for _, hash_ in hashes]) if hashes[-1][0] == first + len(hashes) - 1 else (0, ())


def _before(entries):
    """The digest of the entry before each, by its chain and number."""
    digests = {}
    for chain in {entry.chain_id for entry in entries}:
        seqs = [entry.seq - 1 for entry in entries if entry.chain_id == chain]
        rows = Entry.objects.filter(chain=chain, seq__in=seqs).values_list("seq", "body")
        digests |= {(chain, seq): log.digest(body) for seq, body in rows}
    return digests


def _prove(entry, leaf, checkpoint, subtrees, ours):
    if leaf is None or checkpoint is None or leaf.index >= checkpoint.size:
        return Proof()
    first = checkpoints.first_over(leaf.index, ours)
    first = first and first.size
    hash_ = tree.leaf_hash(entry.body.encode())
    if hash_ != bytes(leaf.hash):
        return Proof(leaf.index, first=first, wrong=WORDING("entry_changed"))
    size, wrong = checkpoint.size, WORDING("tree_changed:root")
    try:
        root = notes.read(checkpoint.note).root
        # A forged hash is found only by looking for it, which takes longer.
        for known in (lambda: subtrees, lambda: proofs.Signed(size, root)):
            path = proofs.inclusion(leaf.index, size, known())
            if verify_export.verify_inclusion(hash_, leaf.index, size, path, root):
                return Proof(leaf.index, tuple(path), first)
    except (LookupError, notes.BadNoteError) as error:
        wrong = WORDING("tree_changed", fault=error)
    return Proof(leaf.index, first=first, wrong=wrong)


def _loose(entry, before):
    """What is wrong between an entry and its chain; empty if nothing is."""
    body = form.lenient(entry.body)
    if (body.get("chain"), body.get("seq")) != (entry.chain_id, entry.seq):
        return WORDING("entry_misplaced")
    if body.get("prev") == (before.get((entry.chain_id, entry.seq - 1)) if entry.seq > 1 else FIRST_PREV):
        return ""
    return WORDING("entry_loose", before=entry.seq - 1)
