"""Big Two with hands that nobody at the table sees (bigtwo.15): play by play, the rest is shown at the end."""

import pytest

from casino.games.bigtwo import BIGTWO
from casino.games.game import Action, Refusal
from tests.support import evening
from tests.support.bigtwo_rounds import DEALS, DECK, dealt, play, read, refusal, table

KEPT = evening.evening("bigtwo")
VALUES, ROUNDS = evening.unseen(*KEPT)
MOST_TAPS = 90
TWO = {2: DEALS["two"]["N"], 1: DEALS["two"]["W"]}
WINS = ("2 3c 4d 5d 6h 7s", "1 -", "2 8c 8d 8h", "1 -", "2 Ks Kd", "1 -", "2 2s 2h", "1 -", "2 Jd")


def unseen(seats=(1, 2), carry=None, **values):
    return table(seats, carry, hands="unseen", **values)


def show(box, *cards):
    return Action("left", box, {"cards": list(cards)})


def offered(state):
    return [(offer.kind, offer.box) for offer in BIGTWO.legal(state)]


def carried(values, rounds):
    """Each round with the state before its first action and what the series carries into it."""
    rules, carry = evening.sheet(BIGTWO, values), None
    for seats, actions in rounds:
        start = BIGTWO.start(rules, seats, carry)
        end = play(start, *actions)
        yield start, actions, end
        facts = read(BIGTWO.facts(end))
        carry = BIGTWO.carry(facts, BIGTWO.settle(facts), rules, carry)


def taps(state, action):
    """What a hand taps for an action: each card, and a button where it is not done at once."""
    offer = next(offer for offer in BIGTWO.legal(state) if (offer.kind, offer.box) == (action.kind, action.box))
    cards = len(action.arguments.get("cards", ()))
    # The box that leads is tapped where nobody knows it, and a bomb is chosen before its cards.
    chosen = state.turn is None or offer.kind == "bomb"
    return cards + (not offer.at_once) + chosen


# Against hands that are entered at the deal.


def test_the_line_is_that_of_hands_entered_at_the_deal():
    entered = [BIGTWO.facts(end) for _, _, end in carried(*KEPT)]
    hidden = [BIGTWO.facts(end) for _, _, end in carried(VALUES, ROUNDS)]
    for mine, theirs in zip(hidden, entered, strict=True):
        assert {name: value for name, value in mine.items() if name != "deal"} == {
            name: value for name, value in theirs.items() if name != "deal"
        }
        assert {box: sorted(cards) for box, cards in mine["deal"].items()} == {
            box: sorted(cards) for box, cards in theirs["deal"].items()
        }
        assert BIGTWO.settle(read(mine)) == BIGTWO.settle(read(theirs))


def test_every_recorded_round_of_four_takes_at_most_ninety_taps():
    counts = []
    for start, actions, _ in carried(VALUES, ROUNDS):
        if len(start.seats) < 4:
            continue
        state, count = start, 0
        for action in actions:
            count += taps(state, action)
            state = play(state, action)
        # Each round is closed by a button.
        counts.append(count + 1)
    assert len(counts) == 5
    assert max(counts) <= MOST_TAPS, counts


def test_no_hand_is_in_the_view_before_it_is_shown():
    for start, actions, _ in carried(VALUES, ROUNDS):
        state = start
        for action in actions:
            view = BIGTWO.view(state)
            own = {hand.box: hand.cards for hand in view.hands if hand.kind == "hand"}
            shown = dict(state.shown)
            assert all(shown.get(box, (None,) * len(cards)) == cards for box, cards in own.items())
            state = play(state, action)


# The first play.


def test_where_nobody_knows_who_leads_each_box_may_and_none_is_expected():
    state = unseen((1, 2, 3, 4))
    view = BIGTWO.view(state)
    assert offered(state) == [("play", box) for box in (1, 2, 3, 4)]
    assert not any(offer.primary for offer in BIGTWO.legal(state))
    assert (view.phase, view.turn, view.say) == ("playing", None, "Whoever has the three of diamonds leads with it.")
    assert view.dealer == "The first play includes the three of diamonds"
    refused = refusal(state, "3 4d")
    assert (refused.code, refused.clause) == ("lowest_card_required", "bigtwo.3")
    assert refusal(state, "3 -").clause == "bigtwo.4"
    assert BIGTWO.view(play(state, "3 3d")).turn == 2


def test_with_two_or_three_any_card_may_be_the_lowest():
    state = unseen()
    assert BIGTWO.view(state).say == "Whoever has the lowest card dealt leads with it."
    assert BIGTWO.view(play(state, "1 9c")).turn == 2


def test_the_last_rounds_winner_leads_with_any_combination():
    carry = {"leader": 1, "totals": {"1": 0, "2": 13}, "rounds_left": 4}
    state = unseen(carry=carry, first_player="round_winner")
    assert (BIGTWO.view(state).turn, offered(state)) == (1, [("play", 1)])
    assert refusal(state, "2 9c").clause == "bigtwo.3"
    assert BIGTWO.view(play(state, "1 9c")).turn == 2


