"""The scoreboard of a series in words: points, places, who is ahead and what is still to play."""

from casino.games.boards import points

from ..models import Round
from . import aloud
from .wording import WORDING

_PLACES = {1: "place:1", 2: "place:2", 3: "place:3"}
"""The ordinals that have an end of their own in English."""


def score(round_, played):
    """How far the round's series is, in words; "" if the round stands alone.

    :param played: how many of its rounds up to this one were not void.
    """
    series = round_.series
    if series is None:
        return ""
    number = played + 1 if round_.status == Round.Status.VOIDED else played
    if series.rounds_agreed:
        return WORDING("score", number=number, rounds=series.rounds_agreed)
    return WORDING("score:target", number=number, target=series.target)


def gain(number):
    """The points of a round, beside a total."""
    return f"+{points(number)}" if number > 0 else points(number)


def place(number):
    """A place in a ranking.

    >>> place(2), place(10)
    ('2nd', '10th')
    """
    return WORDING(_PLACES[number]) if number in _PLACES else WORDING("place", place=number)


def ahead(board):
    """Who is ahead, and what is still to play; at the end who wins."""
    *before, last = board.best
    boxes, total, left = ", ".join(map(str, before)), counted(board.standings[0].total), _left(board)
    if before and left:
        return WORDING("ahead:several", boxes=boxes, box=last, total=total, left=left)
    if before:
        return WORDING("wins:several", boxes=boxes, box=last, total=total)
    return WORDING("ahead", box=last, total=total, left=left) if left else WORDING("wins", box=last, total=total)


def _left(board):
    """What is still to play; "" at the end."""
    if board.target is not None:
        reached = any(standing.total >= board.target for standing in board.standings)
        return "" if reached else WORDING("left.target", target=board.target)
    if board.rounds_left == 1:
        return WORDING("left.rounds:one")
    return WORDING("left.rounds", count=board.rounds_left) if board.rounds_left else ""


def sentence(board):
    """What is said of a series after a round."""
    return aloud.in_words(WORDING("board", standing=ahead(board)))


def counted(number):
    """Points with their word.

    >>> counted(1), counted(-7)
    ('1 point', '−7 points')
    """
    if abs(number) == 1:
        return WORDING("points:one" if number > 0 else "points:minus_one")
    return WORDING("points", points=points(number))


def primitives(board):
    """A scoreboard for the templates: its heading, and a row for each box."""
    if board is None:
        return None
    return {
        "heading": ahead(board),
        "rows": [
            {
                "box": standing.box,
                "place": place(standing.place),
                "points": gain(standing.points),
                "reason": standing.reason,
                "total": points(standing.total),
            }
            for standing in board.standings
        ],
    }
