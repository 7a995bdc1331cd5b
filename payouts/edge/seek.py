"""Which coefficient gives the edge that is wanted (contracts/edge.md, `--seek`)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from casino.games.split.sheet import PAID_CATEGORIES, Sheet
from casino.money import Ratio

from . import PROGRAM, ends, report, solve

MOST = 10_000
FEW = 16
"""Among fewer steps halving asks for as few."""
FEW_TRIES = 6
"""From this try on every second step halves the range that is left."""


class Answer(NamedTuple):
    """The largest coefficient, or None if even the smallest gives less, and the edge in per cent that it leaves."""

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

    The edge falls as a coefficient rises, since no play is worth less for it; `largest` says how it is sought.
    """
    place = PAID_CATEGORIES.index(category)

    def halves(ratio: Ratio, up: bool) -> int:
        whole, rest = divmod(2 * ratio.numerator, ratio.denominator)
        return whole + (1 if up and rest else 0)

    low = halves(sheet.coefficients[place - 1], True) if place else 1
    high = halves(sheet.coefficients[place + 1], False) if place + 1 < len(PAID_CATEGORIES) else 2 * MOST
    if low > high:
        return Answer(None, float("nan"))
    tables = solve.tables(threads, lambda share: progress(0.2 * share), folder)
    steps, solved = (high - low + 1).bit_length(), 0

    def edge(step: int) -> float:
        nonlocal solved
        ratios = list(sheet.coefficients)
        ratios[place] = _ratio(step)
        pays = report.pays(sheet._replace(coefficients=tuple(ratios)), ante_units, games)
        begun, part = 0.2 + 0.8 * solved / (steps + 2), 0.8 / (steps + 2)
        solution = solve.solve(
            pays, tables, threads, lambda share: progress(min(1.0, begun + part * share)),
            house=sheet.unseen_cards == "house_way",
        )  # fmt: skip
        solved += 1
        return -100.0 * expectation(solution)

    good, edges = largest(edge, low, high, edge_percent, concave=ante_units is None)
    progress(1.0)
    return Answer(None, edges[low]) if good is None else Answer(_ratio(good), edges[good])


def figures(
    rules: Mapping[str, Any],
    wanted: Mapping[str, str],
    *,
    ante_units: int | None,
    threads: int,
    folder: Path | None,
    progress: Callable[[float], None],
) -> dict[str, str | None]:
    """The answer for a stored result: the coefficient, None if even the lowest between its neighbours leaves less, and
    the edge that it leaves, None if there is no step of one half between them.

    :param wanted: the `category` that may change and the `edge_percent` that is sought, as text.
    """
    sheet = report.read(rules)
    answer = seek(
        sheet,
        wanted["category"],
        float(wanted["edge_percent"]),
        ante_units=ante_units,
        games=sheet.unseen_cards != "house_way",
        threads=threads,
        folder=folder,
        progress=progress,
    )
    edge = None if np.isnan(answer.edge_percent) else report.spell(answer.edge_percent)
    coefficient = None if answer.coefficient is None else str(answer.coefficient)
    return {"coefficient": coefficient, "edge_percent": edge, "program": PROGRAM}


def largest(
    edge: Callable[[int], float], low: int, high: int, wanted: float, *, concave: bool
) -> tuple[int | None, dict[int, float]]:
    """The largest step from `low` to `high` whose edge is at least the wanted one, or None; and every edge computed on
    the way, the next step's among them.

    The edge falls from step to step. If nothing is rounded and no payment is cut, it is concave, too: with a fixed play
    it is a line, and the best play is the least of such lines. Then the line through two known steps bounds where it
    falls below the wanted edge, from below between them and from above beyond them, and far fewer steps are computed
    than by halving. The answer is the same, since it and the step above it are computed in any case.

    >>> largest(lambda step: 30.0 - step, 2, 4000, 19.5, concave=True)
    (10, {2: 28.0, 1001: -971.0, 505: -475.0, 10: 20.0, 11: 19.0})
    """
    edges = {low: edge(low)}
    if edges[low] < wanted:
        return None, edges
    good, bad = low, high + 1
    while bad - good > 1:
        step = _next(edges, good, bad, wanted) if concave and high - low >= FEW else (good + bad) // 2
        edges[step] = edge(step)
        if edges[step] >= wanted:
            good = step
        else:
            bad = step
    return good, edges


def _next(edges: dict[int, float], good: int, bad: int, wanted: float) -> int:
    """The next step to compute, for a concave edge, between one that keeps the wanted edge and one that does not."""
    least, most = good, bad - 1
    goods, bads = sorted(step for step in edges if step <= good), sorted(step for step in edges if step >= bad)
    if bads:
        least = max(least, _crossing(edges, good, bads[0], wanted))
    for pair in (goods[-2:], bads[:2]):
        if len(pair) == 2:
            most = min(most, _crossing(edges, *pair, wanted))
    if len(edges) == 1:
        step = good + (bad - good) // 4
    elif len(edges) >= FEW_TRIES and len(edges) % 2 == 0:
        # However sharply the edge may bend.
        step = (good + bad) // 2
    elif least >= most:
        step = least
    else:
        step = most if len(edges) % 2 else (least + most + 1) // 2
    return min(max(step, good + 1), bad - 1)


def _crossing(edges: dict[int, float], one: int, other: int, wanted: float) -> int:
    """The last whole step before the line through two steps falls below an edge; the other step if it never falls."""
    drop = edges[one] - edges[other]
    return one + int((edges[one] - wanted) * (other - one) // drop) if drop > 0.0 else other


def expectation(solution: solve.Solution) -> float:
    """The mean of the best choice over all hands and open cards."""
    weight = np.where(np.isnan(solution.bet), 0.0, solution.hands.weight[:, None, None])
    best: Any = np.fmax(np.fmax(np.nan_to_num(solution.bet), np.nan_to_num(solution.buy)), -1.0)
    return float((best * weight).sum() / ends.STATES)


def _ratio(step: int) -> Ratio:
    return Ratio(step // 2, 1) if step % 2 == 0 else Ratio(step, 2)
