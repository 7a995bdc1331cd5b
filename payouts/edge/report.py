"""The report of a sheet (contracts/edge.md): expectation, choices, what each category contributes, and the risk."""

import resource
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name

from audit import form
from casino.cards import RANKS as RANK_NAMES
from casino.games.game import Fault
from casino.games.split.sheet import PAID_CATEGORIES, Sheet, sheet
from casino.money import EVEN, Ratio, paid_units

from .. import luck
from . import PROGRAM, SheetError, boxes, ends, solve
from .ends import STATES, Ends
from .ranks import PAIR, RANKS
from .worth import EVEN as STAND_OFF
from .worth import KEPT, LOST, SHORT, WON, Pays

Array = Any
Progress = Callable[[float], None]


def read(rules: Mapping[str, Any]) -> Sheet:
    """The sheet of a `rules` object as `sheet.published` has it, or of its values alone.

    :raises SheetError: if they are not a sheet, for instance because coefficients fall (split.22); or if a Small Hand
        below is paid more than one above, so that the best settings are not among those weighed (`settings`).

    >>> read({"game": "split", "version": 3, "parameters": {"unseen_cards": "house_way"}, "limits": {}}).unseen_cards
    'house_way'
    """
    if rules.get("game", "split") != "split":
        raise SheetError(Fault("bad_field", f"A sheet of {rules['game']} has no edge but its rake.", "game"))
    values: dict[str, Any] = {}
    for name, value in rules.items():
        if name in ("parameters", "limits") and isinstance(value, Mapping):
            values.update(value)
        elif name not in ("game", "version"):
            values[name] = value
    read_sheet = sheet(values)
    if isinstance(read_sheet, Fault):
        raise SheetError(read_sheet)
    lowest = read_sheet.coefficients[0]
    if read_sheet.small_hand_loss_pays == "even" and 2 * lowest.numerator < lowest.denominator:
        message = (
            f"A pair is paid {lowest} on the BET with both hands above, and 1:1 on the ANTE with the Small Hand below,"
            " which is more. The edge is computed where no coefficient is below 1:2, or where the ANTE is paid at the"
            " coefficient, too (split.19, split.20)."
        )
        raise SheetError(Fault("bad_field", message, "coefficients"))
    return read_sheet


def pays(read_sheet: Sheet, ante_units: int | None, games: bool) -> Pays:
    """What a sheet pays per unit of ANTE: exactly, or with its maximum and its chip at one ANTE (split.23,
    split.24)."""
    on_ante = read_sheet.small_hand_loss_pays == "coefficient"

    def paid(stakes: int, ratio: Ratio) -> float:
        if ante_units is None:
            return stakes * ratio.numerator / ratio.denominator
        units = paid_units(
            stakes * ante_units,
            ratio,
            chip_units=read_sheet.chip_units,
            cap_units=read_sheet.max_payment_units,
        )
        return units / ante_units

    bet = [0.0, *(paid(2, ratio) for ratio in read_sheet.coefficients)]
    ante = [paid(1, EVEN), *(paid(1, ratio if on_ante else EVEN) for ratio in read_sheet.coefficients)]
    return Pays(np.array(bet), np.array(ante), paid(1, EVEN), games)


