"""What holds for every round of Split Poker, and a second settlement written another way."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from casino.cards import DECK_52, RANKS
from casino.games.game import Fault, Wager
from casino.games.sentences import tell
from casino.games.split import SPLIT
from casino.games.split.sheet import PAID_CATEGORIES, STARTING_TABLE
from tests.support import proof

# A second opinion: hands as tuples from counters and windows, stakes as one dict, amounts as fractions.

ORDER = ["high_card", *PAID_CATEGORIES]
WINDOWS = ["A2345", *(RANKS[start : start + 5] for start in range(9))]


def big_value(five):
    ranks = Counter(card[0] for card in five)
    shape = sorted(ranks.values(), reverse=True)
    flush = len({card[1] for card in five}) == 1
    window = next((window for window in WINDOWS if set(window) == set(ranks)), None)
    if window and flush:
        category = "royal_flush" if window == "TJQKA" else "straight_flush"
    elif window:
        category = "straight"
    elif flush:
        category = "flush"
    else:
        category = {
            (4, 1): "four_of_a_kind",
            (3, 2): "full_house",
            (3, 1, 1): "three_of_a_kind",
            (2, 2, 1): "two_pair",
            (2, 1, 1, 1): "pair",
        }.get(tuple(shape), "high_card")
    if window:
        return category, (ORDER.index(category), WINDOWS.index(window))
    return category, (
        ORDER.index(category),
        *sorted(((count, RANKS.index(rank)) for rank, count in ranks.items()))[::-1],
    )


def small_value(two):
    high, low = sorted((RANKS.index(card[0]) for card in two), reverse=True)
    return (high == low, high, low)


def hands(line, box):
    if box["action"] == "bet" and line["unseen_cards"] == "small_hand":
        return box["cards"], box["extra"]
    seven = box["cards"] + box["extra"]
    chosen = [box["small"]] if box.get("small") else combinations(seven, 2)
    options = [([card for card in seven if card not in small], small) for small in chosen]
    return max(options, key=lambda option: (big_value(option[0])[1], small_value(option[1])))


def second_opinion(line, box):
    """The outcome and the net of a box."""
    ante = Fraction(box["ante"])
    fees = ante * (box["action"].startswith("buy") + box.get("buys_game", False))
    ruling = {"what": "void"} if line["void"] else box.get("ruling")
    if ruling:
        bet = 0 if "fold" in box["action"] else 2 * ante
        return ruling["what"], 0 if ruling["what"] == "void" else -ante - bet - fees
    if "fold" in box["action"]:
        return "fold", -ante - fees
    dealer = list(line["dealer"]["cards"])
    if big_value(dealer)[0] == "high_card":
        if not box["buys_game"]:
            return "no_game", paid(line, ante) - fees
        dealer.remove(max(dealer, key=lambda card: RANKS.index(card[0])))
        dealer.append(line["dealer"]["replacement"])
        if big_value(dealer)[0] == "high_card":
            return "no_game_bought", -fees
    big, small = hands(line, box)
    category, value = big_value(big)
    if value == big_value(dealer)[1]:
        return "stand_off", -fees
    if value < big_value(dealer)[1]:
        return "lose", -3 * ante - fees
    coefficient = Fraction(line["coefficients"][category].replace(":", "/"))
    if small_value(small) >= small_value(line["dealer"]["small"]):
        return "win_bet", paid(line, 2 * ante * coefficient) - fees
    return "win_ante", paid(line, ante * (coefficient if line["small_hand_loss_pays"] == "coefficient" else 1)) - fees


def paid(line, amount):
    return min(amount, line["max_payment"] or amount) // line["chip"] * line["chip"]


# Rounds.


@st.composite
def tables_of_coefficients(draw):
    ratios = draw(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 7)), min_size=9, max_size=9))
    ratios.sort(key=lambda ratio: Fraction(*ratio))
    return {category: f"{n}:{d}" for category, (n, d) in zip(PAID_CATEGORIES, ratios, strict=True)}


@st.composite
def rounds(draw):
    """A complete line: every parameter spelled out, every card given."""
    pack = list(draw(st.permutations(DECK_52)))
    chip = draw(st.sampled_from([1, 5, 25]))
    five, replacement, small, pack = pack[:5], pack[5], pack[6:8], pack[8:]
    game = big_value(five)[0] != "high_card"
    boxes = []
    for number in draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True)):
        action = draw(st.sampled_from(["fold", "bet", "buy_bet", "buy_fold"]))
        box = {"box": number, "ante": chip * draw(st.integers(1, 200)), "action": action, "cards": pack[:5]}
        if action != "fold":
            box["extra"] = pack[5:7]
        if action == "buy_bet" and draw(st.booleans()):
            box["small"] = draw(st.permutations(pack[:7]))[:2]
        if not game and action in ("bet", "buy_bet"):
            box["buys_game"] = draw(st.booleans())
        if draw(st.integers(0, 9)) == 0:
            box["ruling"] = {"what": draw(st.sampled_from(["forfeit", "void"])), "clause": "split.36"}
        pack = pack[7:]
        boxes.append(box)
    bought = any(box.get("buys_game") for box in boxes)
    counting = [*sorted(five, key=lambda card: RANKS.index(card[0]))[:4], replacement] if bought else five
    ends_with_game = big_value(counting)[0] != "high_card"
    return {
        "game": "split",
        "chip": chip,
        "max_payment": draw(st.none() | st.integers(1, 5000)),
        "small_hand_loss_pays": draw(st.sampled_from(["even", "coefficient"])),
        "unseen_cards": draw(st.sampled_from(["small_hand", "house_way"])),
        "coefficients": draw(st.just(STARTING_TABLE) | tables_of_coefficients()),
        "void": {"clause": "split.36"} if draw(st.integers(0, 19)) == 0 else None,
        "dealer": {
            "cards": five,
            "replacement": replacement if bought else None,
            "small": small if ends_with_game else None,
        },
        "boxes": boxes,
    }


def settled(line):
    facts = SPLIT.read(line)
    assert not isinstance(facts, Fault), facts
    return facts, SPLIT.settle(facts)


@settings(max_examples=proof.examples(400))
@given(rounds())
def test_a_second_opinion_agrees_on_outcome_and_net(line):
    _, result = settled(line)
    for box, found in zip(line["boxes"], result["boxes"], strict=True):
        assert (found["outcome"], found["net"]) == second_opinion(line, box)


@given(rounds())
def test_what_the_boxes_net_the_house_nets_with_the_other_sign(line):
    _, result = settled(line)
    assert result["house_net"] == -sum(box["net"] for box in result["boxes"])
    for box in result["boxes"]:
        assert box["net"] == sum(row["returned"] + row["paid"] - row["stake"] for row in box["wagers"])


@given(rounds())
def test_no_box_is_paid_above_the_maximum_and_every_payment_is_in_whole_chips(line):
    _, result = settled(line)
    for box in result["boxes"]:
        paid_units = [row["paid"] for row in box["wagers"]]
        assert sum(paid_units) <= (line["max_payment"] or sum(paid_units))
        assert all(units % line["chip"] == 0 for units in paid_units)


@given(rounds())
def test_a_wager_is_returned_whole_or_not_at_all_and_a_fee_only_when_void(line):
    _, result = settled(line)
    for box in result["boxes"]:
        for row in box["wagers"]:
            assert row["returned"] in (0, row["stake"])
            if row["kind"].endswith("_fee") and box["outcome"] != "void":
                assert (row["returned"], row["paid"]) == (0, 0)


@given(rounds())
def test_the_same_facts_give_the_same_result_also_through_json(line):
    _, result = settled(line)
    _, again = settled(json.loads(json.dumps(line)))
    assert json.dumps(again) == json.dumps(result)


@given(rounds(), st.data())
def test_the_order_of_the_boxes_changes_nothing_but_their_order(line, data):
    _, result = settled(line)
    order = data.draw(st.permutations(range(len(line["boxes"]))))
    _, other = settled({**line, "boxes": [line["boxes"][index] for index in order]})
    assert other["boxes"] == [result["boxes"][index] for index in order]
    assert other["house_net"] == result["house_net"]
    assert other["dealer"] == result["dealer"]


@given(rounds())
def test_the_order_in_which_a_hands_cards_are_entered_changes_no_net(line):
    _, result = settled(line)
    turned = json.loads(json.dumps(line))
    turned["dealer"]["cards"].reverse()
    for box in turned["boxes"]:
        box["cards"].reverse()
    _, other = settled(turned)
    assert [box["net"] for box in other["boxes"]] == [box["net"] for box in result["boxes"]]


@given(rounds())
def test_every_box_is_explained_box_by_box_with_clauses_that_exist_and_all_that_decided(line):
    facts, result = settled(line)
    reasons = SPLIT.explain(facts, result)
    assert list(dict.fromkeys(reason.box for reason in reasons)) == [box["box"] for box in line["boxes"]]
    for box in result["boxes"]:
        cited = [reason.clause for reason in reasons if reason.box == box["box"]]
        assert set(cited) <= set(SPLIT.clauses)
        in_order = iter(cited)
        assert all(clause in in_order for clause in box["clauses"])
    for reason in reasons:
        assert tell(SPLIT.sentences, reason)
        assert all(isinstance(value, str | int | Fraction) for value in reason.values.values())


@given(rounds(), st.randoms(use_true_random=False))
def test_wagers_in_any_order_are_paid_what_the_result_says(line, random):
    facts, result = settled(line)
    staked = [(box["box"], row["kind"], row["stake"]) for box in result["boxes"] for row in box["wagers"]]
    random.shuffle(staked)
    wagers = [Wager(ordinal, *wager) for ordinal, wager in enumerate(staked, 1)]
    sheet = SPLIT.sheet({})
    pays = SPLIT.pay(facts, result, wagers, sheet, SPLIT.carry(facts, result, sheet, None))
    assert [Wager(*pay[:4]) for pay in pays] == wagers
    assert sum(pay.net_units for pay in pays) == -result["house_net"]


@given(st.permutations(DECK_52[:26]), st.permutations(DECK_52[26:]))
def test_the_dealers_ranks_in_other_suits_stand_off(clubs_and_diamonds, hearts_and_spades):
    five = clubs_and_diamonds[:4]
    twin = five[0][0] + "cd"[five[0][1] == "c"]
    five = [*five, twin if twin not in five else clubs_and_diamonds[4]]
    twins = [card[0] + "hs"[card[1] == "c"] for card in five]
    rest = [card for card in hearts_and_spades if card not in twins]
    box = {"box": 1, "ante": 10, "action": "bet", "cards": twins, "extra": rest[:2]}
    _, result = settled({"dealer": {"cards": five, "small": rest[2:4]}, "boxes": [box]})
    assert (result["boxes"][0]["outcome"], result["boxes"][0]["net"]) == ("stand_off", 0)
