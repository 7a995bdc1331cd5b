"""How many of the 7,624,512 hands of five cards fall into each class (rules/genpoker.md)."""

from collections.abc import Mapping
from fractions import Fraction

from casino.games.frequencies import Class, Frequencies
from casino.games.genpoker.classes import CLASSES
from casino.games.genpoker.sheet import Sheet
from casino.phrases import phrase

HANDS: Mapping[str, int] = {
    "america": 128,
    "ancestors": 2_048,
    "straight": 32_640,
    "grandparents": 60,
    "xx_century": 56,
    "two_countries": 7_200,
    "victorian": 4_368,
    "europe": 198_016,
    "children": 37_820,
    "parents": 37_760,
    "country": 530_560,
    "four_of_a_kind": 1_023_120,
    "full_house": 1_014_208,
    "flush": 275_456,
    "three_of_a_kind": 1_799_032,
    "two_pair": 1_416_952,
    "pair": 1_187_488,
    "high_card": 57_600,
}


_CARDS = phrase("genpoker.frequencies", "Five cards of 64, before the exchange")


def frequencies(sheet: Sheet) -> tuple[Frequencies, ...]:
    """Of five cards before the exchange; every sheet has the one deck (genpoker.1)."""
    hands = sum(HANDS.values())
    classes = [Class(each.words, each.clause, Fraction(HANDS[each.name], hands)) for each in CLASSES]
    return (Frequencies(_CARDS, hands, tuple(classes)),)
