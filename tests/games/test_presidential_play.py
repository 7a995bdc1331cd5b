"""Presidential Poker at the table: antes, two betting intervals with a draw between them, the showdown."""

import pytest

from casino.games.game import Action, Fault, Refusal
from casino.games.presidential import PRESIDENTIAL
from tests.support.presidential_cards import hand, spelled

TWO_PAIRS = "F8 P13 M12 G8 P14 F5 D2"
THREE_PAIRS = "E6 G7 K10 C1 J11 M11 A1"
UNITS = {"open", "raise"}


def move(text):
    """`open 3 20`, `draw 3 2`, `show 3 A1 J10 ...`."""
    kind, box, *words = text.split()
    if kind in UNITS:
        return Action(kind, int(box), {"units": int(words[0])})
    if kind == "draw":
        return Action(kind, int(box), {"count": int(words[0])})
    return Action(kind, int(box), {"cards": hand(" ".join(words))} if kind == "show" else {})


def table(*seats, **values):
    sheet = PRESIDENTIAL.sheet(values)
    assert not isinstance(sheet, Fault), sheet
    return PRESIDENTIAL.start(sheet, seats, None)


def play(state, *moves):
    for text in moves:
        state = PRESIDENTIAL.act(state, move(text))
        assert not isinstance(state, Refusal), f"{text}: {state}"
    return state


def dealt(*seats, **values):
    return play(table(*seats, **values), *(f"ante {box}" for box in seats))


def refused(state, action):
    refusal = PRESIDENTIAL.act(state, move(action) if isinstance(action, str) else action)
    assert isinstance(refusal, Refusal), refusal
    assert refusal.message
    assert refusal.way_out
    return refusal


def turn(state):
    return PRESIDENTIAL.view(state).turn


def wagers(state):
    return [(wager.box, wager.kind, wager.units) for wager in PRESIDENTIAL.view(state).wagers]


def open_to(state):
    return {(offer.kind, offer.box) for offer in PRESIDENTIAL.legal(state)}


def test_a_whole_round_is_staked_bet_drawn_shown_and_settled():
    state = play(
        dealt(3, 5, 2),
        *("check 3", "open 5 20", "raise 2 30", "call 3", "call 5"),
        *("draw 3 2", "stand_pat 5", "draw 2 7"),
        *("check 5", "open 2 10", "drop 3", "call 5"),
        *(f"show 5 {TWO_PAIRS}", f"show 2 {THREE_PAIRS}"),
    )
    assert wagers(state) == [
        *((3, "ante", 10), (5, "ante", 10), (2, "ante", 10)),
        *((5, "open", 20), (2, "raise", 50), (3, "call", 50), (5, "call", 30)),
        *((2, "open", 10), (5, "call", 10)),
    ]
    seen = PRESIDENTIAL.view(state)
    assert seen.final
    assert (seen.say, seen.dealer) == ("Box two takes the pot: three pairs.", "Best hand: three pairs")
    assert {hand.box: hand.label for hand in seen.hands} == {5: "Two pairs", 2: "Three pairs"}
    assert {box.number: (box.state, box.note) for box in seen.boxes} == {
        3: ("folded", ""),
        5: ("shown", "Stood pat"),
        2: ("shown", "Drew seven"),
    }
    assert PRESIDENTIAL.facts(state) == {
        "game": "presidential",
        "deck_file": None,
        "pot": 200,
        "hands": [{"player": "5", "cards": hand(TWO_PAIRS)}, {"player": "2", "cards": hand(THREE_PAIRS)}],
        "dropped": ["3"],
    }
    facts = PRESIDENTIAL.read(PRESIDENTIAL.facts(state))
    result = PRESIDENTIAL.settle(facts)
    assert result["shares"] == {"2": 200}
    pays = PRESIDENTIAL.pay(facts, result, seen.wagers, state.sheet, None)
    assert sum(pay.net_units for pay in pays) == 0


def test_the_antes_come_from_every_box_in_any_order():
    state = table(1, 2, 3)
    assert open_to(state) == {("ante", 1), ("ante", 2), ("ante", 3)}
    assert [offer.box for offer in PRESIDENTIAL.legal(state) if offer.primary] == [1]
    state = play(state, "ante 2", "ante 1")
    assert open_to(state) == {("ante", 3)}
    assert PRESIDENTIAL.view(play(state, "ante 3")).say == "Box one: check or open?"


def test_if_nobody_opens_all_ante_again_and_the_next_to_the_left_deals():
    state = play(dealt(1, 2, 3), "check 1", "check 2", "check 3")
    seen = PRESIDENTIAL.view(state)
    assert (seen.phase, seen.turn, seen.pot_units) == ("antes", 2, 30)
    assert seen.say == "Nobody opened. Box one deals. Box two, another ante."
    assert seen.dealer == "Box 1 deals, deal 2"
    assert seen.places == (1, 2, 3)
    state = play(state, "ante 2", "ante 3", "ante 1", "check 2", "check 3", "open 1 10", "drop 2", "drop 3")
    assert PRESIDENTIAL.facts(state)["pot"] == 70
    assert PRESIDENTIAL.facts(state)["dropped"] == ["2", "3"]


