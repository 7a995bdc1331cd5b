"""High Draw, the smallest game that uses everything that a game may have: a pot, turns, a draw, a carry.

Every seat puts the stake into the pot and has one card. In turn from the leader each stands or draws one card more;
then all show, and the highest rank takes the pot. The winner leads the next round of the series.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from casino.cards import VALUE, card_name, rank_name
from casino.games import game, lines, offers
from casino.games.decks import FIFTY_TWO, always
from casino.games.game import (
    UNFORESEEN,
    Action,
    ActionKind,
    Fault,
    Field,
    Irregularity,
    Json,
    Offer,
    Outcome,
    Parameter,
    Pay,
    Reason,
    Refusal,
    Slot,
)
from casino.games.leaflets import Chapter, Leaflet, Listing, Row, Rule, ruled, said
from casino.money import Units

CODE = "toy"
CLAUSES: Mapping[str, str] = {
    "toy.1": "Each box puts the stake into the pot and has one card.",
    "toy.2": "In turn from the leader each stands or draws one card.",
    "toy.3": "The highest rank takes the pot and leads the next round.",
    "toy.4": "A box that was passed over is asked at once, and play goes on.",
    "house.1": "The odd units of a pot go one each to the tied winners, in seat order.",
    "house.2": "A card entered twice is refused with the place where it lies.",
    "house.4": "What no other clause covers holds the round; the pit boss voids it or lets it stand, with a reason.",
}
IRREGULARITIES = (
    Irregularity("toy.4", "A box was passed over", "Ask it now. Play goes on.", asks_box=True),
    UNFORESEEN,
)
PARAMETERS = (
    Parameter("stake", "units", 10, "toy.1", "Stake", "limits", minimum=1, maximum=1000),
    Parameter("rounds", "count", 3, "toy.3", "Rounds of a series", minimum=1, maximum=20),
)
PHASES: Mapping[str, str] = {"betting": "Stakes", "drawing": "Draw", "showing": "Show"}
ACTIONS: Mapping[str, ActionKind] = {
    "ante": ActionKind(("betting",), "Stake", boxed=True),
    "stand": ActionKind(("drawing",), "Stand", boxed=True),
    "draw": ActionKind(("drawing",), "Draw", boxed=True),
    "show": ActionKind(("showing",), "Show", boxed=True),
}
WORDS: Mapping[str, str] = {"stake": "Stake", "win": "Takes the pot", "lose": "Lost", "void": "Void"}

SENTENCES: Mapping[str, str] = {
    "wins": "Box {box} holds the highest card, the {card}, and takes {share}.",
    "loses": "The {card} is the highest card of box {box}.",
    "void": "The round is void: box {box} has its stake back.",
}
SPOKEN: Mapping[str, str] = {"wins": "{card}, takes the pot", "loses": "{card}", "void": "void"}


class Sheet(NamedTuple):
    stake_units: int
    rounds: int


class Seat(NamedTuple):
    """`drawn` is None until the seat has stood or drawn."""

    number: int
    staked: bool = False
    drawn: int | None = None
    cards: tuple[str, ...] = ()


class State(NamedTuple):
    """`seats` in seat order; they act in turn from `leader`."""

    sheet: Sheet
    leader: int
    seats: tuple[Seat, ...]
    staking: tuple[int, ...] = ()

    @property
    def phase(self) -> str:
        if not all(seat.staked for seat in self.seats):
            return "betting"
        return "drawing" if any(seat.drawn is None for seat in self.seats) else "showing"

    @property
    def turn(self) -> Seat | None:
        """The first seat, from the leader on, that has not yet done what the phase asks."""
        leads = [seat.number for seat in self.seats].index(self.leader)
        done: Callable[[Seat], bool] = {
            "betting": lambda seat: seat.staked,
            "drawing": lambda seat: seat.drawn is not None,
            "showing": lambda seat: bool(seat.cards),
        }[self.phase]
        return next((seat for seat in self.seats[leads:] + self.seats[:leads] if not done(seat)), None)


class Facts(NamedTuple):
    """`void` is the clause of a round ruled void."""

    rounds: int
    pot_units: int
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    void: str | None


def sheet(values: Mapping[str, Json]) -> Sheet | Fault:
    given = {parameter.name: parameter.default for parameter in PARAMETERS} | dict(values)
    for parameter in PARAMETERS:
        value = given[parameter.name]
        if not isinstance(value, int) or not (parameter.minimum or 0) <= value <= (parameter.maximum or 0):
            return Fault("bad_field", f"{parameter.label} can't be {value!r}.", parameter.name)
    if unknown := set(given) - {"stake", "rounds"}:
        return Fault("bad_field", f"There is no value {min(unknown)}.", min(unknown))
    return Sheet(given["stake"], given["rounds"])


def values(sheet: Sheet) -> dict[str, Json]:
    return {"stake": sheet.stake_units, "rounds": sheet.rounds}


def goal(sheet: Sheet, seats: Sequence[int]) -> game.Goal | None:
    return game.Goal(rounds=sheet.rounds)


def start(sheet: Sheet, seats: Sequence[int], carry: game.Carry) -> State:
    return State(sheet, carry["leader"] if carry else seats[0], tuple(map(Seat, sorted(seats))))


def legal(state: State) -> tuple[Offer, ...]:
    turn = state.turn
    if turn is None:
        return ()
    if state.phase == "betting":
        return tuple(
            Offer("ante", seat.number, f"Box {seat.number} stakes", primary=seat == turn, units=state.sheet.stake_units)
            for seat in state.seats
            if not seat.staked
        )
    if state.phase == "drawing":
        count = Field("count", "count", "Cards drawn", 1, 1, clause="toy.2")
        return (
            Offer("stand", turn.number, f"Box {turn.number} stands", primary=True),
            Offer("draw", turn.number, f"Box {turn.number} draws", (count,)),
        )
    return tuple(
        Offer("show", seat.number, f"Show box {seat.number}", (_hand(seat),), primary=seat == turn)
        for seat in state.seats
        if not seat.cards
    )


def _hand(seat: Seat) -> Field:
    held = 1 + (seat.drawn or 0)
    return Field("cards", "cards", "Cards", held, held, clause="toy.2")


def act(state: State, action: Action) -> State | Refusal:
    offer = offers.offered(legal(state), ACTIONS, FIFTY_TWO, action, PHASES[state.phase])
    if isinstance(offer, Refusal):
        return offer
    seat = next(seat for seat in state.seats if seat.number == offer.box)
    match action.kind:
        case "ante":
            changed = seat._replace(staked=True)
            state = state._replace(staking=(*state.staking, seat.number))
        case "stand":
            changed = seat._replace(drawn=0)
        case "draw":
            changed = seat._replace(drawn=action.arguments["count"])
        case _:
            cards = tuple(action.arguments["cards"])
            for index, card in enumerate(cards):
                for other in state.seats:
                    if card in other.cards:
                        return Refusal(
                            "card_duplicate",
                            f"The {card_name(card)} already lies at box {other.number}.",
                            f"cards[{index}]",
                            "house.2",
                            "Enter another card.",
                        )
            changed = seat._replace(cards=cards)
    return state._replace(seats=tuple(changed if other == seat else other for other in state.seats))


def view(state: State) -> game.View:
    turn = state.turn
    return game.View(
        phase=state.phase,
        places=tuple(seat.number for seat in state.seats),
        boxes=tuple(
            game.BoxView(seat.number, "shown", "Shown")
            if seat.cards
            else game.BoxView(seat.number, "next", "Next")
            if seat == turn
            else game.BoxView(seat.number, "wait", "Waits")
            for seat in state.seats
        ),
        hands=tuple(
            game.HandView(seat.number, "hand", seat.cards or (None,) * (1 + (seat.drawn or 0))) for seat in state.seats
        ),
        wagers=tuple(
            game.Wager(ordinal, number, "ante", state.sheet.stake_units)
            for ordinal, number in enumerate(state.staking, 1)
        ),
        turn=turn.number if turn else None,
        pot_units=state.sheet.stake_units * len(state.staking),
        final=turn is None,
    )


def facts(state: State) -> dict[str, Json]:
    hands = [{"player": str(seat.number), "cards": list(seat.cards)} for seat in state.seats]
    pot_units = state.sheet.stake_units * len(state.staking)
    return {"game": CODE, "rounds": state.sheet.rounds, "pot": pot_units, "hands": hands}


def read(line: Mapping[str, Json]) -> Facts | Fault:
    seen: set[str] = set()
    for index, hand in enumerate(line["hands"]):
        path = f"hands[{index}].cards"
        cards = hand.get("cards")
        if not isinstance(cards, list):
            return Fault("missing_field", f"Box {hand['player']} has no cards.", path)
        for place, card in enumerate(cards):
            if not isinstance(card, str) or card not in VALUE:
                return Fault("bad_card", f"{card!r} is no card.", f"{path}[{place}]")
            if card in seen:
                return Fault("card_duplicate", f"{card} lies twice.", f"{path}[{place}]")
            seen.add(card)
        if not 1 <= len(cards) <= 2:
            return Fault("wrong_card_count", f"Box {hand['player']} has {len(cards)} cards, not 1 or 2.", path)
    clause = lines.at(line, "void.clause")
    if clause is not None and clause not in list(CLAUSES):
        return Fault("bad_field", f"There is no clause {clause!r}.", "void.clause")
    hands = tuple((hand["player"], tuple(hand["cards"])) for hand in line["hands"])
    return Facts(line["rounds"], line["pot"], hands, clause)


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    clauses = tuple(irregularity.clause for irregularity in IRREGULARITIES)
    void = Field("clause", "choice", "Void under", options=clauses, optional=True)
    cards = Field("cards", "cards", "Cards", 1, 2, clause="toy.2")
    hands = (
        Slot(f"hands[{index}].cards", cards, f"Box {hand['player']}: cards", hand["cards"], int(hand["player"]))
        for index, hand in enumerate(line["hands"])
    )
    return (*hands, Slot("void.clause", void, void.label, lines.at(line, "void.clause")))


def settle(facts: Facts) -> dict[str, Json]:
    if facts.void:
        return {"game": CODE, "void": True}
    best = {player: max(map(VALUE.__getitem__, cards)) for player, cards in facts.hands}
    ranking = [[player for player in best if best[player] == rank] for rank in sorted(set(best.values()), reverse=True)]
    share, odd = divmod(facts.pot_units, len(ranking[0]))
    shares = {player: share + (index < odd) for index, player in enumerate(ranking[0])}  # house.1
    return {"game": CODE, "ranking": ranking, "shares": shares}


def outcomes(facts: Facts, result: game.Result) -> tuple[Outcome, ...]:
    if facts.void:
        return tuple(sorted(Outcome(int(player), "void", (facts.void,)) for player, _ in facts.hands))
    winners = result["ranking"][0]
    clauses = ("toy.3", "house.1") if len(winners) > 1 else ("toy.3",)
    return tuple(
        Outcome(int(player), "win" if player in winners else "lose", clauses if player in winners else ("toy.3",))
        for player in sorted((player for group in result["ranking"] for player in group), key=int)
    )


def pay(
    facts: Facts, result: game.Result, wagers: Sequence[game.Wager], sheet: Sheet, carry: game.Carry
) -> tuple[Pay, ...]:
    """A winner's stake comes back, with what their share exceeds it by paid on top."""
    if facts.void:
        return tuple(Pay(*wager, wager.units, 0) for wager in wagers)
    pays = []
    for wager in wagers:
        share = result["shares"].get(str(wager.box), 0)
        returned = min(share, wager.units)
        pays.append(Pay(wager.ordinal, wager.box, wager.kind, wager.units, returned, share - returned))
    return tuple(pays)


