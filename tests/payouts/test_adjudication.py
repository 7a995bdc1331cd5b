"""What a line comes to in money, worked out without a database."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games import registry
from casino.games.game import Action, Outcome, Pay, Wager
from casino.games.split.sheet import STARTING_TABLE
from casino.running.trial import ROUND
from payouts import adjudication
from payouts.adjudication import NewPayment, NewTransfer

from ..support.play import finish

SPLIT = registry.GAMES["split"]
SHEET = SPLIT.sheet({"chip": 100, "ante_minimum": 500, "ante_maximum": 10000, "boxes": 6})
FLOAT, PATRONS, POT, RAKE = 1, 2, 3, 4
ACCOUNTS = adjudication.Accounts(FLOAT, PATRONS, POT, RAKE)
# Big Two comes to no end when it is played at random.
SEATS = {"split": (), "genpoker": (1, 2, 3), "dynastia": (1, 2, 3), "presidential": (1, 2, 3)}


def adjudicated(game, sheet, state, carry=None):
    return adjudication.adjudicate(game.facts(state), game.view(state).wagers, sheet, carry, ACCOUNTS, "round:81:1")


def test_a_flush_is_paid_and_a_fold_is_lost():
    state = SPLIT.start(SHEET, (), None)
    for kind, box, arguments in ROUND:
        state = SPLIT.act(state, Action(kind, box, arguments))
    result, payments, transfers = adjudicated(SPLIT, SHEET, state)
    assert result == SPLIT.settle(SPLIT.read(SPLIT.facts(state)))
    assert [(payment.box, payment.outcome, payment.net) for payment in payments] == [
        (1, "win_bet", 10000),
        (2, "fold", -500),
    ]
    assert {(moved.debit, moved.credit, moved.units) for moved in transfers} == {
        (PATRONS, FLOAT, 10000),
        (FLOAT, PATRONS, 500),
    }


@pytest.mark.parametrize("code", SEATS)
@settings(max_examples=5, database=None)
@given(data=st.data())
def test_the_patrons_get_what_the_payments_say_and_no_pot_keeps_anything(code, data):
    game = registry.GAMES[code]
    sheet = game.sheet({})
    state = finish(data.draw, game, game.start(sheet, SEATS[code], None)).state
    _, payments, transfers = adjudicated(game, sheet, state)
    balances = Counter()
    through = FLOAT if code == "split" else POT
    for moved in transfers:
        assert moved.units > 0
        assert through in (moved.debit, moved.credit)
        assert moved.key.startswith("round:81:1:")
        balances[moved.debit] += moved.units
        balances[moved.credit] -= moved.units
    assert len({moved.key for moved in transfers}) == len(transfers)
    assert balances[PATRONS] == sum(payment.net for payment in payments)
    assert balances[POT] == 0
    assert balances[RAKE] >= 0
    assert not balances.total()


def test_a_pot_is_filled_shared_and_leaves_its_rest_as_rake():
    pays = [Pay(1, 5, "stake", 300, 0, 0), Pay(2, 2, "stake", 300, 300, 250)]
    assert list(adjudication._through_the_pot(pays, ACCOUNTS, "k")) == [
        NewTransfer("k:1", POT, PATRONS, 300, "stake_in"),
        NewTransfer("k:2", POT, PATRONS, 300, "stake_in"),
        NewTransfer("k:share:2", PATRONS, POT, 550, "share"),
        NewTransfer("k:rake", RAKE, POT, 50, "rake"),
    ]


def test_with_the_house_each_wager_moves_its_net_and_none_moves_nothing():
    pays = [Pay(1, 5, "ANTE", 10, 10, 1), Pay(2, 5, "BET", 10, 10, 0), Pay(3, 6, "ANTE", 1, 0, 0)]
    assert list(adjudication._with_the_house(pays, ACCOUNTS, "k")) == [
        NewTransfer("k:1", PATRONS, FLOAT, 1, "wager"),
        NewTransfer("k:3", FLOAT, PATRONS, 1, "wager"),
    ]


def test_points_move_money_under_their_own_reason():
    pays = [Pay(1, 5, "points", 40, 0, 0), Pay(2, 2, "points", 0, 0, 40)]
    assert list(adjudication._through_the_pot(pays, ACCOUNTS, "k")) == [
        NewTransfer("k:1", POT, PATRONS, 40, "points"),
        NewTransfer("k:share:2", PATRONS, POT, 40, "share"),
    ]


def test_shares_above_their_pot_are_never_paid():
    with pytest.raises(ValueError, match="The shares of k are 1 more than its pot"):
        list(adjudication._through_the_pot([Pay(1, 5, "stake", 300, 301, 0)], ACCOUNTS, "k"))


def test_the_wagers_of_a_box_are_one_payment():
    pays = [Pay(1, 5, "ANTE", 500, 500, 500), Pay(2, 5, "BET", 1000, 0, 0), Pay(3, 6, "ANTE", 500, 0, 0)]
    outcomes = [Outcome(6, "fold", ("split.6",)), Outcome(5, "win", ("split.19",))]
    assert adjudication.payments(pays, outcomes) == [
        NewPayment(6, "fold", 500, 0, 0, ("split.6",)),
        NewPayment(5, "win", 1500, 500, 500, ("split.19",)),
    ]


def test_a_line_that_no_game_can_read_is_an_error():
    with pytest.raises(TypeError, match="missing"):
        adjudication.adjudicate({"game": "split"}, [Wager(1, 1, "ANTE", 500)], SHEET, None, ACCOUNTS, "k")


@pytest.mark.parametrize("sheet", [SHEET, SPLIT.sheet({"coefficients": STARTING_TABLE | {"royal_flush": "200:1"}})])
def test_a_sheet_is_read_from_its_published_text(sheet):
    values = SPLIT.values(sheet)
    sections = {parameter.name: parameter.section for parameter in SPLIT.parameters}
    rules = {"game": "split", "version": 1, "parameters": {}, "limits": {}, "coefficients": values["coefficients"]}
    for name, value in values.items():
        if sections[name] != "coefficients":
            rules[sections[name]][name] = value
    assert adjudication.sheet_of(json.dumps(rules)) == sheet
