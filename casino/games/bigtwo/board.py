"""How the boxes of a series of Big Two stand after a round (bigtwo.14)."""

from casino.games import boards
from casino.games.bigtwo.facts import Facts
from casino.games.bigtwo.points import MULTIPLIED
from casino.games.bigtwo.sentences import counted
from casino.games.bigtwo.series import boxes_of, score, totals
from casino.games.bigtwo.settle import is_over
from casino.games.bigtwo.sheet import Options, Sheet
from casino.games.game import Board, Carry, Result
from casino.games.sentences import named
from casino.phrases import phrases

_REASONS = phrases(
    "bigtwo.board",
    {
        "out": "Out first",
        "left": "{cards} left",
        "ranks": "{text}, ranks {sum}",
        "one": "{text}, one point",
        "times": "{text}, times {factor}",
        "winner": "{text}, paid to {winner}",
        "higher": "{text}, paid to each ahead",
    },
)


def board(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Board | None:
    """The board after a finished round, from its `net`: penalties are added up, other points are won or lost."""
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
        return _REASONS["out"]
    factor = next((factor for fewest, factor in MULTIPLIED[options.multiplier] if count >= fewest), 1)
    text = _REASONS["left"].format(cards=counted(count))
    if options.base == "ranks":
        text = _REASONS["ranks"].format(text=text, sum=points // factor)
    if options.base == "one":
        text = _REASONS["one"].format(text=text)
    if factor > 1:
        text = _REASONS["times"].format(text=text, factor=factor)
    if options.scoring == "winner_takes_all":
        text = _REASONS["winner"].format(text=text, winner=named(result["ranking"][0][0]))
    if options.scoring == "pay_higher":
        text = _REASONS["higher"].format(text=text)
    return text
