"""What holds for every round of Big Two: table and line agree play by play, and the points add up."""

import json
from itertools import islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.bigtwo import BIGTWO
from casino.games.game import Action, Offer, Refusal
from casino.games.sentences import tell
from tests.support import proof
from tests.support.bigtwo_rounds import DECK, best, combinations_of, dealt, may_go_on, play, read, table, value

OPTIONS = {
    "first_player": ["lowest_card", "round_winner"],
    "bombs": ["off", "on"],
    "auto_skip": ["off", "on"],
    "base": ["cards", "ranks", "one"],
    "multiplier": ["none", "8-10-13", "10-13"],
    "scoring": ["cumulative", "winner_takes_all", "pay_higher"],
    "rounds": ["5", "10", "20"],
}
law = settings(max_examples=proof.examples(50))


@st.composite
def packs(draw):
    """A pack shuffled, or cut only: then hands hold fours and long rows, of one suit if the pack lies by suits."""
    way = draw(st.sampled_from(["shuffled", "shuffled", "by ranks", "by suits"]))
    pack = sorted(DECK, key=lambda card: "dchs".index(card[1])) if way == "by suits" else [*DECK]
    if way == "shuffled":
        Random(draw(st.integers(0, 2**32))).shuffle(pack)
        return pack
    cut = draw(st.integers(0, 51))
    return pack[cut:] + pack[:cut]


@st.composite
def tables(draw):
    """A table dealt, the series begun or going on."""
    seats = draw(st.lists(st.integers(1, 6), min_size=2, max_size=4, unique=True))
    sheet = {name: draw(st.sampled_from(options)) for name, options in OPTIONS.items()}
    carry = None
    if draw(st.booleans()):
        totals = {str(box): draw(st.integers(-60, 60)) for box in seats}
        left = draw(st.integers(1, int(sheet["rounds"]) - 1))
        carry = {"leader": draw(st.sampled_from(seats)), "totals": totals, "rounds_left": left}
    pack = draw(packs())
    deal = {box: pack[13 * index : 13 * index + 13] for index, box in enumerate(seats)}
    return dealt(table(seats, carry, price=draw(st.integers(1, 9)), **sheet), deal), deal, carry


class Players:
    """Who holds what and whose turn it is, kept by themselves from the actions alone."""

    def __init__(self, state, deal, carry):
        self.order = list(deal)[::-1]
        self.hands = {box: set(cards) for box, cards in deal.items()}
        self.bombs = state.sheet.options.bombs
        self.auto_skip = state.sheet.options.auto_skip
        self.standing, self.out, self.must = None, set(), None
        if carry and state.sheet.options.first_player == "round_winner":
            self.turn = carry["leader"]
        else:
            self.must = min((card for cards in deal.values() for card in cards), key=DECK.index)
            self.turn = next(box for box in deal if self.must in deal[box])
        self.unplayed = set(DECK)
        self.skips = []
        self.entries = 0

    def may(self, box, cards):
        """bigtwo.1 to bigtwo.10 in one breath."""
        if box != self.turn or not set(cards) <= self.hands[box] or len(set(cards)) < len(cards):
            return False
        if not cards:
            return self.standing is not None
        if self.must and self.must not in cards:
            return False
        if self.standing is None:
            return value(cards) is not None
        return may_go_on(cards, self.standing, bombs=self.bombs)

    def do(self, cards):
        self.entries += 1
        if cards:
            self.must, self.standing, self.owner, self.out = None, cards, self.turn, set()
            self.hands[self.turn] -= set(cards)
            self.unplayed -= set(cards)
            if not self.hands[self.turn]:
                self.turn = None
                return
        else:
            self.out.add(self.turn)
        while True:
            self.turn = self.order[(self.order.index(self.turn) + 1) % len(self.order)]
            if self.turn == self.owner:
                self.standing = None
                return
            if not self.auto_skip or self.could_beat():
                return
            self.out.add(self.turn)
            self.skips.append({"after_play": self.entries - 1, "player": str(self.turn)})

    def could_beat(self):
        held = len(self.hands[self.turn])
        sizes = {size for size in ({len(self.standing), 5} if self.bombs else {len(self.standing)}) if size <= held}
        return any(
            may_go_on(some, self.standing, bombs=self.bombs) for size in sizes for some in best(self.unplayed, size)
        )

    def choices(self, chance):
        """Some plays of the player whose turn it is; a trick is led with any size, the larger the likelier."""
        hand = sorted(self.hands[self.turn], key=DECK.index)
        sizes = [len(self.standing), 5 if self.bombs else 0] if self.standing else chance.choice([(5, 3), (5, 2), (1,)])
        start = chance.randrange(len(hand))
        some = (hand[start:] + hand[:start])[:9]
        must = [self.must] if self.must else []
        for tried in (some, some, hand):
            for size in sizes:
                found = (list(cards) for cards in combinations_of({*tried, *must}, size) if self.may(self.turn, cards))
                if choices := list(islice(found, 6)):
                    return choices
            sizes = sizes if self.standing else (1,)
        return []