def test_a_bet_that_nobody_meets_wins_in_the_first_interval_with_closed_cards():
    state = play(dealt(1, 2), "open 1 10", "drop 2")
    assert PRESIDENTIAL.legal(state) == ()
    assert PRESIDENTIAL.view(state).say == "Nobody meets the bet. Box one takes the pot."
    line = PRESIDENTIAL.facts(state)
    assert line["hands"] == [{"player": "1"}]
    result = PRESIDENTIAL.settle(PRESIDENTIAL.read(line))
    assert result["decided_by"] == "presidential.6"
    assert result["shares"] == {"1": 30}


def test_a_bet_that_nobody_meets_wins_in_the_second_interval():
    state = play(dealt(1, 2), "open 1 10", "call 2", "stand_pat 1", "draw 2 1", "check 1", "open 2 40", "drop 1")
    assert PRESIDENTIAL.view(state).final
    assert PRESIDENTIAL.facts(state)["hands"] == [{"player": "2"}]


def test_a_raise_is_met_by_all_who_spoke_before_it():
    state = play(dealt(1, 2, 3), "check 1", "open 2 10", "call 3", "raise 1 20")
    assert turn(state) == 2
    call = next(offer for offer in PRESIDENTIAL.legal(state) if offer.kind == "call")
    assert call.units == 20
    state = play(state, "call 2")
    assert turn(state) == 3
    assert PRESIDENTIAL.view(play(state, "call 3")).phase == "drawing"


def test_the_second_interval_is_begun_by_the_opener_or_the_next_active_to_his_left():
    opened = play(dealt(1, 2, 3), "check 1", "open 2 10", "call 3", "call 1")
    assert turn(play(opened, "draw 1 1", "draw 2 1", "draw 3 1")) == 2
    raised = play(dealt(1, 2, 3), "check 1", "open 2 10", "raise 3 10", "call 1", "drop 2")
    assert turn(play(raised, "draw 1 1", "draw 3 1")) == 3


def test_all_checks_in_the_second_interval_lead_to_the_showdown():
    state = play(dealt(1, 2), "open 1 10", "call 2", "stand_pat 1", "stand_pat 2", "check 1", "check 2")
    assert PRESIDENTIAL.view(state).phase == "showing"


def test_the_sheet_limits_bets_and_the_raises_of_each_interval():
    state = play(dealt(1, 2, bet_minimum=5, bet_maximum=20, raises=1), "open 1 20", "raise 2 5")
    assert open_to(state) == {("call", 1), ("drop", 1)}
    assert PRESIDENTIAL.view(state).say == "Box one: call or drop?"
    state = play(state, "call 1", "stand_pat 1", "stand_pat 2", "open 1 5")
    assert ("raise", 2) in open_to(state)
    for text in ("raise 2 4", "raise 2 21"):
        found = refused(state, text)
        assert (found.code, found.path, found.clause) == ("field_out_of_range", "units", "presidential.5")


def test_no_bet_makes_a_pot_that_no_line_could_carry():
    state = play(dealt(1, 2, raises=100, bet_minimum=1), "open 1 499999999990")
    assert open_to(state) == {("call", 2), ("drop", 2)}
    full = play(state, "call 2", "stand_pat 1", "stand_pat 2")
    assert open_to(full) == {("check", 1)}


@pytest.mark.parametrize(
    ("action", "code", "path", "clause"),
    [
        ("check 1", "action_wrong_moment", "kind", "presidential.5"),
        ("call 3", "box_wrong_moment", "box", "presidential.5"),
        ("draw 2 1", "action_wrong_moment", "kind", "presidential.5"),
        (Action("call"), "box_missing", "box", "presidential.5"),
        (Action("fold", 2), "action_unknown", "kind", None),
        (Action("raise", 2), "field_missing", "units", "presidential.5"),
        (Action("raise", 2, {"units": 9}), "field_out_of_range", "units", "presidential.5"),
        (Action("raise", 2, {"units": "9"}), "field_wrong", "units", None),
        (Action("call", 2, {"units": 9}), "field_unknown", "units", None),
    ],
)
def test_what_is_not_open_is_refused_with_its_clause_and_its_place(action, code, path, clause):
    found = refused(play(dealt(1, 2, 3), "open 1 10"), action)
    assert (found.code, found.path, found.clause) == (code, path, clause)


@pytest.fixture
def showing():
    state = play(dealt(1, 2), "open 1 10", "call 2", "stand_pat 1", "stand_pat 2", "check 1", "check 2")
    return play(state, f"show 2 {TWO_PAIRS}")


