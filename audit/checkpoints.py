"""Which checkpoints are ours: what was signed decides, never what a row says.

A row may have been written by somebody with the owner's password. It is ours if one of our keys has signed its note,
for its size. The tree is then what the note says; root and edge in the row only spare work.
"""

from typing import NamedTuple

from . import keys, notes, proofs, tree
from .models import Checkpoint, Sealing

# More foreign rows than this are no forgeries: the keys belong to another house, or are lost.
MOST_PASSED = 1_000
HASH_BYTES = 32


class CannotSealError(Exception):
    """What stands in the database is not what was sealed, or its anchor is ahead; the message says what to do."""


class Newest(NamedTuple):
    """The newest tree that we have signed: its right edge, to go on from, and its note.

    `passed` are the sizes of rows, at its place or above, that are not what we wrote.
    """

    edge: tree.Edge
    note: str
    passed: tuple[int, ...]


def sealed():
    """The newest checkpoint as the sealer last found it, None before the first."""
    return Checkpoint.objects.filter(size__in=Sealing.objects.values("sealed")).first()


def first_over(index, ours=None):
    """The first checkpoint of ours that covers a leaf; None as long as none does."""
    ours = ours or Ours()
    rows = Checkpoint.objects.filter(size__gt=index, size__lte=Sealing.objects.values("sealed")[:1]).order_by("size")
    row = rows.first()
    while row is not None and not ours.has(row):
        row = rows.filter(size__gt=row.size).first()
    return row


class Ours:
    """Tells whether rows are what we wrote; it reads the house's name and keys once.

    The web may not know the keys: then a row only has to be consistent with itself.
    """

    def __init__(self):
        self.origin = keys.origin()
        try:
            self.public = keys.public()
        except keys.NoKeyError:
            self.public = []

    def has(self, row):
        note = _note(row, self.origin)
        if note is None or _edge(row, note) is None:
            return False
        return not self.public or any(note.signed_by(key) for key in self.public)


def newest(outside=None, *, begin=False):
    """The newest tree that we have signed, in the rows or outside.

    :param outside: the newest note of the anchor: no older row is looked at.
    :param begin: whether somebody said that the anchor begins anew.

    :raises CannotSealError: if there is no tree to go on from.
    """
    origin, public, passed = keys.origin(), keys.public(), []
    rows = Checkpoint.objects.filter(size__gte=outside.size if outside else 0).order_by("-size")
    row = rows.first()
    while row is not None and len(passed) < MOST_PASSED:
        note = _note(row, origin)
        if note is not None and any(note.signed_by(key) for key in public):
            edge = _edge(row, note)
            return Newest(edge or rebuilt(note), row.note, tuple(passed if edge else [*passed, row.size]))
        passed.append(row.size)
        row = rows.filter(size__lt=row.size).first()
    if outside is not None and any(outside.signed_by(key) for key in public):
        # The file says what we signed; its row is missing or was changed.
        return Newest(rebuilt(outside), "", tuple(passed))
    if outside is None and (begin or not passed):
        return Newest(tree.Edge(), "", tuple(passed))
    first = passed[0] if passed else outside.size
    raise CannotSealError(
        f"Checkpoint {first} was changed, or is signed by no key of {keys.folder() / keys.PUBLIC}, and so is all before"
        " it; bring back the folder of this house's keys. If they are lost, write its old public key there as the first"
        " line: auditors have it. If nothing was ever sealed here, begin with `manage.py seal --begin-anchor`."
    )


def rebuilt(note):
    """The right edge of the tree that was signed, worked out from its leaves.

    :raises CannotSealError: if they don't give its root.
    """
    for kept in (True, False):
        subtrees = proofs.Subtrees(kept=kept)
        try:
            edge = tree.Edge(note.size, [subtrees(*place) for place in tree.cover(0, note.size)])
        except LookupError:
            continue
        if edge.root() == note.root:
            return edge
    raise CannotSealError(
        f"The tree was different when checkpoint {note.size} was signed: one of its leaves was changed or is missing."
        " Restore a backup from before that."
    )


def _note(row, origin):
    """The note of a row, None if it is not a note of this log and this size."""
    try:
        note = notes.read(row.note)
    except ValueError:
        return None
    return note if (note.origin, note.size) == (origin, row.size) else None


def _edge(row, note):
    """The right edge that a row holds, None if it does not belong to the note's tree."""
    try:
        edge = tree.Edge(row.size, [bytes(hash_) for hash_ in row.edge])
    except (ValueError, TypeError):
        return None
    if any(len(hash_) != HASH_BYTES for hash_ in edge.hashes):
        # A hash one byte too short beside one a byte too long gives the same root, but grows into a different tree.
        return None
    return edge if edge.root() == note.root == bytes(row.root) else None