@st.composite
def rounds(draw):
    """A round played to its end by players who know the rules, with the states on the way."""
    state, deal, carry = draw(tables())
    players = Players(state, deal, carry)
    states = [state]
    chance = Random(draw(st.integers(0, 2**32)))
    while players.turn is not None:
        choices = players.choices(chance)
        passes = players.standing is not None and (not choices or chance.random() < 0.2)
        cards = [] if passes else chance.choice(choices)
        action = Action("pass" if passes else "play", players.turn, {} if passes else {"cards": cards})
        state = play(state, action)
        players.do(cards)
        states.append(state)
        assert state.turn == players.turn
    return states, players, carry


@law
@given(rounds())
def test_a_round_played_by_the_rules_ends_and_is_adjudicated_and_paid(played):
    states, players, carry = played
    final = states[-1]
    assert BIGTWO.view(final).final
    assert BIGTWO.legal(final) == ()
    line = BIGTWO.facts(final)
    facts = read(json.loads(json.dumps(line)))
    result = BIGTWO.settle(facts)
    assert result["illegal"] is None
    assert result["over"]
    assert result["skipped"] == players.skips
    assert result["left"] == {str(box): len(players.hands[box]) for box in players.order}
    left = {
        "seats": line["seats"],
        "options": line["options"],
        "left": {str(b): list(h) for b, h in players.hands.items()},
    }
    assert BIGTWO.settle(read(left)) == {name: result[name] for name in ("game", "over", "ranking", "points", "net")}
    wagers = BIGTWO.view(final).wagers
    assert BIGTWO.stakes(facts, wagers, final.sheet, carry) == wagers == BIGTWO.stakes(facts, (), final.sheet, carry)
    pays = BIGTWO.pay(facts, result, wagers, final.sheet, carry)
    assert sum(pay.net_units for pay in pays) == 0
    assert len({pay.ordinal for pay in pays}) == len({pay.box for pay in pays}) == len(pays)
    assert BIGTWO.view(final).pot_units == sum(pay.paid_units for pay in pays)
    assert {outcome.box for outcome in BIGTWO.outcomes(facts, result)} == set(final.seats)
    _check_series(facts, result, pays, final, carry)
    for reason in BIGTWO.explain(facts, result):
        assert reason.clause in BIGTWO.clauses
        assert tell(BIGTWO.sentences, reason)


def _check_series(facts, result, pays, final, carry):
    """The totals go on, and money moves in `cumulative` with the last round alone."""
    before = carry or {"totals": dict.fromkeys(map(str, final.seats), 0), "rounds_left": final.sheet.rounds}
    totals = {box: total + result["net"][box] for box, total in before["totals"].items()}
    after = BIGTWO.carry(facts, result, final.sheet, carry)
    last = before["rounds_left"] == 1
    assert (after is None) == last
    if after:
        leader = int(result["ranking"][0][0])
        assert after == {"leader": leader, "totals": totals, "rounds_left": before["rounds_left"] - 1}
        assert json.loads(json.dumps(after)) == after
    nets = {pay.box: pay.net_units for pay in pays}
    price = final.sheet.price_units
    if final.sheet.options.scoring != "cumulative":
        assert sum(result["net"].values()) == 0
        assert nets == {int(box): price * net for box, net in result["net"].items() if net}
    elif not last:
        assert nets == {}
    else:
        least = min(totals.values())
        owed = {int(box): price * (least - total) for box, total in totals.items() if total > least}
        best_nets = [nets.get(int(box), 0) for box in totals if totals[box] == least]
        assert {box: net for box, net in nets.items() if net < 0} == owed
        assert sorted(best_nets, reverse=True) == best_nets
        assert max(best_nets) - min(best_nets) <= 1