@pytest.mark.parametrize(
    ("cards", "code", "path", "clause", "said"),
    [
        (
            "E6 G7 K10 C1 J11 M11 F8",
            "card_duplicate",
            "cards[6]",
            "house.2",
            "The dark violet 8 already lies with box 2.",
        ),
        ("E6 G7 K10 C1 J11 M11 E6", "card_duplicate", "cards[6]", "house.2", "entered twice"),
        ("E6 G7 K10 C1 J11 M11", "wrong_card_count", "cards", "presidential.5", "6 cards are entered, not 7"),
    ],
)
def test_a_card_that_can_not_lie_there_is_refused(showing, cards, code, path, clause, said):
    found = refused(showing, Action("show", 1, {"cards": hand(cards)}))
    assert (found.code, found.path, found.clause) == (code, path, clause)
    assert said in found.message


def test_a_card_of_another_deck_is_refused_with_how_to_write_one(showing):
    found = refused(showing, Action("show", 1, {"cards": ["Td", *hand(THREE_PAIRS)[1:]]}))
    assert (found.code, found.path, found.clause) == ("bad_card", "cards[0]", "presidential.4")
    assert found.way_out == "Write a card as the deck file does: 3-dark-yellow."


def test_half_a_round_has_no_line(showing):
    with pytest.raises(ValueError, match=r"box 1 is still to act \(Show\)"):
        PRESIDENTIAL.facts(showing)


def test_a_stock_too_short_takes_in_the_discards_of_who_drew_before():
    seats = tuple(range(1, 9))
    state = play(dealt(*seats), "open 1 10", *(f"call {box}" for box in seats[1:]))
    assert PRESIDENTIAL.view(state).dealer == "Box 8 deals; 16 cards in the stock"
    state = play(state, "draw 1 7", "draw 2 7")
    assert PRESIDENTIAL.view(state).dealer == ("Box 8 deals; 2 cards in the stock: for more, shuffle the 14 discarded")
    state = play(state, "draw 3 7")
    assert (state.stock, state.discards) == (9, 7)
    state = play(state, *(f"draw {box} 7" for box in seats[3:]))
    assert PRESIDENTIAL.view(state).phase == "second"


def test_the_house_takes_of_the_pot_what_the_sheet_says_rounded_down():
    for values, pot in (({}, 70), ({"rake_percent": 5}, 67), ({"rake_percent": 5, "rake_cap": 2}, 68)):
        state = play(dealt(1, 2, 3, **values), "open 1 20", "call 2", "drop 3")
        state = play(state, "stand_pat 1", "stand_pat 2", "check 1", "check 2")
        state = play(state, f"show 1 {TWO_PAIRS}", f"show 2 {THREE_PAIRS}")
        assert PRESIDENTIAL.facts(state)["pot"] == pot
        facts = PRESIDENTIAL.read(PRESIDENTIAL.facts(state))
        result = PRESIDENTIAL.settle(facts)
        pays = PRESIDENTIAL.pay(facts, result, PRESIDENTIAL.view(state).wagers, state.sheet, None)
        assert -sum(pay.net_units for pay in pays) == 70 - pot


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"stake": 0}, "stake"),
        ({"bet_minimum": 20, "bet_maximum": 10}, "bet_minimum"),
        ({"raises": -1}, "raises"),
        ({"raises": 101}, "raises"),
        ({"rake_percent": 100}, "rake_percent"),
        ({"deck": "printed"}, "deck"),
        ({"tip": 1}, "tip"),
    ],
)
def test_a_sheet_out_of_range_is_faulty_at_its_value(values, path):
    fault = PRESIDENTIAL.sheet(values)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.path) == ("bad_field", path)


def test_a_sheet_spells_out_every_value():
    sheet = PRESIDENTIAL.sheet({"bet_maximum": 100, "rake_cap": 7})
    values = PRESIDENTIAL.values(sheet)
    assert list(values) == [parameter.name for parameter in PRESIDENTIAL.parameters]
    assert PRESIDENTIAL.sheet(values) == sheet


def test_what_a_box_does_now_is_seen():
    state = play(dealt(1, 2, 3), "check 1", "open 2 10")
    seen = PRESIDENTIAL.view(state)
    assert [(box.number, box.state, box.label) for box in seen.boxes] == [
        (1, "wait", "Waits"),
        (2, "bet", "Bet"),
        (3, "next", "Next"),
    ]
    assert seen.say == "Box three: call, raise or drop?"
    assert seen.dealer == "Box 3 deals; opened by box 2"
    assert {len(hand.cards) for hand in seen.hands} == {7}
    assert {card for hand in seen.hands for card in hand.cards} == {None}
    assert spelled(hand(TWO_PAIRS)) == TWO_PAIRS
