"""How often five cards make each combination, and which is the strongest that a dealt hand holds."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from casino.games.bigtwo.combinations import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    KINDS,
    STRAIGHT,
    STRAIGHT_FLUSH,
)
from casino.games.bigtwo.sheet import Sheet
from casino.games.frequencies import Class, Frequencies, error
from casino.phrases import Phrase, phrase, phrases

_NAMES = phrases(
    "bigtwo.frequencies",
    {
        "straight_flush": "straight flush",
        "four_of_a_kind": "four of a kind with one card",
        "full_house": "full house",
        "flush": "flush",
        "straight": "straight",
        "none": "no combination of five",
    },
)
NAMES: Mapping[int, Phrase] = {
    kind: _NAMES[KINDS[kind]] for kind in (STRAIGHT_FLUSH, FOUR_OF_A_KIND, FULL_HOUSE, FLUSH, STRAIGHT)
}
"""The combinations of five cards, the strongest first (bigtwo.7)."""

NONE = _NAMES["none"]
_STRONGEST_OF_HAND = phrase("bigtwo.frequencies", "The strongest five cards of the 13 that are dealt")
_ANY_FIVE = phrase("bigtwo.frequencies", "Any five cards of 52")
CARDS, HAND = 52, 13
_RUNS = 9
"""Five ranks in a row, from 3-4-5-6-7 to J-Q-K-A-2 (bigtwo.9)."""

FIVES: Mapping[str, int] = {
    "straight flush": _RUNS * 4,
    "four of a kind with one card": 13 * 48,
    "full house": 13 * 4 * 12 * 6,
    "flush": 4 * (comb(13, 5) - _RUNS),
    "straight": _RUNS * (4**5 - 4),
}
"""Of the 2,598,960 choices of five cards."""

SAMPLE = 2_000_000
STRONGEST: Mapping[str, int] = {
    "straight flush": 30_359,
    "four of a kind with one card": 67_643,
    "full house": 889_780,
    "flush": 679_845,
    "straight": 205_437,
    NONE: 126_936,
}
"""Of SAMPLE hands those whose strongest five cards are so: `tests/support/dealt_hands.py` deals them."""


def frequencies(sheet: Sheet) -> tuple[Frequencies, ...]:
    """Frequencies of five cards, counted, and of the 13 that each player gets (bigtwo.1), sampled."""
    all_fives = comb(CARDS, 5)
    fives = [*((name, FIVES[name]) for name in NAMES.values()), (NONE, all_fives - sum(FIVES.values()))]
    shares = {name: Fraction(STRONGEST[name], SAMPLE) for name, _ in fives}
    return (
        Frequencies(
            _STRONGEST_OF_HAND,
            comb(CARDS, HAND),
            tuple([Class(name, "bigtwo.7", share, error(share, SAMPLE)) for name, share in shares.items()]),
            SAMPLE,
        ),
        Frequencies(
            _ANY_FIVE,
            all_fives,
            tuple([Class(name, "bigtwo.7", Fraction(count, all_fives)) for name, count in fives]),
        ),
    )
