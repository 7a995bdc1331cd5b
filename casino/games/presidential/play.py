"""Presidential Poker as it is played: what may happen now, and what it changes. Pure; a state is made from the last."""

from collections.abc import Callable, Mapping
from typing import Any

from casino.games import pot, showdown
from casino.games.game import Action, ActionKind, Field, Json, Offer, Refusal, action_kinds
from casino.games.offers import offered
from casino.games.presidential.hands import CARDS
from casino.games.presidential.pack import path_of
from casino.games.presidential.state import BETTING, Player, Stake, StakeKind, State, lying, onward, turn
from casino.phrases import phrase, phrases

PHASES = phrases(
    "presidential.phase",
    {
        "antes": "Antes",
        "first": "First bets",
        "drawing": "Draw",
        "second": "Second bets",
        "showing": "Show",
    },
)

ACTIONS = action_kinds(
    "presidential",
    {
        "ante": ActionKind(("antes",), "Ante", boxed=True),
        "check": ActionKind(BETTING, "Check", boxed=True),
        "open": ActionKind(BETTING, "Open", boxed=True),
        "call": ActionKind(BETTING, "Call", boxed=True),
        "raise": ActionKind(BETTING, "Raise", boxed=True),
        "drop": ActionKind(BETTING, "Drop", boxed=True),
        "draw": ActionKind(("drawing",), "Draw", boxed=True),
        "stand_pat": ActionKind(("drawing",), "Stand pat", boxed=True),
        "show": ActionKind(("showing",), "Show hand", boxed=True),
    },
)

LABELS = phrases(
    "presidential.label",
    {
        "ante": "Ante of box {box}",
        "check": "Box {box} checks",
        "open": "Box {box} opens",
        "call": "Box {box} calls",
        "raise": "Box {box} raises",
        "drop": "Box {box} drops",
        "draw": "Box {box} draws",
        "stand_pat": "Box {box} stands pat",
        "show": "Show box {box}",
    },
)
"""What a button says; the screen prints the offer's `units` behind it."""

Arguments = Mapping[str, Json]
_REPLACED = phrase("presidential.field.count", "Cards replaced")
_DRAWN = Field("count", "count", _REPLACED, 1, CARDS, clause="presidential.6")
_HAND = Field(
    "cards", "cards", phrase("presidential.field.cards", "Seven cards"), CARDS, CARDS, clause="presidential.5"
)
_OPENING = phrase("presidential.field.units", "Opening bet")
_RAISE = phrase("presidential.field.units", "Raise")


def legal(state: State) -> tuple[Offer, ...]:
    """What may happen now; exactly one offer is primary, none once the round is final."""
    now = turn(state)
    if now is None:
        return ()
    match state.phase:
        case "antes":
            ante_units = state.sheet.terms.stake_units
            waiting = (player for player in state.players if not player.anted)
            return tuple(_offer("ante", player, player == now, units=ante_units) for player in waiting)
        case "drawing":
            return _offer("draw", now, True, _DRAWN), _offer("stand_pat", now, False)
        case "showing":
            waiting = (player for player in state.active if not player.cards)
            return tuple(_offer("show", player, player == now, _HAND) for player in waiting)
    return tuple(_facing_a_bet(state, now) if state.opened else _before_a_bet(state, now))


def _offer(kind: str, player: Player, primary: bool, *fields: Field, units: int | None = None) -> Offer:
    label, at_once = LABELS[kind].format(box=player.box), kind == "show"
    return Offer(kind, player.box, label, fields, primary=primary, units=units, at_once=at_once)


def _before_a_bet(state: State, now: Player) -> list[Offer]:
    """Check or open. If the last one in the first interval checks, all is dealt again, so an opening is expected."""
    amount = _amount(state, _OPENING)
    silent = sum(not player.spoke for player in state.active)
    opens = amount is not None and state.phase == "first" and silent == 1
    offers = [_offer("check", now, not opens)]
    if amount is not None:
        offers.append(_offer("open", now, opens, amount))
    return offers


def _facing_a_bet(state: State, now: Player) -> list[Offer]:
    """Call, raise or drop; the sheet limits the raises of an interval."""
    offers = [_offer("call", now, True, units=state.bet_units - now.put_units)]
    amount = _amount(state, _RAISE)
    if amount is not None and state.raises < state.sheet.raises:
        offers.append(_offer("raise", now, False, amount))
    return [*offers, _offer("drop", now, False)]


def _amount(state: State, label: str) -> Field | None:
    """How much the bet to meet may rise; None if nothing fits into the pot any more."""
    lowest, highest = state.sheet.bet_minimum_units, state.room_units
    if lowest > highest:
        return None
    return Field("units", "units", label, lowest, highest, state.sheet.terms.chip_units, clause="presidential.5")


def act(state: State, action: Action) -> State | Refusal:
    """The state after an action, or why it is refused; a refusal changes nothing."""
    deck = state.sheet.pack.deck
    offer = offered(legal(state), ACTIONS, deck, action, PHASES[state.phase])
    if isinstance(offer, Refusal):
        return _off_the_chip(offer) or _pointed_out(state, offer)
    if action.kind == "show":
        twice = showdown.lie_already(deck, lying(state), action.arguments["cards"], "cards")
        if twice is not None:
            return twice
    player = state.player(offer.box or 0)
    return onward(_CHANGES[action.kind](state, player, action.arguments))


