"""What a Big and a Small Hand are worth against the dealer, for every card that he may have open.

Three steps, from the dearest, which depends on the fewest things:

1. `shares`: how often a setting wins, by rank of the open card, if the dealer's hands with a game are dealt in mixed
   suits. Depends on ranks alone, so once for all sheets.
2. `values`: what is added where suits come in (a flush or straight flush of the dealer needs all five cards in the open
   card's suit) and where the game is bought (split.12, split.13), for hands that may buy it.
3. `measure`: from how often each value of step 2 was used, the share of all rounds that ends in each way.

All values are net per unit of ANTE, without the fee for two cards. A *setting* is a row of `settings.Settings`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .dealer import WIDTH, Blocks, Sets, Straights
from .ranks import EQUAL, HIGH_CARD, RANKS
from .smalls import PAIRED, UNPAIRED, leave, share

Array = Any

KEPT, WON, SHORT, EVEN, LOST = range(5)
"""How a round ends: paid on the ANTE since the dealer has no game; both hands above; the Small Hand below; a
stand-off, or still no game after it was bought; the Big Hand below. With the game bought the same, five further on."""
ENDS = 10
_SUMS = {"reassoc", "contract"}  # They let vector instructions add up in another order.


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


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _smalls(kind: int, sums: Array, steps: Array, again: Array, has: Array, cards: int, small: Array) -> None:
    """Fill `small` (WIDTH,): the share of Small Hands won if one more card of a rank is gone, which `steps` (4,) and,
    where the rank is in the set (`has`), `again` (4,) change in the `sums` (4, WIDTH) of `smalls.leave`."""
    a, b, c, d = sums[0], sums[1], sums[2], sums[3]
    pairs = cards * (cards - 1) // 2
    scale = 1.0 / pairs
    if kind == PAIRED:
        for at in range(WIDTH):
            small[at] = (pairs - a[at] - steps[0] - has[at] * again[0]) * scale
    elif kind == UNPAIRED:
        for at in range(WIDTH):
            below = a[at] + steps[0] + has[at] * again[0]
            square = b[at] + steps[1] + has[at] * again[1]
            lower = c[at] + steps[2] + has[at] * again[2]
            same = d[at] + steps[3] + has[at] * again[3]
            small[at] = ((below * below - square) * 0.5 + lower * same) * scale
    else:
        scale /= (cards - 2) * (cards - 3) // 2
        for at in range(WIDTH):
            twice = a[at] + steps[0] + has[at] * again[0]
            square = b[at] + steps[1] + has[at] * again[1]
            four = c[at] + steps[2] + has[at] * again[2]
            small[at] = 0.5 + 0.5 * scale * ((twice * twice - square) * 0.5 + four)


@njit(cache=True, nogil=True)
def _zeros(rows: int) -> Array:
    return np.zeros((rows, WIDTH), np.float64)


class Meeting(NamedTuple):
    """One Big and Small Hand against the hands of a block, to be filled again and again.

    `way` (WIDTH,) how many hands of the dealer's each set stands for; `small` the share of Small Hands won against it,
    `smalls` (13, WIDTH) the same once the highest card was replaced by one of a rank; `sums` (4, WIDTH) room.
    """

    way: Array
    small: Array
    smalls: Array
    sums: Array


@njit(cache=True, nogil=True)
def _meeting() -> Meeting:
    return Meeting(_zeros(1)[0], _zeros(1)[0], _zeros(RANKS), _zeros(4))


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _meet(left: Array, kind: int, table: Array, rest: int, games: bool, real: Array, has: Array, of: Meeting) -> None:
    """Fill a meeting; without `games` no card is replaced."""
    way, sums = of.way, of.sums
    steps = np.zeros(4, np.float64)
    again = np.zeros(4, np.float64)
    way[:] = real
    for column in range(4):
        total = 0
        for rank in range(RANKS):
            total += table[rank, 0, column]
        sums[column] = total
    for rank in range(RANKS):
        fewer = left[rank] - 1.0
        of_rank = has[rank]
        for at in range(WIDTH):
            way[at] *= 1.0 + of_rank[at] * fewer
        for column in range(4):
            step = float(table[rank, 1, column] - table[rank, 0, column])
            if step != 0.0:
                to = sums[column]
                for at in range(WIDTH):
                    to[at] += of_rank[at] * step
    _smalls(kind, sums, steps, again, has[0], rest, of.small)
    if games:
        for rank in range(RANKS):
            for column in range(4):
                steps[column] = table[rank, 1, column] - table[rank, 0, column]
                again[column] = table[rank, 2, column] - table[rank, 1, column] - steps[column]
            _smalls(kind, sums, steps, again, has[rank], rest - 1, of.smalls[rank])


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _paired(
    mine: float, cards: float, small: Array, theirs: Array, stays: Array, more: float, ante: float, lost: float,
    worth: Array,
) -> None:  # fmt: skip
    """Add what it is worth if one of some cards of a rank replaces the dealer's highest, suits aside."""
    for at in range(WIDTH):
        game = cards - stays[at] if theirs[at] > 0.0 else 0.0
        above = small[at] * more + ante
        worth[at] += game * (above if mine > theirs[at] else (lost if mine < theirs[at] else 0.0))


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _flushed(
    mine: float, small: Array, theirs: Array, flush: Array, more: float, ante: float, lost: float, added: Array
) -> None:
    """Fill `added` with what it is worth if the card that replaces the dealer's highest makes five of one suit."""
    for at in range(WIDTH):
        above = small[at] * more + ante
        mixed = above if mine > theirs[at] else (lost if mine < theirs[at] else 0.0)
        suited = above if mine > flush[at] else (lost if mine < flush[at] else 0.0)
        worth = suited - (mixed if theirs[at] > 0.0 else 0.0)
        added[at] = worth if flush[at] > 0.0 else 0.0


