"""The best play of a sheet: what every decision is worth, and how often rounds end in each way."""

import itertools
import math
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from . import PROGRAM, dealer, deals, settings
from .kept import kept
from .ranks import HIGH_CARD, RANKS, STRAIGHT, SUITS, place, places, spreads
from .smalls import PAIRED, UNPAIRED, UNSEEN
from .worth import ENDS, Pays, measure, none, shares, values

Array = Any
Progress = Callable[[float], None]
_FINER = 8
_OUTS = 12  # Cards that pair one of the four of the dealer's that stay, at most.
_MORE_OUTS = 27  # The same with nine that make a flush of those four, and six of other suits that make a straight.


class Tables(NamedTuple):
    """What depends on no sheet: how often each setting wins, by the open card's rank.

    `plain`, `suited`, `five` (settings, 13, 3) as `worth.shares` fills them; `none7`, `none5` (classes, 13) how often
    the dealer holds five different ranks and no straight.
    """

    plain: Array
    suited: Array
    five: Array
    none7: Array
    none5: Array


class Rows(NamedTuple):
    """Settings whose values need suits: `rows` into `Settings`, `offset` (rows + 1,) into the values, `first` by class,
    `masks` (values,) what a suit holds.

    Settings of the same ranks differ in worth only by what a suit holds, so they are worked out together: `order`
    (rows,) has those of a unit together, `unit` (units + 1,) where each begins.
    """

    rows: Array
    offset: Array
    first: Array
    masks: Array
    order: Array
    unit: Array


class Seven(NamedTuple):
    """Seven cards.

    `low` (49205, 13) where ranks decide, less `flushes` (8192, 13) by what is held of the open card's suit; `low_row`
    which setting that is; `pairs` what `deals.pairs` makes of them for five cards that buy. Of the other settings the
    rows, and two values for each set of ranks that a suit may hold, as `worth.values` gives them.
    """

    low: Array
    low_row: Array
    flushes: Array
    pairs: Array
    plain: Rows
    plain_own: Array
    plain_other: Array
    suited: Rows
    suited_own: Array
    suited_other: Array
    games: Array


class Five(NamedTuple):
    """A plain bet with two unseen cards, the same way; `row_of`, `flush_row_of` (6175,) number the rows by class."""

    low: Array
    low_row: Array
    flushes: Array
    rows: Rows
    own: Array
    other: Array
    row_of: Array
    flush_row_of: Array
    games: Array


class Solution(NamedTuple):
    """What a sheet's decisions are worth.

    A fold is always worth -1. `bet`, `buy` (hands, 4, 13) by suit and rank of the open card, NaN where the player holds
    it.
    """

    pays: Pays
    hands: deals.Hands
    bet: Array
    buy: Array
    seven: Seven
    five: Five
    house: Seven | None


