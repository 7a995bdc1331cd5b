"""The settings of seven cards that can be the best for some sheet (split.9), and the classes that they belong to.

No coefficient is below that of the category before it (split.22), so of two settings, the one with a better Big Hand
and a Small Hand no worse is never worth less: only settings that no other beats in both are kept.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .kept import kept
from .ranks import HIGH_CARD, PAIR, RANKS, place, places, spreads, strength_of
from .smalls import PAIRED, UNPAIRED, UNSEEN

Array = Any
SLOTS = 5
"""The ranks that a suit may hold of seven cards with a flush: none, one, the other or both of the two that lie beside
the flush, or the flush itself."""


class Settings(NamedTuple):
    """Settings by class, those of one class together.

    `held` (n, 13) counts of the player's cards, `strength` (n,) of the Big Hand, `kind`, `high`, `low` (n,) the Small
    Hand, `flush` (n,) the mask of the ranks held in one suit where the Big Hand is a flush, else 0; `first` (classes +
    1,) where each class begins.
    """

    held: Array
    strength: Array
    kind: Array
    high: Array
    low: Array
    flush: Array
    first: Array


@njit(cache=True, nogil=True)
def _front(strengths: Array, smalls: Array, count: int, kept: Array) -> None:
    for one in range(count):
        kept[one] = True
        for other in range(count):
            if one == other:
                continue
            better = strengths[other] > strengths[one] or smalls[other] > smalls[one]
            no_worse = strengths[other] >= strengths[one] and smalls[other] >= smalls[one]
            if no_worse and (better or other < one):
                kept[one] = False
                break


@njit(cache=True, nogil=True)
def plain_settings(spread: Array, strengths: Array, smalls: Array) -> int:
    """Every setting of seven ranks in mixed suits; the number of them. A small is `256 + rank` or `16 high + low`."""
    count = 0
    for high in range(RANKS):
        for low in range(high + 1):
            if spread[high] < (2 if high == low else 1) or spread[low] < 1:
                continue
            spread[high] -= 1
            spread[low] -= 1
            strengths[count] = strength_of(spread, False)
            spread[high] += 1
            spread[low] += 1
            smalls[count] = 256 + high if high == low else 16 * high + low
            count += 1
    return count


@njit(cache=True, nogil=True)
def _plain(all_spreads: Array, out: Array) -> int:
    strengths = np.zeros(32, np.int64)
    smalls = np.zeros(32, np.int64)
    kept = np.zeros(32, np.bool_)
    rows = 0
    for number in range(len(all_spreads)):
        spread = all_spreads[number].copy()
        count = plain_settings(spread, strengths, smalls)
        _front(strengths, smalls, count, kept)
        for one in range(count):
            if kept[one] and strengths[one] >> 20 != HIGH_CARD:
                out[rows, 0] = number
                out[rows, 1] = strengths[one]
                out[rows, 2] = smalls[one]
                rows += 1
    return rows


@njit(cache=True, nogil=True)
def _suited(all_spreads: Array, fives: Array, keys: Array, masks: Array, out: Array) -> int:
    """The settings with a flush of the classes (`keys` numbers of spreads, `masks` what one suit holds)."""
    strengths = np.zeros(64, np.int64)
    smalls = np.zeros(64, np.int64)
    kept = np.zeros(64, np.bool_)
    big = np.zeros(RANKS, np.int8)
    rows = 0
    for number in range(len(keys)):
        spread = all_spreads[keys[number]].copy()
        count = 0
        for five in fives:
            if five & masks[number] != five:
                continue
            high, low = -1, -1
            for rank in range(RANKS - 1, -1, -1):
                big[rank] = five >> rank & 1
                for _ in range(spread[rank] - big[rank]):
                    if high < 0:
                        high = rank
                    else:
                        low = rank
            strengths[count] = strength_of(big, True)
            smalls[count] = 256 + high if high == low else 16 * high + low
            count += 1
        flushes = count
        count += plain_settings(spread, strengths[count:], smalls[count:])
        _front(strengths, smalls, count, kept)
        for one in range(flushes):
            if kept[one]:
                out[rows, 0] = number
                out[rows, 1] = strengths[one]
                out[rows, 2] = smalls[one]
                rows += 1
    return rows


def _settings(held: Array, flush: Array, rows: Array, classes: int) -> Settings:
    paired = rows[:, 2] >= 256
    high = np.where(paired, rows[:, 2] - 256, rows[:, 2] >> 4)
    low = np.where(paired, high, rows[:, 2] & 15)
    return Settings(
        held[rows[:, 0]],
        rows[:, 1].copy(),
        np.where(paired, PAIRED, UNPAIRED).astype(np.int64),
        high,
        low,
        flush[rows[:, 0]],
        np.searchsorted(rows[:, 0], np.arange(classes + 1)),
    )


@kept
def plain() -> Settings:
    """The settings in mixed suits of the 49,205 multisets of seven ranks."""
    held = spreads(7)
    out = np.zeros((22 * len(held), 3), dtype=np.int64)
    rows = out[: _plain(held, out)]
    return _settings(held, np.zeros(len(held), np.int64), rows, len(held))


class Suited(NamedTuple):
    """The 141,141 classes with five to seven cards of one suit.

    `number[mask]` is where the classes of a mask begin, `mask` as thirteen bits; within them they are counted by the
    ranks of the cards beside the flush: `rest(high, low)`. `masks` (classes, 5) the ranks that a suit may hold, -1
    where there are fewer of them.
    """

    settings: Settings
    number: Array
    masks: Array


@njit(cache=True, nogil=True)
def rest(high: int, low: int) -> int:
    """The number of a multiset of no, one (low is -1) or two ranks that lie beside a flush."""
    if high < 0:
        return 0
    if low < 0:
        return high
    return high * (high + 1) // 2 + low


@kept
def suited() -> Suited:
    """The settings with a flush or a straight flush as their Big Hand."""
    before = places(7)
    number = np.full(1 << RANKS, -1, dtype=np.int64)
    keys, flush, masks = [], [], []
    spread = np.zeros(RANKS, dtype=np.int8)
    for size in (5, 6, 7):
        for ranks in combinations(range(RANKS), size):
            mask = sum(1 << rank for rank in ranks)
            number[mask] = len(keys)
            besides = {
                5: [(high, low) for high in range(RANKS) for low in range(high + 1)],
                6: [(high, -1) for high in range(RANKS)],
                7: [(-1, -1)],
            }[size]
            for high, low in besides:
                spread[:] = 0
                spread[list(ranks)] = 1
                for rank in (high, low):
                    if rank >= 0:
                        spread[rank] += 1
                keys.append(int(place(spread, 7, before)))
                flush.append(mask)
                one = 1 << high if high >= 0 else -1
                other = 1 << low if low >= 0 and low != high else -1
                both = one | other if other > 0 else -1
                masks.append((0, one, other, both, mask))
    fives = np.array([sum(1 << rank for rank in five) for five in combinations(range(RANKS), 5)], dtype=np.int64)
    held = spreads(7)
    keys_of, masks_of = np.array(keys), np.array(flush)
    out = np.zeros((21 * len(keys), 3), dtype=np.int64)
    rows = out[: _suited(held, fives, keys_of, masks_of, out)]
    return Suited(_settings(held[keys_of], masks_of, rows, len(keys)), number, np.array(masks, dtype=np.int64))


@kept
def five() -> Settings:
    """The Big Hands of five cards with two unseen (split.8): a pair or better in mixed suits, then the flushes."""
    held = spreads(5)
    rows = [(number, int(strength_of(spread, False)), 0) for number, spread in enumerate(held)]
    rows = [row for row in rows if row[1] >> 20 >= PAIR]
    sets = [number for number, spread in enumerate(held) if spread.max() == 1]
    rows += [(number, int(strength_of(held[number], True)), 1) for number in sets]
    keys = np.array([row[0] for row in rows])
    flush = [sum(1 << rank for rank in np.nonzero(held[number])[0]) if suit else 0 for number, _, suit in rows]
    count = len(rows)
    return Settings(
        held[keys],
        np.array([row[1] for row in rows]),
        np.full(count, UNSEEN),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.array(flush, dtype=np.int64),
        np.array([], dtype=np.int64),
    )
