"""The long game: totals from round to round, its end, and the points that become money once (dynastia.12)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games import lines
from casino.games.dynastia import DYNASTIA
from casino.games.game import Fault, Game, Goal, Wager
from tests.games.test_dynastia_play import play, settled, sheet, shown
from tests.support import proof
from tests.support.play import finish

GAME: Game = DYNASTIA
law = settings(max_examples=proof.examples(30))


def round_of(*hands, carry=None, bottom="6R", **values):
    """A final round of a long game, one hand a box; nobody stakes in it."""
    seats = tuple(range(1, len(hands) + 1))
    state = play(DYNASTIA.start(sheet(game="long", **values), seats, carry), f"bottom {bottom}")
    return shown(play(state, *(f"stand {seat}" for seat in seats)), *hands)


def carried(state):
    facts, result = settled(state)
    return DYNASTIA.carry(facts, result, state.sheet, state.carry)


def paid(state):
    facts, result = settled(state)
    pays = DYNASTIA.pay(facts, result, DYNASTIA.view(state).wagers, state.sheet, state.carry)
    return [(pay.box, pay.kind, pay.stake_units, pay.paid_units) for pay in pays]


def test_a_round_of_a_long_game_has_no_stakes_and_no_pot():
    state = DYNASTIA.start(sheet(game="long"), (1, 2), None)
    assert (state.phase, DYNASTIA.view(state).say) == ("dealing", "The bottom card gives the preferred colour.")
    final = round_of("1-2-3", "no set")
    assert "pot" not in DYNASTIA.facts(final)
    assert (DYNASTIA.view(final).wagers, paid(final)) == ((), [])


def test_without_a_number_of_rounds_there_are_as_many_as_players():
    final = round_of("1-2-3", "3-4-5", "no set")
    assert carried(final) == {"totals": {"1": "18", "2": "12", "3": "0"}, "rounds_left": 2}
    view = DYNASTIA.view(final)
    assert view.say == "Box one is first: 1-2-3."
    assert [box.note for box in view.boxes] == ["18 so far", "12 so far", "0 so far"]
    assert [outcome.outcome for outcome in DYNASTIA.outcomes(*settled(final))] == ["scored"] * 3


def test_each_pays_the_best_total_what_it_is_ahead_and_once():
    carry = {"totals": {"1": "10", "2": "49/2", "3": "5"}, "rounds_left": 1}
    final = round_of("1-2-3", "3-4-5", "no set", carry=carry, price=3)
    assert carried(final) is None
    assert DYNASTIA.view(final).wagers == (Wager(1, 1, "points", 25), Wager(2, 3, "points", 94))
    assert DYNASTIA.view(final).pot_units == 119
    assert DYNASTIA.view(final).say == "The long game ends. Box two is highest with 36½."
    assert paid(final) == [(1, "points", 25, 0), (3, "points", 94, 0), (2, "share", 0, 119)]


def test_several_best_totals_share_the_points_the_odd_unit_in_seat_order():
    carry = {"totals": {"1": "0", "2": "6", "3": "7"}, "rounds_left": 1}
    final = round_of("1-2-3", "3-4-5", "no set", carry=carry)
    assert DYNASTIA.view(final).say == "The long game ends. Boxes one and two are highest with 18."
    assert paid(final) == [(3, "points", 11, 0), (1, "share", 0, 6), (2, "share", 0, 5)]


def test_equal_totals_move_nothing():
    carry = {"totals": {"1": "12", "2": "18"}, "rounds_left": 1}
    final = round_of("1-2-3", "no set", carry=carry)
    assert (DYNASTIA.view(final).wagers, paid(final), carried(final)) == ((), [], None)
    line = lines.amend(GAME, DYNASTIA.facts(final), {"hands[0].cards": ["6R"] * 7})
    assert DYNASTIA.stakes(DYNASTIA.read(line), (), final.sheet, carry) == (Wager(1, 1, "points", 6),)


@pytest.mark.parametrize(("before", "goes_on"), [("481", True), ("482", False), ("483", False)])
def test_a_target_ends_the_series_once_a_total_reaches_it(before, goes_on):
    carry = {"totals": {"1": before, "2": "480", "3": "0"}, "rounds_left": None}
    final = round_of("1-2-3", "3-4-5", "no set", carry=carry, target=500, rounds=2)
    after = carried(final)
    assert (after is not None) == goes_on == (not DYNASTIA.view(final).wagers)
    assert not goes_on or after == {"totals": {"1": "499", "2": "492", "3": "0"}, "rounds_left": None}


def test_a_series_with_a_target_has_no_number_of_rounds():
    assert carried(round_of("1-2-3", "no set", target=500, rounds=1))["rounds_left"] is None


def test_a_short_game_carries_nothing_and_adds_nothing_up():
    facts, result = settled(round_of("1-2-3", "no set"))
    assert DYNASTIA.carry(facts, result, sheet(), None) is None
    assert DYNASTIA.totals(facts, result, sheet(), None) == {}
    assert DYNASTIA.totals(facts, result, sheet(game="long"), None) == {"1": "6", "2": "0"}


@pytest.mark.parametrize(
    ("values", "goal"),
    [
        ({}, None),
        ({"game": "long"}, Goal(rounds=3)),
        ({"game": "long", "rounds": 6}, Goal(rounds=6)),
        ({"game": "long", "target": 500, "rounds": 6}, Goal(target=500)),
    ],
)
def test_a_long_game_goes_on_for_its_rounds_or_until_its_target(values, goal):
    assert DYNASTIA.goal(sheet(**values), (2, 5, 7)) == goal


def test_players_who_share_their_places_are_told_so():
    """dynastia.13; whoever has a place alone is told dynastia.12 alone."""
    hands = [(1, "6R " * 7), (2, "1R 2B 3R 6B 6B 6B 6B"), (3, "6R " * 7)]
    line = {"preferred": "R", "hands": [{"player": str(box), "cards": cards.split()} for box, cards in hands]}
    facts = DYNASTIA.read(line)
    assert DYNASTIA.outcomes(facts, DYNASTIA.settle(facts)) == (
        (1, "scored", ("dynastia.10", "dynastia.9", "dynastia.12", "dynastia.13")),
        (2, "scored", ("dynastia.4", "dynastia.10", "dynastia.12")),
        (3, "scored", ("dynastia.10", "dynastia.9", "dynastia.12", "dynastia.13")),
    )


@pytest.mark.parametrize("carry", [None, {"totals": {"1": "3", "2": "49/2"}, "rounds_left": 1}])
def test_a_void_round_is_played_again(carry):
    final = round_of("1-2-3", "no set", carry=carry, rounds=1)
    line = lines.amend(GAME, DYNASTIA.facts(final), {"void.clause": "house.4"})
    facts = DYNASTIA.read(line)
    result = DYNASTIA.settle(facts)
    assert DYNASTIA.stakes(facts, DYNASTIA.view(final).wagers, final.sheet, carry) == ()
    assert DYNASTIA.pay(facts, result, (), final.sheet, carry) == ()
    after = DYNASTIA.carry(facts, result, final.sheet, carry)
    assert after == (carry or {"totals": {"1": "0", "2": "0"}, "rounds_left": 1})


@pytest.mark.parametrize(
    ("carry", "after"),
    [
        (None, {"totals": {"1": "0", "2": "0"}, "rounds_left": 2}),
        ({"totals": {"1": "3", "2": "49/2"}, "rounds_left": 2}, {"totals": {"1": "3", "2": "49/2"}, "rounds_left": 1}),
        ({"totals": {"1": "3", "2": "49/2"}, "rounds_left": 1}, None),
    ],
)
def test_a_round_void_by_house_6_gives_no_points_and_counts_as_played(carry, after):
    final = round_of("1-2-3", "no set", carry=carry, rounds=3, price=2)
    line = lines.amend(GAME, DYNASTIA.facts(final), {"void.clause": "house.6"})
    facts = DYNASTIA.read(line)
    result = DYNASTIA.settle(facts)
    assert DYNASTIA.carry(facts, result, final.sheet, carry) == after
    assert DYNASTIA.totals(facts, result, final.sheet, carry) == (carry or after)["totals"]
    staked = DYNASTIA.stakes(facts, DYNASTIA.view(final).wagers, final.sheet, carry)
    nets = {pay.box: pay.net_units for pay in DYNASTIA.pay(facts, result, staked, final.sheet, carry)}
    # With the last round the points of the rounds before are paid: 21 and a half at 2 each.
    assert nets == ({1: -43, 2: 43} if after is None else {})


@pytest.mark.parametrize(("values", "clauses"), [({"game": "long"}, {"house.4", "house.6"}), ({}, {"house.4"})])
def test_only_a_round_of_a_long_game_can_be_void_and_count_as_played(values, clauses):
    line = {**DYNASTIA.facts(round_of("1-2-3", "no set")), **({} if values else {"pot": 100})}
    (void,) = [slot for slot in DYNASTIA.slots(line) if slot.path == "void.clause"]
    assert set(void.field.options) == clauses


def test_a_correction_of_the_last_round_reckons_the_points_anew():
    carry = {"totals": {"1": "10", "2": "12", "3": "5"}, "rounds_left": 1}
    final = round_of("1-2-3", "3-4-5", "no set", carry=carry)
    wagers = DYNASTIA.view(final).wagers
    assert wagers == (Wager(1, 2, "points", 4), Wager(2, 3, "points", 23))
    line = lines.amend(GAME, DYNASTIA.facts(final), {"hands[0].cards": ["6R"] * 7})
    facts = DYNASTIA.read(line)
    staked = DYNASTIA.stakes(facts, wagers, final.sheet, carry)
    assert staked == (Wager(2, 3, "points", 19), Wager(3, 1, "points", 14))
    pays = DYNASTIA.pay(facts, DYNASTIA.settle(facts), staked, final.sheet, carry)
    assert [(pay.ordinal, pay.box, pay.net_units) for pay in pays] == [(2, 3, -19), (3, 1, -14), (4, 2, 33)]
    with pytest.raises(ValueError, match="The points on the table are"):
        DYNASTIA.pay(facts, DYNASTIA.settle(facts), wagers, final.sheet, carry)


@law
@given(st.data())
def test_a_series_ends_with_its_rounds_and_its_points_add_up_to_nothing(data):
    rules = sheet(
        game="long", rounds=data.draw(st.integers(1, 4)), price=data.draw(st.integers(1, 20)), deck="72", stake=5
    )
    seats = tuple(data.draw(st.permutations(range(1, 9)))[: data.draw(st.integers(2, 8))])
    carry, totals = None, dict.fromkeys(map(str, seats), Fraction(0))
    for count in range(1, rules.rounds + 1):
        final = finish(data.draw, GAME, DYNASTIA.start(rules, seats, carry)).state
        facts, result = settled(final)
        assert not isinstance(facts, Fault)
        totals = {player: total + Fraction(result["scores"][player]) for player, total in totals.items()}
        wagers = DYNASTIA.view(final).wagers
        pays = DYNASTIA.pay(facts, result, wagers, rules, carry)
        carry = DYNASTIA.carry(facts, result, rules, carry)
        assert (carry is None) == (count == rules.rounds)
        assert carry is None or {player: Fraction(total) for player, total in carry["totals"].items()} == totals
        assert carry is None or not pays
    highest = max(totals.values())
    assert sum(pay.net_units for pay in pays) == 0
    for player, total in totals.items():
        net = sum(pay.net_units for pay in pays if pay.box == int(player))
        assert net >= 0 if total == highest else net == -int(rules.price_units * (highest - total))


def test_the_hands_of_these_tests_are_what_they_are_called():
    state = round_of("1-2-3", "3-4-5", "no set")
    assert [hand.label for hand in DYNASTIA.view(state).hands if hand.box] == ["1-2-3", "3-4-5", "no set"]
