"""All 2,598,960 hands of five cards with all 47 open cards, and the 1,035 pairs of cards that each may buy.

Hands that differ only in which suit is which count as one, so there are 134,459, each with its weight. The worth of
seven cards is looked up: if no setting reaches a straight or a flush, by their ranks, the open card's rank and what is
held of its suit; else card by card.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .kept import kept
from .ranks import EQUAL, RANKS, SUITS, place, places, spreads
from .settings import SLOTS, rest

Array = Any


class Hands(NamedTuple):
    """`suits` (n, 4) the ranks held of each suit as masks, `weight` (n,) how many hands are like each."""

    suits: Array
    weight: Array


def hands() -> Hands:
    """The 134,459 hands of five cards that differ by more than which suit is which."""
    keys = np.zeros(comb(52, 5), dtype=np.int64)
    _keys(keys)
    keys, weight = np.unique(keys, return_counts=True)
    suits = np.stack([keys >> RANKS * suit & (1 << RANKS) - 1 for suit in range(SUITS)], axis=1)
    return Hands(suits, weight)


@njit(cache=True, nogil=True)
def _keys(out: Array) -> None:
    """Fill `out` with the masks of all hands of five cards, thirteen bits each, the greatest first."""
    masks = np.zeros(SUITS, np.int64)
    number = 0
    for one in range(52):
        for two in range(one):
            for three in range(two):
                for four in range(three):
                    for five in range(four):
                        masks[:] = 0
                        for card in (one, two, three, four, five):
                            masks[card % SUITS] |= 1 << card // SUITS
                        for last in range(SUITS - 1, 0, -1):
                            for suit in range(last):
                                if masks[suit] > masks[suit + 1]:
                                    masks[suit], masks[suit + 1] = masks[suit + 1], masks[suit]
                        out[number] = ((masks[3] << RANKS | masks[2]) << RANKS | masks[1]) << RANKS | masks[0]
                        number += 1


@njit(cache=True, nogil=True, inline="always")
def local(mask: int, all_ranks: int) -> int:
    """The ranks of a hand that a mask names, counted among the hand's: the bits of `mask` drawn together."""
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


class Fives(NamedTuple):
    """Five ranks with what one suit holds of them: the order of the arrays for pairs that ranks decide.

    `offset` (6176,) where the masks of a class begin, `local` of its ranks; `masks` and `of` (n,) the mask and class of
    each; `sevens` (6175, 91) the class of seven ranks that a pair of ranks makes, higher * (higher + 1) / 2 + lower, or
    -1 where there are no such cards.
    """

    offset: Array
    masks: Array
    of: Array
    sevens: Array


