"""What a Big and a Small Hand are worth against the dealer, for every card that he may have open.

Three steps, the dearest first and depending on the fewest things:

1. `shares`: how often a setting wins, by rank of the open card, if the dealer's hands with a game are dealt in mixed
   suits. Depends on ranks alone, so once for all sheets.
2. `values`: what is added where suits come in (a flush or straight flush of the dealer needs all five cards in the open
   card's suit) and where the game is bought (split.12, split.13), for hands that may buy it.
3. `measure`: with how often each value of step 2 was used, what share of all rounds ends in which way.

All values are net per unit of ANTE, without the fee for two cards. A *setting* is a row of `settings.Settings`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .dealer import Sets
from .ranks import HIGH_CARD, RANKS, STRAIGHT
from .smalls import PAIRED, UNPAIRED, leave, share

Array = Any

KEPT, WON, SHORT, EVEN, LOST = range(5)
"""How a round ends: paid on the ANTE since the dealer has no game; both hands above; the Small Hand below; a
stand-off, or still no game after it was bought; the Big Hand below. With the game bought the same, five further on."""
ENDS = 10


class Pays(NamedTuple):
    """What a sheet pays, net per unit of ANTE.

    `bet` and `ante` (10,) by category of the Big Hand: both hands above (split.19), the Small Hand below (split.20);
    `no_game` what split.11 pays; `games` whether the game may be bought.
    """

    bet: Array
    ante: Array
    no_game: float
    games: bool


@njit(cache=True, nogil=True)
def shares(
    begin: int,
    end: int,
    held: Array,
    strength: Array,
    kind: Array,
    high: Array,
    low: Array,
    cards: int,
    strengths: Array,
    ranks: Array,
    counts: Array,
    different: Array,
    out: Array,
) -> None:
    """Fill `out[begin:end]` (settings, 13, 3): by the open card's rank, the share of the dealer's hands with a game
    that the Big Hand beats, that both hands beat, and that it equals; `cards` held by the player, five or seven."""
    unseen = 52 - cards - 1
    total = unseen * (unseen - 1) * (unseen - 2) * (unseen - 3) / 24.0
    rest = 52 - cards - 5
    left = np.zeros(RANKS, np.int64)
    table = np.zeros((RANKS, 5, 4), np.int64)
    chosen = np.array(
        [[1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1], [1, 0, 0, 0, 0]], dtype=np.float64
    )
    ways = np.zeros(len(strengths), np.float64)
    known = -1
    for row in range(begin, end):
        same = known >= 0
        if same:
            for rank in range(RANKS):
                if held[row, rank] != held[known, rank]:
                    same = False
        if not same:
            for rank in range(RANKS):
                left[rank] = 4 - held[row, rank]
            for hand in range(len(strengths)):
                way = 1.0
                for place in range(different[hand]):
                    count = left[ranks[hand, place]]
                    way *= chosen[count - 1, counts[hand, place]] if count else 0.0
                ways[hand] = way / total
            known = row
        leave(left, kind[row], high[row], low[row], table)
        a0, b0, c0, d0 = 0, 0, 0, 0
        for rank in range(RANKS):
            a0 += table[rank, 0, 0]
            b0 += table[rank, 0, 1]
            c0 += table[rank, 0, 2]
            d0 += table[rank, 0, 3]
        out[row] = 0.0
        for hand in range(len(strengths)):
            if strengths[hand] > strength[row]:
                break
            way = ways[hand]
            if way == 0.0:
                continue
            if strengths[hand] == strength[row]:
                for place in range(different[hand]):
                    rank = ranks[hand, place]
                    out[row, rank, 2] += way * counts[hand, place] / left[rank]
                continue
            a, b, c, d = a0, b0, c0, d0
            for place in range(different[hand]):
                rank = ranks[hand, place]
                gone = counts[hand, place]
                a += table[rank, gone, 0] - table[rank, 0, 0]
                b += table[rank, gone, 1] - table[rank, 0, 1]
                c += table[rank, gone, 2] - table[rank, 0, 2]
                d += table[rank, gone, 3] - table[rank, 0, 3]
            won = way * share(kind[row], a, b, c, d, rest)
            for place in range(different[hand]):
                rank = ranks[hand, place]
                part = counts[hand, place] / left[rank]
                out[row, rank, 0] += way * part
                out[row, rank, 1] += won * part


@njit(cache=True, nogil=True)
def none(held: Array, cards: int, ranks: Array, plain: Array, out: Array) -> None:
    """Fill `out` (classes, 13): by the open card's rank, the share of the dealer's hands that are five different ranks
    and no straight, whatever their suits."""
    unseen = 52 - cards - 1
    total = unseen * (unseen - 1) * (unseen - 2) * (unseen - 3) / 24.0
    for row in range(len(held)):
        out[row] = 0.0
        for number in range(len(ranks)):
            if plain[number] >> 20 != HIGH_CARD:
                continue
            way = 1.0
            for place in range(5):
                way *= 4 - held[row, ranks[number, place]]
            if way > 0.0:
                for place in range(5):
                    rank = ranks[number, place]
                    out[row, rank] += way / (4 - held[row, rank]) / total


@njit(cache=True, nogil=True)
def _against(mine: int, theirs: int, small: float, outs: float, ends: Array) -> None:
    """Add so many outs to (won, short, lost), for a Big Hand against another; a stand-off adds nothing."""
    if mine > theirs:
        ends[0] += outs * small
        ends[1] += outs * (1.0 - small)
    elif mine < theirs:
        ends[2] += outs


@njit(cache=True, nogil=True)
def _smalls(kind: int, after: Array, steps: Array, ranks: Array, number: int, cards: int, small: Array) -> None:
    """Fill `small` (13,): the share of Small Hands won when one more card of a rank is gone, besides the dealer's five.

    `steps` (2, 4, 13) is what that card changes in the sums `after`, the first of its rank or the second. No branch
    within the loops over ranks: this is where the time goes.
    """
    pairs = cards * (cards - 1) // 2
    scale = 1.0 / pairs
    a0, b0, c0, d0 = after[0], after[1], after[2], after[3]
    if kind == PAIRED:
        for rank in range(RANKS):
            small[rank] = (pairs - a0 - steps[0, 0, rank]) * scale
        for place in range(5):
            rank = ranks[number, place]
            small[rank] = (pairs - a0 - steps[1, 0, rank]) * scale
        return
    if kind == UNPAIRED:
        for rank in range(RANKS):
            a = a0 + steps[0, 0, rank]
            small[rank] = (
                (a * a - b0 - steps[0, 1, rank]) * 0.5 + (c0 + steps[0, 2, rank]) * (d0 + steps[0, 3, rank])
            ) * scale
        for place in range(5):
            rank = ranks[number, place]
            a = a0 + steps[1, 0, rank]
            small[rank] = (
                (a * a - b0 - steps[1, 1, rank]) * 0.5 + (c0 + steps[1, 2, rank]) * (d0 + steps[1, 3, rank])
            ) * scale
        return
    for rank in range(RANKS):
        again = 0
        for place in range(5):
            if ranks[number, place] == rank:
                again = 1
        small[rank] = share(
            kind,
            a0 + steps[again, 0, rank],
            b0 + steps[again, 1, rank],
            c0 + steps[again, 2, rank],
            d0 + steps[again, 3, rank],
            cards,
        )


@njit(cache=True, nogil=True)
def _added(
    left: Array,
    strength: int,
    number: int,
    top: int,
    flushed: Array,
    making: Array,
    made: Array,
    small: Array,
    bet: float,
    ante: float,
    scale: float,
    added: Array,
) -> float:
    """Fill `added` (13,): what a bought game is worth more for each card that makes five of one suit; the sum of what
    is above zero."""
    more = bet - ante
    for rank in range(RANKS):
        theirs = flushed[number, rank]
        worth = small[rank] * more + ante
        worth = worth if strength > theirs else (0.0 if strength == theirs else -3.0)
        added[rank] = worth * scale if theirs > 0 and left[rank] > 0 else 0.0
    if left[top] == 1:
        added[top] = 0.0  # the card of the dealer's that is replaced
    for place in range(2):
        rank = making[number, place]
        if rank >= 0 and left[rank] > 0:
            theirs = made[number, rank]
            if strength > theirs:
                added[rank] -= (small[rank] * more + ante) * scale
            elif strength < theirs:
                added[rank] += 3.0 * scale
    most = 0.0
    for rank in range(RANKS):
        most += max(0.0, added[rank])
    return most


@njit(cache=True, nogil=True)
def _game(
    left: Array, strength: int, number: int, ranks: Array, paired: Array, making: Array, made: Array, small: Array,
    ends: Array,
) -> None:  # fmt: skip
    """Fill `ends` (3,): how a bought game ends as (won, short, lost), in cards, against one of the dealer's hands
    without a game of which no four that stay are of one suit."""
    ends[:] = 0.0
    for place in range(1, 5):
        rank = ranks[number, place]
        if left[rank] > 1:
            _against(strength, paired[number, place - 1], small[rank], left[rank] - 1.0, ends)
    for place in range(2):
        rank = making[number, place]
        if rank >= 0 and left[rank] > 0:
            _against(strength, made[number, rank], small[rank], left[rank], ends)


@njit(cache=True, nogil=True)
def _buy(weight: float, ends: Array, rest: int, ended: Array) -> None:
    """The game is bought instead of the payment for none, so often."""
    ended[KEPT] -= weight
    ended[5 + WON] += weight * ends[0] / rest
    ended[5 + SHORT] += weight * ends[1] / rest
    ended[5 + LOST] += weight * ends[2] / rest
    ended[5 + EVEN] += weight * (rest - ends[0] - ends[1] - ends[2]) / rest


@njit(cache=True, nogil=True)
def values(
    held: Array,
    cards: int,
    strength: int,
    kind: int,
    high: int,
    low: int,
    shares_of: Array,
    none_of: Array,
    masks: Array,
    bet: float,
    ante: float,
    no_game: float,
    games: bool,
    set_masks: Array,
    ranks: Array,
    plain: Array,
    suited: Array,
    paired: Array,
    making: Array,
    made: Array,
    flushed: Array,
    own: Array,
    other: Array,
    measured: bool,
    ended: Array,
) -> None:
    """Fill `own` and `other` (masks, 13), by what the player holds of a suit and the open card's rank.

    A setting's value is `own` of the open card's suit and, added to it, `other` of all four suits. A mask below zero is
    none. If `measured`, `own` and `other` hold how often each was used, and are read: `ended` (13, ENDS) gets how often
    rounds end in which way, by the open card's rank.
    """
    unseen = 52 - cards - 1
    chance = 24.0 / (unseen * (unseen - 1) * (unseen - 2) * (unseen - 3))
    rest = 52 - cards - 5
    scale = 1.0 / rest
    left = np.zeros(RANKS, np.int64)
    each = np.zeros(RANKS, np.float64)
    for rank in range(RANKS):
        left[rank] = 4 - held[rank]
        if left[rank]:
            each[rank] = 1.0 / left[rank]
    table = np.zeros((RANKS, 5, 4), np.int64)
    leave(left, kind, high, low, table)
    sums = np.zeros(4, np.int64)
    for rank in range(RANKS):
        for column in range(4):
            sums[column] += table[rank, 0, column]
    base = np.zeros(RANKS, np.float64)
    if measured:
        for slot in range(len(masks)):
            for rank in range(RANKS):
                base[rank] += own[slot, rank]
                other[slot, rank] -= own[slot, rank]
        for rank in range(RANKS):
            beaten, won, equal = shares_of[rank, 0], shares_of[rank, 1], shares_of[rank, 2]
            ended[rank, KEPT] += base[rank] * none_of[rank]
            ended[rank, WON] += base[rank] * won
            ended[rank, SHORT] += base[rank] * (beaten - won)
            ended[rank, EVEN] += base[rank] * equal
            ended[rank, LOST] += base[rank] * (1.0 - none_of[rank] - beaten - equal)
    else:
        for rank in range(RANKS):
            beaten, won, equal = shares_of[rank, 0], shares_of[rank, 1], shares_of[rank, 2]
            lost = 1.0 - none_of[rank] - beaten - equal
            base[rank] = no_game * none_of[rank] - 3.0 * lost + (beaten - won) * ante + won * bet
        own[:] = 0.0
        other[:] = 0.0
    members = np.zeros((len(masks), 7), np.int64)
    sizes = np.zeros(len(masks), np.int64)
    for slot in range(len(masks)):
        for rank in range(RANKS):
            if masks[slot] > 0 and masks[slot] >> rank & 1:
                members[slot, sizes[slot]] = rank
                sizes[slot] += 1
    added = np.zeros(RANKS, np.float64)
    smalls = np.zeros(RANKS, np.float64)
    ends = np.zeros(3, np.float64)
    suit_ends = np.zeros(3, np.float64)
    after = np.zeros(4, np.float64)
    used_at = np.zeros(5, np.float64)
    steps = np.zeros((2, 4, RANKS), np.float64)
    for rank in range(RANKS):
        for column in range(4):
            steps[0, column, rank] = table[rank, 1, column] - table[rank, 0, column]
            steps[1, column, rank] = table[rank, 2, column] - table[rank, 1, column]
    for number in range(len(set_masks)):
        five = set_masks[number]
        way = 1.0
        for place in range(5):
            way *= left[ranks[number, place]]
        if way == 0.0:
            continue
        for column in range(4):
            after[column] = sums[column]
            for place in range(5):
                rank = ranks[number, place]
                after[column] += steps[0, column, rank]
        small = 0.0
        if strength > suited[number] or strength > plain[number]:
            small = share(kind, after[0], after[1], after[2], after[3], rest)
        # A flush in the open card's suit, instead of the same ranks in mixed suits.
        suit_ends[:] = 0.0
        _against(strength, suited[number], small, 1.0, suit_ends)
        straight = plain[number] >> 20 == STRAIGHT
        if straight:
            _against(strength, plain[number], small, -1.0, suit_ends)
        flush = suit_ends[0] * bet + suit_ends[1] * ante - 3.0 * suit_ends[2]
        worth, most, gain = -1.0 - no_game, 0.0, 0.0
        if not straight:
            flush -= no_game
            if games:
                _smalls(kind, after, steps, ranks, number, rest - 1, smalls)
                _game(left, strength, number, ranks, paired, making, made, smalls, ends)
                worth += (ends[0] * bet + ends[1] * ante - 3.0 * ends[2]) * scale
                most = _added(
                    left, strength, number, ranks[number, 0], flushed, making, made, smalls, bet, ante, scale, added
                )
                gain = max(0.0, worth)
                flush -= gain
        bought = games and not straight and worth + most > 0.0
        if measured:
            used_at[:] = 0.0
            for slot in range(len(masks)):
                if masks[slot] >= 0 and masks[slot] & five == 0:
                    for place in range(5):
                        used_at[place] += own[slot, ranks[number, place]]
            for place in range(5):
                rank = ranks[number, place]
                used = used_at[place] * chance
                ended[rank, WON] += used * suit_ends[0]
                ended[rank, SHORT] += used * suit_ends[1]
                ended[rank, LOST] += used * suit_ends[2]
                if straight:
                    ended[rank, EVEN] -= used * (suit_ends[0] + suit_ends[1] + suit_ends[2])
                else:
                    ended[rank, EVEN] += used * (1.0 - suit_ends[0] - suit_ends[1] - suit_ends[2])
                    ended[rank, KEPT] -= used
                if gain > 0.0:
                    _buy(base[rank] * way * each[rank] * chance - used, ends, rest, ended[rank])
        else:
            flush *= chance
            for slot in range(len(masks)):
                if masks[slot] >= 0 and masks[slot] & five == 0:
                    for place in range(5):
                        own[slot, ranks[number, place]] += flush
            if gain > 0.0:
                part = gain * way * chance
                for place in range(5):
                    rank = ranks[number, place]
                    base[rank] += part * each[rank]
        if not bought:
            continue
        # The four cards that stay are of one suit: the replacement may make a flush of them.
        top = ranks[number, 0]
        stay = five & ~(1 << top)
        whole = 0.0
        for rank in range(RANKS):
            whole += added[rank]
        for slot in range(len(masks)):
            mask = masks[slot]
            if mask < 0 or mask & stay:
                continue
            more = whole
            for place in range(sizes[slot]):
                more -= added[members[slot, place]]
            suit_gain = max(0.0, worth + more)
            if suit_gain == 0.0 and gain == 0.0:
                continue
            elsewhere = left[top] - (1 - (mask >> top & 1))
            if measured:
                if suit_gain > 0.0:
                    suit_ends[:] = ends
                    for rank in range(RANKS):
                        theirs = flushed[number, rank]
                        gone = 1 if rank == top else 0
                        if mask >> rank & 1 == 0 and theirs > 0 and left[rank] > gone:
                            _against(strength, theirs, smalls[rank], 1.0, suit_ends)
                            if made[number, rank] > 0:
                                _against(strength, made[number, rank], smalls[rank], -1.0, suit_ends)
                for place in range(5):
                    rank = ranks[number, place]
                    weight = other[slot, top] if place == 0 else own[slot, rank] * elsewhere
                    weight *= chance
                    if gain > 0.0:
                        _buy(-weight, ends, rest, ended[rank])
                    if suit_gain > 0.0:
                        _buy(weight, suit_ends, rest, ended[rank])
            else:
                change = (suit_gain - gain) * chance
                other[slot, top] += change
                change *= elsewhere
                for place in range(1, 5):
                    own[slot, ranks[number, place]] += change
    if not measured:
        for slot in range(len(masks)):
            for rank in range(RANKS):
                own[slot, rank] += base[rank] - other[slot, rank]


@njit(cache=True, nogil=True)
def buys_game(
    held: Array, cards: int, suits: Array, strength: int, kind: int, high: int, low: int, bet: float, ante: float,
    no_game: float, number: int, same: int, sets: Sets,
) -> bool:  # fmt: skip
    """Whether the game is worth more than the ANTE against the dealer's hand `number`, which has none; `same` is the
    suit of all four of its cards that stay, or -1."""
    rest = 52 - cards - 5
    scale = 1.0 / rest
    left = np.zeros(RANKS, np.int64)
    for rank in range(RANKS):
        left[rank] = 4 - held[rank]
    table = np.zeros((RANKS, 5, 4), np.int64)
    leave(left, kind, high, low, table)
    after = np.zeros(4, np.float64)
    steps = np.zeros((2, 4, RANKS), np.float64)
    for rank in range(RANKS):
        gone = sets.masks[number] >> rank & 1
        for column in range(4):
            after[column] += table[rank, gone, column]
            steps[0, column, rank] = table[rank, 1, column] - table[rank, 0, column]
            steps[1, column, rank] = table[rank, 2, column] - table[rank, 1, column]
    smalls = np.zeros(RANKS, np.float64)
    ends = np.zeros(3, np.float64)
    _smalls(kind, after, steps, sets.ranks, number, rest - 1, smalls)
    _game(left, strength, number, sets.ranks, sets.paired, sets.making, sets.made, smalls, ends)
    worth = -1.0 - no_game + (ends[0] * bet + ends[1] * ante - 3.0 * ends[2]) * scale
    if same >= 0:
        added = np.zeros(RANKS, np.float64)
        _added(
            left, strength, number, sets.ranks[number, 0], sets.flushed, sets.making, sets.made, smalls, bet, ante,
            scale, added,
        )  # fmt: skip
        for rank in range(RANKS):
            if suits[same] >> rank & 1 == 0:
                worth += added[rank]
    return worth > 0.0
