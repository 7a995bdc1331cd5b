"""Rounds of Split Poker played by the best play, six boxes each, every one paid by the product: `casino.adjudicate`,
and so `casino.games.split`.

The solved play decides, a piece of some thousand rounds at a time: five cards are looked up in the solution for all
hands, seven are set by the same tables, the game is bought as `worth.buys_game` says. A part of each kind of decision
is made once more in another way: five cards by themselves, seven by `payouts.edge.states` in all 21 settings, the game
by `slow_edge`, which deals card by card and shares nothing with the edge. Some settings are summed by it, too.

Each of the 52 cards is the dealer's open one in as many rounds, so that the ranks need no weights. What is dealt
depends only on the number of the piece, not on how many processes play.
"""

import json
import math
import multiprocessing
import random
import signal
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numba import njit

from casino import adjudicate
from casino.cards import VALUE
from casino.games.poker import HIGH_CARD, STRAIGHT, small_strength, strength
from casino.running.embedded import processes
from payouts.edge import boxes, dealer, deals, ranks, report, settings, solve, states
from payouts.edge.smalls import PAIRED, UNSEEN
from payouts.edge.worth import buys_game
from tests.support import slow_edge

BOXES = 6
ACTIONS = ("fold", "bet", "buy_bet", "buy_fold")
_FOLD, _BET, _BUY_BET, _BUY_FOLD = range(4)
SEED = 46_000_000
"""Of the first piece; the others follow. Far from those of `payouts.edge.boxes`, which samples by the same kernels."""
PIECE = 5_200
"""Rounds that are decided together: each card is open in a hundred of them."""
_DEALT, _REPLACEMENT, _SMALL = slice(42, 46), 46, slice(47, 49)


class Decisions(NamedTuple):
    """`packs` (rounds, 50): seven cards for each box, the dealer's four hidden ones, his replacement and Small Hand,
    the open card; a card is 4 x its rank + its suit. `actions` (rounds, 6) into `ACTIONS`; `smalls` (rounds, 6, 2)
    which of a box's seven are its Small Hand; `games` (rounds, 6) whether it buys the game."""

    packs: np.ndarray
    actions: np.ndarray
    smalls: np.ndarray
    games: np.ndarray


class Checks(NamedTuple):
    """One in how many decisions is made once more: with five cards; with seven, in all settings; to buy the game, with
    a hand that never gains by it and with one that may. `sums` is how many settings in a piece are summed card by
    card."""

    five: int = 200
    seven: int = 200
    game: int = 200
    straights: int = 20
    sums: float = 0.0


class Piece(NamedTuple):
    """`ranks` (rounds,) of the open cards, `nets` (rounds, 6) of the boxes in hundredths of an ANTE; `shares` (5,)
    counts boxes that took each of `ACTIONS` and that bought the game; `checked` (5,) counts decisions made once
    more."""

    ranks: np.ndarray
    nets: np.ndarray
    shares: np.ndarray
    checked: np.ndarray


@lru_cache(maxsize=1)
def solved(games, threads, folder):
    """The starting sheet's best play for all hands."""
    tables = solve.tables(threads, lambda share: None, folder)
    return solve.solve(report.pays(report.read({}), None, games), tables, threads, lambda share: None)


def played(solution, slow, rounds, threads, checks):
    """The pieces of `rounds` rounds, in order, played by processes that end with this one; `slow` is what the sheet
    pays, for the slow program."""
    rounds = math.ceil(rounds / 52) * 52
    sizes = [min(PIECE, rounds - begin) for begin in range(0, rounds, PIECE)]
    decide(solution, 0, 0)  # compiled once, before there are others
    # Forked, so that all read one solution; each is forked as the first piece is asked for.
    given = (Table(solution, slow, checks), processes.dies_with_us(signal.SIGKILL))
    with ProcessPoolExecutor(threads, multiprocessing.get_context("fork"), _begin, given) as pool:
        yield from pool.map(_play, range(len(sizes)), sizes)


_tables = []


def _begin(table, dies_with_us):
    if dies_with_us:
        dies_with_us()
    _tables.append(table)


def _play(number, count):
    return _tables[0].piece(number, count)


