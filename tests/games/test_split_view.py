"""What the screens show of a Split Poker round."""

import pytest

from casino.games.split import SPLIT
from casino.games.split.view import WORDS
from tests.support.moves import FLUSH, dealt, hands, play, table


def box_view(state, number):
    return next(box for box in SPLIT.view(state).boxes if box.number == number)


def test_an_empty_table_shows_its_places():
    view = SPLIT.view(table(boxes=3))
    assert (view.places, view.boxes, view.hands, view.say) == ((1, 2, 3), (), (), "Place your antes.")


def test_the_states_of_boxes_while_they_decide():
    state = play(dealt(10, 10, 10, 10, 10), "open_card 9d", "bet 1", "fold 2", "buy 3")
    assert [(box.state, box.label) for box in SPLIT.view(state).boxes] == [
        ("bet", "Bet"),
        ("folded", "Folded"),
        ("bought", "Bought two"),
        ("next", "Next"),
        ("wait", "Waits"),
    ]
    assert box_view(state, 2).note == "Take back five cards."
    assert box_view(state, 3).note == "To decide: bets or folds"
    assert box_view(state, 4).note == "Folds, buys or bets"
    assert SPLIT.view(state).say == "Box four, your decision."
    assert SPLIT.view(state).dealer == "Game from a pair of twos"
    assert hands(state, None) == {"big": (None, None, None, None, "9d")}
    assert hands(state, 1) == {"big": (None,) * 5, "small": (None,) * 2}
    assert hands(state, 2) == {}
    assert hands(state, 3) == {"big": (None,) * 5, "extra": (None,) * 2}
    assert hands(state, 4) == {"big": (None,) * 5}


def test_a_box_that_bought_is_asked_to_bet_or_fold():
    state = play(dealt(10), "open_card 9d", "buy 1")
    assert (box_view(state, 1).state, box_view(state, 1).note) == ("next", "To decide: bets or folds")
    assert SPLIT.view(state).say == "Box one: bet or fold?"


def test_the_states_of_boxes_while_they_choose():
    state = play(dealt(10, 10, 10), "open_card 2s", "bet 1", "bet 2", "bet 3", "reveal As Kd 9c 7h", "buy_game 1")
    assert [(box.state, box.label) for box in SPLIT.view(state).boxes] == [
        ("bet", "Buys the game"),
        ("next", "Next"),
        ("wait", "Waits"),
    ]
    assert SPLIT.view(state).say == "Box two: ANTE or buy the game?"
    assert SPLIT.view(state).dealer == "No game: ace high"
    state = play(state, "take_ante 2", "take_ante 3")
    assert box_view(state, 3).label == "Takes ANTE"
    assert SPLIT.view(state).say == "The game is bought. The ace is replaced."


def test_the_states_of_boxes_while_they_show():
    state = play(dealt(10, 10, 10, 10), "open_card 9d", "bet 1", "bet 2", "bet 3", "bet 4", "reveal 9s Ac 7h 3s")
    assert SPLIT.view(state).say == "Pair of nines. The dealer has a game."
    state = play(state, "small_hand Kd 4c", f"show 1 {FLUSH} / Kc 4s", "rule 3 forfeit split.30")
    assert [(box.state, box.label) for box in SPLIT.view(state).boxes] == [
        ("shown", "Shown"),
        ("next", "Next"),
        ("ruled", "Forfeit"),
        ("wait", "Waits"),
    ]
    assert SPLIT.view(state).dealer == "Pair of nines"
    assert {(hand.box, hand.kind): hand.label for hand in SPLIT.view(state).hands} == {
        (None, "big"): "Pair of nines",
        (None, "small"): "King, four",
        (1, "big"): "Flush, eight high",
        (1, "small"): "King, four",
        (2, "big"): "",
        (2, "small"): "",
        (4, "big"): "",
        (4, "small"): "",
    }


@pytest.mark.parametrize(
    ("moves", "say"),
    [
        (("open_card 9d", "fold 1", "reveal 9s Ac 7h 3s"), "No hands to compare."),
        (("open_card 2s", "fold 1", "reveal As Kd 9c 7h"), "No hands to compare."),
        (("open_card 2s", "bet 1", "reveal As Kd 9c 7h", "take_ante 1"), "No game. ANTE one to one."),
        (("open_card 2s", "bet 1"), "The dealer shows."),
        ((), "No more antes."),
        (("open_card 9d", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c"), "Box one shows."),
        (
            ("open_card 9d", "bet 1", "reveal 9s Ac 7h 3s", "small_hand Kd 4c", f"show 1 {FLUSH} / Kc 4s"),
            "All hands are shown.",
        ),
    ],
)
def test_what_the_croupier_says(moves, say):
    assert SPLIT.view(play(dealt(10), *moves)).say == say


def test_every_wager_and_hand_has_its_word():
    state = play(dealt(10), "open_card 2s", "buy 1", "bet 1", "reveal As Kd 9c 7h", "buy_game 1", "replacement Kh")
    state = play(state, "small_hand Qd 3d")
    view = SPLIT.view(state)
    assert {wager.kind for wager in view.wagers} | {hand.kind for hand in view.hands} <= set(WORDS)
