"""How the boxes of a long game of Dynastia stand after a round (dynastia.12, dynastia.13)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from casino.games import boards
from casino.games.dynastia.facts import Facts
from casino.games.dynastia.series import series
from casino.games.dynastia.settle import strengths
from casino.games.dynastia.sheet import Sheet
from casino.games.game import Board, Carry, Result
from casino.phrases import phrase

FEW = 5

NO_SET = phrase("dynastia.board.no_set", "No set")
SHARED = phrase("dynastia.board.shared", "{set}: {points} shared by {count}")
ADDED_UP = phrase("dynastia.board.added_up", "{set}: {sum}")


def board(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Board | None:
    """The scores of a round of a long game; a short game adds nothing up."""
    if not sheet.is_long or facts.void is not None:
        return None
    after = series(sheet, facts.showdown.players, carry).scored(result)
    scores = {player: Fraction(score) for player, score in result["scores"].items()}
    return boards.board(scores, after.totals, _reasons(facts, result), after.rounds_left, sheet.target)


def _reasons(facts: Facts, result: Result) -> dict[str, str]:
    """Each hand, and the sets that are added up from its place on."""
    hands = strengths(facts)
    reasons: dict[str, str] = {}
    placed = [player for group in result["ranking"] for player in group]
    for group in result["ranking"]:
        worths = [hands[player].worth for player in placed[placed.index(group[0]) :]]
        name = hands[group[0]].name if hands[group[0]].has_set else NO_SET
        for player in group:
            if len(group) > 1:
                together = Fraction(result["scores"][player]) * len(group)
                reasons[player] = SHARED.format(set=name, points=together, count=len(group))
            else:
                reasons[player] = ADDED_UP.format(set=name, sum=_sum(worths)) if any(worths[1:]) else name
    return reasons


def _sum(worths: Sequence[int]) -> str:
    """A sum of sets, written out; if there are many, those of equal worth are put together.

    >>> _sum([18, 15, 0]), _sum([18, 15, 15, 9, 9, 9, 0])
    ('18 + 15', '18 + 2 × 15 + 3 × 9')
    """
    counted = [worth for worth in worths if worth]
    if len(counted) <= FEW:
        return " + ".join(map(str, counted))
    groups = ((worth, len(list(same))) for worth, same in groupby(counted))
    return " + ".join(str(worth) if count == 1 else f"{count} × {worth}" for worth, count in groups)
