"""The 64 and 72 cards of Dynastia: six numbers in two colours (dynastia.1)."""

from collections.abc import Iterable, Mapping

from casino.games.decks import SEXES, Deck, Face, looks
from casino.phrases import phrases

PLAYERS = (2, 10)
HAND = 7
HUES: Mapping[str, str] = {"R": "red", "B": "black"}
COLOURS = phrases("dynastia.colour", {"R": "red", "B": "black"})
"""As words within a sentence."""

_CARDS = phrases("dynastia.card", {"R": "red {number}", "B": "black {number}"})
CARDS_OF: Mapping[int, int] = {1: 2, 2: 2, 3: 4, 4: 8, 5: 16, 6: 40}
"""How many cards a number has in the deck of 72, half of them red; four red and four black 6s less make 64."""
PLAYERS_OF: Mapping[int, tuple[int, int]] = {64: (2, 9), 72: (6, 10)}
"""For how few and how many players a deck is."""

NUMBER: Mapping[str, int] = {f"{number}{colour}": number for number in CARDS_OF for colour in HUES}


def _deck(withdrawn: int) -> Deck:
    left = {**CARDS_OF, 6: CARDS_OF[6] - withdrawn}
    return Deck(
        copies={card: left[number] // 2 for card, number in NUMBER.items()},
        order=tuple(tuple(f"{number}{colour}" for number in CARDS_OF) for colour in HUES),
        faces={
            card: Face(card[0], SEXES[card[1]], HUES[card[1]], _CARDS[card[1]].format(number=card[0]), card)
            for card in NUMBER
        },
    )


DECKS: Mapping[int, Deck] = {64: _deck(withdrawn=8), 72: _deck(withdrawn=0)}
"""By their size. A grid shows a colour per row, from 1 up."""


def fits(size: int, players: int) -> bool:
    """Whether a deck is for this number of players.

    >>> [size for size in DECKS if fits(size, 5)], [size for size in DECKS if fits(size, 10)]
    ([64], [72])
    """
    fewest, most = PLAYERS_OF[size]
    return fewest <= players <= most


def fitting(wanted: int, players: int) -> int:
    """The wanted deck if it fits, else the only one for this number of players.

    >>> fitting(72, 5), fitting(72, 7), fitting(64, 10)
    (64, 72, 72)
    """
    return next(size for size in (wanted, *DECKS) if fits(size, players))


def spell(cards: Iterable[str]) -> str:
    """Cards as they look, going up, the red one of a number first.

    >>> spell(["6B", "2B", "6R", "1R"])
    '1♀ 2♂ 6♀ 6♂'
    """
    return looks(DECKS[72], sorted(cards, key=_GOING_UP.__getitem__))


_GOING_UP = {card: place for place, card in enumerate(NUMBER)}
