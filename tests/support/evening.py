"""Evenings of the house's games: rounds dealt from shuffled packs, kept as data, played through the product's verbs.

`python -m tests.support.evening` deals them anew into tables/lab/evenings: a line with the rule
sheet, then one for each round: who sits in it, from the dealer's left, and what happens.
"""

import json
import random
from itertools import combinations

from casino.games import registry
from casino.games.game import Action, Fault, Refusal
from tables.lab.evenings import Dealt, evening, game_of, path  # noqa: F401 - tests ask for an evening here

from . import bigtwo_rounds, play

# Rule sheet, the boxes of each series or round, rounds of the evening.
EVENINGS = {
    "genpoker": (
        {"chip": 100, "stake": 500, "rake_percent": 5, "rake_cap": 100},
        [(1, 2, 3), (2, 4, 5, 7, 8), (1, 6)],
        40,
    ),
    "dynastia": ({"chip": 100, "stake": 500}, [(1, 2, 3), (2, 3, 5, 6, 9, 10), (1, 10)], 40),
    "dynastia_long": (
        {"chip": 100, "game": "long", "price": 100, "rounds": 4},
        [(1, 2, 3), (2, 3, 5, 6, 9), (1, 10)],
        24,
    ),
    "presidential": ({"chip": 100, "stake": 500, "bet_minimum": 500}, [(1, 2, 3), (1, 3, 4, 6), (2, 8)], 40),
    "bigtwo": (
        {"chip": 100, "price": 100, "bombs": "on", "first_player": "round_winner"},
        [(1, 2, 3, 4), (1, 2), (1, 3, 4)],
        15,
    ),
}


def sheet(game, values):
    made = game.sheet(values)
    assert not isinstance(made, Fault), made
    return made


def deal(name, values=None):
    """Deal an evening, always the same: a number of its own shuffles the pack; `values` set another rule sheet."""
    game, chance = game_of(name), random.Random(f"an evening of {name}")
    own, sittings, count = EVENINGS[name]
    values = values or own
    rules, carry, rounds, sitting = sheet(game, values), None, [], -1
    while len(rounds) < count or carry is not None:
        if carry is None:
            sitting += 1
        seats = sittings[sitting % len(sittings)]
        turn = len(rounds) % len(seats)
        order = (*seats[turn:], *seats[:turn])
        state, actions = play_out(game, game.start(rules, order, carry), chance)
        rounds.append(Dealt(order, actions))
        line = json.loads(json.dumps(game.facts(state)))
        facts = game.read(line)
        carry = game.carry(facts, game.settle(facts), rules, carry)
    return values, rounds


def play_out(game, state, chance):
    """Play a round from a state to its end as somebody might: return the last state and the actions."""
    actions = []
    while not game.view(state).final:
        action, state = step(game, state, chance)
        actions.append(action)
    return state, tuple(actions)


def legal_action(game, state, offer):
    """The offer taken up in some legal way, always the same; None if nobody could now (no combination goes on that)."""
    ways = _ways(game, state, offer, random.Random(7))
    return next((action for action in ways if not isinstance(game.act(state, action), Refusal)), None)


def step(game, state, chance):
    """An action that somebody at the table might choose, and what it leads to."""
    while True:
        offers = [offer for offer in game.legal(state) if offer.role == "croupier"]
        expected = [offer for offer in offers if offer.primary]
        offer = expected[0] if chance.random() < 0.6 else chance.choice(offers)
        for action in _ways(game, state, offer, chance):
            after = game.act(state, action)
            if not isinstance(after, Refusal):
                return action, after


def _ways(game, state, offer, chance):
    """Ways to take up an offer; at each moment, at least one is legal for some offer."""
    if game.code == "bigtwo":
        yield from _of_hidden_hands(state, offer, chance)
        return
    pack = play.unseen(game, state)
    chance.shuffle(pack)
    arguments = {}
    for field in offer.fields:
        match field.kind:
            case "units":
                arguments[field.name] = min(field.minimum + field.step * chance.randint(0, 10), field.maximum)
            case "count":
                arguments[field.name] = chance.randint(field.minimum, field.maximum)
            case "choice":
                arguments[field.name] = chance.choice(field.options)
            case "flag":
                arguments[field.name] = chance.random() < 0.5
            case "card":
                arguments[field.name] = pack.pop()
            case "cards":
                arguments[field.name] = [pack.pop() for _ in range(chance.randint(field.minimum, field.maximum))]
    yield Action(offer.kind, offer.box, arguments)


