"""Playing cards as the contract writes them: rank `23456789TJQKA` and suit `cdhs`, so `Td` is the ten of diamonds."""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_52: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
VALUE: dict[str, int] = {card: RANKS.index(card[0]) + 2 for card in DECK_52}

_RANK_NAMES = (
    ("two", "twos"),
    ("three", "threes"),
    ("four", "fours"),
    ("five", "fives"),
    ("six", "sixes"),
    ("seven", "sevens"),
    ("eight", "eights"),
    ("nine", "nines"),
    ("ten", "tens"),
    ("jack", "jacks"),
    ("queen", "queens"),
    ("king", "kings"),
    ("ace", "aces"),
)
_SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def rank_name(value: int) -> str:
    """The rank of a value from 2 to 14 in words, for one card.

    >>> rank_name(14)
    'ace'
    """
    return _RANK_NAMES[value - 2][0]


def rank_plural(value: int) -> str:
    """The rank of a value from 2 to 14 in words, for several cards.

    >>> rank_plural(6)
    'sixes'
    """
    return _RANK_NAMES[value - 2][1]


def card_name(card: str) -> str:
    """A card in words.

    >>> card_name("Td")
    'ten of diamonds'
    """
    return f"{rank_name(VALUE[card])} of {_SUIT_NAMES[card[1]]}"


def spell(cards: Iterable[str]) -> str:
    """Cards as a croupier reads them aloud from a screen: `10` for T, suits as signs.

    >>> spell(["Td", "As"])
    '10♦ A♠'
    """
    return " ".join(card[0].replace("T", "10") + "♣♦♥♠"[SUITS.index(card[1])] for card in cards)