@law
@given(rounds(), st.data())
def test_what_the_line_calls_legal_the_table_accepts_and_the_other_way_round(played, data):
    states, _, _ = played
    final = states[-1]
    index = data.draw(st.integers(0, len(states) - 1))
    state = states[index]
    line = BIGTWO.facts(final)
    box = data.draw(st.sampled_from([state.turn, *final.seats]) if state.turn else st.sampled_from(final.seats))
    own = sorted(card for card in dict(final.hands)[box])
    cards = data.draw(st.lists(st.sampled_from(own if data.draw(st.booleans()) else DECK), max_size=6))
    attempt = {"player": str(box), "cards": cards}
    illegal = BIGTWO.settle(read({**line, "plays": [*line["plays"][:index], attempt]}))["illegal"]
    after = BIGTWO.act(state, Action("play", box, {"cards": cards}) if cards else Action("pass", box))
    assert isinstance(after, Refusal) == (illegal is not None)
    if illegal:
        assert illegal["play"] == index
        assert after.clause == illegal["clause"]
        moment = {"round_over", "not_your_turn", "leader_must_play"}
        assert (after.code == illegal["code"]) != (illegal["code"] in moment)
        assert after.way_out


@law
@given(rounds(), st.data())
def test_offers_are_one_primary_and_what_is_not_offered_is_refused(played, data):
    states, _, _ = played
    state = data.draw(st.sampled_from(states))
    offers: tuple[Offer, ...] = BIGTWO.legal(state)
    view = BIGTWO.view(state)
    assert sum(offer.primary for offer in offers) == (not view.final)
    assert view.turn == next((offer.box for offer in offers if offer.primary), None)
    assert [box.number for box in view.boxes if box.state == "next"] == ([view.turn] if view.turn else [])
    open_cards = [card for hand in view.hands for card in hand.cards if card]
    assert tuple(open_cards) == (state.course.cards if state.course.standing else ())
    for kind in BIGTWO.actions:
        for box in (None, *range(1, 7)):
            if (kind, box) not in {(offer.kind, offer.box) for offer in offers}:
                arguments = {} if kind == "pass" else {"cards": DECK[: 13 if kind == "deal" else 1]}
                assert isinstance(BIGTWO.act(state, Action(kind, box, arguments)), Refusal)


@law
@given(st.lists(st.sampled_from(DECK), unique=True, max_size=39), st.data())
def test_points_do_not_depend_on_the_order_of_seats_or_cards(pack, data):
    names = data.draw(st.sampled_from([["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(pack)), min_size=len(names) - 2, max_size=len(names) - 2)))
    hands = [pack[a:b] for a, b in zip([0, *cuts], [*cuts, len(pack)], strict=True)]
    hands = [hand[:13] or [card] for hand, card in zip(hands, [c for c in DECK if c not in pack], strict=False)]
    left = dict(zip(names, [[], *hands], strict=True))
    options = {name: data.draw(st.sampled_from(OPTIONS[name])) for name in ("base", "multiplier", "scoring")}
    result = BIGTWO.settle(read({"seats": names, "left": left, "options": options}))
    order = data.draw(st.permutations(names))
    turned = {name: left[name][::-1] for name in order}
    other = BIGTWO.settle(read({"seats": order, "left": turned, "options": options}))
    assert (other["points"], other["net"]) == (result["points"], result["net"])
    assert [sorted(group) for group in other["ranking"]] == [sorted(group) for group in result["ranking"]]
    assert options["scoring"] == "cumulative" or sum(result["net"].values()) == 0
