"""The class of a hand against every choice of one symbol per card, as presidential.9 defines it."""

import random
from collections import Counter
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.presidential import PRESIDENTIAL
from casino.games.presidential import pack as packs
from casino.games.presidential.hands import CLASSES, STRENGTH, apart, best, dealt_out
from casino.games.presidential.ties import decider, tie
from tests.support import proof
from tests.support.presidential_cards import hand, plain, plain_deck

HOUSE = packs.house()
PLAIN = plain()
DECKS = pytest.mark.parametrize("pack", [HOUSE, PLAIN], ids=["house", "plain"])


def class_of_choice(symbols, families):
    """The class that one symbol per card gives, read off the table of presidential.11 to .27; Kingdom V apart."""
    count = Counter(symbols)
    kin = Counter(families)
    rainbow = {f"hue {hue}" for hue in packs.RAINBOW}
    if kin.keys() == rainbow and len({symbol.split()[1].split("-")[0] for symbol in symbols}) == 1:
        return "7:1"
    found = []
    for symbol, held in count.items():
        if held < 4:
            continue
        own = families[symbols.index(symbol)]
        # Similar are symbols of one family; equal ones always are.
        rest = [(other, family) for other, family in zip(symbols, families, strict=True) if other != symbol]
        same = Counter(other for other, family in rest if family == own)
        others = Counter(other for other, _ in rest)
        if 3 in same.values():
            found.append("7:0")
        if same and max(same.values()) >= 2:
            found.append("6:1")
        for index, (_, family) in enumerate(rest):
            if family == own:
                (one, one_family), (two, two_family) = rest[:index] + rest[index + 1 :]
                found += ["5:2"] if one == two else ["5:1:1"] if one_family == two_family else []
        if 3 in others.values():
            found.append("4:3")
        if len({family for _, family in rest}) == 1:
            found.append("4:2:1" if sorted(others.values()) == [1, 2] else "4:1:1:1")
    groups = sorted(count.values(), reverse=True)
    threes, twos = sum(held >= 3 for held in groups), sum(held >= 2 for held in groups)
    if threes == 2:
        found.append("3:3:1")
    if threes and twos == 3:
        found.append("3:2:2")
    if threes and twos == 2:
        found.append("3:2:1:1")
    if threes:
        found.append("3:1:1:1:1")
    found.append(("0:7", "2:1:1:1:1:1", "2:2:1:1:1", "2:2:2:1")[min(twos, 3)])
    return max(found, key=STRENGTH.__getitem__)


def by_trying_all(pack, cards, *, reduced=True):
    """The best class of all choices. `reduced`: symbols without kin in the hand count as one, for they make nothing."""
    if all(pack.cards[card].kingdom == 5 for card in cards):
        return "7:7"

    def family(symbol):
        return packs.family(symbol) or symbol

    in_hand = Counter(family(symbol) for card in cards for symbol in pack.symbols[card])
    choices = []
    for place, card in enumerate(cards):
        symbols = [(symbol, family(symbol)) for symbol in pack.symbols[card]]
        kept = [pair for pair in symbols if not reduced or in_hand[pair[1]] > 1 or pair[1][4:] in packs.RAINBOW]
        alone = [(f"alone {place}", f"alone {place}")] if len(kept) < len(symbols) else []
        choices.append([*kept, *alone])

    @cache
    def of(chosen):
        symbols, families = zip(*chosen, strict=True)
        return class_of_choice(symbols, families)

    # The order of the cards is nothing to a class.
    return max({of(tuple(sorted(chosen))) for chosen in product(*choices)}, key=STRENGTH.__getitem__)


def some_hand(chance, pack):
    """Random, or dense: around the cards of one or two symbols, where the high classes are."""
    carriers = {}
    for card, symbols in pack.symbols.items():
        for symbol in symbols:
            carriers.setdefault(symbol, []).append(card)
    first = chance.choice(sorted(carriers))
    near = [symbol for symbol in sorted(carriers) if packs.family(symbol) == packs.family(first)]
    held = {
        0: [],
        1: carriers[first],
        2: carriers[first] + chance.sample(carriers[chance.choice(near)], 2),
        3: carriers[first] + carriers[chance.choice(near)],
    }[chance.randrange(4)]
    held = list(dict.fromkeys(held))[:7]
    others = [card for card in pack.cards if card not in held]
    return held + chance.sample(others, 7 - len(held))


@DECKS
def test_a_class_is_the_best_of_all_choices(pack):
    chance = random.Random(28)
    for _ in range(5):
        cards = some_hand(chance, pack)
        assert best(pack, cards).name == by_trying_all(pack, cards), cards


@pytest.mark.parametrize("reduced", [True, pytest.param(False, marks=pytest.mark.proof)])
def test_a_class_is_the_best_of_279936_choices_symbol_by_symbol(reduced):
    cards = hand("S16 P13 N15 R14 F7 L12 C4")
    assert best(HOUSE, cards).name == by_trying_all(HOUSE, cards, reduced=reduced) == "4:1:1:1"


