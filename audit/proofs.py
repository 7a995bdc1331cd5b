"""Proofs out of the database: that an entry is in the tree, and that the tree only grew (RFC 9162)."""

from . import tree
from .models import Leaf, Subtree


class Subtrees:
    """Knows the hash of each complete subtree, and remembers what it read: for a few proofs at a time.

    It reads few rows however high the subtree, out of the kept hashes of every eighth height, and leaves below them;
    none for subtrees of `leaves`, the hashes of the leaves from `first` on.
    """

    def __init__(self, first=0, leaves=()):
        self.first, self.leaves = first, leaves
        self.hashes = {}

    def __call__(self, height, place):
        """The hash of the subtree of a height at a place.

        :raises LookupError: if there is none.
        """
        hash_ = self.hashes.get((height, place))
        if hash_ is None:
            hash_ = self.hashes[height, place] = self._find(height, place)
        return hash_

    def _find(self, height, place):
        if self.first <= place << height and (place + 1) << height <= self.first + len(self.leaves):
            if not height:
                return self.leaves[place - self.first]
            return tree.node_hash(self(height - 1, 2 * place), self(height - 1, 2 * place + 1))
        level = height - height % Subtree.STEP
        start, count = place << (height - level), 1 << (height - level)
        if level:
            rows = Subtree.objects.filter(height=level, place__range=(start, start + count - 1)).order_by("place")
        else:
            rows = Leaf.objects.filter(index__range=(start, start + count - 1)).order_by("index")
        hashes = [bytes(hash_) for hash_ in rows.values_list("hash", flat=True)]
        if len(hashes) != count:
            raise LookupError(f"The tree has no subtree {place} of height {height}.")
        while len(hashes) > 1:
            hashes = [tree.node_hash(*pair) for pair in zip(hashes[::2], hashes[1::2], strict=True)]
        return hashes[0]


def inclusion(index, size, subtrees=None):
    """The proof that the leaf `index` is in the tree of `size` leaves: hashes from the leaf up."""
    return tree.inclusion(index, size, subtrees or Subtrees())


def consistency(first, second, subtrees=None):
    """The proof that the tree of `second` leaves begins with that of `first`."""
    return tree.consistency(first, second, subtrees or Subtrees())
