"""Counts hands as they are dealt, for `casino/games/*/frequencies.py`; Genpoker's are counted in its laws.

    .venv/bin/python -m tests.support.dealt_hands

prints the figures for Presidential Poker and Big Two, always the same.
"""

import random
from collections import Counter
from itertools import combinations
from math import comb

from casino.games.bigtwo import frequencies as bigtwo
from casino.games.bigtwo.combinations import strongest
from casino.games.presidential import frequencies as presidential
from casino.games.presidential.hands import best
from casino.games.presidential.pack import KINGDOMS, RAINBOW, house

FOURS = ("7:0", "6:1", "5:2", "5:1:1", "4:3", "4:2:1", "4:1:1:1")


def presidential_counted(symbols=None):
    """The hands of each class down to 4:1:1:1 (presidential.11 to .19), of all that have four cards with one symbol; of
    those that have it of the first so many `symbols` only. A hand with several such fours is that of the first. And the
    hands of 0:7 (presidential.27)."""
    pack = house()
    carriers = {}
    for card, on_card in pack.symbols.items():
        for symbol in on_card:
            carriers.setdefault(symbol, set()).add(card)
    fours = list(dict.fromkeys(frozenset(cards) for cards in carriers.values()))
    counts = Counter()
    for number, four in enumerate(fours[:symbols]):
        earlier = fours[:number]
        for three in combinations([card for card in pack.cards if card not in four], 3):
            hand = four.union(three)
            if not any(one <= hand for one in earlier):
                counts[best(pack, tuple(hand)).name] += 1
    of_fours = {name: counts[name] for name in FOURS}
    return {"7:7": comb(KINGDOMS[5][0], 7), "7:1": 2 * 4 ** len(RAINBOW), **of_fours, "0:7": _without_a_pair(pack)}


def _without_a_pair(pack):
    """Hands in which no two cards share a symbol. A rainbow counts in its own class, if there is one."""
    cards = list(pack.cards)
    apart = [
        sum(
            1 << place
            for place in range(one + 1, len(cards))
            if not set(pack.symbols[cards[one]]) & set(pack.symbols[cards[place]])
        )
        for one in range(len(cards))
    ]

    def count(free, left):
        if not left:
            return 1
        total = 0
        while free:
            lowest = free & -free
            free ^= lowest
            total += count(free & apart[lowest.bit_length() - 1], left - 1)
        return total

    hands = count((1 << len(cards)) - 1, 7)
    assert not hands, "Rainbows among them are of another class."
    return hands


def presidential_sampled(hands, seed=36):
    """The classes of this many hands; the first hands are the same, whatever `hands` is."""
    chance, pack = random.Random(seed), house()
    cards = tuple(pack.cards)
    return Counter(best(pack, chance.sample(cards, 7)).name for _ in range(hands))


def bigtwo_sampled(hands, seed=52):
    """The strongest five cards in this many hands of 13; the first hands are the same, whatever `hands` is."""
    chance, places = random.Random(seed), range(52)
    counts = Counter()
    for _ in range(hands):
        made = strongest(sum([1 << place for place in chance.sample(places, 13)]), 5)
        counts[bigtwo.NONE if made is None else bigtwo.NAMES[made.kind]] += 1
    return counts


if __name__ == "__main__":
    print("presidential.COUNTED", presidential_counted())
    print("presidential.SAMPLED", presidential_sampled(presidential.SAMPLE))
    print("bigtwo.STRONGEST", bigtwo_sampled(bigtwo.SAMPLE))
