"""How the boxes of a series of Big Two stand after a round (bigtwo.14)."""

from casino.games import boards
from casino.games.bigtwo.facts import Facts
from casino.games.bigtwo.points import MULTIPLIED
from casino.games.bigtwo.sentences import counted
from casino.games.bigtwo.series import boxes_of, score, totals
from casino.games.bigtwo.settle import is_over
from casino.games.bigtwo.sheet import Options, Sheet
from casino.games.game import Board, Carry, Result


def board(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Board | None:
    """Points of a round that came to its end, by `net`: added where they are penalties, else won or lost."""
    if not is_over(result):
        return None
    before = score(sheet, boxes_of(facts), carry)
    after = totals(facts, result, sheet, carry)
    reasons = {box: _reason(sheet.options, box, result) for box in after}
    fewest = sheet.options.scoring == "cumulative"
    return boards.board(result["net"], after, reasons, before.rounds_left - 1, fewest=fewest)


def _reason(options: Options, box: str, result: Result) -> str:
    """Why a box gets its points: the cards that it had left, and what they count."""
    count, points = result["left"][box], result["points"][box]
    if not count:
        return "Out first"
    factor = next((factor for fewest, factor in MULTIPLIED[options.multiplier] if count >= fewest), 1)
    text = f"{counted(count)} left"
    if options.base == "ranks":
        text += f", ranks {points // factor}"
    if options.base == "one":
        text += ", one point"
    if factor > 1:
        text += f", times {factor}"
    if options.scoring == "winner_takes_all":
        text += f", paid to box {result['ranking'][0][0]}"
    if options.scoring == "pay_higher":
        text += ", paid to each ahead"
    return text
