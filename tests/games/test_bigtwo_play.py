"""Big Two as it is played at a table: the deal, turns, refusals, what screens show, series and money."""

import pytest

from casino.games.bigtwo import BIGTWO
from casino.games.bigtwo.state import State
from casino.games.game import Action, Pay, Wager
from tests.support.bigtwo_rounds import DEALS, dealt, move, play, read, refusal, table

TWO = {2: DEALS["two"]["N"], 1: DEALS["two"]["W"]}
"""Box 2 deals, so it comes first in playing order, and holds the three of clubs."""

FOUR = dict(zip((4, 3, 2, 1), DEALS["four"].values(), strict=True))
WINS = ("2 3c 4d 5d 6h 7s", "1 -", "2 8c 8d 8h", "1 -", "2 Ks Kd", "1 -", "2 2s 2h", "1 -", "2 Jd")


def offered(state):
    return [(offer.kind, offer.box) for offer in BIGTWO.legal(state)]


def won(carry=None, **values):
    """Box 2 wins against box 1, who keeps all thirteen cards."""
    return play(dealt(table(carry=carry, **values), TWO), *WINS)


def paid(state, carry=None):
    facts = read(BIGTWO.facts(state))
    result = BIGTWO.settle(facts)
    pays = BIGTWO.pay(facts, result, BIGTWO.view(state).wagers, state.sheet, carry)
    return pays, BIGTWO.carry(facts, result, state.sheet, carry)


# The deal.


def test_the_cards_of_every_seat_are_entered_first_in_any_order():
    state = table((3, 1, 4))
    assert offered(state) == [("deal", 3), ("deal", 1), ("deal", 4)]
    assert [offer.primary for offer in BIGTWO.legal(state)] == [True, False, False]
    state = play(state, Action("deal", 1, {"cards": TWO[1]}))
    assert offered(state) == [("deal", 3), ("deal", 4)]
    assert BIGTWO.view(state).turn == 3


def test_a_card_that_lies_with_another_box_is_refused_with_its_place():
    state = play(table(), Action("deal", 1, {"cards": TWO[1]}))
    refused = refusal(state, Action("deal", 2, {"cards": [*TWO[2][:12], "9s"]}))
    assert (refused.code, refused.path, refused.clause) == ("card_duplicate", "cards[12]", "house.2")
    assert refused.message == "The nine of spades already lies with box 1."


def test_a_hand_has_thirteen_cards():
    refused = refusal(table(), Action("deal", 1, {"cards": TWO[1][:12]}))
    assert (refused.code, refused.clause) == ("wrong_card_count", "bigtwo.1")


def test_cards_in_the_hand_are_never_shown():
    state = dealt(table(), TWO)
    view = BIGTWO.view(state)
    assert [(hand.box, hand.kind, hand.cards) for hand in view.hands] == [
        (1, "hand", (None,) * 13),
        (2, "hand", (None,) * 13),
    ]
    view = BIGTWO.view(play(state, "2 3c", "1 As"))
    assert [(hand.box, len(hand.cards), hand.label) for hand in view.hands] == [
        (None, 1, "Ace of spades"),
        (1, 12, ""),
        (2, 12, ""),
    ]


# Turns.


def test_turns_go_against_the_order_of_the_seats():
    state = play(dealt(table((1, 2, 3, 4)), FOUR), "4 3d", "3 -", "2 -", "1 6d")
    assert BIGTWO.view(state).turn == 4
    assert BIGTWO.facts(_ended(state))["seats"] == ["4", "3", "2", "1"]


def _ended(state: State) -> State:
    """A state as if the round were over: the line is the same."""
    return state._replace(course=state.course._replace(turn=None, held=(0, *state.course.held[1:])))


def test_a_trick_is_led_by_one_offer_and_followed_by_two():
    state = dealt(table(), TWO)
    assert offered(state) == [("play", 2)]
    state = play(state, "2 3c")
    assert offered(state) == [("play", 1), ("pass", 1)]
    assert offered(play(state, "1 -")) == [("play", 2)]


