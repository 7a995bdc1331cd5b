"""Proofs out of the database: that an entry is in the tree, and that the tree only grew (RFC 9162)."""

from . import tree
from .models import Leaf, Subtree


class Subtrees:
    """Knows the hash of each complete subtree, and remembers what it read: for a few proofs at a time.

    It reads few rows, however high the subtree: kept hashes of every eighth height, and leaves below them. It reads
    none for subtrees of `leaves`, the hashes of the leaves from `first` on.

    :param kept: whether kept hashes are read; else only leaves, however many.
    """

    def __init__(self, first=0, leaves=(), *, kept=True):
        self.first, self.leaves, self.kept = first, leaves, kept
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
        if not self.kept and height > Subtree.STEP:
            return tree.node_hash(self(height - 1, 2 * place), self(height - 1, 2 * place + 1))
        level = height - height % Subtree.STEP if self.kept else 0
        hashes = self._rows(level, place << (height - level), 1 << (height - level))
        if not hashes:
            raise LookupError(f"The tree has no subtree {place} of height {height}.")
        return _top(hashes)

    def _rows(self, level, start, count):
        """The kept hashes of `count` subtrees of one height, in order; an empty list if one is missing."""
        if level:
            rows = Subtree.objects.filter(height=level, place__range=(start, start + count - 1)).order_by("place")
        else:
            rows = Leaf.objects.filter(index__range=(start, start + count - 1)).order_by("index")
        hashes = [bytes(hash_) for hash_ in rows.values_list("hash", flat=True)]
        return hashes if len(hashes) == count else []


class Signed(Subtrees):
    """Subtrees of a tree that was signed: a forged hash does not match what lies above it, and is not used.

    The signed root vouches for the kept hashes along the tree's right edge; each of all others is one of 256 that make
    the kept hash above them.
    """

    def __init__(self, size, root, first=0, leaves=()):
        super().__init__(first, leaves)
        self.size, self.vouched = size, {}
        as_they_stand = Subtrees()
        try:
            edge = tree.Edge(size, [as_they_stand(*place) for place in tree.cover(0, size)])
        except LookupError:
            self.kept = False
        else:
            self.kept = edge.root() == root

    def _rows(self, level, start, count):
        if not level:
            return super()._rows(level, start, count)
        group = start >> Subtree.STEP
        if (level, group) not in self.vouched:
            self.vouched[level, group] = self._vouched(level, group)
        offset = start - (group << Subtree.STEP)
        return self.vouched[level, group][offset : offset + count]

    def _vouched(self, level, group):
        first = group << Subtree.STEP
        count = min(1 << Subtree.STEP, (self.size >> level) - first)
        hashes = super()._rows(level, first, count)
        if count < 1 << Subtree.STEP or (hashes and _top(hashes) == self._rows(level + Subtree.STEP, group, 1)[0]):
            return hashes
        bare = Subtrees(kept=False)
        return [bare(level, place) for place in range(first, first + count)]


def _top(hashes):
    """The hash of the complete subtree that these make, a power of two of them."""
    while len(hashes) > 1:
        hashes = [tree.node_hash(*pair) for pair in zip(hashes[::2], hashes[1::2], strict=True)]
    return hashes[0]


def inclusion(index, size, subtrees=None):
    """The proof that the leaf `index` is in the tree of `size` leaves: hashes from the leaf up."""
    return tree.inclusion(index, size, subtrees or Subtrees())


def consistency(first, second, subtrees=None):
    """The proof that the tree of `second` leaves begins with that of `first`."""
    return tree.consistency(first, second, subtrees or Subtrees())