@pytest.mark.proof
@DECKS
def test_a_class_is_the_best_of_all_choices_over_many_hands(pack):
    chance = random.Random(72)
    met = Counter()
    for _ in range(proof.size(200, 20)):
        cards = some_hand(chance, pack)
        found = best(pack, cards).name
        met[found] += 1
        assert found == by_trying_all(pack, cards), cards
    print(dict(met))


@DECKS
def test_what_a_class_is_made_of_lies_in_the_hand_and_no_card_is_used_twice(pack):
    chance = random.Random(9)
    for _ in range(400):
        cards = some_hand(chance, pack)
        made = best(pack, cards)
        places = dealt_out(made.parts)
        used = [place for part in places for place in part]
        assert len(used) == len(set(used)) == sum(part.size for part in made.parts) <= 7
        assert apart(made.parts)
        for part, of_part in zip(made.parts, places, strict=True):
            for place in of_part:
                symbols = pack.symbols[cards[place]]
                assert part.what in {*symbols, *filter(None, map(packs.family, symbols))}


@DECKS
def test_no_place_in_a_hand_is_better_than_another(pack):
    chance = random.Random(10)
    for _ in range(400):
        cards = some_hand(chance, pack)
        turned = [[*cards[place:], *cards[:place]] for place in range(7)]
        assert len({best(pack, each).name for each in turned}) == 1, cards


def test_a_hand_without_a_class_is_possible_where_fewer_symbols_are_shared():
    cards = ["1-dark-red", "2-dark-orange", "3-dark-yellow", "5-dark-blue", "6-dark-indigo", "9-light-red", "13-grey"]
    assert best(PLAIN, cards).name == "0:7"


def test_of_any_six_cards_of_the_house_deck_two_share_a_symbol():
    symbols = {card: set(found) for card, found in HOUSE.symbols.items()}
    strangers = {card: {other for other in symbols if symbols[card].isdisjoint(symbols[other])} for card in symbols}

    def unrelated(cards):
        """The most of the cards of which no two share a symbol."""
        most = 0
        while cards:
            most = max(most, 1 + unrelated(strangers[cards.pop()] & cards))
        return most

    assert unrelated(set(symbols)) == 5


def test_every_class_has_its_clause():
    assert list(CLASSES.values()) == [f"presidential.{number}" for number in range(11, 28)]
    assert set(CLASSES.values()) <= set(PRESIDENTIAL.clauses)


@pytest.mark.parametrize(
    ("better", "worse", "clause"),
    [
        # 8-8-8-8-2-3-4 and 4-4-4-4-17-18-19: the rule's own example can't be dealt together, a 4 would lie twice.
        ("E8 F8 G8 H8 B2 C3 D4", "A4 B4 C4 D4 T17T T18T U18T", "presidential.32"),
        ("J10 K10 E6 E5 A4 A3 A1", "L10 M10 F6 F5 A2 B2 B1", "presidential.33"),
        ("A1 B2 C3 D4 E5 F6 G7", "P16 N16 R16 S16 P15 P14 P13", "presidential.31"),
        ("T17T U18T T18P R16 R15 R14 S13", "S16 S15 S14 P13 M12 L11 L10", "presidential.31"),
        ("A4 B4 E6 E5 A3 A1 P16", "T18T S16 P15 M12 J9 G8 F6", "presidential.32"),
        ("T17T U17P A1 B2 C3 E5 F6", "P16 R16 A2 B1 D3 G5 H6", "presidential.32"),
        ("A1 A2 A3 A4 E5 E6 M12", "B1 A2 A3 A4 E5 E6 L12", "presidential.34"),
        ("T17P U17T A1 B2 C3 E5 F6", "T17T U17T A1 B2 C3 E5 F6", "presidential.35"),
    ],
)
def test_inside_a_class_the_clauses_decide_in_their_order(better, worse, clause):
    first, second = tie(HOUSE, hand(better)), tie(HOUSE, hand(worse))
    assert first > second
    assert decider(first, second) == clause


hands = st.permutations(sorted(HOUSE.cards)).map(lambda cards: cards[:7])


def strength(cards):
    return STRENGTH[best(HOUSE, cards).name], tie(HOUSE, cards)


@settings(max_examples=proof.examples(60))
@given(hands, st.data())
def test_the_order_of_the_cards_is_nothing_to_a_hand(cards, data):
    assert strength(cards) == strength(data.draw(st.permutations(cards)))


@settings(max_examples=proof.examples(60))
@given(hands)
def test_no_choice_of_numbers_serves_better_than_the_one_taken(cards):
    choices = []
    for chosen in product(*(HOUSE.cards[card].numbers for card in cards)):
        numbers = tuple(sorted(chosen, reverse=True))
        held = Counter(numbers)
        count, number = max((count, number) for number, count in held.items())
        straight = numbers[0] if all(held[numbers[0] - step] == 1 for step in range(7)) else 0
        choices.append((straight, (count, number) if count > 1 else (0, 0), numbers))
    assert tie(HOUSE, cards)[:3] == max(choices)


def test_the_plain_deck_holds_to_the_rules_but_for_the_colours_of_its_kingdoms():
    assert packs.read(plain_deck()).warnings == ()