@kept
def fives() -> Fives:
    """All five ranks with all that a suit may hold."""
    held = spreads(5)
    offset = np.concatenate([[0], np.cumsum(1 << (held > 0).sum(axis=1))])
    of = np.repeat(np.arange(len(held)), np.diff(offset))
    index = np.arange(len(of)) - offset[of]
    masks = np.zeros(len(of), dtype=np.int64)
    for rank in range(RANKS):
        # The ranks below are counted by the bits of `index` that are spent.
        bit = (held[:, :rank] > 0).sum(axis=1)[of]
        masks |= np.where(held[of, rank] > 0, (index >> bit & 1) << rank, 0)
    sevens = np.full((len(held), RANKS * (RANKS + 1) // 2), -1, dtype=np.int64)
    _sevens(held, places(7), sevens)
    return Fives(offset, masks, of, sevens)


@njit(cache=True, nogil=True)
def _sevens(held: Array, before: Array, sevens: Array) -> None:
    spread = np.zeros(RANKS, np.int64)
    for number in range(len(held)):
        spread[:] = held[number]
        for high in range(RANKS):
            for other in range(high + 1):
                if spread[high] + (2 if high == other else 1) > 4 or spread[other] >= 4:
                    continue
                spread[high] += 1
                spread[other] += 1
                sevens[number, high * (high + 1) // 2 + other] = place(spread, 7, before)
                spread[high] -= 1
                spread[other] -= 1


@njit(cache=True, nogil=True)
def pairs(
    begin: int, end: int, held: Array, of: Fives, low: Array, flushes: Array, plain_first: Array, house: bool,
    measured: bool, worth: Array, low_used: Array, flushes_used: Array, folded: Array,
) -> None:  # fmt: skip
    """Fill `worth[begin:end]` (n, 13) with what the pairs that five cards may buy come to, by the open card's rank,
    where ranks decide what seven cards are worth; pairs with a setting in `plain_first` are left out.

    If `measured`, `worth` holds how often five cards buy, and is read, as in `bought`.
    """
    weights = np.zeros(4, np.float64)
    once = np.zeros(RANKS, np.float64)
    fee = 0.0 if house else 1.0
    least = -4.0 if house else -2.0
    for at in range(begin, end):
        number, mask = of.of[at], of.masks[at]
        used = worth[at]
        if not measured:
            used[:] = 0.0
        for high in range(RANKS):
            for other in range(high + 1):
                seven = of.sevens[number, high * (high + 1) // 2 + other]
                if seven < 0 or plain_first[seven] < plain_first[seven + 1]:
                    continue
                high_in, other_in = 1 - (mask >> high & 1), 1 - (mask >> other & 1)
                values = low[seven]
                for variant in range(3):
                    # The open card is of neither rank, of the higher, of the other.
                    if (variant == 1 and not high_in) or (variant == 2 and (high == other or not other_in)):
                        continue
                    a, b, a_in, b_in = 4 - held[number, high], 4 - held[number, other], high_in, other_in
                    if variant == 1:
                        a, a_in = a - 1, 0
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
                    for way in range(4):
                        weight = weights[way]
                        if weight <= 0.0:
                            continue
                        with_pair = mask
                        if way < 2:
                            with_pair |= 1 << high
                        if way == 0 or way == 2:
                            with_pair |= 1 << other
                        lost = flushes[with_pair]
                        if variant:
                            rank = high if variant == 1 else other
                            value = values[rank] - lost[rank] - fee
                            if not measured:
                                used[rank] += weight * max(least, value)
                            elif value <= least + EQUAL:
                                folded[rank] += weight * used[rank]
                            else:
                                low_used[seven, rank] += weight * used[rank]
                                flushes_used[seven, rank] += weight * used[rank] * lost[rank]
                            continue
                        if not measured:
                            kept_high, kept_other = used[high], used[other]
                            for rank in range(RANKS):
                                value = values[rank] - lost[rank] - fee
                                used[rank] += weight * (value if value > least else least)
                            used[high], used[other] = kept_high, kept_other
                            continue
                        for rank in range(RANKS):
                            once[rank] = weight * used[rank]
                        once[high], once[other] = 0.0, 0.0
                        to_low, to_flushes = low_used[seven], flushes_used[seven]
                        for rank in range(RANKS):
                            folds = values[rank] - lost[rank] - fee <= least + EQUAL
                            folded[rank] += once[rank] if folds else 0.0
                            stays = 0.0 if folds else once[rank]
                            to_low[rank] += stays
                            to_flushes[rank] += stays * lost[rank]


@njit(cache=True, nogil=True)
def _beside(suits: Array, flush: int) -> tuple[int, int]:
    """The ranks of the cards that a suit with five or more leaves of seven, -1 for none."""
    high, other = -1, -1
    for rank in range(RANKS - 1, -1, -1):
        for suit in range(SUITS):
            if suit != flush and suits[suit] >> rank & 1:
                if high < 0:
                    high = rank
                else:
                    other = rank
    return high, other


@njit(cache=True, nogil=True)
def best_settings(
    suits: Array, slots: Array, plain_class: int, low: Array, flushes: Array, plain_first: Array, plain_offset: Array,
    plain_own: Array, plain_other: Array, suited_number: Array, suited_first: Array, suited_own: Array,
    suited_other: Array, house: bool, wanted: Array, everywhere: Array, best: Array, which: Array,
) -> None:  # fmt: skip
    """Fill `best` (4, 13), by suit and rank of the open card, with what seven cards are worth in their best setting,
    and `which` with its row: below zero for one that stands in `low`, then the rows of plain settings, then of suited.

    `slots` (2, 4) holds `local` of each suit, and gets the slot of each in suited rows; `wanted` (4,) says for which
    suits, `everywhere` (13,) is room. If the `house` sets, each class has the one setting of split.9, and a flush comes
    before all others that can be.
    """
    # No views of rows, since numba counts references to each, and no branch, so that a suit's ranks are compared at
    # once.
    for suit in range(SUITS):
        if not wanted[suit]:
            continue
        mask = suits[suit]
        for rank in range(RANKS):
            best[suit, rank] = low[plain_class, rank] - flushes[mask, rank]
            which[suit, rank] = -1
    for row in range(plain_first[plain_class], plain_first[plain_class + 1]):
        offset = plain_offset[row]
        first, second, third, fourth = (
            offset + slots[0, 0], offset + slots[0, 1], offset + slots[0, 2], offset + slots[0, 3],
        )  # fmt: skip
        for rank in range(RANKS):
            everywhere[rank] = (
                plain_other[first, rank] + plain_other[second, rank] + plain_other[third, rank]
                + plain_other[fourth, rank]
            )  # fmt: skip
        for suit in range(SUITS):
            if not wanted[suit]:
                continue
            at = offset + slots[0, suit]
            for rank in range(RANKS):
                worth = plain_own[at, rank] + everywhere[rank]
                better = worth > best[suit, rank] + EQUAL
                best[suit, rank] = worth if better else best[suit, rank]
                which[suit, rank] = row if better else which[suit, rank]
    for flush in range(SUITS):
        if bits(suits[flush]) < 5:
            continue
        high, other = _beside(suits, flush)
        one = 1 << high if high >= 0 else -1
        two = 1 << other if other >= 0 and other != high else -1
        for suit in range(SUITS):
            mask = suits[suit]
            slots[1, suit] = 4 if suit == flush else (0 if mask == 0 else 1 if mask == one else 2 if mask == two else 3)
        number = suited_number[suits[flush]] + rest(high, other)
        if house:
            best[:] = -4.0
        for row in range(suited_first[number], suited_first[number + 1]):
            first, second, third, fourth = slots[1, 0], slots[1, 1], slots[1, 2], slots[1, 3]
            for rank in range(RANKS):
                everywhere[rank] = (
                    suited_other[row, first, rank] + suited_other[row, second, rank] + suited_other[row, third, rank]
                    + suited_other[row, fourth, rank]
                )  # fmt: skip
            for suit in range(SUITS):
                if not wanted[suit]:
                    continue
                at = slots[1, suit]
                for rank in range(RANKS):
                    worth = suited_own[row, at, rank] + everywhere[rank]
                    better = worth > best[suit, rank] + EQUAL
                    best[suit, rank] = worth if better else best[suit, rank]
                    which[suit, rank] = len(plain_offset) + row if better else which[suit, rank]


@njit(cache=True, nogil=True)
def _use(
    row: int, offset: int, slots: Array, used: Array, which: Array, everywhere: Array, own: Array, other: Array
) -> None:
    """Add to `own` and `other` how often each value of a row counts: `used` (4, 13) times, wherever `which` (4, 13)
    names it."""
    everywhere[:] = 0.0
    for suit in range(SUITS):
        for rank in range(RANKS):
            everywhere[rank] += used[suit, rank] if which[suit, rank] == row else 0.0
    total = 0.0
    for rank in range(RANKS):
        total += everywhere[rank]
    if total == 0.0:
        return
    for suit in range(SUITS):
        at = offset + slots[suit]
        for rank in range(RANKS):
            own[at, rank] += used[suit, rank] if which[suit, rank] == row else 0.0
            other[at, rank] += everywhere[rank]


@njit(cache=True, nogil=True)
def bought(
    begin: int, end: int, suits_of: Array, before: Array, of: Fives, low: Array, flushes: Array, plain_first: Array,
    plain_offset: Array, plain_own: Array, plain_other: Array, suited_number: Array, suited_first: Array,
    suited_own: Array, suited_other: Array, pairs_of: Array, house: bool, measured: bool, worth_of: Array,
    low_used: Array, flushes_used: Array, plain_own_used: Array, plain_other_used: Array, suited_own_used: Array,
    suited_other_used: Array, folded: Array,
) -> None:  # fmt: skip
    """Fill `worth_of[begin:end]` (hands, 4, 13): what five cards are worth that buy two, all fees included, by suit and
    rank of the open card; `pairs_of` is what `pairs` filled. If the `house` sets, what a plain bet is worth: no fee is
    paid and none of seven cards fold.

    If `measured`, `worth_of` holds how often five cards buy against the open card, and is read: the arrays of uses get
    how often each value that was looked up counted, `folded` (13,) how often seven cards folded, by the open card's
    rank, and `pairs_of` how often each of its values did.
    """
    suits = np.zeros(SUITS, np.int64)
    seven = np.zeros(SUITS, np.int64)
    spread = np.zeros(RANKS, np.int64)
    best = np.zeros((SUITS, RANKS), np.float64)
    everywhere = np.zeros(RANKS, np.float64)
    which = np.zeros((SUITS, RANKS), np.int64)
    slots = np.zeros((2, SUITS), np.int64)
    apart = np.zeros((16, 2), np.int64)
    wanted = np.zeros(SUITS, np.bool_)
    locals_of = np.zeros((SUITS, 4), np.int64)
    free, once = np.zeros(RANKS, np.float64), np.zeros(RANKS, np.float64)
    stays = np.zeros((SUITS, RANKS), np.float64)
    suited_own_flat = suited_own_used.reshape((-1, RANKS))
    suited_other_flat = suited_other_used.reshape((-1, RANKS))
    fee = 0.0 if house else 1.0
    least = -4.0 if house else -2.0
    for hand in range(begin, end):
        largest, largest_suit, five_ranks = 0, 0, 0
        spread[:] = 0
        for suit in range(SUITS):
            suits[suit] = suits_of[hand, suit]
            five_ranks |= suits[suit]
            if bits(suits[suit]) > largest:
                largest, largest_suit = bits(suits[suit]), suit
            for rank in range(RANKS):
                spread[rank] += suits[suit] >> rank & 1
        number = place(spread, 5, before)
        worth = worth_of[hand]
        any_used = False
        for suit in range(SUITS):
            at = of.offset[number] + local(suits[suit], five_ranks)
            wanted[suit] = not measured
            for rank in range(RANKS):
                if not measured:
                    worth[suit, rank] = pairs_of[at, rank]
                elif worth[suit, rank] > 0.0:
                    wanted[suit] = any_used = True
                    pairs_of[at, rank] += worth[suit, rank]
        if measured and not any_used:
            continue
        stays[:] = 0.0
        for high in range(RANKS):
            for other in range(high + 1):
                plain_class = of.sevens[number, high * (high + 1) // 2 + other]
                if plain_class < 0:
                    continue
                # The pairs of cards that must be looked up one by one: those with a flush, or all.
                all_apart = plain_first[plain_class] < plain_first[plain_class + 1]
                if not all_apart and largest < 3:
                    continue
                count = 0
                for one in range(SUITS):
                    if suits[one] >> high & 1:
                        continue
                    for two in range(one + 1 if high == other else 0, SUITS):
                        if suits[two] >> other & 1:
                            continue
                        more = (1 if one == largest_suit else 0) + (1 if two == largest_suit else 0)
                        if all_apart or largest + more >= 5:
                            apart[count, 0] = one
                            apart[count, 1] = two
                            count += 1
                all_ranks = five_ranks | 1 << high | 1 << other
                if all_apart:
                    for suit in range(SUITS):
                        for added in range(4):
                            more = (1 << high if added & 1 else 0) | (1 << other if added & 2 else 0)
                            locals_of[suit, added] = local(suits[suit] | more, all_ranks)
                for each in range(count):
                    one, two = apart[each, 0], apart[each, 1]
                    for suit in range(SUITS):
                        seven[suit] = suits[suit]
                    seven[one] |= 1 << high
                    seven[two] |= 1 << other
                    for suit in range(SUITS):
                        slots[0, suit] = locals_of[suit, (1 if suit == one else 0) + (2 if suit == two else 0)]
                    best_settings(
                        seven, slots, plain_class, low, flushes, plain_first, plain_offset, plain_own, plain_other,
                        suited_number, suited_first, suited_own, suited_other, house, wanted, everywhere, best,
                        which,
                    )  # fmt: skip
                    if not measured:
                        kept_one, kept_two = worth[one, high], worth[two, other]
                        for suit in range(SUITS):
                            for rank in range(RANKS):
                                value = best[suit, rank] - fee
                                worth[suit, rank] += value if value > least else least
                        if not all_apart:
                            for suit in range(SUITS):
                                mask = seven[suit]
                                for rank in range(RANKS):
                                    value = low[plain_class, rank] - flushes[mask, rank] - fee
                                    worth[suit, rank] -= value if value > least else least
                        worth[one, high], worth[two, other] = kept_one, kept_two
                        continue
                    for suit in range(SUITS):
                        if not wanted[suit]:
                            continue
                        mask = seven[suit]
                        for rank in range(RANKS):
                            free[rank] = 0.0 if mask >> rank & 1 else 1.0
                        for rank in range(RANKS):
                            used = worth[suit, rank] * free[rank]
                            folds = best[suit, rank] - fee <= least + EQUAL
                            folded[rank] += used if folds else 0.0
                            stays[suit, rank] = 0.0 if folds else used
                            once[rank] = stays[suit, rank] if which[suit, rank] < 0 else 0.0
                        if not all_apart:
                            # `pairs` has counted it where ranks decide.
                            for rank in range(RANKS):
                                used = worth[suit, rank] * free[rank]
                                folds = low[plain_class, rank] - flushes[mask, rank] - fee <= least + EQUAL
                                folded[rank] -= used if folds else 0.0
                                once[rank] -= 0.0 if folds else used
                        for rank in range(RANKS):
                            low_used[plain_class, rank] += once[rank]
                            flushes_used[plain_class, rank] += once[rank] * flushes[mask, rank]
                    for row in range(plain_first[plain_class], plain_first[plain_class + 1]):
                        _use(
                            row, plain_offset[row], slots[0], stays, which, everywhere, plain_own_used, plain_other_used
                        )  # fmt: skip
                    if bits(seven[largest_suit]) >= 5:
                        beside, last = _beside(seven, largest_suit)
                        of_flush = suited_number[seven[largest_suit]] + rest(beside, last)
                        for row in range(suited_first[of_flush], suited_first[of_flush + 1]):
                            _use(
                                len(plain_offset) + row, row * SLOTS, slots[1], stays, which, everywhere,
                                suited_own_flat, suited_other_flat,
                            )  # fmt: skip
        if not measured:
            for suit in range(SUITS):
                for rank in range(RANKS):
                    worth[suit, rank] /= 1035.0
