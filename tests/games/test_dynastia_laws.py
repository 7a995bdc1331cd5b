"""Dynastia's ranking against a second reading of the rules, hand by hand over both decks, and the laws of a pot."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.dynastia import DYNASTIA
from casino.games.dynastia.cards import DECKS
from casino.games.dynastia.sets import decides, strength
from casino.games.game import Fault
from tests.support import proof

law = settings(max_examples=proof.examples(150))

# The second reading: cards as they lie, two hands at a time, clause by clause.


def sets_of(cards):
    """All sets of a hand: every choice of two to six different numbers that are in a row (dynastia.4)."""
    numbers = sorted({int(card[0]) for card in cards})
    chosen = (some for size in range(2, 7) for some in combinations(numbers, size))
    return [some for some in chosen if some[-1] - some[0] == len(some) - 1]


def best_of(cards):
    return min(sets_of(cards), key=lambda some: (some[0], -len(some)), default=())


def used(cards, some, preferred):
    """The cards of a set: one of each number, of the preferred colour where it is held (dynastia.7)."""
    other = "B" if preferred == "R" else "R"
    return [f"{n}{preferred}" if f"{n}{preferred}" in cards else f"{n}{other}" for n in some]


def going_up(mine, other, preferred):
    """dynastia.9 over the cards given: 1 if mine win, -1 if the other's, 0 if equal."""
    mine, other = (sorted(int(card[0]) for card in cards if card[1] == preferred) for cards in (mine, other))
    while mine and other:
        first, second = mine.pop(0), other.pop(0)
        if first != second:
            return 1 if first < second else -1
    return bool(mine) - bool(other)


def compared(mine, other, preferred):
    """(1, -1 or 0; the clause that decides) for two hands."""
    one, two = best_of(mine), best_of(other)
    if bool(one) != bool(two):
        return (1 if one else -1), "dynastia.10"
    if not one:
        return going_up(mine, other, preferred), "dynastia.9"
    if one[0] != two[0]:
        return (1 if one[0] < two[0] else -1), "dynastia.5"
    if len(one) != len(two):
        return (1 if len(one) > len(two) else -1), "dynastia.6"
    first, second = used(mine, one, preferred), used(other, two, preferred)
    counts = [sum(card[1] == preferred for card in cards) for cards in (first, second)]
    if counts[0] != counts[1]:
        return (1 if counts[0] > counts[1] else -1), "dynastia.7"
    for card, another in zip(first, second, strict=True):
        if card != another:
            return (1 if card[1] == preferred else -1), "dynastia.8"
    rest = [list((Counter(cards) - Counter(some)).elements()) for cards, some in ((mine, first), (other, second))]
    return going_up(*rest, preferred), "dynastia.9"


def hands_of(size):
    """All different hands of a deck, each with how many times it is in the deck."""
    copies = list(DECKS[size].copies.items())

    def some(left, kinds):
        if not kinds:
            if not left:
                yield ()
            return
        (card, held), *rest = kinds
        for count in range(min(held, left) + 1):
            for hand in some(left - count, rest):
                yield (*(card,) * count, *hand)

    for hand in some(7, copies):
        held = Counter(hand)
        yield hand, prod(comb(DECKS[size].copies[card], count) for card, count in held.items())


@pytest.mark.parametrize("size", DECKS)
def test_the_best_set_of_every_hand_of_a_deck_is_that_of_all_its_sets(size):
    count = 0
    for hand, weight in hands_of(size):
        assert strength(hand, "R").numbers == best_of(hand)
        count += weight
    assert count == comb(size, 7)


def test_all_hands_in_order_are_in_order_by_the_second_reading():
    ordered = sorted((strength(hand, "B"), hand) for hand, _ in hands_of(72))
    reached = set()
    for (lower, worse), (higher, better) in pairwise(ordered):
        result, clause = compared(better, worse, "B")
        assert result == (higher > lower)
        if result:
            assert decides(higher, lower) == clause
            reached.add(clause)
    assert reached == {f"dynastia.{number}" for number in (5, 6, 7, 8, 9, 10)}


DECK = st.sampled_from(sorted(DECKS))
COLOUR = st.sampled_from("RB")