@njit(cache=True, nogil=True)
def _add(values: Array, sign: float, to: Array) -> None:
    for at in range(WIDTH):
        to[at] += sign * values[at]


@njit(cache=True, nogil=True)
def _game(
    mine: float, left: Array, blocks: Blocks, block: int, smalls: Array, bet: float, ante: float, no_game: float,
    rest: int, worth: Array, added: Array, whole: Array,
) -> None:  # fmt: skip
    """Fill `worth` (WIDTH,) with what a bought game is worth above the payment for none where the four that stay are of
    mixed suits, `added` (13, WIDTH) with what each card adds that makes five of one suit, `whole` with all of that."""
    scale = 1.0 / rest
    ante_out, more_out, lost_out = ante * scale, (bet - ante) * scale, -3.0 * scale
    worth[:] = -1.0 - no_game
    whole[:] = 0.0
    for rank in range(RANKS):
        if left[rank] == 0:
            added[rank] = 0.0
            continue
        small, theirs = smalls[rank], blocks.mixed[block, rank]
        stays = blocks.stays[block, rank]
        flush = blocks.flushed[block, rank] if left[rank] > 1 else blocks.flushed_last[block, rank]
        _paired(mine, float(left[rank]), small, theirs, stays, more_out, ante_out, lost_out, worth)
        _flushed(mine, small, theirs, flush, more_out, ante_out, lost_out, added[rank])
        _add(added[rank], 1.0, whole)
    _add(worth, 1.0, whole)


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _may_buy(way: Array, worth: Array, added: Array, most: Array) -> bool:
    """Fill `most` (WIDTH,) with what a bought game is worth above the payment for none at most, whatever the player
    holds of the suit of the four that stay; whether it is ever bought in this block. If not, no more is asked."""
    most[:] = worth
    for rank in range(RANKS):
        more = added[rank]
        for at in range(WIDTH):
            most[at] += more[at] if more[at] > 0.0 else 0.0
    bought = 0.0
    for at in range(WIDTH):
        bought += way[at] if most[at] > EQUAL else 0.0
    return bought > 0.0


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _ends_mixed(mine: float, cards: float, small: Array, theirs: Array, stays: Array, ends: Array) -> None:
    """Add to `ends` (3 * WIDTH,) how it ends that one of so many cards of a rank replaces the dealer's highest: the
    cards against which the box wins, then those where its Big Hand is above, then those where it is below."""
    for at in range(WIDTH):
        game = cards - stays[at] if theirs[at] > 0.0 else 0.0
        above = game if mine > theirs[at] else 0.0
        ends[at] += above * small[at]
        ends[WIDTH + at] += above
        ends[2 * WIDTH + at] += game if mine < theirs[at] else 0.0


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _ends_suited(mine: float, small: Array, theirs: Array, flush: Array, more: Array) -> None:
    """Fill `more` (3 * WIDTH,) with what it changes in that if the card makes five of one suit."""
    for at in range(WIDTH):
        suited = 1.0 if flush[at] > 0.0 else 0.0
        mixed = suited if theirs[at] > 0.0 else 0.0
        above = (suited if mine > flush[at] else 0.0) - (mixed if mine > theirs[at] else 0.0)
        more[at] = above * small[at]
        more[WIDTH + at] = above
        more[2 * WIDTH + at] = (suited if mine < flush[at] else 0.0) - (mixed if mine < theirs[at] else 0.0)


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _ends(
    mine: float, left: Array, blocks: Blocks, block: int, smalls: Array, ends: Array, more: Array, whole: Array
) -> None:
    """Fill `ends` (3 * WIDTH,) with how a bought game ends where the four that stay are of mixed suits, `more` (13,
    3 * WIDTH) with what each card changes that makes five of one suit, `whole` with both together."""
    ends[:] = 0.0
    whole[:] = 0.0
    for rank in range(RANKS):
        if left[rank] == 0:
            more[rank] = 0.0
            continue
        small, theirs = smalls[rank], blocks.mixed[block, rank]
        flush = blocks.flushed[block, rank] if left[rank] > 1 else blocks.flushed_last[block, rank]
        _ends_mixed(mine, float(left[rank]), small, theirs, blocks.stays[block, rank], ends)
        _ends_suited(mine, small, theirs, flush, more[rank])
        of_rank = more[rank]
        for at in range(3 * WIDTH):
            whole[at] += of_rank[at]
    for at in range(3 * WIDTH):
        whole[at] += ends[at]


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _sum(one: Array, other: Array) -> float:
    total = 0.0
    for at in range(WIDTH):
        total += one[at] * other[at]
    return total


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _sum_of(values: Array, first: int, last: int) -> float:
    total = 0.0
    for at in range(first, last):
        total += values[at]
    return total


