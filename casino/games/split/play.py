"""Split Poker as it is played: what may happen now, and what it changes. Pure; every state is made from the last."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from casino.cards import VALUE, card_name, rank_name
from casino.games.decks import FIFTY_TWO
from casino.games.game import Action, ActionKind, Field, Handed, Json, Offer, Refusal, action_kinds
from casino.games.offers import offered
from casino.games.split.facts import RULINGS, Ruling
from casino.games.split.irregularities import RULED_AT_THE_TABLE
from casino.games.split.payments import ante_payment, handed_units, paying
from casino.games.split.sheet import spell_coefficients
from casino.games.split.state import (
    Box,
    Decision,
    Stake,
    StakeKind,
    State,
    Step,
    asked_places,
    expected,
    lying,
    place_in_box,
)
from casino.phrases import phrases

PHASES: Mapping[str, str] = phrases(
    "split.phase", {"betting": "Antes", "deciding": "Decide", "revealed": "Reveal", "showing": "Show"}
)

ACTIONS: Mapping[str, ActionKind] = action_kinds(
    "split",
    {
        "ante": ActionKind(("betting",), "ANTE", boxed=True),
        "take_back": ActionKind(("betting",), "Take ANTE back", boxed=True),
        "close_betting": ActionKind(("betting",), "Close antes"),
        "open_card": ActionKind(("deciding",), "Open card"),
        "fold": ActionKind(("deciding",), "Fold", boxed=True),
        "bet": ActionKind(("deciding",), "Bet", boxed=True),
        "buy": ActionKind(("deciding",), "Buy two", boxed=True),
        "reveal": ActionKind(("deciding",), "Reveal dealer"),
        "take_ante": ActionKind(("revealed",), "Take ANTE", boxed=True),
        "buy_game": ActionKind(("revealed",), "Buy game", boxed=True),
        "replacement": ActionKind(("revealed",), "Replace card"),
        "small_hand": ActionKind(("revealed",), "Dealer’s Small Hand"),
        "show": ActionKind(("showing",), "Show box", boxed=True),
        "rule": ActionKind(("deciding", "revealed", "showing"), "Ruling", role="pit_boss", boxed=True),
    },
)

LABELS: Mapping[str, str] = phrases(
    "split.label",
    {
        "ante": "ANTE on box {box}",
        "take_back": "Box {box} takes ANTE back",
        "close_betting": "Close antes",
        "open_card": "Dealer’s open card",
        "fold": "Box {box} folds",
        "bet": "Box {box} bets",
        "buy": "Box {box} buys two",
        "reveal": "Reveal dealer",
        "take_ante": "Box {box} takes ANTE",
        "buy_game": "Box {box} buys the game",
        "replacement": "Replace the {rank}",
        "small_hand": "Dealer’s Small Hand",
        "show": "Show box {box}",
        "show_small": "Small Hand of box {box}",
        "rule": "Rule on box {box}",
    },
)
"""What a button says; the screen prints the offer's `units` behind it."""
FIELDS: Mapping[str, str] = phrases(
    "split.field",
    {
        "ante": "ANTE",
        "open_card": "Open card",
        "dealer": "Dealer’s cards",
        "dealer_small": "Small Hand",
        "replacement": "Replacement",
        "cards": "Five cards",
        "extra": "Two cards",
        "extra_if_above": "Two cards, if above",
        "small": "Small Hand as set",
        "what": "Ruling",
        "clause": "Clause",
    },
)
"""What is entered with it."""
_REFUSALS = phrases(
    "split.refusal",
    {
        "twice": "The {card} already lies {where}.",
        "enter_another": "Enter another card; if it truly lies twice, report it to the pit boss (split.36).",
        "from_elsewhere": "The {card} isn’t one of the seven cards of box {box}.",
        "two_of_the_seven": "Choose two of the seven, or leave it out: the house sets.",
    },
)

Arguments = Mapping[str, Json]
_RULING = (
    Field("what", "choice", FIELDS["what"], options=RULINGS),
    Field("clause", "choice", FIELDS["clause"], options=RULED_AT_THE_TABLE),
)


