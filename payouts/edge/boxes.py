"""How far the boxes of a round win and lose together, since they play against the same dealer's hand.

This is sampled, always from the same deals: a number for each rank of the dealer's open card, each with six boxes, the
most that a pack holds at seven cards each, and some dealer's hands from what is left. Every box decides by the solved
best play, knowing only its own cards and the open card. Any two of them are dealt as if they were alone.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from . import dealer, deals, settings, solve
from .ends import nets
from .ranks import HIGH_CARD, RANKS, SUITS, place, places, strength_of
from .smalls import PAIRED, UNSEEN
from .solve import Progress, Solution
from .worth import EVEN, KEPT, LOST, SHORT, WON, Pays, buys_game

Array = Any
BOXES = 6
DEALERS = 10
"""Hands of the dealer's against the same boxes."""
DEALS = 30_000
"""For each rank of the open card."""
_CHUNK = 1_000
_SEED = 24
_FOLDED, _BLIND, _SET = range(3)


class Together(NamedTuple):
    """By the rank of the open card, each (13,): the covariance of the nets of two boxes of a round, per ANTE of each,
    its standard error, and what the boxes of the sample won on average with the standard error of that."""

    covariance: Array
    error: Array
    mean: Array
    mean_error: Array


def together(solution: Solution, means: Array, threads: int, progress: Progress, count: int = DEALS) -> Together:
    """`means` (13,) are the exact ones, so that the estimate is free of bias; `count` deals for each rank."""
    chunks = -(-count // _CHUNK)
    of_pieces = np.zeros((RANKS * chunks, 4))

    def work(first: int, last: int) -> None:
        for piece in range(first, last):
            rank, number = divmod(piece, chunks)
            of_pieces[piece] = sums(solution, rank, means[rank], piece, min(_CHUNK, count - number * _CHUNK))

    solve.spread_work(work, len(of_pieces), 1, threads, progress, 0.0, 1.0)
    of_ranks = of_pieces.reshape(RANKS, chunks, 4).sum(axis=1) / count
    covariance, square, excess, excess_square = of_ranks.T
    return Together(
        covariance,
        np.sqrt((square - covariance**2) / count),
        means + excess,
        np.sqrt((excess_square - excess**2) / count),
    )


def sums(solution: Solution, rank: int, mean: float, piece: int, count: int) -> Array:
    """(4,) over `count` deals with this rank open, the same ones for each `piece`: the mean product of two boxes' nets
    less their `mean`, its square, the mean net less `mean`, its square."""
    sets = dealer.sets()
    number_of = np.full(1 << RANKS, -1, dtype=np.int64)
    number_of[sets.masks] = np.arange(len(sets.masks))
    suits = solution.hands.suits
    keys = ((suits[:, 3] << RANKS | suits[:, 2]) << RANKS | suits[:, 1]) << RANKS | suits[:, 0]
    suited = settings.suited()
    pays = solution.pays
    out = np.zeros(4)
    _deals(
        _SEED + piece, count, rank, mean, keys, solution.bet, solution.buy, places(7), solution.seven,
        solution.house or solution.seven, solution.house is not None, solution.five.games, settings.plain(),
        suited.settings, suited.number, number_of, sets, pays, nets(pays, 0), nets(pays, 1), out,
    )  # fmt: skip
    return out


@njit(cache=True, nogil=True)
def _small(one: int, other: int) -> int:
    """A Small Hand's strength (split.3): a pair above two ranks, then the higher rank, then the other."""
    if one == other:
        return 256 + one
    return 16 * max(one, other) + min(one, other)


@njit(cache=True, nogil=True)
def _hand_number(keys: Array, suits: Array, suit: int, order: Array) -> tuple[int, int]:
    """The number of the hand with these cards in the order of `keys`, and which of its suits is `suit`."""
    for each in range(SUITS):
        order[each] = suits[each]
    order.sort()
    key = 0
    for each in range(SUITS - 1, -1, -1):
        key = key << RANKS | order[each]
    own = 0
    while order[own] != suits[suit]:
        own += 1
    return np.searchsorted(keys, key), own


@njit(cache=True, nogil=True)
def _set_seven(
    suits: Array, held: Array, rank: int, suit: int, before: Array, seven: solve.Seven, house: bool,
    plain: settings.Settings, suited: settings.Settings, suited_number: Array, best: Array, which: Array,
    slots: Array, hand: Array,
) -> float:  # fmt: skip
    """What seven cards are worth in their best setting; `hand` (4,) gets the Big Hand's strength and the Small Hand's
    kind and ranks."""
    number = place(held, 7, before)
    all_ranks = 0
    for each in range(RANKS):
        if held[each]:
            all_ranks |= 1 << each
    depth = settings.SLOTS
    offsets = seven.plain.offset[:-1]
    wanted = np.zeros(SUITS, np.bool_)
    wanted[suit] = True
    for each in range(SUITS):
        slots[0, each] = deals.local(suits[each], all_ranks)
    deals.best_settings(
        suits, slots, number, seven.low, seven.flushes, seven.plain.first, offsets, seven.plain_own, seven.plain_other,
        suited_number, seven.suited.first, seven.suited_own.reshape((-1, depth, RANKS)),
        seven.suited_other.reshape((-1, depth, RANKS)), house, wanted, np.zeros(RANKS, np.float64), best,
        which,
    )  # fmt: skip
    row = which[suit, rank]
    if row < 0:
        row = seven.low_row[number, rank]
        if row < 0:
            hand[:] = 0  # a high card, which wins against nothing
            return best[suit, rank]
    elif row < len(offsets):
        row = seven.plain.rows[row]
    else:
        row = seven.suited.rows[row - len(offsets)]
        hand[0], hand[1], hand[2], hand[3] = suited.strength[row], suited.kind[row], suited.high[row], suited.low[row]
        return best[suit, rank]
    hand[0], hand[1], hand[2], hand[3] = plain.strength[row], plain.kind[row], plain.high[row], plain.low[row]
    return best[suit, rank]


@njit(cache=True, nogil=True)
def _deals(
    seed: int, count: int, rank: int, mean: float, keys: Array, bet: Array, buy: Array, before: Array,
    seven: solve.Seven, house: solve.Seven, house_sets: bool, blind_games: Array, plain: settings.Settings,
    suited: settings.Settings, suited_number: Array, number_of: Array, sets: dealer.Sets, pays: Pays, net_bet: Array,
    net_buy: Array, out: Array,
) -> None:  # fmt: skip
    """Add to `out` (4,) for each deal with this rank open: the mean product of two boxes' nets less their mean, its
    square, the mean net less `mean`, and its square."""
    np.random.seed(seed)
    pack = np.zeros(51, np.int64)
    suits = np.zeros((BOXES, SUITS), np.int64)
    held = np.zeros((BOXES, RANKS), np.int64)
    order = np.zeros(SUITS, np.int64)
    best = np.zeros((SUITS, RANKS), np.float64)
    which = np.zeros((SUITS, RANKS), np.int64)
    slots = np.zeros((2, SUITS), np.int64)
    hands = np.zeros((BOXES, 4), np.int64)
    kinds = np.zeros(BOXES, np.int64)
    fees = np.zeros(BOXES, np.int64)
    smalls = np.zeros(BOXES, np.int64)
    five = np.zeros(5, np.int64)
    theirs = np.zeros(RANKS, np.int64)
    open_card = rank * SUITS
    at = 0
    for card in range(52):
        if card != open_card:
            pack[at] = card
            at += 1
    for _ in range(count):
        for one in range(BOXES * 7):
            other = one + int(np.random.random() * (51 - one))
            pack[one], pack[other] = pack[other], pack[one]
        for box in range(BOXES):
            suits[box] = 0
            held[box] = 0
            cards = pack[box * 7 : box * 7 + 7]
            for number in range(5):
                suits[box, cards[number] % SUITS] |= 1 << cards[number] // SUITS
                held[box, cards[number] // SUITS] += 1
            number, own = _hand_number(keys, suits[box], 0, order)
            worth_bet, worth_buy = bet[number, own, rank], buy[number, own, rank]
            fees[box] = 0
            if worth_bet < -1.0 and worth_buy < -1.0:
                kinds[box] = _FOLDED
                continue
            buys = worth_buy > worth_bet
            fees[box] = 1 if buys else 0
            if not buys and not house_sets:
                kinds[box] = _BLIND
                flush = False
                for suit in range(SUITS):
                    flush = flush or deals.bits(suits[box, suit]) == 5
                hands[box, 0], hands[box, 1] = strength_of(held[box], flush), UNSEEN
                smalls[box] = _small(cards[5] // SUITS, cards[6] // SUITS)
                continue
            for number in range(5, 7):
                suits[box, cards[number] % SUITS] |= 1 << cards[number] // SUITS
                held[box, cards[number] // SUITS] += 1
            worth = _set_seven(
                suits[box], held[box], rank, 0, before, seven if buys else house, not buys, plain, suited,
                suited_number, best, which, slots, hands[box],
            )  # fmt: skip
            kinds[box] = _FOLDED if buys and worth <= -1.0 else _SET
            smalls[box] = 256 + hands[box, 2] if hands[box, 1] == PAIRED else 16 * hands[box, 2] + hands[box, 3]
        product, excess = 0.0, 0.0
        for _ in range(DEALERS):
            for one in range(BOXES * 7, BOXES * 7 + 7):
                other = one + int(np.random.random() * (51 - one))
                pack[one], pack[other] = pack[other], pack[one]
            rest = pack[BOXES * 7 :]
            five[0] = open_card
            five[1:] = rest[:4]
            theirs[:] = 0
            mask, flush = 0, True
            for card in five:
                theirs[card // SUITS] += 1
                mask |= 1 << card // SUITS
                flush = flush and card % SUITS == 0
            dealers = strength_of(theirs, flush)
            dealers_small = _small(rest[4] // SUITS, rest[5] // SUITS)
            number, same, top, replaced = -1, -1, 0, 0
            if dealers >> 20 == HIGH_CARD:
                number = number_of[mask]
                top = sets.ranks[number, 0]
                for card in five:
                    if card // SUITS != top:
                        if same == -1:
                            same = card % SUITS
                        elif same != card % SUITS:
                            same = -2
                theirs[top] -= 1
                theirs[rest[6] // SUITS] += 1
                replaced = strength_of(theirs, same == rest[6] % SUITS)
            total, squares = 0.0, 0.0
            for box in range(BOXES):
                if kinds[box] == _FOLDED:
                    net = -2.0 if fees[box] else -1.0
                else:
                    mine, kind = hands[box, 0], hands[box, 1]
                    category = mine >> 20
                    against, fee_of = dealers, 0
                    end = EVEN
                    if number >= 0:
                        games = blind_games if kinds[box] == _BLIND else seven.games
                        if games[category] and buys_game(
                            held[box], 5 if kinds[box] == _BLIND else 7, suits[box], mine, kind, hands[box, 2],
                            hands[box, 3], pays.bet[category], pays.ante[category], pays.no_game, number, same, sets,
                        ):  # fmt: skip
                            against, fee_of = replaced, 5
                        else:
                            end = KEPT
                    if end == EVEN and against >> 20 != HIGH_CARD:
                        if mine < against:
                            end = LOST
                        elif mine > against:
                            end = WON if dealers_small <= smalls[box] else SHORT
                    net = (net_buy if fees[box] else net_bet)[category, fee_of + end]
                net -= mean
                total += net
                squares += net * net
            product += (total * total - squares) / (BOXES * (BOXES - 1))
            excess += total / BOXES
        product /= DEALERS
        excess /= DEALERS
        out[0] += product
        out[1] += product * product
        out[2] += excess
        out[3] += excess * excess