@njit(cache=True, nogil=True)
def _straights(
    left: Array, strength: int, kind: int, table: Array, rest: int, of: Straights, number: int, ends: Array
) -> float:  # fmt: skip
    """Fill `ends` (3,) with what a straight in one suit changes in won, short and lost; how many hands of the dealer's
    the straight stands for."""
    way = 1.0
    sums = np.zeros(4, np.float64)
    for rank in range(RANKS):
        gone = of.masks[number] >> rank & 1
        if gone:
            way *= left[rank]
        for column in range(4):
            sums[column] += table[rank, gone, column]
    ends[:] = 0.0
    small = share(kind, sums[0], sums[1], sums[2], sums[3], rest)
    for theirs, sign in ((of.suited[number], 1.0), (of.plain[number], -1.0)):
        if strength > theirs:
            ends[0] += sign * small
            ends[1] += sign * (1.0 - small)
        elif strength < theirs:
            ends[2] += sign
    return way


@njit(cache=True, nogil=True)
def _counts(held: Array, kind: int, high: int, low: int, left: Array, table: Array) -> None:
    for rank in range(RANKS):
        left[rank] = 4 - held[rank]
    leave(left, kind, high, low, table)


@njit(cache=True, nogil=True, fastmath=_SUMS)
def values(
    held: Array, cards: int, strength: int, kind: int, high: int, low: int, shares_of: Array, none_of: Array,
    masks: Array, bet: float, ante: float, no_game: float, games: bool, blocks: Blocks, straights: Straights,
    own: Array, other: Array,
) -> None:  # fmt: skip
    """Fill `own` and `other` (masks, 13), by what the player holds of a suit and the open card's rank.

    A setting's value is `own` of the open card's suit and, added to it, `other` of all four suits. A mask below zero is
    none.
    """
    unseen = 52 - cards - 1
    chance = 24.0 / (unseen * (unseen - 1) * (unseen - 2) * (unseen - 3))
    rest = 52 - cards - 5
    mine = float(strength)
    left = np.zeros(RANKS, np.int64)
    table = np.zeros((RANKS, 5, 4), np.int64)
    _counts(held, kind, high, low, left, table)
    base = np.zeros(RANKS, np.float64)
    for rank in range(RANKS):
        beaten, won, equal = shares_of[rank, 0], shares_of[rank, 1], shares_of[rank, 2]
        lost = 1.0 - none_of[rank] - beaten - equal
        base[rank] = no_game * none_of[rank] - 3.0 * lost + (beaten - won) * ante + won * bet
    own[:] = 0.0
    other[:] = 0.0
    ends = np.zeros(3, np.float64)
    for number in range(len(straights.masks)):
        if _straights(left, strength, kind, table, rest, straights, number, ends) == 0.0:
            continue
        flush = (ends[0] * bet + ends[1] * ante - 3.0 * ends[2]) * chance
        for slot in range(len(masks)):
            if masks[slot] >= 0 and masks[slot] & straights.masks[number] == 0:
                for rank in range(RANKS):
                    if straights.masks[number] >> rank & 1:
                        own[slot, rank] += flush
    meeting = _meeting()
    way, small = meeting.way, meeting.small
    added = _zeros(RANKS)
    work = _zeros(7)
    worth, whole, gain, flush_worth, changes, used, most = (
        work[0], work[1], work[2], work[3], work[4], work[5], work[6]
    )  # fmt: skip
    for block in range(len(blocks.real)):
        has, suited = blocks.has[block], blocks.suited[block]
        _meet(left, kind, table, rest, games, blocks.real[block], has, meeting)
        set_masks, stay, first = blocks.masks[block], blocks.stay[block], blocks.first[block]
        buys = False
        if games:
            _game(mine, left, blocks, block, meeting.smalls, bet, ante, no_game, rest, worth, added, whole)
            buys = _may_buy(way, worth, added, most)
            for at in range(WIDTH):
                gain[at] = worth[at] if worth[at] > EQUAL else 0.0
        for at in range(WIDTH):
            above = small[at] * (bet - ante) + ante
            ending = above if mine > suited[at] else (-3.0 if mine < suited[at] else 0.0)
            flush_worth[at] = (ending - no_game - gain[at]) * chance if way[at] > 0.0 else 0.0
        for slot in range(len(masks)):
            mask = masks[slot]
            if mask < 0:
                continue
            for at in range(WIDTH):
                used[at] = flush_worth[at] if set_masks[at] & mask == 0 else 0.0
            if buys:
                # The four cards that stay are of one suit: the replacement may make a flush of them.
                changes[:] = whole
                for rank in range(RANKS):
                    if mask >> rank & 1:
                        _add(added[rank], -1.0, changes)
                for at in range(WIDTH):
                    better = (changes[at] if changes[at] > EQUAL else 0.0) - gain[at]
                    changes[at] = better * chance if stay[at] & mask == 0 and way[at] > 0.0 else 0.0
                for top in range(RANKS):
                    if first[top] < first[top + 1]:
                        total = _sum_of(changes, first[top], first[top + 1])
                        elsewhere = left[top] - 1 + (mask >> top & 1)
                        other[slot, top] += total
                        own[slot, top] -= total * elsewhere
                        for at in range(first[top], first[top + 1]):
                            used[at] += changes[at] * elsewhere
            for rank in range(RANKS):
                own[slot, rank] += _sum(has[rank], used)
        if buys:
            for at in range(WIDTH):
                used[at] = gain[at] * way[at] * chance
            for rank in range(RANKS):
                if left[rank]:
                    base[rank] += _sum(has[rank], used) / left[rank]
    for slot in range(len(masks)):
        for rank in range(RANKS):
            own[slot, rank] += base[rank] - other[slot, rank]


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _count(weights: Array, values: Array, counts: Array) -> None:
    """Add to `counts` (4,) the sum of weights, and the weighted sums of three values."""
    whole, one, two, three = 0.0, 0.0, 0.0, 0.0
    for at in range(WIDTH):
        whole += weights[at]
        one += weights[at] * values[at]
        two += weights[at] * values[WIDTH + at]
        three += weights[at] * values[2 * WIDTH + at]
    counts[0] += whole
    counts[1] += one
    counts[2] += two
    counts[3] += three


