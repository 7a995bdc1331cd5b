"""The scoreboard of a series in words: points, places, who is ahead and what is still to play."""

from casino.money import spell

from . import aloud

PLACES = ("", "1st", "2nd", "3rd")


def points(number):
    """Points as people write them.

    >>> from fractions import Fraction
    >>> points(Fraction(49, 2)), points(Fraction(-7))
    ('24½', '−7')
    """
    whole, part = divmod(number.numerator, number.denominator)
    if not part:
        return spell(whole, 0)
    fraction = "½" if number.denominator == 2 else f" {part}/{number.denominator}"
    return f"{spell(whole, 0)}{fraction}"


def gain(number):
    """The points of a round, beside a total."""
    return f"+{points(number)}" if number > 0 else points(number)


def place(number):
    """A place in a ranking.

    >>> place(2), place(10)
    ('2nd', '10th')
    """
    return PLACES[number] if number < len(PLACES) else f"{number}th"


def ahead(board):
    """Who is ahead, and what is still to play; at the end who wins."""
    *before, last = [str(box) for box in board.best]
    who = f"Boxes {', '.join(before)} and {last}" if before else f"Box {last}"
    best = next(standing.total for standing in board.standings)
    total = counted(best)
    if board.target is not None:
        left = f"to {board.target}" if all(standing.total < board.target for standing in board.standings) else ""
    else:
        left = f"{board.rounds_left} round{'s'[: board.rounds_left != 1]} to play" if board.rounds_left else ""
    if not left:
        return f"{who} win{'s'[: not before]} with {total}"
    return f"{who} {'are' if before else 'is'} ahead with {total}; {left}"


def sentence(board):
    """What is said of a series after a round."""
    return aloud.in_words(f"{ahead(board)}.")


def counted(number):
    """Points with their word.

    >>> counted(1), counted(-7)
    ('1 point', '−7 points')
    """
    return f"{points(number)} point{'s'[: abs(number) != 1]}"


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
