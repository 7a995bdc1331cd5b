"""The scoreboard of a series in words: points, places, who is ahead and what is still to play."""

from casino.wording import amount

from ..models import Round
from . import aloud
from .wording import WORDING

LAST_ORDINAL = 3
"""Up to here an ordinal has an end of its own in English."""


def score(round_, played):
    """How far the round's series is, in words; "" where the round stands for itself.

    :param played: how many of its rounds up to this one are not void.
    """
    series = round_.series
    if series is None:
        return ""
    number = played + (round_.status == Round.Status.VOIDED)
    if series.rounds_agreed:
        return WORDING("score", number=number, rounds=series.rounds_agreed)
    return WORDING("score:target", number=number, target=series.target)


def points(number):
    """Points as people write them.

    >>> from fractions import Fraction
    >>> points(Fraction(49, 2)), points(Fraction(-7))
    ('24½', '−7')
    """
    whole, part = divmod(number.numerator, number.denominator)
    if not part:
        return amount(whole, 0)
    fraction = "½" if number.denominator == 2 else f" {part}/{number.denominator}"
    return f"{amount(whole, 0)}{fraction}"


def gain(number):
    """The points of a round, beside a total."""
    return f"+{points(number)}" if number > 0 else points(number)


def place(number):
    """A place in a ranking.

    >>> place(2), place(10)
    ('2nd', '10th')
    """
    return WORDING(f"place:{number}") if number <= LAST_ORDINAL else WORDING("place", place=number)


def ahead(board):
    """Who is ahead, and what is still to play; at the end who wins."""
    *before, last = board.best
    left = _left(board)
    values = {"box": last, "total": counted(next(standing.total for standing in board.standings))}
    if left:
        values["left"] = left
    code = "ahead" if left else "wins"
    if before:
        return WORDING(f"{code}:several", boxes=", ".join(map(str, before)), **values)
    return WORDING(code, **values)


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
