"""What the dealer may hold, and what a replaced card may make of it: tables that depend on no rule sheet."""

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from .ranks import PAIR, RANKS, rank_sets, spreads, straight_top, strength_of

Array = Any


class Games(NamedTuple):
    """The dealer's hands with a game, flushes apart (split.10), by strength.

    `ranks` (n, 5) names the different ranks of each, `counts` (n, 5) how often, `different` (n,) how many there are.
    """

    strengths: Array
    ranks: Array
    counts: Array
    different: Array


class Sets(NamedTuple):
    """The 1,287 sets of five different ranks: the dealer's hands without a game, his straights and his flushes.

    `ranks` (n, 5) from high to low; `plain` their strength in mixed suits, `suited` in one suit. If the highest card
    is replaced (split.13) by one of a rank r, `paired` (n, 4) holds the strength where r is that of `ranks[:, 1 + i]`,
    `made` (n, 13) where r makes a straight, else 0 (`making` (n, 2) are the ranks that do, or -1), and `flushed` (n,
    13) where r makes five of one suit.
    """

    masks: Array
    ranks: Array
    plain: Array
    suited: Array
    paired: Array
    making: Array
    made: Array
    flushed: Array


def _strength(ranks: tuple[int, ...], flush: bool) -> int:
    spread = np.zeros(RANKS, dtype=np.int8)
    for rank in ranks:
        spread[rank] += 1
    return int(strength_of(spread, flush))


@lru_cache(maxsize=1)
def games() -> Games:
    """All 4,898 multisets of five ranks with a pair or better, straights in mixed suits among them."""
    rows = []
    for spread in spreads(5):
        strength = int(strength_of(spread, False))
        if strength >= PAIR << 20:
            rows.append((strength, tuple(int(rank) for rank in np.nonzero(spread)[0]), spread))
    rows.sort(key=lambda row: row[0])
    ranks = np.zeros((len(rows), 5), dtype=np.int64)
    counts = np.zeros((len(rows), 5), dtype=np.int64)
    for number, (_, held, spread) in enumerate(rows):
        for place, rank in enumerate(held):
            ranks[number, place] = rank
            counts[number, place] = spread[rank]
    return Games(
        np.array([row[0] for row in rows], dtype=np.int64),
        ranks,
        counts,
        np.array([len(row[1]) for row in rows], dtype=np.int64),
    )


@lru_cache(maxsize=1)
def sets() -> Sets:
    """The tables of the 1,287 rank sets."""
    masks = rank_sets()
    count = len(masks)
    ranks = np.array([sorted(five, reverse=True) for five in combinations(range(RANKS), 5)], dtype=np.int64)
    plain, suited = (
        np.array([_strength(tuple(row), flush) for row in ranks.tolist()], dtype=np.int64) for flush in (False, True)
    )
    paired = np.zeros((count, 4), dtype=np.int64)
    made = np.zeros((count, RANKS), dtype=np.int64)
    making = np.full((count, 2), -1, dtype=np.int64)
    flushed = np.zeros((count, RANKS), dtype=np.int64)
    for number, row in enumerate(ranks.tolist()):
        rest = row[1:]
        for place, rank in enumerate(rest):
            paired[number, place] = _strength((*rest, rank), False)
        for rank in set(range(RANKS)) - set(rest):
            if straight_top(sum(1 << one for one in (*rest, rank))) >= 0:
                made[number, rank] = _strength((*rest, rank), False)
            flushed[number, rank] = _strength((*rest, rank), True)
        makers = np.nonzero(made[number])[0]
        making[number, : len(makers)] = makers
    return Sets(masks, ranks, plain, suited, paired, making, made, flushed)
