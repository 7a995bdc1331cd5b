"""Nothing is staked or paid that no chip can pay, in any game (house.5), and old sheets play as they did."""

import hashlib
import json
import random
from fractions import Fraction
from itertools import product

import pytest

from casino import adjudicate
from casino.games import pot, registry
from casino.games.bigtwo import payments
from casino.games.bigtwo.series import Score
from casino.games.dynastia.series import Series, reckoning
from casino.games.game import Action, Fault, Refusal
from casino.games.pot import Terms
from casino.money import chips

from ..support import evening, play
from ..support.presidential_cards import hand

OF_PLAYERS = [game for game in registry.GAMES.values() if game.bank == "pot"]
CHIPS = (1, 5, 25, 100)
DENOMINATIONS = {1: (1, 5, 25), 5: (5, 25, 100), 25: (25, 100, 500), 100: (100, 250, 1000)}
"""The chips of a table by its smallest."""
SHEETS = {
    "split": ({"ante_minimum": 200, "ante_maximum": 900, "max_payment": 1234}, (), 12),
    "genpoker": ({"rake_percent": 7, "rake_cap": 123}, (3, 5, 1), 10),
    "dynastia": ({"rake_percent": 3}, (2, 4, 1), 8),
    "dynastia_long": ({"game": "long", "rounds": 3}, (2, 4, 1), 6),
    "presidential": ({"rake_percent": 9, "bet_maximum": 1010, "raises": 2}, (3, 5, 1), 10),
    "bigtwo": ({"rounds": "5"}, (3, 1, 2), 10),
    "bigtwo_paid": ({"scoring": "pay_higher", "base": "ranks"}, (3, 1, 2), 3),
}
"""What a sheet sets beside its chip, also limits that no chip divides; the seats of a round; how many are played."""


def sheet_of(name, chip):
    game, values = evening.game_of(name), SHEETS[name][0]
    if name == "split":
        ratios = dict.fromkeys(game.values(game.sheet({}))["coefficients"], "7:3")
        values = {**values, "coefficients": ratios}
    sheet = game.sheet({"chip": chip, **values})
    assert not isinstance(sheet, Fault), sheet
    return sheet


def rounds_of(name, chip):
    """Rounds played at random: the sheet, what is carried, and the final state of each."""
    game, (_, seats, count) = evening.game_of(name), SHEETS[name]
    sheet, carry = sheet_of(name, chip), None
    chance = random.Random(f"{name} in chips of {chip}")
    for _ in range(count):
        state = game.start(sheet, seats, carry)
        while not game.view(state).final:
            for offer in game.legal(state):
                assert (offer.units or 0) % chip == 0, offer
                for field in offer.fields:
                    assert field.kind != "units" or (field.minimum % chip, field.maximum % chip) == (0, 0), field
            _, state = play_one(game, state, chance)
        yield game, sheet, carry, state
        facts = game.read(json.loads(json.dumps(game.facts(state))))
        carry = game.carry(facts, game.settle(facts), sheet, carry)


def play_one(game, state, chance):
    """An action of a croupier; no ANTE is taken back, so that the round comes to its end."""
    if game.code != "split":
        return evening.step(game, state, chance)
    while True:
        offers = [one for one in game.legal(state) if one.role == "croupier" and one.kind != "take_back"]
        offer, pack = chance.choice(offers), play.unseen(game, state)
        chance.shuffle(pack)
        arguments = {}
        for field in offer.fields:
            match field.kind:
                case "units":
                    steps = (field.maximum - field.minimum) // field.step
                    arguments[field.name] = field.minimum + field.step * chance.randint(0, steps)
                case "card":
                    arguments[field.name] = pack.pop()
                case "cards" if not field.optional:
                    arguments[field.name] = [pack.pop() for _ in range(field.maximum)]
        after = game.act(state, Action(offer.kind, offer.box, arguments))
        if not isinstance(after, Refusal):
            return offer, after


def paid(units, chip):
    """An amount is whole chips, and chips of the table add up to it."""
    tally = chips(abs(units), DENOMINATIONS[chip])
    assert sum(value * count for value, count in tally) == abs(units)
    assert units % chip == 0


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", SHEETS)
def test_whatever_is_staked_and_paid_in_a_round_is_whole_chips(name, chip):
    moved = 0
    for game, sheet, carry, state in rounds_of(name, chip):
        line = json.loads(json.dumps(game.facts(state)))
        facts = game.read(line)
        assert not isinstance(facts, Fault), facts
        wagers = game.view(state).wagers
        pays = game.pay(facts, game.settle(facts), wagers, sheet, carry)
        for units in (*(wager.units for wager in wagers), line.get("pot", 0)):
            paid(units, chip)
        for pay in pays:
            for units in (pay.returned_units, pay.paid_units, pay.net_units):
                paid(units, chip)
        if game.bank == "pot":
            rake = -sum(pay.net_units for pay in pays)
            assert rake >= 0
            paid(rake, chip)
        moved += sum(abs(pay.net_units) for pay in pays)
    assert moved


