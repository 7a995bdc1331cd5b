"""Single decisions of Split Poker summed card by card: a slow second opinion, against which the exact edge is checked.

It deals every dealer's hand, every replacement and every Small Hand, with the strengths of `casino.games.poker`. It
shares nothing with `payouts.edge`: no classes of hands, no weights, no subtraction of flushes.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations

from casino.cards import RANKS, SUITS, VALUE
from casino.games.poker import HIGH_CARD, small_strength, strength

PACK = [rank + suit for rank in RANKS for suit in SUITS]


class Pays:
    """A sheet's payments per unit of ANTE: `bet` and `ante` by category, `no_game`, and whether the game may be
    bought."""

    def __init__(self, coefficients, small_hand_loss_pays="even", games=True):
        self.bet = [0.0, *(2 * coefficient for coefficient in coefficients)]
        self.ante = [1.0, *coefficients] if small_hand_loss_pays == "coefficient" else [1.0] * 10
        self.no_game = 1.0
        self.games = games


@lru_cache(maxsize=1 << 16)
def _not_above(counts, small):
    """The share of the two-card hands from these counts of ranks that are not above `small`."""
    whole = below = 0
    for high in range(2, 15):
        for low in range(2, high + 1):
            ways = counts[high] * (counts[high] - 1) // 2 if high == low else counts[high] * counts[low]
            whole += ways
            if ways and (high == low, high, low) <= small:
                below += ways
    return below / whole


@lru_cache(maxsize=1 << 16)
def _not_above_unseen(counts):
    """The same if the player's two cards are drawn from the same rest, before the dealer's."""
    whole = sum(counts)
    total = 0.0
    for high in range(2, 15):
        for low in range(2, high + 1):
            ways = counts[high] * (counts[high] - 1) // 2 if high == low else counts[high] * counts[low]
            if ways:
                left = list(counts)
                left[high] -= 1
                left[low] -= 1
                total += ways * _not_above(tuple(left), (high == low, high, low))
    return total / (whole * (whole - 1) // 2)


class Box:
    """What a box has set against an open card, `small` None for two unseen cards."""

    def __init__(self, pays, held, open_card, big, small):
        self.pays, self.mine = pays, strength(big)
        self.small = None if small is None else tuple(small_strength(small))
        self.unseen = [card for card in PACK if card not in held and card != open_card]

    def against(self, theirs, gone):
        """What the box wins on average by BET and ANTE against a dealer's hand, with these cards gone."""
        if self.mine < theirs:
            return -3.0
        if self.mine == theirs:
            return 0.0
        counts = [0] * 15
        for card in self.unseen:
            if card not in gone:
                counts[VALUE[card]] += 1
        key = tuple(counts)
        share = _not_above_unseen(key) if self.small is None else _not_above(key, self.small)
        return share * self.pays.bet[self.mine.category] + (1 - share) * self.pays.ante[self.mine.category]

    def game(self, dealt):
        """What buying the game is worth against five cards without one, including the fee; None if it can't be."""
        # Nothing is won against a pair of twos without a pair: then the fee can only be lost.
        if not self.pays.games or self.mine.category == HIGH_CARD:
            return None
        highest = max(dealt, key=VALUE.__getitem__)
        stay = [card for card in dealt if card != highest]
        game, ranks = -1.0, Counter(VALUE[card] for card in stay)
        rest = [card for card in self.unseen if card not in dealt]
        suits = {card[1] for card in stay}
        for card in rest:
            # Only a rank of the four, a fifth of their suit or a straight makes a game; ask the strength of those.
            near = max(*ranks, VALUE[card]) - min(*ranks, VALUE[card]) <= 4 or VALUE[card] == 14 or 14 in ranks
            if VALUE[card] in ranks or (len(suits) == 1 and card[1] in suits) or near:
                made = strength((*stay, card))
                if made.category > HIGH_CARD:
                    game += self.against(made, (*dealt, card)) / len(rest)
        return game


def bet(pays, held, open_card, big, small):
    """What a bet on a Big Hand is worth against an open card, `small` None for two unseen cards; without the fee for
    two cards."""
    box = Box(pays, held, open_card, big, small)
    value = hands = 0
    for hidden in combinations(box.unseen, 4):
        hands += 1
        dealt = (*hidden, open_card)
        theirs = strength(dealt)
        if theirs.category > HIGH_CARD:
            value += box.against(theirs, hidden)
        else:
            game = box.game(dealt)
            value += pays.no_game if game is None else max(pays.no_game, game)
    return value / hands
