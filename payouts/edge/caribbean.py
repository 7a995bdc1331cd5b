"""Caribbean Stud by the same hands, weights and flushes: a game whose published figures check ours.

The player sees five cards and the dealer's open card, and folds (-1) or raises 2 x ANTE. The dealer qualifies with an
ace and a king or better; else the ANTE is paid 1:1. Against a lower hand, the ANTE pays 1:1 and the raise by the pay
table; equal hands stand off.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from . import dealer, deals, solve
from .deals import bits, local
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
def _raised(
    mine: int, mask: int, pay: float, mixed: Array, set_masks: Array, set_ranks: Array, plain: Array, suited: Array,
    out: Array,
) -> None:  # fmt: skip
    """Fill `out` (13,) with what a raise is worth, by the open card's rank, if the player holds `mask` of its suit:
    `mixed` (13,) as `_mixed` has it and, instead of the same ranks in mixed suits, the dealer's flushes."""
    for rank in range(RANKS):
        out[rank] = mixed[rank]
    for number in range(len(set_masks)):
        if mask & set_masks[number] == 0:
            more = (pay if mine > suited[number] else (0.0 if mine == suited[number] else -3.0)) - _against(
                mine, plain[number], pay, set_masks[number]
            )
            for at in range(5):
                out[set_ranks[number, at]] += more
    for rank in range(RANKS):
        out[rank] /= 46 * 45 * 44 * 43 // 24


@njit(cache=True, nogil=True)
def _of_fives(
    begin: int, end: int, held: Array, of: deals.Fives, games: dealer.Games, sets: dealer.Sets, pays: Array, out: Array,
    flushes: Array,
) -> None:  # fmt: skip
    """Fill for the classes of five ranks from `begin` to `end`: `out` (n, 13) by what is held of the open card's suit;
    `flushes` (6175, 2, 13) where the five are of one suit, which is another than the open card's, or the same."""
    mixed = np.zeros(RANKS, np.float64)
    for number in range(begin, end):
        first, last = of.offset[number], of.offset[number + 1] - 1
        # Five different ranks have 32 masks; of a flush, a suit holds none of the ranks or all.
        for flush in range(2 if last - first == 31 else 1):
            mine = strength_of(held[number], flush == 1)
            pay = 1.0 + 2.0 * pays[mine >> 20]
            mixed[:] = 0.0
            _mixed(
                held[number], mine, pay, games.strengths, games.ranks, games.counts, games.different, sets.masks,
                sets.ranks, sets.plain, mixed,
            )  # fmt: skip
            for at in range(first, last + 1, last - first if flush else 1):
                _raised(
                    mine, of.masks[at], pay, mixed, sets.masks, sets.ranks, sets.plain, sets.suited,
                    flushes[number, 1 if at == last else 0] if flush else out[at],
                )  # fmt: skip


@njit(cache=True, nogil=True)
def _of_hands(suits_of: Array, before: Array, of: deals.Fives, fives: Array, flushes: Array, out: Array) -> None:
    """Fill `out` (hands, 4, 13) with what a raise is worth, NaN where the player holds the open card."""
    spread = np.zeros(RANKS, np.int64)
    for hand in range(len(suits_of)):
        spread[:] = 0
        all_ranks = 0
        for suit in range(SUITS):
            all_ranks |= suits_of[hand, suit]
            for rank in range(RANKS):
                spread[rank] += suits_of[hand, suit] >> rank & 1
        number = place(spread, 5, before)
        flush = bits(suits_of[hand, SUITS - 1]) == 5
        for suit in range(SUITS):
            mask = suits_of[hand, suit]
            at = of.offset[number] + local(mask, all_ranks)
            for rank in range(RANKS):
                worth = flushes[number, 1 if mask else 0, rank] if flush else fives[at, rank]
                out[hand, suit, rank] = np.nan if mask >> rank & 1 else worth


def figures(threads: int) -> Caribbean:
    """The expectation under the best play, and how often it raises."""
    hands, of, held = solve.all_hands(), deals.fives(), spreads(5)
    pays = np.array(PAY_TABLE, dtype=np.float64)
    fives, flushes = np.zeros((len(of.masks), RANKS)), np.zeros((len(held), 2, RANKS))
    solve.spread_work(
        lambda first, last: _of_fives(first, last, held, of, dealer.games(), dealer.sets(), pays, fives, flushes),
        len(held), 500, threads, lambda share: None, 0.0, 1.0,
    )  # fmt: skip
    out = np.zeros((len(hands.suits), SUITS, RANKS))
    _of_hands(hands.suits, places(5), of, fives, flushes, out)
    weight = np.where(np.isnan(out), 0.0, hands.weight[:, None, None])
    value = np.nan_to_num(out)
    states = 2_598_960 * 47
    raised = value > -1.0
    return Caribbean(
        float((np.where(raised, value, -1.0) * weight).sum() / states), float((raised * weight).sum() / states)
    )
