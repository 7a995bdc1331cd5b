"""How often rounds end in each way if every decision is the best one, by the rank of the open card."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import settings, solve
from .ranks import RANKS
from .solve import Progress, Seven, Solution
from .worth import ENDS, EVEN, KEPT, LOST, SHORT, WON, Pays

Array = Any
STATES = 2_598_960 * 47
"""Hands of five cards with an open card."""


class Ends(NamedTuple):
    """Shares of all rounds, by the rank of the dealer's open card.

    `fold` (13,) after five cards, `buy_fold` (13,) after seven. `bet`, `buy` (10, 13, ENDS) by category of the Big Hand
    and by the way it ends: `worth.KEPT` to `worth.LOST`, the same with the game bought five further on.
    """

    fold: Array
    buy_fold: Array
    bet: Array
    buy: Array


def nets(pays: Pays, cards_fee: int) -> Array:
    """(10, ENDS): what a round that ends in each way comes to, net per unit of ANTE."""
    net = np.zeros((10, ENDS))
    net[:, KEPT] = pays.no_game
    net[:, WON] = pays.bet
    net[:, SHORT] = pays.ante
    net[:, LOST] = -3.0
    net[:, 5:] = net[:, :5] - 1.0
    net[:, 5 + KEPT] = 0.0
    net[:, 5 + EVEN] = -1.0
    return net - cards_fee


def whole(ended: Ends) -> Ends:
    """The same over all open cards: two numbers, and `bet` and `buy` (10, ENDS)."""
    return Ends(ended.fold.sum(), ended.buy_fold.sum(), ended.bet.sum(axis=1), ended.buy.sum(axis=1))


class Moments(NamedTuple):
    """A box's net per unit of ANTE, (13,) by the rank of the open card: its mean, its variance, and its mean if wins
    are cut off at a limit."""

    mean: Array
    variance: Array
    cut: Array


def moments(ended: Ends, pays: Pays, cut: float) -> Moments:
    """The moments of a box's net; every rank is open in one round of thirteen."""
    net_bet, net_buy = nets(pays, 0)[:, None], nets(pays, 1)[:, None]

    def mean(of: Callable[[Any], Any]) -> Array:
        folds = ended.fold * of(-1.0) + ended.buy_fold * of(-2.0)
        return RANKS * (folds + ((ended.bet * of(net_bet)) + (ended.buy * of(net_buy))).sum(axis=(0, 2)))

    means = mean(lambda net: net)
    return Moments(means, mean(np.square) - means**2, mean(lambda net: np.minimum(net, cut)))


def ends(solution: Solution, tables: solve.Tables, threads: int, progress: Progress) -> Ends:
    """Follow the best decisions once more, and count."""
    weight = solution.hands.weight[:, None, None] / STATES
    bet, buy = solution.bet, solution.buy
    known = ~np.isnan(bet)
    folds = known & (bet < -1.0) & (buy < -1.0)
    bets = known & ~folds & (bet >= buy)
    buys = known & ~folds & ~bets
    bet_used = np.where(bets, weight, 0.0)
    buy_used = np.where(buys, weight / 1035.0, 0.0)
    pays = solution.pays
    ended_buy, folded = _of_seven(solution, solution.seven, tables, buy_used, False, threads, progress, 0.0, 0.8)
    if solution.house:
        ended_bet, _ = _of_seven(
            solution, solution.house, tables, bet_used / 1035.0, True, threads, progress, 0.8, 1.0
        )  # fmt: skip
    else:
        five = solution.five
        used = [np.zeros(shape.shape) for shape in (five.low, five.low, five.own, five.other)]
        solve.bets(solution.hands, five, True, bet_used, *used)
        ended_bet = _low_ends(five.low_row, used[0], used[1], settings.five().strength, tables.five, tables.none5, pays)
        _, _, of_five = solve.classes()
        ended_bet += solve.measured(
            pays, five.rows, settings.five(), 5, tables.five, tables.none5, of_five, five.games, used[2], used[3],
            threads, progress, 1.0, 1.0,
        )  # fmt: skip
    return Ends(np.where(folds, weight, 0.0).sum(axis=(0, 1)), folded, ended_bet, ended_buy)


def _of_seven(
    solution: Solution, seven: Seven, tables: solve.Tables, used: Array, house: bool, threads: int, progress: Progress,
    begin: float, end: float,
) -> tuple[Array, Array]:  # fmt: skip
    middle = begin + (end - begin) * 0.4
    low_used, flushes_used, plain_own, plain_other, suited_own, suited_other, folded = solve.uses(
        solution.hands, seven, house, used, threads, progress, begin, middle
    )
    of_plain, of_suited, _ = solve.classes()
    plain, suited = settings.plain(), settings.suited().settings
    pays = solution.pays
    ended = _low_ends(seven.low_row, low_used, flushes_used, plain.strength, tables.plain, tables.none7, pays)
    ended += solve.measured(
        pays, seven.plain, plain, 7, tables.plain, tables.none7, of_plain, seven.games, plain_own, plain_other,
        threads, progress, middle, middle,
    )  # fmt: skip
    ended += solve.measured(
        pays, seven.suited, suited, 7, tables.suited, tables.none7, of_suited, seven.games,
        suited_own.reshape(-1, RANKS), suited_other.reshape(-1, RANKS), threads, progress, middle, end,
    )  # fmt: skip
    return ended, folded


def _low_ends(
    rows: Array, used: Array, flushes_used: Array, strength: Array, shares: Array, none: Array, pays: Pays
) -> Array:
    """The ends of settings that ranks decide; a dealer's flush turns what was no game into a loss."""
    ended = np.zeros((10, RANKS, ENDS))
    cell = np.where(rows >= 0, strength[rows] >> 20, 0) * RANKS + np.arange(RANKS)
    at = shares[np.maximum(rows, 0), np.arange(RANKS)[None, :]] * (rows >= 0)[:, :, None]
    flushes = flushes_used / (pays.no_game + 3.0)
    nothing = used * none
    for end, share in (
        (KEPT, nothing - flushes),
        (WON, used * at[:, :, 1]),
        (SHORT, used * (at[:, :, 0] - at[:, :, 1])),
        (EVEN, used * at[:, :, 2]),
        (LOST, used * (1.0 - none - at[:, :, 0] - at[:, :, 2]) + flushes),
    ):
        ended[:, :, end] = np.bincount(cell.ravel(), weights=share.ravel(), minlength=10 * RANKS).reshape(10, RANKS)
    return ended