@njit(cache=True, nogil=True, fastmath=_SUMS)
def measure(
    held: Array, cards: int, strength: int, kind: int, high: int, low: int, shares_of: Array, none_of: Array,
    masks: Array, bet: float, ante: float, no_game: float, games: bool, blocks: Blocks, straights: Straights,
    own: Array, other: Array, ended: Array,
) -> None:  # fmt: skip
    """Add to `ended` (13, ENDS) how often rounds end in which way, by the open card's rank, if the values of `values`
    were used as often as `own` and `other` (masks, 13) say."""
    unseen = 52 - cards - 1
    chance = 24.0 / (unseen * (unseen - 1) * (unseen - 2) * (unseen - 3))
    rest = 52 - cards - 5
    mine = float(strength)
    left = np.zeros(RANKS, np.int64)
    table = np.zeros((RANKS, 5, 4), np.int64)
    _counts(held, kind, high, low, left, table)
    base = np.zeros(RANKS, np.float64)
    elsewhere_used = np.zeros((len(masks), RANKS), np.float64)
    for slot in range(len(masks)):
        for rank in range(RANKS):
            base[rank] += own[slot, rank]
            elsewhere_used[slot, rank] = other[slot, rank] - own[slot, rank]
    for rank in range(RANKS):
        beaten, won, equal = shares_of[rank, 0], shares_of[rank, 1], shares_of[rank, 2]
        ended[rank, KEPT] += base[rank] * none_of[rank]
        ended[rank, WON] += base[rank] * won
        ended[rank, SHORT] += base[rank] * (beaten - won)
        ended[rank, EVEN] += base[rank] * equal
        ended[rank, LOST] += base[rank] * (1.0 - none_of[rank] - beaten - equal)
    change = np.zeros(3, np.float64)
    for number in range(len(straights.masks)):
        five = straights.masks[number]
        if _straights(left, strength, kind, table, rest, straights, number, change) == 0.0:
            continue
        for slot in range(len(masks)):
            if masks[slot] >= 0 and masks[slot] & five == 0:
                for rank in range(RANKS):
                    if five >> rank & 1:
                        used = own[slot, rank] * chance
                        ended[rank, WON] += used * change[0]
                        ended[rank, SHORT] += used * change[1]
                        ended[rank, LOST] += used * change[2]
                        ended[rank, EVEN] -= used * (change[0] + change[1] + change[2])
    meeting = _meeting()
    way, small = meeting.way, meeting.small
    added, more = _zeros(RANKS), np.zeros((RANKS, 3 * WIDTH), np.float64)
    work = _zeros(5)
    worth, whole, weights, bought, most = work[0], work[1], work[2], work[3], work[4]
    three = np.zeros((3, 3 * WIDTH), np.float64)
    suited, ends, flushes = three[0], three[1], three[2]
    # By rank: how often, and of that how often it is won, the Big Hand is above, it is below.
    of_flushes, of_games = np.zeros((RANKS, 4), np.float64), np.zeros((RANKS, 4), np.float64)
    for block in range(len(blocks.real)):
        has, theirs = blocks.has[block], blocks.suited[block]
        _meet(left, kind, table, rest, games, blocks.real[block], has, meeting)
        set_masks, stay, places = blocks.masks[block], blocks.stay[block], blocks.ranks[block]
        any_buys = False
        if games:
            _game(mine, left, blocks, block, meeting.smalls, bet, ante, no_game, rest, worth, added, whole)
            any_buys = _may_buy(way, worth, added, most)
        if any_buys:
            _ends(mine, left, blocks, block, meeting.smalls, ends, more, flushes)
        for at in range(WIDTH):
            above = 1.0 if mine > theirs[at] else 0.0
            suited[at] = above * small[at]
            suited[WIDTH + at] = above
            suited[2 * WIDTH + at] = 1.0 if mine < theirs[at] else 0.0
        for rank in range(RANKS):
            if base[rank] == 0.0:
                continue
            weights[:] = 0.0
            for slot in range(len(masks)):
                mask, used = masks[slot], own[slot, rank] * chance
                if mask >= 0 and used > 0.0:
                    for at in range(WIDTH):
                        weights[at] += used if set_masks[at] & mask == 0 else 0.0
            of_rank = has[rank]
            for at in range(WIDTH):
                weights[at] *= of_rank[at] if way[at] > 0.0 else 0.0
            # A flush in the open card's suit, instead of the same ranks in mixed suits.
            _count(weights, suited, of_flushes[rank])
            if any_buys and left[rank]:
                often = base[rank] * chance / left[rank]
                for at in range(WIDTH):
                    weight = often * way[at] * of_rank[at] - weights[at]
                    bought[at] = weight if worth[at] > EQUAL else 0.0
                _count(bought, ends, of_games[rank])
        if not any_buys:
            continue
        for slot in range(len(masks)):
            mask = masks[slot]
            if mask < 0:
                continue
            unused = True
            for rank in range(RANKS):
                unused = unused and own[slot, rank] == 0.0 and elsewhere_used[slot, rank] == 0.0
            if unused:
                continue
            for at in range(WIDTH):
                if most[at] <= EQUAL or stay[at] & mask or way[at] == 0.0:
                    continue
                buys, value = worth[at] > EQUAL, whole[at]
                for rank in range(RANKS):
                    if mask >> rank & 1:
                        value -= added[rank, at]
                times, won, above, below = 0.0, 0.0, 0.0, 0.0
                if value > EQUAL:
                    times, won, above, below = 1.0, flushes[at], flushes[WIDTH + at], flushes[2 * WIDTH + at]
                    for rank in range(RANKS):
                        if mask >> rank & 1:
                            won -= more[rank, at]
                            above -= more[rank, WIDTH + at]
                            below -= more[rank, 2 * WIDTH + at]
                elif not buys:
                    continue
                if buys:
                    times -= 1.0
                    won -= ends[at]
                    above -= ends[WIDTH + at]
                    below -= ends[2 * WIDTH + at]
                top = places[at, 0]
                elsewhere = (left[top] - 1 + (mask >> top & 1)) * chance
                for place in range(5):
                    rank = places[at, place]
                    weight = elsewhere_used[slot, rank] * chance if place == 0 else own[slot, rank] * elsewhere
                    of_games[rank, 0] += weight * times
                    of_games[rank, 1] += weight * won
                    of_games[rank, 2] += weight * above
                    of_games[rank, 3] += weight * below
    for rank in range(RANKS):
        times, won, above, below = of_flushes[rank]
        ended[rank, KEPT] -= times
        ended[rank, WON] += won
        ended[rank, SHORT] += above - won
        ended[rank, LOST] += below
        ended[rank, EVEN] += times - above - below
        times, won, above, below = of_games[rank]
        ended[rank, KEPT] -= times
        ended[rank, 5 + WON] += won / rest
        ended[rank, 5 + SHORT] += (above - won) / rest
        ended[rank, 5 + LOST] += below / rest
        ended[rank, 5 + EVEN] += times - (above + below) / rest


