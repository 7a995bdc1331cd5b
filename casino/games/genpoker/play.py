"""Genpoker as it is played: stakes, an exchange in turn, and the showdown. Every state is made from the last."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from casino.games import showdown
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal, action_kinds
from casino.games.genpoker.cards import SIXTY_FOUR
from casino.games.genpoker.state import HELD, Seat, State
from casino.games.offers import offered
from casino.games.showdown import pot_facts
from casino.phrases import phrase, phrases

PHASES: Mapping[str, str] = phrases("genpoker.phase", {"betting": "Stakes", "drawing": "Exchange", "showing": "Show"})

ACTIONS: Mapping[str, ActionKind] = action_kinds(
    "genpoker",
    {
        "ante": ActionKind(("betting",), "Stake", boxed=True),
        "stand": ActionKind(("drawing",), "Stand", boxed=True),
        "draw": ActionKind(("drawing",), "Exchange", boxed=True),
        "show": ActionKind(("showing",), "Show hand", boxed=True),
    },
)

LABELS: Mapping[str, str] = phrases(
    "genpoker.label",
    {
        "ante": "Box {box} stakes",
        "stand": "Box {box} stands",
        "draw": "Box {box} exchanges",
        "show": "Show box {box}",
    },
)
"""What a button says."""

MOST_EXCHANGED = 3
_COUNT = Field(
    "count", "count", phrase("genpoker.field.count", "Cards exchanged"), 1, MOST_EXCHANGED, clause="genpoker.3"
)
_FIVE = Field("cards", "cards", phrase("genpoker.field.cards", "Five cards"), HELD, HELD, clause="genpoker.3")


def legal(state: State) -> tuple[Offer, ...]:
    """What may happen now: stakes and hands in any order, the exchange in turn; the next player's offer is primary."""
    waiting = state.waiting
    if not waiting:
        return ()
    match state.phase:
        case "betting":
            return tuple(_offer("ante", seat, seat == waiting[0], units=state.sheet.stake_units) for seat in waiting)
        case "drawing":
            return (_offer("stand", waiting[0], True), _offer("draw", waiting[0], False, _COUNT))
    return tuple(_offer("show", seat, seat == waiting[0], _FIVE) for seat in waiting)


@cache
def _label(kind: str, box: int) -> str:
    """The label of an offer, cached: offers are made anew for each action that is replayed."""
    return LABELS[kind].format(box=box)


def _offer(kind: str, seat: Seat, primary: bool, *fields: Field, units: int | None = None) -> Offer:
    return Offer(
        kind, seat.number, _label(kind, seat.number), fields, ACTIONS[kind].role, primary, units, at_once=kind == "show"
    )


def act(state: State, action: Action) -> State | Refusal:
    """The state after an action, or why it is refused; a refusal changes nothing."""
    offer = offered(legal(state), ACTIONS, SIXTY_FOUR, action, PHASES[state.phase])
    if isinstance(offer, Refusal):
        return offer
    seat = next(seat for seat in state.seats if seat.number == offer.box)
    if action.kind == "show":
        lying = [(showdown.place_with(str(other.number)), other.cards) for other in state.seats]
        refusal = showdown.lie_already(SIXTY_FOUR, lying, action.arguments["cards"], "cards")
        if refusal:
            return refusal
    return _CHANGES[action.kind](state, seat, action.arguments)


Change = Callable[[State, Seat, Mapping[str, Json]], State]


def _ante(state: State, seat: Seat, arguments: Mapping[str, Json]) -> State:
    return _change(state._replace(staking=(*state.staking, seat.number)), seat, staked=True)


def _stand(state: State, seat: Seat, arguments: Mapping[str, Json]) -> State:
    return _change(state, seat, drawn=0)


def _draw(state: State, seat: Seat, arguments: Mapping[str, Json]) -> State:
    return _change(state, seat, drawn=arguments["count"])


def _show(state: State, seat: Seat, arguments: Mapping[str, Json]) -> State:
    return _change(state, seat, cards=tuple(arguments["cards"]))


_CHANGES: Mapping[str, Change] = {"ante": _ante, "stand": _stand, "draw": _draw, "show": _show}


def _change(state: State, changed: Seat, **changes: Any) -> State:
    return state._replace(seats=tuple(seat._replace(**changes) if seat == changed else seat for seat in state.seats))


def facts(state: State) -> dict[str, Json]:
    """The line of contracts/adjudicate.md for a final state.

    :raises ValueError: if the round is not final: half a round has no line.
    """
    if state.waiting:
        raise ValueError(f"The round is not final: box {state.waiting[0].number} is still awaited.")
    hands = [{"player": str(seat.number), "cards": list(seat.cards)} for seat in state.seats]
    terms = state.sheet
    return {"game": "genpoker", **pot_facts(terms.pot_units(state.staked_units), terms.chip_units), "hands": hands}