def _of_hidden_hands(state, offer, chance):
    """Big Two's hands are hidden: the dealer deals what is left, a player plays from what they hold."""
    if offer.kind == "deal":
        dealt = {card for hand in state.hands for card in hand.cards}
        pack = [card for card in registry.GAMES["bigtwo"].deck(state.sheet).copies if card not in dealt]
        yield Action("deal", offer.box, {"cards": chance.sample(pack, 13)})
    elif offer.kind == "pass":
        yield Action("pass", offer.box)
    elif offer.kind == "passes":
        yield Action("passes", None, {"to": chance.choice(offer.fields[0].options)})
    elif offer.kind == "left":
        yield Action("left", offer.box, {"cards": unplayed(state)[: offer.fields[0].minimum]})
    elif state.sheet.unseen:
        # Any card that was not played may be in the hand; the strongest ones beat what lies there, if any do.
        sizes = range(offer.fields[0].minimum, offer.fields[0].maximum + 1)
        tried = [list(cards) for size in sizes if size != 4 for cards in bigtwo_rounds.best(unplayed(state), size)]
        yield from (Action(offer.kind, offer.box, {"cards": cards}) for cards in tried)
    else:
        held = list(left_with(state, offer.box))
        chance.shuffle(held)
        sizes = range(offer.fields[0].minimum, offer.fields[0].maximum + 1)
        tried = (cards for size in reversed(sizes) for cards in combinations(held, size))
        yield from (Action("play", offer.box, {"cards": list(cards)}) for cards in tried)


def unplayed(state):
    """The cards of Big Two that may be in a hand."""
    lain = {card for cards in (*state.played.values(), *state.left.values()) for card in cards}
    return [card for card in bigtwo_rounds.DECK if card not in lain]


def unseen(values, rounds_dealt):
    """The same rounds of Big Two as entered by a table that sees no hands: sheet and rounds (bigtwo.15).

    If several pass in a row, they do so at once.
    """
    game, values = registry.GAMES["bigtwo"], {**values, "hands": "unseen"}
    rules, carry, rounds = sheet(game, values), None, []
    for dealt in rounds_dealt:
        state, actions = game.start(rules, dealt.seats, carry), []
        for action in _unseen(state, dealt.actions):
            actions.append(action)
            state = game.act(state, action)
            assert not isinstance(state, Refusal), (action, state)
        hands = {action.box: action.arguments["cards"] for action in dealt.actions if action.kind == "deal"}
        while state.to_show:
            box = state.to_show[0]
            left = [card for card in hands[box] if card not in state.played[box]]
            actions.append(Action("left", box, {"cards": left}))
            state = game.act(state, actions[-1])
        rounds.append(Dealt(dealt.seats, tuple(actions)))
        facts = game.read(game.facts(state))
        carry = game.carry(facts, game.settle(facts), rules, carry)
    return values, rounds


def _unseen(state, actions):
    """Plays and passes as such a table enters them; the deal is left out."""
    plays = [action for action in actions if action.kind != "deal"]
    standing, silent, at = 0, 0, 0
    while at < len(plays):
        action, count = plays[at], 0
        while at + count < len(plays) and plays[at + count].kind == "pass" and silent + count < len(state.seats) - 1:
            count += 1
        if count > 1:
            yield Action("passes", None, {"to": str(plays[at + count].box)})
        elif count:
            yield action
        if count:
            at, silent = at + count, silent + count
            standing = 0 if silent == len(state.seats) - 1 else standing
            continue
        cards = len(action.arguments["cards"])
        yield Action("bomb", action.box, action.arguments) if standing and cards != standing else action
        standing, silent, at = cards, 0, at + 1


def left_with(state, box):
    """What a box of Big Two has not played yet."""
    hand = next(hand.cards for hand in state.hands if hand.box == box)
    played = {card for made in state.plays if str(made.player) == str(box) for card in made.cards}
    return [card for card in hand if card not in played]


def write():
    """Keep every evening as data."""
    for name in EVENINGS:
        values, rounds = deal(name)
        lines = [values, *({"seats": dealt.seats, "actions": dealt.actions} for dealt in rounds)]
        path(name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


if __name__ == "__main__":
    write()