def _off_the_chip(refusal: Refusal) -> Refusal | None:
    """The refusal of a bet within the limits that no chips can pay: it breaks house.5, not the limits' clause."""
    values = refusal.values
    if refusal.code != "field_out_of_range" or refusal.path != "units":
        return None
    within = values["minimum"] <= values["value"] <= values["maximum"]
    return refusal._replace(clause=pot.WHOLE_CHIPS) if within else None


_WRITE_A_CARD = phrase("presidential.way_out", "Write a card as the deck file does: 3-dark-yellow.")
_WRONG_MOMENT = frozenset(("action_wrong_moment", "box_wrong_moment", "box_missing"))
_CLAUSES = {"drawing": "presidential.6", "second": "presidential.6", "showing": "presidential.7"}


def _pointed_out(state: State, refusal: Refusal) -> Refusal:
    """A refusal with its clause: an action at the wrong moment breaks the phase's, a malformed card the deck's."""
    if refusal.code == "bad_card":
        return refusal._replace(clause="presidential.4", way_out=_WRITE_A_CARD)
    if refusal.code in _WRONG_MOMENT:
        return refusal._replace(clause=_CLAUSES.get(state.phase, "presidential.5"))
    return refusal


def facts(state: State) -> dict[str, Json]:
    """The line of contracts/adjudicate.md for a final state, every parameter spelled out.

    :raises ValueError: if the round is not final: half a round has no line.
    """
    now = turn(state)
    if now is not None:
        raise ValueError(f"The round is not final: box {now.box} is still to act ({PHASES[state.phase]}).")
    terms = state.sheet.terms
    return {
        "game": "presidential",
        "deck_file": path_of(state.sheet.deck),
        **showdown.pot_facts(terms.pot_units(state.staked_units), terms.chip_units),
        "hands": [_hand(player) for player in state.active],
        "dropped": [str(player.box) for player in state.players if player.dropped],
    }


def _hand(player: Player) -> dict[str, Json]:
    named = {"player": str(player.box)}
    return {**named, "cards": list(player.cards)} if player.cards else named


Change = Callable[[State, Player, Arguments], State]


def _ante(state: State, player: Player, arguments: Arguments) -> State:
    return _stake(_change(state, player, anted=True), player, "ante", state.sheet.terms.stake_units)


def _check(state: State, player: Player, arguments: Arguments) -> State:
    return _change(state, player, spoke=True)


def _open(state: State, player: Player, arguments: Arguments) -> State:
    opener = player.box if state.phase == "first" else state.opener
    return _rise(state._replace(opened=True, opener=opener), player, "open", arguments["units"])


def _call(state: State, player: Player, arguments: Arguments) -> State:
    owed = state.bet_units - player.put_units
    met = _change(state, player, spoke=True, put_units=state.bet_units)
    return _stake(met, player, "call", owed)


def _raise(state: State, player: Player, arguments: Arguments) -> State:
    return _rise(state._replace(raises=state.raises + 1), player, "raise", arguments["units"])


def _rise(state: State, player: Player, kind: StakeKind, by_units: int) -> State:
    """Raise the bet that the others have to meet: all but the bettor speak again, from the bettor's left."""
    put = state.bet_units + by_units
    silent = tuple(other._replace(spoke=False) for other in state.players)
    bet = _change(state._replace(players=silent, leader=player.box), player, spoke=True, put_units=put)
    return _stake(bet, player, kind, put - player.put_units)


def _drop(state: State, player: Player, arguments: Arguments) -> State:
    return _change(state, player, dropped=True)


def _draw(state: State, player: Player, arguments: Arguments) -> State:
    """Draw cards; a stock that is too short takes in the earlier discards (presidential.8)."""
    count = arguments["count"]
    stock, discards = state.stock, state.discards
    if stock < count:
        stock, discards = stock + discards, 0
    return _change(state._replace(stock=stock - count, discards=discards + count), player, drawn=count)


def _stand_pat(state: State, player: Player, arguments: Arguments) -> State:
    return _change(state, player, drawn=0)


def _show(state: State, player: Player, arguments: Arguments) -> State:
    return _change(state, player, cards=tuple(arguments["cards"]))


_CHANGES: Mapping[str, Change] = {
    "ante": _ante,
    "check": _check,
    "open": _open,
    "call": _call,
    "raise": _raise,
    "drop": _drop,
    "draw": _draw,
    "stand_pat": _stand_pat,
    "show": _show,
}


def _change(state: State, changed: Player, **changes: Any) -> State:
    players = tuple(player._replace(**changes) if player.box == changed.box else player for player in state.players)
    return state._replace(players=players)


def _stake(state: State, player: Player, kind: StakeKind, units: int) -> State:
    return state._replace(stakes=(*state.stakes, Stake(player.box, kind, units)))
