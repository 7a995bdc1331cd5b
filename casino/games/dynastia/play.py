"""Dynastia as it is played: what may happen now, and what it changes. Pure; every state is made from the last."""

from collections.abc import Collection

from casino.games.dynastia.cards import DECKS, HAND
from casino.games.dynastia.sheet import Sheet
from casino.games.dynastia.state import Seat, State, Step, expected, judged
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal, action_kinds
from casino.games.offers import offered
from casino.games.showdown import lie_already, place_with, pot_facts
from casino.phrases import phrase, phrases

PHASES = phrases(
    "dynastia.phase", {"betting": "Stakes", "dealing": "Bottom card", "drawing": "Exchange", "showing": "Show"}
)
ACTIONS = action_kinds(
    "dynastia",
    {
        "ante": ActionKind(("betting",), "Stake", boxed=True),
        "bottom": ActionKind(("dealing",), "Bottom card"),
        "stand": ActionKind(("drawing",), "Stand", boxed=True),
        "draw": ActionKind(("drawing",), "Exchange", boxed=True),
        "show": ActionKind(("showing",), "Show", boxed=True),
    },
)
LABELS = phrases(
    "dynastia.label",
    {
        "ante": "Box {box} stakes",
        "bottom": "Show the bottom card",
        "stand": "Box {box} stands",
        "draw": "Box {box} exchanges",
        "show": "Show box {box}",
    },
)
"""What a button says; the screen prints the offer's `units` behind it."""

_BOTTOM = Field("card", "card", phrase("dynastia.field.card", "Bottom card"), clause="dynastia.2")
_COUNT = Field("count", "count", phrase("dynastia.field.count", "Cards exchanged"), 1, HAND, clause="dynastia.3")
_HAND = Field("cards", "cards", phrase("dynastia.field.cards", "Seven cards"), HAND, HAND, clause="dynastia.2")

_UNDER_THE_DECK = phrase("dynastia.place", "under the deck")


def stages(sheet: Sheet) -> Collection[str]:
    """Nobody stakes in a long game (dynastia.12)."""
    return [phase for phase in PHASES if phase != "betting" or not sheet.is_long]


def legal(state: State) -> tuple[Offer, ...]:
    """What may happen now; exactly one offer is primary, none once the round is final.

    Stakes and hands come in any order; cards are exchanged in turn, since they are dealt in turn.
    """
    step = expected(state)
    if step is None:
        return ()
    match state.phase:
        case "betting":
            units = state.sheet.terms.stake_units
            return tuple(_offer("ante", seat.number, step, units=units) for seat in state.seats if not seat.staked)
        case "dealing":
            return (_offer("bottom", None, step, _BOTTOM),)
        case "drawing":
            return (_offer("stand", step.box, step), _offer("draw", step.box, step, _COUNT))
    return tuple(_offer("show", seat.number, step, _HAND) for seat in state.seats if not seat.cards)


def _offer(kind: str, box: int | None, step: Step, *fields: Field, units: int | None = None) -> Offer:
    primary, at_once = step == Step(kind, box), kind == "show"
    return Offer(kind, box, LABELS[kind].format(box=box), fields, primary=primary, units=units, at_once=at_once)


def act(state: State, action: Action) -> State | Refusal:
    """The state after an action, or why it is refused; a refusal changes nothing."""
    offer = offered(legal(state), ACTIONS, DECKS[state.sheet.deck], action, PHASES[state.phase])
    if isinstance(offer, Refusal):
        return offer
    if offer.box is None:
        return state._replace(bottom=action.arguments["card"])
    seat = state.seat(offer.box)
    match action.kind:
        case "ante":
            staked = state._replace(staking=(*state.staking, seat.number))
            return _change(staked, seat, seat._replace(staked=True))
        case "stand":
            return _change(state, seat, seat._replace(exchanged=0))
        case "draw":
            return _change(state, seat, seat._replace(exchanged=action.arguments["count"]))
    return _show(state, seat, tuple(action.arguments["cards"]))


def _show(state: State, seat: Seat, cards: tuple[str, ...]) -> State | Refusal:
    """Show a hand: a card lies in one place (house.2), the bottom card too, unless it may have been dealt."""
    lying = [(place_with(str(other.number)), other.cards) for other in state.seats]
    if state.bottom is not None and not state.bottom_dealt:
        lying.append((_UNDER_THE_DECK, (state.bottom,)))
    refusal = lie_already(DECKS[state.sheet.deck], lying, cards, "cards")
    return refusal or _change(state, seat, seat._replace(cards=cards))


def _change(state: State, seat: Seat, changed: Seat) -> State:
    return state._replace(seats=tuple(changed if other == seat else other for other in state.seats))


def facts(state: State) -> dict[str, Json]:
    """The line of contracts/adjudicate.md for a final state; the round of a long game has no pot.

    :raises ValueError: if the round is not final.
    """
    final = judged(state)
    line: dict[str, Json] = {"game": "dynastia", "deck": final.deck, "preferred": final.preferred}
    line |= pot_facts(final.showdown.pot_units, final.showdown.chip_units)
    line["hands"] = [{"player": hand.player, "cards": list(hand.cards or ())} for hand in final.showdown.hands]
    return line