@njit(cache=True, nogil=True, inline="always")
def _net(mine: int, theirs: int, small: float, bet: float, ante: float) -> float:
    if mine > theirs:
        return small * bet + (1.0 - small) * ante
    return -3.0 if mine < theirs else 0.0


@njit(cache=True, nogil=True)
def buys_game(
    held: Array, cards: int, suits: Array, strength: int, kind: int, high: int, low: int, bet: float, ante: float,
    no_game: float, number: int, same: int, sets: Sets,
) -> bool:  # fmt: skip
    """Whether the game is worth more than the ANTE against the dealer's hand `number`, which has none; `same` is the
    suit of all four of its cards that stay, or -1."""
    rest = 52 - cards - 5
    left = np.zeros(RANKS, np.int64)
    table = np.zeros((RANKS, 5, 4), np.int64)
    _counts(held, kind, high, low, left, table)
    sums = np.zeros(4, np.float64)
    for rank in range(RANKS):
        for column in range(4):
            sums[column] += table[rank, sets.masks[number] >> rank & 1, column]
    net = 0.0
    for rank in range(RANKS):
        gone = sets.masks[number] >> rank & 1
        theirs, flush = sets.mixed[number, rank], sets.flushed[number, rank]
        flushes = same >= 0 and flush > 0 and suits[same] >> rank & 1 == 0
        if left[rank] == gone or not (theirs or flushes):
            continue
        after = table[rank, gone + 1] - table[rank, gone] + sums
        small = share(kind, after[0], after[1], after[2], after[3], rest - 1)
        in_mixed_suits = left[rank] - gone
        if flushes:
            net += _net(strength, flush, small, bet, ante)
            in_mixed_suits -= 1
        if theirs:
            net += in_mixed_suits * _net(strength, theirs, small, bet, ante)
    return net / rest - 1.0 - no_game > EQUAL