@pytest.mark.parametrize("chip", [1, 3, 5, 25])
def test_every_pot_of_a_sheet_is_shared_in_whole_chips_of_which_none_is_lost(chip):
    """All stakes up to eight chips, all rakes, caps that no chip divides, all numbers of players and of winners."""
    for count, percent, cap, players in product(range(1, 9), range(0, 100, 3), (None, 1, 17, 60), range(2, 11)):
        staked = count * chip * players
        pot_units = Terms(count * chip, percent, cap, chip).pot_units(staked)
        assert (staked - pot_units) % chip == 0
        assert 0 <= staked - pot_units <= (staked if cap is None else cap)
        for winners in range(1, players + 1):
            shares = pot.share(pot_units, [str(box) for box in range(winners)], chip)
            assert sum(shares.values()) == pot_units
            assert not any(units % chip for units in shares.values())


@pytest.mark.parametrize("chip", [2, 5, 100])
def test_points_of_dynastia_are_owed_down_to_the_chip_and_shared_in_whole_chips(chip):
    sheet = registry.GAMES["dynastia"].sheet({"chip": chip, "price": 3 * chip, "game": "long"})
    for halves in product(range(5), repeat=3):
        totals = {str(box): Fraction(half, 2) for box, half in enumerate(halves, 1)}
        owed, shares = reckoning(sheet, Series(totals, 0))
        assert sum(owed.values()) == sum(shares.values())
        assert not any(units % chip for units in (*owed.values(), *shares.values()))
        for box, units in owed.items():
            behind = max(totals.values()) - totals[box]
            assert 0 <= 3 * chip * behind - units < chip


@pytest.mark.parametrize("chip", [2, 5, 100])
def test_points_of_big_two_are_shared_in_whole_chips(chip):
    sheet = registry.GAMES["bigtwo"].sheet({"chip": chip, "price": chip})
    for net in product(range(4), repeat=3):
        last = Score(None, dict.fromkeys("123", 0), 1)
        units = payments.moves(sheet, "cumulative", "123", dict(zip("123", net, strict=True)), last)
        assert sum(units.values()) == 0
        assert not any(due % chip for due in units.values())


@pytest.mark.parametrize(
    ("code", "values", "path"),
    [
        ("split", {"chip": 100, "ante_minimum": 550}, "ante_minimum"),
        ("genpoker", {"chip": 100, "stake": 550}, "stake"),
        ("dynastia", {"chip": 100, "stake": 550}, "stake"),
        ("dynastia", {"chip": 100, "game": "long", "price": 150}, "price"),
        ("presidential", {"chip": 100, "stake": 550}, "stake"),
        ("presidential", {"chip": 100, "stake": 500, "bet_minimum": 550}, "bet_minimum"),
        ("bigtwo", {"chip": 100, "price": 150}, "price"),
    ],
)
def test_a_sheet_whose_amounts_no_chips_pay_is_refused(code, values, path):
    fault = registry.GAMES[code].sheet(values)
    assert (fault.code, fault.path) == ("bad_field", path)
    assert "must be a multiple of the smallest chip, 100." in fault.message


@pytest.mark.parametrize("game", OF_PLAYERS, ids=lambda game: game.code)
def test_the_highest_chip_goes_with_the_highest_amounts_and_with_those_left_out(game):
    highest = {one.name: one.maximum for one in game.parameters if one.in_chips or one.name == "chip"}
    for values in (highest, {"chip": highest["chip"]}):
        sheet = game.sheet(values)
        assert not isinstance(sheet, Fault), sheet


@pytest.mark.parametrize("game", registry.GAMES.values(), ids=registry.GAMES)
def test_the_chip_is_one_limit_of_the_same_name_in_every_game_and_one_where_a_sheet_has_none(game):
    (chip,) = [parameter for parameter in game.parameters if parameter.name == "chip"]
    assert (chip.default, chip.section, chip.minimum, chip.optional) == (1, "limits", 1, False)
    assert game.values(game.sheet({}))["chip"] == 1
    spelled = game.values(game.sheet({}))
    del spelled["chip"]
    assert game.sheet(spelled) == game.sheet({})


@pytest.mark.parametrize(("units", "taken"), [(500, True), (509, False), (550, False), (600, True), (1000, True)])
def test_a_bet_that_no_chips_pay_is_refused_by_house_5(units, taken):
    presidential = registry.GAMES["presidential"]
    sheet = presidential.sheet({"chip": 100, "stake": 500, "bet_minimum": 500, "bet_maximum": 1050})
    state = presidential.start(sheet, (1, 2), None)
    for box in (1, 2):
        state = presidential.act(state, Action("ante", box))
    after = presidential.act(state, Action("open", 1, {"units": units}))
    if taken:
        assert not isinstance(after, Refusal)
    else:
        assert (after.code, after.path, after.clause) == ("field_out_of_range", "units", "house.5")


