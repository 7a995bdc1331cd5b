"""All 2,598,960 hands of five cards with all 47 open cards, and the 1,035 pairs of cards that each may buy.

Hands that differ only in which suit is which are one, so 134,459 are gone through, each with its weight. What seven
cards are worth is looked up: where no setting reaches a straight or a flush, by their ranks, the open card's rank and
what is held of its suit; elsewhere card by card.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .ranks import RANKS, SUITS, place
from .settings import rest

Array = Any


class Hands(NamedTuple):
    """`suits` (n, 4) the ranks held of each suit as masks, `weight` (n,) how many hands are like it."""

    suits: Array
    weight: Array


def hands() -> Hands:
    """The 134,459 hands of five cards that differ in more than which suit is which."""
    cards = np.array(list(combinations(range(52), 5)), dtype=np.int64)
    suits = np.zeros((len(cards), SUITS), dtype=np.int64)
    for column in range(5):
        rank, suit = cards[:, column] // SUITS, cards[:, column] % SUITS
        for one in range(SUITS):
            suits[:, one] |= np.where(suit == one, 1 << rank, 0)
    suits.sort(axis=1)
    key = ((suits[:, 3] << RANKS | suits[:, 2]) << RANKS | suits[:, 1]) << RANKS | suits[:, 0]
    _, index, weight = np.unique(key, return_index=True, return_counts=True)
    return Hands(suits[index], weight)


@njit(cache=True, nogil=True, inline="always")
def local(mask: int, all_ranks: int) -> int:
    """Which of the ranks of a hand a mask names, counted among them: bits of `mask` drawn together."""
    drawn, bit = 0, 1
    while all_ranks:
        lowest = all_ranks & -all_ranks
        if mask & lowest:
            drawn |= bit
        bit <<= 1
        all_ranks ^= lowest
    return drawn


@njit(cache=True, nogil=True, inline="always")
def bits(mask: int) -> int:
    """How many bits are set."""
    mask = (mask & 0x5555) + (mask >> 1 & 0x5555)
    mask = (mask & 0x3333) + (mask >> 2 & 0x3333)
    mask = (mask & 0x0F0F) + (mask >> 4 & 0x0F0F)
    return (mask & 0xFF) + (mask >> 8)


@njit(cache=True, nogil=True)
def best_settings(
    suits: Array,
    plain_class: int,
    all_ranks: int,
    low: Array,
    flushes: Array,
    plain_first: Array,
    plain_offset: Array,
    plain_own: Array,
    plain_other: Array,
    suited_number: Array,
    suited_first: Array,
    suited_own: Array,
    suited_other: Array,
    house: bool,
    best: Array,
    which: Array,
    slots: Array,
) -> None:
    """Fill `best` (4, 13), by suit and rank of the open card, with what seven cards are worth in their best setting,
    and `which` with its row: below zero for one that stands in `low`, then the rows of plain settings, then of suited.

    If the `house` sets, each class has the one setting of split.9, and a flush comes before all others that can be.
    """
    for suit in range(SUITS):
        for rank in range(RANKS):
            best[suit, rank] = low[plain_class, rank] - flushes[suits[suit], rank]
            which[suit, rank] = -1
    first, last = plain_first[plain_class], plain_first[plain_class + 1]
    if first < last:
        for suit in range(SUITS):
            slots[0, suit] = local(suits[suit], all_ranks)
        for row in range(first, last):
            offset = plain_offset[row]
            for rank in range(RANKS):
                everywhere = 0.0
                for suit in range(SUITS):
                    everywhere += plain_other[offset + slots[0, suit], rank]
                for suit in range(SUITS):
                    worth = everywhere + plain_own[offset + slots[0, suit], rank]
                    if worth > best[suit, rank]:
                        best[suit, rank] = worth
                        which[suit, rank] = row
    for flush in range(SUITS):
        if bits(suits[flush]) < 5:
            continue
        high, other = -1, -1
        for rank in range(RANKS - 1, -1, -1):
            for suit in range(SUITS):
                if suit != flush and suits[suit] >> rank & 1:
                    if high < 0:
                        high = rank
                    else:
                        other = rank
        one = 1 << high if high >= 0 else -1
        two = 1 << other if other >= 0 and other != high else -1
        for suit in range(SUITS):
            mask = suits[suit]
            slots[1, suit] = 4 if suit == flush else (0 if mask == 0 else 1 if mask == one else 2 if mask == two else 3)
        number = suited_number[suits[flush]] + rest(high, other)
        if house:
            best[:] = -4.0
        for row in range(suited_first[number], suited_first[number + 1]):
            for rank in range(RANKS):
                everywhere = 0.0
                for suit in range(SUITS):
                    everywhere += suited_other[row, slots[1, suit], rank]
                for suit in range(SUITS):
                    worth = everywhere + suited_own[row, slots[1, suit], rank]
                    if worth > best[suit, rank]:
                        best[suit, rank] = worth
                        which[suit, rank] = len(plain_offset) + row


@njit(cache=True, nogil=True)
def bought(
    begin: int,
    end: int,
    suits_of: Array,
    before: Array,
    low: Array,
    flushes: Array,
    plain_first: Array,
    plain_offset: Array,
    plain_own: Array,
    plain_other: Array,
    suited_number: Array,
    suited_first: Array,
    suited_own: Array,
    suited_other: Array,
    house: bool,
    measured: bool,
    worth_of: Array,
    low_used: Array,
    flushes_used: Array,
    plain_own_used: Array,
    plain_other_used: Array,
    suited_own_used: Array,
    suited_other_used: Array,
    folded: Array,
) -> None:
    """Fill `worth_of[begin:end]` (hands, 4, 13): what five cards are worth that buy two, all fees included, by suit and
    rank of the open card. If the `house` sets, what a plain bet is worth: no fee is paid and none of seven cards fold.

    If `measured`, `worth_of` holds how often five cards buy against the open card, and is read: the arrays of uses get
    how often each value that was looked up counted, `folded` (13,) how often seven cards folded, by the open card's
    rank.
    """
    suits = np.zeros(SUITS, np.int64)
    seven = np.zeros(SUITS, np.int64)
    spread = np.zeros(RANKS, np.int64)
    best = np.zeros((SUITS, RANKS), np.float64)
    which = np.zeros((SUITS, RANKS), np.int64)
    slots = np.zeros((2, SUITS), np.int64)
    taken = np.zeros((SUITS, RANKS), np.bool_)
    apart = np.zeros((16, 2), np.int64)
    weights = np.zeros(4, np.float64)
    fee = 0.0 if house else 1.0
    least = -4.0 if house else -2.0
    for hand in range(begin, end):
        largest, largest_suit = 0, 0
        spread[:] = 0
        for suit in range(SUITS):
            suits[suit] = suits_of[hand, suit]
            if bits(suits[suit]) > largest:
                largest, largest_suit = bits(suits[suit]), suit
            for rank in range(RANKS):
                taken[suit, rank] = suits[suit] >> rank & 1
                spread[rank] += suits[suit] >> rank & 1
        if measured:
            any_used = False
            for suit in range(SUITS):
                for rank in range(RANKS):
                    any_used = any_used or worth_of[hand, suit, rank] > 0.0
            if not any_used:
                continue
        else:
            for suit in range(SUITS):
                for rank in range(RANKS):
                    worth_of[hand, suit, rank] = 0.0
        for high in range(RANKS):
            for other in range(high + 1):
                if spread[high] + (2 if high == other else 1) > 4 or spread[other] >= 4:
                    continue
                highs, others = 4 - spread[high], 4 - spread[other]
                spread[high] += 1
                spread[other] += 1
                plain_class = place(spread, 7, before)
                all_ranks = 0
                for rank in range(RANKS):
                    if spread[rank]:
                        all_ranks |= 1 << rank
                spread[high] -= 1
                spread[other] -= 1
                all_apart = plain_first[plain_class] < plain_first[plain_class + 1]
                # The pairs of cards that must be looked up by themselves: those with a flush, or all.
                count = 0
                if all_apart or largest >= 3:
                    for one in range(SUITS):
                        if taken[one, high]:
                            continue
                        for two in range(one + 1 if high == other else 0, SUITS):
                            if taken[two, other]:
                                continue
                            added = (1 if one == largest_suit else 0) + (1 if two == largest_suit else 0)
                            if all_apart or largest + added >= 5:
                                apart[count, 0] = one
                                apart[count, 1] = two
                                count += 1
                for number in range(count):
                    one, two = apart[number, 0], apart[number, 1]
                    for suit in range(SUITS):
                        seven[suit] = suits[suit]
                    seven[one] |= 1 << high
                    seven[two] |= 1 << other
                    best_settings(
                        seven,
                        plain_class,
                        all_ranks,
                        low,
                        flushes,
                        plain_first,
                        plain_offset,
                        plain_own,
                        plain_other,
                        suited_number,
                        suited_first,
                        suited_own,
                        suited_other,
                        house,
                        best,
                        which,
                        slots,
                    )
                    for suit in range(SUITS):
                        for rank in range(RANKS):
                            if seven[suit] >> rank & 1:
                                continue
                            if not measured:
                                worth_of[hand, suit, rank] += max(least, best[suit, rank] - fee)
                                continue
                            used = worth_of[hand, suit, rank]
                            if used == 0.0:
                                continue
                            row = which[suit, rank]
                            if best[suit, rank] <= least + fee:
                                folded[rank] += used
                            elif row < 0:
                                low_used[plain_class, rank] += used
                                flushes_used[plain_class, rank] += used * flushes[seven[suit], rank]
                            elif row < len(plain_offset):
                                offset = plain_offset[row]
                                plain_own_used[offset + slots[0, suit], rank] += used
                                for each in range(SUITS):
                                    plain_other_used[offset + slots[0, each], rank] += used
                            else:
                                row -= len(plain_offset)
                                suited_own_used[row, slots[1, suit], rank] += used
                                for each in range(SUITS):
                                    suited_other_used[row, slots[1, each], rank] += used
                if all_apart:
                    continue
                for suit in range(SUITS):
                    held = suits[suit]
                    high_in = 0 if taken[suit, high] else 1
                    other_in = 0 if taken[suit, other] else 1
                    for variant in range(3):
                        # The open card is of neither rank, of the higher, of the other.
                        if variant == 1 and taken[suit, high]:
                            continue
                        if variant == 2 and (high == other or taken[suit, other]):
                            continue
                        a, b, a_in, b_in = highs, others, high_in, other_in
                        if variant == 1:
                            a, a_in = a - 1, 0
                            if high == other:
                                b, b_in = a, 0
                        elif variant == 2:
                            b, b_in = b - 1, 0
                        if high == other:
                            weights[0] = 0.0
                            weights[1] = a_in * (a - a_in)
                            weights[2] = 0.0
                            weights[3] = (a - a_in) * (a - a_in - 1) / 2
                        else:
                            weights[0] = a_in * b_in
                            weights[1] = a_in * (b - b_in)
                            weights[2] = (a - a_in) * b_in
                            weights[3] = (a - a_in) * (b - b_in)
                        for number in range(count):
                            one, two = apart[number, 0], apart[number, 1]
                            if variant == 1 and (one == suit or (high == other and two == suit)):
                                continue
                            if variant == 2 and two == suit:
                                continue
                            if high == other:
                                weights[1 if one == suit or two == suit else 3] -= 1
                            else:
                                weights[(0 if one == suit else 2) + (0 if two == suit else 1)] -= 1
                        if variant == 0:
                            kept_high, kept_other = worth_of[hand, suit, high], worth_of[hand, suit, other]
                        for way in range(4):
                            weight = weights[way]
                            if weight <= 0.0:
                                continue
                            mask = held
                            if way < 2:
                                mask |= 1 << high
                            if way == 0 or way == 2:
                                mask |= 1 << other
                            if not measured:
                                if variant == 0:
                                    for rank in range(RANKS):
                                        worth_of[hand, suit, rank] += weight * max(
                                            least, low[plain_class, rank] - flushes[mask, rank] - fee
                                        )
                                else:
                                    rank = high if variant == 1 else other
                                    worth_of[hand, suit, rank] += weight * max(
                                        least, low[plain_class, rank] - flushes[mask, rank] - fee
                                    )
                                continue
                            for rank in range(RANKS):
                                if variant == 0 and rank in (high, other):
                                    continue
                                if (variant == 1 and rank != high) or (variant == 2 and rank != other):
                                    continue
                                used = weight * worth_of[hand, suit, rank]
                                if used == 0.0:
                                    continue
                                if low[plain_class, rank] - flushes[mask, rank] <= least + fee:
                                    folded[rank] += used
                                else:
                                    low_used[plain_class, rank] += used
                                    flushes_used[plain_class, rank] += used * flushes[mask, rank]
                        if variant == 0 and not measured:
                            worth_of[hand, suit, high], worth_of[hand, suit, other] = kept_high, kept_other
        if not measured:
            for suit in range(SUITS):
                for rank in range(RANKS):
                    worth_of[hand, suit, rank] /= 1035.0
