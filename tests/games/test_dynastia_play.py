"""Dynastia at the table: stakes, the bottom card, the exchange, the show, what is refused and what is paid."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games import lines
from casino.games.dynastia import DYNASTIA
from casino.games.dynastia.cards import DECKS
from casino.games.game import Action, Fault, Game, Refusal, Wager
from tests.support import proof
from tests.support.play import finish, fold, take, unseen

GAME: Game = DYNASTIA
law = settings(max_examples=proof.examples(60))
HANDS = {
    "1-2-3": "1R 2B 3R 6R 6R 6B 6B",
    "3-4-5": "3B 4B 5B 5R 5R 5B 5B",
    "3-4-5-6": "3B 4B 5B 6R 6R 6B 6B",
    "no set": "2R 4R 4R 4R 6R 6R 6R",
}


def sheet(**values):
    made = DYNASTIA.sheet(values)
    assert not isinstance(made, Fault), made
    return made


def move(text):
    """`show 3 1R 2B ...`, `draw 3 2`, `bottom 6R`, `ante 3`, `stand 3`."""
    kind, *words = text.split()
    if kind == "bottom":
        return Action(kind, None, {"card": words[0]})
    box, *words = words
    arguments = {"draw": lambda: {"count": int(words[0])}, "show": lambda: {"cards": words}}
    return Action(kind, int(box), arguments.get(kind, dict)())


def table(*seats, carry=None, **values):
    return DYNASTIA.start(sheet(**values), seats or (1, 2), carry)


def play(state, *moves):
    for text in moves:
        state = DYNASTIA.act(state, move(text))
        assert not isinstance(state, Refusal), f"{text}: {state}"
    return state


def refusal(state, text):
    refused = DYNASTIA.act(state, text if isinstance(text, Action) else move(text))
    assert isinstance(refused, Refusal), refused
    assert refused.message
    assert refused.way_out
    return refused


def staked(*seats, **values):
    state = table(*seats, **values)
    return play(state, *(f"ante {seat.number}" for seat in state.seats))


def kept(*seats, bottom="6R", **values):
    state = play(staked(*seats, **values), f"bottom {bottom}")
    return play(state, *(f"stand {seat.number}" for seat in state.seats))


def shown(state, *hands):
    return play(state, *(f"show {seat.number} {HANDS[hand]}" for seat, hand in zip(state.seats, hands, strict=True)))


def settled(state):
    facts = DYNASTIA.read(json.loads(json.dumps(DYNASTIA.facts(state))))
    assert not isinstance(facts, Fault), facts
    return facts, DYNASTIA.settle(facts)


def paid(state):
    facts, result = settled(state)
    return DYNASTIA.pay(facts, result, DYNASTIA.view(state).wagers, state.sheet, state.carry)


def boxes(state):
    return [(box.number, box.state, box.label) for box in DYNASTIA.view(state).boxes]


# The course of a round.


def test_a_round_from_the_first_stake_to_the_last_payment():
    state = table(3, 5, 1, stake=25)
    assert DYNASTIA.view(state).say == "Place your stakes."
    state = play(state, "ante 5", "ante 3", "ante 1")
    assert DYNASTIA.view(state).say == "The bottom card gives the preferred colour."
    state = play(state, "bottom 6B")
    assert DYNASTIA.view(state).dealer == "Black is preferred"
    assert DYNASTIA.view(state).say == "Box three: how many cards?"
    state = play(state, "draw 3 7", "stand 5")
    assert boxes(state) == [(1, "next", "Next"), (3, "bought", "Exchanged 7"), (5, "bet", "Stood")]
    state = play(state, "draw 1 2", f"show 3 {HANDS['3-4-5']}", f"show 1 {HANDS['1-2-3']}")
    assert boxes(state) == [(1, "shown", "Shown"), (3, "shown", "Shown"), (5, "next", "Next")]
    assert DYNASTIA.view(state).say == "Box five shows."
    state = play(state, f"show 5 {HANDS['no set']}")
    view = DYNASTIA.view(state)
    assert view.final
    assert (view.turn, view.pot_units, view.say) == (None, 75, "Box one takes the pot: 1-2-3.")
    assert [(hand.box, hand.label) for hand in view.hands] == [(None, ""), (3, "3-4-5"), (5, "no set"), (1, "1-2-3")]
    assert DYNASTIA.facts(state) == {
        "game": "dynastia",
        "deck": 64,
        "preferred": "B",
        "pot": 75,
        "hands": [
            {"player": "3", "cards": HANDS["3-4-5"].split()},
            {"player": "5", "cards": HANDS["no set"].split()},
            {"player": "1", "cards": HANDS["1-2-3"].split()},
        ],
    }
    assert [(pay.ordinal, pay.box, pay.net_units) for pay in paid(state)] == [(1, 5, -25), (2, 3, -25), (3, 1, 50)]
    assert DYNASTIA.outcomes(*settled(state)) == (
        (1, "win", ("dynastia.4", "dynastia.5")),
        (3, "lose", ("dynastia.4", "dynastia.5")),
        (5, "lose", ("dynastia.10",)),
    )


def test_tied_winners_are_announced_and_the_odd_unit_goes_in_seat_order():
    cards = "5B 6B 6B 6B 6B 6R 6R"
    state = play(kept(4, 2, 1, stake=5), *(f"show {box} {cards}" for box in (2, 4)), f"show 1 {HANDS['no set']}")
    assert DYNASTIA.view(state).say == "Boxes four and two split the pot: 5-6."
    assert {pay.box: pay.net_units for pay in paid(state)} == {4: 3, 2: 2, 1: -5}


@pytest.mark.parametrize(
    ("values", "pot"),
    [
        ({}, 300),
        ({"rake_percent": 5}, 285),
        ({"rake_percent": 5, "rake_cap": 7}, 293),
        ({"stake": 33, "rake_percent": 10}, 90),
        ({"rake_percent": 0, "rake_cap": 7}, 300),
    ],
)
def test_the_house_takes_the_rake_that_the_sheet_names(values, pot):
    state = shown(kept(1, 2, 3, **{"stake": 100, **values}), "1-2-3", "3-4-5", "no set")
    assert DYNASTIA.facts(state)["pot"] == pot
    staked_units = DYNASTIA.view(state).pot_units
    assert sum(pay.net_units for pay in paid(state)) == pot - staked_units


def test_wagers_that_are_not_those_of_the_pot_are_not_paid():
    facts, result = settled(shown(kept(1, 2), "1-2-3", "no set"))
    with pytest.raises(ValueError, match="The wagers make a pot of 10; that of the round is 20"):
        DYNASTIA.pay(facts, result, (Wager(1, 1, "ante", 10),), sheet(), None)


@pytest.mark.parametrize(
    ("deck", "players", "fitted"), [("64", 9, 64), ("64", 10, 72), ("72", 5, 64), ("72", 6, 72), ("72", 10, 72)]
)
def test_where_one_deck_fits_the_players_it_is_taken(deck, players, fitted):
    state = table(*range(1, players + 1), deck=deck)
    assert DYNASTIA.deck(state.sheet) == DECKS[fitted]


def test_there_is_no_line_of_half_a_round():
    with pytest.raises(ValueError, match="The round is not final: show is still to come"):
        DYNASTIA.facts(kept(1, 2))


# What is refused.

ONE_SHOWN = play(kept(1, 2), f"show 2 {HANDS['1-2-3']}")


@pytest.mark.parametrize(
    ("state", "text", "code", "path", "clause"),
    [
        (table(1, 2), "ante 3", "box_wrong_moment", "box", None),
        (table(1, 2), "bottom 6R", "action_wrong_moment", "kind", None),
        (play(table(1, 2), "ante 1"), "ante 1", "box_wrong_moment", "box", None),
        (staked(1, 2), "bottom 7R", "bad_card", "card", None),
        (play(staked(1, 2), "bottom 6R"), "draw 2 3", "box_wrong_moment", "box", None),
        (play(staked(1, 2), "bottom 6R"), "draw 1 8", "field_out_of_range", "count", "dynastia.3"),
        (play(staked(1, 2), "bottom 6R"), "draw 1 0", "field_out_of_range", "count", "dynastia.3"),
        (play(staked(1, 2), "bottom 6R", "stand 1"), "draw 1 3", "box_wrong_moment", "box", None),
        (kept(1, 2), "show 1 1R 2R", "wrong_card_count", "cards", "dynastia.2"),
        (kept(1, 2), "show 1 1R 1R 2R 3R 6R 6R 6R", "card_duplicate", "cards[1]", "house.2"),
        (kept(1, 2), "show 1 4R 4R 4R 4R 4R 6R 6R", "card_duplicate", "cards[4]", "house.2"),
        (ONE_SHOWN, "show 1 1R 6B 6B 6B 6B 6B 6B", "card_duplicate", "cards[0]", "house.2"),
        (kept(1, 2, bottom="1R"), "show 1 6B 1R 6B 6B 6B 6B 6B", "card_duplicate", "cards[1]", "house.2"),
    ],
)
def test_what_the_rules_shut_is_refused_with_the_place_and_the_clause(state, text, code, path, clause):
    refused = refusal(state, text)
    assert (refused.code, refused.path, refused.clause) == (code, path, clause)


def test_a_refused_card_is_told_with_the_place_where_it_lies():
    state = play(kept(1, 2, 3, bottom="2R"), f"show 3 {HANDS['1-2-3']}")
    assert refusal(state, "show 1 1R 6B 6B 6B 6B 6B 6B").message == "The red 1 already lies with box 3."
    assert refusal(state, "show 1 2R 6B 6B 6B 6B 6B 6B").message == "The red 2 already lies under the deck."


def test_the_bottom_card_may_lie_in_a_hand_once_the_exchange_has_reached_it():
    """Nine hands of seven leave one card of 64, the bottom card; the first card exchanged is it (dynastia.3)."""
    seats = tuple(range(1, 10))
    state = play(staked(*seats), "bottom 1R")
    assert DYNASTIA.view(state).hands[0].cards == ("1R",)
    untouched = play(state, *(f"stand {seat}" for seat in seats))
    assert refusal(untouched, f"show 1 {HANDS['1-2-3']}").path == "cards[0]"
    reached = play(state, "draw 1 1", *(f"stand {seat}" for seat in seats[1:]))
    assert DYNASTIA.view(reached).hands[0].box == 1
    assert DYNASTIA.view(reached).dealer == "Red is preferred"
    assert not isinstance(DYNASTIA.act(reached, move(f"show 1 {HANDS['1-2-3']}")), Refusal)


# The sheet.


def test_a_sheet_spells_out_what_it_leaves_to_the_house():
    values = DYNASTIA.values(sheet())
    assert values == {parameter.name: parameter.default for parameter in DYNASTIA.parameters}
    assert sheet(**values) == sheet()
    other = sheet(stake=5, rake_percent=3, rake_cap=9, deck="72", game="long", rounds=8, target=500, price=20)
    assert sheet(**DYNASTIA.values(other)) == other


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"tip": 1}, "tip"),
        ({"deck": "52"}, "deck"),
        ({"deck": 64}, "deck"),
        ({"game": "middle"}, "game"),
        ({"stake": 0}, "stake"),
        ({"stake": 100_000_000_001}, "stake"),
        ({"rounds": 0}, "rounds"),
        ({"target": 0}, "target"),
        ({"price": 0}, "price"),
        ({"rake_cap": 0}, "rake_cap"),
    ],
)
def test_a_wrong_sheet_is_refused_with_the_value_at_fault(values, path):
    fault = DYNASTIA.sheet(values)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.path) == ("bad_field", path)


def test_every_code_that_a_screen_prints_has_a_word():
    view = DYNASTIA.view(shown(kept(1, 2), "1-2-3", "no set"))
    codes = {wager.kind for wager in view.wagers} | {hand.kind for hand in view.hands} | set("RB")
    assert codes | {"win", "split", "lose", "scored", "void", "points"} <= set(DYNASTIA.words)
    for parameter in DYNASTIA.parameters:
        assert parameter.clause in DYNASTIA.clauses
    assert [listed.clause for listed in DYNASTIA.irregularities] == ["house.4"]


def test_no_cards_keys_begin_with_anothers():
    deck = DYNASTIA.deck(sheet())
    keys = [face.keys for face in deck.faces.values()]
    assert len(set(keys)) == len(deck.copies) == sum(len(row) for row in deck.order)
    assert not [1 for one in keys for other in keys if one != other and one.startswith(other)]
    assert [sum(deck.copies.values()) for deck in DECKS.values()] == [64, 72]


# Corrections.


def test_a_correction_sets_the_colour_a_hand_or_voids_the_round():
    state = shown(kept(1, 2), "3-4-5", "no set")
    line, wagers = DYNASTIA.facts(state), DYNASTIA.view(state).wagers
    slots = DYNASTIA.slots(line)
    assert [slot.path for slot in slots] == ["preferred", "hands[0].cards", "hands[1].cards", "void.clause"]
    assert [slot.box for slot in slots] == [None, 1, 2, None]
    for slot in slots:
        assert lines.amend(GAME, line, {slot.path: slot.value}) == line
    nets = []
    for changes in (
        {},
        {"hands[1].cards": HANDS["1-2-3"].split()},
        {"hands[1].cards[1]": "1B"},
        {"void.clause": "house.4"},
        {"void.clause": "house.4", "hands[1].cards": None, "preferred": None},
    ):
        after = lines.amend(GAME, line, changes)
        facts = DYNASTIA.read(after)
        assert DYNASTIA.stakes(facts, wagers, state.sheet, None) == wagers
        result = DYNASTIA.settle(facts)
        nets.append([pay.net_units for pay in DYNASTIA.pay(facts, result, wagers, state.sheet, None)])
        assert {outcome.box for outcome in DYNASTIA.outcomes(facts, result)} == {1, 2}
    assert nets == [[10, -10], [-10, 10], [-10, 10], [0, 0], [0, 0]]
    assert isinstance(lines.amend(GAME, line, {"deck": 72}), Fault)
    assert isinstance(lines.amend(GAME, line, {"hands[1].cards": None}), Fault)


# Laws of play.


@st.composite
def rounds(draw):
    """A round of a short or a long game, played at random to its end."""
    values = {
        "stake": draw(st.integers(1, 1000)),
        "rake_percent": draw(st.integers(0, 99)),
        "rake_cap": draw(st.none() | st.integers(1, 50)),
        "deck": draw(st.sampled_from(("64", "72"))),
        "game": draw(st.sampled_from(("short", "long"))),
        "rounds": draw(st.none() | st.integers(1, 2)),
        "price": draw(st.integers(1, 9)),
    }
    seats = draw(st.permutations(range(1, 11)))[: draw(st.integers(2, 10))]
    start = DYNASTIA.start(sheet(**values), tuple(seats), None)
    return start, finish(draw, GAME, start)


@law
@given(rounds())
def test_every_play_ends_and_its_line_is_settled_and_paid_to_the_unit(played):
    start, (final, actions, _) = played
    assert DYNASTIA.view(final).final
    stored = json.loads(json.dumps([action._asdict() for action in actions]))
    assert fold(GAME, start, [Action(**action) for action in stored]) == final
    facts, result = settled(final)
    assert facts == DYNASTIA.read(DYNASTIA.facts(final))
    view = DYNASTIA.view(final)
    assert view.pot_units == sum(wager.units for wager in view.wagers)
    pays = DYNASTIA.pay(facts, result, view.wagers, final.sheet, None)
    assert [pay.ordinal for pay in pays] == list(range(1, len(pays) + 1))
    assert [Wager(*pay[:4]) for pay in pays[: len(view.wagers)]] == list(view.wagers)
    assert not [pay for pay in pays[len(view.wagers) :] if pay.stake_units]
    rake = 0 if final.sheet.is_long else view.pot_units - facts.showdown.pot_units
    assert sum(pay.net_units for pay in pays) == -rake
    for player, units in result.get("shares", {}).items():
        assert sum(pay.returned_units + pay.paid_units for pay in pays if pay.box == int(player)) == units
    assert DYNASTIA.stakes(facts, view.wagers, final.sheet, None) == view.wagers
    assert {outcome.box for outcome in DYNASTIA.outcomes(facts, result)} == {seat.number for seat in final.seats}


@law
@given(rounds())
def test_one_offer_is_expected_until_the_end_and_the_screen_marks_its_box(played):
    _, (final, actions, states) = played
    for state in (*states, final):
        view = DYNASTIA.view(state)
        expected = [offer for offer in DYNASTIA.legal(state) if offer.primary]
        assert len(expected) == (0 if view.final else 1)
        assert view.turn == (expected[0].box if expected else None)
        assert [box.number for box in view.boxes if box.state == "next"] == ([view.turn] if view.turn else [])
        assert view.say
        assert view.dealer
        held = Counter(card for hand in view.hands for card in hand.cards if card)
        assert held <= Counter(DYNASTIA.deck(state.sheet).copies)
    for action, state in zip(actions, states, strict=True):
        assert state.phase in DYNASTIA.actions[action.kind].phases


@law
@given(rounds(), st.data())
def test_what_is_offered_is_accepted_and_all_else_refused_with_nothing_changed(played, data):
    start, (final, actions, states) = played
    index = data.draw(st.integers(0, len(states)))
    state = (*states, final)[index]
    offers = {(offer.kind, offer.box): offer for offer in DYNASTIA.legal(state)}
    arguments = data.draw(st.sampled_from([{}, *(action.arguments for action in actions)]))
    for offer in offers.values():
        following = DYNASTIA.act(state, take(data.draw, offer, unseen(GAME, state)))
        assert not isinstance(following, Refusal), following
    for kind in DYNASTIA.actions:
        for box in (None, *range(12)):
            if (kind, box) not in offers:
                assert refusal(state, Action(kind, box, arguments)).message
    assert state == fold(GAME, start, actions[:index])


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(sorted(DECKS[64].copies)),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@law
@given(rounds(), st.data())
def test_no_argument_however_odd_raises(played, data):
    _, (_, _, states) = played
    state = data.draw(st.sampled_from(states))
    for offer in DYNASTIA.legal(state):
        arguments = {field.name: data.draw(JUNK) for field in offer.fields}
        assert isinstance(DYNASTIA.act(state, Action(offer.kind, offer.box, arguments)), type(state) | Refusal)


@law
@given(rounds(), st.data())
def test_a_hand_is_accepted_at_the_table_if_and_only_if_its_line_is_adjudicated(played, data):
    """Where the exchange has reached the bottom card; before that, the table knows one card more than the line."""
    _, (final, _, _) = played
    seat = data.draw(st.sampled_from(final.seats))
    others = tuple(other._replace(cards=()) if other == seat else other for other in final.seats)
    any_card = st.sampled_from(sorted(DECKS[64].copies))
    cards = [*seat.cards[: data.draw(st.integers(4, 7))], *data.draw(st.lists(any_card, max_size=3))]
    line = DYNASTIA.facts(final)
    line["hands"][final.seats.index(seat)]["cards"] = cards
    found = DYNASTIA.read(line)
    shown = DYNASTIA.act(final._replace(seats=others), Action("show", seat.number, {"cards": cards}))
    if isinstance(found, Fault):
        assert isinstance(shown, Refusal)
    elif isinstance(shown, Refusal):
        assert not final.bottom_dealt
        assert final.bottom in cards
