"""The tree of RFC 6962, word for word by its definitions (section 2.1), slow: our own code is checked against it."""

import hashlib


def below(size):
    """The largest power of two smaller than `size`."""
    power = 1
    while 2 * power < size:
        power *= 2
    return power


def root(leaves):
    """MTH(D[n]) over the leaves' bytes."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    cut = below(len(leaves))
    return hashlib.sha256(b"\x01" + root(leaves[:cut]) + root(leaves[cut:])).digest()


def path(index, leaves):
    """PATH(m, D[n]): the inclusion proof of leaf m."""
    if len(leaves) == 1:
        return []
    cut = below(len(leaves))
    if index < cut:
        return [*path(index, leaves[:cut]), root(leaves[cut:])]
    return [*path(index - cut, leaves[cut:]), root(leaves[:cut])]


def proof(first, leaves):
    """PROOF(m, D[n]): that the tree of the first m leaves is the beginning of this one."""
    return _subproof(first, leaves, True)


def _subproof(first, leaves, whole):
    if first == len(leaves):
        return [] if whole else [root(leaves)]
    cut = below(len(leaves))
    if first <= cut:
        return [*_subproof(first, leaves[:cut], whole), root(leaves[cut:])]
    return [*_subproof(first - cut, leaves[cut:], False), root(leaves[:cut])]