@pytest.mark.parametrize(
    ("bombs", "moves", "size"),
    [
        ("off", (), (1, 5)),
        ("off", ("2 3c",), (1, 1)),
        ("on", ("2 3c",), (1, 5)),
        ("off", ("2 3c 4d 5d 6h 7s",), (5, 5)),
        ("on", ("2 3c", "1 -", "2 8c 8d 8h"), (3, 5)),
    ],
)
def test_a_play_has_as_many_cards_as_the_rules_let_it(bombs, moves, size):
    (field,) = BIGTWO.legal(play(dealt(table(bombs=bombs), TWO), *moves))[0].fields
    assert (field.minimum, field.maximum) == size


@pytest.mark.parametrize(
    ("moves", "refused", "code", "path", "clause", "message"),
    [
        ((), "1 3h", "box_wrong_moment", "box", "bigtwo.3", "It’s the turn of box 2, not of box 1."),
        ((), "2 -", "action_wrong_moment", "kind", "bigtwo.4", "Box 2 leads the trick and must play."),
        ((), "2 3c 9c", "card_not_held", "cards[1]", "bigtwo.1", "Box 2 doesn’t hold the nine of clubs."),
        ((), "2 3c 3c", "card_not_held", "cards[1]", "bigtwo.1", "Box 2 holds the three of clubs only once."),
        ((), "2 3c 4d", "not_a_combination", "cards", "bigtwo.7", "3♣ 4♦ isn’t a combination."),
        (
            (),
            "2 4d",
            "lowest_card_required",
            "cards",
            "bigtwo.3",
            "The first play must include the three of clubs, the lowest card dealt.",
        ),
        (("2 3c",), "2 4d", "box_wrong_moment", "box", "bigtwo.2", "It’s the turn of box 1, not of box 2."),
        (
            ("2 3c",),
            "1 As Ah",
            "wrong_card_count",
            "cards",
            "bigtwo.4",
            "2 cards can’t be played on the three of clubs.",
        ),
        (("2 3c", "1 5h"), "2 5d", "not_higher", "cards", "bigtwo.4", "5♦ doesn’t beat the five of hearts."),
        (WINS, "1 3h", "action_wrong_moment", "kind", "bigtwo.6", "The round is over: box 2 has no cards left."),
    ],
)
def test_a_refused_play_names_the_clause_and_the_place(moves, refused, code, path, clause, message):
    found = refusal(play(dealt(table(), TWO), *moves), refused)
    assert (found.code, found.path, found.clause, found.message) == (code, path, clause, message)


def test_a_bomb_that_is_too_low_is_told_so():
    state = play(dealt(table(bombs="on"), TWO), "2 3c", "1 9c 9d 9h 9s Qd")
    found = refusal(state, "2 4d 5d 6h 7s 8c")
    assert (found.code, found.clause) == ("not_higher", "bigtwo.10")
    assert found.message == "Only a higher bomb beats four nines with one card, and 4♦ 5♦ 6♥ 7♠ 8♣ isn’t one."


@pytest.mark.parametrize(
    "action",
    [
        Action("play", 2, {"cards": []}),
        Action("play", 2, {"cards": "3c"}),
        Action("play", 2, {"cards": ["1c"]}),
        Action("play", 2, {"cards": [None]}),
        Action("play", 2, {"cards": ["3c"], "bomb": True}),
        Action("play", 2),
        Action("play", None, {"cards": ["3c"]}),
        Action("play", 9, {"cards": ["3c"]}),
        Action("pass", 2, {"cards": []}),
        Action("deal", 2, {"cards": ["3c"]}),
        Action("shuffle"),
    ],
)
def test_what_is_no_play_at_all_is_refused(action):
    assert refusal(dealt(table(), TWO), action).code != "not_higher"


# What is seen and said.


def test_the_table_shows_who_played_passed_and_was_skipped():
    state = play(dealt(table((1, 2, 3, 4), auto_skip="on"), FOUR), "4 3d", "3 -", "2 Ks")
    view = BIGTWO.view(state)
    assert [(box.state, box.label, box.note) for box in view.boxes] == [
        ("next", "Next", "13 cards"),
        ("bet", "Played", "12 cards"),
        ("wait", "Waits", "13 cards"),
        ("wait", "Waits", "12 cards"),
    ]
    assert (view.say, view.dealer) == ("Box one: play or pass?", "King of spades, box 2")
    view = BIGTWO.view(play(state, "1 2s"))
    assert (view.turn, view.say, view.dealer) == (
        1,
        "Nobody can beat it. Box one leads.",
        "Any combination leads",
    )