def legal(state: State) -> tuple[Offer, ...]:
    """What may happen now; exactly one offer is primary, none once the round is final."""
    return (*_OFFERS[state.phase](state, expected(state)), *_rulings(state))


@cache
def _label(kind: str, box: int | None, rank: str) -> str:
    """The label of an offer, cached: offers are made anew for each action that is replayed."""
    return LABELS[kind].format(box=box, rank=rank)


def _offer(
    kind: str, box: int | None, step: Step | None, *fields: Field, units: int | None = None, rank: str = ""
) -> Offer:
    return Offer(kind, box, _label(kind, box, rank), fields, ACTIONS[kind].role, step == Step(kind, box), units)


def _betting(state: State, step: Step | None) -> list[Offer]:
    sheet = state.sheet
    limits = Field(
        "units",
        "units",
        FIELDS["ante"],
        sheet.ante_minimum_units,
        sheet.ante_maximum_units,
        sheet.chip_units,
        clause="split.4",
    )
    offers = []
    for place in asked_places(sheet):
        ante_units = state.box(place).ante_units
        if ante_units:
            offers.append(_offer("take_back", place, step, units=ante_units))
        else:
            offers.append(_offer("ante", place, step, limits))
    if state.boxes:
        offers.append(_offer("close_betting", None, step))
    return offers


def _deciding(state: State, step: Step | None) -> list[Offer]:
    if state.open_card is None:
        return [_offer("open_card", None, step, Field("card", "card", FIELDS["open_card"], clause="split.5"))]
    offers = []
    for box in state.boxes:
        if not box.undecided:
            continue
        offers.append(_offer("fold", box.number, step))
        if box.decision is None:
            offers.append(_offer("buy", box.number, step, units=box.ante_units))
        offers.append(_offer("bet", box.number, step, units=2 * box.ante_units))
    if step == Step("reveal"):
        offers.append(_offer("reveal", None, step, Field("cards", "cards", FIELDS["dealer"], 4, 4, clause="split.10")))
    return offers


def _revealed(state: State, step: Step | None) -> list[Offer]:
    match step:
        case Step("small_hand"):
            clause = "split.15" if state.replacement else "split.16"
            return [
                _offer("small_hand", None, step, Field("cards", "cards", FIELDS["dealer_small"], 2, 2, clause=clause))
            ]
        case Step("replacement"):
            card = Field("card", "card", FIELDS["replacement"], clause="split.13")
            replacement = _offer("replacement", None, step, card, rank=rank_name(VALUE[state.replaced]))
            return [replacement._replace(presumes=_paid_before(state))]
        case Step("take_ante"):
            return [
                offer
                for box in state.still_in
                if box.buys_game is None
                for offer in (
                    _offer("take_ante", box.number, step),
                    _offer("buy_game", box.number, step, units=box.ante_units),
                )
            ]
    return []


def _paid_before(state: State) -> tuple[Handed, ...]:
    """The boxes that do not buy the game are paid before the replacement (split.12)."""
    boxes = {box.number: box for box in state.still_in if box.buys_game is False}
    return tuple(Handed(number, ante_payment(state, boxes[number])) for number in paying(state.sheet, tuple(boxes)))


def _showing(state: State, step: Step | None) -> list[Offer]:
    offers = []
    for box in state.compared:
        if not state.has_shown(box):
            offer = _offer("show", box.number, step, *_shown(state, box))
            offers.append(offer._replace(label=_label("show_small", box.number, "")) if box.cards else offer)
    return offers


_FIVE = Field("cards", "cards", FIELDS["cards"], 5, 5, clause="split.5")
_TWO = Field("extra", "cards", FIELDS["extra"], 2, 2, clause="split.6")
_SET = Field("small", "cards", FIELDS["small"], 2, 2, options=("cards", "extra"), optional=True, clause="split.9")