def carry(facts: Facts, result: game.Result, sheet: Sheet, carry: game.Carry) -> game.Carry:
    """`carry` is what the round started with; a series' first round starts with all its rounds left."""
    left = carry["rounds_left"] if carry else facts.rounds
    if facts.void:  # It is played again.
        return carry or {"leader": int(facts.hands[0][0]), "rounds_left": left}
    return {"leader": int(result["ranking"][0][0]), "rounds_left": left - 1} if left > 1 else None


def explain(facts: Facts, result: game.Result) -> tuple[Reason, ...]:
    if facts.void:
        return tuple(Reason(player, facts.void, "void", {"box": player}) for player, _ in facts.hands)
    reasons = []
    for player, cards in facts.hands:
        card = rank_name(max(map(VALUE.__getitem__, cards)))
        values: dict[str, Any] = {"box": player, "card": card}
        if player in result["shares"]:
            reasons.append(Reason(player, "toy.3", "wins", values | {"share": Units(result["shares"][player])}))
        else:
            reasons.append(Reason(player, "toy.3", "loses", values))
    return tuple(reasons)


def leaflet(sheet: Sheet) -> Leaflet:
    rules = (
        Rule("One card each.", (said("toy.1", "The stake goes into the pot."), said("toy.2", "Stand or draw one."))),
        Rule("The highest rank", (said("toy.3", "takes the pot and leads."), ruled("house.1", "Odd units in order."))),
        Rule("Passed over?", (said("toy.4", "You are asked at once."), ruled("house.2", "No card lies twice."))),
        Rule("All else", (ruled("house.4", "holds the round."),)),
    )
    limits = (Row("Stake", Units(sheet.stake_units), "toy.1"), Row("Rounds", str(sheet.rounds), "toy.3"))
    return Leaflet("The highest card wins.", (Listing("Limits", limits),), (Chapter("The round", rules),))


TOY: game.Game[Sheet, State, Facts] = game.Game(
    code=CODE,
    name="High Draw",
    bank="pot",
    seats=(2, 6),
    clauses=CLAUSES,
    chapters={"toy.1": "Play"},
    parameters=PARAMETERS,
    phases=PHASES,
    actions=ACTIONS,
    words=WORDS,
    sentences=SENTENCES,
    spoken=SPOKEN,
    irregularities=IRREGULARITIES,
    sheet=sheet,
    values=values,
    deck=always(FIFTY_TWO),
    goal=goal,
    start=start,
    legal=legal,
    act=act,
    view=view,
    facts=facts,
    read=read,
    slots=slots,
    settle=settle,
    outcomes=outcomes,
    pay=pay,
    carry=carry,
    explain=explain,
    leaflet=leaflet,
)
