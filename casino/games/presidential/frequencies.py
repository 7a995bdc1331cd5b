"""How often seven cards of the house deck fall into each class, as they are dealt.

1,473,109,704 hands are too many to look at one by one. The classes with four identical symbols are counted, since there
are only 108 symbols, each with three other cards. So are the two classes above them and the last. The others are
sampled, always from the same hands.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from casino.games.frequencies import Class, Frequencies, error
from casino.games.presidential.hands import CARDS, CLASSES, NAMES
from casino.games.presidential.pack import HOUSE
from casino.games.presidential.sheet import Sheet
from casino.phrases import phrase

_CARDS = phrase("presidential.frequencies", "Seven cards of the house deck, before the draw")
_CLASS = phrase("presidential.frequencies", "{shape}, {name}")

HANDS = comb(72, CARDS)
COUNTED: Mapping[str, int] = {
    "7:7": 8,
    "7:1": 32_768,
    "7:0": 248,
    "6:1": 25_784,
    "5:2": 107_560,
    "5:1:1": 100_352,
    "4:3": 29_552,
    "4:2:1": 122_432,
    "4:1:1:1": 81_920,
    "0:7": 0,
}
"""The hands of the classes down to 4:1:1:1 and of the last, as `tests/support/dealt_hands.py` counts them: of six cards
of the house deck two have a symbol in common at least."""

SAMPLE = 2_000_000
SAMPLED: Mapping[str, int] = {
    "3:3:1": 5_987,
    "3:2:2": 41_182,
    "3:2:1:1": 280_769,
    "3:1:1:1:1": 78_448,
    "2:2:2:1": 541_722,
    "2:2:1:1:1": 966_883,
    "2:1:1:1:1:1": 84_317,
}
"""Of SAMPLE hands those of the other classes, as `tests/support/dealt_hands.py` deals them."""


def frequencies(sheet: Sheet) -> tuple[Frequencies, ...]:
    """Frequencies of seven cards before the draw; none for a deck that a house loaded, whose symbols lie otherwise."""
    if sheet.deck != HOUSE:
        return ()
    rest = Fraction(HANDS - sum(COUNTED.values()), HANDS * sum(SAMPLED.values()))
    classes = []
    for name, clause in CLASSES.items():
        words = _CLASS.format(shape=name, name=NAMES[name].within())
        if name in COUNTED:
            classes.append(Class(words, clause, Fraction(COUNTED[name], HANDS)))
        else:
            # The share that the counted classes leave for all others.
            share = rest * SAMPLED[name]
            classes.append(Class(words, clause, share, error(share, SAMPLE)))
    return (Frequencies(_CARDS, HANDS, tuple(classes), SAMPLE),)