def _shown(state: State, box: Box) -> tuple[Field, ...]:
    """What a box shows: unseen cards with the five or, if these are above the dealer's, after them."""
    if box.cards:
        return (_TWO._replace(clause="split.19"),)
    if box.decision == "buy_bet":
        return _FIVE, _TWO, _SET
    if state.sheet.unseen_cards == "small_hand":
        return _FIVE, _TWO._replace(label=FIELDS["extra_if_above"], optional=True)
    return _FIVE, _TWO


_OFFERS: Mapping[str, Callable[[State, Step | None], list[Offer]]] = {
    "betting": _betting,
    "deciding": _deciding,
    "revealed": _revealed,
    "showing": _showing,
}


def _rulings(state: State) -> list[Offer]:
    if state.phase == "betting":
        return []
    return [_offer("rule", box.number, None, *_RULING) for box in state.boxes if box.ruling is None]


def act(state: State, action: Action) -> State | Refusal:
    """The state after an action, or why it is refused; a refusal changes nothing."""
    offer = offered(legal(state), ACTIONS, FIFTY_TWO, action, PHASES[state.phase])
    if isinstance(offer, Refusal):
        return _off_the_chip(state, action, offer)
    refusal = _twice(state, action, offer) or _set_from_elsewhere(action)
    return refusal or _CHANGES[action.kind](state, state.box(offer.box or 0), action.arguments)


def facts(state: State) -> dict[str, Json]:
    """The line of contracts/adjudicate.md for a final state, every parameter spelled out.

    :raises ValueError: if the round is not final: half a round has no line.
    """
    step = expected(state)
    if step is not None:
        raise ValueError(f"The round is not final: {ACTIONS[step.kind].label} is still to come.")
    dealer: dict[str, Json] = {"cards": list(state.dealt)}
    if state.replacement:
        dealer["replacement"] = state.replacement
    if state.small:
        dealer["small"] = list(state.small)
    return {
        "game": "split",
        "chip": state.sheet.chip_units,
        "max_payment": state.sheet.max_payment_units,
        "small_hand_loss_pays": state.sheet.small_hand_loss_pays,
        "unseen_cards": state.sheet.unseen_cards,
        "coefficients": spell_coefficients(state.sheet.coefficients),
        "dealer": dealer,
        "boxes": [_line(box) for box in state.boxes],
    }


def _line(box: Box) -> dict[str, Json]:
    line: dict[str, Json] = {"box": box.number, "ante": box.ante_units, "action": box.decision}
    for name in ("cards", "extra", "small"):
        if cards := getattr(box, name):
            line[name] = list(cards)
    if box.buys_game:
        line["buys_game"] = True
    if box.ruling:
        line["ruling"] = {"what": box.ruling.what, "clause": box.ruling.clause}
    return line


def _off_the_chip(state: State, action: Action, refusal: Refusal) -> Refusal:
    """The refusal of an ANTE within the limits but not in whole chips: it breaks split.23, not split.4."""
    sheet = state.sheet
    if refusal.code != "field_out_of_range":
        return refusal
    within = sheet.ante_minimum_units <= action.arguments["units"] <= sheet.ante_maximum_units
    return refusal._replace(clause="split.23") if within else refusal


def _twice(state: State, action: Action, offer: Offer) -> Refusal | None:
    """The refusal of a card that lies elsewhere (house.2); a player's setting names cards of the player's own box."""
    places = lying(state)
    for field in offer.fields:
        if field.kind not in {"card", "cards"} or field.name == "small":
            continue
        value = action.arguments.get(field.name) or ()
        for index, card in enumerate([value] if field.kind == "card" else value):
            if card in places:
                return Refusal(
                    "card_duplicate",
                    _REFUSALS["twice"].format(card=card_name(card), where=places[card]),
                    field.name if field.kind == "card" else f"{field.name}[{index}]",
                    "house.2",
                    _REFUSALS["enter_another"],
                )
            places[card] = place_in_box(offer.box or 0)
    return None


