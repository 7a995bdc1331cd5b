"""Caribbean Stud by the same hands, weights and flushes: a game whose figures are published, to hold ours against.

The player sees five cards and the dealer's open card, and folds (-1) or raises 2 x ANTE. The dealer qualifies with an
ace and a king or better; else the ANTE is paid 1:1. Against a lower hand ANTE 1:1 and the raise by the pay table;
equal hands stand off.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from . import dealer, solve
from .deals import bits
from .ranks import HIGH_CARD, RANKS, STRAIGHT, SUITS, place, places, spreads, strength_of

Array = Any
PAY_TABLE = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
"""By category from a high card to a royal flush."""


class Caribbean(NamedTuple):
    """`expectation` net per ANTE, `raises` the share of hands that raise."""

    expectation: float
    raises: float


@njit(cache=True, nogil=True)
def _against(mine: int, theirs: int, pay: float, mask: int) -> float:
    if theirs >> 20 == HIGH_CARD and mask >> 11 != 0b11:
        return 1.0
    return pay if mine > theirs else (0.0 if mine == theirs else -3.0)


@njit(cache=True, nogil=True)
def _mixed(
    held: Array, mine: int, pay: float, strengths: Array, ranks: Array, counts: Array, different: Array,
    set_masks: Array, set_ranks: Array, plain: Array, out: Array,
) -> None:  # fmt: skip
    """Fill `out` (13,): the sum over the dealer's hands in mixed suits, by the rank of his open card."""
    choose = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]])
    left = np.zeros(RANKS, np.int64)
    for rank in range(RANKS):
        left[rank] = 4 - held[rank]
    for number in range(len(strengths)):
        way = 1.0
        for at in range(different[number]):
            way *= choose[left[ranks[number, at]], counts[number, at]]
        if way > 0.0:
            worth = pay if mine > strengths[number] else (0.0 if mine == strengths[number] else -3.0)
            for at in range(different[number]):
                rank = ranks[number, at]
                out[rank] += worth * way * counts[number, at] / left[rank]
    for number in range(len(set_masks)):
        if plain[number] >> 20 == STRAIGHT:
            continue
        way = 1.0
        for at in range(5):
            way *= left[set_ranks[number, at]]
        if way > 0.0:
            worth = _against(mine, plain[number], pay, set_masks[number])
            for at in range(5):
                out[set_ranks[number, at]] += worth * way / left[set_ranks[number, at]]


@njit(cache=True, nogil=True)
def _values(
    suits_of: Array, held: Array, before: Array, mixed: Array, set_masks: Array, set_ranks: Array, plain: Array,
    suited: Array, pays: Array, out: Array,
) -> None:  # fmt: skip
    """Fill `out` (hands, 4, 13) with what it is worth to raise; `mixed` (2, classes, 13) as `_mixed` has it, the second
    for a flush. Added are the dealer's flushes, instead of the same ranks in mixed suits."""
    spread = np.zeros(RANKS, np.int64)
    total = 46 * 45 * 44 * 43 // 24
    for hand in range(len(suits_of)):
        spread[:] = 0
        flush = False
        for suit in range(SUITS):
            flush = flush or bits(suits_of[hand, suit]) == 5
            for rank in range(RANKS):
                spread[rank] += suits_of[hand, suit] >> rank & 1
        number_of = place(spread, 5, before)
        mine = strength_of(held[number_of], flush)
        pay = 1.0 + 2.0 * pays[mine >> 20]
        for suit in range(SUITS):
            mask = suits_of[hand, suit]
            for rank in range(RANKS):
                out[hand, suit, rank] = np.nan if mask >> rank & 1 else mixed[1 if flush else 0, number_of, rank]
            for number in range(len(set_masks)):
                if mask & set_masks[number] == 0:
                    more = (pay if mine > suited[number] else (0.0 if mine == suited[number] else -3.0)) - _against(
                        mine, plain[number], pay, set_masks[number]
                    )
                    for at in range(5):
                        out[hand, suit, set_ranks[number, at]] += more
            for rank in range(RANKS):
                out[hand, suit, rank] /= total


def figures(threads: int) -> Caribbean:
    """The expectation under the best play, and how often it raises."""
    hands = solve.all_hands()
    out = np.zeros((len(hands.suits), SUITS, RANKS))
    sets = dealer.sets()
    pays = np.array(PAY_TABLE, dtype=np.float64)
    held = spreads(5)
    mixed = np.zeros((2, len(held), RANKS))
    for number, spread in enumerate(held):
        for flush in range(2 if spread.max() == 1 else 1):
            mine = strength_of(spread, bool(flush))
            pay = 1.0 + 2.0 * PAY_TABLE[mine >> 20]
            _mixed(
                spread, mine, pay, *dealer.games(), sets.masks, sets.ranks, sets.plain, mixed[flush, number]
            )  # fmt: skip
    solve.spread_work(
        lambda first, last: _values(
            hands.suits[first:last], held, places(5), mixed, sets.masks, sets.ranks, sets.plain, sets.suited, pays,
            out[first:last],
        ),
        len(hands.suits), 4000, threads, lambda share: None, 0.0, 1.0,
    )  # fmt: skip
    weight = np.where(np.isnan(out), 0.0, hands.weight[:, None, None])
    value = np.nan_to_num(out)
    states = 2_598_960 * 47
    raised = value > -1.0
    return Caribbean(
        float((np.where(raised, value, -1.0) * weight).sum() / states), float((raised * weight).sum() / states)
    )
