"""Rounds of Big Two written short, and a second opinion on combinations that shares nothing with the engine."""

from collections import Counter
from itertools import combinations

from casino.games.bigtwo import BIGTWO
from casino.games.game import Action, Fault, Refusal

RANKS = "3456789TJQKA2"
SUITS = "dchs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]

DEALS = {
    "two": {
        "N": ["3c", "4d", "5d", "6h", "7s", "8c", "8d", "8h", "Ks", "Kd", "Jd", "2s", "2h"],
        "W": ["3h", "4h", "5h", "6d", "7h", "9c", "9d", "9h", "9s", "Tc", "As", "Ah", "Qd"],
    },
    "four": {
        "N": ["3d", "3c", "3h", "3s", "4c", "8d", "8c", "8h", "Td", "Tc", "Th", "Ts", "Ad"],
        "W": ["4d", "4h", "4s", "7d", "7c", "7h", "9d", "9c", "Jd", "Jc", "Kd", "Kc", "Ac"],
        "S": ["5d", "5c", "5h", "5s", "6c", "6h", "9h", "9s", "Jh", "Js", "Kh", "Ks", "Ah"],
        "E": ["6d", "6s", "7s", "8s", "Qd", "Qc", "Qh", "Qs", "As", "2d", "2c", "2h", "2s"],
    },
}


def options_of(text):
    """`bombs base=ranks` as options, and the leader if it is named."""
    given = dict((*setting.split("="), True)[:2] for setting in text.split())
    leader = given.pop("leader", None)
    return given, leader


def plays_of(text):
    """`N 3c; W -` are a play and a pass."""
    entries = [entry.split() for entry in text.split(";") if entry.strip()]
    return [{"player": player, "cards": [card for card in cards if card != "-"]} for player, *cards in entries]


def line_of(case):
    options, leader = options_of(case["options"])
    deal = DEALS[case["deal"]]
    return {
        "game": "bigtwo",
        "seats": list(deal),
        "first_round": leader is None,
        "leader": leader,
        "options": options,
        "deal": deal,
        "plays": plays_of(case["plays"]),
    }


def read(line):
    facts = BIGTWO.read(line)
    assert not isinstance(facts, Fault), facts
    return facts


def settled(line):
    return BIGTWO.settle(read(line))


# A second opinion: ranks and suits as text, kinds from counters and windows of the order.

FIVES = ["straight", "flush", "full_house", "four_of_a_kind", "straight_flush"]


def value(cards):
    """The kind of distinct cards and what decides between equal kinds; None if they are not a combination."""
    ranks = Counter(card[0] for card in cards)
    shape = sorted(ranks.values())
    top = max(((RANKS.index(card[0]), SUITS.index(card[1])) for card in cards), default=None)
    most = max(ranks, key=ranks.get, default=None)
    if shape in ([1], [2], [3]):
        return ["single", "pair", "triple"][shape[0] - 1], top
    if len(cards) != 5:
        return None
    if shape == [2, 3]:
        return "full_house", (RANKS.index(most), 0)
    if shape == [1, 4]:
        return "four_of_a_kind", (RANKS.index(most), 0)
    flush = len({card[1] for card in cards}) == 1
    row = len(shape) == 5 and "".join(sorted(ranks, key=RANKS.index)) in RANKS
    if flush:
        return ("straight_flush" if row else "flush"), top
    return ("straight", top) if row else None


def may_go_on(cards, standing, *, bombs):
    new, old = value(cards), value(standing)
    if new is None:
        return False
    if len(cards) != len(standing):
        return bombs and new[0] in FIVES[3:]
    if len(cards) < 5:
        return new[1] > old[1]
    return (FIVES.index(new[0]), new[1]) > (FIVES.index(old[0]), old[1])


def combinations_of(cards, *sizes):
    return [some for size in sizes or (1, 2, 3, 5) for some in combinations(cards, size) if value(some)]


def best(pool, size):
    """Combinations among which the strongest of the pool is, built rank by rank and suit by suit."""
    ranks = {rank: [card for card in DECK if card in pool and card[0] == rank] for rank in RANKS}
    if size < 5:
        return [cards[-size:] for cards in ranks.values() if len(cards) >= size]
    found = []
    for first in range(9):
        row = [ranks[rank] for rank in RANKS[first : first + 5]]
        found += [[c for cards in row for c in cards if c[1] == suit] for suit in "dchs"]
        if all(row):
            found += [[*(cards[0] for cards in row[:4]), row[4][-1]], [*(cards[-1] for cards in row[:4]), row[4][-1]]]
    for suit in "dchs":
        found.append([card for card in DECK if card in pool and card[1] == suit][-5:])
    for rank, cards in ranks.items():
        rest = [other for name, others in ranks.items() if name != rank for other in others]
        found.append(cards[:4] + rest[:1])
        found += [cards[:3] + others[:2] for name, others in ranks.items() if name != rank and len(others) > 1]
    return [cards for cards in found if len(cards) == 5 and value(cards)]


# At the table.


def table(seats=(1, 2), carry=None, **values):
    sheet = BIGTWO.sheet(values)
    assert not isinstance(sheet, Fault), sheet
    return BIGTWO.start(sheet, seats, carry)


def play(state, *actions):
    for action in actions:
        after = BIGTWO.act(state, move(action) if isinstance(action, str) else action)
        assert not isinstance(after, Refusal), f"{action}: {after}"
        state = after
    return state


def move(text):
    """`2 3c 3d` is a play of box 2, `2 -` its pass."""
    box, *cards = text.split()
    return Action("pass", int(box)) if cards == ["-"] else Action("play", int(box), {"cards": cards})


def refusal(state, action):
    refused = BIGTWO.act(state, move(action) if isinstance(action, str) else action)
    assert isinstance(refused, Refusal), refused
    assert refused.message.endswith(".")
    assert refused.way_out
    return refused


def dealt(state, deal):
    """Every seat's cards entered; `deal` by box."""
    return play(state, *(Action("deal", box, {"cards": list(cards)}) for box, cards in deal.items()))