def test_passes_and_skips_of_the_trick_stand_with_the_box():
    """Box 4 holds the last ten; box 3, with one card, can't play a pair and is skipped."""
    state = dealt(table((1, 2, 3, 4), auto_skip="on"), FOUR)
    held = list(state.course.held)
    held[1] = 1
    state = state._replace(course=state.course._replace(held=tuple(held)))
    state = play(state, "4 3d 3c")
    view = BIGTWO.view(state)
    assert (view.turn, view.say) == (2, "Box three skipped. Box two: play or pass?")
    assert [(box.state, box.label) for box in view.boxes][2:] == [("wait", "Skipped"), ("bet", "Played")]
    view = BIGTWO.view(play(state, "2 -"))
    assert [(box.state, box.label) for box in view.boxes] == [
        ("next", "Next"),
        ("wait", "Passed"),
        ("wait", "Passed"),
        ("bet", "Played"),
    ]


@pytest.mark.parametrize(
    ("state", "say", "dealer"),
    [
        (table(), "Thirteen cards each.", "Points are added up, the fewest win; 5 rounds to play"),
        (
            dealt(table(), TWO),
            "Box two leads with the three of clubs.",
            "The first play includes the three of clubs",
        ),
        (play(dealt(table(), TWO), "2 3c", "1 -"), "Box two leads.", "Any combination leads"),
        (won(), "Box two is out. The round is over.", "Box 2 is out"),
        (
            won({"leader": 1, "totals": {"1": 4, "2": 9}, "rounds_left": 1}),
            "Box two is out. The series is over.",
            "Box 2 is out",
        ),
    ],
)
def test_what_the_croupier_says(state, say, dealer):
    view = BIGTWO.view(state)
    assert (view.say, view.dealer) == (say, dealer)


def test_the_points_so_far_stand_with_the_box():
    state = table(carry={"leader": 2, "totals": {"1": 1, "2": -7}, "rounds_left": 3})
    assert [box.note for box in BIGTWO.view(state).boxes] == ["1 point so far", "−7 points so far"]


def test_every_wager_and_hand_has_its_word():
    view = BIGTWO.view(won(scoring="winner_takes_all"))
    state = play(dealt(table(), TWO), "2 3c")
    assert {wager.kind for wager in view.wagers} | {hand.kind for hand in BIGTWO.view(state).hands} <= set(BIGTWO.words)


# Money.


@pytest.mark.parametrize("scoring", ["winner_takes_all", "pay_higher"])
def test_each_round_is_paid_at_the_price_of_a_point(scoring):
    state = won(scoring=scoring, multiplier="10-13", price=7)
    assert BIGTWO.view(state).wagers == (Wager(1, 1, "points", 273),)
    assert BIGTWO.view(state).pot_units == 273
    pays, carry = paid(state)
    assert pays == (Pay(1, 1, "points", 273, 0, 0), Pay(2, 2, "points", 0, 0, 273))
    assert carry == {"leader": 2, "totals": {"1": -39, "2": 39}, "rounds_left": 4}


def test_a_cumulative_series_moves_money_with_its_last_round_alone():
    state = won(price=7)
    assert (BIGTWO.view(state).wagers, paid(state)) == (
        (),
        ((), {"leader": 2, "totals": {"1": 13, "2": 0}, "rounds_left": 4}),
    )
    carry = {"leader": 1, "totals": {"1": 3, "2": 10}, "rounds_left": 1}
    state = won(carry, price=7)
    assert BIGTWO.view(state).wagers == (Wager(1, 1, "points", 42),)
    assert paid(state, carry) == ((Pay(1, 1, "points", 42, 0, 0), Pay(2, 2, "points", 0, 0, 42)), None)


def test_the_totals_of_a_series_are_told_with_its_last_round_too():
    state = won(price=7)
    facts = read(BIGTWO.facts(state))
    carry = {"leader": 1, "totals": {"1": 3, "2": 10}, "rounds_left": 1}
    assert BIGTWO.totals(facts, BIGTWO.settle(facts), state.sheet, carry) == {"1": 16, "2": 10}
    assert BIGTWO.totals(facts, BIGTWO.settle(facts), state.sheet, None) == {"1": 13, "2": 0}


