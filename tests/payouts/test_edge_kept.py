"""Tables of the house edge that depend on no sheet: made once, and read by every later process."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from payouts.edge.kept import kept


class Inner(NamedTuple):
    counts: Any
    ranks: Any


class Outer(NamedTuple):
    inner: Inner
    masks: Any


@pytest.fixture
def makes():
    """How often the table was made."""
    return []


@pytest.fixture
def another(makes):
    """The function that makes it, as a process of its own has it."""

    def process():
        def table() -> Outer:
            makes.append(1)
            columns = np.arange(6, dtype=np.int8).reshape(2, 3).T
            return Outer(Inner(columns, np.array([1.5])), np.array([7, 8], dtype=np.uint16))

        return kept(table)

    return process


def test_a_table_is_made_once_and_read_by_the_next_process(monkeypatch, tmp_path, makes, another):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    table = another()
    first, second = table(), another()()
    assert table() is first
    assert makes == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["table.npz"]
    for one, other in ((first.masks, second.masks), *zip(first.inner, second.inner, strict=True)):
        np.testing.assert_array_equal(one, other)
        # What is compiled for one takes the other, too.
        assert one.dtype == other.dtype
        assert one.flags.c_contiguous
        assert other.flags.c_contiguous
        assert other.flags.writeable


def test_without_a_folder_each_process_makes_its_own(monkeypatch, makes, another):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    another()()
    another()()
    assert makes == [1, 1]