def _set_from_elsewhere(action: Action) -> Refusal | None:
    """The refusal of a setting with other cards: a player sets two of their own seven (split.9)."""
    seven = (*action.arguments.get("cards", ()), *(action.arguments.get("extra") or ()))
    for index, card in enumerate(action.arguments.get("small") or ()):
        if card not in seven:
            return Refusal(
                "field_wrong",
                _REFUSALS["from_elsewhere"].format(card=card_name(card), box=action.box),
                f"small[{index}]",
                "split.9",
                _REFUSALS["two_of_the_seven"],
            )
    return None


Change = Callable[[State, Box, Arguments], State]


def _ante(state: State, box: Box, arguments: Arguments) -> State:
    box = box._replace(ante_units=arguments["units"])
    boxes = sorted((*state.boxes, box), key=lambda box: box.number)
    return _stake(state._replace(boxes=tuple(boxes)), box, "ante", box.ante_units)


def _take_back(state: State, box: Box, arguments: Arguments) -> State:
    return state._replace(
        boxes=tuple(other for other in state.boxes if other != box),
        stakes=tuple(stake for stake in state.stakes if stake.box != box.number),
    )


def _close_betting(state: State, box: Box, arguments: Arguments) -> State:
    return state._replace(phase="deciding")


def _open_card(state: State, box: Box, arguments: Arguments) -> State:
    return state._replace(open_card=arguments["card"])


def _fold(state: State, box: Box, arguments: Arguments) -> State:
    return _change(state, box, decision=_COUNTS_AS_FOLD[box.decision])


def _bet(state: State, box: Box, arguments: Arguments) -> State:
    decided = _change(state, box, decision="buy_bet" if box.decision == "buy" else "bet")
    return _stake(decided, box, "bet", 2 * box.ante_units)


def _buy(state: State, box: Box, arguments: Arguments) -> State:
    return _stake(_change(state, box, decision="buy"), box, "cards_fee", box.ante_units)


def _reveal(state: State, box: Box, arguments: Arguments) -> State:
    return state._replace(phase="revealed", closed=tuple(arguments["cards"]))


def _take_the_ante(state: State, box: Box, arguments: Arguments) -> State:
    return _change(state, box, buys_game=False)


def _buy_game(state: State, box: Box, arguments: Arguments) -> State:
    return _stake(_change(state, box, buys_game=True), box, "game_fee", box.ante_units)


def _replacement(state: State, box: Box, arguments: Arguments) -> State:
    return state._replace(replacement=arguments["card"])


def _small_hand(state: State, box: Box, arguments: Arguments) -> State:
    return state._replace(phase="showing", small=tuple(arguments["cards"]))


def _show(state: State, box: Box, arguments: Arguments) -> State:
    return _change(state, box, **{name: tuple(cards) for name, cards in arguments.items() if cards is not None})


def _rule(state: State, box: Box, arguments: Arguments) -> State:
    """Rule on a box: it needs no more decisions or cards; if it had not decided, it counts as folded."""
    decision = _COUNTS_AS_FOLD[box.decision] if box.undecided else box.decision
    ruling = Ruling(arguments["what"], arguments["clause"])
    return _change(state, box, decision=decision, ruling=ruling, handed_units=handed_units(state, box))


_COUNTS_AS_FOLD: Mapping[Decision | None, Decision] = {None: "fold", "buy": "buy_fold"}
_CHANGES: Mapping[str, Change] = {
    "ante": _ante,
    "take_back": _take_back,
    "close_betting": _close_betting,
    "open_card": _open_card,
    "fold": _fold,
    "bet": _bet,
    "buy": _buy,
    "reveal": _reveal,
    "take_ante": _take_the_ante,
    "buy_game": _buy_game,
    "replacement": _replacement,
    "small_hand": _small_hand,
    "show": _show,
    "rule": _rule,
}


def _change(state: State, changed: Box, **changes: Any) -> State:
    return state._replace(boxes=tuple(box._replace(**changes) if box == changed else box for box in state.boxes))


def _stake(state: State, box: Box, kind: StakeKind, units: int) -> State:
    return state._replace(stakes=(*state.stakes, Stake(box.number, kind, units)))