@pytest.mark.parametrize("units", [400, 490, 1050, 1100])
def test_a_bet_out_of_the_limits_is_refused_by_them_not_by_the_chip(units):
    presidential = registry.GAMES["presidential"]
    sheet = presidential.sheet({"chip": 100, "stake": 500, "bet_minimum": 500, "bet_maximum": 1050})
    state = presidential.start(sheet, (1, 2), None)
    for box in (1, 2):
        state = presidential.act(state, Action("ante", box))
    after = presidential.act(state, Action("open", 1, {"units": units}))
    assert (after.code, after.path, after.clause) == ("field_out_of_range", "units", "presidential.5")
    assert after.values["maximum"] == 1000


# Lines of contracts/adjudicate.md


HANDS = {
    "genpoker": {"A": "1R 2R 3R 4R 5R", "B": "1B 2B 3B 4B 5B"},
    "dynastia": {"A": "3R 4B 6R 6R 6R 6B 6B", "B": "3R 4B 6R 6R 6R 6B 6B"},
    "presidential": {"A": " ".join(hand("D1 A2 B3 C4 F5 E6 H7")), "B": " ".join(hand("A1 D2 C3 B4 E5 H6 F7"))},
}


def line_of(code, **more):
    hands = [{"player": player, "cards": cards.split()} for player, cards in HANDS[code].items()]
    return {"game": code, "hands": hands, **({"preferred": "R"} if code == "dynastia" else {}), **more}


def answer(line):
    reply, _ = adjudicate.answer(json.dumps(line).encode(), 1)
    return reply


@pytest.mark.parametrize("code", HANDS)
def test_shares_are_in_chips_of_the_line_and_those_left_over_go_in_seat_order(code):
    assert answer(line_of(code, pot=700, chip=100))["shares"] == {"A": 400, "B": 300}
    assert answer(line_of(code, pot=701))["shares"] == {"A": 351, "B": 350}
    assert answer(line_of(code, pot=701, chip=1))["shares"] == {"A": 351, "B": 350}
    assert "shares" not in answer(line_of(code, chip=100))
    assert answer(line_of(code, pot=100, chip=100))["shares"] == {"A": 100, "B": 0}


@pytest.mark.parametrize(
    ("chip", "pot_units", "path"),
    [
        (100, 750, "pot"),
        (3, 700, "pot"),
        (0, 700, "chip"),
        (1.0, 700, "chip"),
        (True, 700, "chip"),
        ("1", None, "chip"),
    ],
)
@pytest.mark.parametrize("code", HANDS)
def test_a_pot_that_is_not_whole_chips_and_a_chip_that_is_none_are_refused(code, chip, pot_units, path):
    error = answer(line_of(code, chip=chip, pot=pot_units))["error"]
    assert (error["code"], error["path"]) == ("bad_field", path)


def test_a_line_of_big_two_has_no_chip():
    line = {"game": "bigtwo", "seats": ["N", "W"], "left": {"N": [], "W": ["3c"]}, "chip": 1}
    assert answer(line)["error"]["path"] == "chip"


@pytest.mark.parametrize("name", ["genpoker", "dynastia", "dynastia_long", "presidential"])
def test_a_round_in_larger_chips_says_so_in_its_line(name):
    *_, (game, _, _, state) = rounds_of(name, 25)
    assert game.facts(state)["chip"] == 25


# Of the lines, results, wagers, pays and carries that the program gave before sheets had a chip.
OLD = {
    "genpoker": "18cbfe001be929ed500ef295c98e66f3910a9370c456b5c7497ae967c519d7cc",
    "dynastia": "a0c138b46582ab31d44e2b66a77123e28c457e848385046b3b35017dee85005c",
    "dynastia_long": "b4ef1fc1dd34dd0ef4490016e10db74788005de99649792588a965ecf4ff20c9",
    "presidential": "ab3a9b42356ab1bc3744022208f3a35b969bd5c56f05b9ba803c8d6e74bdfec9",
    "bigtwo": "5286194378177ee8d86f3efa8f8194a63eb70e87e5151b45fa01c5e6b873dff4",
}


@pytest.mark.parametrize("name", OLD)
def test_a_sheet_without_a_chip_gives_the_lines_and_the_money_that_it_gave_before(name):
    values = {key: value for key, value in evening.EVENINGS[name][0].items() if key != "chip"}
    game, text, carry = evening.game_of(name), hashlib.sha256(), None
    rules = evening.sheet(game, values)
    # The kept rounds, but for bets, which are in chips of today's sheet there.
    rounds = evening.deal(name, values) if name == "presidential" else evening.evening(name)
    for dealt in rounds[1]:
        state = game.start(rules, dealt.seats, carry)
        for action in dealt.actions:
            state = game.act(state, action)
        line = json.loads(json.dumps(game.facts(state)))
        facts, wagers = game.read(line), game.view(state).wagers
        result = game.settle(facts)
        pays = game.pay(facts, result, wagers, rules, carry)
        carry = game.carry(facts, result, rules, carry)
        text.update(json.dumps([line, result, wagers, pays, carry]).encode())
    assert text.hexdigest() == OLD[name]