@st.composite
def deals(draw, most=9):
    """(size of the deck, hands): as many as fit, dealt from one deck that is often short of 6s."""
    size = draw(DECK)
    players = draw(st.integers(2, 9) if size == 64 else st.integers(6, 10))
    cards = list(Counter(DECKS[size].copies).elements())
    dealt = draw(st.permutations(cards)) if draw(st.booleans()) else draw(_few_sixes(cards))
    return size, [list(dealt[7 * seat : 7 * seat + 7]) for seat in range(players)][:most]


def _few_sixes(cards):
    low = [card for card in cards if card[0] != "6"]
    high = [card for card in cards if card[0] == "6"]
    return st.permutations(low).map(lambda shuffled: [*shuffled, *high])


def line_of(size, hands, preferred="R", pot=None):
    named = [{"player": str(number), "cards": list(cards)} for number, cards in enumerate(hands, 1)]
    return {"deck": size, "preferred": preferred, "pot": pot, "hands": named}


def settled(line):
    facts = DYNASTIA.read(line)
    assert not isinstance(facts, Fault), facts
    return DYNASTIA.settle(facts)


@law
@given(deals(), COLOUR)
def test_the_engine_and_the_second_reading_agree_on_every_two_hands_of_a_deal(deal, preferred):
    size, hands = deal
    result = settled(line_of(size, hands, preferred))
    place = {player: place for place, group in enumerate(result["ranking"]) for player in group}
    for (one, mine), (two, other) in permutations(enumerate(hands, 1), 2):
        expected, clause = compared(mine, other, preferred)
        assert (place[str(one)] < place[str(two)]) == (expected > 0)
        assert (place[str(one)] == place[str(two)]) == (expected == 0)
        if expected > 0 and (place[str(one)], place[str(two)]) == (0, 1):
            assert result["decided_by"] == clause


@law
@given(deals(), COLOUR, st.data())
def test_neither_the_order_of_seats_nor_that_of_cards_matters(deal, preferred, data):
    size, hands = deal
    line = line_of(size, hands, preferred)
    result = settled(line)
    line["hands"] = [
        {**hand, "cards": data.draw(st.permutations(hand["cards"]))}
        for hand in data.draw(st.permutations(line["hands"]))
    ]
    other = settled(line)
    assert [sorted(group) for group in other["ranking"]] == [sorted(group) for group in result["ranking"]]
    assert (other["hands"], other["scores"], other["decided_by"]) == (
        result["hands"],
        result["scores"],
        result["decided_by"],
    )


@law
@given(deals(), COLOUR)
def test_the_colours_change_places_with_the_preferred_one(deal, preferred):
    size, hands = deal
    swap = str.maketrans("RB", "BR")
    mirrored = [[card.translate(swap) for card in cards] for cards in hands]
    assert settled(line_of(size, hands, preferred)) == settled(line_of(size, mirrored, preferred.translate(swap)))


@law
@given(deals(), COLOUR, st.integers(1, 1000) | st.integers(1, 10**12))
def test_the_shares_are_the_pot_and_differ_by_a_unit_at_most(deal, preferred, pot):
    size, hands = deal
    result = settled(line_of(size, hands, preferred, pot))
    units = list(result["shares"].values())
    assert list(result["shares"]) == result["ranking"][0]
    assert sum(units) == pot
    assert units == sorted(units, reverse=True)
    assert units[0] - units[-1] <= 1


@law
@given(deals(), COLOUR)
def test_scores_follow_the_places(deal, preferred):
    size, hands = deal
    result = settled(line_of(size, hands, preferred))
    worth = {str(number): sum(best_of(cards)) for number, cards in enumerate(hands, 1)}
    scores = {player: Fraction(score) for player, score in result["scores"].items()}
    assert list(scores) == list(worth)
    placed = [player for group in result["ranking"] for player in group]
    receipts = {player: sum(worth[other] for other in placed[place:]) for place, player in enumerate(placed)}
    for group in result["ranking"]:
        assert len({scores[player] for player in group}) == 1
        assert sum(scores[player] for player in group) == sum(receipts[player] for player in group)
    assert sum(scores.values()) == sum(receipts.values())
