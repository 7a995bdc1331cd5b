"""Genpoker at the table: stakes, the exchange in turn, the showdown, and what the screens show of it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino import adjudicate
from casino.games import pot
from casino.games.game import Action, Fault, Pay, Refusal, Wager
from casino.games.genpoker import GENPOKER
from casino.games.pot import Terms
from tests.support import proof
from tests.support.play import finish, fold, least

SEATS = (3, 4, 1)
"""The dealer is box 1."""
COUNTRY = "6R-01 6B-01 4R 4B 5R"
TWO_PAIR = "5B 5B 4R 4B 3R"


def sheet(**values):
    made = GENPOKER.sheet(values)
    assert isinstance(made, Terms), made
    return made


def staked(seats=SEATS, **values):
    return fold(GENPOKER, GENPOKER.start(sheet(**values), seats, None), [Action("ante", seat) for seat in seats])


def stood(seats=SEATS, **values):
    return fold(GENPOKER, staked(seats, **values), [Action("stand", seat) for seat in seats])


def shows(box, hand):
    return Action("show", box, {"cards": hand.split()})


def final(*hands, seats=SEATS, **values):
    return fold(GENPOKER, stood(seats, **values), [shows(*shown) for shown in zip(seats, hands, strict=True)])


def settled(state):
    facts = GENPOKER.read(GENPOKER.facts(state))
    assert not isinstance(facts, Fault), facts
    result = GENPOKER.settle(facts)
    return result, GENPOKER.pay(facts, result, GENPOKER.view(state).wagers, state.sheet, None)


def outcomes(state):
    facts = GENPOKER.read(GENPOKER.facts(state))
    return [(found.box, found.outcome) for found in GENPOKER.outcomes(facts, GENPOKER.settle(facts))]


def primary(state):
    (offer,) = [offer for offer in GENPOKER.legal(state) if offer.primary]
    return offer.kind, offer.box


def test_stakes_come_in_any_order_and_are_expected_in_seat_order():
    state = GENPOKER.start(sheet(stake=25), SEATS, None)
    assert primary(state) == ("ante", 3)
    assert {(offer.box, offer.units) for offer in GENPOKER.legal(state)} == {(3, 25), (4, 25), (1, 25)}
    state = GENPOKER.act(state, Action("ante", 4))
    assert primary(state) == ("ante", 3)
    view = GENPOKER.view(state)
    assert view.pot_units == 25
    assert view.wagers == (Wager(1, 4, "ante", 25),)
    assert view.hands == ()
    assert [(box.number, box.state, box.label) for box in view.boxes] == [
        (1, "wait", "Waits"),
        (3, "next", "Next"),
        (4, "bet", "Staked"),
    ]
    assert (view.say, view.places, view.turn) == ("Place your stakes.", (1, 3, 4), 3)


def test_players_exchange_in_seat_order_from_the_dealers_left():
    state = staked()
    assert primary(state) == ("stand", 3)
    assert {offer.box for offer in GENPOKER.legal(state)} == {3}
    state = GENPOKER.act(state, Action("draw", 3, {"count": 3}))
    state = GENPOKER.act(state, Action("stand", 4))
    view = GENPOKER.view(state)
    assert [box[:4] for box in view.boxes] == [
        (1, "next", "Next", "Stands or exchanges up to three"),
        (3, "bought", "Exchanged", "3 exchanged"),
        (4, "bet", "Stood", ""),
    ]
    assert (view.phase, view.say, view.turn) == ("drawing", "Box one: how many cards?", 1)
    assert [hand.cards for hand in view.hands] == [(None,) * 5] * 3


def test_hands_are_named_as_soon_as_they_are_shown_and_the_best_so_far_is_told():
    state = stood()
    assert GENPOKER.view(state).dealer == ""
    assert {offer.box for offer in GENPOKER.legal(state)} == {3, 4, 1}
    state = GENPOKER.act(state, shows(3, TWO_PAIR))
    view = GENPOKER.view(state)
    assert view.hands[0].label == "Two pair, 4s and 5s"
    assert (view.dealer, view.say) == ("Ahead: Two pair, 4s and 5s", "Box four shows.")
    state = GENPOKER.act(state, shows(4, COUNTRY))
    assert GENPOKER.view(state).dealer == "Ahead: Country"
    assert GENPOKER.view(state).boxes[2][:3] == (4, "shown", "Shown")


def test_the_best_hand_takes_the_pot():
    state = final(TWO_PAIR, COUNTRY, "1R 2R 3B 4R 6R-07")
    view = GENPOKER.view(state)
    assert view.final
    assert view.turn is None
    assert (view.dealer, view.say) == ("Best hand: Country", "Country. Box four takes the pot.")
    assert GENPOKER.legal(state) == ()
    result, pays = settled(state)
    assert result["ranking"] == [["4"], ["3"], ["1"]]
    assert [pay.net_units for pay in pays] == [-10, 20, -10]
    assert GENPOKER.carry(None, result, state.sheet, None) is None


def test_equal_hands_split_it_and_the_odd_units_go_in_seat_order_not_by_number():
    state = final(TWO_PAIR, "1R 2R 3B 4R 6R-07", "5R 5R 4R 4B 3R", stake=5)
    assert GENPOKER.view(state).say == "Two pair, 4s and 5s. Boxes three and one split the pot."
    result, pays = settled(state)
    assert result["shares"] == {"3": 8, "1": 7}
    assert pays == (Pay(1, 3, "ante", 5, 5, 3), Pay(2, 4, "ante", 5, 0, 0), Pay(3, 1, "ante", 5, 5, 2))
    assert outcomes(state) == [
        (1, "split"),
        (3, "split"),
        (4, "lose"),
    ]


def test_three_boxes_are_announced_one_after_another():
    hands = TWO_PAIR, "5R 5R 4R 4B 3R", "5R 5R 4R 4B 3B"
    assert GENPOKER.view(final(*hands)).say == "Two pair, 4s and 5s. Boxes three, four and one split the pot."


@pytest.mark.parametrize(
    ("values", "pot", "nets"),
    [
        ({}, 99, [66, -33, -33]),
        ({"rake_percent": 5}, 95, [62, -33, -33]),
        ({"rake_percent": 50, "rake_cap": 7}, 92, [59, -33, -33]),
        ({"rake_percent": 5, "rake_cap": 7}, 95, [62, -33, -33]),
        ({"rake_percent": 80}, 20, [-13, -33, -33]),
        ({"rake_percent": 99}, 1, [-32, -33, -33]),
    ],
)
def test_the_rake_is_taken_off_the_pot_rounded_down_and_capped(values, pot, nets):
    state = final("1R 2R 3R 4R 5R", COUNTRY.replace("5R", "5B"), TWO_PAIR.replace("4R 4B", "4B 4B"), stake=33, **values)
    assert GENPOKER.facts(state)["pot"] == pot
    assert GENPOKER.view(state).pot_units == 99
    assert [pay.net_units for pay in settled(state)[1]] == nets


def refused(state, action):
    found = GENPOKER.act(state, action)
    assert isinstance(found, Refusal), found
    assert found.message
    assert found.way_out
    return found.code, found.path, found.clause


@pytest.mark.parametrize(
    ("state", "action", "refusal"),
    [
        (staked(), Action("draw", 3, {"count": 4}), ("field_out_of_range", "count", "genpoker.3")),
        (staked(), Action("draw", 3, {"count": 0}), ("field_out_of_range", "count", "genpoker.3")),
        (staked(), Action("draw", 4, {"count": 1}), ("box_wrong_moment", "box", None)),
        (staked(), Action("ante", 3), ("action_wrong_moment", "kind", None)),
        (staked(), shows(3, TWO_PAIR), ("action_wrong_moment", "kind", None)),
        (stood(), shows(3, "5B 5B 4R 4B"), ("wrong_card_count", "cards", "genpoker.3")),
        (stood(), shows(3, "5B 5B 4R 4B 6R"), ("bad_card", "cards[4]", None)),
        (stood(), shows(3, "1R 5B 4R 4B 1R"), ("card_duplicate", "cards[4]", "house.2")),
        (stood(), shows(3, "3R 3R 4R 4B 3R"), ("card_duplicate", "cards[4]", "house.2")),
        (stood(), shows(2, TWO_PAIR), ("box_wrong_moment", "box", None)),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_its_clause_and_place(state, action, refusal):
    assert refused(state, action) == refusal


def test_a_card_is_refused_where_all_its_copies_lie_and_the_places_are_named():
    state = GENPOKER.act(stood(), shows(3, "3R 3B 6R-01 2R 1R"))
    found = GENPOKER.act(state, shows(4, "5R 5R 5R 5B 6R-01"))
    assert found == Refusal(
        "card_duplicate",
        "The red 6 of nation 01 already lies with box 3.",
        "cards[4]",
        "house.2",
        "Enter another card; if it truly lies there, report it to the pit boss (house.4).",
    )
    state = GENPOKER.act(state, shows(4, "3R 5R 5R 5B 5B"))
    found = GENPOKER.act(state, shows(1, "4R 4R 3R 4B 4B"))
    assert found.message == "The deck has 2 cards red 3; they already lie with box 3 and with box 4."
    assert found.path == "cards[2]"


def test_half_a_round_has_no_line():
    with pytest.raises(ValueError, match="box 4 is still awaited"):
        GENPOKER.facts(GENPOKER.act(staked(), Action("stand", 3)))


rules = st.builds(
    sheet,
    stake=st.integers(1, 10**9),
    rake_percent=st.integers(0, 99),
    rake_cap=st.none() | st.integers(1, 10**10),
)
some_seats = st.integers(2, 8).flatmap(lambda count: st.permutations(range(1, count + 1)))


@given(st.data(), rules, some_seats)
def test_every_play_ends_and_is_adjudicated_and_paid_but_for_the_rake(data, rules, seats):
    start = GENPOKER.start(rules, seats, None)
    state, actions, states = finish(data.draw, GENPOKER, start)
    assert fold(GENPOKER, start, actions) == state
    for before in states:
        assert sum(offer.primary for offer in GENPOKER.legal(before)) == 1
        assert not GENPOKER.view(before).final
        assert GENPOKER.view(before).turn == primary(before)[1]
    line = GENPOKER.facts(state)
    answer, ok = adjudicate.answer(json.dumps(line).encode(), 1, explain=True)
    assert ok, answer
    result, pays = settled(state)
    assert answer == {"id": None, **result, "explanation": answer["explanation"]}
    staked_units = rules.stake_units * len(seats)
    rake_units = min(staked_units * rules.rake_percent // 100, rules.rake_cap_units or 10**12)
    assert sum(pay.net_units for pay in pays) == -rake_units
    assert [pay.ordinal for pay in pays] == list(range(1, len(seats) + 1))
    shares = result.get("shares", {})
    assert {pay.box: pay.returned_units + pay.paid_units for pay in pays} == {
        box: shares.get(str(box), 0) for box in seats
    }
    assert [box for box, _ in outcomes(state)] == sorted(seats)
    words = {outcome for _, outcome in outcomes(state)} | {wager.kind for wager in state.wagers}
    assert words <= set(GENPOKER.words)


@settings(max_examples=proof.examples(50))
@given(st.data(), some_seats)
def test_what_is_offered_is_accepted_and_everything_else_refused(data, seats):
    _, _, states = finish(data.draw, GENPOKER, GENPOKER.start(sheet(), seats, None))
    state = data.draw(st.sampled_from(states))
    taken = {(offer.kind, offer.box): least(GENPOKER, state, offer) for offer in GENPOKER.legal(state)}
    arguments = {"ante": {}, "stand": {}, "draw": {"count": 1}, "show": {"cards": ["5R", "5R", "5R", "5B", "5B"]}}
    for kind in GENPOKER.actions:
        for box in (None, *range(1, 10)):
            action = taken.get((kind, box))
            if action is None:
                refused(state, Action(kind, box, arguments[kind]))
            else:
                assert not isinstance(GENPOKER.act(state, action), Refusal)


@given(st.data(), some_seats)
def test_a_hand_is_refused_at_the_table_exactly_where_its_line_is(data, seats):
    """Cards that may lie too often: the last player's hand is accepted if the whole line can be read."""
    pack = list(GENPOKER.deck(sheet()).copies)
    others = [card for card, copies in GENPOKER.deck(sheet()).copies.items() for _ in range(copies)]
    dealt = data.draw(st.permutations(others))
    state = stood(tuple(seats))
    for at, seat in enumerate(seats[:-1]):
        state = GENPOKER.act(state, Action("show", seat, {"cards": dealt[5 * at : 5 * at + 5]}))
    cards = data.draw(st.lists(st.sampled_from(pack), min_size=5, max_size=5))
    after = GENPOKER.act(state, Action("show", seats[-1], {"cards": cards}))
    hands = [{"player": str(seat.number), "cards": list(seat.cards) or cards} for seat in state.seats]
    fault = GENPOKER.read({"hands": hands})
    if isinstance(fault, Fault):
        assert isinstance(after, Refusal)
        # Cards twice in the hand itself are told before those that lie elsewhere.
        assert fault.path.startswith(f"hands[{len(seats) - 1}].cards[")
        assert (after.code, after.clause) == (fault.code, "house.2")
    else:
        assert GENPOKER.facts(after)["hands"] == hands


