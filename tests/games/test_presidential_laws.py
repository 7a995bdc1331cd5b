"""Laws of Presidential Poker, over random hands and over random rounds that know nothing of it but its offers."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from casino import adjudicate
from casino.games.game import Action, Fault, Game, Refusal
from casino.games.presidential import PRESIDENTIAL
from casino.games.presidential.pack import house
from casino.games.sentences import tell
from tests.support import proof
from tests.support.play import finish, fold, take

GAME: Game[Any, Any, Any] = PRESIDENTIAL
law = settings(max_examples=proof.examples(60))
CARDS = sorted(house().cards)


@st.composite
def lines(draw):
    """A showdown of two to eight players."""
    cards = draw(st.permutations(CARDS))
    count = draw(st.integers(2, 8))
    hands = [{"player": f"p{seat}", "cards": cards[7 * seat : 7 * seat + 7]} for seat in range(count)]
    dropped = [f"d{seat}" for seat in range(draw(st.integers(0, 8 - count)))]
    return {"game": "presidential", "pot": draw(st.integers(1, 10**12)), "hands": hands, "dropped": dropped}


def settled(line):
    found, ok = adjudicate.answer(json.dumps(line).encode(), 1, explain=True)
    assert ok, found
    return found


@law
@given(lines(), st.data())
def test_the_ranking_does_not_depend_on_seats_or_cards(line, data):
    result = settled(line)
    hands = [
        hand | {"cards": data.draw(st.permutations(hand["cards"]))}
        for hand in data.draw(st.permutations(line["hands"]))
    ]
    moved = settled(line | {"hands": hands})
    assert [set(group) for group in moved["ranking"]] == [set(group) for group in result["ranking"]]
    assert moved["decided_by"] == result["decided_by"]
    assert {player: told["class"] for player, told in moved["hands"].items()} == {
        player: told["class"] for player, told in result["hands"].items()
    }


@law
@given(lines())
def test_a_ranking_is_that_of_every_two_players_among_themselves(line):
    result = settled(line)
    place = {player: index for index, group in enumerate(result["ranking"]) for player in group}
    assert sorted(place) == sorted(hand["player"] for hand in line["hands"])
    for one in line["hands"]:
        for other in line["hands"]:
            if one["player"] < other["player"]:
                between = settled({"game": "presidential", "hands": [one, other]})["ranking"]
                if place[one["player"]] == place[other["player"]]:
                    assert len(between) == 1
                else:
                    ahead = min((one, other), key=lambda hand: place[hand["player"]])
                    assert between[0] == [ahead["player"]]


@law
@given(lines())
def test_the_shares_add_up_to_the_pot_and_odd_units_go_from_the_dealer_s_left(line):
    result = settled(line)
    shares = list(result["shares"].values())
    assert list(result["shares"]) == result["ranking"][0]
    assert sum(shares) == line["pot"]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1


@st.composite
def rounds(draw):
    sheet = PRESIDENTIAL.sheet(
        {
            "stake": draw(st.integers(1, 500)),
            "rake_percent": draw(st.sampled_from((0, 0, 3, 10, 99))),
            "rake_cap": draw(st.none() | st.integers(1, 100)),
            "bet_minimum": draw(st.integers(1, 50)),
            "bet_maximum": draw(st.none() | st.integers(50, 1000)),
            "raises": draw(st.integers(0, 5)),
        }
    )
    assert not isinstance(sheet, Fault), sheet
    seats = tuple(draw(st.permutations(range(1, 10)))[: draw(st.integers(2, 8))])
    start = PRESIDENTIAL.start(sheet, seats, None)
    return start, finish(draw, GAME, start)


@law
@given(rounds())
def test_every_play_ends_is_adjudicated_and_paid_to_the_unit(played):
    start, (final, actions, _) = played
    assert fold(GAME, start, [Action(**action._asdict()) for action in actions]) == final
    line = json.loads(json.dumps(PRESIDENTIAL.facts(final)))
    found = settled(line)
    facts = PRESIDENTIAL.read(line)
    result = PRESIDENTIAL.settle(facts)
    assert {**result, "id": None, "explanation": found["explanation"]} == found
    seen = PRESIDENTIAL.view(final)
    assert seen.pot_units == sum(wager.units for wager in seen.wagers)
    rake = seen.pot_units - line["pot"]
    assert rake == min(
        seen.pot_units * final.sheet.terms.rake_percent // 100, final.sheet.terms.rake_cap_units or seen.pot_units
    )
    pays = PRESIDENTIAL.pay(facts, result, seen.wagers, final.sheet, None)
    assert sum(pay.net_units for pay in pays) == -rake
    assert [pay.ordinal for pay in pays] == [wager.ordinal for wager in seen.wagers]
    assert all(0 <= pay.returned_units <= pay.stake_units for pay in pays)
    assert {outcome.box for outcome in PRESIDENTIAL.outcomes(facts, result)} == set(start.places)
    for reason in PRESIDENTIAL.explain(facts, result):
        assert tell(PRESIDENTIAL.sentences, reason)
        assert reason.clause in PRESIDENTIAL.clauses
    void = PRESIDENTIAL.read(line | {"void": {"clause": "house.4"}})
    back = PRESIDENTIAL.pay(void, PRESIDENTIAL.settle(void), seen.wagers, final.sheet, None)
    assert all(pay.net_units == 0 for pay in back)
    assert {outcome.box for outcome in PRESIDENTIAL.outcomes(void, PRESIDENTIAL.settle(void))} == set(start.places)


@law
@given(rounds())
def test_all_bets_of_those_still_in_are_even(played):
    start, (final, _, states) = played
    assert len({player.put_units for player in final.active}) == 1
    for state in states:
        if state.phase == "drawing":
            assert len({player.put_units for player in state.active}) == 1
            assert state.stock + state.discards == 72 - 7 * len(start.places)
            assert state.stock >= 0


@law
@given(rounds(), st.data())
def test_what_is_offered_is_done_and_all_else_is_refused(played, data):
    _, (final, actions, states) = played
    state = data.draw(st.sampled_from((*states, final)))
    offers = PRESIDENTIAL.legal(state)
    seen = PRESIDENTIAL.view(state)
    assert seen.final is (not offers)
    assert len([offer for offer in offers if offer.primary]) == (0 if seen.final else 1)
    for offer in offers:
        action = take(data.draw, offer, [card for card in CARDS if card not in _shown(state)])
        assert not isinstance(PRESIDENTIAL.act(state, action), Refusal), (offer, action)
    offered = {(offer.kind, offer.box) for offer in offers}
    for action in actions:
        if (action.kind, action.box) not in offered:
            assert isinstance(PRESIDENTIAL.act(state, action), Refusal)


def _shown(state):
    return {card for hand in PRESIDENTIAL.view(state).hands for card in hand.cards if card}