def test_a_single_unit_is_paid_too():
    facts = read({"seats": ["2", "1"], "left": {"2": [], "1": ["3d"]}, "options": {"scoring": "pay_higher"}})
    sheet = BIGTWO.sheet({"scoring": "pay_higher", "price": 1})
    wagers = BIGTWO.stakes(facts, (), sheet, None)
    pays = BIGTWO.pay(facts, BIGTWO.settle(facts), wagers, sheet, None)
    assert pays == (Pay(1, 1, "points", 1, 0, 0), Pay(2, 2, "points", 0, 0, 1))


def test_a_comparison_is_no_round_and_moves_nothing():
    facts = read({"compare": [["4d"], ["3d"]]})
    result, sheet = BIGTWO.settle(facts), BIGTWO.sheet({})
    carry = {"leader": 1, "totals": {"1": 3, "2": 10}, "rounds_left": 1}
    assert BIGTWO.outcomes(facts, result) == ()
    assert BIGTWO.pay(facts, result, BIGTWO.stakes(facts, (), sheet, carry), sheet, carry) == ()
    assert BIGTWO.carry(facts, result, sheet, carry) == carry
    assert BIGTWO.carry(facts, result, sheet, None) == {"leader": None, "totals": {}, "rounds_left": 5}


def test_equal_totals_at_the_end_move_nothing():
    carry = {"leader": 1, "totals": {"1": 0, "2": 13}, "rounds_left": 1}
    assert paid(won(carry), carry) == ((), None)


def test_several_best_share_the_odd_units_in_seat_order():
    before = {"leader": 1, "totals": {"1": 4, "2": 17, "3": 17}, "rounds_left": 1}
    left = {"seats": ["3", "2", "1"], "left": {"3": [], "2": [], "1": []}}
    left["left"] |= {"1": list(FOUR[4]), "3": ["2s"]}
    facts = read(left)
    result = BIGTWO.settle(facts)
    assert result["points"] == {"3": 1, "2": 0, "1": 13}
    before["totals"]["3"] = 16
    sheet = BIGTWO.sheet({"price": 1})
    wagers = BIGTWO.stakes(facts, (), sheet, before)
    assert wagers == ()
    before["totals"]["1"] = 9
    wagers = BIGTWO.stakes(facts, (), sheet, before)
    assert wagers == (Wager(1, 1, "points", 5),)
    pays = BIGTWO.pay(facts, result, wagers, sheet, before)
    assert [(pay.box, pay.net_units) for pay in pays] == [(1, -5), (2, 3), (3, 2)]


def test_wagers_that_are_not_the_results_are_not_paid():
    state = won(scoring="winner_takes_all")
    facts = read(BIGTWO.facts(state))
    with pytest.raises(ValueError, match="The table has"):
        BIGTWO.pay(facts, BIGTWO.settle(facts), (), state.sheet, None)


# Series.


def test_the_last_rounds_winner_leads_the_next_with_any_combination():
    _, carry = paid(won(first_player="round_winner"))
    state = table(carry={**carry, "leader": 1}, first_player="round_winner")
    state = play(dealt(state, TWO), "1 9c 9d 9h")
    assert BIGTWO.view(state).turn == 2
    line = BIGTWO.facts(_ended(state))
    assert (line["first_round"], line["leader"]) == (False, "1")


def test_a_void_round_is_played_again():
    state = won(scoring="winner_takes_all")
    facts = read({**BIGTWO.facts(state), "void": {"clause": "house.4"}})
    result = BIGTWO.settle(facts)
    again = BIGTWO.carry(facts, result, state.sheet, None)
    assert again == {"leader": None, "totals": {"1": 0, "2": 0}, "rounds_left": 5}
    assert dealt(table(carry=again), TWO).course == dealt(table(), TWO).course
    assert BIGTWO.stakes(facts, BIGTWO.view(state).wagers, state.sheet, None) == ()
    assert BIGTWO.pay(facts, result, (), state.sheet, None) == ()
    assert [outcome[:2] for outcome in BIGTWO.outcomes(facts, result)] == [(1, "void"), (2, "void")]
    carry = {"leader": 2, "totals": {"1": 1, "2": 2}, "rounds_left": 2}
    assert BIGTWO.carry(facts, result, state.sheet, carry) == carry


def test_a_line_of_half_a_round_does_not_exist():
    with pytest.raises(ValueError, match="the turn of box 2"):
        BIGTWO.facts(dealt(table(), TWO))


def test_a_move_names_its_kind():
    assert (move("2 -").kind, move("2 3c").kind) == ("pass", "play")