class Table:
    """Plays pieces of rounds by a solution, and makes a part of the decisions once more."""

    def __init__(self, solution, slow, checks):
        self.solution, self.slow, self.checks = solution, slow, checks
        self.solver = states.Solver(report.read({}), None, solution.pays.games, 1, None)

    def piece(self, number, count):
        decided = decide(self.solution, SEED + number, count)
        chance = random.Random(SEED + number)
        shares = np.array([*((decided.actions == action).sum() for action in range(4)), decided.games.sum()])
        checked = np.zeros(5, dtype=np.int64)
        checked[0] = self._check_fives(decided, chance)
        nets = np.zeros((count, BOXES), dtype=np.int64)
        for each in range(count):
            pack = [slow_edge.PACK[card] for card in decided.packs[each].tolist()]
            line, dealt, no_game = _line(
                each, pack, decided.actions[each].tolist(), decided.smalls[each].tolist(), decided.games[each].tolist()
            )
            result, settled = adjudicate.answer(json.dumps(line).encode(), each)
            assert settled, result
            nets[each] = [box["net"] for box in result["boxes"]]
            for box in line["boxes"]:
                if box["action"].startswith("buy") and chance.random() * self.checks.seven < 1:
                    self._check_seven(box, dealt[4])
                    checked[1] += 1
                if no_game and box["action"] in ("bet", "buy_bet"):
                    checked[2:4] += self._check_game(box, dealt, chance)
        checked[4] = self._check_sums(decided, chance)
        return Piece(decided.packs[:, 49] // 4, nets, shares, checked)

    def _check_fives(self, decided, chance):
        """Check five cards by themselves, with suits as dealt: what betting and buying are worth, and what follows."""
        chosen = [at for at in np.ndindex(decided.actions.shape) if chance.random() * self.checks.five < 1]
        suits = np.zeros((len(chosen), 4), dtype=np.int64)
        for row, (each, box) in enumerate(chosen):
            for card in decided.packs[each, 7 * box : 7 * box + 5]:
                suits[row, card % 4] |= 1 << card // 4
        hands = deals.Hands(suits, np.ones(len(chosen), dtype=np.int64))
        alone = solve.choices(self.solution, hands, 1, lambda share: None)
        for row, (each, box) in enumerate(chosen):
            rank, suit = divmod(int(decided.packs[each, 49]), 4)
            worth = (-1.0, alone.bet[row, suit, rank], alone.buy[row, suit, rank])
            mine = worth[(0, 1, 2, 2)[decided.actions[each, box]]]
            assert mine >= max(worth) - 1e-9, (decided.packs[each].tolist(), box, worth)
        return len(chosen)

    def _check_seven(self, box, open_card):
        """Check for the best of the 21 settings, or the fold; any of equal ones is right."""
        cards = [*box["cards"], *box["extra"]]
        answer = self.solver.answer({"cards": cards, "open": open_card})
        best = answer["choices"]["bet"]
        if box["action"] == "buy_fold":
            assert best <= -2.0 + 1e-8, (box, open_card, answer)
            return
        assert best >= -2.0 - 1e-8, (box, open_card, answer)
        big = [card for card in cards if card not in box["small"]]
        if (strength(big), small_strength(box["small"])) == (
            strength(answer["setting"]["big"]),
            small_strength(answer["setting"]["small"]),
        ):
            return
        own = solve.setting(self.solution.pays, *_setting(cards, box["small"]))
        rank, suit = divmod(slow_edge.PACK.index(open_card), 4)
        assert abs(own[suit, rank] - 1.0 - best) < 1e-8, (box, open_card, answer)

    def _check_game(self, box, dealt, chance):
        """Check whether a box still in buys the game; one that has not looked at the two cards decides without them."""
        looked = box["action"] == "buy_bet"
        held = [*box["cards"], *box["extra"]] if looked else box["cards"]
        small = box["small"] if looked else None
        big = [card for card in held if card not in (small or ())]
        may = strength(big).category >= STRAIGHT
        if chance.random() * (self.checks.straights if may else self.checks.game) >= 1:
            return 0, 0
        game = slow_edge.Box(self.slow, held, dealt[4], big, small).game(dealt)
        bought = game is not None and game > self.slow.no_game + 1e-12
        even = game is not None and abs(game - self.slow.no_game) < 1e-9
        assert even or bought == box.get("buys_game", False), (box, dealt, game)
        return int(not may), int(may)

    def _check_sums(self, decided, chance):
        """Check that no other setting of a box that bought cards and bets is worth more, all summed card by card."""
        bought = np.argwhere(decided.actions == _BUY_BET)
        if chance.random() >= self.checks.sums or not len(bought):
            return 0
        each, box = chance.choice(bought.tolist())
        cards = [slow_edge.PACK[card] for card in decided.packs[each, 7 * box : 7 * box + 7]]
        open_card = slow_edge.PACK[decided.packs[each, 49]]
        own = tuple(cards[place] for place in decided.smalls[each, box])
        worth = {}
        for small in (own, *combinations(cards, 2)):
            big = [card for card in cards if card not in small]
            key = strength(big), small_strength(small)
            if key not in worth:
                worth[key] = slow_edge.bet(self.slow, cards, open_card, big, list(small))
        own_worth = next(iter(worth.values()))
        assert own_worth >= max(*worth.values(), -1.0) - 1e-9, (cards, open_card, own, worth)
        return 1


def _line(number, pack, actions, smalls, games):
    """The round as contracts/adjudicate.md writes it, the dealer's five, and whether they are no game."""
    played = []
    for box in range(BOXES):
        action = actions[box]
        held = pack[7 * box : 7 * box + 7]
        mine = {"box": box + 1, "ante": 100, "cards": held[:5], "action": ACTIONS[action]}
        if action != _FOLD:
            mine["extra"] = held[5:]
        if action == _BUY_BET:
            mine["small"] = [held[place] for place in smalls[box]]
        if games[box]:
            mine["buys_game"] = True
        played.append(mine)
    dealt = [*pack[_DEALT], pack[49]]
    line = {"id": number, "game": "split", "dealer": {"cards": dealt}, "boxes": played}
    shown, no_game = dealt, strength(dealt).category == HIGH_CARD
    if no_game and any(games):
        line["dealer"]["replacement"] = pack[_REPLACEMENT]
        highest = max(dealt, key=VALUE.__getitem__)
        shown = [*(card for card in dealt if card != highest), pack[_REPLACEMENT]]
    if strength(shown).category != HIGH_CARD and any(action in (_BET, _BUY_BET) for action in actions):
        line["dealer"]["small"] = pack[_SMALL]
    return line, dealt, no_game


def _setting(cards, small):
    """The suits, the Big Hand's strength and the Small Hand's ranks as `solve.setting` takes them."""
    suits, spread = np.zeros(4, dtype=np.int64), np.zeros(ranks.RANKS, dtype=np.int8)
    big = [slow_edge.PACK.index(card) for card in cards if card not in small]
    for card in map(slow_edge.PACK.index, cards):
        suits[card % 4] |= 1 << card // 4
    for card in big:
        spread[card // 4] += 1
    code = int(ranks.strength_of(spread, len({card % 4 for card in big}) == 1))
    high, low = (slow_edge.PACK.index(card) // 4 for card in small)
    return suits, code, (high, low)


def decide(solution, seed, count):
    """Deal and decide `count` rounds; each of the 52 cards is open in turn."""
    sets = dealer.sets()
    number_of = np.full(1 << ranks.RANKS, -1, dtype=np.int64)
    number_of[sets.masks] = np.arange(len(sets.masks))
    suits = solution.hands.suits
    keys = ((suits[:, 3] << 13 | suits[:, 2]) << 13 | suits[:, 1]) << 13 | suits[:, 0]
    suited = settings.suited()
    out = Decisions(
        np.zeros((count, 50), dtype=np.int64), np.zeros((count, BOXES), dtype=np.int64),
        np.zeros((count, BOXES, 2), dtype=np.int64), np.zeros((count, BOXES), dtype=np.bool_),
    )  # fmt: skip
    _decide(
        seed, keys, solution.bet, solution.buy, ranks.places(7), solution.seven, solution.five.games, settings.plain(),
        suited.settings, suited.number, number_of, sets, solution.pays, *out,
    )  # fmt: skip
    return out


@njit(cache=True, nogil=True)
def _decide(
    seed, keys, bet, buy, before, seven, blind_games, plain, suited, suited_number, number_of, sets, pays, packs,
    actions, smalls, games,
):  # fmt: skip
    np.random.seed(seed)
    pack = np.zeros(51, np.int64)
    suits = np.zeros(4, np.int64)
    held = np.zeros(13, np.int64)
    order = np.zeros(4, np.int64)
    best = np.zeros((4, 13), np.float64)
    which = np.zeros((4, 13), np.int64)
    slots = np.zeros((2, 4), np.int64)
    hand = np.zeros(4, np.int64)
    five = np.zeros(5, np.int64)
    for each in range(len(packs)):
        open_card = each % 52
        rank, open_suit = open_card // 4, open_card % 4
        at = 0
        for card in range(52):
            if card != open_card:
                pack[at] = card
                at += 1
        for one in range(49):
            other = one + int(np.random.random() * (51 - one))
            pack[one], pack[other] = pack[other], pack[one]
            packs[each, one] = pack[one]
        packs[each, 49] = open_card
        number, same = _no_game(pack, open_card, five, held, number_of, sets)
        for box in range(BOXES):
            cards = pack[7 * box : 7 * box + 7]
            suits[:] = 0
            held[:] = 0
            for place in range(5):
                suits[cards[place] % 4] |= 1 << cards[place] // 4
                held[cards[place] // 4] += 1
            key, own = boxes._hand_number(keys, suits, open_suit, order)
            worth_bet, worth_buy = bet[key, own, rank], buy[key, own, rank]
            if worth_bet < -1.0 and worth_buy < -1.0:
                continue
            if worth_bet >= worth_buy:
                actions[each, box] = _BET
                flush = False
                for suit in range(4):
                    flush = flush or deals.bits(suits[suit]) == 5
                hand[0], hand[1], hand[2], hand[3] = ranks.strength_of(held, flush), UNSEEN, 0, 0
                seen, may = 5, blind_games
            else:
                for place in range(5, 7):
                    suits[cards[place] % 4] |= 1 << cards[place] // 4
                    held[cards[place] // 4] += 1
                worth = boxes._set_seven(
                    suits, held, rank, open_suit, before, seven, False, plain, suited, suited_number, best, which,
                    slots, hand,
                )  # fmt: skip
                if worth <= -1.0:
                    actions[each, box] = _BUY_FOLD
                    continue
                actions[each, box] = _BUY_BET
                _lay(cards, held, hand, smalls[each, box])
                seen, may = 7, seven.games
            if number >= 0 and may[hand[0] >> 20]:
                games[each, box] = buys_game(
                    held, seen, suits, hand[0], hand[1], hand[2], hand[3], pays.bet[hand[0] >> 20],
                    pays.ante[hand[0] >> 20], pays.no_game, number, same, sets,
                )  # fmt: skip


@njit(cache=True, nogil=True)
def _no_game(pack, open_card, five, held, number_of, sets):
    """The number of the dealer's hand if it is no game, else -1; the suit of all four that stay, or below zero."""
    held[:] = 0
    five[0] = open_card
    five[1:] = pack[42:46]
    mask, flush = 0, True
    for card in five:
        held[card // 4] += 1
        mask |= 1 << card // 4
        flush = flush and card % 4 == open_card % 4
    if ranks.strength_of(held, flush) >> 20 != 0:
        return -1, -1
    number, same = number_of[mask], -1
    for card in five:
        if card // 4 != sets.ranks[number, 0]:
            if same == -1:
                same = card % 4
            elif same != card % 4:
                same = -2
    return number, same


@njit(cache=True, nogil=True)
def _lay(cards, held, hand, small):
    """Which of seven cards are the Small Hand, given the setting's strengths in `hand`; of several with that Small Hand
    those that leave the strongest Big Hand. Any two for a hand that is worth no more than a high card."""
    small[0], small[1] = 0, 1
    if hand[0] == 0:
        return
    strongest = -1
    for one in range(7):
        for other in range(one + 1, 7):
            a, b = cards[one] // 4, cards[other] // 4
            if max(a, b) != hand[2] or min(a, b) != hand[3] or (a == b) != (hand[1] == PAIRED):
                continue
            suit, flush = -1, True
            for place in range(7):
                if place not in (one, other):
                    if suit == -1:
                        suit = cards[place] % 4
                    flush = flush and suit == cards[place] % 4
            held[a] -= 1
            held[b] -= 1
            code = ranks.strength_of(held, flush)
            held[a] += 1
            held[b] += 1
            if code > strongest:
                strongest = code
                small[0], small[1] = one, other
    hand[0] = strongest