# Plays.


def test_a_play_has_the_size_of_the_lead_and_is_done_at_once_a_lead_is_sent():
    lead = BIGTWO.legal(play(unseen(), "2 3c", "1 -"))[0]
    assert (lead.label, lead.at_once, lead.fields[0].minimum, lead.fields[0].maximum) == ("Box 2 leads", False, 1, 5)
    follow = BIGTWO.legal(play(unseen(bombs="on"), "2 3c 3d"))[0]
    assert (follow.label, follow.at_once, follow.fields[0].minimum, follow.fields[0].maximum) == (
        "Box 1 plays",
        True,
        2,
        2,
    )


def test_a_bomb_is_offered_by_itself_and_only_a_bomb_is_one():
    state = play(unseen(bombs="on"), "2 3c")
    assert offered(state) == [("play", 1), ("bomb", 1), ("pass", 1)]
    bomb = Action("bomb", 1, {"cards": ["9c", "9d", "9h", "9s", "4d"]})
    assert play(state, bomb).plays[-1] == ("1", ("9c", "9d", "9h", "9s", "4d"))
    refused = refusal(state, Action("bomb", 1, {"cards": ["4c", "5d", "6h", "7s", "8c"]}))
    assert (refused.code, refused.clause) == ("wrong_card_count", "bigtwo.4")
    assert offered(play(unseen(), "2 3c")) == [("play", 1), ("pass", 1)]
    assert offered(play(unseen(bombs="on"), "2 3c 4d 5d 6h 7s")) == [("play", 1), ("pass", 1)]


def test_a_box_with_too_few_cards_can_only_pass():
    state = play(unseen(), *WINS[:6], "2 2h", "1 2s", "2 -", "1 5c 5h 5s")
    assert offered(state) == [("pass", 2)]
    assert BIGTWO.legal(state)[0].primary
    refused = refusal(state, "2 Jd Jc Jh")
    assert (refused.code, refused.clause, refused.message) == (
        "card_not_held",
        "bigtwo.1",
        "Box 2 doesn’t hold 3 cards.",
    )


def test_all_who_pass_do_so_at_once_up_to_who_plays_next():
    state = play(unseen((1, 2, 3, 4)), "4 3d")
    (passes,) = [offer for offer in BIGTWO.legal(state) if offer.kind == "passes"]
    assert (passes.box, passes.fields[0].options) == (None, ("2", "1", "4"))
    up_to = lambda box: Action("passes", None, {"to": box})  # noqa: E731
    assert play(state, up_to("2")) == play(state, "3 -")
    assert play(state, up_to("1")) == play(state, "3 -", "2 -")
    led = play(state, up_to("4"))
    assert led == play(state, "3 -", "2 -", "1 -")
    assert BIGTWO.view(led).say == "Box four leads."
    assert offered(led) == [("play", 4)]
    assert refusal(state, up_to("3")).code == "field_wrong"
    assert refusal(led, up_to("2")).code == "action_wrong_moment"


def test_who_is_skipped_by_public_information_is_no_choice():
    state = play(unseen((1, 2, 3, 4), auto_skip="on"), "4 3d", "3 2h")
    assert offered(state) == [("play", 2), ("pass", 2), ("passes", None)]
    assert BIGTWO.view(play(state, "2 2s")).say == "Nobody can beat it. Box two leads."


@pytest.mark.parametrize(
    ("moves", "refused", "code", "path", "clause", "message"),
    [
        (("2 3c",), "2 4d", "box_wrong_moment", "box", "bigtwo.2", "It’s the turn of box 1, not of box 2."),
        (("2 3c", "1 -"), "2 -", "action_wrong_moment", "kind", "bigtwo.4", "Box 2 leads the trick and must play."),
        (
            ("2 3c",),
            "1 3c",
            "card_duplicate",
            "cards[0]",
            "house.2",
            "Box 2 has already played the three of clubs.",
        ),
        (
            ("2 3c 3d",),
            "1 4d 4d",
            "card_not_held",
            "cards[1]",
            "bigtwo.1",
            "Box 1 holds the four of diamonds only once.",
        ),
        (("2 3c 3d",), "1 4d 5d", "not_a_combination", "cards", "bigtwo.7", "4♦ 5♦ isn’t a combination."),
        (
            ("2 3c",),
            "1 4d 4h",
            "wrong_card_count",
            "cards",
            "bigtwo.4",
            "2 cards can’t be played on the three of clubs.",
        ),
        (("2 5h",), "1 5d", "not_higher", "cards", "bigtwo.4", "5♦ doesn’t beat the five of hearts."),
        (
            WINS,
            "1 3h",
            "action_wrong_moment",
            "kind",
            "bigtwo.6",
            "The round is over: box 2 has no cards left.",
        ),
    ],
)
def test_a_refused_play_names_the_clause_and_the_place(moves, refused, code, path, clause, message):
    found = refusal(play(unseen(), *moves), refused)
    assert (found.code, found.path, found.clause, found.message) == (code, path, clause, message)


