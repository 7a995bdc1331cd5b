"""Decks and how screens show their cards; the pack of 52, which several games share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from casino.cards import DECK_52, RANKS, SUITS, card_name


class Face(NamedTuple):
    """How a screen shows a card: `rank` large, `mark` small below it, in a `hue`; `name` in words, as in `the {name}`.

    `keys` are the keystrokes that enter it, such as `TH` for the ten of hearts; no card's begin with another's.
    """

    rank: str
    mark: str
    hue: str
    name: str
    keys: str


class Deck(NamedTuple):
    """The cards of a game: `copies[card]` is how often a card exists; `order` is how a grid shows them, row by row."""

    copies: Mapping[str, int]
    order: tuple[tuple[str, ...], ...]
    faces: Mapping[str, Face]


SEXES = {"R": "♀", "B": "♂"}
"""The marks of the Six Generations deck by its colours: a red card shows a woman, a black one a man (genpoker.1)."""


def looks(deck: Deck, cards: Iterable[str]) -> str:
    """Cards in a line of text, as they look.

    >>> looks(FIFTY_TWO, ["Td", "As"])
    '10♦ A♠'
    """
    return " ".join(deck.faces[card].rank + deck.faces[card].mark for card in cards)


_MARKS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_HUES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))

FIFTY_TWO = Deck(
    copies=dict.fromkeys(DECK_52, 1),
    order=tuple(tuple(rank + suit for rank in reversed(RANKS)) for suit in "shdc"),
    faces={
        card: Face(card[0].replace("T", "10"), _MARKS[card[1]], _HUES[card[1]], card_name(card), card.upper())
        for card in DECK_52
    },
)
"""The grid shows a suit per row, from the ace down."""


def always(deck: Deck) -> Callable[..., Deck]:
    """The `deck` function of a game whose deck is the same on every sheet."""

    def same(sheet: Any, seats: Sequence[int] = (), /) -> Deck:
        return deck

    return same
