"""Split Poker as it is played, branch by branch."""

import pytest

from casino.games import game
from casino.games.game import Action, Fault
from casino.games.sentences import fill
from casino.games.split import SPLIT
from casino.games.split.irregularities import RULED_AT_THE_TABLE, RULED_BY
from tests.support.moves import FLUSH, dealt, hands, play, refusal, table

HIGH_CARD = "Qc Td 8c 6c 4d"


def offered(state, *, kind=None):
    return {(offer.kind, offer.box) for offer in SPLIT.legal(state) if kind in (None, offer.kind)}


def croupiers(state):
    return {(offer.kind, offer.box) for offer in SPLIT.legal(state) if offer.role == "croupier"}


def primary(state):
    expected = [(offer.kind, offer.box) for offer in SPLIT.legal(state) if offer.primary]
    assert len(expected) == (0 if SPLIT.view(state).final else 1)
    return expected[0] if expected else None


def settled(state):
    facts = SPLIT.read(SPLIT.facts(state))
    assert not isinstance(facts, Fault), facts
    return {box["box"]: (box["outcome"], box["net"]) for box in SPLIT.settle(facts)["boxes"]}


# The rounds, branch by branch.


def test_all_fold_and_the_round_is_final_at_the_reveal():
    state = play(dealt(10, 20), "open_card 9d", "fold 1", "fold 2", "reveal 9s Ac 7h 3s")
    assert SPLIT.view(state).final
    assert primary(state) is None
    assert croupiers(state) == set()
    assert settled(state) == {1: ("fold", -10), 2: ("fold", -20)}
    assert "small" not in SPLIT.facts(state)["dealer"]


def test_with_a_game_the_dealer_takes_two_and_the_boxes_show():
    state = play(dealt(10, 10, 10), "open_card 9d", "bet 1", "fold 2", "bet 3", "reveal 9s Ac 7h 3s")
    assert primary(state) == ("small_hand", None)
    state = play(state, "small_hand Kd 4c")
    assert SPLIT.view(state).phase == "showing"
    assert croupiers(state) == {("show", 1), ("show", 3)}
    state = play(state, f"show 3 {HIGH_CARD} / 2c 2d", f"show 1 {FLUSH} / Kc 4s")
    assert SPLIT.view(state).final
    assert settled(state) == {1: ("win_bet", 100), 2: ("fold", -10), 3: ("lose", -30)}


def test_without_a_game_nobody_buys_and_antes_are_paid():
    state = play(dealt(10, 20), "open_card 2s", "bet 1", "bet 2", "reveal As Kd 9c 7h")
    assert croupiers(state) == {(kind, box) for kind in ("take_ante", "buy_game") for box in (1, 2)}
    state = play(state, "take_ante 2", "take_ante 1")
    assert SPLIT.view(state).final
    assert settled(state) == {1: ("no_game", 10), 2: ("no_game", 20)}


def test_a_bought_game_is_compared_with_the_boxes_that_bought_it_alone():
    state = play(dealt(10, 10), "open_card 2s", "bet 1", "bet 2", "reveal As Kd 9c 7h", "buy_game 1", "take_ante 2")
    assert primary(state) == ("replacement", None)
    state = play(state, "replacement Kh")
    assert primary(state) == ("small_hand", None)
    state = play(state, "small_hand Qd 3d")
    assert croupiers(state) == {("show", 1)}
    state = play(state, "show 1 3s 4s 5s 6s 8s / Ah Ad")
    assert settled(state) == {1: ("win_bet", 90), 2: ("no_game", 10)}


def test_a_bought_game_that_is_still_none_gives_the_stakes_back():
    state = play(dealt(10), "open_card 2s", "bet 1", "reveal As Kd 9c 7h", "buy_game 1", "replacement Qh")
    assert SPLIT.view(state).final
    assert settled(state) == {1: ("no_game_bought", -10)}
    assert SPLIT.view(state).say == "Still no game. ANTE and BET go back."


def test_a_box_that_bought_two_still_bets_or_folds():
    state = play(dealt(10, 10), "open_card 2s", "buy 1", "buy 2")
    assert croupiers(state) == {("bet", 1), ("fold", 1), ("bet", 2), ("fold", 2)}
    state = play(state, "fold 2", "bet 1", "reveal As Kd 9c 7h", "take_ante 1")
    assert settled(state) == {1: ("no_game", 0), 2: ("fold", -20)}
    assert [box["action"] for box in SPLIT.facts(state)["boxes"]] == ["buy_bet", "buy_fold"]


