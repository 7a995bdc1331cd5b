"""Hands without their suits: the multisets of five and seven ranks, and how strong five cards are.

A rank is 0 to 12, two to ace. A *spread* is how often each rank occurs, thirteen counts. A *mask* is a set of ranks as
thirteen bits. A strength is one integer, so that the greater is the better hand (split.2).
"""

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numba import njit

RANKS = 13
SUITS = 4
Array = Any
EQUAL = 1e-12
"""What two ways to play may differ by and still be worth the same, so that no rounding decides between them."""

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
_WHEEL = 1 << 12 | 0b1111


@njit(cache=True, nogil=True)
def straight_top(mask: int) -> int:
    """The highest rank of a straight of exactly these five ranks, or -1 (an ace is low in 5-4-3-2-A)."""
    if mask == _WHEEL:
        return 3
    for top in range(4, RANKS):
        if mask == 0b11111 << (top - 4):
            return top
    return -1


@njit(cache=True, nogil=True)
def strength_of(spread: Array, flush: bool) -> int:
    """The strength of five cards: their category, then the ranks that decide, four bits each (split.2)."""
    mask = 0
    quads, trips, high_pair, low_pair = -1, -1, -1, -1
    for rank in range(RANKS):
        count = spread[rank]
        if count:
            mask |= 1 << rank
        if count == 4:
            quads = rank
        elif count == 3:
            trips = rank
        elif count == 2:
            low_pair = high_pair
            high_pair = rank
    category = HIGH_CARD
    code = 0
    if quads >= 0:
        category, code = QUADS, quads
    elif trips >= 0 and high_pair >= 0:
        return FULL_HOUSE << 20 | trips << 4 | high_pair
    elif trips >= 0:
        category, code = TRIPS, trips
    elif low_pair >= 0:
        category, code = TWO_PAIR, high_pair << 4 | low_pair
    elif high_pair >= 0:
        category, code = PAIR, high_pair
    else:
        top = straight_top(mask)
        if top >= 0:
            if not flush:
                return STRAIGHT << 20 | top
            return (ROYAL_FLUSH if top == 12 else STRAIGHT_FLUSH) << 20 | top
        if flush:
            category = FLUSH
    for rank in range(RANKS - 1, -1, -1):
        if spread[rank] == 1:
            code = code << 4 | rank
    return category << 20 | code


@lru_cache(maxsize=2)
def spreads(cards: int) -> Array:
    """All multisets of this many ranks, at most four of each, in the order of `place`: (n, 13) counts.

    >>> len(spreads(5)), len(spreads(7))
    (6175, 49205)
    """
    rows, left = np.zeros((1, 0), dtype=np.int8), np.array([cards])
    for after in range(RANKS - 1, -1, -1):
        count = np.tile(np.arange(5, dtype=np.int8), len(rows))
        rows = np.column_stack([np.repeat(rows, 5, axis=0), count])
        left = np.repeat(left, 5) - count
        can = (left >= 0) & (left <= 4 * after)
        rows, left = rows[can], left[can]
    return rows


def places(cards: int) -> Array:
    """`before[rank, left, count]`: the multisets that stand before one which has `count` of `rank` while `left` cards
    are still to be placed; adding them up over the ranks gives a multiset's number in `spreads`."""
    ways = np.zeros((RANKS + 1, cards + 1), dtype=np.int64)
    ways[RANKS, 0] = 1
    for rank in range(RANKS - 1, -1, -1):
        for left in range(cards + 1):
            ways[rank, left] = sum(ways[rank + 1, left - count] for count in range(min(4, left) + 1))
    before = np.zeros((RANKS, cards + 1, 5), dtype=np.int64)
    for rank in range(RANKS):
        for left in range(cards + 1):
            for count in range(1, min(4, left) + 1):
                before[rank, left, count] = before[rank, left, count - 1] + ways[rank + 1, left - count + 1]
    return before


@njit(cache=True, nogil=True)
def place(spread: Array, cards: int, before: Array) -> int:
    """The number of a multiset in `spreads(cards)`."""
    number = 0
    left = cards
    for rank in range(RANKS):
        count = spread[rank]
        number += before[rank, left, count]
        left -= count
    return number


def rank_sets() -> Array:
    """The 1,287 masks of five different ranks."""
    return np.array([sum(1 << rank for rank in five) for five in combinations(range(RANKS), 5)], dtype=np.int64)