def test_a_sheet_spells_out_every_value():
    spelled = {"chip": 1, "stake": 10, "rake_percent": 0, "rake_cap": None}
    assert GENPOKER.values(sheet()) == spelled
    assert GENPOKER.sheet(spelled) == sheet()
    assert [parameter.name for parameter in GENPOKER.parameters] == list(spelled)


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"stake": 0}, "stake"),
        ({"stake": 10**12 // 8 + 1}, "stake"),
        ({"rake_percent": 101}, "rake_percent"),
        ({"rake_percent": True}, "rake_percent"),
        ({"rake_cap": 0}, "rake_cap"),
        ({"tip": 1}, "tip"),
    ],
)
def test_a_sheet_out_of_range_is_refused(values, path):
    assert GENPOKER.sheet(values)[::2] == ("bad_field", path)


def test_a_winner_without_a_wager_is_paid_after_the_others():
    wagers = [Wager(1, 2, "ante", 10), Wager(2, 3, "ante", 10)]
    assert pot.pay_shares({"2": 12, "5": 8}, wagers) == (
        Pay(1, 2, "ante", 10, 10, 2),
        Pay(2, 3, "ante", 10, 0, 0),
        Pay(3, 5, "share", 0, 0, 8),
    )


def test_a_winners_wagers_come_back_in_order_as_far_as_his_share_goes():
    wagers = [Wager(1, 2, "ante", 10), Wager(2, 3, "ante", 10), Wager(3, 2, "call", 30), Wager(4, 3, "call", 30)]
    assert pot.pay_shares({"2": 76}, wagers) == (
        Pay(1, 2, "ante", 10, 10, 36),
        Pay(2, 3, "ante", 10, 0, 0),
        Pay(3, 2, "call", 30, 30, 0),
        Pay(4, 3, "call", 30, 0, 0),
    )
    assert [pay.returned_units for pay in pot.pay_shares({"2": 25, "3": 4}, wagers)] == [10, 4, 15, 0]


def test_what_no_clause_covers_is_its_only_irregularity():
    assert [listed.clause for listed in GENPOKER.irregularities] == ["house.4"]
