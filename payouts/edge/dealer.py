"""What the dealer may hold, and what a replaced card may make of it: tables that depend on no rule sheet."""

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from .kept import kept
from .ranks import HIGH_CARD, PAIR, RANKS, STRAIGHT, rank_sets, spreads, straight_top, strength_of

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
    is replaced (split.13) by one of a rank r, `mixed` (n, 13) holds the strength of a pair or a straight that it makes,
    0 if it makes none, and `flushed` (n, 13) that of five of one suit, 0 for the ranks of those that stay.
    """

    masks: Array
    ranks: Array
    plain: Array
    suited: Array
    mixed: Array
    flushed: Array


def _strength(ranks: tuple[int, ...], flush: bool) -> int:
    spread = np.zeros(RANKS, dtype=np.int8)
    for rank in ranks:
        spread[rank] += 1
    return int(strength_of(spread, flush))


@kept
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


@kept
def sets() -> Sets:
    """The tables of the 1,287 rank sets."""
    masks = rank_sets()
    count = len(masks)
    ranks = np.array([sorted(five, reverse=True) for five in combinations(range(RANKS), 5)], dtype=np.int64)
    plain, suited = (
        np.array([_strength(tuple(row), flush) for row in ranks.tolist()], dtype=np.int64) for flush in (False, True)
    )
    mixed = np.zeros((count, RANKS), dtype=np.int64)
    flushed = np.zeros((count, RANKS), dtype=np.int64)
    for number, row in enumerate(ranks.tolist()):
        rest = row[1:]
        for rank in range(RANKS):
            if rank in rest:
                mixed[number, rank] = _strength((*rest, rank), False)
                continue
            if straight_top(sum(1 << one for one in (*rest, rank))) >= 0:
                mixed[number, rank] = _strength((*rest, rank), False)
            flushed[number, rank] = _strength((*rest, rank), True)
    return Sets(masks, ranks, plain, suited, mixed, flushed)


WIDTH = 320
"""How many of the dealer's hands stand in one block: what is worked out for one fits into a processor's cache."""


class Blocks(NamedTuple):
    """The 1,277 sets of five ranks that are not a game in mixed suits, so that the game may be bought (split.12).

    They stand in blocks of `WIDTH`, those with the same highest rank together, so that loops over them become vector
    instructions; filling at the end of the last block is not `real`. Each is (blocks, WIDTH) or, by rank, (blocks, 13,
    WIDTH).

    `ranks` (blocks, WIDTH, 5) from high to low; `masks`, `stay` the ranks, all and without the highest, which is
    replaced (split.13); `first` (blocks, 14) where each highest rank begins; `suited` the strength in one suit. By
    rank: `has`, `stays` 1 where the rank is in the set, and stays in it; `mixed` the strength if a card of the rank
    comes, 0 if that is no game; `flushed` the same where it makes five of one suit, 0 where it can't; `flushed_last`
    the same where a single card of the rank is left, which may be the highest itself.
    """

    real: Array
    ranks: Array
    masks: Array
    stay: Array
    first: Array
    suited: Array
    has: Array
    stays: Array
    mixed: Array
    flushed: Array
    flushed_last: Array


@kept
def blocks() -> Blocks:
    """The tables of the sets against which the game may be bought."""
    every = sets()
    chosen = np.nonzero(every.plain >> 20 == HIGH_CARD)[0]
    chosen = chosen[np.argsort(every.ranks[chosen, 0], kind="stable")]
    count = -(-len(chosen) // WIDTH)
    flat = {name: np.zeros(count * WIDTH, dtype=np.int64) for name in ("masks", "stay")}
    real, suited = np.zeros(count * WIDTH), np.zeros(count * WIDTH)
    ranks_of = np.zeros((count, WIDTH, 5), dtype=np.int64)
    by_rank = {name: np.zeros((count, RANKS, WIDTH)) for name in ("has", "stays", "mixed", "flushed", "flushed_last")}
    first = np.zeros((count, RANKS + 1), dtype=np.int64)
    for number, each in enumerate(chosen):
        block, at = divmod(number, WIDTH)
        ranks = every.ranks[each]
        ranks_of[block, at] = ranks
        real[number], suited[number] = 1.0, every.suited[each]
        flat["masks"][number], flat["stay"][number] = every.masks[each], every.masks[each] ^ 1 << ranks[0]
        first[block, ranks[0] + 1 :] += 1
        by_rank["has"][block, ranks, at] = 1.0
        by_rank["stays"][block, ranks[1:], at] = 1.0
        by_rank["mixed"][block, :, at] = every.mixed[each]
        by_rank["flushed"][block, :, at] = by_rank["flushed_last"][block, :, at] = every.flushed[each]
        by_rank["flushed_last"][block, ranks[0], at] = 0.0
    shape = (count, WIDTH)
    masks, stay = (each.reshape(shape) for each in flat.values())
    return Blocks(
        real.reshape(shape), ranks_of, masks, stay, first, suited.reshape(shape), *by_rank.values()
    )  # fmt: skip


class Straights(NamedTuple):
    """The ten straights: their ranks, and their strength in mixed suits and in one."""

    masks: Array
    plain: Array
    suited: Array


@lru_cache(maxsize=1)
def straights() -> Straights:
    """The tables of the ten straights."""
    every = sets()
    chosen = every.plain >> 20 == STRAIGHT
    return Straights(every.masks[chosen], every.plain[chosen], every.suited[chosen])