def spread_work(
    work: Callable[[int, int], Any], count: int, chunk: int, threads: int, progress: Progress, begin: float, end: float
) -> None:
    """Do `work(first, last)` for all of `count`, reporting progress from `begin` to `end`.

    If `progress` raises, what is not begun is left undone, and the error is passed on. With one thread, the caller's
    own thread works, in smaller pieces: nothing is done while `progress` waits, and it is called soon.
    """
    if threads == 1:
        chunk = max(1, chunk // _FINER)
    pieces = [(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    if threads == 1:
        for done, piece in enumerate(pieces, 1):
            work(*piece)
            progress(begin + (end - begin) * done / len(pieces))
        return
    with ThreadPoolExecutor(max_workers=threads) as pool:
        futures: list[Future[Any]] = [pool.submit(work, *piece) for piece in pieces]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                progress(begin + (end - begin) * done / len(pieces))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def has_tables(folder: Path | None = None) -> bool:
    """Whether the folder has the tables, so that they need not be made first."""
    file = _file(folder)
    return bool(_memory) or (file is not None and file.exists())


def _file(folder: Path | None) -> Path | None:
    return folder / f"{PROGRAM}-tables.npy" if folder else None


def tables(threads: int, progress: Progress, folder: Path | None = None) -> Tables:
    """The tables, read from `folder` if it has them, else made and kept there."""
    if _memory:
        return _memory[0]
    file = _file(folder)
    shapes = _shapes()
    size = sum(math.prod(shape) for shape in shapes)
    if file and file.exists():
        # Not mapped: a read-only array is another type, for which all that reads it would be compiled again.
        flat = np.load(file)
        if flat.shape == (size,):
            _memory.append(_cut(flat, shapes))
            return _memory[0]
    flat = np.zeros(size)
    made = _cut(flat, shapes)
    games = dealer.games()
    plain, suited, five = settings.plain(), settings.suited().settings, settings.five()
    parts = ((plain, made.plain, 7, 0.0, 0.45), (suited, made.suited, 7, 0.45, 0.98), (five, made.five, 5, 0.98, 1.0))
    for rows, out, cards, begin, end in parts:
        spread_work(
            lambda first, last, rows=rows, out=out, cards=cards: shares(
                first, last, rows.held, rows.strength, rows.kind, rows.high, rows.low, cards, *games, out
            ),
            len(rows.strength),
            2000,
            threads,
            progress,
            begin,
            end,
        )
    sets = dealer.sets()
    none(spreads(7), 7, sets.ranks, sets.plain, made.none7)
    none(spreads(5), 5, sets.ranks, sets.plain, made.none5)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}.npy")
        np.save(draft, flat)
        draft.replace(file)
    _memory.append(made)
    return made


_memory: list[Tables] = []


def _shapes() -> list[tuple[int, ...]]:
    return [
        (len(settings.plain().strength), RANKS, 3),
        (len(settings.suited().settings.strength), RANKS, 3),
        (len(settings.five().strength), RANKS, 3),
        (len(spreads(7)), RANKS),
        (len(spreads(5)), RANKS),
    ]


def _cut(flat: Array, shapes: Iterable[tuple[int, ...]]) -> Tables:
    parts = []
    at = 0
    for shape in shapes:
        size = math.prod(shape)
        parts.append(flat[at : at + size].reshape(shape))
        at += size
    return Tables(*parts)


@lru_cache(maxsize=1)
def _all_flushes() -> Array:
    """(8192, 13): how many of the dealer's hands of one suit are no straight, by what is held of the suit and the open
    card's rank."""
    sets = dealer.sets()
    masks = sets.masks[sets.plain >> 20 == HIGH_CARD]
    free = np.arange(1 << RANKS)[:, None] & masks == 0
    has = masks[:, None] >> np.arange(RANKS) & 1
    return free.astype(np.float32) @ has.astype(np.float32)


def _flush_counts(cards: int) -> Array:
    """The same as a share of all the dealer's hands, if the player holds this many cards."""
    return _all_flushes() / np.float64(math.comb(52 - cards - 1, 4))


def may_buy(category: int, pays: Pays, rest: int) -> bool:
    """Whether any of the dealer's hands could make the game worth its fee to a Big Hand of this category."""
    outs = _MORE_OUTS if category >= STRAIGHT else _OUTS
    return bool(pays.games and outs * max(pays.bet[category], pays.ante[category]) / rest > 1.0 + pays.no_game)


def _rows(table: settings.Settings, classes: Array, count: int, detailed: Array, kept: Array) -> Rows:
    """The settings of these categories, with every set of ranks that a suit may hold of their cards."""
    rows = np.nonzero(detailed[table.strength >> 20] & kept)[0]
    offset, masks = [0], []
    for row in rows:
        ranks = np.nonzero(table.held[row])[0]
        size = 1 << len(ranks)
        index = np.arange(size)
        mask = np.zeros(size, dtype=np.int64)
        for bit, rank in enumerate(ranks):
            mask |= (index >> bit & 1) << rank
        masks.append(mask)
        offset.append(offset[-1] + size)
    first = np.searchsorted(classes[rows], np.arange(count + 1))
    whole = np.concatenate(masks) if masks else np.zeros(0, np.int64)
    return Rows(rows, np.array(offset), first, whole, np.arange(len(rows)), np.arange(len(rows) + 1))


@njit(cache=True, nogil=True)
def _fill(
    begin: int, end: int, rows: Rows, table: settings.Settings, cards: int, shares_of: Array, none_of: Array,
    class_of: Array, pays: Pays, games: Array, blocks: dealer.Blocks, straights: dealer.Straights, own: Array,
    other: Array, measured: bool, ended: Array,
) -> None:  # fmt: skip
    """Fill `own` and `other` for the units from `begin` to `end`; or, if `measured`, read there how often each value
    was used, and add to `ended` (10, 13, ENDS) how often rounds end in which way, by category."""
    widest = 0
    for unit in range(begin, end):
        size = 0
        for number in rows.order[rows.unit[unit] : rows.unit[unit + 1]]:
            size += rows.offset[number + 1] - rows.offset[number]
        widest = max(widest, size)
    places = np.zeros(widest, np.int64)
    masks = np.zeros(widest, np.int64)
    unit_own = np.zeros((widest, RANKS), np.float64)
    unit_other = np.zeros((widest, RANKS), np.float64)
    for unit in range(begin, end):
        numbers = rows.order[rows.unit[unit] : rows.unit[unit + 1]]
        # What a suit may hold, each once.
        count, at, used = 0, 0, False
        for number in numbers:
            for slot in range(rows.offset[number], rows.offset[number + 1]):
                place = -1 if rows.masks[slot] < 0 else count
                for known in range(count):
                    if masks[known] == rows.masks[slot]:
                        place = known
                if place == count:
                    masks[count] = rows.masks[slot]
                    unit_own[count] = 0.0
                    unit_other[count] = 0.0
                    count += 1
                places[at] = place
                at += 1
                if measured and place >= 0:
                    for rank in range(RANKS):
                        used = used or own[slot, rank] > 0.0
                        unit_own[place, rank] += own[slot, rank]
                        unit_other[place, rank] += other[slot, rank]
        if measured and not used:
            continue
        row = rows.rows[numbers[0]]
        category = table.strength[row] >> 20
        if measured:
            measure(
                table.held[row], cards, table.strength[row], table.kind[row], table.high[row], table.low[row],
                shares_of[row], none_of[class_of[row]], masks[:count], pays.bet[category], pays.ante[category],
                pays.no_game, games[category], blocks, straights, unit_own[:count], unit_other[:count],
                ended[category],
            )  # fmt: skip
            continue
        values(
            table.held[row], cards, table.strength[row], table.kind[row], table.high[row], table.low[row],
            shares_of[row], none_of[class_of[row]], masks[:count], pays.bet[category], pays.ante[category],
            pays.no_game, games[category], blocks, straights, unit_own[:count], unit_other[:count],
        )  # fmt: skip
        at = 0
        for number in numbers:
            for slot in range(rows.offset[number], rows.offset[number + 1]):
                if places[at] >= 0:
                    own[slot] = unit_own[places[at]]
                    other[slot] = unit_other[places[at]]
                at += 1


@njit(cache=True, nogil=True)
def _lows(
    rows: Array, class_of: Array, strength: Array, shares_of: Array, none_of: Array, bet: Array, ante: Array,
    no_game: float, low: Array, low_row: Array,
) -> None:  # fmt: skip
    """Fill `low` (classes, 13) with the best of the settings for which ranks decide, `low_row` with which it is; a high
    card, which beats no game, stands for all others."""
    for each in range(len(low)):
        for rank in range(RANKS):
            low[each, rank] = no_game * none_of[each, rank] - 3.0 * (1.0 - none_of[each, rank])
            low_row[each, rank] = -1
    for row in rows:
        each, category = class_of[row], strength[row] >> 20
        for rank in range(RANKS):
            nothing = none_of[each, rank]
            beaten, won, equal = shares_of[row, rank, 0], shares_of[row, rank, 1], shares_of[row, rank, 2]
            lost = 1.0 - nothing - beaten - equal
            worth = no_game * nothing - 3.0 * lost + (beaten - won) * ante[category] + won * bet[category]
            if worth > low[each, rank]:
                low[each, rank] = worth
                low_row[each, rank] = row


@njit(cache=True, nogil=True)
def _bets(
    suits_of: Array, before: Array, low: Array, flushes: Array, row_of: Array, flush_row_of: Array, offset: Array,
    own: Array, other: Array, measured: bool, out: Array, low_used: Array, flushes_used: Array, own_used: Array,
    other_used: Array,
) -> None:  # fmt: skip
    """Fill `out` (hands, 4, 13) with what a plain bet is worth; if `measured`, `out` holds how often it is made."""
    spread = np.zeros(RANKS, np.int64)
    for hand in range(len(suits_of)):
        spread[:] = 0
        all_ranks = 0
        for suit in range(SUITS):
            all_ranks |= suits_of[hand, suit]
            for rank in range(RANKS):
                spread[rank] += suits_of[hand, suit] >> rank & 1
        number = place(spread, 5, before)
        row = row_of[number]
        for suit in range(SUITS):
            if deals.bits(suits_of[hand, suit]) == 5:
                row = flush_row_of[number]
        for suit in range(SUITS):
            mask = suits_of[hand, suit]
            for rank in range(RANKS):
                if mask >> rank & 1:
                    if not measured:
                        out[hand, suit, rank] = np.nan
                    continue
                used = out[hand, suit, rank]
                if row < 0:
                    if not measured:
                        out[hand, suit, rank] = low[number, rank] - flushes[mask, rank]
                    elif used > 0.0:
                        low_used[number, rank] += used
                        flushes_used[number, rank] += used * flushes[mask, rank]
                    continue
                at = offset[row] + deals.local(mask, all_ranks)
                if not measured:
                    worth = own[at, rank]
                    for each in range(SUITS):
                        worth += other[offset[row] + deals.local(suits_of[hand, each], all_ranks), rank]
                    out[hand, suit, rank] = worth
                elif used > 0.0:
                    own_used[at, rank] += used
                    for each in range(SUITS):
                        other_used[offset[row] + deals.local(suits_of[hand, each], all_ranks), rank] += used


@kept
def all_hands() -> deals.Hands:
    return deals.hands()


@lru_cache(maxsize=2)
def _suited_rows(house: bool) -> Rows:
    """The settings with a flush, five values each; of the `house` alone, or all."""
    suited = settings.suited()
    table = suited.settings
    rows = np.nonzero(_house_rows(table))[0] if house else np.arange(len(table.strength))
    of_rows = np.repeat(np.arange(len(suited.masks)), np.diff(table.first))[rows]
    _, of_suited, _ = classes()
    alike = np.stack([of_suited[rows], table.kind[rows], table.high[rows], table.low[rows]])
    order = np.lexsort(alike[::-1])
    begins = np.any(np.diff(alike[:, order], axis=1) != 0, axis=0)
    return Rows(
        rows,
        np.arange(len(rows) + 1) * settings.SLOTS,
        np.searchsorted(of_rows, np.arange(len(suited.masks) + 1)),
        suited.masks[of_rows].reshape(-1),
        order,
        np.concatenate([[0], np.nonzero(begins)[0] + 1, [len(rows)]]),
    )


class Classes(NamedTuple):
    """The class of each setting: of `plain`, of `suited` by its seven ranks, of `five`."""

    plain: Array
    suited: Array
    five: Array


@kept
def classes() -> Classes:
    """Where each setting belongs."""
    plain, suited, five = settings.plain(), settings.suited().settings, settings.five()
    before7, before5 = places(7), places(5)
    of_plain = np.repeat(np.arange(len(plain.first) - 1), np.diff(plain.first))
    of_suited = np.array([place(held, 7, before7) for held in suited.held])
    of_five = np.array([place(held, 5, before5) for held in five.held])
    return Classes(of_plain, of_suited, of_five)


def solve(
    pays: Pays, tables: Tables, threads: int, progress: Progress, chosen: deals.Hands | None = None, house: bool = False
) -> Solution:
    """The value of each decision of five cards, for all hands or those `chosen`.

    `house` is the reading `house_way` of split.8; then the game is left out of plain bets and purchases alike.
    """
    pays = pays._replace(games=pays.games and not house)
    hands = all_hands() if chosen is None else chosen
    seven = _settings_of(pays, tables, threads, progress, False, 0.0, 0.6)
    of_house = _settings_of(pays, tables, threads, progress, True, 0.6, 0.65) if house else None
    five = _five(pays, tables, threads, progress)
    nothing = np.zeros((0, SUITS, RANKS))
    return choices(Solution(pays, hands, nothing, nothing, seven, five, of_house), hands, threads, progress)


def choices(solution: Solution, hands: deals.Hands, threads: int, progress: Progress) -> Solution:
    """The choices of the same sheet for other hands."""
    bet = np.zeros((len(hands.suits), SUITS, RANKS))
    buy = np.zeros((len(hands.suits), SUITS, RANKS))
    nothing = np.zeros((0, RANKS))
    bets(hands, solution.five, False, bet, nothing, nothing, nothing, nothing)
    held = np.isnan(bet)
    parts = [(solution.seven, False, buy, 0.8 if solution.house else 0.65, 1.0)]
    if solution.house:
        parts.insert(0, (solution.house, True, bet, 0.65, 0.8))
    for seven, house, out, begin, end in parts:
        spread_work(
            lambda first, last, seven=seven, house=house, out=out: _bought(
                hands, seven, first, last, house, False, out, *_no_uses(seven)
            ),
            len(hands.suits), 500, threads, progress, begin, end,
        )  # fmt: skip
    bet[held] = np.nan
    buy[held] = np.nan
    return solution._replace(hands=hands, bet=bet, buy=buy)


def setting(pays: Pays, suits: Array, strength: int, small: tuple[int, int] | None) -> Array:
    """What one setting is worth, by suit and rank of the open card (4, 13), without the fee for two cards.

    `suits` (4,) the ranks held of each suit, `strength` of the Big Hand, `small` the ranks of the Small Hand, or None
    for two unseen cards.
    """
    held = (suits[:, None] >> np.arange(RANKS) & 1).sum(axis=0).astype(np.int8)
    cards = 5 if small is None else 7
    if small is None:
        kind, high, low = UNSEEN, 0, 0
    else:
        kind, high, low = (PAIRED if small[0] == small[1] else UNPAIRED), max(small), min(small)
    sets = dealer.sets()
    shares_of = np.zeros((1, RANKS, 3))
    row = (np.array([strength]), np.array([kind]), np.array([high]), np.array([low]))
    shares(0, 1, held[None], *row, cards, *dealer.games(), shares_of)
    none_of = np.zeros((1, RANKS))
    none(held[None], cards, sets.ranks, sets.plain, none_of)
    own, other = np.zeros((SUITS, RANKS)), np.zeros((SUITS, RANKS))
    category = strength >> 20
    values(
        held, cards, strength, kind, high, low, shares_of[0], none_of[0], suits.astype(np.int64), pays.bet[category],
        pays.ante[category], pays.no_game, pays.games, dealer.blocks(), dealer.straights(), own, other,
    )  # fmt: skip
    return own + other.sum(axis=0)


def bets(hands: deals.Hands, five: Five, measured: bool, out: Array, *used: Array) -> None:
    """What a plain bet is worth for each hand or, if `measured`, how often each value of `five` is used."""
    _bets(
        hands.suits, places(5), five.low, five.flushes, five.row_of, five.flush_row_of, five.rows.offset, five.own,
        five.other, measured, out, *used,
    )  # fmt: skip


def uses(
    hands: deals.Hands,
    seven: Seven,
    house: bool,
    used: Array,
    threads: int,
    progress: Progress,
    begin: float,
    end: float,
) -> list[Array]:
    """How often each value of `seven` counts if five cards buy as often as `used` says, and, at the end, how often
    seven fold (13,), by the open card's rank."""
    deep = (len(seven.suited.rows), settings.SLOTS, RANKS)
    flat = seven.plain_own.shape
    shapes = (seven.pairs.shape, seven.low.shape, seven.low.shape, flat, flat, deep, deep, (RANKS,))
    per_thread = threading.local()
    all_arrays: list[list[Array]] = []

    def work(first: int, last: int) -> None:
        if not hasattr(per_thread, "arrays"):
            per_thread.arrays = [np.zeros(shape) for shape in shapes]
            all_arrays.append(per_thread.arrays)
        _bought(hands, seven, first, last, house, True, used, *per_thread.arrays)

    spread_work(work, len(hands.suits), 500, threads, progress, begin, end)
    whole = all_arrays[0]
    for arrays in all_arrays[1:]:
        for number, more in enumerate(arrays):
            whole[number] += more
    pairs, low_used, flushes_used, *_, folded = whole
    _pairs(
        seven.low,
        seven.flushes,
        seven.plain,
        house,
        True,
        pairs,
        low_used,
        flushes_used,
        folded,
        threads,
        progress,
        end,
    )
    return whole[1:]


def measured(
    pays: Pays, rows: Rows, table: settings.Settings, cards: int, shares_of: Array, none_of: Array, class_of: Array,
    games: Array, own: Array, other: Array, threads: int, progress: Progress, begin: float, end: float,
) -> Array:  # fmt: skip
    """(10, 13, ENDS): how often rounds end in which way, by the open card's rank, if values are used as often as `own`
    and `other` say."""
    parts: dict[int, Array] = {}

    def work(first: int, last: int) -> None:
        parts[first] = np.zeros((10, RANKS, ENDS))
        _fill(
            first, last, rows, table, cards, shares_of, none_of, class_of, pays, games, dealer.blocks(),
            dealer.straights(), own, other, True, parts[first],
        )  # fmt: skip

    spread_work(work, len(rows.unit) - 1, 1000, threads, progress, begin, end)
    return sum((parts[first] for first in sorted(parts)), np.zeros((10, RANKS, ENDS)))


def _settings_of(
    pays: Pays, tables: Tables, threads: int, progress: Progress, house: bool, begin: float, end: float
) -> Seven:
    plain, suited = settings.plain(), settings.suited().settings
    of_plain, of_suited, _ = classes()
    games = np.array([may_buy(category, pays, 40) for category in range(10)])
    detailed = games | (np.arange(10) >= STRAIGHT)
    kept = _house_rows(plain) if house else np.ones(len(plain.strength), dtype=bool)
    plain_rows = _rows(plain, of_plain, len(tables.none7), detailed, kept)
    middle = begin + (end - begin) / 10
    plain_own, plain_other = _filled(
        pays, plain_rows, plain, 7, tables.plain, tables.none7, of_plain, games, threads, progress, begin, middle
    )
    suited_rows = _suited_rows(house)
    suited_own, suited_other = _filled(
        pays, suited_rows, suited, 7, tables.suited, tables.none7, of_suited, games, threads, progress, middle, end
    )
    low = np.zeros((len(tables.none7), RANKS))
    low_row = np.zeros((len(tables.none7), RANKS), dtype=np.int64)
    _lows(
        np.nonzero(~detailed[plain.strength >> 20] & kept)[0], of_plain, plain.strength, tables.plain, tables.none7,
        pays.bet, pays.ante, pays.no_game, low, low_row,
    )  # fmt: skip
    flushes = _flush_counts(7) * (pays.no_game + 3.0)
    pairs = np.zeros((len(deals.fives().masks), RANKS))
    nothing = np.zeros((0, RANKS))
    _pairs(low, flushes, plain_rows, house, False, pairs, nothing, nothing, nothing[:, 0], threads, progress, end)
    return Seven(
        low, low_row, flushes, pairs, plain_rows, plain_own, plain_other, suited_rows, suited_own, suited_other, games
    )


def _pairs(
    low: Array, flushes: Array, plain: Rows, house: bool, measured: bool, pairs: Array, low_used: Array,
    flushes_used: Array, folded: Array, threads: int, progress: Progress, share: float,
) -> None:  # fmt: skip
    """What the pairs that ranks decide come to or, if `measured`, in one thread, how often they are used."""
    of, held = deals.fives(), spreads(5)
    spread_work(
        lambda first, last: deals.pairs(
            first, last, held, of, low, flushes, plain.first, house, measured, pairs, low_used, flushes_used, folded
        ),
        len(pairs), 5000, 1 if measured else threads, progress, share, share,
    )  # fmt: skip


def _house_rows(table: settings.Settings) -> Array:
    """The one setting of each class that the house would make (split.9)."""
    kept = np.zeros(len(table.strength), dtype=bool)
    for first, last in itertools.pairwise(table.first):
        if first < last:
            kept[first + int(np.argmax(table.strength[first:last]))] = True
    return kept


def _five(pays: Pays, tables: Tables, threads: int, progress: Progress) -> Five:
    five = settings.five()
    _, _, of_five = classes()
    games = np.array([may_buy(category, pays, 42) for category in range(10)])
    detailed = games | (np.arange(10) >= STRAIGHT)
    rows = _rows(five, of_five, 0, detailed, np.ones(len(five.strength), dtype=bool))
    own, other = _filled(pays, rows, five, 5, tables.five, tables.none5, of_five, games, threads, progress, 0.65, 0.65)
    row_of = np.full(len(tables.none5), -1)
    flush_row_of = np.full(len(tables.none5), -1)
    for number, row in enumerate(rows.rows):
        (flush_row_of if five.flush[row] else row_of)[of_five[row]] = number
    low = np.zeros((len(tables.none5), RANKS))
    low_row = np.zeros(low.shape, dtype=np.int64)
    _lows(
        np.nonzero(~detailed[five.strength >> 20])[0], of_five, five.strength, tables.five, tables.none5, pays.bet,
        pays.ante, pays.no_game, low, low_row,
    )  # fmt: skip
    return Five(low, low_row, _flush_counts(5) * (pays.no_game + 3.0), rows, own, other, row_of, flush_row_of, games)


def _filled(
    pays: Pays, rows: Rows, table: settings.Settings, cards: int, shares_of: Array, none_of: Array, class_of: Array,
    games: Array, threads: int, progress: Progress, begin: float, end: float,
) -> tuple[Array, Array]:  # fmt: skip
    own = np.zeros((len(rows.masks), RANKS))
    other = np.zeros((len(rows.masks), RANKS))
    ended = np.zeros((10, RANKS, ENDS))
    spread_work(
        lambda first, last: _fill(
            first, last, rows, table, cards, shares_of, none_of, class_of, pays, games, dealer.blocks(),
            dealer.straights(), own, other, False, ended,
        ),
        len(rows.unit) - 1, 1000, threads, progress, begin, end,
    )  # fmt: skip
    return own, other


def _no_uses(seven: Seven) -> tuple[Array, ...]:
    flat = np.zeros((0, RANKS))
    deep = np.zeros((0, settings.SLOTS, RANKS))
    return seven.pairs, flat, flat, flat, flat, deep, deep, np.zeros(0)


def _bought(
    hands: deals.Hands,
    seven: Seven,
    first: int,
    last: int,
    house: bool,
    measured: bool,
    worth_of: Array,
    pairs: Array,
    *used: Array,
) -> None:
    deep = (-1, settings.SLOTS, RANKS)
    deals.bought(
        first, last, hands.suits, places(5), deals.fives(), seven.low, seven.flushes, seven.plain.first,
        seven.plain.offset[:-1], seven.plain_own, seven.plain_other, settings.suited().number, seven.suited.first,
        seven.suited_own.reshape(deep), seven.suited_other.reshape(deep), pairs, house, measured, worth_of, *used,
    )  # fmt: skip
