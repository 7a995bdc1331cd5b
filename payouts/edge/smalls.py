"""How often a Small Hand is at least as good as the dealer's, drawn from the rest of the pack (split.3, split.19).

What is left changes by a card or two with each of the dealer's hands, so nothing is counted twice: `leave` works out
what each rank adds to three or four sums when some of its cards are gone, and `share` turns the sums into the answer.
"""

from typing import Any

from numba import njit

from .ranks import RANKS

Array = Any

UNPAIRED, PAIRED, UNSEEN = range(3)
"""The kinds of a Small Hand: two ranks; a pair; two cards that nobody has looked at, drawn from the same rest."""


@njit(cache=True, nogil=True)
def leave(left: Array, kind: int, high: int, low: int, table: Array) -> None:
    """Fill `table` (13, 5, 4): what a rank adds to the sums if 0 to 4 of the cards in `left` (13 counts) are gone."""
    for rank in range(RANKS):
        for gone in range(5):
            count = left[rank] - gone
            if count < 0:
                count = 0
            a, b, c, d = 0, 0, 0, 0
            if kind == UNPAIRED:
                if rank < high:
                    a = count
                    b = count * count
                if rank <= low:
                    c = count
                if rank == high:
                    d = count
            elif kind == PAIRED:
                if rank > high:
                    a = count * (count - 1) // 2
            else:
                a = count * (count - 1)
                b = a * a
                c = count * (count - 1) * (count - 2) * (count - 3) // 4
            table[rank, gone, 0] = a
            table[rank, gone, 1] = b
            table[rank, gone, 2] = c
            table[rank, gone, 3] = d


@njit(cache=True, nogil=True, inline="always")
def share(kind: int, a: float, b: float, c: float, d: float, cards: int) -> float:
    """The share of the dealer's Small Hands, drawn from `cards` cards, that are not above the player's."""
    pairs = cards * (cards - 1) // 2
    if kind == UNPAIRED:
        return ((a * a - b) / 2 + c * d) / pairs
    if kind == PAIRED:
        return (pairs - a) / pairs
    ties = ((a * a - b) / 2 + c) / (pairs * ((cards - 2) * (cards - 3) // 2))
    return (1.0 + ties) / 2.0
