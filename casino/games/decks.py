"""The pack of 52 cards, which several games share."""

from casino.cards import DECK_52, RANKS, SUITS, card_name
from casino.games.game import Deck, Face

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