def test_the_line_is_the_contracts_example():
    state = play(
        dealt(10),
        *("open_card 2s", "bet 1", "reveal As Kd 9c 7h", "buy_game 1"),
        *("replacement Kh", "small_hand Qd 3d", "show 1 3s 4s 5s 6s 8s / Ah Ad"),
    )
    assert SPLIT.facts(state) == {
        "game": "split",
        "chip": 1,
        "max_payment": None,
        "small_hand_loss_pays": "even",
        "unseen_cards": "small_hand",
        "coefficients": {
            "pair": "1:1",
            "two_pair": "1:1",
            "three_of_a_kind": "3:1",
            "straight": "4:1",
            "flush": "5:1",
            "full_house": "7:1",
            "four_of_a_kind": "20:1",
            "straight_flush": "50:1",
            "royal_flush": "100:1",
        },
        "dealer": {"cards": ["As", "Kd", "9c", "7h", "2s"], "replacement": "Kh", "small": ["Qd", "3d"]},
        "boxes": [
            {
                "box": 1,
                "ante": 10,
                "action": "bet",
                "cards": ["3s", "4s", "5s", "6s", "8s"],
                "extra": ["Ah", "Ad"],
                "buys_game": True,
            }
        ],
    }


def test_half_a_round_has_no_line():
    with pytest.raises(ValueError, match="Show box is still to come"):
        SPLIT.facts(play(dealt(10), "open_card 9d", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c"))


# Antes.


def test_antes_are_offered_within_the_limits_of_the_sheet():
    state = table(chip=5, ante_minimum=25, ante_maximum=500, boxes=2)
    offers = [offer for offer in SPLIT.legal(state) if offer.kind == "ante"]
    assert [offer.box for offer in offers] == [1, 2]
    [field] = offers[0].fields
    assert (field.minimum, field.maximum, field.step) == (25, 500, 5)


@pytest.mark.parametrize(("units", "clause"), [(1550, "split.4"), (50550, "split.4"), (2650, "split.23")])
def test_an_ante_off_the_limits_or_the_chip_is_refused_by_its_clause(units, clause):
    refused = refusal(table(chip=250, ante_minimum=2250, ante_maximum=50250), f"ante 1 {units}")
    assert (refused.code, refused.path, refused.clause) == ("field_out_of_range", "units", clause)
    told = fill(refused.message, refused.values, 2)
    assert told == f"ANTE is {units // 100}.50; it runs from 22.50 to 502.50 in multiples of 2.50."
    assert fill(refused.way_out, refused.values, 2) == (
        "Choose a multiple of 2.50." if clause == "split.23" else "Choose an amount in that range."
    )


def test_a_chip_of_one_unit_is_not_named_among_the_limits():
    refused = refusal(table(ante_minimum=5, ante_maximum=100), "ante 1 3")
    assert fill(refused.message, refused.values) == "ANTE is 3; it runs from 5 to 100."


def test_a_box_has_one_ante():
    state = play(table(), "ante 2 10")
    assert refusal(state, "ante 2 10").code == "box_wrong_moment"
    assert offered(state, kind="take_back") == {("take_back", 2)}


def test_betting_does_not_close_on_an_empty_table():
    assert refusal(table(), "close_betting").code == "action_wrong_moment"
    assert primary(table()) == ("ante", 1)
    assert primary(table(box_order="descending")) == ("ante", 6)


@pytest.mark.parametrize(("order", "boxes"), [("ascending", [1, 2, 3, 4, 5, 6]), ("descending", [6, 5, 4, 3, 2, 1])])
def test_antes_are_offered_in_the_sheet_s_order(order, boxes):
    """The terminal's ring goes on by it from box to box."""
    assert [offer.box for offer in SPLIT.legal(play(table(box_order=order), "ante 4 10"))] == [*boxes, None]


def test_an_ante_taken_back_leaves_no_gap():
    state = play(table(), "ante 3 10", "ante 1 20", "ante 2 30", "take_back 1")
    assert SPLIT.view(state).wagers == (game.Wager(1, 3, "ante", 10), game.Wager(2, 2, "ante", 30))
    assert [box.number for box in SPLIT.view(state).boxes] == [2, 3]
    assert play(state, "ante 1 40").wagers[2] == game.Wager(3, 1, "ante", 40)


def test_wagers_stand_in_the_order_of_staking():
    state = play(table(), "ante 2 10", "ante 1 20", "close_betting", "open_card 2s", "buy 2", "bet 1", "bet 2")
    state = play(state, "reveal As Kd 9c 7h", "buy_game 2")
    assert [(wager.ordinal, wager.box, wager.kind, wager.units) for wager in SPLIT.view(state).wagers] == [
        (1, 2, "ante", 10),
        (2, 1, "ante", 20),
        (3, 2, "cards_fee", 10),
        (4, 1, "bet", 40),
        (5, 2, "bet", 20),
        (6, 2, "game_fee", 10),
    ]


# Turns.


def test_the_open_card_comes_before_any_decision():
    state = dealt(10)
    assert croupiers(state) == {("open_card", None)}
    assert SPLIT.view(state).turn is None
    assert SPLIT.view(play(state, "open_card 2s")).turn == 1


def test_boxes_are_asked_in_order_and_those_that_bought_again_at_the_end():
    state = play(dealt(10, 10, 10), "open_card 2s")
    assert primary(state) == ("bet", 1)
    state = play(state, "buy 1")
    assert primary(state) == ("bet", 2)
    state = play(state, "bet 3")
    assert primary(state) == ("bet", 2)
    state = play(state, "fold 2")
    assert primary(state) == ("bet", 1)
    assert SPLIT.view(state).turn == 1
    assert primary(play(state, "bet 1")) == ("reveal", None)


def test_a_descending_table_begins_with_the_highest_box():
    state = play(dealt(10, 10, box_order="descending"), "open_card 2s")
    assert SPLIT.view(state).turn == 2
    state = play(state, "bet 2", "bet 1", "reveal As Kd 9c 7h")
    assert primary(state) == ("take_ante", 2)
    state = play(state, "buy_game 1", "buy_game 2", "replacement Kh", "small_hand Qd 3d")
    assert primary(state) == ("show", 2)


# Swept or handed over in the round (house.7).


def handed(state):
    return dict(SPLIT.handed(state))


def test_a_fold_is_swept_with_its_fee():
    state = play(dealt(10, 20), "open_card 2s", "fold 1", "buy 2")
    assert handed(state) == {1: -10}
    assert handed(play(state, "fold 2")) == {1: -10, 2: -40}


def test_boxes_that_do_not_buy_are_paid_before_the_replacement():
    state = play(dealt(10, 20, 30), "open_card 2s", "buy 1", "bet 1", "bet 2", "bet 3", "reveal As Kd 9c 7h")
    state = play(state, "take_ante 1", "take_ante 2", "buy_game 3")
    assert handed(state) == {}
    (offer,) = [offer for offer in SPLIT.legal(state) if offer.primary]
    assert (offer.label, offer.presumes) == ("Replace the ace", ((2, 20), (1, 10)))
    state = play(state, "replacement Qh")
    assert handed(state) == {1: 0, 2: 20}
    assert {number: units for number, (_, units) in settled(state).items()} == {1: 0, 2: 20, 3: -30}


def test_where_nobody_buys_the_round_is_over_and_nothing_was_handed_over():
    state = play(dealt(10, 20), "open_card 2s", "bet 1", "bet 2", "reveal As Kd 9c 7h", "take_ante 1", "take_ante 2")
    assert (SPLIT.view(state).final, handed(state)) == (True, {})


def test_what_is_paid_before_the_replacement_is_capped_and_in_chips():
    values = {"max_payment": 28, "chip": 5, "ante_minimum": 5}
    state = play(dealt(40, 10, **values), "open_card 2s", "bet 1", "bet 2", "reveal As Kd 9c 7h")
    state = play(state, "take_ante 1", "buy_game 2", "replacement Qh")
    assert handed(state) == {1: 25}
    assert settled(state)[1] == ("no_game", 25)


def test_a_box_that_shows_a_big_hand_below_is_swept_and_no_other():
    state = play(dealt(10, 10), "open_card 9d", "bet 1", "bet 2", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    state = play(state, f"show 2 {HIGH_CARD}")
    assert handed(state) == {2: -30}
    assert [box.label for box in SPLIT.view(state).boxes] == ["Next", "Taken"]
    assert handed(play(state, f"show 1 {FLUSH} / Kc 4s")) == {2: -30}


def test_a_ruling_moves_nothing_by_itself():
    """What was swept before it stays swept; the difference is asked for at the end."""
    dealt_out = play(dealt(10, 10, 10), "open_card 9d", "fold 1", "rule 1 void split.36", "rule 2 forfeit split.30")
    assert handed(dealt_out) == {1: -10}
    state = play(dealt_out, "bet 3", "reveal 9s Ac 7h 3s", "small_hand Kd 4c", f"show 3 {HIGH_CARD}")
    assert handed(play(state, "rule 3 void split.36")) == {1: -10, 3: -30}
    assert settled(play(state, "rule 3 void split.36")) == {1: ("void", 0), 2: ("forfeit", -10), 3: ("void", 0)}


def test_a_box_may_decide_out_of_turn():
    state = play(dealt(10, 10), "open_card 2s", "bet 2")
    assert SPLIT.view(state).turn == 1
    assert refusal(state, "bet 2").code == "box_wrong_moment"


def test_labels_say_the_effect_and_offers_the_price():
    state = play(dealt(10, 50), "open_card 2s", "bet 1")
    assert {(offer.label, offer.units) for offer in SPLIT.legal(state) if offer.role == "croupier"} == {
        ("Box 2 folds", None),
        ("Box 2 bets", 100),
        ("Box 2 buys two", 50),
    }
    state = play(state, "bet 2", "reveal As Kd 9c 7h")
    assert ("Box 2 buys the game", 50) in {(offer.label, offer.units) for offer in SPLIT.legal(state)}
    state = play(state, "buy_game 1", "take_ante 2")
    assert [offer.label for offer in SPLIT.legal(state) if offer.primary] == ["Replace the ace"]


# Cards.


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("show 2 Qc 9d 8c 6c 4d / 2c 2d", "cards[1]", "The nine of diamonds already lies with the dealer."),
        ("show 2 Qc Td 8c 6c 4d / 2c 4c", "extra[1]", "The four of clubs already lies in the dealer’s Small Hand."),
        ("show 2 Qc Td 8c 6c 8h / 2c 2d", "cards[4]", "The eight of hearts already lies in box 1."),
        ("show 2 Qc Td 8c 6c 4s / 2c 2d", "cards[4]", "The four of spades already lies in box 1."),
        ("show 2 Qc Td 8c 6c 4d / 2c Td", "extra[1]", "The ten of diamonds already lies in box 2."),
    ],
)
def test_a_card_lies_in_one_place(text, path, message):
    state = play(dealt(10, 10), "open_card 9d", "bet 1", "bet 2", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    state = play(state, f"show 1 {FLUSH} / Kc 4s")
    refused = refusal(state, text)
    assert (refused.code, refused.path, refused.message, refused.clause) == (
        "card_duplicate",
        path,
        message,
        "house.2",
    )
    assert "split.36" in refused.way_out


def test_the_open_card_is_not_among_the_four_that_are_revealed():
    state = play(dealt(10), "open_card 9d", "fold 1")
    assert refusal(state, "reveal 9s Ac 9d 3s").path == "cards[2]"


def test_the_replaced_card_stays_used():
    state = play(dealt(10), "open_card 2s", "bet 1", "reveal As Kd 9c 7h", "buy_game 1")
    assert refusal(state, "replacement As").path == "card"
    state = play(state, "replacement Kh")
    assert refusal(state, "small_hand As 3d").message == "The ace of spades already lies with the dealer."
    assert hands(state, None) == {"big": ("Kh", "Kd", "9c", "7h", "2s"), "replaced": ("As",)}


def test_a_player_who_bought_may_set_any_two_of_his_seven():
    state = play(dealt(10), "open_card 9d", "buy 1", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    refused = refusal(state, f"show 1 {FLUSH} / Kc 4s / Kc Ks")
    assert (refused.code, refused.path, refused.clause) == ("field_wrong", "small[1]", "split.9")
    state = play(state, f"show 1 {FLUSH} / Kc 4s / 8h 6h")
    assert hands(state, 1) == {"big": ("3h", "4h", "5h", "Kc", "4s"), "small": ("8h", "6h")}
    assert SPLIT.facts(state)["boxes"][0]["small"] == ["8h", "6h"]
    assert settled(state) == {1: ("lose", -40)}


def test_left_to_the_house_the_best_hand_is_set():
    state = play(dealt(10), "open_card 9d", "buy 1", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    state = play(state, "show 1 Kc 4h 5h 6h 8h / 3h 4s")
    assert hands(state, 1) == {"big": ("4h", "5h", "6h", "8h", "3h"), "small": ("Kc", "4s")}
    assert settled(state) == {1: ("win_bet", 90)}


def test_a_plain_bet_sets_nothing():
    state = play(dealt(10), "open_card 9d", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    assert refusal(state, f"show 1 {FLUSH} / Kc 4s / 8h 6h").code == "field_unknown"
    shown = play(state, "show 1 Kc 4h 5h 6h 8h / 3h 4s")
    assert hands(shown, 1) == {"big": ("Kc", "4h", "5h", "6h", "8h"), "small": ("3h", "4s")}


def test_the_sheet_may_set_a_plain_bets_seven_the_houses_way():
    state = play(dealt(10, unseen_cards="house_way"), "open_card 9d", "bet 1", "reveal 9s Ac 7h 3s")
    assert hands(state, 1) == {"big": (None,) * 5, "extra": (None,) * 2}
    state = play(state, "small_hand Kd 4c", "show 1 Kc 4h 5h 6h 8h / 3h 4s")
    assert hands(state, 1) == {"big": ("4h", "5h", "6h", "8h", "3h"), "small": ("Kc", "4s")}


# Rulings.


# A box that shows a plain bet: the dealer has a pair of nines, with a king, a queen and a five.
SHOWS = ("open_card 2c", "bet 1", "reveal 9c 9d Qh Ks", "small_hand Kc 4d")
BELOW, EQUAL, ABOVE = "Ah Jc 8d 5h 3c", "9h 9s Qc Kd 2h", "Jh Jc 8d 5h 3c"


def shows(cards, **values):
    return play(dealt(10, **values), *SHOWS, f"show 1 {cards}")


@pytest.mark.parametrize(("cards", "outcome"), [(BELOW, "lose"), (EQUAL, "stand_off")])
def test_unseen_cards_are_not_asked_for_where_the_big_hand_is_not_above(cards, outcome):
    state = shows(cards)
    assert SPLIT.view(state).final
    assert not croupiers(state)
    line = SPLIT.facts(state)
    assert "extra" not in line["boxes"][0]
    assert [box["outcome"] for box in SPLIT.settle(SPLIT.read(line))["boxes"]] == [outcome]
    assert hands(state, 1) == {"big": tuple(cards.split()), "small": (None, None)}
    (small,) = [hand for hand in SPLIT.view(state).hands if (hand.box, hand.kind) == (1, "small")]
    assert small.label == "Not seen"


def test_a_big_hand_above_is_asked_for_the_two_unseen_cards():
    state = shows(ABOVE)
    view = SPLIT.view(state)
    assert (view.final, view.turn, view.say) == (False, 1, "Box one is above. The Small Hand.")
    (offer,) = [offer for offer in SPLIT.legal(state) if offer.kind == "show"]
    assert (offer.label, offer.primary) == ("Small Hand of box 1", True)
    assert [(field.name, field.minimum, field.maximum, field.optional) for field in offer.fields] == [
        ("extra", 2, 2, False)
    ]
    assert [box.state for box in view.boxes] == ["next"]
    assert [hand.label for hand in view.hands if hand.kind == "small" and hand.box == 1] == [""]
    twice = SPLIT.act(state, Action("show", 1, {"extra": ["Jh", "As"]}))
    assert (twice.code, twice.path) == ("card_duplicate", "extra[0]")
    shown = SPLIT.act(state, Action("show", 1, {"extra": ["As", "Ad"]}))
    assert SPLIT.facts(shown) == SPLIT.facts(shows(f"{ABOVE} / As Ad"))
    assert SPLIT.view(shown).final


@pytest.mark.parametrize("cards", [BELOW, EQUAL, ABOVE])
def test_the_two_unseen_cards_may_come_with_the_five(cards):
    state = shows(f"{cards} / As Ad")
    assert SPLIT.view(state).final
    assert SPLIT.facts(state)["boxes"][0]["extra"] == ["As", "Ad"]


def test_one_of_the_two_unseen_cards_is_none():
    state = play(dealt(10), *SHOWS)
    assert refusal(state, f"show 1 {BELOW} / As").code == "wrong_card_count"


@pytest.mark.parametrize("cards", [BELOW, ABOVE])
def test_seven_cards_that_are_set_are_shown_together(cards):
    """Of cards that were bought, or set the house's way, every one may come into the Big Hand."""
    bought = play(dealt(10), "open_card 2c", "buy 1", "bet 1", *SHOWS[2:])
    house_way = play(dealt(10, unseen_cards="house_way"), *SHOWS)
    for state in (bought, house_way):
        missing = refusal(state, f"show 1 {cards}")
        assert (missing.code, missing.path) == ("field_missing", "extra")


def test_a_big_hand_is_held_against_the_dealers_hand_that_counts():
    """Against the replaced hand box 1 would have been above; against the pair of kings it is below."""
    state = play(dealt(10), "open_card 2s", "bet 1", "reveal As Kd 9c 7h", "buy_game 1", "replacement Kh")
    state = play(state, "small_hand Qd 3d", "show 1 Jh Jc 8d 5h 3c")
    assert SPLIT.view(state).final
    assert SPLIT.settle(SPLIT.read(SPLIT.facts(state)))["boxes"][0]["outcome"] == "lose"


def test_a_box_ruled_between_its_five_cards_and_the_two_needs_no_more():
    state = play(shows(ABOVE), "rule 1 void split.36")
    assert SPLIT.view(state).final
    facts = SPLIT.read(SPLIT.facts(state))
    assert SPLIT.settle(facts)["boxes"][0]["outcome"] == "void"


def test_nobody_rules_on_a_table_that_still_bets():
    assert refusal(play(table(), "ante 1 10"), "rule 1 void split.36").code == "action_wrong_moment"


def test_a_ruling_is_the_pit_bosss_and_never_the_expected_step():
    state = play(dealt(10, 10), "open_card 9d")
    rules = [offer for offer in SPLIT.legal(state) if offer.kind == "rule"]
    assert [(offer.box, offer.role, offer.primary) for offer in rules] == [
        (1, "pit_boss", False),
        (2, "pit_boss", False),
    ]
    assert rules[0].fields[1].options == RULED_AT_THE_TABLE == ("split.30", "split.35", "split.36", "house.4")
    assert set(RULED_BY) <= set(SPLIT.clauses)


def test_a_box_ruled_before_it_decided_counts_as_folded():
    state = play(dealt(10, 10), "open_card 9d", "buy 2", "rule 1 forfeit split.30", "rule 2 void split.36")
    assert primary(state) == ("reveal", None)
    state = play(state, "reveal 9s Ac 7h 3s")
    assert SPLIT.view(state).final
    assert [box["action"] for box in SPLIT.facts(state)["boxes"]] == ["fold", "buy_fold"]
    assert settled(state) == {1: ("forfeit", -10), 2: ("void", 0)}


def test_a_ruled_box_is_asked_nothing_more():
    state = play(dealt(10, 10), "open_card 2s", "bet 1", "bet 2", "reveal As Kd 9c 7h", "rule 1 void split.36")
    assert croupiers(state) == {("take_ante", 2), ("buy_game", 2)}
    assert settled(play(state, "take_ante 2")) == {1: ("void", 0), 2: ("no_game", 10)}


def test_a_game_once_bought_is_replaced_even_if_its_buyer_is_ruled_out():
    state = play(dealt(10, 10), "open_card 2s", "bet 1", "bet 2", "reveal As Kd 9c 7h", "buy_game 1", "take_ante 2")
    state = play(state, "rule 1 forfeit split.35")
    assert primary(state) == ("replacement", None)
    state = play(state, "replacement Kh")
    assert SPLIT.view(state).final
    assert settled(state) == {1: ("forfeit", -40), 2: ("no_game", 10)}


def test_a_box_ruled_while_others_show_needs_no_cards():
    state = play(dealt(10, 10), "open_card 9d", "bet 1", "bet 2", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    state = play(state, f"show 1 {FLUSH} / Kc 4s", "rule 2 forfeit split.30")
    assert SPLIT.view(state).final
    assert hands(state, 2) == {}
    assert settled(state) == {1: ("win_bet", 100), 2: ("forfeit", -30)}


def test_a_ruling_may_come_after_the_end_and_once_only():
    state = play(dealt(10), "open_card 9d", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c")
    state = play(state, f"show 1 {FLUSH} / Kc 4s", "rule 1 void house.4")
    assert SPLIT.view(state).final
    assert settled(state) == {1: ("void", 0)}
    assert hands(state, 1)["big"] == tuple(FLUSH.split())
    assert refusal(state, "rule 1 void house.4").code == "action_wrong_moment"
