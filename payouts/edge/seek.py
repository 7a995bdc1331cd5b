"""Which coefficient gives the edge that is wanted (contracts/edge.md, `--seek`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from casino.games.split.sheet import PAID_CATEGORIES, Sheet
from casino.money import Ratio

from . import ends, report, solve

MOST = 10_000


class Answer(NamedTuple):
    """The largest coefficient, or None where even the smallest gives less; the edge in per cent that it has."""

    coefficient: Ratio | None
    edge_percent: float


def seek(
    sheet: Sheet,
    category: str,
    edge_percent: float,
    *,
    ante_units: int | None,
    games: bool,
    threads: int,
    folder: Path | None,
    progress: Callable[[float], None],
) -> Answer:
    """The largest coefficient of a category between its neighbours, in steps n:2, for which the house has this edge.

    The edge falls as a coefficient rises, since no play is worth less for it; so half of what is left falls away with
    each sheet that is solved.
    """
    place = PAID_CATEGORIES.index(category)

    def halves(ratio: Ratio, up: bool) -> int:
        whole, rest = divmod(2 * ratio.numerator, ratio.denominator)
        return whole + (1 if up and rest else 0)

    low = halves(sheet.coefficients[place - 1], True) if place else 1
    high = halves(sheet.coefficients[place + 1], False) if place + 1 < len(PAID_CATEGORIES) else 2 * MOST
    tables = solve.tables(threads, lambda share: progress(0.2 * share), folder)
    solved: dict[int, float] = {}
    steps = max(1, (high - low + 1).bit_length())

    def edge(step: int) -> float:
        if step not in solved:
            ratios = list(sheet.coefficients)
            ratios[place] = _ratio(step)
            pays = report.pays(sheet._replace(coefficients=tuple(ratios)), ante_units, games)
            begun = 0.2 + 0.8 * len(solved) / (steps + 1)
            part = 0.8 / (steps + 1)
            solution = solve.solve(
                pays, tables, threads, lambda share: progress(min(1.0, begun + part * share)),
                house=sheet.unseen_cards == "house_way",
            )  # fmt: skip
            solved[step] = -100.0 * expectation(solution)
        return solved[step]

    if low > high or edge(low) < edge_percent:
        return Answer(None, edge(low) if low <= high else float("nan"))
    good, bad = low, high + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        if edge(middle) >= edge_percent:
            good = middle
        else:
            bad = middle
    progress(1.0)
    return Answer(_ratio(good), solved[good])


def expectation(solution: solve.Solution) -> float:
    """The mean of the best choice over all hands and open cards."""
    weight = np.where(np.isnan(solution.bet), 0.0, solution.hands.weight[:, None, None])
    best: Any = np.fmax(np.fmax(np.nan_to_num(solution.bet), np.nan_to_num(solution.buy)), -1.0)
    return float((best * weight).sum() / ends.STATES)


def _ratio(step: int) -> Ratio:
    return Ratio(step // 2, 1) if step % 2 == 0 else Ratio(step, 2)
