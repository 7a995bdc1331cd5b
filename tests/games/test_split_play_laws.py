"""Laws of Split Poker's play, over random legal rounds that know nothing of the game but its offers."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.cards import DECK_52
from casino.games.game import Action, Fault, Game, Refusal
from casino.games.split import SPLIT
from casino.games.split.state import State
from tests.support import proof
from tests.support.play import MOST_ACTIONS, finish, fold, take

GAME: Game[Any, Any, Any] = SPLIT
KINDS = tuple(SPLIT.actions)
law = settings(max_examples=proof.examples(200))


@st.composite
def empty_tables(draw):
    chip = draw(st.sampled_from((1, 5, 25)))
    lowest = chip * draw(st.integers(1, 20))
    sheet = SPLIT.sheet(
        {
            "chip": chip,
            "ante_minimum": lowest,
            "ante_maximum": lowest + chip * draw(st.integers(0, 400)),
            "boxes": draw(st.integers(1, 6)),
            "max_payment": draw(st.none() | st.integers(1, 10_000)),
            "small_hand_loss_pays": draw(st.sampled_from(("even", "coefficient"))),
            "unseen_cards": draw(st.sampled_from(("small_hand", "house_way"))),
            "box_order": draw(st.sampled_from(("ascending", "descending"))),
        }
    )
    assert not isinstance(sheet, Fault), sheet
    return SPLIT.start(sheet, (), None)


@st.composite
def rounds(draw):
    """A table with some antes and a whole round played on it, rulings included."""
    start = draw(empty_tables())
    for box in draw(st.permutations(start.places))[: draw(st.integers(0, 6))]:
        start = fold(GAME, start, [Action("ante", box, {"units": start.sheet.ante_minimum_units})])
    return start, finish(draw, GAME, start, rulings=True)


@law
@given(rounds())
def test_every_play_ends_and_its_actions_fold_to_the_same_state(played):
    start, (final, actions, _) = played
    assert SPLIT.view(final).final
    assert len(actions) < MOST_ACTIONS + 60
    assert fold(GAME, start, actions) == final


@law
@given(rounds())
def test_the_actions_fold_to_the_same_state_after_a_journey_through_json(played):
    start, (final, actions, _) = played
    stored = json.loads(json.dumps([action._asdict() for action in actions]))
    assert fold(GAME, start, [Action(**action) for action in stored]) == final


@law
@given(rounds())
def test_every_final_state_has_a_line_that_settles_to_its_wagers(played):
    _, (final, _, _) = played
    facts = SPLIT.read(json.loads(json.dumps(SPLIT.facts(final))))
    assert not isinstance(facts, Fault), facts
    result = SPLIT.settle(facts)
    staked = {(wager.box, wager.kind): wager.units for wager in SPLIT.view(final).wagers}
    assert staked == {(box["box"], row["kind"]): row["stake"] for box in result["boxes"] for row in box["wagers"]}
    pays = SPLIT.pay(facts, result, SPLIT.view(final).wagers, final.sheet, None)
    assert sum(pay.net_units for pay in pays) == -result["house_net"]
    assert SPLIT.outcomes(facts, result)
    assert SPLIT.explain(facts, result)


@law
@given(rounds())
def test_a_box_that_is_done_with_in_the_round_has_come_to_what_it_is_settled_for(played):
    """house.7: but for what a ruling changed. What was handed over stays so, however the round goes on."""
    _, (final, _, states) = played
    net = {box["box"]: box["net"] for box in SPLIT.settle(SPLIT.read(SPLIT.facts(final)))["boxes"]}
    ruled = {box.number for box in final.boxes if box.ruling}
    handed = dict(SPLIT.handed(final))
    assert handed.keys() <= net.keys()
    assert all(units == net[box] for box, units in handed.items() if box not in ruled)
    for before, after in pairwise((*states, final)):
        assert set(SPLIT.handed(before)) <= set(SPLIT.handed(after))


@law
@given(rounds())
def test_what_the_screen_shows_is_what_is_settled(played):
    _, (final, _, _) = played
    facts = SPLIT.read(SPLIT.facts(final))
    assert not isinstance(facts, Fault)
    seen = {(hand.box, hand.kind): hand.cards for hand in SPLIT.view(final).hands}
    labels = {(hand.box, hand.kind): hand.label for hand in SPLIT.view(final).hands}
    assert seen[None, "big"] == facts.dealer.counting
    for box in facts.boxes:
        hands = facts.hands(box) if box.cards else None
        if hands:
            assert seen[box.number, "big"] == hands.big
            assert seen[box.number, "small"] == (hands.small or (None, None))
            assert (labels[box.number, "small"] == "Not seen") == (hands.small is None)


@law
@given(rounds())
def test_two_unseen_cards_may_be_left_out_where_they_are_not_looked_at_and_nowhere_else(played):
    """split.17, split.18: without them the answer is the same, or the line is refused at their place."""
    _, (final, _, _) = played
    line = json.loads(json.dumps(SPLIT.facts(final)))
    answer = SPLIT.settle(SPLIT.read(line))
    for index, (box, result) in enumerate(zip(line["boxes"], answer["boxes"], strict=True)):
        if "extra" not in box:
            continue
        less = json.loads(json.dumps(line))
        del less["boxes"][index]["extra"]
        facts = SPLIT.read(less)
        plain = box["action"] == "bet" and line["unseen_cards"] == "small_hand"
        ruled = box["action"] == "bet" and "ruling" in box
        if ruled or (plain and result["outcome"] in {"lose", "stand_off", "no_game", "no_game_bought"}):
            assert not isinstance(facts, Fault), facts
            assert SPLIT.settle(facts) == answer
            assert SPLIT.explain(facts, answer)
        else:
            assert isinstance(facts, Fault)
            assert (facts.code, facts.path) == ("missing_field", f"boxes[{index}].extra")


@law
@given(rounds())
def test_the_screen_shows_the_cards_that_were_entered_and_no_other(played):
    _, (_, actions, states) = played
    entered: set[str] = set()
    for action, state in zip(actions, states, strict=True):
        shown = [card for hand in SPLIT.view(state).hands for card in hand.cards if card]
        assert set(shown) == entered
        assert len(shown) == len(set(shown))
        for value in action.arguments.values():
            entered |= {value} if value in DECK_52 else set(value) if isinstance(value, list) else set()


@law
@given(rounds())
def test_one_offer_is_expected_until_the_end_and_no_ruling_ever(played):
    _, (final, _, states) = played
    for state in (*states, final):
        expected = [offer for offer in SPLIT.legal(state) if offer.primary]
        assert len(expected) == (0 if SPLIT.view(state).final else 1)
        assert all(offer.role == "croupier" for offer in expected)
        turn = SPLIT.view(state).turn
        assert state.phase == "betting" or not expected or turn == expected[0].box
        assert [box.number for box in SPLIT.view(state).boxes if box.state == "next"] == ([turn] if turn else [])


@law
@given(rounds())
def test_an_offer_costs_what_it_says(played):
    _, (final, actions, states) = played
    for action, (state, after) in zip(actions, pairwise((*states, final)), strict=True):
        if action.kind in {"bet", "buy", "buy_game", "take_back"}:
            offer = next(offer for offer in SPLIT.legal(state) if (offer.kind, offer.box) == action[:2])
            change = sum(wager.units for wager in after.wagers) - sum(wager.units for wager in state.wagers)
            assert abs(change) == offer.units


@law
@given(rounds(), st.data())
def test_an_offer_in_range_is_refused_only_for_a_card_that_lies_elsewhere(played, data):
    _, (final, _, states) = played
    state = data.draw(st.sampled_from((*states, final)))
    for offer in SPLIT.legal(state):
        action = take(data.draw, offer, list(DECK_52))
        following = SPLIT.act(state, action)
        if isinstance(following, Refusal):
            assert following.code == "card_duplicate"
            assert following.way_out


@law
@given(rounds(), st.data())
def test_what_is_not_offered_is_refused_and_changes_nothing(played, data):
    start, (final, actions, states) = played
    index = data.draw(st.integers(0, len(states)))
    state: State = (*states, final)[index]
    offers = {(offer.kind, offer.box): offer for offer in SPLIT.legal(state)}
    arguments = data.draw(st.sampled_from([{}, *(action.arguments for action in actions)]))
    for kind in KINDS:
        for box in (None, *range(8)):
            if (kind, box) not in offers:
                refused = SPLIT.act(state, Action(kind, box, arguments))
                assert isinstance(refused, Refusal)
                assert refused.message
                assert refused.way_out
    assert state == fold(GAME, start, actions[:index])


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(DECK_52),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@law
@given(rounds(), st.data())
def test_no_argument_however_odd_raises(played, data):
    _, (final, _, states) = played
    state = data.draw(st.sampled_from((*states, final)))
    for offer in SPLIT.legal(state):
        arguments = {field.name: data.draw(JUNK) for field in offer.fields}
        following = SPLIT.act(state, Action(offer.kind, offer.box, arguments))
        assert isinstance(following, State | Refusal)


def moments():
    """A state for each phase; in it every action of the phase but those that the rules shut is legal."""
    sheet = SPLIT.sheet({"boxes": 2})
    assert not isinstance(sheet, Fault)
    betting = fold(GAME, SPLIT.start(sheet, (), None), [Action("ante", 1, {"units": 10})])
    dealt = fold(GAME, betting, [Action("close_betting")])
    deciding = fold(GAME, dealt, [Action("open_card", None, {"card": "2s"})])
    decided = fold(GAME, deciding, [Action("bet", 1)])
    no_game = fold(GAME, decided, [Action("reveal", None, {"cards": ["As", "Kd", "9c", "7h"]})])
    bought = fold(GAME, no_game, [Action("buy_game", 1)])
    game = fold(GAME, bought, [Action("replacement", None, {"card": "Kh"})])
    showing = fold(GAME, game, [Action("small_hand", None, {"cards": ["Qd", "3d"]})])
    cards = {"cards": ["3s", "4s", "5s", "6s", "8s"], "extra": ["Ah", "Ad"]}
    return {
        "betting": (betting, {"ante", "take_back", "close_betting"}),
        "deciding, before the open card": (dealt, {"open_card", "rule"}),
        "deciding": (deciding, {"fold", "bet", "buy", "rule"}),
        "deciding, all decided": (decided, {"reveal", "rule"}),
        "revealed, no game": (no_game, {"take_ante", "buy_game", "rule"}),
        "revealed, game bought": (bought, {"replacement", "rule"}),
        "revealed, with a game": (game, {"small_hand", "rule"}),
        "showing": (showing, {"show", "rule"}),
        "showing, final": (fold(GAME, showing, [Action("show", 1, cards)]), {"rule"}),
    }


@pytest.mark.parametrize("moment", moments())
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_in_each_phase_is_legal_or_refused_with_a_message(moment, kind):
    state, legal = moments()[moment]
    offers = [offer for offer in SPLIT.legal(state) if offer.kind == kind]
    assert bool(offers) == (kind in legal)
    assert not offers or state.phase in SPLIT.actions[kind].phases
    if not offers:
        refused = SPLIT.act(state, Action(kind, 1 if SPLIT.actions[kind].boxed else None))
        assert isinstance(refused, Refusal)
        assert refused.code == "action_wrong_moment"
        assert SPLIT.actions[kind].label in refused.message
        assert SPLIT.phases[state.phase] in refused.message
        assert refused.way_out


def test_the_moments_cover_every_kind_and_phase():
    states = [state for state, _ in moments().values()]
    assert {state.phase for state in states} == set(SPLIT.phases)
    assert {offer.kind for state in states for offer in SPLIT.legal(state)} == set(KINDS)
