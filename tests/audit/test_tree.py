"""The log's tree against the definitions of RFC 6962, read word by word in `tests/support/reference.py`."""

import re
from itertools import pairwise

import pytest

from audit import tree

from ..support import reference

LARGEST = 20
LEAVES = [bytes([number]) * (number % 3) for number in range(LARGEST)]


def subtrees(height, place):
    """The hash of a complete subtree, by the definition."""
    return reference.root(LEAVES[place << height : (place + 1) << height])


def grown(size):
    edge = tree.Edge()
    for leaf in LEAVES[:size]:
        edge.append(tree.leaf_hash(leaf))
    return edge


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_a_tree_that_grows_leaf_by_leaf_has_the_root_of_the_definition(size):
    edge = grown(size)
    assert edge.size == size
    assert edge.root() == reference.root(LEAVES[:size])
    assert tree.Edge(size, edge.hashes).root() == edge.root()


def test_a_leaf_gives_each_subtree_that_it_completes():
    edge = tree.Edge()
    for size, leaf in enumerate(LEAVES, 1):
        completed = edge.append(tree.leaf_hash(leaf))
        heights = [height for height in range(1, 6) if size % (1 << height) == 0]
        places = [(size >> height) - 1 for height in heights]
        assert completed == [(h, at, subtrees(h, at)) for h, at in zip(heights, places, strict=True)]


def test_an_edge_has_one_hash_for_each_bit_of_its_size():
    with pytest.raises(ValueError, match=re.escape("A tree of 5 leaves has 2 complete subtrees, not 1.")):
        tree.Edge(5, [b""])


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_inclusion_proofs_are_those_of_the_definition(size):
    for index in range(size):
        assert tree.inclusion(index, size, subtrees) == reference.path(index, LEAVES[:size])


@pytest.mark.parametrize("second", range(1, LARGEST + 1))
def test_consistency_proofs_are_those_of_the_definition(second):
    for first in range(1, second + 1):
        assert tree.consistency(first, second, subtrees) == reference.proof(first, LEAVES[:second])


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_a_leaf_that_is_not_there_has_no_proof(index, size):
    with pytest.raises(ValueError, match=f"A tree of {size} leaves has no leaf {index}"):
        tree.inclusion(index, size, subtrees)


@pytest.mark.parametrize(("first", "second"), [(0, 3), (4, 3), (-1, 3)])
def test_a_tree_that_is_no_beginning_has_no_proof(first, second):
    with pytest.raises(ValueError, match=f"A tree of {second} leaves does not begin with one of {first}"):
        tree.consistency(first, second, subtrees)


@pytest.mark.parametrize("start", range(LARGEST))
def test_the_fewest_complete_subtrees_cover_a_range(start):
    """Complete subtrees side by side, none of which could be joined with its neighbour."""
    for end in range(start, LARGEST + 1):
        cover = list(tree.cover(start, end))
        leaves = [leaf for height, place in cover for leaf in range(place << height, (place + 1) << height)]
        assert leaves == list(range(start, end))
        for (height, place), after in pairwise(cover):
            assert place % 2 or after != (height, place + 1)
