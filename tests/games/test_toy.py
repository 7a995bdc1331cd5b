"""What a game is fits one unlike Split Poker: seats, a pot, turns, a draw, a series."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import game, lines, offers
from casino.games.game import Action, Fault, Refusal
from casino.games.sentences import tell
from tests.support import toy
from tests.support.play import finish, fold
from tests.support.toy import TOY

ANY: game.Game[Any, Any, Any] = TOY


def sheet(**values: int) -> toy.Sheet:
    made = TOY.sheet(values)
    assert isinstance(made, toy.Sheet)
    return made


def played(state: toy.State, *actions: Action) -> toy.State:
    following: toy.State = fold(ANY, state, actions)
    return following


def staked(state: toy.State) -> toy.State:
    return played(state, *(Action("ante", seat.number) for seat in state.seats))


def shown(state: toy.State, *hands: str) -> toy.State:
    """All stand; then all show one card, in seat order."""
    while state.phase == "drawing":
        state = played(state, Action("stand", TOY.view(state).turn))
    return played(
        state, *(Action("show", seat.number, {"cards": [card]}) for seat, card in zip(state.seats, hands, strict=True))
    )


def settled(state: toy.State, carry: game.Carry) -> tuple[tuple[game.Pay, ...], game.Carry]:
    facts = TOY.read(TOY.facts(state))
    assert isinstance(facts, toy.Facts)
    result = TOY.settle(facts)
    return TOY.pay(facts, result, TOY.view(state).wagers, state.sheet, carry), TOY.carry(
        facts, result, state.sheet, carry
    )


def test_two_rounds_of_a_series_hand_on_the_lead():
    first = shown(staked(TOY.start(sheet(), (1, 2, 3), None)), "9h", "2d", "Kc")
    pays, carry = settled(first, None)
    assert carry == {"leader": 3, "rounds_left": 2}
    assert [pay.net_units for pay in pays] == [-10, -10, 20]

    second = staked(TOY.start(sheet(), (1, 2, 3), carry))
    assert TOY.view(second).turn == 3
    second = played(second, Action("draw", 3, {"count": 1}))
    assert TOY.view(second).turn == 1
    second = played(second, Action("stand", 1), Action("stand", 2))
    second = played(
        second,
        Action("show", 3, {"cards": ["2c", "3c"]}),
        Action("show", 1, {"cards": ["Ah"]}),
        Action("show", 2, {"cards": ["Qd"]}),
    )
    pays, carry = settled(second, carry)
    assert carry == {"leader": 1, "rounds_left": 1}
    assert [pay.net_units for pay in pays] == [20, -10, -10]


def test_a_series_has_as_many_rounds_as_its_sheet_says():
    final = shown(staked(TOY.start(sheet(rounds=5), (1, 2), None)), "9h", "Kc")
    assert settled(final, None)[1] == {"leader": 2, "rounds_left": 4}


def test_boxes_lie_in_their_order_whoever_leads():
    for leader in ((1, 2, 4), (4, 1, 2), (2, 4, 1)):
        seen = TOY.view(TOY.start(sheet(), leader, None))
        assert (seen.places, seen.turn) == ((1, 2, 4), leader[0])


def test_odd_units_go_to_the_tied_winners_in_seat_order():
    final = shown(staked(TOY.start(sheet(stake=5), (2, 4, 6), None)), "3h", "Kd", "Kc")
    pays, _ = settled(final, None)
    assert [(pay.box, pay.returned_units, pay.paid_units) for pay in pays] == [(2, 0, 0), (4, 5, 3), (6, 5, 2)]


def test_the_pot_is_the_stakes_put_up():
    state = played(TOY.start(sheet(), (1, 2, 3), None), Action("ante", 2), Action("ante", 1))
    assert TOY.view(state).pot_units == 20
    assert [(wager.ordinal, wager.box) for wager in TOY.view(state).wagers] == [(1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("action", "code", "path"),
    [
        (Action("shuffle"), "action_unknown", "kind"),
        (Action("show", 1, {"cards": ["9h"]}), "action_wrong_moment", "kind"),
        (Action("draw", 2, {"count": 1}), "box_wrong_moment", "box"),
        (Action("draw", None, {"count": 1}), "box_missing", "box"),
        (Action("draw", 1), "field_missing", "count"),
        (Action("draw", 1, {"count": 2}), "field_out_of_range", "count"),
        (Action("draw", 1, {"count": True}), "field_wrong", "count"),
        (Action("stand", 1, {"count": 1}), "field_unknown", "count"),
    ],
)
def test_what_is_not_offered_is_refused(action, code, path):
    refusal = TOY.act(staked(TOY.start(sheet(), (1, 2, 3), None)), action)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.path) == (code, path)
    assert refusal.message
    assert refusal.way_out


@pytest.mark.parametrize(("given", "taken"), [(True, True), (False, True), (1, False), ("yes", False), (None, False)])
def test_a_flag_is_true_or_false(given, taken):
    offer = game.Offer("stand", 1, "Box 1 stands", (game.Field("open", "flag", "Open"),))
    action = Action("stand", 1, {"open": given})
    found = offers.offered((offer,), TOY.actions, TOY.deck(sheet()), action, "Draw")
    assert (found == offer) is taken
    assert taken or (isinstance(found, Refusal) and found.path == "open" and found.way_out)


def test_a_card_that_lies_at_another_seat_is_refused():
    state = staked(TOY.start(sheet(), (1, 2), None))
    state = played(state, Action("stand", 1), Action("stand", 2), Action("show", 2, {"cards": ["As"]}))
    refusal = TOY.act(state, Action("show", 1, {"cards": ["As"]}))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.message) == ("card_duplicate", "The ace of spades already lies at box 2.")


@given(st.data())
def test_every_play_ends_and_its_pot_is_paid_out_to_the_unit(data):
    rules = sheet(stake=data.draw(st.integers(1, 30)))
    seats = tuple(range(1, data.draw(st.integers(2, 6)) + 1))
    carry: game.Carry = None
    for _ in range(2):
        start = TOY.start(rules, seats, carry)
        final, actions, _ = finish(data.draw, ANY, start)
        assert fold(ANY, start, actions) == final
        facts = TOY.read(TOY.facts(final))
        assert not isinstance(facts, Fault)
        pays, carry = settled(final, carry)
        assert sum(pay.net_units for pay in pays) == 0
        assert [pay.ordinal for pay in pays] == [wager.ordinal for wager in TOY.view(final).wagers]
        assert {outcome.box for outcome in TOY.outcomes(facts, TOY.settle(facts))} == set(seats)


def test_the_explanation_names_what_decided():
    facts = TOY.read(TOY.facts(shown(staked(TOY.start(sheet(), (1, 2), None)), "9h", "Kc")))
    assert isinstance(facts, toy.Facts)
    reasons = TOY.explain(facts, TOY.settle(facts))
    assert [tell(TOY.sentences, reason) for reason in reasons] == [
        "The nine is the highest card of box 1.",
        "Box 2 holds the highest card, the king, and takes 20.",
    ]
    assert {reason.clause for reason in reasons} <= set(TOY.clauses)


def line_of(*hands: str) -> dict[str, Any]:
    return TOY.facts(shown(staked(TOY.start(sheet(), (1, 2, 3), None)), *hands))


def test_a_correction_sets_the_cards_of_a_seat_and_nothing_that_the_sheet_sets():
    line = line_of("9h", "2d", "Kc")
    assert [slot.path for slot in TOY.slots(line)] == [*(f"hands[{seat}].cards" for seat in range(3)), "void.clause"]
    for slot in TOY.slots(line):
        assert lines.amend(TOY, line, {slot.path: slot.value}) == line
    assert lines.amend(TOY, line, {"pot": 3}) == Fault("bad_field", 'A correction can\'t set "pot".', "pot")
    assert lines.amend(TOY, line, {"hands[1].cards[0]": "Kc"}) == Fault(
        "card_duplicate", "Kc lies twice.", "hands[2].cards[0]"
    )


def test_a_corrected_card_gives_the_pot_to_another_seat_with_the_same_stakes():
    line = line_of("9h", "2d", "Kc")
    wagers = tuple(game.Wager(ordinal, ordinal, "ante", 10) for ordinal in (1, 2, 3))
    nets = []
    for changes in ({}, {"hands[1].cards": ["Ad"]}, {"void.clause": "house.4"}):
        corrected = lines.amend(TOY, line, changes)
        assert not isinstance(corrected, Fault)
        facts = TOY.read(corrected)
        assert not isinstance(facts, Fault)
        assert TOY.stakes(facts, wagers, sheet(), None) == wagers
        result = TOY.settle(facts)
        nets.append([pay.net_units for pay in TOY.pay(facts, result, wagers, sheet(), None)])
        assert {outcome.box for outcome in TOY.outcomes(facts, result)} == {1, 2, 3}
        assert {reason.clause for reason in TOY.explain(facts, result)} <= set(TOY.clauses)
    assert nets == [[-10, -10, 20], [-10, 20, -10], [0, 0, 0]]


def test_its_irregularities_end_with_the_one_of_every_game():
    assert [listed.clause for listed in TOY.irregularities] == ["toy.4", "house.4"]
    assert {listed.clause for listed in TOY.irregularities} <= set(TOY.clauses)
