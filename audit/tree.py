"""The Merkle tree over the log (RFC 6962, RFC 9162): hashes, the right edge that grows it, and proofs.

A subtree is named by its height and its place among those of its height: `(3, 5)` has the leaves 40 to 47. Hashes are
32 bytes. A caller that wants proofs passes a function that knows the hash of each complete subtree.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

Subtrees = Callable[[int, int], bytes]
"""The hash of the complete subtree of a height at a place."""


def leaf_hash(data: bytes) -> bytes:
    """RFC 6962, 2.1.

    >>> leaf_hash(b"").hex()[:8]
    '6e340b9c'
    """
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


class Edge:
    """A tree's complete subtrees from left to right, the largest first: one hash for each bit of its size.

    However large the tree is, this is all that it takes to grow it and to know its root.
    """

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()):
        self.size, self.hashes = size, list(hashes)
        if len(self.hashes) != size.bit_count():
            raise ValueError(
                f"A tree of {size} leaves has {size.bit_count()} complete subtrees, not {len(self.hashes)}."
            )

    def append(self, leaf: bytes) -> list[tuple[int, int, bytes]]:
        """Add the hash of the next leaf; return the subtrees that it completes, as (height, place, hash)."""
        completed = []
        place, height, grown = self.size, 0, leaf
        while place & 1:
            grown = node_hash(self.hashes.pop(), grown)
            place >>= 1
            height += 1
            completed.append((height, place, grown))
        self.hashes.append(grown)
        self.size += 1
        return completed

    def root(self) -> bytes:
        """The root of the tree as it is.

        >>> Edge().root().hex()[:8]
        'e3b0c442'
        """
        if not self.hashes:
            return sha256(b"").digest()
        *left, grown = self.hashes
        for hash_ in reversed(left):
            grown = node_hash(hash_, grown)
        return grown


def inclusion(index: int, size: int, subtrees: Subtrees) -> list[bytes]:
    """The proof that the leaf `index` is in the tree of `size` leaves (RFC 9162, 2.1.3.1): hashes from the leaf up."""
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has no leaf {index}.")
    proof: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_hash(middle, end, subtrees))
            end = middle
        else:
            proof.append(_hash(start, middle, subtrees))
            start = middle
    return proof[::-1]


def consistency(first: int, second: int, subtrees: Subtrees) -> list[bytes]:
    """The proof that the tree of `second` leaves begins with that of `first` (RFC 9162, 2.1.4.1)."""
    if not 0 < first <= second:
        raise ValueError(f"A tree of {second} leaves does not begin with one of {first}.")
    proof: list[bytes] = []
    start, end, whole = 0, second, True
    while first != end:
        middle = start + _split(end - start)
        if first <= middle:
            proof.append(_hash(middle, end, subtrees))
            end = middle
        else:
            proof.append(_hash(start, middle, subtrees))
            start, whole = middle, False
    if not whole:
        proof.append(_hash(start, end, subtrees))
    return proof[::-1]


def cover(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The fewest complete subtrees that together have the leaves from `start` to before `end`, in order.

    >>> list(cover(3, 13))
    [(0, 3), (2, 1), (2, 2), (0, 12)]
    """
    while start < end:
        height = (end - start).bit_length() - 1
        if start:
            height = min(height, (start & -start).bit_length() - 1)
        yield height, start >> height
        start += 1 << height


def _hash(start: int, end: int, subtrees: Subtrees) -> bytes:
    """The hash of the leaves from `start` to before `end`, where `start` begins a subtree of the tree."""
    return Edge(end - start, (subtrees(height, place) for height, place in cover(start, end))).root()


def _split(size: int) -> int:
    """The largest power of two below `size`, at which the tree splits."""
    return 1 << (size - 1).bit_length() - 1
