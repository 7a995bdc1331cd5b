"""All 7,624,512 hands of Genpoker, counted; and its ranking against a second reading of rules/genpoker.md."""

from collections import Counter
from functools import cmp_to_key
from itertools import combinations, groupby, product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games.genpoker import GENPOKER
from casino.games.genpoker.cards import COPIES_OF_ONE_COLOUR, SIXTY_FOUR
from casino.games.genpoker.classes import CLASSES, describe, shape, strength
from casino.games.genpoker.frequencies import HANDS
from tests.support import proof

COUNTS = {
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
PACK = [card for card, copies in SIXTY_FOUR.copies.items() for _ in range(copies)]


def symmetric_hands():
    """One hand of each symmetric class and how many hands are of it.

    Copies of a card are interchangeable, and of #6 it matters only how many nations show a couple, a red card alone or
    a black card alone, so that the nations stand in for one another.
    """
    kinds = [(f"{number}{colour}", copies) for number, copies in COPIES_OF_ONE_COLOUR.items() for colour in "RB"]
    for counts in product(*(range(copies + 1) for _, copies in kinds)):
        left = 5 - sum(counts)
        if left < 0:
            continue
        plain = [card for (card, _), count in zip(kinds, counts, strict=True) for _ in range(count)]
        ways = prod(comb(copies, count) for (_, copies), count in zip(kinds, counts, strict=True))
        for couples in range(left // 2 + 1):
            for red in range(left - 2 * couples + 1):
                black = left - 2 * couples - red
                sixes = [f"6{colour}-{nation:02}" for nation in range(1, couples + 1) for colour in "RB"]
                sixes += [f"6R-{couples + at:02}" for at in range(1, red + 1)]
                sixes += [f"6B-{couples + red + at:02}" for at in range(1, black + 1)]
                nations = comb(16, couples) * comb(16 - couples, red) * comb(16 - couples - red, black)
                yield tuple(plain + sixes), ways * nations


@pytest.fixture(scope="module")
def hands():
    return dict(symmetric_hands())


def test_the_deck_holds_what_the_rules_say():
    assert len(PACK) == 64
    held = Counter(card[0] for card in PACK)
    assert held == {"1": 2, "2": 2, "3": 4, "4": 8, "5": 16, "6": 32}
    for number, count in held.items():
        assert sum(card[0] == number and card[1] == "R" for card in PACK) == count // 2
    assert Counter(card[3:] for card in PACK if card[0] == "6") == {f"{nation:02}": 2 for nation in range(1, 17)}
    assert [card for row in SIXTY_FOUR.order for card in row] == list(SIXTY_FOUR.copies) == list(SIXTY_FOUR.faces)
    assert len({len(row) for row in SIXTY_FOUR.order[2:]}) == 1


def test_no_cards_keystrokes_begin_with_anothers():
    keys = [face.keys for face in SIXTY_FOUR.faces.values()]
    assert all(not one.startswith(other) for one in keys for other in keys if one is not other)
    assert len(set(keys)) == len(keys)


def test_all_hands_fall_into_the_classes_as_the_rules_count_them(hands):
    counted = Counter()
    for cards, weight in hands.items():
        counted[strength(cards).hand_class.name] += weight
    assert sum(hands.values()) == comb(64, 5) == 7_624_512
    assert counted == COUNTS == HANDS


@pytest.mark.proof
def test_all_hands_card_by_card_are_as_many(hands):
    """Without any symmetry: 64 cards, of which the copies lie side by side; in short those that have the first card."""
    short = proof.size(0, 1)
    fixed, rest = tuple(PACK[:short]), PACK[short:]
    counted = Counter(strength((*fixed, *cards)).hand_class.name for cards in combinations(rest, 5 - short))
    expected = Counter()
    for cards, weight in hands.items():
        # The first card is there once, so that it is of the hands of a class by itself.
        if set(fixed) <= set(cards):
            expected[strength(cards).hand_class.name] += weight
    assert counted == proof.size(COUNTS, expected)
    assert counted.total() == comb(64 - short, 5 - short)


# A second reading of the rules: a class is a question on the cards, a comparison a first difference.


def of_number(cards, number):
    return [card for card in cards if card[0] == str(number)]


def couples(cards):
    return sum(1 for red in cards if red[:2] == "6R" and red.replace("R", "B") in cards)


def multiples(cards):
    """Numbers by how often they are held: {2: [4, 5], 1: [6]}."""
    held = {}
    for number in range(1, 7):
        held.setdefault(len(of_number(cards, number)), []).append(number)
    return held


def colours(cards):
    red = sum("R" in card for card in cards)
    return red, 5 - red


def is_run(cards, *starts):
    numbers = {int(card[0]) for card in cards}
    return any(numbers == set(range(start, start + 5)) for start in starts)


QUESTIONS = {
    "america": lambda cards: is_run(cards, 1) and 5 in colours(cards),
    "ancestors": lambda cards: is_run(cards, 2) and 5 in colours(cards),
    "straight": lambda cards: is_run(cards, 1, 2),
    "grandparents": lambda cards: len(of_number(cards, 3)) == 4,
    "xx_century": lambda cards: len(of_number(cards, 4)) == 5,
    "two_countries": lambda cards: couples(cards) == 2,
    "victorian": lambda cards: len(of_number(cards, 5)) == 5,
    "europe": lambda cards: len(of_number(cards, 6)) == 5,
    "children": lambda cards: "1R" in cards and "1B" in cards,
    "parents": lambda cards: "2R" in cards and "2B" in cards,
    "country": lambda cards: couples(cards) == 1,
    "four_of_a_kind": lambda cards: 4 in multiples(cards),
    "full_house": lambda cards: 3 in multiples(cards) and 2 in multiples(cards),
    "flush": lambda cards: 5 in colours(cards),
    "three_of_a_kind": lambda cards: 3 in multiples(cards),
    "two_pair": lambda cards: len(multiples(cards).get(2, [])) == 2,
    "pair": lambda cards: 2 in multiples(cards),
    "high_card": lambda cards: True,
}


def class_of(cards):
    return next(name for name, holds in QUESTIONS.items() if holds(cards))


def without(cards, *numbers):
    """The numbers of the cards but for those of some numbers, lowest first."""
    return sorted(int(card[0]) for card in cards if int(card[0]) not in numbers)


def without_couples(cards):
    couple = [card for card in cards if card[0] == "6" and {f"6R{card[2:]}", f"6B{card[2:]}"} <= set(cards)]
    return sorted(int(card[0]) for card in cards if card not in couple)


def tie_breaks(cards):
    """What is compared in turn inside a class, the lower value ahead."""
    held = multiples(cards)
    total = sum(int(card[0]) for card in cards)
    match class_of(cards):
        case "straight":
            return [0 if of_number(cards, 1) else 1]
        case "two_countries":
            return without_couples(cards)
        case "victorian" | "europe":
            return [min(colours(cards))]
        case "country":
            return [min(without_couples(cards)), total]
        case "four_of_a_kind":
            return [*held[4], *held[1]]
        case "full_house":
            return [*held[3], *held[2]]
        case "flush":
            return [min(without(cards)), total]
        case "three_of_a_kind":
            return [*held[3], min(without(cards, *held[3])), total]
        case "two_pair":
            return [min(held[2]), max(held[2]), *held[1]]
        case "pair":
            return [*held[2], min(without(cards, *held[2])), total]
        case "high_card":
            return without(cards)
    return []


def beats(one, other):
    """1, 0 or -1, as the first hand is ahead, equal or behind."""
    names = list(QUESTIONS)
    places = names.index(class_of(one)), names.index(class_of(other))
    if places[0] != places[1]:
        return 1 if places[0] < places[1] else -1
    for mine, yours in zip(tie_breaks(one), tie_breaks(other), strict=True):
        if mine != yours:
            return 1 if mine < yours else -1
    return 0


def test_every_hand_has_the_class_and_the_place_of_the_second_reading(hands):
    """Sorted by the second reading, the hands are sorted by strength, and equal exactly where it finds them equal."""
    # Of hands that the second reading can't tell apart one for each strength is enough to be sorted.
    told = {(class_of(cards), tuple(tie_breaks(cards)), strength(cards)): cards for cards in hands}
    assert all(name == found.hand_class.name for name, _, found in told)
    ordered = sorted(told.values(), key=cmp_to_key(beats))
    groups = [list(group) for _, group in groupby(ordered, key=cmp_to_key(beats))]
    strengths = [{strength(cards) for cards in group} for group in groups]
    assert all(len(group) == 1 for group in strengths)
    flat = [group.pop() for group in strengths]
    assert flat == sorted(set(flat))
    assert len(flat) == len({strength(cards) for cards in hands})


some_hand = st.lists(st.sampled_from(range(64)), min_size=5, max_size=5, unique=True).map(
    lambda places: tuple(PACK[place] for place in places)
)
COLOURS_SWAPPED = str.maketrans("RB", "BR")


@given(some_hand, some_hand, some_hand)
def test_ranking_is_a_total_preorder(one, other, third):
    assert beats(one, other) == -beats(other, one)
    assert (strength(one) > strength(other)) == (beats(one, other) == 1)
    assert (strength(one) == strength(other)) == (beats(one, other) == 0)
    if beats(one, other) >= 0 and beats(other, third) >= 0:
        assert beats(one, third) >= 0


@given(
    some_hand, st.permutations(range(5)), st.permutations([f"{nation:02}" for nation in range(1, 17)]), st.booleans()
)
def test_neither_the_order_nor_nations_nor_colours_rank(cards, order, nations, swap):
    moved = [cards[place] for place in order]
    moved = [card if len(card) == 2 else card[:3] + nations[int(card[3:]) - 1] for card in moved]
    if swap:
        moved = [card.translate(COLOURS_SWAPPED) for card in moved]
    assert strength(moved) == strength(cards)
    assert describe(shape(moved)) == describe(shape(cards))


@st.composite
def showdowns(draw):
    players = draw(st.integers(2, 8))
    cards = draw(st.permutations(PACK))
    names = [f"P{number}" for number in range(players)]
    hands = [{"player": name, "cards": cards[5 * at : 5 * at + 5]} for at, name in enumerate(names)]
    return {"game": "genpoker", "pot": draw(st.integers(1, 10**12)), "hands": hands}


@given(showdowns(), st.randoms(use_true_random=False))
def test_the_ranking_does_not_depend_on_seats_and_the_shares_add_up_to_the_pot(line, random):
    result = GENPOKER.settle(GENPOKER.read(line))
    hands = random.sample(line["hands"], len(line["hands"]))
    other = GENPOKER.settle(GENPOKER.read({**line, "hands": hands}))
    assert [set(group) for group in other["ranking"]] == [set(group) for group in result["ranking"]]
    seats = [hand["player"] for hand in hands]
    assert all(group == sorted(group, key=seats.index) for group in other["ranking"])
    shares = result["shares"]
    assert list(shares) == result["ranking"][0]
    assert sum(shares.values()) == line["pot"]
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert max(shares.values()) - min(shares.values()) <= 1
    assert (result["decided_by"] is None) == (len(result["ranking"]) == 1)
    assert result["decided_by"] in (None, result["hands"][result["ranking"][0][0]]["clauses"][-1])


def test_each_class_has_its_clause_in_their_order():
    assert [made.name for made in CLASSES] == list(COUNTS) == list(QUESTIONS)
    assert [made.clause for made in CLASSES] == [f"genpoker.{number}" for number in range(11, 29)]