# The end.


def test_the_others_show_as_many_cards_as_their_plays_leave_them():
    state = play(unseen(), *WINS)
    view = BIGTWO.view(state)
    assert (view.phase, view.final, view.turn, offered(state)) == ("showing", False, 1, [("left", 1)])
    assert (view.say, view.dealer) == ("Box one, show your cards, please.", "Box 2 is out")
    (offer,) = BIGTWO.legal(state)
    assert (offer.at_once, offer.fields[0].minimum, offer.fields[0].maximum) == (True, 13, 13)
    assert refusal(state, show(1, *TWO[1][:12])).code == "wrong_card_count"
    played = refusal(state, show(1, *TWO[1][:12], "3c"))
    assert (played.code, played.path, played.clause) == ("card_duplicate", "cards[12]", "house.2")
    assert played.message == "Box 2 has already played the three of clubs."
    state = play(state, show(1, *TWO[1]))
    view = BIGTWO.view(state)
    assert view.final
    assert BIGTWO.legal(state) == ()
    assert [hand.cards for hand in view.hands if hand.box == 1] == [tuple(TWO[1])]
    assert BIGTWO.facts(state)["deal"] == {
        "2": list(BIGTWO.facts(state)["deal"]["2"]),
        "1": sorted(TWO[1], key=DECK.index),
    }
    assert sorted(BIGTWO.facts(state)["deal"]["2"]) == sorted(TWO[2])


def test_the_last_of_four_hands_fills_itself_in_and_is_the_largest():
    for state, actions, end in carried(VALUES, ROUNDS):
        if len(state.seats) < 4:
            continue
        shows = [action for action in actions if action.kind == "left"]
        assert len(shows) == 2
        counts = [len(hand.cards) for hand in end.shown]
        assert counts == sorted(counts)
        shown = {card for cards in end.dealt.values() for card in cards}
        assert shown == set(DECK)


def test_a_card_that_another_box_has_shown_is_refused_with_its_place():
    for start, actions, _ in carried(VALUES, ROUNDS):
        if len(start.seats) != 3:
            continue
        first, second = [action for action in actions if action.kind == "left"]
        state = play(start, *actions[: actions.index(second)])
        cards = [first.arguments["cards"][0], *second.arguments["cards"][1:]]
        refused = refusal(state, show(second.box, *cards))
        assert (refused.code, refused.path, refused.clause) == ("card_duplicate", "cards[0]", "house.2")
        assert refused.message.endswith(f"already lies with box {first.box}.")


def test_a_first_play_without_the_lowest_card_stops_the_round():
    lower = ["3d", *TWO[1][1:]]
    state = play(unseen(), *WINS, show(1, *lower))
    view = BIGTWO.view(state)
    assert (view.final, view.turn, BIGTWO.legal(state)) == (False, None, ())
    assert BIGTWO.obstacle(state) == (
        "Box 1 holds the three of diamonds, the lowest card dealt; box 2 led the round without it."
    )
    assert (view.say, view.dealer) == ("The round can’t stand. The pit boss voids it.", "The lowest card wasn’t led")
    assert view.wagers == ()
    assert BIGTWO.obstacle(play(unseen(), *WINS, show(1, *TWO[1]))) == ""


def test_a_winner_who_led_need_not_have_led_with_the_lowest_card():
    carry = {"leader": 2, "totals": {"1": 0, "2": 0}, "rounds_left": 2}
    state = play(unseen(carry=carry, first_player="round_winner"), *WINS, show(1, "3d", *TWO[1][1:]))
    assert BIGTWO.view(state).final


def test_what_was_played_can_not_be_entered_again_and_says_where_it_lies():
    view = BIGTWO.view(play(unseen(), "2 3c", "1 As", "2 2h"))
    assert [(hand.box, hand.cards) for hand in view.gone] == [(1, ("As",)), (2, ("3c",))]
    assert [hand.cards for hand in view.hands if hand.box is None] == [("2h",)]


def test_a_sheet_from_before_has_its_hands_entered_and_a_draft_is_proposed_with_unseen():
    assert BIGTWO.values(BIGTWO.sheet({}))["hands"] == "entered"
    (parameter,) = [parameter for parameter in BIGTWO.parameters if parameter.name == "hands"]
    assert (parameter.default, parameter.proposed) == ("entered", "unseen")
    assert list(BIGTWO.stages(BIGTWO.sheet({}))) == ["dealing", "playing"]
    assert list(BIGTWO.stages(BIGTWO.sheet({"hands": "unseen"}))) == ["playing", "showing"]
    assert "hands" not in BIGTWO.facts(play(dealt(table(), TWO), *WINS))["options"]


def test_a_line_with_hands_still_knows_which_cards_a_player_did_not_hold():
    state = dealt(table(), TWO)
    assert isinstance(BIGTWO.act(state, Action("play", 2, {"cards": ["9c"]})), Refusal)
