"""Playing cards as the contract writes them: rank `23456789TJQKA` and suit `cdhs`, so `Td` is the ten of diamonds."""

from collections.abc import Iterable

from casino.phrases import Phrase, phrase, phrases

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_52: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
VALUE: dict[str, int] = {card: RANKS.index(card[0]) + 2 for card in DECK_52}

RANK_NAMES: dict[int, Phrase] = {
    int(value): name
    for value, name in phrases(
        "rank",
        {
            "2": "Two",
            "3": "Three",
            "4": "Four",
            "5": "Five",
            "6": "Six",
            "7": "Seven",
            "8": "Eight",
            "9": "Nine",
            "10": "Ten",
            "11": "Jack",
            "12": "Queen",
            "13": "King",
            "14": "Ace",
        },
    ).items()
}
"""The ranks by their values, as at the beginning of a sentence; within one it is `rank_name`."""
_WITHIN = {value: name.within() for value, name in RANK_NAMES.items()}
_PLURALS = phrases(
    "ranks",
    {
        "2": "twos",
        "3": "threes",
        "4": "fours",
        "5": "fives",
        "6": "sixes",
        "7": "sevens",
        "8": "eights",
        "9": "nines",
        "10": "tens",
        "11": "jacks",
        "12": "queens",
        "13": "kings",
        "14": "aces",
    },
)
SUIT_NAMES = phrases("suit", {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"})
_CARD = phrase("card", "{rank} of {suit}")
_CARD_NAMES = {card: _CARD.format(rank=_WITHIN[VALUE[card]], suit=SUIT_NAMES[card[1]]) for card in DECK_52}


def rank_name(value: int) -> Phrase:
    """The rank of a value from 2 to 14 in words, for one card.

    >>> rank_name(14)
    'ace'
    """
    return _WITHIN[value]


def rank_plural(value: int) -> Phrase:
    """The rank of a value from 2 to 14 in words, for several cards.

    >>> rank_plural(6)
    'sixes'
    """
    return _PLURALS[str(value)]


def card_name(card: str) -> Phrase:
    """A card in words.

    >>> card_name("Td")
    'ten of diamonds'
    """
    return _CARD_NAMES[card]


def spell(cards: Iterable[str]) -> str:
    """Cards as a croupier reads them aloud from a screen: `10` for T, suits as signs.

    >>> spell(["Td", "As"])
    '10♦ A♠'
    """
    return " ".join(card[0].replace("T", "10") + "♣♦♥♠"[SUITS.index(card[1])] for card in cards)
