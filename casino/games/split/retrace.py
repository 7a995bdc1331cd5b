"""From a complete line back to the actions of the table that recorded it: what a replay enters."""

from casino.games.game import Action, Offer, Refusal
from casino.games.split import play
from casino.games.split.facts import Box, Facts, read
from casino.games.split.sheet import Sheet
from casino.games.split.state import State, expected, start
from casino.phrases import phrase

_NOT_AS_PLAYED = phrase("split.refusal.not_as_played", "No course of a round at this table gives this line.")


def retrace(facts: Facts, sheet: Sheet) -> tuple[Action, ...] | Refusal:
    """The actions that make the round of a line at an empty table with this sheet.

    :return: or a refusal: of the first action that the table would not have taken (an ANTE beyond its limits), or of
        the whole line if no table's actions give it: it is void, or has cards that nobody had to show.
    """
    state, actions = start(sheet, (), None), list[Action]()
    boxes = {box.number: box for box in sorted(facts.boxes)}
    waiting = [Action("ante", box.number, {"units": box.ante_units}) for box in boxes.values()]
    while waiting:
        action = waiting.pop(0)
        after = play.act(state, action)
        if isinstance(after, Refusal):
            return after
        state, actions = after, [*actions, action]
        if not waiting:
            due = _expected(facts, boxes, state)
            waiting = [due] if due else _rulings(boxes, state)
    target = facts._replace(boxes=tuple(boxes.values()))
    if not state.small and not state.compared:
        # Some tables deal the dealer's Small Hand though all are out (split.16); it meets nobody.
        target = target._replace(dealer=target.dealer._replace(small=None))
    if expected(state) is not None or read(play.facts(state)) != target:
        return Refusal("not_as_played", _NOT_AS_PLAYED, "", "house.4", "")
    return tuple(actions)


def _rulings(boxes: dict[int, Box], state: State) -> list[Action]:
    """The rulings still to be given: with the last card, or once a card is due that the line lacks."""
    return [
        Action("rule", number, {"what": box.ruling.what, "clause": box.ruling.clause})
        for number, box in boxes.items()
        if box.ruling and state.box(number).ruling is None
    ]


def _expected(facts: Facts, boxes: dict[int, Box], state: State) -> Action | None:
    """What the rules expect next, as the line has it; None if the line has nothing for it."""
    offer = next((offer for offer in play.legal(state) if offer.primary), None)
    return offer and _taken(facts, boxes.get(offer.box or 0), state, offer)


def _taken(facts: Facts, box: Box | None, state: State, offer: Offer) -> Action | None:
    dealer = facts.dealer
    match offer.kind:
        case "open_card" if dealer.cards:
            return Action("open_card", None, {"card": dealer.cards[4]})
        case "reveal" if dealer.cards:
            return Action("reveal", None, {"cards": list(dealer.cards[:4])})
        case "replacement" if dealer.replacement:
            return Action("replacement", None, {"card": dealer.replacement})
        case "small_hand" if dealer.small:
            return Action("small_hand", None, {"cards": list(dealer.small)})
        case "bet" if box:
            return Action(_decision(box, bought=state.box(box.number).bought_cards), box.number)
        case "take_ante" if box:
            return Action("buy_game" if box.buys_game else "take_ante", box.number)
        case "show" if box and box.cards and not state.box(box.number).cards:
            shown = {"cards": box.cards, "extra": box.extra, "small": box.small}
            return Action("show", box.number, {name: list(cards) for name, cards in shown.items() if cards})
        case "close_betting":
            return Action("close_betting")
    return None


def _decision(box: Box, *, bought: bool) -> str:
    """The next decision of a box that bets, folds, or buys first."""
    buys, _, then = box.action.rpartition("_")
    return then if bought or not buys else "buy"
