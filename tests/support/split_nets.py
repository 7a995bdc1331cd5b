"""What boxes of Split Poker win, in ANTE: rounds played through `casino.games.split` and counted (split_nets.csv).

The player is just sensible: it folds, bets or buys by a table for its own five cards, which it learns from 40,000
hands, sets the seven cards that it bought for the greatest mean against dealers that it has seen, folds if that is
below the fold, and buys the game with a full house or better. It knows the dealer's open card but does not use it.

    .venv/bin/python -m tests.support.split_nets 200000 > tests/support/split_nets.csv

plays this many rounds with three boxes (90 s, always the same rounds). A line has the number of boxes looked at (one:
the first of the three), the rank of the dealer's open card, what these boxes won (in ascending order) and how often.
"""

import random
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from casino.cards import RANKS, SUITS, VALUE
from casino.games.poker import FULL_HOUSE, HIGH_CARD, small_strength, strength
from casino.games.registry import GAMES
from casino.games.split.sheet import STARTING_TABLE

ANTE, BOXES = 1, 3
FILE = Path(__file__).with_suffix(".csv")
PACK = [rank + suit for rank in RANKS for suit in SUITS]
COEFFICIENTS = (0, *(int(ratio.removesuffix(":1")) for ratio in STARTING_TABLE.values()))
SPLIT = GAMES["split"]


class Nets(NamedTuple):
    """One line of counts: the `nets` of a round's boxes and the `rank` of the dealer's open card, `count` times."""

    rank: str
    nets: tuple[int, ...]
    count: int


def frozen(boxes):
    """The lines of split_nets.csv for rounds of one box or of three."""
    rows = (line.split(",") for line in FILE.read_text().splitlines()[1:])
    return [
        Nets(rank, tuple(map(int, nets.split())), int(count)) for size, rank, nets, count in rows if int(size) == boxes
    ]


class Player:
    """Decides by dealers and hands that it has seen before, never by a card that it can't see."""

    def __init__(self, chance, hands=40_000):
        dealers = [chance.sample(PACK, 9) for _ in range(hands)]
        with_game = [cards for cards in dealers if strength(cards[:5]).category > HIGH_CARD]
        self.game = len(with_game) / len(dealers)
        self.bigs = sorted(strength(cards[:5]) for cards in with_game)
        self.smalls = sorted(small_strength(cards[5:7]) for cards in with_game)
        blind = sum(self._not_below(small_strength(cards[7:])) for cards in with_game) / len(with_game)
        seen = defaultdict(lambda: [0, 0.0, 0.0])
        for _ in range(hands):
            cards = chance.sample(PACK, 7)
            row = seen[self._kind(cards[:5])]
            row[0] += 1
            row[1] += self._in_play(self._compared(strength(cards[:5]), blind))
            row[2] += max(-2, self._in_play(self._set(cards)[0]) - 1)
        self.choices = {
            kind: max((-1, "fold"), (bet / count, "bet"), (buy / count, "buy"))[1]
            for kind, (count, bet, buy) in seen.items()
        }

    def box(self, number, five, two):
        """The box's part of the line, and whether it would buy the game."""
        choice = self.choices.get(self._kind(five), "fold")
        line = {"box": number, "ante": ANTE, "action": choice, "cards": five}
        if choice == "bet":
            return {**line, "extra": two}, strength(five).category >= FULL_HOUSE
        if choice == "fold":
            return line, False
        mean, small = self._set([*five, *two])
        if self._in_play(mean) - 1 < -2:
            return {**line, "action": "buy_fold", "extra": two}, False
        big = [card for card in (*five, *two) if card not in small]
        return {**line, "action": "buy_bet", "extra": two, "small": list(small)}, strength(big).category >= FULL_HOUSE

    def _kind(self, five):
        hand = strength(five)
        suits = max(Counter(card[1] for card in five).values())
        values = sorted({VALUE[card] for card in five})
        row = max(sum(1 for value in values if low <= value < low + 5) for low in values)
        return hand.category, hand.ranks[0], hand.ranks[1:2] if hand.category == HIGH_CARD else (), suits > 3, row > 3

    def _not_below(self, small):
        return bisect_right(self.smalls, small) / len(self.smalls)

    def _compared(self, big, small):
        """The mean of ANTE and BET against a dealer with a game; `small`: how often the Small Hand is not below."""
        below, not_above = bisect_left(self.bigs, big), bisect_right(self.bigs, big)
        win = small * 2 * COEFFICIENTS[big.category] + 1 - small
        return (below * win - 3 * (len(self.bigs) - not_above)) / len(self.bigs)

    def _in_play(self, compared):
        return 1 - self.game + self.game * compared

    def _set(self, seven):
        settings = []
        for small in combinations(seven, 2):
            big = strength([card for card in seven if card not in small])
            settings.append((self._compared(big, self._not_below(small_strength(small))), small))
        return max(settings)


def line(player, pack):
    """A round as contracts/adjudicate.md writes it, from a shuffled pack."""
    cards = iter(pack)

    def deal(count):
        return [next(cards) for _ in range(count)]

    dealer = {"cards": deal(5)}
    boxes, buyers = [], []
    for number in range(1, BOXES + 1):
        box, would_buy = player.box(number, deal(5), deal(2))
        boxes.append(box)
        if would_buy:
            buyers.append(box)
    counting = dealer["cards"]
    if strength(counting).category == HIGH_CARD and buyers:
        for box in buyers:
            box["buys_game"] = True
        dealer["replacement"] = deal(1)[0]
        highest = max(counting, key=VALUE.get)
        counting = [dealer["replacement"] if card == highest else card for card in counting]
    compared = [box for box in boxes if box["action"] in ("bet", "buy_bet")]
    if strength(counting).category > HIGH_CARD and (buyers if "replacement" in dealer else compared):
        dealer["small"] = deal(2)
    return {"game": "split", "dealer": dealer, "boxes": boxes}


def counted(rounds, seed=24):
    chance = random.Random(seed)
    player = Player(chance)
    tally = Counter()
    for _ in range(rounds):
        played = line(player, chance.sample(PACK, 5 + 7 * BOXES + 3))
        facts = SPLIT.read(played)
        nets = [box["net"] for box in SPLIT.settle(facts)["boxes"]]
        rank = played["dealer"]["cards"][-1][0]
        tally[1, rank, (nets[0],)] += 1
        tally[BOXES, rank, tuple(sorted(nets))] += 1
    return tally


def main(rounds):
    print("boxes,rank,nets,count")
    order = sorted(counted(rounds).items(), key=lambda row: (row[0][0], RANKS.index(row[0][1]), row[0][2]))
    for (boxes, rank, nets), count in order:
        print(f"{boxes},{rank},{' '.join(map(str, nets))},{count}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