def figures(
    rules: Mapping[str, Any],
    *,
    ante_units: int | None = None,
    games: bool = True,
    progress: Progress = lambda share: None,
    threads: int = 1,
    folder: Path | None = None,
) -> dict[str, Any]:
    """The report of a sheet, its figures as decimal text with 9 places.

    `progress` now and then gets the share that is done; whatever it raises ends the work and is passed on. With
    `house_way` (split.8) the game is left out, as `games` then says: it alone would give the player an edge.

    :raises SheetError: if the rules are no sheet.
    """
    began, processor = time.monotonic(), time.process_time()
    read_sheet = read(rules)
    house = read_sheet.unseen_cards == "house_way"
    games = games and not house
    payments = pays(read_sheet, ante_units, games)
    begin = 0.0 if solve.has_tables(folder) else 0.6

    def part(first: float, last: float) -> Progress:
        return lambda share: progress(begin + (1.0 - begin) * (first + (last - first) * share))

    # Each part's share is the time it takes, so that the time left follows from what is done.
    tables = solve.tables(threads, lambda share: progress(begin * share), folder)
    solution = solve.solve(payments, tables, threads, part(0.0, 0.35), house=house)
    ended = ends.ends(solution, tables, threads, part(0.35, 0.88))
    moments = ends.moments(ended, payments, float(luck.CUT))
    together = boxes.together(solution, moments.mean, threads, part(0.88, 0.99))
    made = _report(read_sheet, solution, ends.whole(ended), ante_units)
    progress(1.0)
    return {
        "sheet": form.digest(form.canonical(rules)),
        "games": games,
        **made,
        **_open_cards(moments, together),
        "program": PROGRAM,
        "seconds": spell(time.monotonic() - began, 1),
        "processor_seconds": spell(time.process_time() - processor, 1),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def spell(value: float, places: int = 9) -> str:
    """Decimal text, so that two machines write the same; no minus before a zero.

    >>> spell(-0.2120893598915521), spell(-1e-15)
    ('-0.212089360', '0.000000000')
    """
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def _report(read_sheet: Sheet, solution: solve.Solution, ended: Ends, ante_units: int | None) -> dict[str, Any]:
    payments = solution.pays
    net_bet, net_buy = ends.nets(payments, 0), ends.nets(payments, 1)
    expectation = -ended.fold - 2.0 * ended.buy_fold + (ended.bet * net_bet).sum() + (ended.buy * net_buy).sum()
    square = ended.fold + 4.0 * ended.buy_fold + (ended.bet * net_bet**2).sum() + (ended.buy * net_buy**2).sum()
    both = ended.bet + ended.buy
    bets, buys = ended.bet.sum(), ended.buy.sum()
    game_bought = both[:, 5:].sum()
    staked = 1.0 + 2.0 * (bets + buys) + (buys + ended.buy_fold) + game_bought
    won, short = both[:, WON] + both[:, 5 + WON], both[:, SHORT] + both[:, 5 + SHORT]
    on_ante = read_sheet.small_hand_loss_pays == "coefficient"
    categories = []
    for number, name in enumerate(PAID_CATEGORIES, PAIR):
        paid = won[number] * payments.bet[number] + (short[number] * payments.ante[number] if on_ante else 0.0)
        categories.append(
            {
                "name": name,
                "coefficient": str(read_sheet.coefficients[number - 1]),
                "share_paid": spell(won[number] + (short[number] if on_ante else 0.0)),
                "contribution": spell(paid),
            }
        )
    ante_paid = both[:, KEPT].sum() * payments.no_game + (short[0] if on_ante else (short * payments.ante).sum())
    lost = both[:, LOST].sum() + both[:, 5 + LOST].sum()
    return {
        "expectation": spell(expectation),
        "edge_percent": spell(-100.0 * expectation),
        "risk_percent": spell(-100.0 * expectation / staked),
        "standard_deviation": spell(float(np.sqrt(square - expectation**2))),
        "choices": {
            "fold": spell(ended.fold),
            "bet": spell(bets),
            "buy": spell(buys + ended.buy_fold),
            "buy_then_fold": spell(ended.buy_fold),
            "game_bought": spell(game_bought),
        },
        "categories": categories,
        "rest": {
            "ante_paid": spell(ante_paid),
            "lost": spell(-ended.fold - ended.buy_fold - 3.0 * lost),
            "fees": spell(-(buys + ended.buy_fold) - game_bought),
        },
        "stand_off": spell(both[:, STAND_OFF].sum()),
        "staked": spell(staked),
        "ante": ante_units,
        "strategies": _strategies(solution),
    }


def _mean(solution: solve.Solution, value: Array) -> float:
    weight = solution.hands.weight[:, None, None]
    return float(np.where(np.isnan(solution.bet), 0.0, value * weight).sum() / STATES)


def _strategies(solution: solve.Solution) -> list[dict[str, str]]:
    """What three simple ways of playing come to; where the game may be bought, it is bought whenever that is better."""
    suits = solution.hands.suits
    spread = (suits[:, :, None] >> np.arange(RANKS) & 1).sum(axis=1)
    flush = (suits != 0).sum(axis=1) == 1
    ranks = suits[:, 0] | suits[:, 1] | suits[:, 2] | suits[:, 3]
    straights = [0b11111 << low for low in range(9)] + [1 << 12 | 0b1111]
    pair = (spread.max(axis=1) > 1) | flush | np.isin(ranks, straights)
    never_buy = np.fmax(solution.bet, -1.0)
    pair_or_better = np.where(pair[:, None, None], solution.bet, -1.0)
    named = (("never_buy", never_buy), ("always_bet", solution.bet), ("pair_or_better", pair_or_better))
    return [{"name": name, "expectation": spell(_mean(solution, value))} for name, value in named]


def _open_cards(moments: ends.Moments, together: boxes.Together) -> dict[str, Any]:
    """A box's net by the rank of the dealer's open card: mean, variance, mean where wins end at `luck.CUT`, and the
    covariance with another box of the round, which is sampled; the error is the largest of the thirteen."""
    rows = [
        {
            "rank": name,
            "expectation": spell(moments.mean[rank]),
            "variance": spell(moments.variance[rank]),
            "expectation_cut": spell(moments.cut[rank]),
            "covariance": spell(together.covariance[rank]),
        }
        for rank, name in enumerate(RANK_NAMES)
    ]
    return {"open_cards": rows, "covariance_error": spell(together.error.max())}


_WARM = "warm"


def is_warm(folder: Path) -> bool:
    """Whether `warm` finished there, with this compiler and on such a processor."""
    mark = folder / _WARM
    return mark.exists() and mark.read_text() == _compiler()


def _compiler() -> str:
    return f"numba {numba.__version__} {get_host_cpu_name()}"


def warm(threads: int, folder: Path, progress: Progress) -> None:
    """Compile what is compiled and make the tables that all sheets share, so that a sheet's figures need neither."""
    tables = solve.tables(threads, lambda share: progress(0.8 * share), folder)
    every = solve.all_hands()
    few = every._replace(suits=every.suits[:2], weight=every.weight[:2])
    payments = pays(read({}), None, True)
    solution = solve.solve(payments, tables, threads, lambda share: progress(0.8 + 0.1 * share), few)
    ends.ends(solution, tables, threads, lambda share: progress(0.9 + 0.05 * share))
    boxes.sums(solution, 0, 0.0, 0, 0)
    (folder / _WARM).write_text(_compiler())
    progress(1.0)
